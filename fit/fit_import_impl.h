/* What readers of friction tables share; private to fit/. */
#ifndef FIT_IMPORT_IMPL_H
#define FIT_IMPORT_IMPL_H

#include "fit_import.h"
#include "fit_incline.h"
#include "fit_table.h"
#include "fit_table_raw.h"

/* Ends the reading of a table: a calibration with this uncertainty, what the table notes, and repeats in the
 * order of the table where the field `repeat` is not given. Error: CB_E_NOMEM. */
CB_CHECKED cb_status fit_import_end(const fit_table *t, double u_rel, size_t repeat, fit_import *out,
                                    cb_err *err);

/* The plain table, `kind: friction` (docs/guide/import.md). out starts as {0}. Errors: those of
 * fit_import_read. */
CB_CHECKED cb_status fit_import_plain(const char *mapping_path, const char *csv_path, fit_import *out,
                                      cb_err *err);

/* The caller frees *out with fit_import_clear, also after a failure. Errors: those of fit_incline_read. */
CB_CHECKED cb_status fit_incline_parse(fit_incline_kind kind, fit_table_file mapping, fit_table_file csv,
                                       fit_import *out, cb_err *err);

#endif
