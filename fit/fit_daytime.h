/* Times of day as loggers write them become seconds; private to fit/. */
#ifndef FIT_DAYTIME_H
#define FIT_DAYTIME_H

#include <stdbool.h>

#include "cb_csv.h"

/* Replaces the cells of a column by seconds since the beginning of the first one's day, if they are times of
 * day: H:M:S, M:S with a fraction, YYYY-MM-DD H:M:S (T instead of the blank, Z behind). Without dates a time
 * that goes back by more than half a day is of the next day. *any: there were times of day; other columns
 * stay as they are. Errors: CB_E_PARSE with file:line for a cell among them that is none. */
CB_CHECKED cb_status fit_daytime_make_plain(cb_csv *csv, size_t column, bool *any, cb_err *err);

#endif
