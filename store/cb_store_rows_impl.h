/* Private to store/: readers and writers of rows that no other target calls. */
#ifndef CB_STORE_ROWS_IMPL_H
#define CB_STORE_ROWS_IMPL_H

#include "cb_store.h"
#include "cb_store_self_friction.h"
#include "cb_store_shape.h"

/* Reads the raw readings of one step. The caller frees *out with cb_series_clear.
 * Errors: CB_E_NOTFOUND; CB_E_DB if the readings are damaged. */
CB_CHECKED cb_status cb_store_calibration_raw(cb_store *s, int64_t id, int step, cb_series *out, cb_err *err);

/* Lists the converters of a run. The caller frees *list. */
CB_CHECKED cb_status cb_store_run_channels(cb_store *s, int64_t run_id, cb_run_channel **list, size_t *n,
                                           cb_err *err);

/* Checks all laws of a file that are stored as texts: those of single materials, old ones included, and the
 * newest of cloth on cloth.
 * Errors: CB_E_DB for the first text that is no law, CB_E_NOMEM. */
CB_CHECKED cb_status cb_store_laws_check(cb_store *s, cb_err *err);

/* Checks that the table of laws (law.h) has the kind of a law, and that its material is of the sort whose
 * law it is. id 0: all laws. Errors: CB_E_DB for the first that is wrong. */
CB_CHECKED cb_status cbs_law_owners_check(cb_store *s, int64_t id, cb_err *err);

/* Lists every law of every pair, old ones as well, ordered by names and age. The caller frees the list with
 * cb_self_friction_rows_free. */
CB_CHECKED cb_status cb_store_self_friction_all(cb_store *s, cb_self_friction_row **list, size_t *n,
                                                cb_err *err);

/* Writes the numbers of every law anew whose numbers are not those of its text (law_row, `number`); a law
 * that this version cannot read has none. id 0: of all laws. Without `mend` the first of them is CB_E_DB. */
CB_CHECKED cb_status cbs_law_numbers(cb_store *s, int64_t id, bool mend, cb_err *err);

/* Unpacks the columns of a draped shape whose counts and quantum_m are set, into new arrays. Errors:
 * CB_E_PARSE, CB_E_NOMEM. */
CB_CHECKED cb_status cbs_shape_unpack(const unsigned char *data, size_t size, cb_drape_shape *p, cb_err *err);
/* Reads every draped shape. Error: CB_E_DB for the first that is damaged. */
CB_CHECKED cb_status cbs_shapes_check(cb_store *s, cb_err *err);

#endif
