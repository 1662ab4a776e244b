/* How a table is written: its separator, decimal mark, header, units, data and their end. The data are the
 * run of records that has the most numbers; what stands above them is the header and lines that say
 * something. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "fit_guess_impl.h"
#include "fit_guess_sheet.h"
#include "fit_text.h"

static const char separators[] = ";\t|,";
#define SECOND_TABLE_ROWS 3

typedef struct run {
  size_t first, end; /* records */
  size_t numbers, columns;
} run;

/* ---- numbers ---- */

static bool is_missing(const char *cell) {
  return !cell[0] || strcmp(cell, "NA") == 0 || strcmp(cell, "-") == 0;
}

static bool read_number(const char *cell, bool comma, double *value) {
  char point[64];
  if (strlen(cell) >= sizeof point ||
      (comma ? strchr(cell, '.') && strchr(cell, ',') : strchr(cell, ',') != NULL))
    return false;
  strcpy(point, cell);
  char *mark = strchr(point, ',');
  if (mark) *mark = '.';
  return cb_parse_double(point, "", value, NULL) == CB_OK;
}

static size_t count_numbers(const guess_sheet *s, size_t record, bool comma) {
  size_t n = 0;
  double value;
  for (size_t i = 0; i < s->records[record].n; i++)
    n += read_number(guess_sheet_cell(s, record, i), comma, &value);
  return n;
}

/* ---- the data ---- */

/* Whether the record has a name and holes only: a specimen without results. */
static bool is_hole(const guess_sheet *s, size_t record) {
  for (size_t i = 1; i < s->records[record].n; i++)
    if (!is_missing(guess_sheet_cell(s, record, i))) return false;
  return s->records[record].n > 2;
}

/* The run of records of one width that have numbers; blank ones and holes may stand between them. */
static run find_run_at(const guess_sheet *s, size_t first, bool comma) {
  run r = {.first = first, .end = first, .columns = s->records[first].n};
  for (size_t i = first; i < s->n; i++) {
    if (s->records[i].blank) continue;
    const size_t numbers = count_numbers(s, i, comma);
    if (s->records[i].n != r.columns || (numbers == 0 && !is_hole(s, i))) break;
    if (numbers > 0) r.end = i + 1;
    r.numbers += numbers;
  }
  return r;
}

static run find_next_run(const guess_sheet *s, size_t from, bool comma) {
  for (size_t i = from; i < s->n; i++)
    if (s->records[i].n > 1 && count_numbers(s, i, comma) > 0) return find_run_at(s, i, comma);
  return (run){.first = s->n, .end = s->n};
}

static run find_largest_run(const guess_sheet *s, bool comma) {
  run best = {.first = s->n, .end = s->n}, r;
  for (size_t at = 0; at<s->n; at = r.end> at ? r.end : at + 1) {
    r = find_next_run(s, at, comma);
    if (r.numbers > best.numbers) best = r;
  }
  return best;
}

/* ---- rows of means ---- */

/* Whether the first text is one of these words, or begins with one that ends in '*'. */
static bool is_statistic(const guess_sheet *s, size_t record) {
  static const char *const words[] = {"mean*",      "average*", "avg",  "median*", "sd",     "std*",
                                      "standard*",  "cv*",      "min",  "max",     "minim*", "maxim*",
                                      "range",      "mittel*",  "mw",   "stabw",   "s",      "vk",
                                      "variation*", "summe",    "total"};
  char plain[GUESS_NAME] = "";
  for (size_t i = 0; i < s->records[record].n && !plain[0]; i++)
    guess_plain(guess_sheet_cell(s, record, i), plain);
  for (size_t i = 0; plain[0] && i < sizeof words / sizeof words[0]; i++) {
    const size_t n = strcspn(words[i], "*");
    if (strncmp(plain, words[i], n) == 0 && (words[i][n] == '*' || !plain[n])) return true;
  }
  return false;
}

/* Takes rows of means off the end. Among the data they are an error. */
static cb_status drop_statistics(const guess_sheet *s, const char *name, run *r, cb_err *err) {
  while (r->end > r->first && (s->records[r->end - 1].blank || is_statistic(s, r->end - 1))) r->end--;
  for (size_t i = r->first; i < r->end; i++)
    if (is_statistic(s, i))
      return cb_fail(
          err, CB_E_PARSE,
          "%s:%d: '%.40s' among the data: a table without rows of means, or with them at its end, was wanted",
          name, s->records[i].line, guess_sheet_cell(s, i, 0));
  return CB_OK;
}

/* ---- separator and decimal mark ---- */

typedef struct style {
  char separator;
  bool comma;
  run data;
} style;

