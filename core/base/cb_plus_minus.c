#include "cb_plus_minus.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "cb_stats.h"

/* The power of ten of the second significant digit. */
static int second_digit(double U) {
  const int at = (int)floor(log10(U)) - 1;
  return U / pow(10, at) >= 99.5 ? at + 1 : at; /* 0.0996 is 0.10 */
}

char *cb_plus_minus(double value, double U, const char *between, char out[CB_PLUS_MINUS]) {
  if (!isfinite(value) || !isfinite(U) || !(U > 0)) {
    (void)snprintf(out, CB_PLUS_MINUS, "%.4g", value);
    return out;
  }
  const double size = fmax(fabs(value), U);
  const bool scaled = size < 1e-3 || size >= 1e6;
  const int power = scaled ? 3 * (int)floor(log10(size) / 3) : 0;
  value /= pow(10, power), U /= pow(10, power);
  const int at = second_digit(U), decimals = at < 0 ? (at < -15 ? 15 : -at) : 0;
  const double step = pow(10, at < -15 ? -15 : at);
  value = step * round(value / step), U = step * round(U / step);
  if (scaled)
    (void)snprintf(out, CB_PLUS_MINUS, "(%.*f%s%.*f)e%d", decimals, value, between, decimals, U, power);
  else
    (void)snprintf(out, CB_PLUS_MINUS, "%.*f%s%.*f", decimals, value, between, decimals, U);
  return out;
}

char *cb_plus_minus_of_u(double value, double u, double dof, char out[CB_PLUS_MINUS]) {
  return cb_plus_minus(value, cb_student_t(0.95, isnan(dof) ? INFINITY : dof) * u, " +- ", out);
}
