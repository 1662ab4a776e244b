/* What to measure next of a pair, given what the database holds of it. Nothing here prints. docs/plan.md says
 * why. */
#ifndef LAB_PLAN_H
#define LAB_PLAN_H

#include "cb_store.h"
#include "fit_plan.h"

typedef struct lab_plan_pair {
  const char *cloth, *body;
  double body_angle_deg; /* only runs with the body turned so; NAN: not known */
  bool is_real;          /* for a real bench, by real runs; else by virtual ones */
} lab_plan_pair;

/* s: NULL where nothing was measured yet; reads only. A pair that the database does not know was not
 * measured. What its rigs say of the sample's orientation counts beside opt. *n_runs: of the pair, so far. */
CB_CHECKED cb_status lab_plan_next(cb_store *s, const lab_plan_pair *pair, const fit_plan_options *opt,
                                   fit_plan *plan, size_t *n_runs, cb_err *err);

#endif
