#include "cb_sweep_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_draft.h"
#include "cb_num.h"
#include "cb_sweep_impl.h"
#include "cb_version.h"

#define SWEEP_APPLICATION_ID 0x636c7377 /* "clsw" */
#define WAIT_MS 60000                   /* for another program that looks into the file */

/* ---- the schema, which follows from the plan's columns ---- */

static const char head_table[] =
    "CREATE TABLE sweep_head(plan TEXT NOT NULL, program TEXT NOT NULL, n_cases INTEGER NOT NULL)";

static char *sweep_table(const cb_sweep_head *h) {
  char *out;
  cb_draft d;
  if (cb_draft_begin(&d, NULL) != CB_OK) return NULL;
  fputs(
      "CREATE TABLE sweep(case_no INTEGER PRIMARY KEY, state TEXT NOT NULL, exit_code INTEGER NOT NULL, "
      "sentence TEXT NOT NULL, seconds REAL NOT NULL, host TEXT NOT NULL",
      d.to);
  for (size_t i = 0; i < h->n_variables + h->n_figures; i++) fprintf(d.to, ", \"%s\"", h->column[i]);
  fputc(')', d.to);
  return cb_draft_end(&d, CB_OK, &out, NULL) == CB_OK ? out : NULL;
}

static cb_status make_tables(cb_sweep_file *f, cb_err *err) {
  char sql[64];
  char *table = sweep_table(&f->head);
  if (!table) return cb_no_memory(err, "%s", f->s.path);
  (void)snprintf(sql, sizeof sql, "PRAGMA application_id = %d", SWEEP_APPLICATION_ID);
  cb_status st = cbs_exec(&f->s, sql, err);
  if (st == CB_OK) st = cbs_exec(&f->s, head_table, err);
  if (st == CB_OK) st = cbs_exec(&f->s, table, err);
  if (st == CB_OK)
    st = cbs_run(&f->s, NULL, err, "INSERT INTO sweep_head VALUES(?, ?, ?)", "tti", f->head.plan,
                 cb_version(), (int64_t)f->head.n_cases);
  free(table);
  return st;
}

/* ---- is it ours? ---- */

static void read_int(sqlite3_stmt *row, void *item) { *(int *)item = sqlite3_column_int(row, 0); }

static cb_status ask_int(cb_sweep_file *f, int *out, cb_err *err, const char *sql, const char *text) {
  bool found;
  *out = 0;
  return cbs_one(&f->s, read_int, out, &found, err, sql, text ? "t" : "", text);
}

static cb_status check_tables(cb_sweep_file *f, cb_err *err) {
  int ours, all, same;
  char *table = sweep_table(&f->head);
  if (!table) return cb_no_memory(err, "%s", f->s.path);
  cb_status st = ask_int(f, &ours, err, "SELECT count(*) FROM sqlite_master WHERE sql = ?", table);
  free(table);
  CB_TRY(st);
  CB_TRY(ask_int(f, &all, err, "SELECT count(*) FROM sqlite_master", NULL));
  CB_TRY(ask_int(f, &same, err, "SELECT count(*) FROM sqlite_master WHERE sql = ?", head_table));
  if (ours == 1 && same == 1 && all == 2) {
    CB_TRY(ask_int(f, &same, err, "SELECT count(*) FROM sweep_head WHERE plan = ?", f->head.plan));
    CB_TRY(ask_int(f, &all, err, "SELECT count(*) FROM sweep_head", NULL));
    if (same == 1 && all == 1) return CB_OK;
  }
  return cb_fail(err, CB_E_DB, "%s: holds the cases of another plan: another folder was wanted", f->s.path);
}

static cb_status check_identity(cb_sweep_file *f, bool *fresh, cb_err *err) {
  int application, tables;
  CB_TRY(ask_int(f, &application, err, "PRAGMA application_id", NULL));
  CB_TRY(ask_int(f, &tables, err, "SELECT count(*) FROM sqlite_master", NULL));
  *fresh = application == 0 && tables == 0;
  if (*fresh || application == SWEEP_APPLICATION_ID) return CB_OK;
  return cb_fail(err, CB_E_DB, "%s: is no file of a sweep", f->s.path);
}

