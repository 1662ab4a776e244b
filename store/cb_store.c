#include "cb_store.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cb_array.h"
#include "cb_column.h"
#include "cb_file.h"
#include "cb_plural.h"
#include "cb_store_file.h"
#include "cb_store_impl.h"
#include "cb_seal.h"
#include "cb_store_rows_impl.h"
#include "cb_text.h"
#include "cb_version.h"

/* ---- statements ---- */

bool cbs_no_memory(int code) { return (code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM; }

static bool out_of_files(const cb_store *s) {
  int why = sqlite3_system_errno(s->db);
  return why == EMFILE || why == ENFILE;
}

cb_status cbs_fail(cb_store *s, const char *sql, cb_err *err) {
  int extended = sqlite3_extended_errcode(s->db), code = extended & 0xff;
  if (s->refused.msg[0] && code == SQLITE_ERROR) {
    cb_err refused = s->refused;
    s->refused.msg[0] = '\0';
    return cb_fail(err, CB_E_RANGE, "%s: %s", s->path, refused.msg);
  }
  if (cbs_no_memory(extended))
    return cb_fail(err, CB_E_NOMEM, "%s: out of memory (in: %.120s)", s->path, sql);
  if (extended == SQLITE_CONSTRAINT_FOREIGNKEY)
    return cb_fail(err, CB_E_DB, "%s: a row that was named is not there (in: %.120s)", s->path, sql);
  if (code == SQLITE_FULL || (code == SQLITE_IOERR && sqlite3_system_errno(s->db) == ENOSPC))
    return cb_fail(err, CB_E_DB, "%s: the disk is full, nothing of this step was written", s->path);
  if (code == SQLITE_READONLY)
    return cb_fail(err, CB_E_DB, "%s: the file or its folder is read-only, a writable place was wanted",
                   s->path);
  if (code == SQLITE_BUSY)
    return cb_fail(err, CB_E_DB, "%s: another program has been writing to it for more than 5 s", s->path);
  if (code == SQLITE_CANTOPEN && out_of_files(s))
    return cb_fail(err, CB_E_IO,
                   "%s: cannot be opened: %s ('ulimit -n' tells how many this program may open)", s->path,
                   strerror(sqlite3_system_errno(s->db)));
  if (code == SQLITE_INTERRUPT)
    return cb_fail(err, CB_E_DB,
                   "%s: a search takes longer than any sound file of this size needs: it is damaged",
                   s->path);
  if (code == SQLITE_CANTOPEN && access(s->path, F_OK) == 0 && access(s->path, R_OK) != 0)
    return cb_fail(err, CB_E_DB, "%s: cannot be opened: %s", s->path, strerror(errno));
  if (code == SQLITE_CANTOPEN)
    return cb_fail(err, CB_E_DB, "%s: cannot be opened: the folder does not exist or is read-only", s->path);
  if (code == SQLITE_IOERR)
    return cb_fail(err, CB_E_DB, "%s: cannot be read or written: %s: is the disk full or failing?", s->path,
                   sqlite3_errmsg(s->db));
  if (code == SQLITE_NOTADB) return cb_fail(err, CB_E_DB, "%s: is not a database file", s->path);
  return cb_fail(err, CB_E_DB, "%s: %s (in: %.120s)", s->path, sqlite3_errmsg(s->db), sql);
}

cb_status cbs_exec(cb_store *s, const char *sql, cb_err *err) {
  return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? CB_OK : cbs_fail(s, sql, err);
}

static int bind_all(sqlite3_stmt *stmt, const char *fmt, va_list ap) {
  int rc = SQLITE_OK;
  for (int i = 1; *fmt && rc == SQLITE_OK; fmt++, i++) {
    if (*fmt == 'i' || *fmt == 'n') {
      int64_t v = va_arg(ap, int64_t);
      rc = *fmt == 'n' && v == 0 ? sqlite3_bind_null(stmt, i) : sqlite3_bind_int64(stmt, i, v);
    } else if (*fmt == 'd' || *fmt == 'p') {
      double v = va_arg(ap, double);
      rc = isnan(v) || (*fmt == 'p' && v <= 0) ? sqlite3_bind_null(stmt, i) : sqlite3_bind_double(stmt, i, v);
    } else if (*fmt == 't' || *fmt == 'o') {
      const char *v = va_arg(ap, const char *);
      if (!v) v = "";
      rc = *fmt == 'o' && !v[0] ? sqlite3_bind_null(stmt, i)
                                : sqlite3_bind_text(stmt, i, v, -1, SQLITE_TRANSIENT);
    } else {
      const void *v = va_arg(ap, const void *);
      size_t n = va_arg(ap, size_t);
      rc = sqlite3_bind_blob64(stmt, i, v, n, SQLITE_TRANSIENT);
    }
  }
  return rc;
}

/* Preparing an INSERT costs as much as ten of its rows: the triggers of its table are compiled with it. */
static sqlite3_stmt *take_idle(cb_store *s, const char *sql) {
  for (int i = 0; i < CBS_IDLE; i++) {
    sqlite3_stmt *q = s->idle[i];
    if (!q || strcmp(sqlite3_sql(q), sql) != 0) continue;
    s->idle[i] = NULL;
    return q;
  }
  return NULL;
}

/* Takes the place of the one that was put there first. Some pragmas act where they are prepared. */
static void put_idle(cb_store *s, sqlite3_stmt *stmt) {
  if (sqlite3_reset(stmt) == SQLITE_OK && sqlite3_sql(stmt)[0] != 'P') {
    sqlite3_stmt **at = &s->idle[s->put++ % CBS_IDLE], *oldest = *at;
    (void)sqlite3_clear_bindings(stmt);
    *at = stmt;
    stmt = oldest;
  }
  sqlite3_finalize(stmt);
}

int cbs_close(cb_store *s) {
  for (int i = 0; i < CBS_IDLE; i++) sqlite3_finalize(s->idle[i]);
  memset((void *)s->idle, 0, sizeof s->idle);
  return sqlite3_close(s->db);
}

static bool is_at_work(cb_store *s) {
  sqlite3_stmt *q = NULL;
  while ((q = sqlite3_next_stmt(s->db, q)))
    if (sqlite3_stmt_busy(q)) return true;
  return false;
}

static cb_status prepare_v(cb_store *s, sqlite3_stmt **stmt, cb_err *err, const char *sql, const char *fmt,
                           va_list ap) {
  *stmt = take_idle(s, sql);
  s->ruled = NULL; /* a new statement may lie where an old one lay */
  if (!is_at_work(s)) s->steps = s->max_steps = 0;
  if (!*stmt && sqlite3_prepare_v2(s->db, sql, -1, stmt, NULL) != SQLITE_OK) return cbs_fail(s, sql, err);
  if (bind_all(*stmt, fmt, ap) == SQLITE_OK) return CB_OK;
  cb_status st = cbs_fail(s, sql, err);
  sqlite3_finalize(*stmt);
  *stmt = NULL;
  return st;
}

cb_status cbs_prepare(cb_store *s, sqlite3_stmt **stmt, cb_err *err, const char *sql, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  cb_status st = prepare_v(s, stmt, err, sql, fmt, ap);
  va_end(ap);
  return st;
}

/* Which range each of a row's columns has: looked up once for all rows of a statement. */
static void find_rules(cb_store *s, sqlite3_stmt *stmt) {
  for (int i = 0; i < sqlite3_column_count(stmt); i++) {
    const char *table = sqlite3_column_table_name(stmt, i), *name = sqlite3_column_origin_name(stmt, i);
    s->rules[i] = table && name ? cb_column_find(table, name) : NULL;
  }
  s->ruled = stmt;
}

/* A number that cannot be where it stands goes no further: whoever reads the row may divide by it. */
static cb_status check_cell(cb_store *s, sqlite3_stmt *stmt, int column, cb_err *err) {
  char what[160];
  const cb_column *rule = s->rules[column];
  const int type = rule ? sqlite3_column_type(stmt, column) : SQLITE_NULL;
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return CB_OK;
  double x = sqlite3_column_double(stmt, column);
  if (x >= rule->min && x <= rule->max) return CB_OK;
  (void)snprintf(what, sizeof what, "%s: %s.%s", s->path, sqlite3_column_table_name(stmt, column),
                 sqlite3_column_origin_name(stmt, column));
  return cb_column_check(rule, x, what, err) == CB_OK ? CB_OK : CB_E_DB;
}

static cb_status check_row(cb_store *s, sqlite3_stmt *stmt, cb_err *err) {
  const int n = sqlite3_column_count(stmt);
  if (n > CBS_RULES)
    return cb_fail(err, CB_E_DB, "%s: %d column%s: at most %d are read", s->path, n, CB_S(n), CBS_RULES);
  if (s->ruled != stmt) find_rules(s, stmt);
  for (int i = n - 1; i >= 0; i--) CB_TRY(check_cell(s, stmt, i, err));
  return CB_OK;
}

cb_status cbs_step(cb_store *s, sqlite3_stmt **stmt, bool *row, cb_err *err) {
  int rc = sqlite3_step(*stmt);
  *row = rc == SQLITE_ROW;
  if (*row) {
    cb_status sound = check_row(s, *stmt, err);
    if (sound == CB_OK) return CB_OK;
    *row = false;
    sqlite3_finalize(*stmt);
    *stmt = NULL;
    return sound;
  }
  cb_status st = rc == SQLITE_DONE ? cbs_check_unchanged(s, err) : cbs_fail(s, sqlite3_sql(*stmt), err);
  put_idle(s, *stmt);
  *stmt = NULL;
  return st;
}

cb_status cbs_run(cb_store *s, int64_t *id, cb_err *err, const char *sql, const char *fmt, ...) {
  sqlite3_stmt *stmt;
  va_list ap;
  va_start(ap, fmt);
  cb_status st = prepare_v(s, &stmt, err, sql, fmt, ap);
  va_end(ap);
  bool row = st == CB_OK;
  while (st == CB_OK && row) st = cbs_step(s, &stmt, &row, err);
  if (st == CB_OK && id) *id = sqlite3_last_insert_rowid(s->db);
  return st;
}

cb_status cbs_end_savepoint(cb_store *s, const char *name, cb_status st, cb_err *err) {
  char sql[96];
  (void)snprintf(sql, sizeof sql, "RELEASE %s", name);
  if (st == CB_OK) st = cbs_exec(s, sql, err);
  if (st == CB_OK) return CB_OK;
  (void)snprintf(sql, sizeof sql, "ROLLBACK TO %s; RELEASE %s", name, name);
  (void)sqlite3_exec(s->db, sql, NULL, NULL, NULL);
  return st;
}

void cbs_text(sqlite3_stmt *stmt, int column, char *out, size_t size) {
  const unsigned char *t = sqlite3_column_text(stmt, column);
  /* One line, whatever a foreign file holds: everything that prints it downstream is safe. */
  (void)cb_text_show(t ? (const char *)t : "", out, size);
}

char *cbs_text_dup(sqlite3_stmt *stmt, int column) {
  const unsigned char *t = sqlite3_column_text(stmt, column);
  return strdup(t ? (const char *)t : "");
}

double cbs_real(sqlite3_stmt *stmt, int column) {
  return sqlite3_column_type(stmt, column) == SQLITE_NULL ? NAN : sqlite3_column_double(stmt, column);
}

int cbs_enum(sqlite3_stmt *stmt, int column, const char *const *names) {
  const char *t = (const char *)sqlite3_column_text(stmt, column);
  for (int i = 0; t && names[i]; i++)
    if (strcmp(names[i], t) == 0) return i;
  return 0;
}

static void *append_item(void **list, size_t *n, size_t *cap, size_t size) {
  void *grown = cb_array_grow(*list, cap, *n + 1, size);
  if (!grown) return NULL;
  *list = grown;
  void *item = (char *)*list + *n * size;
  memset(item, 0, size);
  (*n)++;
  return item;
}

static cb_status list_rows(cb_store *s, sqlite3_stmt *stmt, cbs_reader *read, size_t item_size, void **list,
                           size_t *n, cb_err *err) {
  size_t cap = 0;
  bool row;
  cb_status st;
  while ((st = cbs_step(s, &stmt, &row, err)) == CB_OK && row) {
    void *item = append_item(list, n, &cap, item_size);
    if (item) {
      read(stmt, item);
      continue;
    }
    sqlite3_finalize(stmt);
    st = cb_no_memory(err, "%s, a list of %zu", s->path, *n);
    break;
  }
  if (st == CB_OK) return CB_OK;
  free(*list);
  *list = NULL;
  *n = 0;
  return st;
}

cb_status cbs_list(cb_store *s, cbs_reader *read, size_t item_size, void **list, size_t *n, cb_err *err,
                   const char *sql, const char *fmt, ...) {
  sqlite3_stmt *q;
  va_list ap;
  *list = NULL;
  *n = 0;
  va_start(ap, fmt);
  cb_status st = prepare_v(s, &q, err, sql, fmt, ap);
  va_end(ap);
  return st == CB_OK ? list_rows(s, q, read, item_size, list, n, err) : st;
}

cb_status cbs_one(cb_store *s, cbs_reader *read, void *item, bool *found, cb_err *err, const char *sql,
                  const char *fmt, ...) {
  sqlite3_stmt *q;
  va_list ap;
  va_start(ap, fmt);
  cb_status st = prepare_v(s, &q, err, sql, fmt, ap);
  va_end(ap);
  if (st == CB_OK) st = cbs_step(s, &q, found, err);
  if (st != CB_OK || !*found) return st;
  read(q, item);
  put_idle(s, q);
  return CB_OK;
}

void cbs_read_id(sqlite3_stmt *row, void *item) { *(int64_t *)item = sqlite3_column_int64(row, 0); }
void cbs_read_count(sqlite3_stmt *row, void *item) { *(size_t *)item = (size_t)sqlite3_column_int64(row, 0); }
static void read_text_item(sqlite3_stmt *q, void *item) { cbs_text(q, 0, item, 200); }

cb_status cbs_expect_none(cb_store *s, const char *sql, const char *what, cb_err *err) {
  char text[200] = "";
  bool found;
  CB_TRY(cbs_one(s, read_text_item, text, &found, err, sql, ""));
  return found ? cb_fail(err, CB_E_DB, "%s: %s: %s", s->path, what, text) : CB_OK;
}

/* ---- open and close ---- */

static void read_int(sqlite3_stmt *row, void *item) { *(int *)item = sqlite3_column_int(row, 0); }

static cb_status query_int(cb_store *s, const char *sql, int *out, cb_err *err) {
  bool found;
  *out = 0;
  return cbs_one(s, read_int, out, &found, err, sql, "");
}

static cb_status say_what_it_is(cb_store *s, cb_err *err) {
  char sql[64];
  (void)snprintf(sql, sizeof sql, "PRAGMA application_id = %d", CB_APPLICATION_ID);
  CB_TRY(cbs_exec(s, sql, err));
  const char *role = s->mode == CB_STORE_BUILD ? "reference" : "lab";
  return cbs_run(s, NULL, err, "INSERT INTO meta VALUES('role', ?), ('program_version', ?)", "tt", role,
                 cb_version());
}

/* What has been sealed is compared with its seals first: an upgrade must not make good what somebody
 * changed. */
static cb_status check_before_upgrade(cb_store *s, cb_err *err) {
  CB_TRY(cbs_seal_open(s, err));
  cb_status st = cbs_seal_check(s, err);
  cbs_seal_close(s);
  return st;
}

static cb_status run_steps(cb_store *s, int from, cb_err *err) {
  char sql[64];
  if (from >= CBS_SEALED_SINCE) CB_TRY(check_before_upgrade(s, err));
  /* A step may reword tables; the file's schema has been compared. */
  (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)NULL);
  cb_status st = CB_OK;
  for (int v = from; v < cb_schema_version && st == CB_OK; v++) st = cbs_exec(s, cb_schema_steps[v], err);
  (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
  CB_TRY(st);
  (void)snprintf(sql, sizeof sql, "PRAGMA user_version = %d", cb_schema_version);
  CB_TRY(cbs_exec(s, sql, err));
  if (from == 0) CB_TRY(say_what_it_is(s, err));
  CB_TRY(cbs_seal_open(s, err));
  st = cbs_law_numbers(s, 0, true, err);
  if (st == CB_OK) st = cbs_seal_all(s, err);
  cbs_seal_close(s);
  return st;
}

/* Everything or nothing: a kill in the middle leaves an empty file, which counts as new. */
static cb_status create_or_upgrade(cb_store *s, int from, cb_err *err) {
  CB_TRY(cbs_exec(s, "BEGIN IMMEDIATE", err));
  int now;
  cb_status st = query_int(s, "PRAGMA user_version", &now, err);
  /* Another process may have been faster. */
  if (st == CB_OK && now == from) st = run_steps(s, from, err);
  if (st == CB_OK) st = cbs_exec(s, "COMMIT", err);
  if (st != CB_OK) cb_store_rollback(s);
  return st;
}

static cb_status check_identity(cb_store *s, int *version, cb_err *err) {
  int application, tables;
  CB_TRY(query_int(s, "PRAGMA application_id", &application, err));
  CB_TRY(query_int(s, "PRAGMA user_version", version, err));
  CB_TRY(query_int(s, "SELECT count(*) FROM sqlite_master", &tables, err));
  bool fresh = application == 0 && *version == 0 && tables == 0;
  if (!fresh && application != CB_APPLICATION_ID)
    return cb_fail(err, CB_E_DB, "%s: is a database of another program", s->path);
  if (*version > cb_schema_version)
    return cb_fail(
        err, CB_E_DB,
        "%s: has schema %d, but this program (%s) knows schemas up to %d: a newer clothbench is wanted",
        s->path, *version, cb_version(), cb_schema_version);
  return CB_OK;
}

static cb_status read_role(cb_store *s, cb_err *err) {
  int reference;
  CB_TRY(query_int(s, "SELECT value = 'reference' FROM meta WHERE key = 'role'", &reference, err));
  s->reference = reference != 0;
  return CB_OK;
}

/* ---- a file of others ---- */

#define STEPS_A_LOOK 1000
#define STEPS_OF_ANY_FILE 200000000.0
#define STEPS_PER_BYTE 200 /* a row takes some ten steps and more than ten bytes; joins take more */

static uint64_t most_steps(const cb_store *s) {
  struct stat file;
  double bytes = stat(s->path, &file) == 0 ? (double)file.st_size : 0;
  return (uint64_t)((STEPS_OF_ANY_FILE + STEPS_PER_BYTE * bytes) / STEPS_A_LOOK);
}

/* Pages of a damaged file can be chained so that a search never ends. */
static int on_steps(void *context) {
  cb_store *s = context;
  if (s->max_steps == 0) s->max_steps = most_steps(s);
  return ++s->steps > s->max_steps;
}

/* The schema is ours now, word for word, and its views may run. */
static cb_status trust_views(cb_store *s, cb_err *err) {
  return sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 1, (int *)NULL) == SQLITE_OK
             ? CB_OK
             : cbs_fail(s, "views", err);
}

