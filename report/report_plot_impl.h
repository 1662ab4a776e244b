/* Private to report/. */
#ifndef REPORT_PLOT_IMPL_H
#define REPORT_PLOT_IMPL_H

#include "report_plot.h"

/* A curve of n points thinned to at most max_pairs pairs of minimum and maximum, so that no peak is lost. */
void report_plot_push_curve(report_plot *p, report_series *s, const double *x, const double *y, size_t n,
                            size_t max_pairs);

/* A plot shows real data only if all that went into it was real. */
void report_plot_add_origin(report_plot *p, cb_origin origin);

/* Nothing to see: no series with a point, guides apart. */
bool report_plot_is_empty(const report_plot *p);

#endif
