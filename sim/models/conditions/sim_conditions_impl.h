/* Private to sim/models/conditions/. */
#ifndef SIM_CONDITIONS_IMPL_H
#define SIM_CONDITIONS_IMPL_H

#include "sim_blocks.h"
#include "sim_condition.h"
#include "sim_wind_shadow.h"

struct sim_conditions {
  sim_conditions_setup setup;
  int n, n_patches;
  double time_s;
  double (*x)[3], (*v)[3], *mass;
  sim_patch *patch; /* triangles, then pairs of them */
  int (*slot)[16];  /* of each: where its blocks are in the matrix */
  sim_blocks matrix;
  sim_wind_shadow wind_shadow;
  /* of a step */
  double (*x0)[3], (*force)[3], (*b)[3], (*change)[3], (*pull)[3], *inertia;
  double (*was)[SIM_CONDITIONS_KINDS][2]; /* per patch: values of its conditions at the step's begin */
};

typedef double sim_was[SIM_CONDITIONS_KINDS][2];

/* Energy of all conditions at x. force (NULL: not wanted) += forces. scale != 0: the matrix += scale x
 * Hessian. per_s: 1/h, so that damping from `was` on counts; 0: none. */
double sim_conditions_conditions(sim_conditions *p, const double (*x)[3], double per_s, double (*force)[3],
                                 double scale, sim_tangent tangent);
/* `was` at x. */
void sim_conditions_remember(sim_conditions *p, const double (*x)[3]);

#endif
