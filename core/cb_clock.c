#include "cb_clock.h"

#include <math.h>

double cb_clock_even(double *t_s, size_t n, double nominal_rate_Hz) {
  if (n < 8 || !(nominal_rate_Hz > 0)) return 0;
  double mean_i = 0.5 * (double)(n - 1), mean_t = 0, sxy = 0, sxx = 0;
  for (size_t i = 0; i < n; i++) mean_t += t_s[i] / (double)n;
  for (size_t i = 0; i < n; i++) {
    double di = (double)i - mean_i;
    sxy += di * (t_s[i] - mean_t);
    sxx += di * di;
  }
  double dt = sxy / sxx;
  if (!(fabs(dt * nominal_rate_Hz - 1) < 0.2)) return 0;
  double t0 = INFINITY;
  for (size_t i = 0; i < n; i++) t0 = fmin(t0, t_s[i] - (double)i * dt);
  for (size_t i = 0; i < n; i++) t_s[i] = t0 + (double)i * dt;
  return dt;
}
