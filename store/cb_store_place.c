/* Where the file lies: a handle that reads it where nothing may be written, and a copy that lacks its log.
 *
 * SQLite needs a lock file (-shm) beside a database with a write-ahead log (-wal), and a folder that one may
 * only read takes none. Three ways lead to a reader there:
 * - The lock file of a writer is there: it is used.
 * - There is neither lock file nor log: nobody writes, and the file is read as it stands.
 * - There is a log alone, of a writer that was killed: its index is kept in memory, and nothing is locked.
 *
 * In the last two a writer of other rights can come unseen. The time of the file tells, and what was read is
 * refused. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_store_impl.h"

#define WAL_HEADER_BYTES 32

/* Bytes of the file with this ending, beside what a link leads to; -1: there is none. */
static off_t size_beside(const cb_store *s, const char *ending) {
  char real[PATH_MAX + 8];
  struct stat info;
  if (!realpath(s->path, real)) return -1;
  strcat(real, ending);
  return stat(real, &info) == 0 ? info.st_size : -1;
}

bool cbs_has_log(const cb_store *s) { return size_beside(s, "-wal") > WAL_HEADER_BYTES; }

/* The folder counts, too: a lock file that a reader made there could keep the file's owner out. */
static bool may_write(const cb_store *s) {
  char real[PATH_MAX];
  return realpath(s->path, real) && access(real, W_OK) == 0 && access(dirname(real), W_OK) == 0;
}

/* ---- a handle ---- */

/* The path as a URI. Caller: sqlite3_free. */
static char *immutable_uri(const char *path) {
  sqlite3_str *uri = sqlite3_str_new(NULL);
  sqlite3_str_appendall(uri, path[0] == '/' ? "file://" : "file:");
  for (; *path; path++)
    if (*path == '%' || *path == '?' || *path == '#')
      sqlite3_str_appendf(uri, "%%%02x", *path);
    else
      sqlite3_str_appendchar(uri, 1, *path);
  sqlite3_str_appendall(uri, "?immutable=1");
  return sqlite3_str_finish(uri);
}

static int open_immutable(cb_store *s, int flags) {
  char *uri = immutable_uri(s->path);
  const int code = uri ? sqlite3_open_v2(uri, &s->db, flags | SQLITE_OPEN_URI, NULL) : SQLITE_NOMEM;
  sqlite3_free(uri);
  return code;
}

static int open_unlocked(cb_store *s, int flags) {
  const int code = sqlite3_open_v2(s->path, &s->db, flags, "unix-none");
  return code == SQLITE_OK ? sqlite3_exec(s->db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL) : code;
}

static int open_alone(cb_store *s) {
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
  s->alone = true;
  if (stat(s->path, &s->read_as) != 0) return SQLITE_CANTOPEN;
  return cbs_has_log(s) ? open_unlocked(s, flags) : open_immutable(s, flags);
}

