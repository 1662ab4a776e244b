/* Which folder pages may be written into. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "report_html.h"

/* campaign-7-name.html, that of a cloth or pair, or the index. */
static bool is_page(const char *name) {
  static const char *const kinds[] = {"campaign-", "cloth-", "pair-"};
  const size_t n = strlen(name);
  if (strcmp(name, "index.html") == 0) return true;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const size_t m = strlen(kinds[i]);
    if (strncmp(name, kinds[i], m) == 0 && name[m] >= '1' && name[m] <= '9')
      return strcmp(name + n - 5, ".html") == 0;
  }
  return false;
}

/* The folder in which the database lies. */
static bool holds(const char *dir, const char *db_path) {
  char folder[4096];
  struct stat a, b;
  const char *slash = strrchr(db_path, '/');
  size_t n = slash ? (size_t)(slash - db_path) : 0;
  if (n >= sizeof folder) return false;
  memcpy(folder, db_path, n);
  folder[n] = '\0';
  if (stat(dir, &a) != 0 || stat(slash ? (n ? folder : "/") : ".", &b) != 0) return false;
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* stranger: a name that is no page's, if there is one. */
static bool look_into(DIR *d, char stranger[256]) {
  bool page = false;
  stranger[0] = '\0';
  for (const struct dirent *e; (e = readdir(d));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (is_page(e->d_name))
      page = true;
    else if (!stranger[0])
      (void)snprintf(stranger, 256, "%s", e->d_name);
  }
  return page;
}

cb_status report_folder_check(const char *dir, const char *db_path, cb_err *err) {
  char stranger[256];
  DIR *d = opendir(dir);
  if (!d && errno == ENOENT) return CB_OK;
  if (!d) return cb_fail(err, CB_E_IO, "%s: the folder cannot be read: %s", dir, strerror(errno));
  bool page = look_into(d, stranger);
  (void)closedir(d);
  if (page || !stranger[0] || holds(dir, db_path)) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "%s: the folder holds files that are no report, such as '%s': a new folder, an empty one or "
                 "that of an earlier report was "
                 "wanted",
                 dir, stranger);
}
