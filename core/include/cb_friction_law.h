/* The friction law of a cloth-body pair: friction force F(theta, N) by sliding direction theta and normal
 * force N.
 *
 *   F(theta, N) = u^T [f00 f01; f01 f11] u,  u = (cos theta, sin theta) in the cloth's (warp, weft) plane
 *
 * (Chen, Feng, Wang, SIGGRAPH 2013, eq. 2). The functions f00, f01, f11 of N [N] are given at knots, the
 * measured loads. Between knots the logarithm of the symmetric positive definite matrix is interpolated over
 * x = ln(N + offset_N) (log-Euclidean, Arsigny et al. 2006). The form therefore stays quadratic in u and
 * positive in every direction. Below the first and above the last knot the matrix scales with (N +
 * offset_N)^exponent. That one rule holds all models:
 *
 *     coulomb  M N             offset_N = 0, exponent = 1
 *     power    M N^n           offset_N = 0, exponent = n
 *     offset   M (N + N0)      offset_N = N0 > 0, exponent = 1; adhesion: F(theta, 0) = u^T M u N0
 *     curve    anything        offset_N = 0: straight chords over ln N (local power laws), bent by `bend`
 *
 * The first three are exact at, between and outside the knots. F(theta, 0) = 0 in all models but `offset`.
 *
 * The uncertainty has three parts. cov_N2 belongs to one knot. Each entry of `shared` is the effect of one
 * independent source on all knots. u_rel_common is the calibration's. Together they are the covariance of all
 * numbers of the law.
 *
 * The law holds for one contact area A0. On another area A use F_A(N) = A/A0 F(N A0/A), which keeps the
 * traction over pressure (Chen, Feng, Wang 2013). docs/method/friction-fit.md says how a law is fitted. */
#ifndef CB_FRICTION_LAW_H
#define CB_FRICTION_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_origin.h"
#include "cb_rng.h"

typedef enum cb_friction_kind { CB_FRICTION_STATIC, CB_FRICTION_KINETIC } cb_friction_kind;
extern const char *const cb_friction_kind_names[]; /* "static", "kinetic", NULL */

/* Which of the three functions are free. */
typedef enum cb_friction_form {
  CB_FORM_ISOTROPIC,   /* f I */
  CB_FORM_ORTHOTROPIC, /* f01 = 0 */
  CB_FORM_GENERAL
} cb_friction_form;
extern const char *const cb_friction_form_names[]; /* "isotropic", "orthotropic", "general", NULL */

/* How the functions depend on the load. */
typedef enum cb_friction_model {
  CB_MODEL_CURVE,
  CB_MODEL_COULOMB,
  CB_MODEL_POWER,
  CB_MODEL_OFFSET
} cb_friction_model;
extern const char *const cb_friction_model_names[]; /* "curve", "coulomb", "power", "offset", NULL */

typedef struct cb_friction_knot {
  double normal_force_N;
  double f_N[3];       /* f00, f01, f11 */
  double cov_N2[3][3]; /* covariance of f_N, without the shared parts */
} cb_friction_knot;

/* Degrees of freedom behind u_exponent, which is taken from published tables
 * (docs/method/friction-outside.md). */
#define CB_LAW_OUTSIDE_DOF 20.0

#define CB_LAW_MAX_KNOTS 64
#define CB_LAW_MAX_SHARED 15

/* Effect of one standard uncertainty of one source on all knots, and on the exponents outside them. */
typedef struct cb_friction_shared {
  /* "load", "zero", "alignment", "second order", "shape", "level", "parameters", "candidates", "doubtful
   * runs", "lots", "misfit" */
  char source[24];
  double f_N[CB_LAW_MAX_KNOTS][3]; /* change of f00, f01, f11 at each knot */
  double exponent[2];              /* change of the exponent below the first knot, above the last */
} cb_friction_shared;

/* Deviations of a drawn law from its knots' interpolation. All 0 in a fitted law. */
typedef struct cb_friction_drawn {
  double between[CB_LAW_MAX_KNOTS]; /* relative, midway between a knot and the next */
  double exponent[2], walk[2]; /* added below the first knot, above the last; walk as u_exponent grows there
                                */
  double adhesion; /* 0: goes on by the offset; -1 and 1: as far beside as the power law of the same slope */
} cb_friction_drawn;

