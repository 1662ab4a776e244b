#include "fit_cells.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cb_cell.h"

static cb_status fail_at(const cb_csv *csv, size_t row, cb_err *err, const char *cell, const char *says) {
  return cb_fail(err, CB_E_PARSE, "%s:%d: '%.40s': %s", cb_csv_name(csv), cb_csv_line(csv, row), cell, says);
}

/* ---- units ---- */

void fit_cells_strip_brackets(const char *cell, char *out) {
  const size_t n = strlen(cell);
  const bool brackets = n > 2 && strchr("([", cell[0]) && strchr(")]", cell[n - 1]);
  (void)snprintf(out, 40, "%.*s", (int)(brackets ? n - 2 : n), cell + brackets);
}

bool fit_cells_are_units(const cb_csv *csv) {
  size_t units = 0, texts = 0;
  cb_cell number;
  char bare[40];
  for (size_t i = 0; cb_csv_rows(csv) > 1 && cb_csv_header(csv, i); i++) {
    const char *cell = cb_csv_cell(csv, 0, i);
    if (cb_cell_read(cell, '.', &number) || cb_cell_read(cell, ',', &number)) return false;
    fit_cells_strip_brackets(cell, bare);
    units += !cb_cell_is_missing(bare) && fit_unit_is(bare);
    texts += !cb_cell_is_missing(bare);
  }
  return units > 0 && 2 * units >= texts;
}

static cb_status keep_unit(const cb_csv *csv, size_t row, size_t column, const cb_cell *c, char *unit,
                           cb_err *err) {
  char bare[40];
  fit_cells_strip_brackets(c->unit, bare);
  if (!fit_unit_is(bare))
    return fail_at(csv, row, err, cb_csv_cell(csv, row, column),
                   "a number, or one with its unit, was wanted");
  if (unit[0] && strcmp(unit, bare) != 0)
    return cb_fail(err, CB_E_PARSE, "%s:%d: a number in '%s', where others are in '%s': one unit was wanted",
                   cb_csv_name(csv), cb_csv_line(csv, row), bare, unit);
  memcpy(unit, bare, strlen(bare) + 1);
  return CB_OK;
}

/* ---- a file that is cut ---- */

static bool is_last_column(const cb_csv *csv, size_t column) { return !cb_csv_header(csv, column + 1); }

static size_t count_digits(const char *at) { return strspn(at, "0123456789"); }

/* Digits before the point, behind it, and of the exponent. */
typedef struct digits {
  size_t whole, fraction, exponent;
} digits;

static digits measure(const char *plain) {
  const char *at = plain + (*plain == '-'), *point = strchr(plain, '.'), *e = strchr(plain, 'e');
  return (digits){count_digits(at), point ? count_digits(point + 1) : 0,
                  e ? count_digits(e + 1 + (e[1] == '-')) : 0};
}

/* A number with as many digits as its column has is whole. */
static cb_status check_last(const cb_csv *csv, size_t column, char decimal, cb_err *err) {
  const size_t n = cb_csv_rows(csv);
  digits most = {0}, least = {SIZE_MAX, 0, 0};
  cb_cell c;
  for (size_t row = 0; row + 1 < n; row++) {
    if (!cb_cell_read(cb_csv_cell(csv, row, column), decimal, &c)) continue;
    const digits d = measure(c.plain);
    if (d.whole < least.whole) least.whole = d.whole;
    if (d.fraction > most.fraction) most.fraction = d.fraction;
    if (d.exponent > most.exponent) most.exponent = d.exponent;
  }
  if (least.whole == SIZE_MAX) return CB_OK;
  const char *cell = cb_csv_cell(csv, n - 1, column);
  if (cb_cell_is_missing(cell))
    return fail_at(csv, n - 1, err, cell, "the file ends here, without a line end: is it cut?");
  if (!cb_cell_read(cell, decimal, &c)) return CB_OK;
  const digits last = measure(c.plain);
  if (c.unit[0] || (last.fraction >= most.fraction && last.exponent >= most.exponent &&
                    (most.fraction > 0 || last.whole >= least.whole)))
    return CB_OK;
  return fail_at(
      csv, n - 1, err, cell,
      "the file ends here, without a line end, and other numbers of the column have more digits: it "
      "may be cut; a line end behind a whole number was wanted");
}

cb_status fit_cells_check_text(const cb_csv *csv, size_t column, cb_err *err) {
  const size_t last = cb_csv_rows(csv) - 1;
  if (cb_csv_complete(csv) || !is_last_column(csv, column)) return CB_OK;
  const char *cell = cb_csv_cell(csv, last, column);
  const size_t n = strlen(cell);
  for (size_t row = 0; row < last; row++) {
    const char *other = cb_csv_cell(csv, row, column);
    if (strncmp(other, cell, n) == 0 && other[n])
      return fail_at(csv, last, err, cell, "the file ends here, without a line end: is it cut?");
  }
  return CB_OK;
}

cb_status fit_cells_check_headers(const cb_csv *csv, cb_err *err) {
  for (size_t row = 0; row < cb_csv_rows(csv); row++) {
    size_t same = 0, i = 0;
    for (; cb_csv_header(csv, i) && cb_csv_header(csv, i)[0]; i++)
      same += strcmp(cb_csv_header(csv, i), cb_csv_cell(csv, row, i)) == 0;
    if (i > 0 && same == i)
      return fail_at(csv, row, err, cb_csv_header(csv, 0),
                     "the header stands here again: a file for each table was wanted");
  }
  return CB_OK;
}

/* ---- numbers ---- */

/* Whether a number of the column shows which mark is the decimal one. */
static bool shows_mark(const cb_csv *csv, size_t column, char decimal) {
  cb_cell c;
  for (size_t row = 0; row < cb_csv_rows(csv); row++)
    if (cb_cell_read(cb_csv_cell(csv, row, column), decimal, &c) && c.mark == decimal) return true;
  return false;
}

cb_status fit_cells_make_plain(cb_csv *csv, size_t column, char decimal, char *unit, cb_err *err) {
  unit[0] = '\0';
  const bool sure = shows_mark(csv, column, decimal);
  if (!cb_csv_complete(csv) && is_last_column(csv, column)) CB_TRY(check_last(csv, column, decimal, err));
  for (size_t row = 0; row < cb_csv_rows(csv); row++) {
    cb_cell c;
    const char *cell = cb_csv_cell(csv, row, column);
    if (!cb_cell_read(cell, decimal, &c)) continue;
    if (c.doubtful && !sure)
      return fail_at(csv, row, err, cell,
                     "thousands or a fraction? No number of the column shows its decimal mark");
    if (c.unit[0]) CB_TRY(keep_unit(csv, row, column, &c, unit, err));
    cb_csv_set_cell(csv, row, column, c.plain);
  }
  return CB_OK;
}
