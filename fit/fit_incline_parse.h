/* fit_incline_read, of the texts of its files. Private to fit/. */
#ifndef FIT_INCLINE_PARSE_H
#define FIT_INCLINE_PARSE_H

#include "fit_incline.h"
#include "fit_table_raw.h"

/* The caller frees *out with fit_import_clear, also after a failure. Errors: those of fit_incline_read. */
CB_CHECKED cb_status fit_incline_parse(fit_incline_kind kind, fit_table_file mapping, fit_table_file csv,
                                       fit_import *out, cb_err *err);

#endif
