/* Further access to sim_conditions, for its own files, tests and benches. */
#ifndef SIM_CONDITIONS_LOOK_H
#define SIM_CONDITIONS_LOOK_H

#include "sim_material.h"
#include "sim_conditions.h"

double sim_conditions_time(const sim_conditions *p); /* s since the start */

/* y = K d per vertex, K the Hessian of sim_conditions_elastic: exact, or clamped to a positive semi-definite
 * part. */
void sim_conditions_hessian_product(sim_conditions *p, sim_tangent tangent, const double (*d)[3],
                                    double (*y)[3]);

/* Per vertex: whether it is in the wind shadow of other cloth. All false without wind. Valid until the next
 * call or step. */
const bool *sim_conditions_shadowed(sim_conditions *p);

#endif
