/* Private to report/. */
#ifndef REPORT_GNUPLOT_IMPL_H
#define REPORT_GNUPLOT_IMPL_H

#include "report_gnuplot.h"

/* The same as SVG text in memory. Caller frees. */
CB_CHECKED cb_status report_gnuplot_svg(const report_plot *p, char **svg, size_t *n, cb_err *err);

#endif
