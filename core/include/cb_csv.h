/* CSV reader for tables people and instruments write: RFC 4180 quotes, UTF-8 BOM, LF / CRLF / CR, '#' comment lines,
 * blank lines, ragged ends refused. The whole file is held in memory; cells are NUL-terminated, trimmed unless quoted. */
#ifndef CB_CSV_H
#define CB_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cb_err.h"

typedef struct cb_csv cb_csv;

typedef struct cb_csv_options {
  char separator;   /* ',' by default; 0: guessed from the header line among , ; TAB */
  bool has_header;  /* true: the first record names the columns; false: they are found by their number, "1", "2" ... */
  int skip_lines;   /* so many lines at the top are no table: what an instrument writes about itself */
  size_t max_bytes; /* refuse larger files */
} cb_csv_options;

cb_csv_options cb_csv_options_default(void);

/* Refuses: a quote that is never closed, a record with another number of cells than the header ("truncated?"),
 * NUL bytes, an empty table, a column name that stands twice, more than 10000 columns or 50 million cells. Errors say name:line. *out is
 * NULL on failure. */
CB_CHECKED cb_status cb_csv_parse(const char *text, size_t n, const char *name, const cb_csv_options *opt, cb_csv **out, cb_err *err);
void cb_csv_free(cb_csv *csv);

const char *cb_csv_name(const cb_csv *csv);
size_t cb_csv_rows(const cb_csv *csv);          /* records after the header */
int cb_csv_line(const cb_csv *csv, size_t row); /* line in the file, from 1 */
const char *cb_csv_cell(const cb_csv *csv, size_t row, size_t column);
const char *cb_csv_header(const cb_csv *csv, size_t column); /* "" without a header; NULL: there is no such column */
/* A cell that becomes a name or a text: without control characters (cb_text.h), or CB_E_RANGE with file:line. Borrowed. */
CB_CHECKED cb_status cb_csv_text(const cb_csv *csv, size_t row, size_t column, const char **out, cb_err *err);

/* False: the last line has no end, as after a cut. Legal, but worth a suspicion where its last cell looks wrong. */
bool cb_csv_complete(const cb_csv *csv);

/* Column index by exact name, or number; CB_E_NOTFOUND names the column and lists those there are. */
CB_CHECKED cb_status cb_csv_find(const cb_csv *csv, const char *column, size_t *index, cb_err *err);

/* A cell as a finite number in [min, max]. An empty cell, "NA" or "-" is missing: *missing = true and *out = 0 where
 * missing is not NULL, else an error. "nan" and "inf" are errors: a hole is written as an empty cell. */
CB_CHECKED cb_status cb_csv_number(const cb_csv *csv, size_t row, size_t column, double min, double max, double *out, bool *missing,
                                   cb_err *err);

/* The last digit of a column of numbers, in the table's unit: spreadsheets drop trailing zeros, so the one of the cell with the most
 * decimals counts, "1.2e-3" has four. At most 1. */
double cb_csv_digit(const cb_csv *csv, size_t column);

/* ---- writing ---- */

/* A text as one cell, without the separator: control characters as cb_text_show has them, quoted where it must be (RFC 4180). A text that
 * begins with = + - @ or ' gets a ' in front, so that a spreadsheet shows it instead of computing it; cb_csv_parse takes the ' off again,
 * and gives back the text that went in. Numbers are written as numbers, not by this. */
void cb_csv_put_text(FILE *to, const char *text);
/* A line "# text" that stays one in a spreadsheet: behind , ; or " no formula begins. It is for people, cb_csv_parse skips it. */
void cb_csv_put_comment(FILE *to, const char *text);

#endif
