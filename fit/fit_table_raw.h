/* What this module, but no other, reads of a table (fit_table.h). */
#ifndef FIT_TABLE_RAW_H
#define FIT_TABLE_RAW_H

#include "fit_table.h"

/* fit_table_read, of texts at hand. */
typedef struct fit_table_file {
  const char *name, *text;
  size_t n;
} fit_table_file;
CB_CHECKED cb_status fit_table_parse(fit_table_file mapping, fit_table_file csv, const char *kind,
                                     const fit_table_field *fields, size_t n_fields, fit_table **out,
                                     cb_err *err);

/* fit_table_number as it is written; SI = raw * scale + offset. */
double fit_table_raw(const fit_table *t, size_t field, size_t row);
double fit_table_scale(const fit_table *t, size_t field, double *offset);

bool fit_table_constant(const fit_table *t, size_t field); /* a value of the mapping, no column */

#endif
