/* Private to fit_import.c and fit_import_plain.c. */
#ifndef FIT_IMPORT_IMPL_H
#define FIT_IMPORT_IMPL_H

#include "fit_import.h"

/* Numbers the repeats of rows of one pair, direction and load in the order of the table.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status fit_import_number_repeats(fit_import *im, cb_err *err);

/* The plain table, `kind: friction` (docs/guide/import.md). out starts as {0}. Errors: those of
 * fit_import_read. */
CB_CHECKED cb_status fit_import_plain(const char *mapping_path, const char *csv_path, fit_import *out,
                                      cb_err *err);

#endif
