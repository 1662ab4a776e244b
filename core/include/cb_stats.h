/* Small statistics used by more than one module. Sums are pairwise-free but in fixed order: same bits every time. */
#ifndef CB_STATS_H
#define CB_STATS_H

#include <stdbool.h>
#include <stddef.h>

double cb_mean(const double *x, size_t n); /* n >= 1 */
double cb_sd(const double *x, size_t n);   /* n-1 in the denominator; 0 for n < 2 */
void cb_sort(double *x, size_t n);         /* ascending */
double cb_median(const double *x, size_t n, double *work /* n doubles */);

/* Standard uncertainty of the mean of a correlated series: s sqrt(tau/n) with the integrated autocorrelation time tau >= 1
 * from the initial positive sequence (Geyer 1992). *n_eff (may be NULL) receives n/tau. */
double cb_mean_uncertainty(const double *x, size_t n, double *n_eff);

/* Straight line y = intercept + slope x by ordinary least squares; n >= 2, x not all equal. The standard uncertainties are those that the
 * scatter about the line gives; INFINITY for n = 2. (A calibration's
 * line, fit_line_make, is this one where there is one group and no drift; it lives above core, as nobody else has groups and drift.) */
typedef struct cb_line {
  double slope, intercept, u_slope, u_intercept, covariance;
  double residual_sd; /* n - 2 in the denominator */
} cb_line;
cb_line cb_line_fit(const double *x, const double *y, size_t n);
/* Where the line crosses y = 0, and the standard uncertainty of that; slope not 0. */
double cb_line_root(const cb_line *l, double *u);

/* Inverse of a symmetric positive definite matrix of normal equations. False where its parameters cannot be told apart: their
 * correlations' determinant, 1 where they have nothing to do with each other, is not above alike. */
bool cb_invert_3x3(double m[3][3], double alike, double inverse[3][3]);

/* First in main: GSL's error handler, which ends the program, is off from then on, and its functions answer with a status or a NaN. */
void cb_stats_begin(void);

/* Two-sided coverage factor of Student's t: P(|T| <= t) = level, 0 <= level < 1. dof may be fractional, but not below CB_DOF_MIN
 * (cb_uncertainty.h); INFINITY gives the normal. INFINITY where there is no such factor: an interval that nobody knows is not a short one. */
double cb_student_t(double level, double dof);
double cb_t_p_two_sided(double t, double dof);
/* Upper tail of F: P(F(nu1, nu2) > f). */
double cb_f_p_upper(double f, double nu1, double nu2);

#endif
