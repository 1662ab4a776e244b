/* The parts of sim_limit_step. */
#ifndef SIM_LIMIT_PROJECT_H
#define SIM_LIMIT_PROJECT_H

#include "sim_limit.h"

/* x_m: n_vertices, where the cloth is, and then where it may be. A cloth that is within its limits and was so
 * before stays, to the bit. Not to come within the tolerance is an outcome (limits that grips do not allow).
 * CB_E_NUM: a place that is not finite. report may be NULL. */
CB_CHECKED cb_status sim_limit_project(sim_limit *l, double (*x_m)[3], sim_limit_report *report, cb_err *err);
/* The next projection begins without multipliers: after a jump, or a step of another length. */
void sim_limit_forget(sim_limit *l);

/* From now on projections keep vertices out of these bodies, without friction: each on its side of the plane
 * that touches the nearest body that is within a triangle's side of x_m. What is in one already stays as deep
 * at most. n_bodies 0: none. */
void sim_limit_keep_out(sim_limit *l, const sim_body *bodies, int n_bodies, const double (*x_m)[3]);

#endif
