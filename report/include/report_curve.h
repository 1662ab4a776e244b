/* A prediction over its reference. */
#ifndef REPORT_CURVE_H
#define REPORT_CURVE_H

#include "cb_err.h"

/* A curve of predictions (points) over its reference (line), into a .png or .svg file. */
typedef struct report_curve {
  const char *title, *x_label, *y_label;
  int n;
  const double *x, *predicted, *reference;
} report_curve;
CB_CHECKED cb_status report_curve_draw(const report_curve *c, const char *path, cb_err *err);

#endif
