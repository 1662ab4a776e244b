/* Making and documents of budgets, private to lab/. */
#ifndef LAB_BUDGET_PARTS_H
#define LAB_BUDGET_PARTS_H

#include "lab_budget.h"

/* Makes the budgets of the force by a law at an angle and load. It only reads. */
CB_CHECKED cb_status lab_force_budget_make(cb_store *s, const cb_friction_law *law, double angle_rad,
                                           double normal_force_N, lab_force_budget *out, cb_err *err);

/* Makes {"predicted": {...}, "run": {...} or null, "not_assessed": [...]}: docs/reference/json, `predict
 * friction`. Returns NULL without memory. */
json_t *lab_force_budget_json(const lab_force_budget *b);

/* Makes a list with an object for each entry. Returns NULL without memory. */
json_t *lab_budget_entries_json(const fit_budget_entry *e, size_t n);

/* Reads such a list, at most `most` entries, and returns their number. The texts of the entries point into
 * the list. Values that an entry lacks are "" or 0; dof is INFINITY. */
size_t lab_budget_entries_read(const json_t *list, fit_budget_entry *e, size_t most);

#endif
