/* Draws a report_plot with gnuplot, as a child process: script and data in one temporary file, the picture
 * under a temporary name that is renamed into place only after gnuplot ended well. Same plot, same bytes. */
#ifndef REPORT_GNUPLOT_H
#define REPORT_GNUPLOT_H

#include <stddef.h>

#include "cb_err.h"
#include "report_plot.h"

/* The form follows the name: .svg or .png, anything else is CB_E_RANGE. CB_E_NOTFOUND: gnuplot is not
 * installed. */
CB_CHECKED cb_status report_gnuplot_draw(const report_plot *p, const char *path, cb_err *err);

#endif