typedef struct cb_friction_law {
  int64_t id; /* row in the store; 0 if not stored */
  char cloth[64], body[64];
  cb_friction_kind kind;
  cb_friction_form form;
  cb_origin origin;
  double contact_area_m2;
  size_t n_knots;                           /* >= 1 */
  cb_friction_knot knots[CB_LAW_MAX_KNOTS]; /* ascending in normal_force_N */
  cb_friction_model model;
  /* 0 to 1. 0: straight chords. 1: the slope at a knot is that of the parabola through the knot and its
   * neighbours. */
  double bend;
  double offset_N;             /* N0 of the model `offset`, else 0 */
  double exponent, u_exponent; /* outside the knots, over ln(N + N0) and ln N; > 0; u without shared parts */
  double u_rel_common;         /* relative standard uncertainty that all knots share (calibration) */
  double u_rel_model;          /* relative standard uncertainty of interpolation, mean over the intervals
                                  in proportion to the square of their width in ln N; 0 at a knot */
  double dof;                  /* effective degrees of freedom behind the covariances */
  double speed_m_per_s;        /* at which the law holds; NAN: not known */
  cb_friction_drawn drawn;
  size_t n_shared;
  cb_friction_shared shared[CB_LAW_MAX_SHARED];
} cb_friction_law;

typedef struct cb_friction_value {
  double force_N;
  double u_force_N;           /* standard uncertainty (k = 1) */
  double dof;                 /* for the coverage factor cb_student_t(0.95, dof) */
  bool inside_measured_range; /* first knot <= N <= last knot, within 1e-6 */
} cb_friction_value;

/* Checks what all functions below assume: knots ascend, numbers are finite, every matrix is positive
 * definite.
 * CB_E_RANGE: a count, load, offset, bend, exponent, area or uncertainty is out of range. CB_E_NUM: a matrix
 * is not positive definite, or a covariance or shared part is not finite. */
CB_CHECKED cb_status cb_friction_law_check(const cb_friction_law *law, cb_err *err);

/* Evaluates {f00, f01, f11} [N] at N >= 0 [N] on the law's own area. All are 0 where N is 0 and the law has
 * no adhesion. */
void cb_friction_law_matrix(const cb_friction_law *law, double normal_force_N, double f_N[3]);

/* Evaluates the friction force and its uncertainty at any angle (0 = warp) and N >= 0 [N], on the law's own
 * area. The uncertainty grows outside the measured loads; what it has more there brings degrees of freedom of
 * its own. */
void cb_friction_law_eval(const cb_friction_law *law, double angle_rad, double normal_force_N,
                          cb_friction_value *out);

/* Returns the load [N] beyond the first knot (side 0) or the last (side 1) where the 95 % band becomes as
 * wide as half the force on either side: from there on nothing is known. 0 or INFINITY if it does not within
 * a factor of 10^6. */
double cb_friction_law_known_until_N(const cb_friction_law *law, double angle_rad, int side);

/* Splits the relative uncertainty of the force at one point into its independent sources. rel[i] is the
 * relative change of the force under one standard uncertainty of source i. u_force_N / force_N is the root of
 * their sum of squares. The sources are the same at all points, so that sums of products over i are relative
 * covariances of two forces. With K knots and S shared parts the order is: 3 K of the knots, S shared parts,
 * K of interpolation after each knot, 2 of the exponents below and above, 1 of the calibration. N > 0.
 * Returns their number, 4 K + S + 3. */
#define CB_LAW_MAX_EFFECTS (4 * CB_LAW_MAX_KNOTS + CB_LAW_MAX_SHARED + 3)
size_t cb_friction_law_effects(const cb_friction_law *law, double angle_rad, double normal_force_N,
                               double rel[CB_LAW_MAX_EFFECTS]);

/* Returns the standard uncertainty of the exponent below the first knot (side 0) or above the last (side 1),
 * with all shared parts. */
double cb_friction_law_u_exponent(const cb_friction_law *law, int side);

/* Covariance [N2] of the knot's f00, f01, f11: its own, the shared parts' and the calibration's. */
void cb_friction_law_knot_cov(const cb_friction_law *law, size_t knot, double cov_N2[3][3]);

/* Draws one law from those that the uncertainty allows (GUM Supplement 1, multivariate t with law->dof).
 * Every drawn matrix is positive. The drawn law has no uncertainty of its own. law and out are different
 * objects. The cost is about a microsecond per knot. */
void cb_friction_law_draw(const cb_friction_law *law, cb_rng *rng, cb_friction_law *out);

/* Lower triangle of the knot's own covariance: cov_N2 = lower lower^T. Rows that depend on others end in
 * 0. */
void cb_friction_knot_cholesky(const cb_friction_knot *k, double lower[3][3]);

/* Logarithm of a positive definite matrix {f00, f01, f11}, and its inverse, the exponential. */
void cb_friction_matrix_log(const double f_N[3], double out[3]);
void cb_friction_matrix_exp(const double log_f[3], double out[3]);

/* Returns u^T f u [N] for f = {f00, f01, f11}. */
double cb_friction_quadratic(const double f_N[3], double angle_rad);

/* Returns the same law for another contact area > 0: loads, forces and offset_N scale by area /
 * law->contact_area_m2. u_rel_* and exponents stay. */
cb_friction_law cb_friction_law_on_area(const cb_friction_law *law, double area_m2);

#endif
