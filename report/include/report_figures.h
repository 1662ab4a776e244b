/* The figures of the friction paper (Chen, Feng, Wang 2013), drawn from the data of any database. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "cb_store.h"
#include "report_plot.h"

typedef struct report_figure {
  const char *name; /* "a" ... "f" */
  const char *what; /* one line */
} report_figure;
extern const report_figure report_figures[]; /* ends with name == NULL */

/* Selects the data of a figure and fills *p. cloth and body restrict the selection; NULL does not. The
 * caller calls report_plot_clear, even after an error. Errors: CB_E_NOTFOUND says what the database lacks;
 * CB_E_RANGE for an unknown figure. */
CB_CHECKED cb_status report_figure_build(cb_store *s, const char *figure, const char *cloth, const char *body,
                                         report_plot *p, cb_err *err);

/* Plots one run as measured, whatever its status: force over the displacement of the stage. The caller calls
 * report_plot_clear, even after an error. Error: CB_E_NOTFOUND without such a run, or without its samples. */
CB_CHECKED cb_status report_figure_run(cb_store *s, int64_t run_id, report_plot *p, cb_err *err);

#endif
