/* The rows of one file of a sweep into another. */
#include <string.h>

#include "cb_sweep_impl.h"

static bool is_done(sqlite3_stmt *row) {
  const unsigned char *state = sqlite3_column_text(row, CBW_STATE);
  return state && strcmp((const char *)state, "done") == 0;
}

static bool same_cell(sqlite3_stmt *a, sqlite3_stmt *b, int column) {
  const int type = sqlite3_column_type(a, column);
  if (type != sqlite3_column_type(b, column)) return false;
  const int n = sqlite3_column_bytes(a, column);
  if (type == SQLITE_TEXT || type == SQLITE_BLOB)
    return n == sqlite3_column_bytes(b, column) && /* SQLite has no address for no bytes */
           (n == 0 || memcmp(sqlite3_column_blob(a, column), sqlite3_column_blob(b, column), (size_t)n) == 0);
  return type == SQLITE_NULL || sqlite3_column_double(a, column) == sqlite3_column_double(b, column);
}

/* Seconds and host are no results, and a failure is not compared: it may have been the machine's. */
static bool same_result(const cb_sweep_file *f, sqlite3_stmt *a, sqlite3_stmt *b) {
  if (!is_done(a) || !is_done(b)) return true;
  for (int i = 0; i < (int)cbw_columns(f); i++)
    if (i != CBW_SECONDS && i != CBW_HOST && !same_cell(a, b, i)) return false;
  return true;
}

static int step_again(sqlite3_stmt *q) {
  const int rc = sqlite3_step(q), reset = sqlite3_reset(q);
  return rc == SQLITE_DONE ? reset : rc;
}

typedef struct merging {
  cb_sweep_file *to;
  sqlite3_stmt *from, *add, *mine; /* rows of the other file; into this one; a row of this one */
  cb_sweep_counts *counts;
} merging;

static cb_status compare_row(merging *m, cb_err *err) {
  const int case_no = sqlite3_column_int(m->from, CBW_CASE);
  (void)sqlite3_bind_int(m->mine, 1, case_no);
  if (sqlite3_step(m->mine) != SQLITE_ROW) return cbs_fail(&m->to->s, "compare", err);
  if (same_result(m->to, m->from, m->mine))
    m->counts->known++;
  else if (m->counts->differ++ == 0)
    m->counts->first = case_no;
  (void)sqlite3_reset(m->mine);
  return CB_OK;
}

static cb_status take_row(merging *m, cb_err *err) {
  for (int i = 0; i < (int)cbw_columns(m->to); i++)
    if (sqlite3_bind_value(m->add, i + 1, sqlite3_column_value(m->from, i)) != SQLITE_OK)
      return cbs_fail(&m->to->s, "a row", err);
  if (step_again(m->add) != SQLITE_OK) return cbs_fail(&m->to->s, "a row", err);
  if (sqlite3_changes(m->to->s.db) == 0) return compare_row(m, err);
  m->counts->taken++;
  return CB_OK;
}

static cb_status take_rows(merging *m, cb_sweep_file *other, cb_err *err) {
  bool row;
  CB_TRY(cbs_prepare(&other->s, &m->from, err, "SELECT * FROM sweep ORDER BY case_no", ""));
  CB_TRY(cbw_prepare_add(m->to, &m->add, err));
  CB_TRY(cbs_prepare(&m->to->s, &m->mine, err, "SELECT * FROM sweep WHERE case_no = ?", ""));
  for (;;) {
    CB_TRY(cbs_step(&other->s, &m->from, &row, err));
    if (!row) return CB_OK;
    CB_TRY(take_row(m, err));
  }
}

static cb_status merge(cb_sweep_file *f, cb_sweep_file *other, cb_sweep_counts *out, cb_err *err) {
  merging m = {f, NULL, NULL, NULL, out};
  CB_TRY(cbs_exec(&f->s, "BEGIN IMMEDIATE", err));
  cb_status st = take_rows(&m, other, err);
  sqlite3_finalize(m.from);
  sqlite3_finalize(m.add);
  sqlite3_finalize(m.mine);
  if (st == CB_OK) st = cbs_exec(&f->s, "COMMIT", err);
  if (st != CB_OK) (void)sqlite3_exec(f->s.db, "ROLLBACK", NULL, NULL, NULL);
  return st;
}

cb_status cb_sweep_merge(cb_sweep_file *f, const char *other_path, cb_sweep_counts *out, cb_err *err) {
  cb_sweep_file *other;
  *out = (cb_sweep_counts){.first = -1};
  CB_TRY(cb_sweep_read(other_path, &f->head, &other, err));
  cb_status st = merge(f, other, out, err);
  cb_sweep_close(other);
  return st;
}
