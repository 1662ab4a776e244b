#include "cb_csv.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "cb_cell.h"
#include "cb_num.h"
#include "cb_plural.h"
#include "cb_text.h"

#define MAX_COLUMNS 10000  /* every name of the header is compared with every other */
#define MAX_CELLS 50000000 /* 400 MB of pointers */

/* What makes a spreadsheet take a text for a formula (OWASP, "CSV injection"), and our own sign against it.
 * Tab and carriage return do so too: as control characters they never get into a cell. */
static const char formula_signs[] = "=+-@'";

/* Some spreadsheets take blanks off first. */
static bool is_formula(const char *text) {
  text += strspn(text, " ");
  return *text && strchr(formula_signs, *text);
}

struct cb_csv {
  char *name;
  char *text;   /* the file; cells are cut out of it in place */
  char **cells; /* n_records * columns, the header first if there is one */
  int *lines;   /* line of each record */
  size_t n_cells, cap_cells, n_records, cap_records, columns;
  bool has_header, complete;
};

cb_csv_options cb_csv_options_default(void) {
  return (cb_csv_options){.separator = ',', .has_header = true, .max_bytes = (size_t)256 << 20};
}

void cb_csv_free(cb_csv *csv) {
  if (!csv) return;
  free(csv->name);
  free(csv->text);
  free(csv->cells);
  free(csv->lines);
  free(csv);
}

static cb_status push_cell(cb_csv *csv, char *cell, cb_err *err) {
  if (csv->n_cells >= MAX_CELLS)
    return cb_fail(err, CB_E_RANGE, "%s: more than %d cells", csv->name, MAX_CELLS);
  if (csv->n_cells == csv->cap_cells) {
    char **grown = cb_array_grow(csv->cells, &csv->cap_cells, csv->n_cells + 1, sizeof *grown);
    if (!grown) return cb_no_memory(err, "%s, %zu cells", csv->name, 2 * csv->n_cells);
    csv->cells = grown;
  }
  csv->cells[csv->n_cells++] = cell;
  return CB_OK;
}

static cb_status push_record(cb_csv *csv, int line, size_t width, cb_err *err) {
  if (width > MAX_COLUMNS)
    return cb_fail(err, CB_E_RANGE, "%s:%d: %zu column%s: at most %d are read", csv->name, line, width,
                   CB_S(width), MAX_COLUMNS);
  if (csv->columns == 0) csv->columns = width;
  /* Some programs end each row of numbers with a separator, but not the header. */
  for (; width > csv->columns && !csv->cells[csv->n_cells - 1][0]; width--) csv->n_cells--;
  if (width != csv->columns)
    return cb_fail(
        err, CB_E_PARSE,
        "%s:%d: %zu cell%s, but the first line has %zu: is the line truncated or a separator missing?",
        csv->name, line, width, CB_S(width), csv->columns);
  if (csv->n_records == csv->cap_records) {
    int *grown = cb_array_grow(csv->lines, &csv->cap_records, csv->n_records + 1, sizeof *grown);
    if (!grown) return cb_no_memory(err, "%s, %zu lines", csv->name, 2 * csv->n_records);
    csv->lines = grown;
  }
  csv->lines[csv->n_records++] = line;
  return CB_OK;
}

/* Where the scanner stands. Cells are unquoted in place: the text only ever gets shorter. */
typedef struct scanner {
  char *p;
  int line;
  char separator;
} scanner;

static bool at_end_of_line(const scanner *s) { return *s->p == '\0' || *s->p == '\n' || *s->p == '\r'; }

static void skip_end_of_line(scanner *s) {
  if (*s->p == '\0') return;
  if (s->p[0] == '\r' && s->p[1] == '\n') s->p++;
  s->p++;
  s->line++;
}

