#include <math.h>

#include "fit_chart_impl.h"

void fit_ewma(const double *x, size_t n, double center, double lambda, double *z) {
  double last = center;
  for (size_t i = 0; i < n; i++) last = z[i] = lambda * x[i] + (1 - lambda) * last;
}

double fit_ewma_limit(double sigma, double lambda, double k) {
  return k * sigma * sqrt(lambda / (2 - lambda));
}

/* The change began after the average was last on the other side. */
bool fit_ewma_is_out(const fit_chart_at *at, size_t *since) {
  const double *z = at->chart->ewma, center = at->chart->limits.center;
  const double side = z[at->i] > center ? 1 : -1;
  *since = at->i;
  while (*since > 0 && side * (z[*since - 1] - center) > 0) (*since)--;
  return fabs(z[at->i] - center) > at->chart->ewma_limit;
}