/* Nothing in the file runs: no views, no functions in its schema but harmless ones, no triggers where nothing
 * is written. Where something is, the schema has been compared before. */
static cb_status harden(cb_store *s, cb_err *err) {
  bool ok = sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL) == SQLITE_OK &&
            sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL) == SQLITE_OK &&
            sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL) == SQLITE_OK &&
            sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, s->mode != CB_STORE_READ, (int *)NULL) ==
                SQLITE_OK;
  sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, 1 << 28);
  sqlite3_progress_handler(s->db, STEPS_A_LOOK, on_steps, s);
  return ok ? cbs_exec(s, "PRAGMA cell_size_check = ON", err) : cbs_fail(s, "harden", err);
}

static int open_to_write(cb_store *s) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  return sqlite3_open_v2(s->path, &s->db, flags, NULL);
}

/* code: SQLite's, of opening. */
static cb_status prepare_handle(cb_store *s, int code, cb_err *err) {
  if (code != SQLITE_OK) return cbs_fail(s, "open", err);
  sqlite3_extended_result_codes(s->db, 1);
  sqlite3_busy_timeout(s->db, 5000);
  CB_TRY(harden(s, err));
  return cbs_exec(s, s->mode == CB_STORE_READ ? "PRAGMA query_only = ON" : "PRAGMA foreign_keys = ON", err);
}

