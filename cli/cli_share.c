#include "cli_share.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cb_language.h"

#define ABOVE_MOST 2 /* folders above the program's in which share/ is looked for */

/* A file below share/, beside the program; else the name. */
static const char *find_below_share(const char *name, char out[CLI_SHARE_PATH_BYTES]) {
  char folder[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
  folder[n > 0 ? n : 0] = '\0';
  (void)snprintf(out, CLI_SHARE_PATH_BYTES, "%s", name);
  for (int above = 0; above <= ABOVE_MOST; above++) {
    char *slash = strrchr(folder, '/');
    if (!slash) break;
    *slash = '\0';
    (void)snprintf(out, CLI_SHARE_PATH_BYTES, "%s/share/%s", folder, name);
    if (access(out, R_OK) == 0) break;
  }
  return out;
}

const char *cli_share_path(const char *name, char out[CLI_SHARE_PATH_BYTES]) {
  char below[CLI_SHARE_PATH_BYTES];
  (void)snprintf(below, sizeof below, "clothbench/%s", name);
  return find_below_share(below, out);
}

void cli_share_language(void) {
  char folder[CLI_SHARE_PATH_BYTES];
  cb_language_begin(find_below_share("locale", folder));
}

static bool is_shipped(const char *name) {
  static const char *const folders[] = {"rigs/", "scenes/", "materials/"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
    if (strncmp(name, folders[i], strlen(folders[i])) == 0) return true;
  return false;
}

const char *cli_share_find(const char *name) {
  static char found[CLI_SHARE_FOUND][CLI_SHARE_PATH_BYTES];
  static int n;
  if (n == CLI_SHARE_FOUND || !is_shipped(name) || access(name, F_OK) == 0) return name;
  const char *path = cli_share_path(name, found[n]);
  if (access(path, R_OK) != 0) return name;
  n++;
  return path;
}
