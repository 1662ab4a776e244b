/* clothbench db query: what people ask of a database, in words or in SQL. */
#include <stdio.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_text.h"
#include "cli.h"
#include "cli_db.h"
#include "lab_query.h"

static bool is_sql(const char *text) {
  text += strspn(text, " \t\n");
  return strncasecmp(text, "select", 6) == 0 || strncasecmp(text, "with ", 5) == 0;
}

/* ---- the answer as a table ---- */

static void write_cell(const json_t *v, char out[200]) {
  char shown[200];
  if (json_is_string(v))
    (void)snprintf(out, 200, "%s", cb_text_show(json_string_value(v), shown, sizeof shown));
  else if (json_is_integer(v))
    (void)snprintf(out, 200, "%lld", (long long)json_integer_value(v));
  else if (json_is_real(v))
    (void)snprintf(out, 200, "%.6g", json_real_value(v));
  else
    (void)snprintf(out, 200, "-");
}

static size_t width_of(const json_t *doc, size_t column) {
  char cell[200];
  size_t i, most = strlen(json_string_value(json_array_get(json_object_get(doc, "columns"), column)));
  const json_t *row;
  json_array_foreach(json_object_get(doc, "rows"), i, row) {
    write_cell(json_array_get(row, column), cell);
    if (strlen(cell) > most) most = strlen(cell);
  }
  return most;
}

static void print_row(const json_t *row, const size_t *width, size_t n) {
  char cell[200];
  for (size_t k = 0; k < n; k++) {
    const json_t *v = json_array_get(row, k);
    write_cell(v, cell);
    printf(json_is_number(v) ? "%*s%s" : "%-*s%s", (int)width[k], cell, k + 1 < n ? "  " : "\n");
  }
}

#define MOST_COLUMNS 64

void cli_db_print_table(const json_t *doc) {
  const json_t *columns = json_object_get(doc, "columns"), *rows = json_object_get(doc, "rows"), *row;
  const size_t all = json_array_size(columns), n = all < MOST_COLUMNS ? all : MOST_COLUMNS;
  size_t width[MOST_COLUMNS], i;
  for (size_t k = 0; k < n; k++) width[k] = width_of(doc, k);
  print_row(columns, width, n);
  json_array_foreach(rows, i, row) print_row(row, width, n);
  printf("%zu row%s\n", json_array_size(rows), CB_S(json_array_size(rows)));
}

/* ---- the question ---- */

static cb_status answer(cb_store *s, const char *text, bool json, cb_err *err) {
  static lab_query q;
  json_t *doc;
  if (is_sql(text)) {
    CB_TRY(cb_store_query(s, text, NULL, 0, &doc, err));
  } else {
    CB_TRY(lab_query_parse(text, &q, err));
    CB_TRY(lab_query_ask(s, &q, &doc, err));
  }
  if (!json) cli_db_print_table(doc);
  if (json)
    return cli_print_json("db", doc) == CLI_DONE ? CB_OK
                                                 : cb_fail(err, CB_E_IO, "the answer could not be written");
  json_decref(doc);
  return CB_OK;
}

static int print_sql(const char *text) {
  static lab_query q;
  cb_err err = {""};
  const cb_status st = lab_query_parse(text, &q, &err);
  if (st != CB_OK) return cli_fail("db", st, &err);
  printf("%s\n", q.sql);
  for (size_t i = 0; i < q.n_values; i++)
    if (q.values[i].text)
      printf("  ?%zu = '%s'\n", i + 1, q.values[i].text);
    else
      printf("  ?%zu = %g\n", i + 1, q.values[i].number);
  return CLI_DONE;
}

int cli_db_query(const void *request) {
  const cli_db_request *q = request;
  const char *text = q->words[0];
  cb_err err = {""};
  cb_store *s = NULL;
  if (q->sql && !is_sql(text)) return print_sql(text);
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = answer(s, text, q->json, &err);
  return cli_db_finish(s, st, &err);
}
