/* A figure of predictions over their reference. */
#ifndef REPORT_CURVE_H
#define REPORT_CURVE_H

#include "cb_err.h"

/* n predictions (points) and references (line) over x. It owns nothing. */
typedef struct report_curve {
  const char *title, *x_label, *y_label;
  int n;
  const double *x, *predicted, *reference;
} report_curve;
/* Draws the curve into a file. Errors: those of report_gnuplot_draw. */
CB_CHECKED cb_status report_curve_draw(const report_curve *c, const char *path, cb_err *err);

#endif
