#include "cb_seal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cb_text.h"

/* ---- the hash of a row ---- */

static uint64_t mix(uint64_t hash, int type, uint64_t bits, const void *bytes, size_t n) {
  unsigned char head[9] = {(unsigned char)type};
  for (int i = 0; i < 8; i++) head[1 + i] = (unsigned char)(bits >> 8 * i);
  hash = XXH3_64bits_withSeed(head, sizeof head, hash);
  return n ? XXH3_64bits_withSeed(bytes, n, hash) : hash;
}

static uint64_t mix_real(uint64_t hash, double x) {
  uint64_t bits;
  x += 0.0; /* SQLite keeps -0 as 0 */
  memcpy(&bits, &x, sizeof bits);
  return mix(hash, SQLITE_FLOAT, bits, NULL, 0);
}

static uint64_t mix_value(uint64_t hash, sqlite3_value *v, bool real) {
  int type = sqlite3_value_type(v);
  if (type == SQLITE_FLOAT || (type == SQLITE_INTEGER && real))
    return mix_real(hash, sqlite3_value_double(v));
  if (type == SQLITE_INTEGER) return mix(hash, type, (uint64_t)sqlite3_value_int64(v), NULL, 0);
  if (type == SQLITE_NULL) return mix(hash, type, 0, NULL, 0);
  const void *bytes = type == SQLITE_TEXT ? (const void *)sqlite3_value_text(v) : sqlite3_value_blob(v);
  size_t n = (size_t)sqlite3_value_bytes(v);
  return mix(hash, type, n, bytes, n);
}

/* ---- what a row may hold ---- */

/* "run 3", "friction_knot of law 5", "meta" */
static void name_row(const cbs_table *t, int64_t owner, char out[96]) {
  if (strcmp(t->owner, "id") == 0)
    (void)snprintf(out, 96, "%s %lld", t->name, (long long)owner);
  else if (strcmp(t->owner, "1") == 0)
    (void)snprintf(out, 96, "%s", t->name);
  else
    (void)snprintf(out, 96, "%s of %.*s %lld", t->name, (int)(strlen(t->owner) - strlen("_id")), t->owner,
                   (long long)owner);
}

static cb_status check_value(const cb_column *rule, sqlite3_value *v, const char *what, cb_err *err) {
  int type = sqlite3_value_type(v);
  if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
    return cb_column_check(rule, sqlite3_value_double(v), what, err);
  if (type != SQLITE_TEXT) return CB_OK; /* STRICT tables: a column of bytes */
  const char *text = (const char *)sqlite3_value_text(v);
  if (!text) return cb_no_memory(err, "%s", what);
  if (strlen(text) != (size_t)sqlite3_value_bytes(v))
    return cb_fail(err, CB_E_RANGE, "%s: has a zero byte at byte %zu: plain text was wanted", what,
                   strlen(text) + 1);
  return cb_column_check_text(rule, text, what, err);
}

static int64_t owner_of(const cbs_table *t, sqlite3_value **cells) {
  for (int i = 0; i < t->n; i++)
    if (strcmp(t->column[i].name, t->owner) == 0) return sqlite3_value_int64(cells[i]);
  return 0;
}

/* Names of cells take longer to write than all checks: only one that is refused gets its own. */
static cb_status check_cells(const cbs_table *t, sqlite3_value **cells, cb_err *err) {
  char row[96], what[160];
  for (int i = 0; i < t->n; i++) {
    if (check_value(t->column[i].rule, cells[i], t->column[i].name, NULL) == CB_OK) continue;
    name_row(t, owner_of(t, cells), row);
    (void)snprintf(what, sizeof what, "%s: %s", row, t->column[i].name);
    return check_value(t->column[i].rule, cells[i], what, err);
  }
  return CB_OK;
}

/* ---- functions of SQL ---- */

