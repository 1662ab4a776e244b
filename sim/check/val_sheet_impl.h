/* The runs of val_sheet.h, private to validate/. */
#ifndef VAL_SHEET_IMPL_H
#define VAL_SHEET_IMPL_H

#include "val_sheet.h"

/* Runs one slide. Errors: a number out of range, those of sim_layered, memory. */
CB_CHECKED cb_status val_sheet_run(const val_sheet *e, val_sheet_result *out, cb_err *err);

/* Finds the angle of release by bisection, to a thirtieth of a degree; e's own angle is ignored. The sheet
 * holds if no vertex moves by more than VAL_SHEET_DRIFT_M in the second half of the time. (In the first half
 * the body gives way, and friction has its preslide.) */
CB_CHECKED cb_status val_sheet_release(const val_sheet *e, double *angle_rad, double *expected_rad,
                                       cb_err *err);

#endif