static cb_status try_style(const char *text, const char *name, char separator, bool comma, style *best,
                           cb_err *err) {
  guess_sheet s;
  cb_status st = guess_sheet_cut(text, name, separator, &s, err);
  if (st == CB_OK) {
    const run r = find_largest_run(&s, comma);
    if (r.numbers > best->data.numbers && r.columns > 1) *best = (style){separator, comma, r};
  }
  guess_sheet_clear(&s);
  return st;
}

static cb_status find_style(const char *text, const char *name, style *out, cb_err *err) {
  *out = (style){.data = {.numbers = 0}};
  for (const char *c = separators; *c; c++) {
    CB_TRY(try_style(text, name, *c, false, out, err));
    if (*c != ',') CB_TRY(try_style(text, name, *c, true, out, err));
  }
  return out->data.numbers > 0
             ? CB_OK
             : cb_fail(
                   err, CB_E_PARSE,
                   "%s: no table: rows of numbers with semicolons, tabs, bars or commas between were wanted",
                   name);
}

/* "0,5" in one row and "0.5" in another: no mapping reads both. */
static cb_status refuse_mixed_marks(const guess_sheet *s, const char *name, const style *y, cb_err *err) {
  double value;
  for (size_t i = y->data.first; y->comma && i < y->data.end; i++)
    for (size_t k = 0; k < s->records[i].n; k++) {
      const char *cell = guess_sheet_cell(s, i, k);
      if (strchr(cell, '.') && read_number(cell, true, &value))
        return cb_fail(err, CB_E_PARSE,
                       "%s:%d: '%s' has a decimal point, other numbers have commas: one of them was wanted",
                       name, s->records[i].line, cell);
    }
  return CB_OK;
}

static cb_status refuse_second_table(const guess_sheet *s, const char *name, const style *y, cb_err *err) {
  for (size_t at = y->data.end; at < s->n;) {
    const run r = find_next_run(s, at, y->comma);
    const size_t rows = r.end - r.first;
    if (rows >= SECOND_TABLE_ROWS && r.numbers >= 2 * rows)
      return cb_fail(err, CB_E_PARSE, "%s:%d: a second table begins here: a file with one table was wanted",
                     name, s->records[r.first].line);
    at = r.end > at ? r.end : at + 1;
  }
  return CB_OK;
}

/* ---- the header ---- */

typedef struct headers {
  size_t units, names, groups; /* records; SIZE_MAX: none */
} headers;

/* The record above `record` that is not blank; SIZE_MAX: none. */
static size_t find_above(const guess_sheet *s, size_t record) {
  while (record-- > 0)
    if (!s->records[record].blank) return record;
  return SIZE_MAX;
}

static size_t count_texts(const guess_sheet *s, size_t record) {
  size_t n = 0;
  for (size_t i = 0; i < s->records[record].n; i++) n += guess_sheet_cell(s, record, i)[0] != '\0';
  return n;
}

/* "[mm]" and "(mm)" as "mm" */
static void strip_brackets(const char *cell, char out[GUESS_NAME]) {
  const size_t n = strlen(cell);
  const bool brackets = n > 2 && strchr("([", cell[0]) && strchr(")]", cell[n - 1]);
  (void)snprintf(out, GUESS_NAME, "%.*s", (int)(brackets ? n - 2 : n), cell + brackets);
}

/* Half of its texts or more are units: a row such as "no.;mm;N". */
static bool is_units_row(const guess_sheet *s, size_t record) {
  char bare[GUESS_NAME];
  size_t units = 0;
  for (size_t i = 0; i < s->records[record].n; i++) {
    strip_brackets(guess_sheet_cell(s, record, i), bare);
    units += guess_is_unit(bare);
  }
  return units > 0 && 2 * units >= count_texts(s, record);
}

static bool names_all(const guess_sheet *s, size_t record, size_t columns) {
  for (size_t i = 0; i < columns; i++) {
    const char *cell = guess_sheet_cell(s, record, i);
    if (!cell[0] || !cb_text_is_line(cell) || strlen(cell) >= 64) return false;
    for (size_t k = 0; k < i; k++)
      if (strcmp(cell, guess_sheet_cell(s, record, k)) == 0) return false;
  }
  return s->records[record].n == columns;
}

/* A row above a header that does not tell its columns apart: "Warp;;Weft;". */
static bool is_group_row(const guess_sheet *s, size_t record, size_t names, size_t columns) {
  return s->records[record].n == columns && count_texts(s, record) > 1 &&
         count_numbers(s, record, true) == 0 && !names_all(s, names, columns);
}

