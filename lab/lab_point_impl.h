/* Private to lab/. */
#ifndef LAB_POINT_IMPL_H
#define LAB_POINT_IMPL_H

#include "lab_point.h"

void lab_point_detail_clear(lab_point_detail *d);

/* A run that cannot be reduced gives a point without forces whose method says why. detail may be NULL;
 * caller: lab_point_detail_clear, also after a failure. */
CB_CHECKED cb_status lab_point_of_run(cb_store *s, const cb_run *run, cb_friction_point *p,
                                      lab_point_detail *detail, cb_err *err);

/* By how much the zero went from before the pull to after it, as the force channel reads it; 0 where it was
 * not taken twice. */
CB_CHECKED cb_status lab_point_zero_drift(cb_store *s, const cb_run *run, double *drift_N, cb_err *err);

/* {"outcome", "plateau", "cycle", "strokes"}: docs/json.md, `fit trace`; as stored with a point. NULL: no
 * memory. */
json_t *lab_point_detail_json(const lab_point_detail *d);

/* normal_force_N: of the run whose detail it is. CB_E_DB: it is no such document. Caller:
 * lab_point_detail_clear, also after a failure. */
CB_CHECKED cb_status lab_point_detail_read(const char *text, double normal_force_N, lab_point_detail *out,
                                           cb_err *err);

#endif
