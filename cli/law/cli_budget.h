/* Uncertainty budgets as tables on stdout, for calibrations and predictions. */
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#include "fit_calibration.h"
#include "lab_budget.h"

/* Prints n entries and the line of their sum. */
void cli_budget_print(const fit_budget_entry *e, size_t n, const fit_budget *sum);

/* Prints the budgets of a force, and what they do not assess. */
void cli_budget_force_print(const lab_force_budget *b);

#endif
