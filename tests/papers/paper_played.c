#include "paper_played.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cb_csv.h"
#include "cb_file.h"

#define MOST_BYTES ((size_t)1 << 20)

/* ---- file -> list ---- */

static const char *const columns[] = {"row", "what", "number", "commit", "date", "machine"};
enum { ROW, WHAT, NUMBER, COMMIT, DATE, MACHINE, COLUMNS };

static paper_value *find_value(paper_row *row, const char *what) {
  for (size_t k = 0; row && k < row->n_values; k++)
    if (strcmp(row->value[k].what, what) == 0) return &row->value[k];
  return NULL;
}

static cb_status take_record(const cb_csv *csv, size_t i, const size_t at[], const paper_list *list,
                             cb_err *err) {
  const char *id = cb_csv_cell(csv, i, at[ROW]), *what = cb_csv_cell(csv, i, at[WHAT]);
  paper_row *row = paper_list_find(list, id);
  paper_value *v = find_value(row, what);
  if (!v)
    return cb_fail(err, CB_E_PARSE, "%s:%d: row '%s' has no value '%s': one of papers.yaml was wanted",
                   cb_csv_name(csv), cb_csv_line(csv, i), id, what);
  v->number = strtod(cb_csv_cell(csv, i, at[NUMBER]), NULL);
  (void)snprintf(row->commit, sizeof row->commit, "%s", cb_csv_cell(csv, i, at[COMMIT]));
  (void)snprintf(row->date, sizeof row->date, "%s", cb_csv_cell(csv, i, at[DATE]));
  (void)snprintf(row->machine, sizeof row->machine, "%s", cb_csv_cell(csv, i, at[MACHINE]));
  return CB_OK;
}

static cb_status take_records(const cb_csv *csv, const paper_list *list, cb_err *err) {
  size_t at[COLUMNS];
  for (int c = 0; c < COLUMNS; c++) CB_TRY(cb_csv_find(csv, columns[c], &at[c], err));
  for (size_t i = 0; i < cb_csv_rows(csv); i++) CB_TRY(take_record(csv, i, at, list, err));
  return CB_OK;
}

cb_status paper_played_read(const char *path, paper_list *list, cb_err *err) {
  const cb_csv_options opt = cb_csv_options_default();
  char *text;
  size_t n;
  cb_csv *csv;
  if (access(path, F_OK) != 0) return CB_OK;
  CB_TRY(cb_file_read(path, MOST_BYTES, &text, &n, err));
  cb_status st = cb_csv_parse(text, n, path, &opt, &csv, err);
  free(text);
  if (st == CB_OK) st = take_records(csv, list, err);
  cb_csv_free(csv);
  return st;
}

/* ---- list -> file ---- */

static void write_row(const paper_row *r, FILE *to) {
  for (size_t k = 0; k < r->n_values; k++) {
    if (isnan(r->value[k].number)) continue;
    fprintf(to, "%s,", r->id);
    cb_csv_put_text(to, r->value[k].what);
    fprintf(to, ",%.10g,%s,%s,", r->value[k].number, r->commit, r->date);
    cb_csv_put_text(to, r->machine);
    fprintf(to, "\n");
  }
}

cb_status paper_played_write(const char *path, const paper_list *list, cb_err *err) {
  char *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&text, &n);
  if (!to) return cb_no_memory(err, "%s", path);
  for (int c = 0; c < COLUMNS; c++) fprintf(to, "%s%s", columns[c], c + 1 < COLUMNS ? "," : "\n");
  for (size_t p = 0; p < list->n; p++)
    for (size_t i = 0; i < list->paper[p].n_rows; i++) write_row(&list->paper[p].row[i], to);
  const cb_status st = fclose(to) == 0 ? cb_file_write(path, text, n, err) : cb_no_memory(err, "%s", path);
  free(text);
  return st;
}

/* ---- now ---- */

/* The first line of what a command prints; "unknown" if it prints none. */
static void ask(const char *command, char *out, size_t size) {
  FILE *p = popen(command, "r");
  if (!p || !fgets(out, (int)size, p)) (void)snprintf(out, size, "unknown");
  if (p) (void)pclose(p);
  out[strcspn(out, "\n")] = '\0';
}

void paper_played_mark(const char *top, paper_row *row) {
  char line[600], model[60], changed[20];
  const time_t now = time(NULL);
  struct tm day;
  (void)snprintf(line, sizeof line, "git -C '%s' rev-parse --short=10 HEAD", top);
  ask(line, row->commit, sizeof row->commit - sizeof "-dirty");
  /* the file of numbers and the page made of it may have changed */
  (void)snprintf(line, sizeof line,
                 "git -C '%s' status --porcelain -- . ':!tests/papers/played.csv' ':!docs/method/gallery.md'"
                 " | grep -c .",
                 top);
  ask(line, changed, sizeof changed);
  if (strcmp(changed, "0") != 0) strcat(row->commit, "-dirty");
  ask("sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1", model, sizeof model);
  (void)snprintf(row->machine, sizeof row->machine, "%ld x %s", sysconf(_SC_NPROCESSORS_ONLN), model);
  (void)strftime(row->date, sizeof row->date, "%Y-%m-%d", gmtime_r(&now, &day));
}
