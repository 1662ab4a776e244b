/* A verified copy of the file while others write to it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_store_file.h"
#include "cb_store_impl.h"
#include "cb_time.h"

#define PIECE_PAGES 512  /* 2 MiB: a few milliseconds of the disk */
#define COPY_SHARE 0.7   /* of the whole work, for the progress; the rest is verifying */
#define VERIFY_OPS 20000 /* steps of SQLite's machine between two looks at the stop flag */

cb_backup_options cb_backup_options_default(void) { return (cb_backup_options){.pause = 1}; }

typedef struct copying {
  cb_store *s;
  const char *path;
  char *part; /* PATH.part */
  const cb_backup_options *opt;
  double verified; /* share, guessed */
  bool stopped;
  char in_use[32]; /* the mark of the file, as it was copied */
} copying;

static bool go_on(copying *c, double done) {
  if (c->opt->progress && !c->opt->progress(c->opt->context, done)) c->stopped = true;
  return !c->stopped;
}

static cb_status fail_stopped(const copying *c, cb_err *err) {
  return cb_fail(err, CB_E_STOPPED, "%s: stopped before the copy was complete, nothing is left of it",
                 c->path);
}

/* ---- copy ---- */

static cb_status fail_copy(int code, const copying *c, cb_err *err) {
  if (cbs_no_memory(code))
    return cb_fail(err, CB_E_NOMEM, "%s: out of memory for the copy, nothing is left of it", c->path);
  if ((code & 0xff) == SQLITE_FULL)
    return cb_fail(err, CB_E_DB, "%s: the disk is full, nothing is left of the copy", c->path);
  return cb_fail(err, CB_E_DB, "%s: cannot copy %s: %s", c->path, c->s->path, sqlite3_errstr(code));
}

static cb_status copy_pieces(sqlite3_backup *b, copying *c, cb_err *err) {
  for (;;) {
    double began_s = cb_now_monotonic_s();
    int code = sqlite3_backup_step(b, PIECE_PAGES);
    if (code == SQLITE_DONE) return CB_OK;
    if (code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED) return fail_copy(code, c, err);
    double all = sqlite3_backup_pagecount(b), left = sqlite3_backup_remaining(b);
    if (!go_on(c, all > 0 ? COPY_SHARE * (all - left) / all : 0)) return fail_stopped(c, err);
    cb_sleep_s(c->opt->pause * (cb_now_monotonic_s() - began_s));
  }
}

/* Inside a read transaction, so that a writer neither waits for the copy nor makes it begin again at each of
 * its commits. */
static cb_status copy_snapshot(copying *c, sqlite3 *to, cb_err *err) {
  sqlite3_backup *b = sqlite3_backup_init(to, "main", c->s->db, "main");
  if (!b) return fail_copy(sqlite3_extended_errcode(to), c, err);
  cb_status st = copy_pieces(b, c, err);
  int code = sqlite3_backup_finish(b);
  return st == CB_OK && code != SQLITE_OK ? fail_copy(code, c, err) : st;
}

