/* How a table is written: its separator, decimal mark, header, units, data and their end. The data are the
 * run of records that has the most numbers; what stands above them is the header and lines that say
 * something. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_cell.h"
#include "cb_plural.h"
#include "cb_text.h"
#include "fit_cells.h"
#include "fit_guess_impl.h"
#include "fit_guess_sheet.h"
#include "fit_text.h"
#include "fit_workbook.h"

static const char separators[] = ";\t|, "; /* a blank: any number of them */
#define SECOND_TABLE_ROWS 3

typedef struct run {
  size_t first, end; /* records */
  size_t numbers, columns;
} run;

/* ---- numbers ---- */

static bool read_cell(const char *cell, bool comma, cb_cell *out) {
  return cb_cell_read(cell, comma ? ',' : '.', out) && (!out->unit[0] || fit_unit_is(out->unit));
}

static bool read_number(const char *cell, bool comma, double *value) {
  cb_cell c;
  return read_cell(cell, comma, &c) && cb_parse_double(c.plain, "", value, NULL) == CB_OK;
}

/* Two for each number, one for a number with its unit, which titles have, too. One in which the mark could be
 * either does not count. */
static size_t count_numbers(const guess_sheet *s, size_t record, bool comma) {
  size_t n = 0;
  cb_cell c;
  for (size_t i = 0; i < s->records[record].n; i++)
    if (read_cell(guess_sheet_cell(s, record, i), comma, &c) && !c.doubtful) n += c.unit[0] ? 1 : 2;
  return n;
}

/* ---- the data ---- */

/* Whether the record has a name and holes only: a specimen without results. */
static bool is_hole(const guess_sheet *s, size_t record) {
  for (size_t i = 1; i < s->records[record].n; i++)
    if (!cb_cell_is_missing(guess_sheet_cell(s, record, i))) return false;
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

static bool is_one_of(const char *word, const char *const *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(word, list[i]) == 0) return true;
  return false;
}

/* ---- rows of means ---- */

