/* clothbench db labels FILE.svg [SPECIMEN ...]: labels to print. */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "cli_db.h"
#include "cli_db_specimen.h"
#include "report_labels.h"

#define MOST 400

static void print_path(void *context, const char *path) {
  (void)context;
  printf("%s\n", path);
}

/* Those that were named; none: all. The caller frees *list. */
static cb_status list_specimens(cb_store *s, const char *const *names, size_t n_names, cb_specimen **list,
                                size_t *n, cb_err *err) {
  if (n_names == 0) return cb_store_specimens(s, list, n, err);
  *list = calloc(n_names, sizeof **list);
  if (!*list) return cb_no_memory(err, "%zu labels", n_names);
  cb_status st = CB_OK;
  for (*n = 0; *n < n_names && st == CB_OK; ++*n)
    st = cb_store_specimen_find(s, names[*n], &(*list)[*n], err);
  if (st != CB_OK) free(*list);
  return st;
}

static cb_status write_labels(cb_store *s, const char *const *words, size_t n_words, int per_page,
                              cb_err *err) {
  cb_specimen *list;
  size_t n;
  CB_TRY(list_specimens(s, words + 1, n_words - 1, &list, &n, err));
  const cb_status st =
      n > 0 ? report_labels_write(list, n, per_page, words[0], print_path, NULL, err)
            : cb_fail(err, CB_E_NOTFOUND, "%s: there are no specimens: 'clothbench db specimen add' adds one",
                      cb_store_path(s));
  free(list);
  return st;
}

int cli_db_labels(int argc, char **argv) {
  const char *words[1 + MOST] = {NULL}, *db = NULL;
  double per_page = 24;
  size_t n;
  const cli_opt opts[] = {
      {"per-page", CLI_NUMBER, &per_page, "8, 21, 24 (the default) or 40 labels on a sheet of A4"},
      {"db", CLI_TEXT, &db, "the database file"},
  };
  int stop = cli_parse(argc, argv, "db labels FILE.svg [SPECIMEN ...] [--per-page N] [--db FILE]", opts,
                       sizeof opts / sizeof opts[0], words, 1, 1 + MOST, &n);
  if (stop < 0) stop = cli_refuse_dash("db", "labels", words[0]);
  if (stop >= 0) return stop;
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(cli_db_path(db), CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = write_labels(s, words, n, (int)per_page, &err);
  return cli_db_finish(s, st, &err);
}
