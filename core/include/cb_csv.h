/* CSV tables, as people and instruments write them.
 *
 * The reader knows RFC 4180 quotes, a UTF-8 byte-order mark, line ends LF, CRLF and CR, comment lines after
 * '#', blank lines, and the rows of separators that spreadsheets write for them. The line "sep=;" at the top
 * tells the separator. Empty cells beyond the last column are left out. It holds the whole file in
 * memory. Cells are NUL-terminated, and trimmed unless quoted. Rows and columns count from 0; an index out of
 * range is a bug of the caller and is not checked. */
#ifndef CB_CSV_H
#define CB_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cb_err.h"

typedef struct cb_csv cb_csv;

typedef struct cb_csv_options {
  char separator;   /* ',' by default; 0: guessed from the header line among , ; TAB */
  bool has_header;  /* true: the first record names the columns; false: their names are "1", "2" ... */
  int skip_lines;   /* lines to skip at the top, where an instrument writes about itself */
  size_t max_bytes; /* larger files are refused */
} cb_csv_options;

/* Returns: comma, header, nothing skipped, 256 MiB. */
cb_csv_options cb_csv_options_default(void);

/* Parses a copy of the n bytes of text. `name` stands for the file in errors, which say name:line. The caller
 * frees *out with cb_csv_free; *out is NULL on failure.
 * CB_E_PARSE: an open quote, a record with another number of cells than the first, a NUL byte, an empty
 * table, or a doubled column name. CB_E_RANGE: more than max_bytes, 10000 columns or 50 million cells.
 * CB_E_NOMEM. */
CB_CHECKED cb_status cb_csv_parse(const char *text, size_t n, const char *name, const cb_csv_options *opt,
                                  cb_csv **out, cb_err *err);
/* Frees the table and all texts borrowed from it. NULL is allowed. */
void cb_csv_free(cb_csv *csv);

/* All texts returned below belong to the table and live as long as it does. */
const char *cb_csv_name(const cb_csv *csv);
size_t cb_csv_rows(const cb_csv *csv);          /* records after the header */
int cb_csv_line(const cb_csv *csv, size_t row); /* line in the file, from 1 */
const char *cb_csv_cell(const cb_csv *csv, size_t row, size_t column);
/* Returns the name of a column; "" without a header, NULL if there is no such column. */
const char *cb_csv_header(const cb_csv *csv, size_t column);
/* Returns a cell that will be used as a name or text, if it has no control characters (cb_text.h).
 * Errors: CB_E_RANGE with file:line. */
CB_CHECKED cb_status cb_csv_text(const cb_csv *csv, size_t row, size_t column, const char **out, cb_err *err);

/* Shortens a cell. text must not be longer than the cell is. */
void cb_csv_set_cell(cb_csv *csv, size_t row, size_t column, const char *text);
/* Takes a row out of the table: the others keep their lines. */
void cb_csv_drop_row(cb_csv *csv, size_t row);

/* Returns false if the last cell has neither a line end nor a closing quote behind it, as in a truncated
 * file. Such a file is legal. */
bool cb_csv_complete(const cb_csv *csv);

/* Finds a column by its exact name, or by its number if there is no header.
 * Errors: CB_E_NOTFOUND; the sentence lists the columns. */
CB_CHECKED cb_status cb_csv_find(const cb_csv *csv, const char *column, size_t *index, cb_err *err);

/* Reads a cell as a finite number in [min, max], bounds included. A cell that is missing (cb_cell.h):
 * *missing is then true and *out is 0. With missing = NULL a missing cell is an error. "nan" and "inf" are
 * errors always.
 * Errors, with file:line: CB_E_PARSE if the cell is no number, CB_E_RANGE if it is out of range. */
CB_CHECKED cb_status cb_csv_number(const cb_csv *csv, size_t row, size_t column, double min, double max,
                                   double *out, bool *missing, cb_err *err);

/* ---- writing ---- */

/* Writes a text as one cell, without the separator, quoted where RFC 4180 demands it. Control characters are
 * written as cb_text_show shows them. A text that begins with = + - @ or ' gets a ' in front: a spreadsheet
 * then shows the text instead of computing it. cb_csv_parse removes that sign again, so that the text
 * survives. Not for numbers. */
void cb_csv_put_text(FILE *to, const char *text);
/* Writes the line "# text". No formula can begin behind a comma, semicolon or quote in it. cb_csv_parse skips
 * the line. */
void cb_csv_put_comment(FILE *to, const char *text);

#endif
