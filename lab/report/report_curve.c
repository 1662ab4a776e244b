#include "report_curve.h"

#include <stdio.h>

#include "report_gnuplot.h"

cb_status report_curve_draw(const report_curve *c, const char *path, cb_err *err) {
  report_plot p = {.origin = CB_SIMULATED};
  (void)snprintf(p.title, sizeof p.title, "%s", c->title);
  (void)snprintf(p.x_label, sizeof p.x_label, "%s", c->x_label);
  (void)snprintf(p.y_label, sizeof p.y_label, "%s", c->y_label);
  report_series *line = report_plot_add(&p, REPORT_LINE, 0, "reference"),
                *points = report_plot_add(&p, REPORT_POINTS, 1, "predicted");
  for (int k = 0; k < c->n; k++) {
    report_plot_push(&p, line, c->x[k], c->reference[k], 0);
    report_plot_push(&p, points, c->x[k], c->predicted[k], 0);
  }
  cb_status st = report_gnuplot_draw(&p, path, err);
  report_plot_clear(&p);
  return st;
}
