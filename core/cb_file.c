#include "cb_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

cb_status cb_file_read(const char *path, size_t max_bytes, char **text, size_t *n, cb_err *err) {
  *text = NULL;
  *n = 0;
  cb_status st = CB_OK;
  char *buf = NULL;
  FILE *f = fopen(path, "rbe");
  if (!f) return cb_fail(err, CB_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
  struct stat info;
  if (fstat(fileno(f), &info) == 0 && S_ISDIR(info.st_mode)) {
    st = cb_fail(err, CB_E_IO, "%s: is a directory, a file was wanted", path);
    goto done;
  }
  size_t cap = 4096, used = 0;
  for (;;) {
    char *grown = realloc(buf, cap + 1);
    if (!grown) {
      st = cb_fail(err, CB_E_NOMEM, "%s: no memory for %zu bytes", path, cap);
      goto done;
    }
    buf = grown;
    used += fread(buf + used, 1, cap - used, f);
    if (used < cap) break;
    if (used > max_bytes) break;
    cap *= 2;
  }
  if (ferror(f))
    st = cb_fail(err, CB_E_IO, "%s: read failed: %s", path, strerror(errno));
  else if (used > max_bytes)
    st = cb_fail(err, CB_E_RANGE, "%s: larger than the allowed %zu bytes", path, max_bytes);
  if (st != CB_OK) goto done;
  buf[used] = '\0';
  *text = buf;
  *n = used;
  buf = NULL;
done:
  free(buf);
  fclose(f);
  return st;
}

cb_status cb_file_write(const char *path, const void *data, size_t n, cb_err *err) {
  char tmp[4096];
  int len = snprintf(tmp, sizeof tmp, "%s.tmp%ld", path, (long)getpid());
  if (len < 0 || (size_t)len >= sizeof tmp) return cb_fail(err, CB_E_IO, "%.200s...: the path is too long", path);
  FILE *f = fopen(tmp, "wbe");
  if (!f) return cb_fail(err, CB_E_IO, "%s: cannot be written: %s", path, strerror(errno));
  int failed = fwrite(data, 1, n, f) != n;
  failed |= fflush(f) != 0;
  failed = failed || fsync(fileno(f)) != 0;
  int why = errno;
  failed |= fclose(f) != 0;
  if (!failed && rename(tmp, path) == 0) return CB_OK;
  if (!failed) why = errno;
  unlink(tmp);
  return cb_fail(err, CB_E_IO, "%s: cannot be written: %s", path, strerror(why));
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
