#include "report_scatter.h"

#include <math.h>
#include <stdio.h>

#define WIDE 20.0

static bool is_wide(const double *v, size_t n) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    if (isnan(v[i])) continue;
    low = fmin(low, v[i]);
    high = fmax(high, v[i]);
  }
  return low > 0 && high > WIDE * low;
}

void report_scatter(const char *title, const char *x_name, const char *y_name, const double *x,
                    const double *y, size_t n, report_plot *p) {
  *p = (report_plot){.origin = CB_SIMULATED, .margins = true};
  (void)snprintf(p->title, sizeof p->title, "%s", title);
  (void)snprintf(p->x_label, sizeof p->x_label, "%s", x_name);
  (void)snprintf(p->y_label, sizeof p->y_label, "%s", y_name);
  p->log_x = is_wide(x, n);
  p->log_y = is_wide(y, n);
  report_series *s = report_plot_add(p, REPORT_POINTS, 0, y_name);
  s->quiet = true;
  for (size_t i = 0; i < n; i++)
    if (isfinite(x[i]) && isfinite(y[i])) report_plot_push(p, s, x[i], y[i], 0);
}