static cb_status copy_into(copying *c, cb_err *err) {
  sqlite3 *to = NULL;
  int code = sqlite3_open_v2(c->part, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  cb_status st = CB_OK;
  if (code != SQLITE_OK) CB_GOTO(fail_copy(code, c, err));
  CB_GOTO(cbs_exec(c->s, "BEGIN", err));
  CB_GOTO(cbs_mark_read(c->s, c->in_use, err));
  st = copy_snapshot(c, to, err);
  (void)sqlite3_exec(c->s->db, "ROLLBACK", NULL, NULL, NULL);
done:
  if (sqlite3_close(to) != SQLITE_OK && st == CB_OK) st = fail_copy(SQLITE_IOERR, c, err);
  return st;
}

/* ---- verify, flush, name ---- */

/* How far a check has come nobody knows: the share goes towards 1 and never reaches it. */
static int on_verify(void *context) {
  copying *c = context;
  c->verified += 0.002 * (1 - c->verified);
  return !go_on(c, COPY_SHARE + (1 - COPY_SHARE) * c->verified);
}

static cb_status fail_verify(cb_status st, cb_err *err) {
  return cb_fail_in(err, st, "the copy %s, nothing is left of it",
                    st == CB_E_NOMEM ? "cannot be verified" : "is not whole");
}

static cb_status verify(copying *c, cb_store_tally *tally, cb_err *err) {
  cb_store *copy;
  cb_status st = cb_store_open(c->part, CB_STORE_READ, &copy, err);
  if (st != CB_OK) return fail_verify(st, err);
  sqlite3_progress_handler(copy->db, VERIFY_OPS, on_verify, c);
  st = cb_store_check(copy, tally, err);
  sqlite3_progress_handler(copy->db, 0, NULL, NULL);
  (void)cb_store_close(copy, NULL);
  if (st == CB_OK) return CB_OK;
  return c->stopped ? fail_stopped(c, err) : fail_verify(st, err);
}

static cb_status flush(const copying *c, cb_err *err) {
  int fd = open(c->part, O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && fsync(fd) == 0;
  int why = errno;
  if (fd >= 0) close(fd);
  return ok ? CB_OK : cb_fail(err, CB_E_IO, "%s: cannot be flushed to the disk: %s", c->path, strerror(why));
}

/* A hard link never replaces a file; where the file system has none, what came to be there meanwhile is
 * looked for. */
static cb_status give_name(const copying *c, cb_err *err) {
  if (link(c->part, c->path) == 0) return CB_OK;
  if (errno != EEXIST && access(c->path, F_OK) != 0 && rename(c->part, c->path) == 0) return CB_OK;
  return cb_fail(err, CB_E_IO, "%s: cannot be named so: %s", c->path, strerror(errno));
}

/* The mark stands in the log for the moments in which a writer sets it. The copy lacks nothing. */
static cb_status clear_mark(const copying *c, cb_err *err) {
  cb_store *copy;
  if (!c->in_use[0]) return CB_OK;
  CB_TRY(cb_store_open(c->part, CB_STORE_TAKE, &copy, err));
  return cb_store_close(copy, err);
}

static cb_status make_copy(copying *c, cb_store_tally *tally, cb_err *err) {
  CB_TRY(copy_into(c, err));
  CB_TRY(clear_mark(c, err));
  if (!go_on(c, COPY_SHARE)) return fail_stopped(c, err);
  CB_TRY(verify(c, tally, err));
  CB_TRY(flush(c, err));
  CB_TRY(give_name(c, err));
  (void)go_on(c, 1);
  return CB_OK;
}

/* The name of the growing copy is taken so that two backups cannot write to one file. */
static cb_status reserve_room(const copying *c, cb_err *err) {
  if (access(c->path, F_OK) == 0)
    return cb_fail(err, CB_E_IO, "%s: exists already, a new file was wanted", c->path);
  int fd = open(c->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd >= 0) return close(fd) == 0 ? CB_OK : cb_fail(err, CB_E_IO, "%s: %s", c->part, strerror(errno));
  if (errno == EEXIST)
    return cb_fail(err, CB_E_IO,
                   "%s: exists already: another backup is at work, or one was killed and this can be removed",
                   c->part);
  return cb_fail(err, CB_E_IO, "%s: cannot be made: %s", c->path, strerror(errno));
}

cb_status cb_store_backup(cb_store *s, const char *path, const cb_backup_options *opt, cb_store_tally *tally,
                          cb_err *err) {
  CB_TRY(cb_store_check_path(path, err));
  size_t size = strlen(path) + sizeof ".part";
  copying c = {.s = s, .path = path, .opt = opt, .part = malloc(size)};
  if (!c.part) return cb_no_memory(err, "%s", path);
  (void)snprintf(c.part, size, "%s.part", path);
  cb_status st = reserve_room(&c, err);
  if (st == CB_OK) {
    st = make_copy(&c, tally, err);
    cbs_remove_files(c.part);
  }
  free(c.part);
  return st;
}