static cb_status scan_quoted(scanner *s, const char *name, char **cell, cb_err *err) {
  int opened = s->line;
  char *out = ++s->p;
  *cell = out;
  for (;;) {
    if (*s->p == '\0')
      return cb_fail(err, CB_E_PARSE, "%s:%d: the quote opened here is never closed", name, opened);
    if (*s->p == '"') {
      if (s->p[1] != '"') break;
      s->p++;
    }
    if (*s->p == '\n') s->line++;
    *out++ = *s->p++;
  }
  s->p++; /* the closing quote leaves room for the terminator */
  *out = '\0';
  if ((*cell)[0] == '\'' && is_formula(*cell + 1)) (*cell)++; /* as cb_csv_put_text writes it */
  while (*s->p == ' ') s->p++;
  if (!at_end_of_line(s) && *s->p != s->separator)
    return cb_fail(err, CB_E_PARSE,
                   "%s:%d: '%c' after a closing quote: a separator or the end of the line was wanted", name,
                   s->line, *s->p);
  return CB_OK;
}

/* The terminator cannot be written yet (it may stand on the separator): *end is where it belongs. */
static void scan_plain(scanner *s, char **cell, char **end) {
  while ((*s->p == ' ' || *s->p == '\t') && *s->p != s->separator) s->p++;
  *cell = s->p;
  while (!at_end_of_line(s) && *s->p != s->separator) s->p++;
  char *e = s->p;
  while (e > *cell && (e[-1] == ' ' || e[-1] == '\t')) e--;
  *end = e;
}

/* Spreadsheets write a blank row as separators. The record goes if its cells are empty and more than one. */
static bool drop_blank(cb_csv *csv, size_t width) {
  for (size_t i = csv->n_cells - width; i < csv->n_cells; i++)
    if (csv->cells[i][0]) return false;
  if (width > 1) csv->n_cells -= width;
  return width > 1;
}

static cb_status scan_record(cb_csv *csv, scanner *s, cb_err *err) {
  int line = s->line;
  size_t width = 0;
  for (;;) {
    char *cell, *end = NULL;
    const bool quoted = *s->p == '"';
    if (quoted)
      CB_TRY(scan_quoted(s, csv->name, &cell, err));
    else
      scan_plain(s, &cell, &end);
    CB_TRY(push_cell(csv, cell, err));
    width++;
    bool more = *s->p == s->separator && !at_end_of_line(s);
    csv->complete = *s->p != '\0' || quoted;
    if (more)
      s->p++;
    else
      skip_end_of_line(s);
    if (end) *end = '\0';
    if (more) continue;
    return width <= MAX_COLUMNS && drop_blank(csv, width) ? CB_OK : push_record(csv, line, width, err);
  }
}

static char guess_separator(const char *text) {
  size_t count[3] = {0};
  const char candidates[] = ",;\t";
  bool quoted = false;
  for (; *text && (quoted || (*text != '\n' && *text != '\r')); text++) {
    if (*text == '"') quoted = !quoted;
    const char *hit = quoted ? NULL : strchr(candidates, *text);
    if (hit && *hit) count[hit - candidates]++;
  }
  size_t best = 0;
  for (size_t i = 1; i < 3; i++)
    if (count[i] > count[best]) best = i;
  return candidates[best];
}

/* "sep=;" in the first line tells a spreadsheet the separator. Returns it, 0 without such a line. */
static char skip_separator_line(scanner *s) {
  if (strncmp(s->p, "sep=", 4) != 0 || !s->p[4] || (s->p[5] != '\n' && s->p[5] != '\r')) return 0;
  const char separator = s->p[4];
  s->p += 5;
  skip_end_of_line(s);
  return separator;
}

static bool skip_noise(scanner *s) {
  char *start = s->p;
  while (*s->p == ' ') s->p++;
  bool noise = *s->p != '\0' && (at_end_of_line(s) || *s->p == '#');
  if (!noise) {
    if (*s->p != '\0') s->p = start;
    return false;
  }
  while (!at_end_of_line(s)) s->p++;
  skip_end_of_line(s);
  return true;
}

