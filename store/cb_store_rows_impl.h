/* Private to store/: readers and writers of rows that no other target calls. */
#ifndef CB_STORE_ROWS_IMPL_H
#define CB_STORE_ROWS_IMPL_H

#include "cb_store.h"

/* Reads the raw readings of one step. The caller frees *out with cb_series_clear.
 * Errors: CB_E_NOTFOUND; CB_E_DB if the readings are damaged. */
CB_CHECKED cb_status cb_store_calibration_raw(cb_store *s, int64_t id, int step, cb_series *out, cb_err *err);

/* Lists the converters of a run. The caller frees *list. */
CB_CHECKED cb_status cb_store_run_channels(cb_store *s, int64_t run_id, cb_run_channel **list, size_t *n,
                                           cb_err *err);

#endif
