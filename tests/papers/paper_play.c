#include "paper_play.h"

#include <jansson.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_csv.h"
#include "cb_file.h"
#include "paper_played.h"

#define PATH_BYTES 1024
#define OUTPUT_BYTES ((size_t)64 << 20)
#define NEGATIVE_VERDICT 3

/* ---- the folder ---- */

static cb_status make_folder(const paper_row *row, const char *top, const char *folder, char *out,
                             cb_err *err) {
  static const char *const seen[] = {"scenes", "rigs", "materials", "materials.db", "docs"};
  (void)snprintf(out, PATH_BYTES, "%s/%s", folder, row->id);
  CB_TRY(cb_dir_make(out, err));
  for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
    char from[PATH_BYTES], to[PATH_BYTES + 32];
    (void)snprintf(from, sizeof from, "%s/%s", top, seen[i]);
    (void)snprintf(to, sizeof to, "%s/%s", out, seen[i]);
    (void)unlink(to);
    if (symlink(from, to) != 0) return cb_fail(err, CB_E_IO, "%s: the link cannot be made", to);
  }
  return CB_OK;
}

/* ---- the commands ---- */

static cb_status run_command(const paper_row *row, size_t i, const char *at, cb_err *err) {
  char line[PATH_BYTES + 600];
  fprintf(stderr, "%s: %s\n", row->id, row->command[i]);
  (void)snprintf(line, sizeof line, "cd '%s' && { %s; } >%zu.out", at, row->command[i], i + 1);
  const int end = system(line);
  const int code = end >= 0 && WIFEXITED(end) ? WEXITSTATUS(end) : -1;
  if (code == 0 || (code == NEGATIVE_VERDICT && row->negative)) return CB_OK;
  return cb_fail(err, CB_E_IO, "row %s, '%s': ended with %d, %s was wanted", row->id, row->command[i], code,
                 row->negative ? "0 or 3" : "0");
}

/* ---- the values ---- */

/* "/a/0/b": objects by key, lists by number. */
static const json_t *find_node(const json_t *at, const char *pointer) {
  while (at && *pointer == '/') {
    char key[80];
    const size_t n = strcspn(++pointer, "/");
    (void)snprintf(key, sizeof key, "%.*s", (int)n, pointer);
    at = json_is_array(at) ? json_array_get(at, strtoul(key, NULL, 10)) : json_object_get(at, key);
    pointer += n;
  }
  return at;
}

static double number_of(const json_t *v) {
  if (json_is_boolean(v)) return json_is_true(v) ? 1 : 0;
  return json_is_number(v) ? json_number_value(v) : NAN;
}

static double read_pointer(const char *text, size_t n, const char *pointer) {
  json_t *doc = json_loadb(text, n, 0, NULL);
  const double v = number_of(find_node(doc, pointer));
  json_decref(doc);
  return v;
}

static double read_match(const char *text, const char *pattern) {
  regex_t re;
  regmatch_t part[2];
  double v = NAN;
  if (regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE) != 0) return NAN;
  if (regexec(&re, text, 2, part, 0) == 0 && part[1].rm_so >= 0) v = strtod(text + part[1].rm_so, NULL);
  regfree(&re);
  return v;
}

/* The highest, the lowest, or their difference, over a column of a table. */
static cb_status read_column(const char *path, const char *text, size_t n, const char *asked, double *out,
                             cb_err *err) {
  const cb_csv_options opt = cb_csv_options_default();
  double low = INFINITY, high = -INFINITY;
  size_t column;
  cb_csv *csv;
  CB_TRY(cb_csv_parse(text, n, path, &opt, &csv, err));
  const cb_status st = cb_csv_find(csv, strchr(asked, ' ') + 1, &column, err);
  for (size_t i = 0; st == CB_OK && i < cb_csv_rows(csv); i++) {
    const double x = strtod(cb_csv_cell(csv, i, column), NULL);
    low = fmin(low, x), high = fmax(high, x);
  }
  cb_csv_free(csv);
  *out = asked[0] == 'm' ? high : asked[0] == 'l' ? low : high - low;
  return st;
}

static bool asks_column(const char *rest) {
  return strncmp(rest, "most ", 5) == 0 || strncmp(rest, "least ", 6) == 0 || strncmp(rest, "range ", 6) == 0;
}

/* Splits "N /pointer", "N ~regex" or "N >FILE regex" and finds the number. */
static cb_status read_number(const paper_row *row, const paper_value *v, const char *at, double *out,
                             cb_err *err) {
  char path[2 * PATH_BYTES], file[120], *rest, *text = NULL;
  size_t n;
  const unsigned long command = strtoul(v->read, &rest, 10);
  rest += strspn(rest, " ");
  (void)snprintf(file, sizeof file, "%lu.out", command);
  if (*rest == '>') {
    const size_t length = strcspn(rest + 1, " ");
    (void)snprintf(file, sizeof file, "%.*s", (int)length, rest + 1);
    rest += 1 + length + strspn(rest + 1 + length, " ");
  } else if (*rest == '~') {
    rest++;
  }
  (void)snprintf(path, sizeof path, "%s/%s", at, file);
  CB_TRY(cb_file_read(path, OUTPUT_BYTES, &text, &n, err));
  if (asks_column(rest)) {
    const cb_status st = read_column(path, text, n, rest, out, err);
    free(text);
    return st;
  }
  *out = *rest == '/' ? read_pointer(text, n, rest) : read_match(text, rest);
  free(text);
  return isnan(*out)
             ? cb_fail(err, CB_E_NOTFOUND, "row %s, '%s': no number at '%s'", row->id, v->what, v->read)
             : CB_OK;
}

static cb_status play_value(const paper_row *row, paper_value *v, const char *at, cb_err *err) {
  char wanted[60];
  CB_TRY(read_number(row, v, at, &v->number, err));
  paper_value_wanted(v, wanted);
  printf("%s: %.6g (wanted: %s)%s; paper: %s\n", v->what, v->number, wanted,
         v->number < v->least || v->number > v->most ? " - OUTSIDE" : "", v->paper[0] ? v->paper : "none");
  return CB_OK;
}

cb_status paper_play(paper_row *row, const char *top, const char *folder, cb_err *err) {
  char at[PATH_BYTES];
  CB_TRY(make_folder(row, top, folder, at, err));
  for (size_t i = 0; i < row->n_commands; i++) CB_TRY(run_command(row, i, at, err));
  printf("%s: %s\n", row->id, row->shows);
  for (size_t i = 0; i < row->n_values; i++) CB_TRY(play_value(row, &row->value[i], at, err));
  paper_played_mark(top, row);
  printf("verdict: %s%s%s\n", paper_row_word(row), row->because[0] ? ", " : "", row->because);
  printf("files: %s\n", at);
  return CB_OK;
}
