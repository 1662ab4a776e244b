/* Uncertainty budgets as JSON and as a table: what calibrations and predictions share. */
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_calibration.h"

/* A list of objects, one an entry. NULL: no memory. */
json_t *cli_budget_entries(const fit_budget_entry *e, size_t n);

/* The table, to stdout, and the line below it; sum: u_N, dof, k, U_N. */
void cli_budget_print(const json_t *entries, const json_t *sum);

/* Budgets of a force that the law predicts, and of the run nearest to it where the database has runs of the pair:
 * {"predicted": {...}, "run": {...} or null, "not_assessed": [...]}. Caller: json_decref. */
CB_CHECKED cb_status cli_budget_force(cb_store *s, const cb_friction_law *law, double angle_rad, double normal_force_N, json_t **out,
                                      cb_err *err);
void cli_budget_force_print(const json_t *budget);

#endif
