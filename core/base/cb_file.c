#define _XOPEN_SOURCE 700 /* nftw */
#include "cb_file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cb_out.h"

cb_status cb_file_check_regular(const struct stat *info, const char *path, const char *what, cb_err *err) {
  const char *kind = S_ISREG(info->st_mode)    ? NULL
                     : S_ISDIR(info->st_mode)  ? "folder"
                     : S_ISFIFO(info->st_mode) ? "pipe"
                     : S_ISSOCK(info->st_mode) ? "socket"
                                               : "device";
  return kind ? cb_fail(err, CB_E_IO, "%s: %sis a %s: a regular file was wanted", path, what, kind) : CB_OK;
}

/* Without O_NONBLOCK a pipe would block here, for ever if nobody writes to it. */
static cb_status open_regular(const char *path, int *fd, struct stat *info, cb_err *err) {
  *fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (*fd < 0 && errno == ENXIO)
    return cb_fail(err, CB_E_IO, "%s: is a socket or device: a regular file was wanted", path);
  if (*fd < 0 || fstat(*fd, info) != 0)
    return cb_fail(err, CB_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
  return cb_file_check_regular(info, path, "", err);
}

/* To the end, or to one byte more than is allowed. */
static cb_status read_all(int fd, const char *path, size_t max_bytes, size_t expected, char **text, size_t *n,
                          cb_err *err) {
  size_t cap = expected < max_bytes ? expected + 1 : max_bytes + 1;
  for (;;) {
    char *grown = realloc(*text, cap + 1);
    if (!grown) return cb_no_memory(err, "%s, %zu bytes", path, cap);
    *text = grown;
    while (*n < cap) {
      ssize_t got = read(fd, *text + *n, cap - *n);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return cb_fail(err, CB_E_IO, "%s: read failed: %s", path, strerror(errno));
      if (got == 0) break;
      *n += (size_t)got;
    }
    if (*n > max_bytes)
      return cb_fail(err, CB_E_RANGE, "%s: larger than the allowed %zu bytes", path, max_bytes);
    (*text)[*n] = '\0';
    if (*n < cap) return CB_OK;
    cap = cap < max_bytes / 2 ? 2 * cap + 4096 : max_bytes + 1;
  }
}

cb_status cb_file_read(const char *path, size_t max_bytes, char **text, size_t *n, cb_err *err) {
  cb_status st;
  struct stat info;
  int fd = -1;
  *text = NULL;
  *n = 0;
  CB_GOTO(open_regular(path, &fd, &info, err));
  if (info.st_size > 0 && (size_t)info.st_size > max_bytes)
    CB_GOTO(cb_fail(err, CB_E_RANGE, "%s: larger than the allowed %zu bytes", path, max_bytes));
  st = read_all(fd, path, max_bytes, (size_t)info.st_size, text, n, err);
done:
  if (fd >= 0) (void)close(fd);
  if (st == CB_OK) return CB_OK;
  free(*text);
  *text = NULL;
  *n = 0;
  return st;
}

static cb_status write_all(int fd, const char *path, const void *data, size_t n, cb_err *err) {
  const char *at = data;
  while (n > 0) {
    ssize_t put = write(fd, at, n);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return cb_fail(err, CB_E_IO, "%s: cannot be written: %s", path, strerror(errno));
    at += put;
    n -= (size_t)put;
  }
  return CB_OK;
}

cb_status cb_file_write(const char *path, const void *data, size_t n, cb_err *err) {
  cb_out o;
  CB_TRY(cb_out_begin(&o, path, err));
  return cb_out_end(&o, write_all(o.fd, path, data, n, err), err);
}

cb_status cb_dir_make(const char *path, cb_err *err) {
  char part[4096];
  size_t n = strlen(path);
  if (n == 0 || n >= sizeof part) return cb_fail(err, CB_E_IO, "'%.100s': not a usable folder name", path);
  memcpy(part, path, n + 1);
  for (char *p = part + 1;; p++) {
    if (*p != '/' && *p != '\0') continue;
    char end = *p;
    *p = '\0';
    struct stat info;
    if (mkdir(part, 0777) != 0 && (errno != EEXIST || stat(part, &info) != 0 || !S_ISDIR(info.st_mode)))
      return cb_fail(err, CB_E_IO, "%s: the folder cannot be made: %s", part,
                     errno == EEXIST ? "a file of that name exists" : strerror(errno));
    *p = end;
    if (end == '\0') return CB_OK;
  }
}

cb_status cb_dir_make_temporary(const char *prefix, char *out, size_t size, cb_err *err) {
  const char *place = getenv("TMPDIR");
  const int n = snprintf(out, size, "%s/%s-XXXXXX", place && place[0] ? place : "/tmp", prefix);
  if (n > 0 && (size_t)n < size && mkdtemp(out)) return CB_OK;
  const int why = errno;
  cb_err_say(err, "%s: the folder cannot be made: %s", out, strerror(why));
  out[0] = '\0';
  return CB_E_IO;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)info, (void)kind, (void)at;
  return remove(path);
}

void cb_dir_remove(const char *path) { (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
