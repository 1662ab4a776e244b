/* Private to lab/. */
#ifndef LAB_CALIBRATION_IMPL_H
#define LAB_CALIBRATION_IMPL_H

#include "lab_calibration.h"

/* {"entries", "at_full_scale", "u_rel", "u_floor_N"}, as it is stored; null without entries. NULL: no
   memory. */
json_t *lab_calibration_budget_json(const lab_calibration_budget *b);

/* text "": there is none. CB_E_DB: it is no such document. Caller: lab_calibration_budget_clear, also after a
 * failure. */
CB_CHECKED cb_status lab_calibration_budget_read(const char *text, lab_calibration_budget *out, cb_err *err);

void lab_calibration_budget_clear(lab_calibration_budget *b);

#endif
