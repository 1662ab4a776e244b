#include "sim_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_bytes.h"
#include "cb_file.h"

#define MAX_BYTES ((size_t)1 << 32)
#define PATH_BYTES 512

struct sim_table {
  char path[PATH_BYTES];
  FILE *file;
  double *value; /* n */
  int n;
};

static cb_status fail_to_write(const sim_table *t, cb_err *err) {
  return cb_fail(err, CB_E_IO, "%s: cannot be written: %s", t->path, strerror(errno));
}

static void put_header(const sim_play *play, cb_bytes *b) {
  const int n = sim_play_columns(play);
  for (int k = 0; k < n; k++) cb_bytes_text(b, "%s%s", k > 0 ? "," : "", sim_play_column(play, k));
  cb_bytes_text(b, "\n");
}

/* The file with what it begins with, whole or not at all; rows go behind. */
static cb_status open_table(const sim_play *play, const char *path, cb_bytes *begin, sim_table **out,
                            cb_err *err) {
  sim_table *t = calloc(1, sizeof *t);
  cb_status st = CB_OK;
  *out = NULL;
  if (t == NULL) return cb_no_memory(err, "%s", path);
  (void)snprintf(t->path, sizeof t->path, "%s", path);
  t->n = sim_play_columns(play);
  t->value = calloc((size_t)t->n, sizeof *t->value);
  if (t->value == NULL) st = cb_no_memory(err, "%s, %d columns", path, t->n);
  if (st == CB_OK) st = cb_bytes_write(begin, path, err);
  if (st == CB_OK) t->file = fopen(path, "ae");
  if (st == CB_OK && t->file == NULL) st = fail_to_write(t, err);
  if (st == CB_OK)
    *out = t;
  else
    sim_table_close(t);
  return st;
}

cb_status sim_table_new(const sim_play *play, const char *path, sim_table **out, cb_err *err) {
  cb_bytes begin = {0};
  put_header(play, &begin);
  cb_status st = open_table(play, path, &begin, out, err);
  cb_bytes_clear(&begin);
  return st;
}

/* Whole rows up to this time. */
static void put_rows(cb_bytes *b, const char *row, double time_s) {
  for (const char *end; *row && (end = strchr(row, '\n')); row = end + 1) {
    if (!(strtod(row, NULL) <= time_s)) break;
    cb_bytes_put(b, row, (size_t)(end + 1 - row));
  }
}

cb_status sim_table_resume(const sim_play *play, const char *path, sim_table **out, cb_err *err) {
  char *text;
  size_t n;
  cb_bytes begin = {0};
  *out = NULL;
  CB_TRY(cb_file_read(path, MAX_BYTES, &text, &n, err));
  put_header(play, &begin);
  cb_status st = CB_OK;
  if (begin.failed) {
    st = cb_no_memory(err, "%s", path);
  } else if (n < begin.n || memcmp(text, begin.data, begin.n) != 0) {
    st = cb_fail(err, CB_E_PARSE, "%s: has other columns than this run", path);
  } else {
    put_rows(&begin, text + begin.n, sim_play_time(play));
    st = open_table(play, path, &begin, out, err);
  }
  cb_bytes_clear(&begin);
  free(text);
  return st;
}

cb_status sim_table_add(sim_table *t, sim_play *play, cb_err *err) {
  sim_play_row(play, t->value);
  for (int k = 0; k < t->n; k++) (void)fprintf(t->file, "%s%.17g", k > 0 ? "," : "", t->value[k]);
  (void)fputc('\n', t->file);
  return fflush(t->file) == 0 && !ferror(t->file) ? CB_OK : fail_to_write(t, err);
}

cb_status sim_table_sync(sim_table *t, cb_err *err) {
  return fsync(fileno(t->file)) == 0 ? CB_OK : fail_to_write(t, err);
}

void sim_table_close(sim_table *t) {
  if (t == NULL) return;
  if (t->file != NULL) (void)fclose(t->file);
  free(t->value);
  free(t);
}
