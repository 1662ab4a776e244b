/* Uncertainty budgets on stdout, as tables: what calibrations and predictions share. */
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#include "fit_calibration.h"
#include "lab_budget.h"

/* The table, and the line below it. */
void cli_budget_print(const fit_budget_entry *e, size_t n, const fit_budget *sum);

void cli_budget_force_print(const lab_force_budget *b);

#endif
