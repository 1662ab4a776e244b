/* A foreign table (CSV) plus a mapping (YAML) that says what its columns mean -> numbers in SI and texts, by the names that the
 * caller asks for. docs/import.md is its page.
 *
 *   kind: permeability            # what the caller reads
 *   method: ISO 9237              # free text, optional
 *   source: "who measured it"
 *   header: true                  # false: columns are called 1, 2 ...
 *   skip_lines: 0                 # lines of the instrument above the table
 *   separator: ";"                # else guessed
 *   decimal_comma: true           # 0,5 is 0.5
 *   columns:
 *     material: {column: name}
 *     pressure: {column: dp, unit: mmH2O, u_rel: 0.01}
 *     velocity: {value: 4.9, unit: cm3/cm2/s}
 *
 * A unit may have a factor before it, "0.2527 mm": so much is one of the table's. */
#ifndef FIT_TABLE_H
#define FIT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_num.h"

typedef struct fit_table_field {
  const char *name;
  cb_dim dim; /* CB_DIM_NONE: a text */
  bool required;
  double min, max; /* SI; both 0: any finite number */
} fit_table_field;

typedef struct fit_table fit_table;

/* fields: static. Errors say file:line, key or column, got, wanted. *out is NULL on failure. */
CB_CHECKED cb_status fit_table_read(const char *mapping_path, const char *csv_path, const char *kind, const fit_table_field *fields,
                                    size_t n_fields, fit_table **out, cb_err *err);
void fit_table_free(fit_table *t);

size_t fit_table_rows(const fit_table *t);
/* NAN: a hole in the table, or a field that the mapping does not give. */
double fit_table_number(const fit_table *t, size_t field, size_t row);
/* "" where the mapping does not give it. Lives as long as the table. */
const char *fit_table_text(const fit_table *t, size_t field, size_t row);
bool fit_table_given(const fit_table *t, size_t field);
double fit_table_u_rel(const fit_table *t, size_t field); /* as the mapping says; 0: it does not */
double fit_table_digit(const fit_table *t, size_t field); /* last digit of the column (cb_csv_digit), SI; 0: a constant */
/* "file:line: ..." */
cb_status fit_table_fail(const fit_table *t, size_t row, cb_status st, cb_err *err, const char *fmt, ...) CB_PRINTF(5, 6);

const char *fit_table_method(const fit_table *t);
const char *fit_table_source(const fit_table *t);
const char *fit_table_mapping(const fit_table *t);     /* its text */
const char *fit_table_fingerprint(const fit_table *t); /* of the table's bytes: FNV-1a, 64 bit, hexadecimal */

#endif