static headers find_headers(const guess_sheet *s, const style *y) {
  headers h = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
  size_t above = find_above(s, y->data.first);
  if (above != SIZE_MAX && is_units_row(s, above)) {
    h.units = above;
    above = find_above(s, above);
  }
  if (above == SIZE_MAX || count_texts(s, above) < 2 || count_numbers(s, above, y->comma) > 0) return h;
  h.names = above;
  above = find_above(s, above);
  if (above != SIZE_MAX && is_group_row(s, above, h.names, y->data.columns)) h.groups = above;
  return h;
}

/* ---- columns ---- */

static void copy_cell(char *out, size_t size, const char *cell) {
  (void)snprintf(out, size, "%.*s", (int)size - 1, cell);
  for (char *c = out; *c; c++)
    if ((unsigned char)*c < ' ') *c = ' ';
}

static void name_column(const guess_sheet *s, const headers *h, size_t i, const char *group,
                        guess_column *c) {
  char cell[GUESS_NAME], name[GUESS_NAME];
  copy_cell(c->header, sizeof c->header, guess_sheet_cell(s, h->names, i));
  copy_cell(cell, sizeof cell, c->header);
  guess_split_unit(cell, name, c->unit);
  memcpy(c->bare, name, sizeof name);
  (void)snprintf(c->name, sizeof c->name, "%.47s%s%.47s", group, group[0] && name[0] ? " " : "", name);
  if (h->units == SIZE_MAX || c->unit[0]) return;
  strip_brackets(guess_sheet_cell(s, h->units, i), cell);
  if (guess_is_unit(cell)) copy_cell(c->unit, sizeof c->unit, cell);
}

/* Adds the word, if it is new; false if it is none for a direction. */
static bool add_direction(const char *cell, char words[200]) {
  char entry[64];
  const char *deg = guess_direction(cell);
  if (!deg || strlen(cell) > 40 || strpbrk(cell, "\"\\")) return false;
  (void)snprintf(entry, sizeof entry, "\"%s\": %s", cell, deg);
  const size_t n = strlen(words);
  if (strstr(words, entry)) return true;
  return (size_t)snprintf(words + n, 200 - n, "%s%s", n ? ", " : "", entry) < 200 - n;
}

static void find_directions(const guess_sheet *s, const style *y, size_t i, guess_column *c) {
  bool all = !c->numeric;
  for (size_t r = y->data.first; r < y->data.end && all; r++) {
    const char *cell = guess_sheet_cell(s, r, i);
    if (!s->records[r].blank && !is_missing(cell)) all = add_direction(cell, c->words);
  }
  if (!all) c->words[0] = '\0';
}

static void weigh_column(const guess_sheet *s, const style *y, size_t i, guess_column *c) {
  c->least = HUGE_VAL;
  c->most = -HUGE_VAL;
  for (size_t r = y->data.first; r < y->data.end; r++) {
    const char *cell = guess_sheet_cell(s, r, i);
    double value;
    if (s->records[r].blank || is_missing(cell)) continue;
    if (!c->example[0]) copy_cell(c->example, sizeof c->example, cell);
    if (read_number(cell, y->comma, &value)) {
      c->least = fmin(c->least, value);
      c->most = fmax(c->most, value);
    } else if (!c->odd_line) {
      copy_cell(c->odd, sizeof c->odd, cell);
      c->odd_line = s->records[r].line;
    }
  }
  c->numeric = !c->odd_line && c->least <= c->most;
  if (c->least > c->most && !isdigit((unsigned char)c->odd[0])) c->odd_line = 0;
}

static void find_columns(const guess_sheet *s, const style *y, const headers *h, guess_shape *out) {
  char group[GUESS_NAME] = "";
  out->n_columns = (int)y->data.columns;
  for (size_t i = 0; i < y->data.columns; i++) {
    const char *cell = h->groups == SIZE_MAX ? "" : guess_sheet_cell(s, h->groups, i);
    if (cell[0]) copy_cell(group, sizeof group, cell);
    name_column(s, h, i, group, &out->column[i]);
    weigh_column(s, y, i, &out->column[i]);
    find_directions(s, y, i, &out->column[i]);
  }
}

/* ---- lines above ---- */

