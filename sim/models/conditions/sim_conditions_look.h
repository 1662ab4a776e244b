/* What can be read of sim_conditions beside sim_conditions.h. */
#ifndef SIM_CONDITIONS_LOOK_H
#define SIM_CONDITIONS_LOOK_H

#include "sim_material.h"
#include "sim_conditions.h"

double sim_conditions_time(const sim_conditions *p);

/* y = K d, K the Hessian of that energy: exact, or clamped to a positive semi-definite part. */
void sim_conditions_hessian_product(sim_conditions *p, sim_tangent tangent, const double (*d)[3],
                                    double (*y)[3]);

/* Per vertex whether cloth lies between it and where the wind comes from; all false without wind. Until the
 * next call or step. */
const bool *sim_conditions_shadowed(sim_conditions *p);

#endif
