/* A number as tables write it: with thousands separators, a decimal comma, another minus sign, a unit behind
 * it. cb_parse_double reads the plain text that comes out. */
#ifndef CB_CELL_H
#define CB_CELL_H

#include <stdbool.h>

typedef struct cb_cell {
  char plain[64]; /* digits with a point: "-1250.00" */
  char unit[40];  /* what stands behind the number: "mm"; "": nothing */
  char mark;      /* the decimal mark, '.' or ','; '\0': none */
  bool doubtful;  /* "1,250" where commas separate thousands: it could be 1.25 */
} cb_cell;

/* Reads a cell in UTF-8. decimal: '.' or ','; the other one may separate thousands, as may blanks and
 * apostrophes. A point is a decimal mark in "0.5" even where decimal is ','. Minus signs of typesetters
 * are a minus. Returns false if it is no number. What stands behind a number begins with a letter, % or a
 * degree sign. */
bool cb_cell_read(const char *text, char decimal, cb_cell *out);

/* Returns whether the cell says that there is no value: "", "-", "NA", "n/a" and the like. */
bool cb_cell_is_missing(const char *text);

#endif
