/* Uncertainty budgets (JCGM 100:2008) of a friction force that a law predicts, and of the measured run
 * nearest to it. docs/method/uncertainty.md lists the sources of all entries. Nothing here prints. */
#ifndef LAB_BUDGET_H
#define LAB_BUDGET_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_force_budget.h"

typedef struct lab_force_budget {
  fit_force_budget predicted; /* of the predicted force at one angle and load */
  fit_force_budget run;       /* of the nearest run */
  bool has_run;               /* false: the database has no runs of the pair */
  size_t n_not_assessed;
  const char *not_assessed[FIT_NOT_ASSESSED]; /* sentences: what no entry covers */
} lab_force_budget;

#endif
