/* clothbench export view: the page of a run, afterwards. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_export.h"
#include "cli_sim.h"
#include "show_view.h"

/* A folder of `sim` stands for its frames.show. */
static const char *frames_of(const char *path, char out[CLI_SIM_PATH_BYTES]) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) return path;
  (void)snprintf(out, CLI_SIM_PATH_BYTES, "%s/%s", path, SHOW_FRAMES_FILE);
  return out;
}

int cli_export_view(const char *folder, const char *against, const char *out) {
  char frames[CLI_SIM_PATH_BYTES], table[CLI_SIM_PATH_BYTES], other[CLI_SIM_PATH_BYTES];
  cb_err err = {""};
  const int stop = cli_refuse_dash("export", "view --out", out);
  if (stop >= 0) return stop;
  (void)snprintf(table, sizeof table, "%s/%s", folder, CLI_SIM_TABLE);
  const show_view v = {.frames = frames_of(folder, frames),
                       .table = table,
                       .against = against ? frames_of(against, other) : NULL};
  const cb_status st = show_view_write(&v, out, &err);
  if (st != CB_OK) return cli_fail("export", st, &err);
  printf("%s\n", out);
  return CLI_DONE;
}