static cb_status check_header(const cb_csv *csv, cb_err *err) {
  for (size_t i = 0; csv->has_header && i < csv->columns; i++)
    for (size_t j = 0; j < i; j++)
      if (csv->cells[i][0] && strcmp(csv->cells[i], csv->cells[j]) == 0)
        return cb_fail(err, CB_E_PARSE, "%s:%d: the column '%s' stands twice in the header", csv->name,
                       csv->lines[0], csv->cells[i]);
  if (cb_csv_rows(csv) == 0) return cb_fail(err, CB_E_PARSE, "%s: no data lines", csv->name);
  return CB_OK;
}

/* Takes over text. */
static cb_status parse_owned(char *text, size_t n, const char *name, const cb_csv_options *opt, cb_csv **out,
                             cb_err *err) {
  cb_status st = CB_OK;
  *out = NULL;
  cb_csv *csv = calloc(1, sizeof *csv);
  if (csv) csv->name = strdup(name);
  if (!csv || !csv->name) {
    free(text);
    cb_csv_free(csv);
    return cb_no_memory(err, "%s", name);
  }
  csv->text = text;
  csv->has_header = opt->has_header;
  scanner s = {.p = text, .line = 1};
  const char *nul = memchr(text, '\0', n);
  if (nul) {
    st = cb_fail(err, CB_E_PARSE, "%s: a NUL byte at offset %zu: not a text table", name,
                 (size_t)(nul - text));
    goto done;
  }
  if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) s.p += 3;
  const char told = opt->skip_lines == 0 ? skip_separator_line(&s) : 0;
  for (int i = 0; i < opt->skip_lines && *s.p != '\0'; i++) {
    while (!at_end_of_line(&s)) s.p++;
    skip_end_of_line(&s);
  }
  while (skip_noise(&s)) {
  }
  s.separator = opt->separator ? opt->separator : told ? told : guess_separator(s.p);
  while (*s.p != '\0') {
    if (skip_noise(&s)) continue;
    if (*s.p == '\0') break;
    CB_GOTO(scan_record(csv, &s, err));
  }
  CB_GOTO(check_header(csv, err));
  *out = csv;
  csv = NULL;
done:
  cb_csv_free(csv);
  return st;
}

cb_status cb_csv_parse(const char *text, size_t n, const char *name, const cb_csv_options *opt, cb_csv **out,
                       cb_err *err) {
  *out = NULL;
  if (n > opt->max_bytes)
    return cb_fail(err, CB_E_RANGE, "%s: larger than the allowed %zu bytes", name, opt->max_bytes);
  char *copy = malloc(n + 1);
  if (!copy) return cb_no_memory(err, "%s, %zu bytes", name, n);
  if (n) memcpy(copy, text, n);
  copy[n] = '\0';
  return parse_owned(copy, n, name, opt, out, err);
}

bool cb_csv_complete(const cb_csv *csv) { return csv->complete; }
const char *cb_csv_name(const cb_csv *csv) { return csv->name; }
size_t cb_csv_rows(const cb_csv *csv) {
  size_t header = csv->has_header ? 1 : 0;
  return csv->n_records > header ? csv->n_records - header : 0;
}

int cb_csv_line(const cb_csv *csv, size_t row) { return csv->lines[row + (csv->has_header ? 1 : 0)]; }

const char *cb_csv_cell(const cb_csv *csv, size_t row, size_t column) {
  return csv->cells[(row + (csv->has_header ? 1 : 0)) * csv->columns + column];
}

void cb_csv_set_cell(cb_csv *csv, size_t row, size_t column, const char *text) {
  char *cell = csv->cells[(row + (csv->has_header ? 1 : 0)) * csv->columns + column];
  const size_t n = strlen(text);
  assert(n <= strlen(cell));
  memcpy(cell, text, n + 1);
}

void cb_csv_drop_row(cb_csv *csv, size_t row) {
  const size_t at = row + (csv->has_header ? 1 : 0), rest = csv->n_records - at - 1;
  char **cells = csv->cells + at * csv->columns;
  memmove(cells, cells + csv->columns, rest * csv->columns * sizeof *cells);
  memmove(csv->lines + at, csv->lines + at + 1, rest * sizeof *csv->lines);
  csv->n_records--;
}

