/* The parts of sim_limit_step. */
#ifndef SIM_LIMIT_PROJECT_H
#define SIM_LIMIT_PROJECT_H

#include "sim_limit.h"

/* Projects the positions x_m[n_vertices] onto the limits, in place. A cloth within its limits, now and in
 * the previous projection, keeps its bits. Not to reach the tolerance is an outcome (grips can forbid it):
 * see report->within. report may be NULL. Errors: CB_E_NUM for a position that is not finite; memory. */
CB_CHECKED cb_status sim_limit_project(sim_limit *l, double (*x_m)[3], sim_limit_report *report, cb_err *err);
/* The same for the end of a step, from l->target, with l->before and l->start set; the result is in l->x.
 * Where that fails, once more from the place before, without multipliers. What is less beyond the limits
 * counts, the place before too. */
CB_CHECKED cb_status sim_limit_project_surely(sim_limit *l, sim_limit_report *report, cb_err *err);
/* Returns the greatest strain of l->x beyond a limit. */
double sim_limit_excess(sim_limit *l);
/* Drops the multipliers: call it after a jump of the cloth, or before a step of another length. */
void sim_limit_forget(sim_limit *l);

/* From now on projections keep vertices out of these bodies, without friction. A vertex within a triangle's
 * side of a body stays on its side of the tangent plane of the nearest body. A vertex inside a body does not
 * sink deeper. n_bodies 0 removes the planes. */
void sim_limit_keep_out(sim_limit *l, const sim_body *bodies, int n_bodies, const double (*x_m)[3]);
/* From now on, until the next sim_limit_keep_out, a vertex whose to_m differs from its from_m stays beyond
 * the plane through to_m across the way there. */
void sim_limit_keep_apart(sim_limit *l, const double (*from_m)[3], const double (*to_m)[3]);

#endif
