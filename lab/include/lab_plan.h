/* Plans the next measurements of a pair from those in the database. docs/guide/plan.md has the method.
 * Nothing here prints. */
#ifndef LAB_PLAN_H
#define LAB_PLAN_H

#include "cb_store.h"
#include "fit_plan.h"

typedef struct lab_plan_pair {
  const char *cloth, *body;
  double body_angle_deg; /* only runs with the body at this angle count; NAN: unknown */
  bool is_real;          /* real runs count, for a real bench; else virtual ones */
} lab_plan_pair;

/* Makes the plan. s NULL means that nothing was measured. A pair that the database does not know counts as
 * not measured. The uncertainty of the sample's angle is the larger of opt's and that of the rigs. *n_runs
 * is the number of runs of the pair. It only reads. */
CB_CHECKED cb_status lab_plan_next(cb_store *s, const lab_plan_pair *pair, const fit_plan_options *opt,
                                   fit_plan *plan, size_t *n_runs, cb_err *err);

#endif
