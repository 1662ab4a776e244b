/* One column of a table of simulations over another, as points. */
#ifndef REPORT_SCATTER_H
#define REPORT_SCATTER_H

#include "report_plot.h"

/* Plots y over x, n points; those with a NAN are left out. An axis with positive values alone that reach over
 * a factor of 20 is logarithmic. The caller calls report_plot_clear. */
void report_scatter(const char *title, const char *x_name, const char *y_name, const double *x,
                    const double *y, size_t n, report_plot *p);

#endif
