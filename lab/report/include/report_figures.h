/* Figures by name: those of the friction paper (Chen, Feng, Wang 2013), those of a cloth's other properties,
 * and those of a pair's friction. They are drawn from the data of any database. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "cb_store.h"
#include "lab_chart.h"
#include "lab_compare.h"
#include "lab_round_robin.h"
#include "lab_selection.h"
#include "report_plot.h"

typedef struct report_figure {
  const char *name; /* "a" ... "f", "permeability", "mu" ... */
  const char *what; /* one line */
} report_figure;
/* Returns figure i = 0, 1 ... of the list; name NULL behind the last. */
report_figure report_figure_at(size_t i);

/* Selects the data of a figure and fills *p. For a to f, cloth and body restrict the selection, and NULL does
 * not. sel: only the selected runs, with laws that are fitted to them; NULL:
 * all. Figures of a cloth want the cloth, and those of a pair both. The caller calls report_plot_clear, even
 * after an error. Errors: CB_E_NOTFOUND says what the database lacks; CB_E_ARG for a cloth or body that is
 * missing or too many; CB_E_RANGE for an unknown figure. */
CB_CHECKED cb_status report_figure_build(cb_store *s, const lab_selection *sel, const char *figure,
                                         const char *cloth, const char *body, report_plot *p, cb_err *err);

/* Plots one run as measured, whatever its status: force over the displacement of the stage. The caller calls
 * report_plot_clear, even after an error. Error: CB_E_NOTFOUND without such a run, or without its samples. */
CB_CHECKED cb_status report_figure_run(cb_store *s, int64_t run_id, report_plot *p, cb_err *err);

/* Plots a comparison: mu of A over mu of B over the load, a colour for each angle, bars of the joint expanded
 * uncertainty. The caller calls report_plot_clear. */
void report_figure_compare(const lab_compare *c, report_plot *p);
/* Plots a round robin after Youden: the laboratories' deviations in one part of the cells over those in the
 * other, in percent, with bars of the expanded uncertainty of y. The caller calls report_plot_clear. */
void report_figure_youden(const lab_round_robin *r, report_plot *p);
/* Plots a pair over time: its points with bars of their standard uncertainty, their EWMA, the limits of both.
 * The caller calls report_plot_clear. */
void report_figure_chart(const lab_chart *c, report_plot *p);

#endif