/* Whether the first text is one of these words, or begins with one that ends in '*'. */
static bool is_statistic(const guess_sheet *s, size_t record) {
  static const char *const words[] = {
      "mean*",      "average*", "avg",    "median*", "sd",      "std*",  "standard*", "cv*",   "min",
      "max",        "minim*",   "maxim*", "range",   "mittel*", "mw",    "stabw",     "s",     "vk",
      "variation*", "summe",    "total",  "平均*",   "均值*",   "标准*", "变异*",     "最大*", "最小*"};
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

/* Cuts the text; columns between blanks become columns between tabs. The caller calls guess_sheet_clear. */
static cb_status cut_sheet(const char *text, const char *name, char separator, guess_sheet *out,
                           cb_err *err) {
  *out = (guess_sheet){.n = 0};
  if (separator != ' ') return guess_sheet_cut(text, name, separator, out, err);
  char *tabs = strdup(text);
  if (!tabs) return cb_no_memory(err, "%s", name);
  fit_text_make_tabs(tabs);
  const cb_status st = guess_sheet_cut(tabs, name, '\t', out, err);
  free(tabs);
  return st;
}

static cb_status try_style(const char *text, const char *name, char separator, bool comma, style *best,
                           cb_err *err) {
  guess_sheet s;
  cb_status st = cut_sheet(text, name, separator, &s, err);
  if (st == CB_OK) {
    const run r = find_largest_run(&s, comma);
    /* Of columns between blanks commas cut the numbers: as many numbers in fewer columns are better. */
    const bool as_good =
        r.numbers == best->data.numbers && separator == ' ' && r.columns < best->data.columns;
    if (r.columns > 1 && (r.numbers > best->data.numbers || as_good)) *best = (style){separator, comma, r};
  }
  guess_sheet_clear(&s);
  return st;
}

static cb_status find_style(const char *text, const char *name, style *out, cb_err *err) {
  *out = (style){.data = {.numbers = 0}};
  for (const char *c = separators; *c; c++) {
    if (*c == ' ' && out->separator == '\t') break; /* "5 %" between tabs is one cell */
    CB_TRY(try_style(text, name, *c, false, out, err));
    if (*c != ',') CB_TRY(try_style(text, name, *c, true, out, err));
  }
  return out->data.numbers > 0
             ? CB_OK
             : cb_fail(
                   err, CB_E_PARSE,
                   "%s: no table: rows of numbers with semicolons, tabs, bars, commas or blanks between were "
                   "wanted",
                   name);
}

/* "0,5" in one row and "0.5" in another. */
static cb_status refuse_mixed_marks(const guess_sheet *s, const char *name, const style *y, cb_err *err) {
  cb_cell c;
  for (size_t i = y->data.first; y->comma && i < y->data.end; i++)
    for (size_t k = 0; k < s->records[i].n; k++) {
      const char *cell = guess_sheet_cell(s, i, k);
      if (read_cell(cell, true, &c) && c.mark == '.')
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
    if (rows >= SECOND_TABLE_ROWS && r.numbers >= 4 * rows)
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

/* Half of its texts or more are units: a row such as "no.;mm;N". */
static bool is_units_row(const guess_sheet *s, size_t record) {
  char bare[40];
  size_t units = 0;
  for (size_t i = 0; i < s->records[record].n; i++) {
    fit_cells_strip_brackets(guess_sheet_cell(s, record, i), bare);
    units += fit_unit_is(bare);
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

/* The name of what has this dimension, where it is a condition of a test. */
static const char *name_condition(cb_dim dim) {
  if (dim == CB_DIM_PRESSURE) return "pressure";
  if (dim == CB_DIM_FORCE) return "normal force";
  return dim == CB_DIM_MASS ? "sled mass" : NULL;
}

/* Bytes of a number with the unit of a condition that stand at `at`; 0: none do. */
static size_t match_condition(const char *at, guess_title *t) {
  char text[GUESS_NAME];
  cb_cell number;
  cb_dim dim;
  const size_t digits = strspn(at, "0123456789.,"), blanks = strspn(at + digits, " "),
               unit = strcspn(at + digits + blanks, " ),;]");
  const size_t n = digits + blanks + unit;
  (void)snprintf(text, sizeof text, "%.*s", (int)n, at);
  if (!cb_cell_read(text, '.', &number) || !fit_unit_find(number.unit, &dim) || !name_condition(dim))
    return 0;
  *t = (guess_title){.numeric = true, .of_column = true};
  (void)snprintf(t->name, sizeof t->name, "%s", name_condition(dim));
  (void)snprintf(t->value, sizeof t->value, "%s", number.plain);
  (void)snprintf(t->unit, sizeof t->unit, "%s", number.unit);
  return n;
}

/* Where "at", "bei", "@" in front of a condition begins. */
static size_t skip_back(const char *text, size_t at) {
  static const char *const words[] = {" at", " bei", "@", " under", " unter", " @"};
  while (at > 0 && text[at - 1] == ' ') at--;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const size_t n = strlen(words[i]);
    if (at > n && strncmp(text + at - n, words[i], n) == 0) return at - n;
  }
  return at;
}

/* "Air permeability at 100 Pa (mm/s)", "COF (200 g)": the condition goes from the name of the column to the
 * titles. */
static void take_condition(guess_shape *out, char *text) {
  if (out->n_titles == GUESS_TITLES) return;
  for (size_t at = 1; text[0] && text[at]; at++) {
    if (!isdigit((unsigned char)text[at]) || isalnum((unsigned char)text[at - 1]) ||
        strchr(".,", text[at - 1]))
      continue;
    const size_t n = match_condition(text + at, &out->title[out->n_titles]);
    if (n == 0) continue;
    const size_t from = skip_back(text, at);
    memmove(text + from, text + at + n, strlen(text + at + n) + 1);
    out->n_titles++;
    return;
  }
}

static void name_column(const guess_sheet *s, const headers *h, size_t i, guess_shape *out) {
  char unit[40], name[GUESS_NAME];
  guess_column *c = &out->column[i];
  copy_cell(c->header, sizeof c->header, guess_sheet_cell(s, h->names, i));
  memcpy(name, c->header, sizeof name);
  take_condition(out, name);
  guess_split_unit(name, c->bare, c->unit);
  if (h->units == SIZE_MAX || c->unit[0]) return;
  fit_cells_strip_brackets(guess_sheet_cell(s, h->units, i), unit);
  if (fit_unit_is(unit)) copy_cell(c->unit, sizeof c->unit, unit);
}

/* Adds the word, if it is new; "?" stands for the angle of one that is none for a direction. */
static bool add_direction(const char *cell, char words[200]) {
  char entry[64];
  const char *deg = guess_direction(cell);
  if (strlen(cell) > 40 || strpbrk(cell, "\"\\") || !cb_text_is_line(cell)) return false;
  (void)snprintf(entry, sizeof entry, "\"%s\": %s", cell, deg ? deg : "\"?\"");
  const size_t n = strlen(words);
  if (strstr(words, entry)) return true;
  return (size_t)snprintf(words + n, 200 - n, "%s%s", n ? ", " : "", entry) < 200 - n;
}

static void find_directions(const guess_sheet *s, const style *y, size_t i, guess_column *c) {
  bool all = !c->numeric, any = false;
  char first = 0, plain[GUESS_NAME];
  for (size_t r = y->data.first; r < y->data.end && !c->numeric; r++) {
    const char *cell = guess_sheet_cell(s, r, i);
    if (s->records[r].blank || cb_cell_is_missing(cell)) continue;
    all = all && add_direction(cell, c->words);
    any = any || guess_direction(cell);
    guess_plain(cell, plain);
    const char *side = guess_side(plain);
    c->sides = c->sides || (side && first && side[0] != first);
    if (side) first = side[0];
  }
  if (!all || !any) c->words[0] = '\0';
}

/* The angles at which a cloth is cut. */
static bool is_round_angle(double deg) {
  return fmod(deg, 15) == 0 || fmod(deg, 22.5) == 0 || fmod(deg, 10) == 0;
}

static void weigh_column(const guess_sheet *s, const style *y, size_t i, guess_column *c) {
  c->least = HUGE_VAL;
  c->most = -HUGE_VAL;
  c->round_angles = true;
  for (size_t r = y->data.first; r < y->data.end; r++) {
    const char *cell = guess_sheet_cell(s, r, i);
    double value;
    cb_cell number;
    if (s->records[r].blank || cb_cell_is_missing(cell)) continue;
    if (!c->example[0]) copy_cell(c->example, sizeof c->example, cell);
    if (read_number(cell, y->comma, &value)) {
      if (!c->unit[0] && read_cell(cell, y->comma, &number)) fit_cells_strip_brackets(number.unit, c->unit);
      c->least = fmin(c->least, value);
      c->most = fmax(c->most, value);
      c->round_angles = c->round_angles && is_round_angle(value);
    } else if (!c->odd_line) {
      copy_cell(c->odd, sizeof c->odd, cell);
      c->odd_line = s->records[r].line;
    }
  }
  c->numeric = !c->odd_line && c->least <= c->most;
  if (c->least > c->most && !isdigit((unsigned char)c->odd[0])) c->odd_line = 0;
}

/* "Omit", "Outlier": its cells say yes or no. */
static void find_omitted(const guess_sheet *s, const style *y, size_t i, guess_column *c) {
  static const char *const names[] = {"omit",     "omitted",    "exclude",        "excluded", "outlier",
                                      "rejected", "ausreisser", "ausgeschlossen", "剔除",     "异常"};
  static const char *const yes[] = {"y", "yes", "true", "x", "1", "j", "ja", "是"}, *const no[] = {
                                                                                        "n", "no",   "false",
                                                                                        "0", "nein", "否",
                                                                                        ""};
  char plain[GUESS_NAME];
  guess_plain(c->bare, plain);
  if (!is_one_of(plain, names, sizeof names / sizeof names[0])) return;
  for (size_t r = y->data.first; r < y->data.end; r++) {
    const char *cell = guess_sheet_cell(s, r, i);
    guess_plain(cell, plain);
    const bool marked = is_one_of(plain, yes, sizeof yes / sizeof yes[0]);
    if (marked && !c->leave_out[0]) copy_cell(c->leave_out, sizeof c->leave_out, cell);
    if (marked ? strcmp(c->leave_out, cell) == 0 : is_one_of(plain, no, sizeof no / sizeof no[0])) continue;
    c->leave_out[0] = '\0';
    return;
  }
}

/* "Load" and "Load.label" with the same numbers: the unit stands in one of them. */
static void borrow_units(guess_shape *out) {
  for (int i = 0; i < out->n_columns; i++)
    for (int k = 0; k < out->n_columns && !out->column[i].unit[0]; k++) {
      guess_column *c = &out->column[i];
      const guess_column *o = &out->column[k];
      if (c->numeric && o->numeric && o->unit[0] && c->bare[0] && c->least == o->least &&
          c->most == o->most && strncmp(o->bare, c->bare, strlen(c->bare)) == 0)
        memcpy(c->unit, o->unit, sizeof c->unit);
    }
}

static void find_columns(const guess_sheet *s, const style *y, const headers *h, guess_shape *out) {
  char group[GUESS_NAME] = "";
  out->n_columns = (int)y->data.columns;
  for (size_t i = 0; i < y->data.columns; i++) {
    const char *cell = h->groups == SIZE_MAX ? "" : guess_sheet_cell(s, h->groups, i);
    if (cell[0]) copy_cell(group, sizeof group, cell);
    guess_column *c = &out->column[i];
    name_column(s, h, i, out);
    (void)snprintf(c->name, sizeof c->name, "%.47s%s%.47s", group, group[0] && c->bare[0] ? " " : "",
                   c->bare);
    weigh_column(s, y, i, c);
    find_directions(s, y, i, c);
    find_omitted(s, y, i, c);
  }
  borrow_units(out);
}

/* ---- lines above ---- */

/* What stands behind ':' or '=', or a number behind the words: "Test area 20 cm2". Cuts it off. */
static void cut_value(char *text, char value[GUESS_NAME]) {
  char *mark = strpbrk(text, ":=");
  if (!mark)
    for (mark = text; *mark && !(*mark == ' ' && isdigit((unsigned char)mark[1]));) mark++;
  if (!*mark) return;
  copy_cell(value, GUESS_NAME, mark + 1 + strspn(mark + 1, " "));
  *mark = '\0';
}

/* A number with its unit. */
static void read_value(const char *value, bool comma, guess_title *t) {
  cb_cell c;
  char unit[40];
  t->numeric = read_cell(value, comma, &c) || read_cell(value, !comma, &c);
  copy_cell(t->value, sizeof t->value, t->numeric ? c.plain : value);
  if (!t->numeric || t->unit[0]) return;
  fit_cells_strip_brackets(c.unit, unit);
  memcpy(t->unit, unit, sizeof t->unit);
}

/* "Width;50;mm", "Width (mm);50", "Width: 50 mm", "Width = 50 mm", "Width 50 mm" */
static bool read_title(const guess_sheet *s, size_t record, bool comma, guess_title *t) {
  char first[2 * GUESS_NAME], value[GUESS_NAME];
  *t = (guess_title){.numeric = false};
  guess_ascii_marks(guess_sheet_cell(s, record, 0), first, sizeof first);
  copy_cell(value, sizeof value, guess_sheet_cell(s, record, 1));
  if (!value[0]) cut_value(first, value);
  guess_split_unit(first, t->name, t->unit);
  if (!t->unit[0] && fit_unit_is(guess_sheet_cell(s, record, 2)))
    copy_cell(t->unit, sizeof t->unit, guess_sheet_cell(s, record, 2));
  read_value(value, comma, t);
  return t->name[0] && t->value[0];
}

/* "Gauge length 200 mm", "Width: 50 mm": a cell that says all. */
static bool read_whole_title(const char *cell, bool comma, guess_title *t) {
  char first[2 * GUESS_NAME], value[GUESS_NAME] = "";
  *t = (guess_title){.numeric = false};
  guess_ascii_marks(cell, first, sizeof first);
  cut_value(first, value);
  if (!value[0]) return false;
  guess_split_unit(first, t->name, t->unit);
  read_value(value, comma, t);
  return t->name[0] && t->numeric && t->unit[0];
}

static void push_title(guess_shape *out, const guess_title *t) {
  if (out->n_titles < GUESS_TITLES) out->title[out->n_titles++] = *t;
}

static void find_titles(const guess_sheet *s, const style *y, const headers *h, guess_shape *out) {
  const size_t end = h->groups != SIZE_MAX ? h->groups : h->names;
  guess_title t;
  for (size_t i = 0; i < end; i++) {
    size_t whole = 0;
    for (size_t k = 0; k < s->records[i].n; k++)
      if (read_whole_title(guess_sheet_cell(s, i, k), y->comma, &t)) push_title(out, &t), whole++;
    if (whole == 0 && !s->records[i].blank && read_title(s, i, y->comma, &t)) push_title(out, &t);
  }
}

/* "Unit: cfm" above the table is that of its last column of numbers without one. */
static void give_unit(guess_shape *out) {
  static const char *const names[] = {"unit",        "units", "measuring unit", "unit of measure", "einheit",
                                      "messeinheit", "单位"};
  char plain[GUESS_NAME];
  for (int t = 0; t < out->n_titles; t++) {
    guess_plain(out->title[t].name, plain);
    if (!is_one_of(plain, names, sizeof names / sizeof names[0]) || !fit_unit_is(out->title[t].value))
      continue;
    for (int i = out->n_columns; i-- > 0;) {
      guess_column *c = &out->column[i];
      if (!c->numeric || c->unit[0]) continue;
      (void)snprintf(c->unit, sizeof c->unit, "%.39s", out->title[t].value);
      return;
    }
  }
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
  out->named = alone && !s->records[h->names].comment && names_all(s, h->names, y->data.columns);
  out->skip_lines = s->records[out->named ? h->names : y->data.first].line - 1;
  out->last_line = follows(s, y->data.end) ? s->records[y->data.end - 1].line : 0;
  for (size_t i = y->data.first; i < y->data.end; i++) out->rows += !s->records[i].blank;
  find_columns(s, y, h, out);
  find_titles(s, y, h, out);
  give_unit(out);
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
    return cb_fail(err, CB_E_PARSE, "%s: %zu column%s: at most %d can be guessed", name, y->data.columns,
                   CB_S(y->data.columns), GUESS_COLUMNS);
  describe(s, y, &h, out);
  return CB_OK;
}

static cb_status find_shape(const char *text, const char *name, guess_shape *out, cb_err *err) {
  style y;
  guess_sheet s;
  CB_TRY(find_style(text, name, &y, err));
  cb_status st = cut_sheet(text, name, y.separator, &s, err);
  if (st == CB_OK) st = read_shape(&s, name, &y, out, err);
  guess_sheet_clear(&s);
  return st;
}

/* ---- the file ---- */

/* The text of a file, or of a sheet of a workbook. */
static cb_status read_text(const char *text, size_t n, const char *name, const char *sheet, guess_shape *out,
                           char **utf8, cb_err *err) {
  size_t length;
  out->encoding = fit_workbook_is(text, n) ? "utf-8" : fit_text_encoding(text, n);
  if (fit_workbook_is(text, n))
    return fit_workbook_text(text, n, name, sheet, out->sheet, utf8, &length, err);
  if (sheet[0]) return cb_fail(err, CB_E_PARSE, "%s: a sheet '%s' of what is no workbook", name, sheet);
  return fit_text_decode(text, n, out->encoding, name, utf8, &length, err);
}

cb_status guess_find_shape(const char *text, size_t n, const char *name, const char *sheet, guess_shape *out,
                           cb_err *err) {
  char *utf8;
  *out = (guess_shape){.n_columns = 0};
  CB_TRY(read_text(text, n, name, sheet, out, &utf8, err));
  const size_t mark = strncmp(utf8, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  const cb_status st = find_shape(utf8 + mark, name, out, err);
  free(utf8);
  return st;
}
