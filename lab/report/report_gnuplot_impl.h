/* Drawing in memory, private to report/. */
#ifndef REPORT_GNUPLOT_IMPL_H
#define REPORT_GNUPLOT_IMPL_H

#include "report_gnuplot.h"

/* Draws a plot as an SVG text of n bytes. The caller frees *svg. Errors: those of report_gnuplot_draw. */
CB_CHECKED cb_status report_gnuplot_svg(const report_plot *p, char **svg, size_t *n, cb_err *err);

#endif
