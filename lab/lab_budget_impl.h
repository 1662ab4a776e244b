/* Private to lab/. */
#ifndef LAB_BUDGET_IMPL_H
#define LAB_BUDGET_IMPL_H

#include "lab_budget.h"

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
