/* Making and documents of points, private to lab/. */
#ifndef LAB_POINT_PARTS_H
#define LAB_POINT_PARTS_H

#include "lab_point.h"

void lab_point_detail_clear(lab_point_detail *d);

/* Returns whether a pull was reduced by a version that gave no verdicts (before 2026-11-29). */
bool lab_point_is_unjudged(const cb_friction_point *p);

/* Reduces a run. One that cannot be reduced gets a point without forces whose method says why. detail may be
 * NULL; the caller calls lab_point_detail_clear, even after an error. */
CB_CHECKED cb_status lab_point_of_run(cb_store *s, const cb_run *run, cb_friction_point *p,
                                      lab_point_detail *detail, cb_err *err);

/* Makes a pull invalid whose readings are those of an earlier pull of its campaign, to the last digit. */
CB_CHECKED cb_status lab_point_find_repeats(cb_store *s, const cb_run *run, const cb_trace *trace,
                                            fit_pull *p, cb_err *err);

/* Returns the change of the zero from before the pull to after it, in N; 0 if the zero was not taken
 * twice. */
CB_CHECKED cb_status lab_point_zero_drift(cb_store *s, const cb_run *run, double *drift_N, cb_err *err);

/* Makes {"validity", "faults", "outcome", "plateau", "cycle", "strokes"}, which is stored with a point:
 * docs/reference/json, `fit trace`. Returns NULL without memory. */
json_t *lab_point_detail_json(const lab_point_detail *d);

#endif