/* "Width;50;mm", "Width (mm);50", "Width: 50 mm", "Width = 50 mm" */
static bool read_title(const guess_sheet *s, size_t record, bool comma, guess_title *t) {
  char first[2 * GUESS_NAME], value[GUESS_NAME];
  double number;
  copy_cell(first, sizeof first, guess_sheet_cell(s, record, 0));
  copy_cell(value, sizeof value, guess_sheet_cell(s, record, 1));
  char *mark = strpbrk(first, ":=");
  if (!value[0] && mark) {
    copy_cell(value, sizeof value, mark + 1 + strspn(mark + 1, " "));
    *mark = '\0';
  }
  guess_split_unit(first, t->name, t->unit);
  if (!t->unit[0] && guess_is_unit(guess_sheet_cell(s, record, 2)))
    copy_cell(t->unit, sizeof t->unit, guess_sheet_cell(s, record, 2));
  copy_cell(t->value, sizeof t->value, value);
  if (!t->unit[0] && isdigit((unsigned char)value[0])) guess_split_unit(value, t->value, t->unit);
  t->numeric = read_number(t->value, comma, &number) || read_number(t->value, !comma, &number);
  for (char *c = t->value; t->numeric && *c; c++)
    if (*c == ',') *c = '.';
  return t->name[0] && t->value[0];
}

static void find_titles(const guess_sheet *s, const style *y, const headers *h, guess_shape *out) {
  const size_t end = h->groups != SIZE_MAX ? h->groups : h->names;
  for (size_t i = 0; i < end && out->n_titles < GUESS_TITLES; i++)
    if (!s->records[i].blank && read_title(s, i, y->comma, &out->title[out->n_titles])) out->n_titles++;
}

/* ---- the whole ---- */

static bool follows(const guess_sheet *s, size_t end) {
  for (size_t i = end; i < s->n; i++)
    if (!s->records[i].blank) return true;
  return false;
}

/* Lines without a cell are no records of the reader either; lines of separators are none since it skips them.
 */
static void describe(const guess_sheet *s, const style *y, const headers *h, guess_shape *out) {
  const bool alone = h->units == SIZE_MAX && h->groups == SIZE_MAX;
  out->separator = y->separator;
  out->decimal_comma = y->comma;
  out->named = alone && names_all(s, h->names, y->data.columns);
  out->skip_lines = s->records[out->named ? h->names : y->data.first].line - 1;
  out->last_line = follows(s, y->data.end) ? s->records[y->data.end - 1].line : 0;
  for (size_t i = y->data.first; i < y->data.end; i++) out->rows += !s->records[i].blank;
  find_columns(s, y, h, out);
  find_titles(s, y, h, out);
}

static cb_status read_shape(const guess_sheet *s, const char *name, style *y, guess_shape *out, cb_err *err) {
  CB_TRY(refuse_mixed_marks(s, name, y, err));
  CB_TRY(refuse_second_table(s, name, y, err));
  CB_TRY(drop_statistics(s, name, &y->data, err));
  const headers h = find_headers(s, y);
  if (h.names == SIZE_MAX)
    return cb_fail(err, CB_E_PARSE,
                   "%s:%d: numbers without a header above them: a line that names the columns was wanted",
                   name, s->records[y->data.first].line);
  if (y->data.columns > GUESS_COLUMNS)
    return cb_fail(err, CB_E_PARSE, "%s: %zu columns: at most %d can be guessed", name, y->data.columns,
                   GUESS_COLUMNS);
  describe(s, y, &h, out);
  return CB_OK;
}

static cb_status find_shape(const char *text, const char *name, guess_shape *out, cb_err *err) {
  style y;
  guess_sheet s;
  CB_TRY(find_style(text, name, &y, err));
  cb_status st = guess_sheet_cut(text, name, y.separator, &s, err);
  if (st == CB_OK) st = read_shape(&s, name, &y, out, err);
  guess_sheet_clear(&s);
  return st;
}

/* ---- encoding ---- */

static cb_status refuse_other_files(const char *text, size_t n, const char *name, cb_err *err) {
  if (n >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
    return cb_fail(err, CB_E_PARSE, "%s: text in UTF-16: a file saved as CSV in UTF-8 was wanted", name);
  if (n >= 4 && (memcmp(text, "PK\x03\x04", 4) == 0 || memcmp(text, "\xd0\xcf\x11\xe0", 4) == 0))
    return cb_fail(err, CB_E_PARSE, "%s: a workbook: one of its sheets saved as CSV was wanted", name);
  const char *nul = memchr(text, '\0', n);
  return nul ? cb_fail(err, CB_E_PARSE, "%s: a NUL byte at offset %zu: not a text table", name,
                       (size_t)(nul - text))
             : CB_OK;
}

cb_status guess_find_shape(const char *text, size_t n, const char *name, guess_shape *out, cb_err *err) {
  *out = (guess_shape){.latin1 = !fit_text_is_utf8(text, n)};
  CB_TRY(refuse_other_files(text, n, name, err));
  if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, n -= 3;
  char *utf8 = fit_text_utf8(text, n, out->latin1, NULL);
  if (!utf8) return cb_no_memory(err, "%s, %zu bytes", name, n);
  const cb_status st = find_shape(utf8, name, out, err);
  free(utf8);
  return st;
}
