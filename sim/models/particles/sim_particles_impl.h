/* Private to sim/models/particles/. */
#ifndef SIM_PARTICLES_IMPL_H
#define SIM_PARTICLES_IMPL_H

#include "sim_blocks.h"
#include "sim_condition.h"
#include "sim_shade.h"

struct sim_particles {
  sim_particles_setup setup;
  int n, n_patches;
  double time_s;
  double (*x)[3], (*v)[3], *mass;
  sim_patch *patch; /* triangles, then pairs of them */
  int (*slot)[16];  /* of each: where its blocks are in the matrix */
  sim_blocks matrix;
  sim_shade shade;
  /* of a step */
  double (*x0)[3], (*force)[3], (*b)[3], (*change)[3], (*pull)[3], *inertia;
  double (*was)[SIM_PARTICLES_KINDS][2]; /* per patch: values of its conditions at the step's begin */
};

typedef double sim_was[SIM_PARTICLES_KINDS][2];

/* Energy of all conditions at x. force (NULL: not wanted) += forces. scale != 0: the matrix += scale x Hessian. per_s: 1/h, so that damping
 * from `was` on counts; 0: none. */
double sim_particles_conditions(sim_particles *p, const double (*x)[3], double per_s, double (*force)[3], double scale,
                                sim_tangent tangent);
/* `was` at x. */
void sim_particles_remember(sim_particles *p, const double (*x)[3]);

#endif
