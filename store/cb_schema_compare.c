/* Is the schema of a file the one that this program gave it? */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cb_store_impl.h"

/* What ANALYZE leaves tells the planner how large tables are, and nothing else. */
#define OBJECTS                                                                                           \
  "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_master WHERE NOT (type = 'table' AND (sql = " \
  "'CREATE TABLE "                                                                                        \
  "sqlite_stat1(tbl,idx,stat)' OR sql = 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'))"       \
  " ORDER BY name, type, rowid"

/* The same steps in memory make the same schema, word for word. */
static cb_status make_wanted(int version, cb_store *wanted, cb_err *err) {
  if (sqlite3_open_v2(":memory:", &wanted->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
      SQLITE_OK)
    return cbs_fail(wanted, "open", err);
  for (int v = 0; v < version; v++) CB_TRY(cbs_exec(wanted, cb_schema_steps[v], err));
  return CB_OK;
}

static const char *text(sqlite3_stmt *q, int column) {
  const char *t = q ? (const char *)sqlite3_column_text(q, column) : NULL;
  return t ? t : "";
}

static int order(sqlite3_stmt *a, sqlite3_stmt *b) {
  int by_name = strcmp(text(a, 1), text(b, 1));
  return by_name ? by_name : strcmp(text(a, 0), text(b, 0));
}

static cb_status compare_schemas(cb_store *s, sqlite3_stmt **is, cb_store *wanted, sqlite3_stmt **should,
                                 int version, cb_err *err) {
  bool a, b;
  do {
    CB_TRY(cbs_step(s, is, &a, err));
    CB_TRY(cbs_step(wanted, should, &b, err));
    int by = a && b ? order(*is, *should) : a ? -1 : b ? 1 : 0;
    sqlite3_stmt *at = by > 0 ? *should : *is;
    const char *what =
        by < 0   ? "does not belong to"
        : by > 0 ? "is missing from"
        : (a && (strcmp(text(*is, 3), text(*should, 3)) != 0 || strcmp(text(*is, 2), text(*should, 2)) != 0))
            ? "is defined otherwise than in"
            : NULL;
    if (what)
      return cb_fail(err, CB_E_DB,
                     "%s: %s '%s' %s schema %d: something else than clothbench changed the file, and nothing "
                     "in it can be trusted",
                     s->path, text(at, 0), text(at, 1), what, version);
  } while (a && b);
  return CB_OK;
}

cb_status cbs_schema_hash(cb_store *s, uint64_t *hash, cb_err *err) {
  sqlite3_stmt *q;
  bool more;
  cb_status st;
  *hash = 0;
  CB_TRY(cbs_prepare(s, &q, err, OBJECTS, ""));
  while ((st = cbs_step(s, &q, &more, err)) == CB_OK && more)
    for (int i = 0; i < 4; i++) *hash = XXH3_64bits_withSeed(text(q, i), strlen(text(q, i)) + 1, *hash);
  return st;
}

/* Object by object: says what differs. */
static cb_status compare_with_wanted(cb_store *s, int version, cb_err *err) {
  char name[] = "the schema in memory";
  cb_store wanted = {.path = name};
  sqlite3_stmt *is = NULL, *should = NULL;
  cb_status st;
  CB_GOTO(make_wanted(version, &wanted, err));
  CB_GOTO(cbs_prepare(s, &is, err, OBJECTS, ""));
  CB_GOTO(cbs_prepare(&wanted, &should, err, OBJECTS, ""));
  st = compare_schemas(s, &is, &wanted, &should, version, err);
done:
  sqlite3_finalize(is);
  sqlite3_finalize(should);
  (void)cbs_close(&wanted);
  return st;
}

cb_status cbs_schema_compare(cb_store *s, int version, cb_err *err) {
  uint64_t hash;
  if (version == cb_schema_version) {
    CB_TRY(cbs_schema_hash(s, &hash, err));
    if (hash == cb_schema_hash) return CB_OK;
  }
  return compare_with_wanted(s, version, err);
}
