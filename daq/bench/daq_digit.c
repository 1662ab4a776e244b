#include "daq_digit.h"

#include <math.h>

double daq_digit_of(const double *sorted, size_t n, size_t *distinct) {
  double least = INFINITY, range = sorted[n - 1] - sorted[0];
  *distinct = 1;
  for (size_t i = 1; i < n; i++) {
    double step = sorted[i] - sorted[i - 1];
    if (step <= 1e-6 * range) continue; /* the rounding of one and the same decimal number */
    (*distinct)++;
    least = fmin(least, step);
  }
  return least;
}
