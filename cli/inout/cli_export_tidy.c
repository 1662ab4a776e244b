/* clothbench export runs | points | laws | traces: measurements as tidy tables, with their columns beside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_num.h"
#include "cb_out.h"
#include "cli.h"
#include "cli_export.h"

/* "points.csv" -> "points.columns.csv" */
static void name_columns(const char *path, char out[CB_OUT_PATH_BYTES]) {
  const size_t n = strlen(path), end = n > 4 && strcmp(path + n - 4, ".csv") == 0 ? n - 4 : n;
  (void)snprintf(out, CB_OUT_PATH_BYTES, "%.*s.columns.csv", (int)end, path);
}

static cb_status write_table(cb_store *s, const cli_export_tidy *q, FILE *to, cb_err *err) {
  return lab_tidy_write(s, q->what, q->runs, q->n_runs, to, err);
}

static cb_status write_columns(cb_store *s, const cli_export_tidy *q, FILE *to, cb_err *err) {
  (void)s;
  lab_tidy_dictionary(q->what, to);
  return ferror(to) ? cb_fail(err, CB_E_IO, "the list of columns cannot be written") : CB_OK;
}

/* A file that is whole or not there. */
static cb_status write_file(cb_store *s, const cli_export_tidy *q, const char *path,
                            cb_status (*write)(cb_store *, const cli_export_tidy *, FILE *, cb_err *),
                            cb_err *err) {
  cb_out o;
  CB_TRY(cb_out_begin(&o, path, err));
  const int fd = dup(o.fd);
  FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
  cb_status st = to ? write(s, q, to, err) : cb_fail(err, CB_E_IO, "%s: cannot be written", path);
  if (to && fclose(to) != 0 && st == CB_OK) st = cb_fail(err, CB_E_IO, "%s: cannot be written", path);
  return cb_out_end(&o, st, err);
}

static cb_status export_from(cb_store *s, const cli_export_tidy *q, cb_err *err) {
  char columns[CB_OUT_PATH_BYTES];
  if (strcmp(q->out, "-") == 0) {
    CB_TRY(write_table(s, q, stdout, err));
    return fflush(stdout) == 0 ? CB_OK : cb_fail(err, CB_E_IO, "standard output: cannot be written");
  }
  name_columns(q->out, columns);
  CB_TRY(write_file(s, q, q->out, write_table, err));
  CB_TRY(write_file(s, q, columns, write_columns, err));
  printf("%s\n%s\n", q->out, columns);
  return CB_OK;
}

int cli_export_tidy_table(const char *db, const cli_export_tidy *q) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, export_from(s, q, &err), &err);
  return st == CB_OK ? CLI_DONE : cli_fail("export", st, &err);
}
