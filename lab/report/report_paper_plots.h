/* The figures of Chen et al. 2013, figure 9: a to f, private to report/. */
#ifndef REPORT_PAPER_PLOTS_H
#define REPORT_PAPER_PLOTS_H

#include "cb_store.h"
#include "lab_selection.h"
#include "report_plot.h"

/* Builds a figure by its letter from the pairs of the store; cloth and body narrow the choice, NULL: any.
 * Where no pair has traces, a to d have the means over load instead of the force over time. Errors:
 * CB_E_NOTFOUND, in a sentence that says what to measure; the store's. */
CB_CHECKED cb_status report_paper_plot(cb_store *s, const lab_selection *sel, char letter, const char *cloth,
                                       const char *body, report_plot *p, cb_err *err);

#endif