int cbs_open_to_read(cb_store *s) {
  const bool may = may_write(s);
  if (!may && size_beside(s, "-shm") <= 0) return open_alone(s);
  /* A reader that may write leaves no -wal and -shm behind when it closes; query_only keeps it from
   * writing. */
  const int flags = may ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  return sqlite3_open_v2(s->path, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
}

bool cbs_wants_to_be_alone(const cb_store *s) {
  const int extended = sqlite3_extended_errcode(s->db), code = extended & 0xff;
  const int why = sqlite3_system_errno(s->db);
  if (s->mode != CB_STORE_READ || s->alone || why == EMFILE || why == ENFILE) return false;
  return code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_FULL ||
         extended == SQLITE_IOERR_SHMOPEN || extended == SQLITE_IOERR_SHMSIZE ||
         extended == SQLITE_IOERR_SHMMAP || extended == SQLITE_IOERR_SHMLOCK;
}

int cbs_reopen_alone(cb_store *s) {
  (void)cbs_close(s);
  s->db = NULL;
  return open_alone(s);
}

cb_status cbs_check_unchanged(const cb_store *s, cb_err *err) {
  struct stat now;
  if (!s->alone) return CB_OK;
  if (stat(s->path, &now) == 0 && now.st_ino == s->read_as.st_ino && now.st_size == s->read_as.st_size &&
      now.st_mtim.tv_sec == s->read_as.st_mtim.tv_sec && now.st_mtim.tv_nsec == s->read_as.st_mtim.tv_nsec)
    return CB_OK;
  return cb_fail(err, CB_E_DB, "%s: was written by another program while it was read: read it again",
                 s->path);
}

/* ---- a copy without its log ---- */

/* While a program writes, what it wrote last is in the log alone, and a copy of the file without its log
 * looks whole. So the file itself says that it is in use, and the log says that it is not: whoever has both,
 * or the log's content in the file, reads nothing. The mark is set again before each time that the log goes
 * into the file. */
#define MARK "in_use"

static cb_status set_mark(cb_store *s, const char *since, cb_err *err) {
  return cbs_run(s, NULL, err,
                 "INSERT INTO meta VALUES('" MARK
                 "', ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
                 "t", since);
}

static cb_status mark_file(cb_store *s, cb_err *err) {
  char now[32];
  cb_store_now(s, now);
  CB_TRY(set_mark(s, now, err));
  s->marked = true;
  (void)sqlite3_wal_checkpoint_v2(s->db, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  CB_TRY(set_mark(s, "", err));
  s->marked = false;
  return CB_OK;
}

void cbs_mark_end(cb_store *s) {
  if (!s->marked) return;
  cb_store_rollback(s);
  /* With the log beside it the file makes no alarm, and the next writer takes the mark back. */
  if (set_mark(s, "", NULL) != CB_OK)
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
}

#define PAGES_OF_LOG 1000 /* as SQLite's own */

/* After a commit. A mark that cannot be set is no fault of what was written. */
static int on_commit(void *context, sqlite3 *db, const char *name, int pages) {
  cb_store *s = context;
  (void)db, (void)name;
  if (pages < PAGES_OF_LOG || s->marking) return SQLITE_OK;
  s->marking = true;
  (void)mark_file(s, NULL);
  s->marking = false;
  return SQLITE_OK;
}

cb_status cbs_mark_begin(cb_store *s, cb_err *err) {
  s->marking = true;
  sqlite3_wal_hook(s->db, on_commit, s);
  cb_status st = mark_file(s, err);
  s->marking = false;
  /* Another program is in the middle of a long step, and has set the mark. */
  return st != CB_OK && (sqlite3_errcode(s->db) & 0xff) == SQLITE_BUSY ? CB_OK : st;
}

static void read_mark(sqlite3_stmt *q, void *item) { cbs_text(q, 0, item, 32); }

cb_status cbs_mark_read(cb_store *s, char since[32], cb_err *err) {
  bool found;
  since[0] = '\0';
  return cbs_one(s, read_mark, since, &found, err, "SELECT value FROM meta WHERE key = '" MARK "'", "");
}

cb_status cbs_mark_check(cb_store *s, bool had_log, cb_err *err) {
  char since[32];
  CB_TRY(cbs_mark_read(s, since, err));
  if (!since[0] || s->mode == CB_STORE_TAKE) return CB_OK;
  if (!had_log && !cbs_has_log(s))
    return cb_fail(
        err, CB_E_DB,
        "%s: is a copy without its log (-wal), taken while a program wrote to it: what was written "
        "since %s may be missing; 'clothbench db backup' makes whole copies, 'clothbench db init "
        "--db %s' takes this one as it is",
        s->path, since, s->path);
  /* A writer was killed between mark and log, and this reader is about to put the log into the file. */
  cb_store *writer = NULL;
  if (s->mode == CB_STORE_READ && !s->alone && cb_store_open(s->path, CB_STORE_WRITE, &writer, NULL) == CB_OK)
    (void)cb_store_close(writer, NULL);
  return CB_OK;
}
