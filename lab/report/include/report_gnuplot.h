/* Drawing of a report_plot with gnuplot, as a child process. Script and data are in one temporary file. A
 * picture is written when gnuplot has drawn the whole of it. The same plot gives the same bytes. */
#ifndef REPORT_GNUPLOT_H
#define REPORT_GNUPLOT_H

#include <stddef.h>

#include "cb_err.h"
#include "report_plot.h"

/* Draws a plot into a file whose name ends in .svg, .pdf or .png, or writes its numbers into one that ends in
 * .csv (report_plot_impl.h). Errors: CB_E_RANGE for another name; CB_E_NOTFOUND without gnuplot or without
 * anything to draw; those of the file. */
CB_CHECKED cb_status report_gnuplot_draw(const report_plot *p, const char *path, cb_err *err);

#endif