static void read_verdict(sqlite3_stmt *row, void *item) { cbs_text(row, 0, item, 200); }

static cb_status check_pages(cb_sweep_file *f, cb_err *err) {
  char verdict[200] = "";
  bool found;
  CB_TRY(cbs_one(&f->s, read_verdict, verdict, &found, err, "PRAGMA quick_check(1)", ""));
  if (strcmp(verdict, "ok") == 0) return CB_OK;
  return cb_fail(err, CB_E_DB, "%s: is damaged: %s", f->s.path, verdict);
}

/* ---- one writer ---- */

/* The lock goes with the process, however it ends, also on a network file system. */
static cb_status take_lock(cb_sweep_file *f, cb_err *err) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  char path[4200];
  (void)snprintf(path, sizeof path, "%s.lock", f->s.path);
  f->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (f->lock < 0) return cb_fail(err, CB_E_IO, "%s: %s", path, strerror(errno));
  if (fcntl(f->lock, F_SETLK, &whole) == 0) return CB_OK;
  return cb_fail(err, CB_E_TIMEOUT, "%s: another process plays these cases now", f->s.path);
}

static void drop_lock(cb_sweep_file *f) {
  char path[4200];
  if (f->lock < 0) return;
  (void)snprintf(path, sizeof path, "%s.lock", f->s.path);
  (void)unlink(path);
  (void)close(f->lock);
}

/* ---- open and close ---- */

static cb_status open_handle(cb_sweep_file *f, bool writes, cb_err *err) {
  sqlite3 **db = &f->s.db;
  const int flags = SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(f->s.path, db, flags, NULL) != SQLITE_OK) return cbs_fail(&f->s, "open", err);
  sqlite3_extended_result_codes(*db, 1);
  sqlite3_busy_timeout(*db, WAIT_MS);
  const bool hard = sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL) == SQLITE_OK &&
                    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL) == SQLITE_OK &&
                    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL) == SQLITE_OK &&
                    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL) == SQLITE_OK;
  if (!hard) return cbs_fail(&f->s, "harden", err);
  CB_TRY(cbs_exec(&f->s, "PRAGMA cell_size_check = ON", err));
  return cbs_exec(&f->s, writes ? "PRAGMA journal_mode = DELETE" : "PRAGMA query_only = ON", err);
}

static cb_status get_ready(cb_sweep_file *f, bool writes, cb_err *err) {
  bool fresh;
  if (writes) CB_TRY(take_lock(f, err));
  CB_TRY(open_handle(f, writes, err));
  CB_TRY(check_identity(f, &fresh, err));
  if (fresh && !writes) return cb_fail(err, CB_E_DB, "%s: is no file of a sweep", f->s.path);
  if (!fresh) {
    CB_TRY(check_pages(f, err));
    return check_tables(f, err);
  }
  CB_TRY(cbs_exec(&f->s, "BEGIN IMMEDIATE", err));
  cb_status st = make_tables(f, err);
  if (st == CB_OK) return cbs_exec(&f->s, "COMMIT", err);
  (void)sqlite3_exec(f->s.db, "ROLLBACK", NULL, NULL, NULL);
  return st;
}

static cb_status open_file(const char *path, const cb_sweep_head *head, bool writes, cb_sweep_file **out,
                           cb_err *err) {
  *out = NULL;
  CB_TRY(cb_store_check_path(path, err));
  cb_sweep_file *f = calloc(1, sizeof *f);
  if (!f || !(f->s.path = strdup(path))) {
    free(f);
    return cb_no_memory(err, "%s", path);
  }
  f->head = *head;
  f->lock = -1;
  cb_status st = get_ready(f, writes, err);
  if (st == CB_OK)
    *out = f;
  else
    cb_sweep_close(f);
  return st;
}

