/* What can be read of sim_particles beside sim_particles.h. */
#ifndef SIM_PARTICLES_LOOK_H
#define SIM_PARTICLES_LOOK_H

#include "sim_material.h"
#include "sim_particles.h"

double sim_particles_time(const sim_particles *p);

/* y = K d, K the Hessian of that energy: exact, or clamped to a positive semi-definite part. */
void sim_particles_hessian_product(sim_particles *p, sim_tangent tangent, const double (*d)[3], double (*y)[3]);

/* Per vertex whether cloth lies between it and where the wind comes from; all false without wind. Until the next call or step. */
const bool *sim_particles_shadowed(sim_particles *p);

#endif
