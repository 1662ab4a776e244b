/* A column of numbers as people write them becomes one of plain numbers; private to fit/. */
#ifndef FIT_CELLS_H
#define FIT_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_csv.h"
#include "cb_num.h"

/* Makes the numbers of a column plain: cb_csv_number and the digit of a column then read them. decimal: '.'
 * or
 * ','. unit, of 40 bytes, gets the unit that stands in the cells; "": none does. Other cells stay as they
 * are. Errors: CB_E_PARSE with file:line for a number that could be read in two ways, a second unit, what is
 * no unit behind a number, and a last number in which the file may be cut. */
CB_CHECKED cb_status fit_cells_make_plain(cb_csv *csv, size_t column, char decimal, char *unit, cb_err *err);

/* Refuses a file that is cut inside its last text: it begins another text of the column. */
CB_CHECKED cb_status fit_cells_check_text(const cb_csv *csv, size_t column, cb_err *err);

/* Refuses a row that repeats the header, as a logger writes that was started again. */
CB_CHECKED cb_status fit_cells_check_headers(const cb_csv *csv, cb_err *err);

/* Returns whether the first row has units and no numbers. */
bool fit_cells_are_units(const cb_csv *csv);

/* "[mm]" and "(mm)" as "mm"; out has 40 bytes. */
void fit_cells_strip_brackets(const char *cell, char *out);

/* Units as people and machines write them. */

/* Returns the unit as a mapping has it, with a factor where there is no such unit: "cN" is "0.01 N". NULL:
 * none known. *dim: its dimension. */
const char *fit_unit_find(const char *text, cb_dim *dim);
/* Whether the text is nothing but a unit. */
bool fit_unit_is(const char *text);

/* Returns the ASCII text of a letter beyond ASCII (UTF-8) that stands at `at`; NULL: it is none that tables
 * have. *length: its bytes, 1 if NULL. */
const char *fit_unit_letter(const char *at, size_t *length);

/* Times of day as loggers write them become seconds. */

/* Replaces the cells of a column by seconds since the beginning of the first one's day, if they are times of
 * day: H:M:S, M:S with a fraction, YYYY-MM-DD H:M:S (T instead of the blank, Z behind). Without dates a time
 * that goes back by more than half a day is of the next day. *any: there were times of day; other columns
 * stay as they are. Errors: CB_E_PARSE with file:line for a cell among them that is none. */
CB_CHECKED cb_status fit_daytime_make_plain(cb_csv *csv, size_t column, bool *any, cb_err *err);

#endif
