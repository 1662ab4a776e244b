/* Questions about the rows of a sweep. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "cb_text.h"
#include "cb_csv.h"
#include "cb_num.h"
#include "cb_out.h"
#include "cb_sweep_impl.h"

typedef cb_status row_use(const cb_sweep_file *f, sqlite3_stmt *row, void *context);

/* Calls `use` with every row in the order of the cases. */
static cb_status each_row(cb_sweep_file *f, const char *sql, row_use *use, void *context, cb_err *err) {
  sqlite3_stmt *q;
  bool row;
  CB_TRY(cbs_prepare(&f->s, &q, err, sql, ""));
  for (;;) {
    CB_TRY(cbs_step(&f->s, &q, &row, err));
    if (!row) return CB_OK;
    const cb_status st = use(f, q, context);
    if (st == CB_OK) continue;
    sqlite3_finalize(q);
    return cb_fail(err, st, "%s: a row that cannot be", f->s.path);
  }
}

static int case_of(const cb_sweep_file *f, sqlite3_stmt *row) {
  const int at = sqlite3_column_int(row, 0);
  return at >= 0 && at < f->head.n_cases ? at : -1;
}

/* ---- states ---- */

static cb_status mark_state(const cb_sweep_file *f, sqlite3_stmt *row, void *context) {
  char *state = context;
  const int at = case_of(f, row);
  if (at < 0) return CB_E_DB;
  if (state[at] != 'd') state[at] = sqlite3_column_int(row, 1) ? 'd' : 'f';
  return CB_OK;
}

cb_status cb_sweep_states(cb_sweep_file *f, char *state, cb_err *err) {
  return each_row(f, "SELECT case_no, state = 'done' FROM sweep ORDER BY case_no", mark_state, state, err);
}

/* ---- sums and failures ---- */

static void read_failure(sqlite3_stmt *row, void *item) {
  cb_sweep_failure *f = item;
  cbs_text(row, 0, f->sentence, sizeof f->sentence);
  f->n = sqlite3_column_int(row, 1);
  f->first = sqlite3_column_int(row, 2);
}

cb_status cb_sweep_failures(cb_sweep_file *f, cb_sweep_failure **list, size_t *n, cb_err *err) {
  return cbs_list(
      &f->s, read_failure, sizeof **list, (void **)list, n, err,
      "SELECT sentence, count(*), min(case_no) FROM sweep WHERE state = 'failed' GROUP BY sentence "
      "ORDER BY 2 DESC, 3",
      "");
}

static void read_sums(sqlite3_stmt *row, void *item) {
  cb_sweep_sums *s = item;
  s->done = sqlite3_column_int(row, 0);
  s->failed = sqlite3_column_int(row, 1);
  s->seconds = sqlite3_column_double(row, 2);
}

cb_status cb_sweep_sum(cb_sweep_file *f, cb_sweep_sums *out, cb_err *err) {
  bool found;
  return cbs_one(&f->s, read_sums, out, &found, err,
                 "SELECT total(state = 'done'), total(state = 'failed'), total(seconds) FROM sweep", "");
}

/* ---- a column ---- */

static cb_status take_number(const cb_sweep_file *f, sqlite3_stmt *row, void *context) {
  double *values = context;
  const int at = case_of(f, row), type = sqlite3_column_type(row, 1);
  if (at < 0) return CB_E_DB;
  if (type == SQLITE_FLOAT || type == SQLITE_INTEGER) values[at] = sqlite3_column_double(row, 1);
  return CB_OK;
}

cb_status cb_sweep_column(cb_sweep_file *f, const char *name, double *values, cb_err *err) {
  const size_t n = f->head.n_variables + f->head.n_figures;
  char sql[200], known[300] = "";
  size_t at = n;
  for (size_t i = 0; i < n; i++) {
    if (strcmp(f->head.column[i], name) == 0) at = i;
    cb_text_add(known, sizeof known, ", ", "%s", f->head.column[i]);
  }
  if (at == n) return cb_fail(err, CB_E_NOTFOUND, "no column '%s': there are %s", name, known);
  for (int i = 0; i < f->head.n_cases; i++) values[i] = NAN;
  (void)snprintf(sql, sizeof sql, "SELECT case_no, \"%s\" FROM sweep WHERE state = 'done' ORDER BY case_no",
                 f->head.column[at]);
  return each_row(f, sql, take_number, values, err);
}

/* ---- a hash ---- */

static void hash_cell(XXH3_state_t *h, sqlite3_stmt *row, int column) {
  const int type = sqlite3_column_type(row, column);
  (void)XXH3_128bits_update(h, &type, sizeof type);
  if (type == SQLITE_TEXT) {
    const unsigned char *text = sqlite3_column_text(row, column);
    (void)XXH3_128bits_update(h, text, (size_t)sqlite3_column_bytes(row, column) + 1);
  } else if (type != SQLITE_NULL) {
    const double x = sqlite3_column_double(row, column);
    (void)XXH3_128bits_update(h, &x, sizeof x);
  }
}

static cb_status hash_row(const cb_sweep_file *f, sqlite3_stmt *row, void *context) {
  for (int i = 0; i < (int)cbw_columns(f); i++)
    if (i != CBW_SECONDS && i != CBW_HOST) hash_cell(context, row, i);
  return CB_OK;
}

cb_status cb_sweep_hash(cb_sweep_file *f, char out[33], cb_err *err) {
  XXH3_state_t *h = XXH3_createState();
  XXH128_canonical_t text;
  if (!h) return cb_no_memory(err, "%s", f->s.path);
  (void)XXH3_128bits_reset(h);
  const cb_status st = each_row(f, "SELECT * FROM sweep ORDER BY case_no", hash_row, h, err);
  XXH128_canonicalFromHash(&text, XXH3_128bits_digest(h));
  for (int i = 0; i < 16; i++) (void)snprintf(out + 2 * (size_t)i, 3, "%02x", text.digest[i]);
  XXH3_freeState(h);
  return st;
}

/* ---- a table ---- */

static cb_status put_row(const cb_sweep_file *f, sqlite3_stmt *row, void *context) {
  FILE *to = context;
  char number[32];
  for (int i = 0; i < (int)cbw_columns(f); i++) {
    const int type = sqlite3_column_type(row, i);
    if (i > 0) fputc(',', to);
    if (type == SQLITE_TEXT)
      cb_csv_put_text(to, (const char *)sqlite3_column_text(row, i));
    else if (type != SQLITE_NULL && isfinite(sqlite3_column_double(row, i)))
      fputs(cb_shortest(sqlite3_column_double(row, i), number), to);
  }
  fputc('\n', to);
  return CB_OK;
}

static cb_status put_table(cb_sweep_file *f, FILE *to, cb_err *err) {
  fputs("case_no,state,exit_code,sentence,seconds,host", to);
  for (size_t i = 0; i < f->head.n_variables + f->head.n_figures; i++) fprintf(to, ",%s", f->head.column[i]);
  fputc('\n', to);
  return each_row(f, "SELECT * FROM sweep ORDER BY case_no", put_row, to, err);
}

cb_status cb_sweep_csv(cb_sweep_file *f, const char *path, cb_err *err) {
  cb_out o;
  CB_TRY(cb_out_begin(&o, path, err));
  const int fd = dup(o.fd);
  FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (!to && fd >= 0) (void)close(fd);
  cb_status st = to ? put_table(f, to, err) : cb_fail(err, CB_E_IO, "%s: cannot be written", path);
  if (to && fclose(to) != 0 && st == CB_OK) st = cb_fail(err, CB_E_IO, "%s: cannot be written", path);
  return cb_out_end(&o, st, err);
}
