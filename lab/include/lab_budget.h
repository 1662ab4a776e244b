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

/* Reads only. */
CB_CHECKED cb_status lab_force_budget_make(cb_store *s, const cb_friction_law *law, double angle_rad,
                                           double normal_force_N, lab_force_budget *out, cb_err *err);
/* {"predicted": {...}, "run": {...} or null, "not_assessed": [...]}: docs/json.md, `predict friction`. NULL:
 * no memory. */
json_t *lab_force_budget_json(const lab_force_budget *b);

/* A list of objects, one an entry. NULL: no memory. */
json_t *lab_budget_entries_json(const fit_budget_entry *e, size_t n);
/* From such a list; the entries' texts point into it. Returns how many: most at most. What an entry does not
 * say is "" or 0, and dof INFINITY. */
size_t lab_budget_entries_read(const json_t *list, fit_budget_entry *e, size_t most);

#endif
