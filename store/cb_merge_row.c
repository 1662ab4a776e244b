#include "cb_merge_row.h"

#include <stdio.h>
#include <string.h>

#include "cb_text.h"

#define SQL_SIZE 4096

/* ---- what a table is made of ---- */

static cb_status add_column(cb_store *s, sqlite3_stmt *q, cb_merge_table *t, cb_err *err) {
  cb_merge_column *c = &t->column[t->n];
  cbs_text(q, 0, c->name, sizeof c->name);
  cbs_text(q, 1, c->refers_to, sizeof c->refers_to);
  if (strcmp(c->name, "id") == 0) {
    t->has_id = true;
    memset(c, 0, sizeof *c);
    return CB_OK;
  }
  t->n++;
  return t->n < CB_MERGE_COLUMNS
             ? CB_OK
             : cb_fail(err, CB_E_DB, "%s: table %s has too many columns", s->path, t->name);
}

cb_status cbm_describe(cb_store *s, const char *name, cb_merge_table *t, cb_err *err) {
  sqlite3_stmt *q;
  bool more;
  cb_status st;
  *t = (cb_merge_table){.name = name};
  CB_TRY(cbs_prepare(s, &q, err,
                     "SELECT c.name, ifnull(f.\"table\", '') FROM pragma_table_info(?1) c LEFT JOIN "
                     "pragma_foreign_key_list(?1) f"
                     " ON f.\"from\" = c.name ORDER BY c.cid",
                     "t", name));
  while ((st = cbs_step(s, &q, &more, err)) == CB_OK && more) {
    st = add_column(s, q, t, err);
    if (st == CB_OK) continue;
    sqlite3_finalize(q);
    break;
  }
  return st;
}

int cbm_column(const cb_merge_table *t, const char *name) {
  for (int i = 0; i < t->n; i++)
    if (strcmp(t->column[i].name, name) == 0) return i;
  return -1;
}

/* ---- statements ---- */

static void add_texts(char sql[SQL_SIZE], const char *a, const char *b, const char *c) {
  cb_text_add(sql, SQL_SIZE, "", "%s%s%s", a, b, c);
}

static void add_columns(char x[SQL_SIZE], const cb_merge_table *t) {
  for (int i = 0; i < t->n; i++) add_texts(x, i ? ", \"" : "\"", t->column[i].name, "\"");
}

static void add_select(char x[SQL_SIZE], const cb_merge_table *t) {
  add_texts(x, "SELECT ", t->has_id ? "id" : "0", ", ");
  add_columns(x, t);
  add_texts(x, " FROM ", t->name, "");
}

cb_status cbm_select(cb_store *s, const cb_merge_table *t, const char *where, sqlite3_stmt **q, cb_err *err) {
  char x[SQL_SIZE] = "";
  add_select(x, t);
  add_texts(x, " ", where, t->has_id ? " ORDER BY id" : "");
  return cbs_prepare(s, q, err, x, "");
}

cb_status cbm_select_by(cb_store *s, const cb_merge_table *t, uint64_t mask, sqlite3_stmt **q, cb_err *err) {
  char x[SQL_SIZE] = "";
  const char *word = " WHERE \"";
  add_select(x, t);
  for (int i = 0; i < t->n; i++)
    if (mask >> i & 1) {
      add_texts(x, word, t->column[i].name, "\" IS ?");
      word = " AND \"";
    }
  return cbs_prepare(s, q, err, x, "");
}

cb_status cbm_insert(cb_store *s, const cb_merge_table *t, sqlite3_stmt **q, cb_err *err) {
  char x[SQL_SIZE] = "";
  add_texts(x, "INSERT INTO ", t->name, "(");
  add_columns(x, t);
  add_texts(x, ") VALUES(", "", "");
  for (int i = 0; i < t->n; i++) add_texts(x, i ? ", ?" : "?", "", "");
  add_texts(x, ")", "", "");
  return cbs_prepare(s, q, err, x, "");
}

/* ---- cells ---- */

cb_merge_cell cbm_cell(sqlite3_stmt *q, int i) {
  cb_merge_cell a = {.type = sqlite3_column_type(q, i)};
  if (a.type == SQLITE_INTEGER) a.i = sqlite3_column_int64(q, i);
  if (a.type == SQLITE_FLOAT) a.d = sqlite3_column_double(q, i);
  if (a.type == SQLITE_TEXT) a.bytes = sqlite3_column_text(q, i);
  if (a.type == SQLITE_BLOB) a.bytes = sqlite3_column_blob(q, i);
  if (a.type == SQLITE_TEXT || a.type == SQLITE_BLOB) a.n_bytes = sqlite3_column_bytes(q, i);
  return a;
}

bool cbm_same(const cb_merge_cell *a, const cb_merge_cell *b) {
  return a->type == b->type && a->i == b->i && a->d == b->d && a->n_bytes == b->n_bytes &&
         (a->n_bytes == 0 || memcmp(a->bytes, b->bytes, (size_t)a->n_bytes) == 0);
}

bool cbm_unknown(const cb_merge_cell *a) {
  return a->type == SQLITE_NULL || (a->type == SQLITE_TEXT && a->n_bytes == 0);
}

void cbm_text(const cb_merge_cell *a, char out[64]) {
  if (a->type == SQLITE_NULL)
    (void)snprintf(out, 64, "unknown");
  else if (a->type == SQLITE_INTEGER)
    (void)snprintf(out, 64, "%lld", (long long)a->i);
  else if (a->type == SQLITE_FLOAT)
    (void)snprintf(out, 64, "%.9g", a->d);
  else
    (void)snprintf(out, 64, "'%.*s'", a->n_bytes < 50 ? a->n_bytes : 50, (const char *)a->bytes);
}

cb_status cbm_bind(cb_store *s, sqlite3_stmt *q, int at, const cb_merge_cell *a, cb_err *err) {
  int rc = SQLITE_OK;
  if (a->type == SQLITE_NULL) rc = sqlite3_bind_null(q, at);
  if (a->type == SQLITE_INTEGER) rc = sqlite3_bind_int64(q, at, a->i);
  if (a->type == SQLITE_FLOAT) rc = sqlite3_bind_double(q, at, a->d);
  if (a->type == SQLITE_TEXT) rc = sqlite3_bind_text(q, at, a->bytes, a->n_bytes, SQLITE_STATIC);
  if (a->type == SQLITE_BLOB) rc = sqlite3_bind_blob(q, at, a->bytes, a->n_bytes, SQLITE_STATIC);
  return rc == SQLITE_OK ? CB_OK : cbs_fail(s, sqlite3_sql(q), err);
}
