/* One run's raw samples -> its friction point, with all that the reduction found. Forces in N; computed,
 * nothing is stored (lab_friction_reduce of lab_friction.h stores points). */
#ifndef LAB_POINT_H
#define LAB_POINT_H

#include <jansson.h>
#include <stdbool.h>

#include "cb_store.h"
#include "fit_cycle.h"
#include "fit_pull.h"

/* How a point came about. A record that goes to and fro is a cycle of strokes; all else is a pull. What was
 * read from a document knows of a pull only outcome and plateau, of a cycle only outcome, drifts, and the
 * strokes that have a window. */
typedef struct lab_point_detail {
  double normal_force_N; /* of the run; MIU and MMD are forces over it. 0 or NAN: not known */
  bool is_cycle;
  fit_pull pull;   /* unless is_cycle */
  fit_cycle cycle; /* if is_cycle; owned */
} lab_point_detail;

void lab_point_detail_clear(lab_point_detail *d);

/* A run that cannot be reduced gives a point without forces whose method says why. detail may be NULL;
 * caller: lab_point_detail_clear, also after a failure. */
CB_CHECKED cb_status lab_point_of_run(cb_store *s, const cb_run *run, cb_friction_point *p,
                                      lab_point_detail *detail, cb_err *err);
/* The force is known. */
bool lab_point_is_reduced(const lab_point_detail *d);
/* Mean coefficient of friction over the path, and its mean deviation (KES); of a cycle the means over its
 * strokes. NAN: not known. */
void lab_point_kes(const lab_point_detail *d, double *miu, double *mmd);

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
