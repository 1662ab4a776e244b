#include "cb_uncertainty.h"

#include <math.h>
#include <string.h>

#define MAX_N 8
#define ROUNDING 1e-9

cb_status cb_check_u(double u, const char *what, cb_err *err) {
  return u >= 0 && isfinite(u)
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "%s = %g: a finite uncertainty >= 0 was wanted", what, u);
}

cb_status cb_check_dof(double dof, const char *what, cb_err *err) {
  return dof >= CB_DOF_MIN ? CB_OK
                           : cb_fail(err, CB_E_RANGE, "%s = %g degrees of freedom: at least %g was wanted",
                                     what, dof, CB_DOF_MIN);
}

/* Correlations: what is compared has no unit. Where a variance is 0 the whole row must be. */
static cb_status correlate(const double *cov, size_t n, double r[MAX_N][MAX_N], const char *what,
                           cb_err *err) {
  for (size_t i = 0; i < n; i++)
    if (!(cov[i * n + i] >= 0) || !isfinite(cov[i * n + i]))
      return cb_fail(err, isfinite(cov[i * n + i]) ? CB_E_RANGE : CB_E_NUM,
                     "%s: variance %zu is %g: a finite number >= 0 was wanted", what, i + 1, cov[i * n + i]);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      double most = sqrt(cov[i * n + i]) * sqrt(cov[k * n + k]), c = cov[i * n + k];
      if (!(fabs(c) <= most * (1 + ROUNDING)) || !(fabs(c - cov[k * n + i]) <= most * ROUNDING))
        return cb_fail(err, isfinite(c) ? CB_E_RANGE : CB_E_NUM,
                       "%s: covariance %zu, %zu is %g: at most %g, and the same both ways, was wanted", what,
                       i + 1, k + 1, c, most);
      r[i][k] = i == k ? 1 : most > 0 ? c / most : 0;
    }
  return CB_OK;
}

/* The smallest eigenvalue of what is left from row `from` on, but for rounding: nothing is on its
 * diagonal. */
static double least_left(double r[MAX_N][MAX_N], size_t n, size_t from) {
  double least = 0;
  for (size_t i = from; i < n; i++) least = fmin(least, r[i][i]);
  for (size_t i = from; i < n; i++)
    for (size_t k = from; k < i; k++) least = fmin(least, 0.5 * (r[i][i] + r[k][k]) - fabs(r[i][k]));
  return least;
}

static void swap_inputs(double r[MAX_N][MAX_N], size_t n, size_t a, size_t b) {
  for (size_t k = 0; k < n; k++) {
    double x = r[a][k];
    r[a][k] = r[b][k], r[b][k] = x;
  }
  for (size_t k = 0; k < n; k++) {
    double x = r[k][a];
    r[k][a] = r[k][b], r[k][b] = x;
  }
}

/* Cholesky with the largest pivot first: what remains where all pivots are spent must be nothing. */
static double least_pivot(double r[MAX_N][MAX_N], size_t n) {
  for (size_t done = 0; done < n; done++) {
    size_t p = done;
    for (size_t i = done; i < n; i++)
      if (r[i][i] > r[p][p]) p = i;
    if (r[p][p] <= (double)n * ROUNDING) return least_left(r, n, done);
    swap_inputs(r, n, p, done);
    for (size_t i = done + 1; i < n; i++)
      for (size_t k = done + 1; k < n; k++) r[i][k] -= r[i][done] * r[done][k] / r[done][done];
  }
  return 1;
}

cb_status cb_check_covariance(const double *cov, size_t n, const char *what, cb_err *err) {
  double r[MAX_N][MAX_N];
  if (n < 1 || n > MAX_N)
    return cb_fail(err, CB_E_ARG, "%s: a covariance of 1 to %d numbers was wanted, got %zu", what, MAX_N, n);
  CB_TRY(correlate(cov, n, r, what, err));
  double least = least_pivot(r, n);
  /* Pivots are what remains of 1 after up to n subtractions of rounded products. */
  return least >= -2 * (double)n * ROUNDING ? CB_OK
                                            : cb_fail(err, CB_E_RANGE,
                                                      "%s: the covariance is not positive semidefinite: a "
                                                      "combination has the relative variance %g",
                                                      what, least);
}