/* cb_row(table, cell ...): the hash of the row; a row that cannot be is an error. */
static void sql_row(sqlite3_context *context, int n, sqlite3_value **arg) {
  cb_store *s = sqlite3_user_data(context);
  int64_t at = n > 0 ? sqlite3_value_int64(arg[0]) : -1;
  if (at < 0 || at >= s->n_tables || n - 1 != s->tables[at].n) {
    sqlite3_result_error(context, "cb_row: another number of cells was wanted", -1);
    return;
  }
  const cbs_table *t = &s->tables[at];
  if (s->checks_rows && check_cells(t, arg + 1, &s->refused) != CB_OK) {
    sqlite3_result_error(context, s->refused.msg, -1);
    return;
  }
  uint64_t hash = XXH3_64bits(t->name, strlen(t->name));
  for (int i = 0; i < t->n; i++) hash = mix_value(hash, arg[1 + i], t->column[i].real);
  sqlite3_result_int64(context, (sqlite3_int64)hash);
}

/* SQL's own sum is no longer whole where it overflows. */
static void sql_add(sqlite3_context *context, int n, sqlite3_value **arg) {
  (void)n;
  uint64_t sum = (uint64_t)sqlite3_value_int64(arg[0]) + (uint64_t)sqlite3_value_int64(arg[1]);
  sqlite3_result_int64(context, (sqlite3_int64)sum);
}

static void sql_subtract(sqlite3_context *context, int n, sqlite3_value **arg) {
  (void)n;
  uint64_t rest = (uint64_t)sqlite3_value_int64(arg[0]) - (uint64_t)sqlite3_value_int64(arg[1]);
  sqlite3_result_int64(context, (sqlite3_int64)rest);
}

static void sql_sum_step(sqlite3_context *context, int n, sqlite3_value **arg) {
  (void)n;
  uint64_t *sum = sqlite3_aggregate_context(context, sizeof *sum);
  if (sum)
    *sum += (uint64_t)sqlite3_value_int64(arg[0]);
  else
    sqlite3_result_error_nomem(context);
}

static void sql_sum_final(sqlite3_context *context) {
  uint64_t *sum = sqlite3_aggregate_context(context, 0);
  sqlite3_result_int64(context, sum ? (sqlite3_int64)*sum : 0);
}

