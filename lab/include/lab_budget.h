/* Uncertainty budgets (JCGM 100:2008) of a friction force that a law predicts, with what the database knows
 * of the runs behind it. docs/uncertainty.md says where every entry comes from. Nothing here prints. */
#ifndef LAB_BUDGET_H
#define LAB_BUDGET_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_force_budget.h"

typedef struct lab_force_budget {
  fit_force_budget predicted; /* the force at that angle under that load */
  fit_force_budget run;       /* ... and of the run nearest to it, */
  bool has_run;               /* where the database has runs of the pair */
  size_t n_not_assessed;
  const char *not_assessed[FIT_NOT_ASSESSED]; /* sentences: what no entry is about */
} lab_force_budget;

#endif
