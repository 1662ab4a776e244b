/* Allan deviation: how much neighbouring means of a signal differ, by the length of the mean. White noise
 * falls as 1/sqrt(tau). At the minimum of the curve, the bias stability, longer averaging gains nothing.
 * Formulas: W. J. Riley, Handbook of Frequency Stability Analysis, NIST Special Publication 1065 (2008). Its
 * "frequency" is any signal here. */
#ifndef CB_ALLAN_H
#define CB_ALLAN_H

#include <stddef.h>

typedef struct cb_allan_point {
  double tau_s;     /* length of the means */
  double deviation; /* in the unit of the signal */
  double u; /* its standard uncertainty for white noise (section 5.3.3, equivalent degrees of freedom) */
} cb_allan_point;

/* Returns the overlapping Allan deviation for means of m samples (section 5.2.4). 1 <= m, 2 m <= n. sum has n
 * + 1 elements and comes from cb_allan_sum. */
cb_allan_point cb_allan_at(const double *sum, size_t n, double period_s, size_t m);
/* Writes n + 1 running sums: sum[0] = 0, sum[i + 1] = sum[i] + y[i] - mean of y. n >= 1. The mean has no
 * effect on the result, and would cost digits. */
void cb_allan_sum(const double *y, size_t n, double *sum);
/* Writes the points for m = 1, 2, 4 ... up to n / 8, at most cap of them. Returns their number. */
size_t cb_allan_octaves(const double *sum, size_t n, double period_s, cb_allan_point *out, size_t cap);

#endif
