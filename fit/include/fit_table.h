/* A foreign table (CSV) with a mapping (YAML) of its columns -> numbers in SI and texts, by the caller's
 * names of fields. docs/guide/import.md is the page. A mapping:
 *
 *     kind: permeability            # what the caller reads
 *     method: ISO 9237              # free text, optional
 *     source: "who measured it"
 *     header: true                  # false: columns are called 1, 2 ...
 *     skip_lines: 0                 # lines of the instrument above the table
 *     last_line: 120                # of the table, counted in the file; what follows is not read
 *     sheet: "Raw data"             # of a workbook with several
 *     encoding: latin1              # else utf-8; utf-16 and gb18030 are known, too
 *     separator: ";"                # else guessed; " ": columns between blanks
 *     decimal_comma: true           # 0,5 is 0.5
 *     leave_out: {column: Omit, value: Y}   # rows with this cell
 *     columns:
 *       material: {column: name}
 *       pressure: {column: dp, unit: mmH2O, u_rel: 0.01}
 *       velocity: {value: 4.9, unit: cm3/cm2/s}
 *
 * The value, unit or source "?" is refused: fit_guess.h writes it where a person has to fill in.
 *
 * A unit may have a factor, as in "0.2527 mm": a table's value 1 is then 0.2527 mm. */
#ifndef FIT_TABLE_H
#define FIT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_num.h"
#include "cb_origin.h"

typedef struct fit_table_field {
  const char *name;
  cb_dim dim; /* CB_DIM_NONE: a text */
  bool required;
  double min, max; /* SI; both 0: any finite number */
} fit_table_field;

typedef struct fit_table fit_table;

/* Reads a table by its mapping, whose kind must be `kind`. fields must live as long as the table. The caller
 * frees *out with fit_table_free; it is NULL on failure.
 * Errors, with file:line, key or column, got, wanted: CB_E_IO, CB_E_PARSE, CB_E_RANGE, CB_E_NOTFOUND (a
 * column), CB_E_NOMEM. */
CB_CHECKED cb_status fit_table_read(const char *mapping_path, const char *csv_path, const char *kind,
                                    const fit_table_field *fields, size_t n_fields, fit_table **out,
                                    cb_err *err);
/* NULL is allowed. */
void fit_table_free(fit_table *t);

/* Below, `field` is an index of fields and `row` one from 0. Texts belong to the table. */
size_t fit_table_rows(const fit_table *t);
/* Returns a number in SI; NAN for an empty cell, or a field that the mapping does not give. */
double fit_table_number(const fit_table *t, size_t field, size_t row);
/* Likewise, with another value in place of NAN. */
double fit_table_number_or(const fit_table *t, size_t field, size_t row, double otherwise);
/* Returns "" if the mapping does not give the field. */
const char *fit_table_text(const fit_table *t, size_t field, size_t row);
/* Copies a text of 1 to size - 1 bytes; "" where the mapping need not give the field. Error: CB_E_PARSE. */
CB_CHECKED cb_status fit_table_name(const fit_table *t, size_t field, size_t row, char *out, size_t size,
                                    cb_err *err);
/* Returns what the text of a field says, CB_IMPORTED where it is not given. A table cannot say that this
 * program measured it. Error: CB_E_PARSE for another word. */
CB_CHECKED cb_status fit_table_origin(const fit_table *t, size_t field, size_t row, cb_origin *out,
                                      cb_err *err);
bool fit_table_given(const fit_table *t, size_t field);
double fit_table_u_rel(const fit_table *t, size_t field); /* given by the mapping; 0: not given */
/* Returns the last digit of the column (cb_digit.h) in SI; 0 for a value in the mapping. */
double fit_table_digit(const fit_table *t, size_t field);
/* Returns a sentence about rows that are left out, or about a column of which some cells have more decimals
 * than its digit; "": neither. */
const char *fit_table_note(const fit_table *t);
/* Writes "file:line: ..." to *err, with the line of the row, and returns st. */
cb_status fit_table_fail(const fit_table *t, size_t row, cb_status st, cb_err *err, const char *fmt, ...)
    CB_PRINTF(5, 6);

const char *fit_table_method(const fit_table *t);
const char *fit_table_source(const fit_table *t);
const char *fit_table_mapping(const fit_table *t); /* text of the mapping */
/* Returns the fingerprint of the table's bytes (FNV-1a, 64 bit, hexadecimal). */
const char *fit_table_fingerprint(const fit_table *t);

#endif
