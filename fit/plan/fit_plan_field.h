/* Private to fit_plan*.c: the law's relative uncertainty at many points, and the effect of a run on it. */
#ifndef FIT_PLAN_FIELD_H
#define FIT_PLAN_FIELD_H

#include "cb_friction_law.h"

typedef struct fit_field {
  size_t n, n_sources;
  double *effect; /* n x n_sources: relative effect of each independent source at each point */
  double *fixed;  /* n: relative variance that no run reduces */
} fit_field;

/* n points of this law, to be set one by one. Caller: fit_field_clear, also after a failure. */
CB_CHECKED cb_status fit_field_init(fit_field *f, size_t n, const cb_friction_law *law, cb_err *err);
void fit_field_clear(fit_field *f);
void fit_field_copy(fit_field *to, const fit_field *from); /* of the same size */

void fit_field_set(fit_field *f, size_t point, const cb_friction_law *law, double angle_rad,
                   double normal_force_N);

/* Mean relative variance of the points from .. n: the part that runs reduce, and the part that they do
 * not. */
double fit_field_mean_var(const fit_field *f, size_t from);
double fit_field_mean_fixed(const fit_field *f, size_t from);

/* By how much that mean would fall if the force were measured at a point, with this relative variance. */
double fit_field_gain(const fit_field *f, size_t point, double var_rel, size_t from);
/* Applies that measurement. */
void fit_field_observe(fit_field *f, size_t point, double var_rel);

#endif