cb_status cb_csv_text(const cb_csv *csv, size_t row, size_t column, const char **out, cb_err *err) {
  *out = cb_csv_cell(csv, row, column);
  cb_status st = cb_check_line(*out, csv->has_header ? cb_csv_header(csv, column) : "cell", err);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "%s:%d", csv->name, cb_csv_line(csv, row));
}

const char *cb_csv_header(const cb_csv *csv, size_t column) {
  if (column >= csv->columns) return NULL;
  return csv->has_header ? csv->cells[column] : "";
}

static cb_status find_by_number(const cb_csv *csv, const char *column, size_t *index, cb_err *err) {
  long long i;
  if (cb_parse_int(column, "column", &i, NULL) != CB_OK || i < 1 || (size_t)i > csv->columns)
    return cb_fail(err, CB_E_NOTFOUND, "%s: no column '%s'; without a header the columns are 1 to %zu",
                   csv->name, column, csv->columns);
  *index = (size_t)i - 1;
  return CB_OK;
}

cb_status cb_csv_find(const cb_csv *csv, const char *column, size_t *index, cb_err *err) {
  if (!csv->has_header) return find_by_number(csv, column, index, err);
  char list[300] = "";
  for (size_t i = 0; i < csv->columns; i++) {
    if (strcmp(csv->cells[i], column) == 0) {
      *index = i;
      return CB_OK;
    }
    cb_text_add(list, sizeof list, ", ", "%s", csv->cells[i]);
  }
  return cb_fail(err, CB_E_NOTFOUND, "%s:%d: no column '%s'; the columns are: %s", csv->name, csv->lines[0],
                 column, list);
}

static void name_column(const cb_csv *csv, size_t column, char *name, size_t size) {
  if (csv->has_header)
    (void)snprintf(name, size, "%s", cb_csv_header(csv, column));
  else
    (void)snprintf(name, size, "column %zu", column + 1);
}

cb_status cb_csv_number(const cb_csv *csv, size_t row, size_t column, double min, double max, double *out,
                        bool *missing, cb_err *err) {
  const char *cell = cb_csv_cell(csv, row, column);
  if (missing) *missing = false;
  if (missing && cb_cell_is_missing(cell)) {
    *missing = true;
    *out = 0;
    return CB_OK;
  }
  char what[64];
  name_column(csv, column, what, sizeof what);
  cb_status st = cb_parse_double(cell, what, out, err);
  if (st == CB_OK) st = cb_check_range(*out, min, max, what, "", err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s:%d", csv->name, cb_csv_line(csv, row));
  return CB_OK;
}

/* ---- writing ---- */

void cb_csv_put_text(FILE *to, const char *text) {
  size_t n = strlen(text), length;
  char shown[16];
  bool formula = is_formula(text);
  bool blank = n > 0 && (text[0] == ' ' || text[n - 1] == ' ');
  bool quoted = formula || blank || text[0] == '#' || strpbrk(text, ",;\"\t\r\n");
  if (quoted) fputc('"', to);
  if (formula) fputc('\'', to);
  for (; (length = cb_text_next(text, shown)) > 0; text += length)
    fputs(strcmp(shown, "\"") == 0 ? "\"\"" : shown, to);
  if (quoted) fputc('"', to);
}

/* A spreadsheet knows no comments: it cuts the line at separators, and what stands behind one is a cell. */
void cb_csv_put_comment(FILE *to, const char *text) {
  char shown[16];
  size_t length;
  bool begins = false;
  fputs("# ", to);
  for (; (length = cb_text_next(text, shown)) > 0; text += length) {
    if (begins && strchr(formula_signs, shown[0])) fputc('\'', to);
    if (shown[0] != ' ') begins = strchr(",;\"", shown[0]) != NULL;
    fputs(shown, to);
  }
  fputc('\n', to);
}
