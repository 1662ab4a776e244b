#include "cli_share.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* PREFIX of PREFIX/bin/clothbench; false: the program lies elsewhere, or its path is not known. */
static bool find_prefix(char out[PATH_MAX]) {
  ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
  if (n <= 0) return false;
  out[n] = '\0';
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(out, '/');
    if (!slash || (up == 1 && strcmp(slash, "/bin") != 0)) return false;
    *slash = '\0';
  }
  return true;
}

const char *cli_share_path(const char *name, char out[CLI_SHARE_PATH_BYTES]) {
  char prefix[PATH_MAX];
  if (find_prefix(prefix)) {
    (void)snprintf(out, CLI_SHARE_PATH_BYTES, "%s/" CLI_SHARE_FOLDER "/%s", prefix, name);
    if (access(out, R_OK) == 0) return out;
  }
  (void)snprintf(out, CLI_SHARE_PATH_BYTES, "%s/%s", CLI_SOURCE_FOLDER, name);
  return out;
}
