#include <math.h>

#include "fit_chart_impl.h"

void fit_cusum(const double *x, size_t n, double center, double sigma, double k, double most, double *up,
               double *down) {
  double above = 0, below = 0;
  for (size_t i = 0; i < n; i++) {
    const double d = (x[i] - center) / sigma;
    above = up[i] = fmin(most, fmax(0, above + d - k));
    below = down[i] = fmin(most, fmax(0, below - d - k));
  }
}

/* The change began after the sum was last 0. */
bool fit_cusum_is_out(const fit_chart_at *at, size_t *since) {
  const fit_chart *c = at->chart;
  const double *sum = c->up[at->i] > c->down[at->i] ? c->up : c->down;
  *since = at->i;
  while (*since > 0 && sum[*since - 1] > 0) (*since)--;
  return sum[at->i] > FIT_CHART_CUSUM_H;
}