/* An older file that is only read stays as it is: its copy in memory is upgraded, after the same checks. */
static cb_status upgrade_copy(cb_store *s, int version, cb_err *err) {
  sqlite3 *copy = NULL;
  CB_TRY(cbs_schema_compare(s, version, err));
  int code = sqlite3_open_v2(":memory:", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  sqlite3_backup *b = code == SQLITE_OK ? sqlite3_backup_init(copy, "main", s->db, "main") : NULL;
  if (b) {
    (void)sqlite3_backup_step(b, -1);
    code = sqlite3_backup_finish(b);
  }
  (void)cbs_close(s);
  s->db = copy;
  CB_TRY(prepare_handle(s, b || code != SQLITE_OK ? code : SQLITE_NOMEM, err));
  CB_TRY(cbs_exec(s, "PRAGMA query_only = OFF; PRAGMA foreign_keys = ON", err));
  CB_TRY(create_or_upgrade(s, version, err));
  return cbs_exec(s, "PRAGMA query_only = ON", err);
}

static cb_status ready_for_reading(cb_store *s, cb_err *err) {
  int version;
  cb_status st = prepare_handle(s, cbs_open_to_read(s), err);
  if (st == CB_OK) st = check_identity(s, &version, err);
  if (st != CB_OK && cbs_wants_to_be_alone(s)) {
    CB_TRY(prepare_handle(s, cbs_reopen_alone(s), err));
    st = check_identity(s, &version, err);
  }
  CB_TRY(st);
  if (version == 0)
    return cb_fail(err, CB_E_DB, "%s: is an empty database, one with measurements was wanted", s->path);
  if (version < cb_schema_version) CB_TRY(upgrade_copy(s, version, err));
  CB_TRY(cbs_schema_compare(s, cb_schema_version, err));
  CB_TRY(trust_views(s, err));
  CB_TRY(cbs_seal_open(s, err));
  return read_role(s, err);
}

static cb_status ready_for_writing(cb_store *s, bool had_log, cb_err *err) {
  int version;
  CB_TRY(prepare_handle(s, open_to_write(s), err));
  CB_TRY(check_identity(s, &version, err));
  if (version > 0) {
    CB_TRY(cbs_schema_compare(s, version, err));
    CB_TRY(read_role(s, err));
    if (s->reference)
      return cb_fail(err, CB_E_DB,
                     "%s: is the shipped reference database and is never written: name your own with --db "
                     "FILE or CLOTHBENCH_DB",
                     s->path);
    if (s->mode == CB_STORE_BUILD)
      return cb_fail(err, CB_E_DB, "%s: exists already, a new file was wanted", s->path);
    CB_TRY(cbs_mark_check(s, had_log, err));
  }
  /* A reference file must be readable from read-only places, so it gets no write-ahead log. */
  CB_TRY(cbs_exec(s, s->mode == CB_STORE_BUILD ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL",
                  err));
  CB_TRY(cbs_exec(s, "PRAGMA synchronous = FULL", err));
  if (version < cb_schema_version) CB_TRY(create_or_upgrade(s, version, err));
  CB_TRY(trust_views(s, err));
  CB_TRY(cbs_seal_open(s, err));
  CB_TRY(cbs_seal_watch(s, err));
  CB_TRY(read_role(s, err));
  if (s->mode == CB_STORE_TAKE) CB_TRY(cbs_law_numbers(s, 0, true, err));
  return s->reference ? CB_OK : cbs_mark_begin(s, err);
}

void cbs_remove_files(const char *path) {
  const char *const endings[] = {"", "-wal", "-shm", "-journal"};
  char name[4096];
  for (int i = 0; i < 4; i++) {
    int n = snprintf(name, sizeof name, "%s%s", path, endings[i]);
    if (n > 0 && (size_t)n < sizeof name) unlink(name);
  }
}

/* SQLite would wait for a pipe, and find a device full. What is not there may be made. */
static cb_status check_regular(const char *path, cb_err *err) {
  struct stat info;
  return stat(path, &info) == 0 ? cb_file_check_regular(&info, path, "", err) : CB_OK;
}

/* "sqlite://", "http://": letters, then "://". */
static bool is_address(const char *path) {
  const size_t n = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
  return n > 0 && strncmp(path + n, "://", 3) == 0;
}

cb_status cb_store_check_path(const char *path, cb_err *err) {
  if (!path[0]) return cb_fail(err, CB_E_ARG, "the database's name is empty: the name of a file was wanted");
  if (path[0] != ':' && strncasecmp(path, "file:", 5) != 0 && !is_address(path)) return CB_OK;
  return cb_fail(err, CB_E_ARG,
                 "%s: is no name of a file to SQLite, and what is written there can be lost: the path of a "
                 "file was wanted, such as lab.db",
                 path);
}

cb_status cb_store_open(const char *path, cb_store_mode mode, cb_store **out, cb_err *err) {
  *out = NULL;
  CB_TRY(cb_store_check_path(path, err));
  if (mode == CB_STORE_READ && access(path, F_OK) != 0)
    return cb_fail(
        err, CB_E_IO,
        "%s: no such database: %s; --db FILE or CLOTHBENCH_DB names one, 'clothbench db init' makes one",
        path, strerror(errno));
  CB_TRY(check_regular(path, err));
  cb_store *s = calloc(1, sizeof *s);
  if (s) s->path = strdup(path);
  if (!s || !s->path) {
    free(s);
    return cb_no_memory(err, "%s", path);
  }
  s->mode = mode;
  const bool existed = access(path, F_OK) == 0, had_log = cbs_has_log(s);
  cb_status st = mode == CB_STORE_READ ? ready_for_reading(s, err) : ready_for_writing(s, had_log, err);
  if (st == CB_OK && mode == CB_STORE_READ) st = cbs_mark_check(s, had_log, err);
  if (st == CB_OK) {
    *out = s;
    return CB_OK;
  }
  (void)cb_store_close(s, NULL);
  if (!existed && mode != CB_STORE_READ) cbs_remove_files(path);
  return st;
}

/* A file without a name takes everything, and ends with the program. */
static cb_status check_place(cb_store *s, cb_err *err) {
  int moved = 0;
  if (s->mode == CB_STORE_READ || !s->db) return CB_OK;
  (void)sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved ? cb_fail(err, CB_E_DB,
                         "%s: was removed or replaced while it was open: what was written since is lost",
                         s->path)
               : CB_OK;
}

cb_status cb_store_close(cb_store *s, cb_err *err) {
  if (!s) return CB_OK;
  cb_status st = check_place(s, err);
  cbs_mark_end(s);
  if (cbs_close(s) != SQLITE_OK && st == CB_OK) st = cbs_fail(s, "close", err);
  cbs_seal_close(s);
  free(s->doubts);
  free(s->trusted);
  free(s->path);
  free(s);
  return st;
}

cb_status cb_store_close_after(cb_store *s, cb_status st, cb_err *err) {
  const cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  return st == CB_OK ? closed : st;
}

const char *cb_store_path(const cb_store *s) { return s->path; }
bool cb_store_is_copy(const cb_store *s) {
  const char *file = sqlite3_db_filename(s->db, "main");
  return !file || !file[0];
}
bool cb_store_is_reference(const cb_store *s) { return s->reference; }
int cb_store_schema_version(void) { return cb_schema_version; }

cb_status cb_store_begin(cb_store *s, cb_err *err) {
  s->n_doubts = 0;
  CB_TRY(check_place(s, err));
  return cbs_exec(s, s->mode == CB_STORE_READ ? "BEGIN" : "BEGIN IMMEDIATE", err);
}
cb_status cb_store_commit(cb_store *s, cb_err *err) {
  CB_TRY(cbs_names_check(s, err));
  return cbs_exec(s, "COMMIT", err);
}
void cb_store_rollback(cb_store *s) {
  if (!sqlite3_get_autocommit(s->db)) (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}
