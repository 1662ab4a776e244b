/* Private to fit/: weighted least squares for one matrix [f00 f01; f01 f11] with F = u^T f u, by its normal
 * equations. */
#ifndef FIT_FRICTION_QUADRATIC_H
#define FIT_FRICTION_QUADRATIC_H

#include "cb_friction_law.h"

/* No cloth slides free in any direction: the smallest eigenvalue is at least this fraction of the trace. */
#define FIT_EIGEN_FLOOR 1e-3

typedef struct fit_normal {
  double a[3][3], b[3]; /* sum of w row row^T, of w F row */
} fit_normal;

/* c^2, 2 s c, s^2: u^T f u = row . (f00, f01, f11). */
void fit_row(double angle_rad, double row[3]);
double fit_dot(const double a[3], const double b[3]);
double fit_smallest_eigenvalue(const double f[3]);
bool fit_is_held(const double f[3]); /* below the floor */

void fit_normal_add(fit_normal *n, const double row[3], double force_N, double weight);

/* How many of the three functions are free. */
size_t fit_form_size(cb_friction_form form);
/* Column j of the form's basis: isotropic (1,0,1); orthotropic (1,0,0), (0,0,1); general the unit vectors. */
void fit_form_basis(cb_friction_form form, size_t j, double column[3]);

/* The best f of this form; false: singular. */
CB_CHECKED bool fit_normal_best(const fit_normal *n, cb_friction_form form, double f[3]);

/* ... and its covariance (for exact variances). */
CB_CHECKED bool fit_normal_solve(const fit_normal *n, cb_friction_form form, double f[3], double cov[3][3]);

/* The best f whose eigenvalues have this ratio, the smaller over the larger: on the boundary of what is
 * allowed. The cone of matrices with at least that ratio is convex, so that a constrained optimum lies there.
 * Not for the isotropic form. */
void fit_normal_boundary(const fit_normal *n, cb_friction_form form, double ratio, double f[3]);

/* Inverts a symmetric positive definite matrix of up to 4 rows in place; false: singular. */
CB_CHECKED bool fit_invert(double m[4][4], size_t n);

/* dF/dtheta of the quadratic form; the row that stands for an f01 nobody measured. */
double fit_slope(const double f[3], const double row[3]);

/* What a pull line out of level or out of line changes in second order, relative to the force; slope =
 * dF/dN. */
double fit_alignment_second_order(double slope, double u_pitch_rad, double u_yaw_rad);

#endif
