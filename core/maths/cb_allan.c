#include "cb_allan.h"

#include <math.h>

#include "cb_stats.h"

void cb_allan_sum(const double *y, size_t n, double *sum) {
  double mean = cb_mean(y, n);
  sum[0] = 0;
  for (size_t i = 0; i < n; i++) sum[i + 1] = sum[i] + (y[i] - mean);
}

/* For white noise of the signal; N = n + 1 running sums. */
static double degrees_of_freedom(size_t n, size_t m) {
  double N = (double)n + 1, M = (double)m;
  double edf = (3 * (N - 1) / (2 * M) - 2 * (N - 2) / N) * (4 * M * M) / (4 * M * M + 5);
  return edf < 1 ? 1 : edf;
}

cb_allan_point cb_allan_at(const double *sum, size_t n, double period_s, size_t m) {
  double squares = 0, M = (double)m;
  size_t terms = n + 1 - 2 * m;
  for (size_t i = 0; i < terms; i++) {
    double d = (sum[i + 2 * m] - 2 * sum[i + m] + sum[i]) / M;
    squares += d * d;
  }
  double deviation = sqrt(squares / (2 * (double)terms));
  return (cb_allan_point){M * period_s, deviation, deviation / sqrt(2 * degrees_of_freedom(n, m))};
}

size_t cb_allan_octaves(const double *sum, size_t n, double period_s, cb_allan_point *out, size_t cap) {
  size_t k = 0;
  for (size_t m = 1; k < cap && 8 * m <= n; m *= 2) out[k++] = cb_allan_at(sum, n, period_s, m);
  return k;
}
