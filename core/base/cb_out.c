#include "cb_out.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cb_file.h"

_Static_assert(CB_OUT_PATH_BYTES >= PATH_MAX, "realpath() fills up to PATH_MAX bytes");

/* ---- what stands there ---- */

static cb_status cannot_write(const char *path, cb_err *err) {
  return cb_fail(err, CB_E_IO, "%s: cannot be written: %s", path, strerror(errno));
}

static cb_status check_content(int fd, const char *path, cb_err *err) {
  static const char magic[16] = "SQLite format 3"; /* with its NUL */
  char head[sizeof magic];
  ssize_t n = pread(fd, head, sizeof head, 0);
  if (n < 0)
    return cb_fail(err, CB_E_IO,
                   "%s: cannot be written: it cannot be read to see whether it is a database: %s", path,
                   strerror(errno));
  if (n == (ssize_t)sizeof head && memcmp(head, magic, sizeof magic) == 0)
    return cb_fail(err, CB_E_IO, "%s: cannot be written: a database stands there, a new name was wanted",
                   path);
  return CB_OK;
}

/* Opened without waiting for anybody: a pipe would block, a device might act. */
static cb_status check_file(const char *path, cb_err *err) {
  struct stat info;
  if (stat(path, &info) != 0) return cannot_write(path, err);
  CB_TRY(cb_file_check_regular(&info, path, "cannot be written: ", err));
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0)
    return cb_fail(err, CB_E_IO,
                   "%s: cannot be written: it cannot be read to see whether it is a database: %s", path,
                   strerror(errno));
  cb_status st = check_content(fd, path, err);
  (void)close(fd);
  return st;
}

/* SQLite's log, its index and its journal hold what the database has not yet. */
static cb_status check_companion(const char *path, cb_err *err) {
  static const char *const endings[] = {"-wal", "-shm", "-journal"};
  char database[CB_OUT_PATH_BYTES];
  size_t n = strlen(path);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    size_t m = strlen(endings[i]);
    if (n <= m || n >= sizeof database || strcmp(path + n - m, endings[i]) != 0) continue;
    memcpy(database, path, n - m);
    database[n - m] = '\0';
    if (access(database, F_OK) == 0 && check_file(database, NULL) != CB_OK)
      return cb_fail(err, CB_E_IO,
                     "%s: cannot be written: it belongs to the database %s, a new name was wanted", path,
                     database);
  }
  return CB_OK;
}

static cb_status check_folder_of(const char *path, cb_err *err) {
  char folder[CB_OUT_PATH_BYTES];
  const char *slash = strrchr(path, '/');
  struct stat info;
  (void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  return stat(folder, &info) == 0 ? CB_OK : cannot_write(path, err);
}

/* The target with every link followed; a name under which nothing stands as it is. */
static cb_status find_target(const char *path, char target[CB_OUT_PATH_BYTES], bool *exists, cb_err *err) {
  struct stat info;
  size_t n = strlen(path);
  *exists = true;
  if (n == 0) return cb_fail(err, CB_E_IO, "an output's name is empty, a file name was wanted");
  if (n >= CB_OUT_PATH_BYTES) return cb_fail(err, CB_E_IO, "%.200s...: the path is too long", path);
  if (realpath(path, target)) return CB_OK; /* it fills PATH_MAX bytes at most */
  if (errno != ENOENT) return cannot_write(path, err);
  if (lstat(path, &info) == 0)
    return cb_fail(err, CB_E_IO, "%s: cannot be written: it is a link to nothing", path);
  *exists = false;
  memcpy(target, path, n + 1);
  return check_folder_of(path, err);
}

static cb_status check_target(const char *path, char target[CB_OUT_PATH_BYTES], cb_err *err) {
  bool exists;
  CB_TRY(find_target(path, target, &exists, err));
  CB_TRY(check_companion(target, err));
  return exists ? check_file(path, err) : CB_OK;
}

cb_status cb_out_check(const char *path, cb_err *err) {
  char target[CB_OUT_PATH_BYTES];
  return check_target(path, target, err);
}

/* ---- inputs ---- */

static cb_status compare_inputs(const char *path, const struct stat *out, const char *const inputs[],
                                size_t n_inputs, cb_err *err) {
  struct stat in;
  for (size_t i = 0; i < n_inputs; i++) {
    if (!inputs[i] || stat(inputs[i], &in) != 0 || !S_ISREG(in.st_mode)) continue;
    if (in.st_dev == out->st_dev && in.st_ino == out->st_ino)
      return cb_fail(err, CB_E_IO,
                     "%s: cannot be written: it is the same file as %s, which this command reads", path,
                     inputs[i]);
  }
  return CB_OK;
}

cb_status cb_out_check_inputs(const char *path, const char *const inputs[], size_t n_inputs, cb_err *err) {
  struct stat out;
  return stat(path, &out) == 0 ? compare_inputs(path, &out, inputs, n_inputs, err) : CB_OK;
}

cb_status cb_out_check_folder(const char *folder, const char *const patterns[], const char *const inputs[],
                              size_t n_inputs, cb_err *err) {
  DIR *d = opendir(folder);
  cb_status st = CB_OK;
  for (struct dirent *e; d && st == CB_OK && (e = readdir(d));) {
    char path[CB_OUT_PATH_BYTES];
    bool ours = false;
    for (size_t i = 0; patterns[i]; i++) ours |= fnmatch(patterns[i], e->d_name, 0) == 0;
    if (ours && snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < (int)sizeof path)
      st = cb_out_check_inputs(path, inputs, n_inputs, err);
  }
  if (d) (void)closedir(d);
  return st;
}

/* ---- writing ---- */

/* A part that a killed process of the same number left behind is in the way once. */
cb_status cb_out_begin(cb_out *o, const char *path, cb_err *err) {
  o->fd = -1;
  CB_TRY(check_target(path, o->path, err));
  (void)snprintf(o->part, sizeof o->part, "%s.tmp%ld", o->path, (long)getpid());
  for (int again = 0; again < 2 && o->fd < 0; again++) {
    o->fd = open(o->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (o->fd >= 0 || errno != EEXIST) break;
    (void)unlink(o->part);
  }
  return o->fd >= 0 ? CB_OK : cannot_write(path, err);
}

cb_status cb_out_end(cb_out *o, cb_status st, cb_err *err) {
  bool whole = st == CB_OK && fsync(o->fd) == 0;
  int why = errno;
  if (close(o->fd) != 0 && whole) whole = false, why = errno;
  o->fd = -1;
  if (whole && rename(o->part, o->path) == 0) return CB_OK;
  if (whole) why = errno;
  (void)unlink(o->part);
  return st != CB_OK ? st : cb_fail(err, CB_E_IO, "%s: cannot be written: %s", o->path, strerror(why));
}

cb_status cb_out_grow(const char *path, FILE **out, cb_err *err) {
  struct stat info;
  char target[CB_OUT_PATH_BYTES];
  cb_status st = CB_OK;
  *out = NULL;
  CB_TRY(check_target(path, target, err));
  int fd = open(target, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
  if (fd < 0 || fstat(fd, &info) != 0) CB_GOTO(cannot_write(path, err));
  /* Once more on what was opened: it is what will be emptied. */
  CB_GOTO(cb_file_check_regular(&info, path, "cannot be written: ", err));
  CB_GOTO(check_content(fd, path, err));
  if (ftruncate(fd, 0) != 0 || !(*out = fdopen(fd, "w"))) CB_GOTO(cannot_write(path, err));
  return CB_OK;
done:
  if (fd >= 0) (void)close(fd);
  return st;
}
