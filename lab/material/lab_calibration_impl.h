/* The stored document of a calibration's budget, private to lab/. */
#ifndef LAB_CALIBRATION_IMPL_H
#define LAB_CALIBRATION_IMPL_H

#include "lab_calibration.h"

/* Makes {"entries", "at_full_scale", "u_rel", "u_floor_N"}; null without entries. Returns NULL without
 * memory. */
json_t *lab_calibration_budget_json(const lab_calibration_budget *b);

/* Reads such a document; text "" is no budget. The caller calls lab_calibration_budget_clear, even after an
 * error. Error: CB_E_DB for another document. */
CB_CHECKED cb_status lab_calibration_budget_read(const char *text, lab_calibration_budget *out, cb_err *err);

void lab_calibration_budget_clear(lab_calibration_budget *b);

#endif
