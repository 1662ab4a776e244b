/* The friction law of a cloth-body pair: F(theta, N) = u^T [f00 f01; f01 f11] u with u = (cos theta, sin theta) in the
 * cloth's (warp, weft) plane. Chen, Feng, Wang, SIGGRAPH 2013, eq. 2.
 *
 * The three functions are given at knots (the measured loads). Between knots the symmetric positive definite matrix is
 * interpolated log-Euclideanly in ln N (Arsigny et al. 2006): for a diagonal matrix this is the straight line in log-log
 * co-ordinates, i.e. a local power law; the form stays quadratic in u and positive in every direction; below the first and
 * above the last knot the matrix scales with N^exponent, so that F(theta, 0) = 0.
 *
 * The law holds for one contact area. On another area A use F_A(N) = A/A0 * F(N A0/A) (SYSTEMS A2: traction over pressure). */
#ifndef CB_FRICTION_LAW_H
#define CB_FRICTION_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_origin.h"

typedef enum cb_friction_kind { CB_FRICTION_STATIC, CB_FRICTION_KINETIC } cb_friction_kind;
extern const char *const cb_friction_kind_names[]; /* "static", "kinetic", NULL */

/* Which of the three functions are free. */
typedef enum cb_friction_form { CB_FORM_ISOTROPIC /* f I */, CB_FORM_ORTHOTROPIC /* f01 = 0 */, CB_FORM_GENERAL } cb_friction_form;
extern const char *const cb_friction_form_names[]; /* "isotropic", "orthotropic", "general", NULL */

typedef struct cb_friction_knot {
  double normal_force_N;
  double f_N[3];       /* f00, f01, f11 */
  double cov_N2[3][3]; /* covariance of f_N, without the part that all knots share */
} cb_friction_knot;

#define CB_LAW_MAX_KNOTS 64

typedef struct cb_friction_law {
  int64_t id; /* row in the store; 0 if not stored */
  char cloth[64], body[64];
  cb_friction_kind kind;
  cb_friction_form form;
  cb_origin origin;
  double contact_area_m2;
  size_t n_knots; /* >= 1, ascending in normal_force_N */
  cb_friction_knot knots[CB_LAW_MAX_KNOTS];
  double exponent, u_exponent; /* used outside the knots: F ~ N^exponent, 0 < exponent */
  double u_rel_common;         /* relative standard uncertainty shared by all knots (calibration) */
  double u_rel_model;          /* relative standard uncertainty of interpolating between knots; 0 at a knot, full midway (in ln N) */
  double dof;                  /* effective degrees of freedom behind the covariances */
} cb_friction_law;

typedef struct cb_friction_value {
  double force_N;
  double u_force_N;           /* standard uncertainty (k = 1) */
  double dof;                 /* coverage factor: cb_student_t(0.95, dof) */
  bool inside_measured_range; /* first knot <= N <= last knot */
} cb_friction_value;

/* Checks what the others assume: knots ascending, finite, every matrix positive definite, exponent > 0. */
CB_CHECKED cb_status cb_friction_law_check(const cb_friction_law *law, cb_err *err);

/* [f00 f01; f01 f11] at N >= 0 on the law's own area. f = {f00, f01, f11}; all 0 at N = 0. */
void cb_friction_law_matrix(const cb_friction_law *law, double normal_force_N, double f_N[3]);

/* Friction force and its uncertainty at any angle and N >= 0, on the law's own area. */
void cb_friction_law_eval(const cb_friction_law *law, double angle_rad, double normal_force_N, cb_friction_value *out);

/* u^T f u. */
double cb_friction_quadratic(const double f_N[3], double angle_rad);

/* The same law for another contact area: knots and forces scaled by area / law->contact_area_m2. */
cb_friction_law cb_friction_law_on_area(const cb_friction_law *law, double area_m2);

#endif
