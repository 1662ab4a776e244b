/* The state of sim_conditions, private to sim/models/conditions/. */
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
  sim_patch *patch; /* triangles, then pairs of triangles at inner edges */
  int (*slot)[16];  /* per patch: index of block 4 i + j in the matrix */
  sim_blocks matrix;
  sim_wind_shadow wind_shadow;
  /* scratch of a step */
  double (*x0)[3], (*force)[3], (*b)[3], (*change)[3], (*pull)[3], *inertia;
  double (*was)[SIM_CONDITIONS_KINDS][2]; /* per patch: values of its conditions at the start of the step */
};

typedef double sim_was[SIM_CONDITIONS_KINDS][2];

/* Returns the energy of all conditions at x. force += their forces, unless NULL. The matrix += scale x
 * Hessian, unless scale is 0. per_s is 1/h and adds damping from the values `was`; 0 adds none. */
double sim_conditions_conditions(sim_conditions *p, const double (*x)[3], double per_s, double (*force)[3],
                                 double scale, sim_tangent tangent);
/* Sets `was` to the values at x. */
void sim_conditions_remember(sim_conditions *p, const double (*x)[3]);

#endif
