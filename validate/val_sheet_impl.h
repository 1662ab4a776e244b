/* Private to validate/. */
#ifndef VAL_SHEET_IMPL_H
#define VAL_SHEET_IMPL_H

#include "val_sheet.h"

CB_CHECKED cb_status val_sheet_run(const val_sheet *e, val_sheet_result *out, cb_err *err);

/* By halving, within a thirtieth of a degree; e's own angle does not count. Holds: no vertex goes further
 * than VAL_SHEET_DRIFT_M in the second half of the time; at first the body gives way, and friction by its
 * preslide. */
CB_CHECKED cb_status val_sheet_release(const val_sheet *e, double *angle_rad, double *expected_rad,
                                       cb_err *err);

#endif
