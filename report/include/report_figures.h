/* The figures of the friction paper (Chen, Feng, Wang 2013), drawn from whatever a database holds. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "cb_store.h"
#include "report_plot.h"

typedef struct report_figure {
  const char *name; /* "a" ... "f" */
  const char *what;
} report_figure;
extern const report_figure report_figures[]; /* ends with name == NULL */

/* Chooses the data and fills *p. cloth, body: NULL or a name that restricts the choice. CB_E_NOTFOUND says
 * what the database lacks for this figure; CB_E_RANGE: no such figure. Caller: report_plot_clear, also after
 * a failure. */
CB_CHECKED cb_status report_figure_build(cb_store *s, const char *figure, const char *cloth, const char *body,
                                         report_plot *p, cb_err *err);

/* One run as it was measured, whatever became of it: force over stage displacement. CB_E_NOTFOUND: no such
 * run, or none of its samples are kept. Caller: report_plot_clear, also after a failure. */
CB_CHECKED cb_status report_figure_run(cb_store *s, int64_t run_id, report_plot *p, cb_err *err);

#endif
