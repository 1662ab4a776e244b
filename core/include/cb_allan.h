/* Allan deviation: how much neighbouring means of a signal differ, by the length of the mean. White noise falls as 1/sqrt(tau); where
 * the curve is lowest, longer averaging gains nothing any more (bias stability). Formulas and numbers of tables: W. J. Riley,
 * Handbook of Frequency Stability Analysis, NIST Special Publication 1065 (2008); its "frequency" is any signal here. */
#ifndef CB_ALLAN_H
#define CB_ALLAN_H

#include <stddef.h>

typedef struct cb_allan_point {
  double tau_s;     /* length of the means */
  double deviation; /* in the unit of the signal */
  double u;         /* its standard uncertainty, as for white noise (section 5.3.3, equivalent degrees of freedom) */
} cb_allan_point;

/* Overlapping Allan deviation for means of m samples (section 5.2.4); m >= 1, 2 m <= n. sum: n + 1 running sums by cb_allan_sum. */
cb_allan_point cb_allan_at(const double *sum, size_t n, double period_s, size_t m);
/* sum[0] = 0, sum[i + 1] = sum[i] + y[i] - mean of y: the mean has no part in the result and would cost digits. n >= 1. */
void cb_allan_sum(const double *y, size_t n, double *sum);
/* m = 1, 2, 4 ... up to n / 8, beyond which there is little to average. Returns how many, at most cap. */
size_t cb_allan_octaves(const double *sum, size_t n, double period_s, cb_allan_point *out, size_t cap);

#endif