cb_status cb_sweep_open(const char *path, const cb_sweep_head *head, cb_sweep_file **out, cb_err *err) {
  return open_file(path, head, true, out, err);
}

cb_status cb_sweep_read(const char *path, const cb_sweep_head *head, cb_sweep_file **out, cb_err *err) {
  return open_file(path, head, false, out, err);
}

void cb_sweep_close(cb_sweep_file *f) {
  if (!f) return;
  (void)cbs_close(&f->s);
  drop_lock(f);
  free(f->s.path);
  free(f);
}

/* ---- rows ---- */

cb_status cbw_prepare_add(cb_sweep_file *f, sqlite3_stmt **out, cb_err *err) {
  char *sql;
  cb_draft d;
  CB_TRY(cb_draft_begin(&d, err));
  fputs("INSERT INTO sweep VALUES(?", d.to);
  for (size_t i = 1; i < cbw_columns(f); i++) fputs(", ?", d.to);
  fputs(
      ") ON CONFLICT(case_no) DO UPDATE SET state = excluded.state, exit_code = excluded.exit_code, "
      "sentence = excluded.sentence, seconds = excluded.seconds, host = excluded.host",
      d.to);
  for (size_t i = 0; i < f->head.n_variables + f->head.n_figures; i++)
    fprintf(d.to, ", \"%s\" = excluded.\"%s\"", f->head.column[i], f->head.column[i]);
  fputs(" WHERE sweep.state = 'failed' AND excluded.state = 'done'", d.to);
  CB_TRY(cb_draft_end(&d, CB_OK, &sql, err));
  const cb_status st = cbs_prepare(&f->s, out, err, sql, "");
  free(sql);
  return st;
}

static int bind_variable(sqlite3_stmt *q, int column, const char *text) {
  double x;
  if (cb_parse_double(text, "", &x, NULL) == CB_OK) return sqlite3_bind_double(q, column, x);
  return sqlite3_bind_text(q, column, text, -1, SQLITE_TRANSIENT);
}

static int bind_row(const cb_sweep_file *f, sqlite3_stmt *q, const cb_sweep_row *r) {
  const int first = CBW_OWN + 1, second = first + (int)f->head.n_variables;
  int rc = sqlite3_bind_int(q, 1 + CBW_CASE, r->case_no) | sqlite3_bind_int(q, 1 + CBW_EXIT, r->exit_code) |
           sqlite3_bind_text(q, 1 + CBW_STATE, r->failed ? "failed" : "done", -1, SQLITE_STATIC) |
           sqlite3_bind_text(q, 1 + CBW_SENTENCE, r->sentence, -1, SQLITE_TRANSIENT) |
           sqlite3_bind_double(q, 1 + CBW_SECONDS, r->seconds) |
           sqlite3_bind_text(q, 1 + CBW_HOST, r->host, -1, SQLITE_TRANSIENT);
  for (size_t i = 0; i < f->head.n_variables; i++) rc |= bind_variable(q, first + (int)i, r->variable[i]);
  for (size_t i = 0; i < f->head.n_figures; i++)
    rc |= isfinite(r->figure[i]) ? sqlite3_bind_double(q, second + (int)i, r->figure[i])
                                 : sqlite3_bind_null(q, second + (int)i);
  return rc;
}

cb_status cb_sweep_add(cb_sweep_file *f, const cb_sweep_row *row, cb_err *err) {
  sqlite3_stmt *q;
  bool more;
  CB_TRY(cbw_prepare_add(f, &q, err));
  if (bind_row(f, q, row) == SQLITE_OK) return cbs_step(&f->s, &q, &more, err);
  sqlite3_finalize(q);
  return cbs_fail(&f->s, "a row", err);
}

cb_status cb_sweep_forget_failed(cb_sweep_file *f, int *n, cb_err *err) {
  CB_TRY(cbs_exec(&f->s, "DELETE FROM sweep WHERE state = 'failed'", err));
  *n = sqlite3_changes(f->s.db);
  return CB_OK;
}