static cb_status add_functions(cb_store *s, cb_err *err) {
  /* Innocuous: a schema that is not trusted may hold triggers that call them, and ours are such. */
  const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  bool ok =
      sqlite3_create_function_v2(s->db, "cb_row", -1, flags, s, sql_row, NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_create_function_v2(s->db, "cb_add", 2, flags, NULL, sql_add, NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_create_function_v2(s->db, "cb_subtract", 2, flags, NULL, sql_subtract, NULL, NULL, NULL) ==
          SQLITE_OK &&
      sqlite3_create_function_v2(s->db, "cb_sum", 1, flags, NULL, NULL, sql_sum_step, sql_sum_final, NULL) ==
          SQLITE_OK;
  return ok ? CB_OK : cbs_fail(s, "functions of the seals", err);
}

/* ---- the tables ---- */

/* Rows of these have no id that names them, or change. Every other table is named by its first column and
 * never changes. */
static const struct exception {
  const char *table, *owner;
  bool changes, loses;
} exceptions[] = {{"meta", "1", true, false},
                  {"material", "id", true, false},
                  {"campaign", "id", true, false},
                  {"run", "id", true, false},
                  {"law_number", "law_id", false, true},
                  {"sample_chunk", "run_id", false, false},
                  {"sample_tail", "run_id", false, true}};

static void say_owner(cbs_table *t) {
  (void)snprintf(t->owner, sizeof t->owner, "%s", t->column[0].name);
  for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++) {
    const struct exception *e = &exceptions[i];
    if (strcmp(e->table, t->name) != 0) continue;
    (void)snprintf(t->owner, sizeof t->owner, "%s", e->owner);
    t->changes = e->changes;
    t->loses = e->loses;
  }
}

/* The last table is the one of the row. */
static cb_status open_table(cb_store *s, sqlite3_stmt *q, size_t room, cb_err *err) {
  char name[sizeof s->tables->name];
  cbs_text(q, 0, name, sizeof name);
  if (s->n_tables > 0 && strcmp(s->tables[s->n_tables - 1].name, name) == 0) return CB_OK;
  if (s->n_tables == (int)room) return cb_fail(err, CB_E_DB, "%s: has more tables than it says", s->path);
  memcpy(s->tables[s->n_tables++].name, name, sizeof name);
  return CB_OK;
}

/* A row: table, column, declared type. */
static cb_status add_column(cb_store *s, sqlite3_stmt *q, size_t room, cb_err *err) {
  char type[16];
  CB_TRY(open_table(s, q, room, err));
  cbs_table *t = &s->tables[s->n_tables - 1];
  if (t->n == CBS_MAX_COLUMNS)
    return cb_fail(err, CB_E_DB, "%s: table %s has too many columns", s->path, t->name);
  cbs_text(q, 1, t->column[t->n].name, sizeof t->column->name);
  cbs_text(q, 2, type, sizeof type);
  t->column[t->n].real = strcmp(type, "REAL") == 0;
  t->column[t->n].rule = cb_column_find(t->name, t->column[t->n].name);
  if (!t->column[t->n].rule)
    return cb_fail(err, CB_E_DB, "%s: nobody knows what %s.%s may hold", s->path, t->name,
                   t->column[t->n].name);
  t->n++;
  return CB_OK;
}

#define SEALED "m.type = 'table' AND m.name <> 'seal' AND m.name NOT LIKE 'sqlite%'"

static cb_status count_tables(cb_store *s, size_t *n, cb_err *err) {
  bool found;
  *n = 0;
  return cbs_one(s, cbs_read_count, n, &found, err, "SELECT count(*) FROM sqlite_master m WHERE " SEALED, "");
}

static cb_status describe_tables(cb_store *s, cb_err *err) {
  sqlite3_stmt *q;
  bool more;
  cb_status st;
  size_t room;
  CB_TRY(count_tables(s, &room, err));
  s->tables = calloc(room ? room : 1, sizeof *s->tables);
  if (!s->tables) return cb_no_memory(err, "%s", s->path);
  CB_TRY(cbs_prepare(
      s, &q, err,
      "SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE " SEALED
      " ORDER BY m.name, c.cid",
      ""));
  while ((st = cbs_step(s, &q, &more, err)) == CB_OK && more) {
    st = add_column(s, q, room, err);
    if (st == CB_OK) continue;
    sqlite3_finalize(q);
    break;
  }
  for (int i = 0; i < s->n_tables; i++) say_owner(&s->tables[i]);
  return st;
}

cb_status cbs_seal_open(cb_store *s, cb_err *err) {
  CB_TRY(describe_tables(s, err));
  return add_functions(s, err);
}

void cbs_seal_close(cb_store *s) {
  free(s->tables);
  s->tables = NULL;
  s->n_tables = 0;
}

/* ---- statements ---- */

/* A text of SQL made for one table. at is one of s->tables. */
typedef struct sql_text {
  char s[8192];
  size_t n;
} sql_text;

CB_PRINTF(2, 3) static void add(sql_text *x, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(x->s + x->n, sizeof x->s - x->n, format, ap);
  va_end(ap);
  if (n > 0) x->n += (size_t)n < sizeof x->s - x->n ? (size_t)n : sizeof x->s - x->n - 1;
}

/* cb_row(index, prefix."column" ...) */
static void add_row(sql_text *x, const cb_store *s, int at, const char *prefix) {
  add(x, "cb_row(%d", at);
  for (int i = 0; i < s->tables[at].n; i++) add(x, ", %s\"%s\"", prefix, s->tables[at].column[i].name);
  add(x, ")");
}

static void add_owner(sql_text *x, const cbs_table *t, const char *prefix) {
  add(x, "%s%s", strcmp(t->owner, "1") == 0 ? "" : prefix, t->owner);
}

/* ---- what is written from now on ---- */

/* One seal gets a row more. owner 0: the table's. */
static void add_more(sql_text *x, const cb_store *s, int at, bool whole) {
  add(x, " INSERT INTO seal(tab, owner, n, hash) VALUES('%s', ", s->tables[at].name);
  whole ? add(x, "0") : add_owner(x, &s->tables[at], "NEW.");
  add(x, ", 1, ");
  add_row(x, s, at, "NEW.");
  add(x, ") ON CONFLICT(tab, owner) DO UPDATE SET n = n + 1, hash = cb_add(hash, excluded.hash);");
}

static void add_less(sql_text *x, const cb_store *s, int at, bool whole) {
  add(x, " UPDATE seal SET n = n - 1, hash = cb_subtract(hash, ");
  add_row(x, s, at, "OLD.");
  add(x, ") WHERE tab = '%s' AND owner = ", s->tables[at].name);
  whole ? add(x, "0") : add_owner(x, &s->tables[at], "OLD.");
  add(x, ";");
}

static cb_status add_trigger(cb_store *s, int at, const char *event, bool less, bool more, cb_err *err) {
  sql_text x = {.n = 0};
  const char *name = s->tables[at].name;
  add(&x, "CREATE TEMP TRIGGER seal_%s_%s AFTER %s ON main.\"%s\" BEGIN", name, event, event, name);
  for (int whole = 0; whole < 2; whole++) {
    if (less) add_less(&x, s, at, whole);
    if (more) add_more(&x, s, at, whole);
  }
  /* Only these can be empty now, and a table may have a seal for each of many rows. */
  if (less) add(&x, " DELETE FROM seal WHERE tab = '%s' AND n = 0 AND owner IN (0, ", name);
  if (less) add_owner(&x, &s->tables[at], "OLD.");
  if (less) add(&x, ");");
  add(&x, " END");
  return cbs_exec(s, x.s, err);
}

cb_status cbs_seal_watch(cb_store *s, cb_err *err) {
  CB_TRY(cbs_exec(s, "PRAGMA temp_store = MEMORY", err));
  for (int i = 0; i < s->n_tables; i++) {
    CB_TRY(add_trigger(s, i, "INSERT", false, true, err));
    if (s->tables[i].changes) CB_TRY(add_trigger(s, i, "UPDATE", true, true, err));
    if (s->tables[i].loses) CB_TRY(add_trigger(s, i, "DELETE", true, false, err));
  }
  s->checks_rows = true;
  return CB_OK;
}

/* ---- what was written before there were seals ---- */

static cb_status seal_table(cb_store *s, int at, bool whole, cb_err *err) {
  sql_text x = {.n = 0};
  const cbs_table *t = &s->tables[at];
  add(&x, "INSERT INTO seal(tab, owner, n, hash) SELECT '%s', %s, count(*), cb_sum(", t->name,
      whole ? "0" : t->owner);
  add_row(&x, s, at, "");
  add(&x, ") FROM \"%s\"", t->name);
  if (!whole) add(&x, " GROUP BY %s", strcmp(t->owner, "1") == 0 ? "'all'" : t->owner);
  add(&x, " HAVING count(*) > 0");
  return cbs_exec(s, x.s, err);
}

cb_status cbs_seal_all(cb_store *s, cb_err *err) {
  s->checks_rows = false;
  CB_TRY(cbs_exec(s, "DELETE FROM seal", err));
  for (int i = 0; i < s->n_tables; i++)
    for (int whole = 0; whole < 2; whole++) CB_TRY(seal_table(s, i, whole, err));
  return CB_OK;
}

/* ---- is all as it was sealed? ---- */

typedef struct group { /* rows of one owner: as they are, or as their seal says */
  bool there;
  int64_t owner, n;
  uint64_t hash;
} group;

/* q: owner, n, hash; NULL after its last row. */
static cb_status next_group(cb_store *s, sqlite3_stmt **q, group *g, cb_err *err) {
  g->there = false;
  if (!*q) return CB_OK;
  CB_TRY(cbs_step(s, q, &g->there, err));
  if (g->there)
    *g = (group){true, sqlite3_column_int64(*q, 0), sqlite3_column_int64(*q, 1),
                 (uint64_t)sqlite3_column_int64(*q, 2)};
  return CB_OK;
}

static cb_status fail_group(const cb_store *s, const cbs_table *t, int64_t owner, const char *what,
                            cb_err *err) {
  char row[96];
  name_row(t, owner, row);
  return cb_fail(err, CB_E_DB, "%s: %s: %s", s->path, row, what);
}

static cb_status compare_group(const cb_store *s, const cbs_table *t, const group *rows, const group *seal,
                               group *sum, cb_err *err) {
  if (!seal->there || (rows->there && rows->owner < seal->owner))
    return fail_group(s, t, rows->owner, "was added by something else than clothbench: it has no seal", err);
  if (!rows->there || seal->owner < rows->owner)
    return fail_group(s, t, seal->owner, "is missing: its seal is still there", err);
  if (rows->n != seal->n || rows->hash != seal->hash)
    return fail_group(
        s, t, rows->owner,
        "was changed by something else than clothbench, or is damaged: it does not fit its seal", err);
  sum->n += rows->n;
  sum->hash += rows->hash;
  return CB_OK;
}

static cb_status compare_groups(cb_store *s, const cbs_table *t, sqlite3_stmt **rows, sqlite3_stmt **seals,
                                cb_err *err) {
  group row, seal, whole, sum = {.n = 0};
  CB_TRY(next_group(s, rows, &row, err));
  CB_TRY(next_group(s, seals, &whole, err));
  bool has_whole = whole.there && whole.owner == 0;
  seal = whole;
  if (has_whole) CB_TRY(next_group(s, seals, &seal, err));
  while (row.there || seal.there) {
    CB_TRY(compare_group(s, t, &row, &seal, &sum, err));
    CB_TRY(next_group(s, rows, &row, err));
    CB_TRY(next_group(s, seals, &seal, err));
  }
  if (has_whole ? whole.n == sum.n && whole.hash == sum.hash : sum.n == 0) return CB_OK;
  return cb_fail(err, CB_E_DB,
                 "%s: table %s: rows were taken away or added together with their seals: it does not fit the "
                 "seal of the table",
                 s->path, t->name);
}

static cb_status check_table(cb_store *s, int at, cb_err *err) {
  sql_text x = {.n = 0};
  const cbs_table *t = &s->tables[at];
  sqlite3_stmt *rows = NULL, *seals = NULL;
  cb_status st;
  add(&x, "SELECT %s AS o, count(*), cb_sum(", t->owner);
  add_row(&x, s, at, "");
  add(&x, ") FROM \"%s\" GROUP BY %s HAVING count(*) > 0 ORDER BY o", t->name,
      strcmp(t->owner, "1") == 0 ? "'all'" : t->owner);
  CB_GOTO(cbs_prepare(s, &rows, err, x.s, ""));
  CB_GOTO(cbs_prepare(s, &seals, err, "SELECT owner, n, hash FROM seal WHERE tab = ? ORDER BY owner", "t",
                      t->name));
  st = compare_groups(s, t, &rows, &seals, err);
done:
  sqlite3_finalize(rows);
  sqlite3_finalize(seals);
  return st;
}

cb_status cbs_seal_check(cb_store *s, cb_err *err) {
  s->checks_rows = false;
  for (int i = 0; i < s->n_tables; i++) CB_TRY(check_table(s, i, err));
  return cbs_expect_none(
      s, "SELECT tab FROM seal WHERE tab NOT IN (SELECT name FROM sqlite_master WHERE type = 'table')",
      "a seal of a table that is not there", err);
}

/* ---- can all of it be? ---- */

static cb_status check_columns(cb_store *s, int at, cb_err *err) {
  sql_text x = {.n = 0};
  const cbs_table *t = &s->tables[at];
  sqlite3_stmt *q;
  bool more;
  cb_status st;
  add(&x, "SELECT ");
  add_row(&x, s, at, "");
  add(&x, " FROM \"%s\"", t->name);
  CB_TRY(cbs_prepare(s, &q, err, x.s, ""));
  while ((st = cbs_step(s, &q, &more, err)) == CB_OK && more) continue;
  for (int i = 0; i < t->n && st == CB_OK; i++) {
    if (t->column[i].rule->kind != CB_COLUMN_JSON) continue;
    x.n = 0;
    add(&x, "SELECT '%s of %s ' || %s FROM \"%s\" WHERE \"%s\" <> '' AND NOT json_valid(\"%s\")",
        t->column[i].name, t->name, t->owner, t->name, t->column[i].name, t->column[i].name);
    st = cbs_expect_none(s, x.s, "is no JSON", err);
  }
  return st;
}

cb_status cbs_columns_check(cb_store *s, cb_err *err) {
  cb_status st = CB_OK;
  bool before = s->checks_rows;
  s->checks_rows = true;
  for (int i = 0; i < s->n_tables && st == CB_OK; i++) st = check_columns(s, i, err);
  s->checks_rows = before;
  return st;
}
