/* A table cut into records, before anything is known of it; private to fit/guess/. */
#ifndef FIT_GUESS_SHEET_H
#define FIT_GUESS_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct guess_record {
  int line;        /* of the file, from 1 */
  size_t first, n; /* cells */
  bool blank;      /* no cell has a text */
  bool comment;    /* a line behind #, right above one of numbers */
} guess_record;

typedef struct guess_sheet {
  char separator;
  char *text; /* owned; the cells are cut out of it */
  char **cells;
  guess_record *records;
  size_t n_cells, cap_cells, n, cap; /* n records */
} guess_sheet;

/* Cuts a copy of the text. Lines that begin with # are left out, but one right above
 * numbers, which is their header. The caller calls guess_sheet_clear, even
 * after an error. Errors: CB_E_PARSE for an open quote; CB_E_NOMEM. */
CB_CHECKED cb_status guess_sheet_cut(const char *text, const char *name, char separator, guess_sheet *out,
                                     cb_err *err);
void guess_sheet_clear(guess_sheet *s);

/* The cell of a record; "" beyond its end. */
const char *guess_sheet_cell(const guess_sheet *s, size_t record, size_t column);

#endif
