/* Weighted nonlinear least squares with covariance: minimises sum_i w_i (y_i - model_i(b))^2 over the p parameters b.
 *
 * Trust-region steps are GSL's (gsl_multifit_nlinear, QR). When to stop and what the result is worth are decided here, free of scale: the
 * fit has converged where the residuals are orthogonal to the model's tangent plane - the relative offset of Bates & Watts (Technometrics
 * 23, 1981, 179-183), the distance to the minimum in units of the parameters' own uncertainty - and the Jacobian there has full rank. From
 * a poor start one method may end in a flat valley: the next one of a fixed list is then tried from the same start, and the result says
 * which method it was. What no method can know is whether a minimum is the lowest one: that is the start's business. Same input, same bits;
 * never prints, always ends. There are no bounds: for a parameter that must be positive fit its logarithm. */
#ifndef FIT_NLS_H
#define FIT_NLS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

#define FIT_NLS_MAX_P 16

/* predicted: n values. jacobian: n x p, row by row, d predicted_i / d b_j; NULL: not wanted now. Where the model is not defined, set
 * what is not defined to NAN: the step is taken back. */
typedef void fit_nls_model(const void *context, const double *b, double *predicted, double *jacobian);

typedef struct fit_nls_problem {
  size_t n, p; /* p <= FIT_NLS_MAX_P */
  fit_nls_model *model;
  const void *context; /* for the model */
  bool no_jacobian;    /* the model never fills jacobian: central differences; costs digits */
  const double *y;     /* n */
  const double *w;     /* n, > 0; NULL: all 1 */
  bool w_is_1_over_u2; /* covariance from the weights as they stand; else scaled by the residual variance */
  const double *start; /* p */
} fit_nls_problem;

typedef enum fit_nls_outcome {
  FIT_NLS_CONVERGED,
  FIT_NLS_NO_PROGRESS, /* no step makes the sum smaller, or too many steps; the parameters are the best met */
  FIT_NLS_SINGULAR,    /* a minimum, or a plateau, where the data do not determine all parameters */
  FIT_NLS_TOO_FEW,     /* n < p: nothing was fitted */
  FIT_NLS_NOT_FINITE   /* the model is not finite at the start: nothing was fitted */
} fit_nls_outcome;
extern const char *const fit_nls_outcome_text[];

typedef struct fit_nls_result {
  fit_nls_outcome outcome;
  double b[FIT_NLS_MAX_P];                  /* the start where nothing was fitted */
  double cov[FIT_NLS_MAX_P][FIT_NLS_MAX_P]; /* converged only, else NAN; NAN too where it would come from the scatter of n = p points */
  double chi2;                              /* sum_i w_i (y_i - model_i)^2 */
  double residual_sd;                       /* sqrt(chi2 / dof); NAN for dof = 0 */
  size_t dof;                               /* n - p */
  double offset;                            /* relative offset at b */
  int iterations;                           /* of the method that it was, and ... */
  const char *method;                       /* ... its name: a constant text */
} fit_nls_result;

/* CB_E_NUM: a value, a weight or a start that is not finite, or a weight not above 0, named by its index. CB_E_NOMEM. */
CB_CHECKED cb_status fit_nls(const fit_nls_problem *problem, fit_nls_result *result, cb_err *err);

/* Standard uncertainty of parameter j: the root of its variance. */
double fit_nls_u(const fit_nls_result *result, size_t j);

#endif
