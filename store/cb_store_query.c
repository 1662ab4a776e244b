#include "cb_store_query.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cb_json.h"
#include "cb_store_impl.h"
#include "cb_time.h"

static json_t *cell_json(sqlite3_stmt *q, int column) {
  char size[40];
  switch (sqlite3_column_type(q, column)) {
    case SQLITE_INTEGER: return json_integer(sqlite3_column_int64(q, column));
    case SQLITE_FLOAT: return cb_json_real(sqlite3_column_double(q, column));
    case SQLITE_TEXT: return json_string((const char *)sqlite3_column_text(q, column));
    case SQLITE_BLOB:
      (void)snprintf(size, sizeof size, "%d bytes", sqlite3_column_bytes(q, column));
      return json_string(size);
    default: return json_null();
  }
}

static json_t *columns_json(sqlite3_stmt *q) {
  json_t *names = json_array();
  for (int i = 0; i < sqlite3_column_count(q); i++)
    (void)json_array_append_new(names, json_string(sqlite3_column_name(q, i)));
  return names;
}

static json_t *row_json(sqlite3_stmt *q) {
  json_t *row = json_array();
  for (int i = 0; i < sqlite3_column_count(q); i++) (void)json_array_append_new(row, cell_json(q, i));
  return row;
}

/* ATTACH and some PRAGMAs only read, too: only questions are let through. */
static bool begins_as_question(const char *sql) {
  while (isspace((unsigned char)*sql)) sql++;
  return strncasecmp(sql, "select", 6) == 0 || strncasecmp(sql, "with", 4) == 0;
}

static bool is_blank(const char *tail) {
  while (isspace((unsigned char)*tail) || *tail == ';') tail++;
  return *tail == '\0';
}

static cb_status prepare_question(cb_store *s, const char *sql, sqlite3_stmt **q, cb_err *err) {
  const char *tail = "";
  *q = NULL;
  if (!begins_as_question(sql))
    return cb_fail(err, CB_E_ARG, "a text that begins with SELECT or WITH was wanted");
  if (sqlite3_prepare_v2(s->db, sql, -1, q, &tail) != SQLITE_OK)
    return cb_fail(err, CB_E_DB, "%s: %s", s->path, sqlite3_errmsg(s->db));
  if (*q && sqlite3_stmt_readonly(*q) && is_blank(tail)) return CB_OK;
  sqlite3_finalize(*q);
  *q = NULL;
  return cb_fail(err, CB_E_ARG, "one statement that only reads was wanted");
}

static cb_status fail_question(cb_store *s, int code, double began_s, const char *sql, cb_err *err) {
  if ((code & 0xff) != SQLITE_INTERRUPT) return cbs_fail(s, sql, err);
  return cb_fail(
      err, CB_E_TIMEOUT,
      "%s: the question was stopped after %.1f s, as it takes more steps than any here may: a narrower "
      "one was wanted (WHERE, LIMIT, JOIN ... ON), or another SQLite program on a copy ('clothbench "
      "db backup')",
      s->path, cb_now_monotonic_s() - began_s);
}

static cb_status read_rows(cb_store *s, sqlite3_stmt *q, const char *sql, json_t *rows, cb_err *err) {
  const double began_s = cb_now_monotonic_s();
  int code;
  while ((code = sqlite3_step(q)) == SQLITE_ROW)
    if (json_array_append_new(rows, row_json(q)) != 0) return cb_no_memory(err, "%s, the answer", s->path);
  return code == SQLITE_DONE ? cbs_check_unchanged(s, err) : fail_question(s, code, began_s, sql, err);
}

cb_status cb_store_query(cb_store *s, const char *sql, const cb_query_value *values, size_t n, json_t **out,
                         cb_err *err) {
  sqlite3_stmt *q;
  *out = NULL;
  CB_TRY(prepare_question(s, sql, &q, err));
  for (size_t i = 0; i < n; i++)
    if (values[i].text)
      sqlite3_bind_text(q, (int)i + 1, values[i].text, -1, SQLITE_TRANSIENT);
    else
      sqlite3_bind_double(q, (int)i + 1, values[i].number);
  json_t *rows = json_array();
  cb_status st = rows ? read_rows(s, q, sql, rows, err) : cb_no_memory(err, "%s, the answer", s->path);
  if (st == CB_OK) *out = json_pack("{s:o, s:O}", "columns", columns_json(q), "rows", rows);
  json_decref(rows);
  sqlite3_finalize(q);
  if (st == CB_OK && !*out) return cb_no_memory(err, "%s, the answer", s->path);
  return st;
}
