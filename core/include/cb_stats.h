/* Small statistics used by more than one module. Sums run in a fixed order: the same input gives the same
 * bits. */
#ifndef CB_STATS_H
#define CB_STATS_H

#include <stdbool.h>
#include <stddef.h>

double cb_mean(const double *x, size_t n); /* n >= 1 */
double cb_sd(const double *x, size_t n);   /* n-1 in the denominator; 0 for n < 2 */
void cb_sort(double *x, size_t n);         /* ascending */
double cb_median(const double *x, size_t n, double *work /* n doubles */);

/* Returns the standard uncertainty of the mean of a correlated series, s sqrt(tau/n). tau >= 1 is the
 * integrated autocorrelation time by the initial positive sequence (Geyer 1992). Returns 0 for n < 2 or equal
 * values. *n_eff receives n/tau; it may be NULL. */
double cb_mean_uncertainty(const double *x, size_t n, double *n_eff);

/* A straight line y = intercept + slope x. */
typedef struct cb_line {
  double slope, intercept, u_slope, u_intercept, covariance;
  double residual_sd; /* n - 2 in the denominator */
} cb_line;
/* Fits a line by ordinary least squares. n >= 2; the x are not all equal. The standard uncertainties come
 * from the scatter about the line, and are INFINITY for n = 2. Calibrations with groups and drift use
 * fit_line.h. */
cb_line cb_line_fit(const double *x, const double *y, size_t n);
/* Returns the x where the line crosses y = 0. *u receives its standard uncertainty. The slope must not be
 * 0. */
double cb_line_root(const cb_line *l, double *u);

/* Inverts a symmetric positive definite matrix of normal equations. Returns false, with `inverse` undefined,
 * if the parameters cannot be told apart: the determinant of their correlations is not above `alike`. That
 * determinant is 1 for uncorrelated parameters and 0 for dependent ones. */
bool cb_invert_3x3(double m[3][3], double alike, double inverse[3][3]);

/* Switches off GSL's error handler, which would end the program; GSL then returns a status or NaN. Call it
 * first in main. */
void cb_stats_begin(void);

/* Returns the two-sided coverage factor of Student's t: P(|T| <= t) = level. 0 <= level < 1. dof may be
 * fractional. dof = INFINITY gives the normal distribution. Returns INFINITY for a level or dof (below
 * CB_DOF_MIN, cb_uncertainty.h) without a factor, so that an unknown interval never looks short. */
double cb_student_t(double level, double dof);
/* Returns z with P(Z < z) = p of the standard normal distribution. 0 < p < 1. */
double cb_normal_quantile(double p);
/* Returns P(|T| > |t|) of Student's t. */
double cb_t_p_two_sided(double t, double dof);
/* Returns P(F(nu1, nu2) > f), the upper tail of Fisher's F. */
double cb_f_p_upper(double f, double nu1, double nu2);
/* Returns the noncentrality at which an F test at the level alpha rejects with this power. nu1 = 1: a
 * two-sided t test, whose effect is then sqrt(noncentrality) standard uncertainties. An infinite nu2 is
 * allowed. Needs 0 < alpha < power < 1. Returns INFINITY for nu1 or nu2 below 1. */
double cb_f_noncentrality(double alpha, double power, double nu1, double nu2);

#endif
