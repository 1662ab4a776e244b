/* Weighted nonlinear least squares with covariance: minimises sum_i w_i (y_i - model_i(b))^2 over the p
 * parameters b.
 *
 * The trust-region steps are GSL's (gsl_multifit_nlinear, QR). The criterion of convergence is independent of
 * scale. The residuals must be orthogonal to the model's tangent plane, and the Jacobian must have full rank.
 * The measure is the relative offset of Bates & Watts (Technometrics 23, 1981, 179-183): the distance to the
 * minimum in units of the parameters' own uncertainty.
 *
 * From a poor start one method may end in a flat valley. The next method of a fixed list is then tried from
 * the same start; the result names the method. No method knows whether a minimum is the lowest one; the start
 * decides. There are no bounds: for a positive parameter fit its logarithm. The same input gives the same
 * bits. fit_nls always ends. */
#ifndef FIT_NLS_H
#define FIT_NLS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

#define FIT_NLS_MAX_P 16

/* Computes n predicted values and, unless jacobian is NULL, n x p derivatives d predicted_i / d b_j, row by
 * row. A value that is not defined must be set to NAN; the step is then rejected. */
typedef void fit_nls_model(const void *context, const double *b, double *predicted, double *jacobian);

typedef struct fit_nls_problem {
  size_t n, p; /* p <= FIT_NLS_MAX_P */
  fit_nls_model *model;
  const void *context; /* for the model */
  bool no_jacobian;    /* the model never fills jacobian; central differences are used, which cost digits */
  const double *y;     /* n */
  const double *w;     /* n, > 0; NULL: all 1 */
  bool w_is_1_over_u2; /* true: covariance from the weights; false: scaled by the residual variance */
  const double *start; /* p */
} fit_nls_problem;

typedef enum fit_nls_outcome {
  FIT_NLS_CONVERGED,
  FIT_NLS_NO_PROGRESS, /* no step reduces the sum, or too many steps; b is the best found */
  FIT_NLS_SINGULAR,    /* the data do not determine all parameters there */
  FIT_NLS_TOO_FEW,     /* n < p: nothing was fitted */
  FIT_NLS_NOT_FINITE   /* the model is not finite at the start: nothing was fitted */
} fit_nls_outcome;

typedef struct fit_nls_result {
  fit_nls_outcome outcome;
  double b[FIT_NLS_MAX_P]; /* the start if nothing was fitted */
  /* Covariance of b; NAN unless converged, or where it would need the scatter of n = p points. */
  double cov[FIT_NLS_MAX_P][FIT_NLS_MAX_P];
  double chi2;        /* sum_i w_i (y_i - model_i)^2 */
  double residual_sd; /* sqrt(chi2 / dof); NAN for dof = 0 */
  size_t dof;         /* n - p */
  double offset;      /* relative offset at b */
  int iterations;     /* of the method used */
  const char *method; /* its name; static */
} fit_nls_result;

/* Fits a problem. A fit without convergence is an outcome. The problem's arrays stay the caller's.
 * CB_E_NUM: a value, weight or start is not finite, or a weight not > 0; the sentence gives its index.
 * CB_E_ARG: p is not 1 to FIT_NLS_MAX_P. CB_E_NOMEM. */
CB_CHECKED cb_status fit_nls(const fit_nls_problem *problem, fit_nls_result *result, cb_err *err);

/* Returns the standard uncertainty of parameter j. */
double fit_nls_u(const fit_nls_result *result, size_t j);

#endif
