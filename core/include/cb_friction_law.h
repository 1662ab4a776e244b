/* The friction law of a cloth-body pair: F(theta, N) = u^T [f00 f01; f01 f11] u with u = (cos theta, sin theta) in the
 * cloth's (warp, weft) plane. Chen, Feng, Wang, SIGGRAPH 2013, eq. 2.
 *
 * The three functions are given at knots (the measured loads). Between knots the logarithm of the symmetric positive definite
 * matrix (log-Euclidean, Arsigny et al. 2006) is interpolated over x = ln(N + offset_N): the form stays quadratic in u and positive
 * in every direction. Below the first and above the last knot the matrix scales with (N + offset_N)^exponent. That one rule holds all
 * models:
 *
 *   coulomb  M N             offset_N = 0, exponent = 1
 *   power    M N^n           offset_N = 0, exponent = n
 *   offset   M (N + N0)      offset_N = N0 > 0, exponent = 1; adhesion: F(theta, 0) = u^T M u N0
 *   curve    anything        offset_N = 0: straight chords over ln N (local power laws), bent towards the neighbours by `bend`
 *
 * The first three are exact at, between and outside the knots. All but `offset` have F(theta, 0) = 0.
 *
 * Uncertainty: what a knot has for itself (cov_N2), what several knots share (shared: one standard uncertainty of one source
 * each, independent of each other), and the calibration (u_rel_common). Together they are the covariance of all numbers of the law.
 *
 * The law holds for one contact area. On another area A use F_A(N) = A/A0 * F(N A0/A) (Chen, Feng, Wang 2013: traction over pressure). */
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
typedef enum cb_friction_form { CB_FORM_ISOTROPIC /* f I */, CB_FORM_ORTHOTROPIC /* f01 = 0 */, CB_FORM_GENERAL } cb_friction_form;
extern const char *const cb_friction_form_names[]; /* "isotropic", "orthotropic", "general", NULL */

/* How the functions run over the load. */
typedef enum cb_friction_model { CB_MODEL_CURVE, CB_MODEL_COULOMB, CB_MODEL_POWER, CB_MODEL_OFFSET } cb_friction_model;
extern const char *const cb_friction_model_names[]; /* "curve", "coulomb", "power", "offset", NULL */

typedef struct cb_friction_knot {
  double normal_force_N;
  double f_N[3];       /* f00, f01, f11 */
  double cov_N2[3][3]; /* covariance of f_N, without what the knot shares with others */
} cb_friction_knot;

#define CB_LAW_MAX_KNOTS 64
#define CB_LAW_MAX_SHARED 14

/* What one standard uncertainty of one source does to all knots at once, and to the exponent outside them. */
typedef struct cb_friction_shared {
  char source[24]; /* "load", "zero", "alignment", "second order", "shape", "level", "parameters", "candidates", "doubtful runs" */
  double f_N[CB_LAW_MAX_KNOTS][3];
  double exponent[2]; /* below the first knot, above the last */
} cb_friction_shared;

/* What a drawn law has beside its knots; all 0 in a law as fitted. */
typedef struct cb_friction_drawn {
  double between[CB_LAW_MAX_KNOTS]; /* relative, midway between a knot and the next */
  double exponent[2];               /* added below the first knot and above the last */
} cb_friction_drawn;

typedef struct cb_friction_law {
  int64_t id; /* row in the store; 0 if not stored */
  char cloth[64], body[64];
  cb_friction_kind kind;
  cb_friction_form form;
  cb_origin origin;
  double contact_area_m2;
  size_t n_knots; /* >= 1, ascending in normal_force_N */
  cb_friction_knot knots[CB_LAW_MAX_KNOTS];
  cb_friction_model model;
  double bend;                 /* 0: straight chords; 1: the slope at a knot is that of the parabola through it and its neighbours */
  double offset_N;             /* N0 of the model `offset`, else 0 */
  double exponent, u_exponent; /* outside the knots, 0 < exponent; u without what is shared */
  double u_rel_common;         /* relative standard uncertainty shared by all knots (calibration) */
  double u_rel_model;          /* relative standard uncertainty of interpolating between knots; 0 at a knot, full midway (in ln N) */
  double dof;                  /* effective degrees of freedom behind the covariances */
  double speed_m_per_s;        /* at which the law holds; NAN: not known */
  cb_friction_drawn drawn;
  size_t n_shared;
  cb_friction_shared shared[CB_LAW_MAX_SHARED];
} cb_friction_law;

typedef struct cb_friction_value {
  double force_N;
  double u_force_N;           /* standard uncertainty (k = 1) */
  double dof;                 /* coverage factor: cb_student_t(0.95, dof) */
  bool inside_measured_range; /* first knot <= N <= last knot */
} cb_friction_value;

/* Checks what the others assume: knots ascending, finite, every matrix positive definite, exponent > 0. */
CB_CHECKED cb_status cb_friction_law_check(const cb_friction_law *law, cb_err *err);

/* [f00 f01; f01 f11] at N >= 0 on the law's own area. f = {f00, f01, f11}. */
void cb_friction_law_matrix(const cb_friction_law *law, double normal_force_N, double f_N[3]);

/* Friction force and its uncertainty at any angle and N >= 0, on the law's own area. */
void cb_friction_law_eval(const cb_friction_law *law, double angle_rad, double normal_force_N, cb_friction_value *out);

/* What one standard uncertainty of each independent source does to the force at a point, relative to it. The sources are the same at all
 * points: sums of products are relative covariances of forces, and u_force_N is the root of the sum of squares. In this order, with K knots
 * and S shared parts: 3 K of the knots themselves, S shared, K of interpolating after each knot, 2 of the exponents below and above, 1 of
 * the calibration. N > 0. Returns how many: 4 K + S + 3. */
#define CB_LAW_MAX_EFFECTS (4 * CB_LAW_MAX_KNOTS + CB_LAW_MAX_SHARED + 3)
size_t cb_friction_law_effects(const cb_friction_law *law, double angle_rad, double normal_force_N, double rel[CB_LAW_MAX_EFFECTS]);

/* Standard uncertainty of the exponent below the first knot (side 0) or above the last (1): its own, and all that it shares. */
double cb_friction_law_u_exponent(const cb_friction_law *law, int side);

/* Covariance of a knot's three functions: its own, all that it shares, and the calibration. */
void cb_friction_law_knot_cov(const cb_friction_law *law, size_t knot, double cov_N2[3][3]);

/* One law at random from those that the uncertainty allows (GUM Supplement 1): multivariate t with law->dof, every matrix positive.
 * The drawn law has no uncertainty of its own. law and out may not be the same. Costs about a microsecond per knot. */
void cb_friction_law_draw(const cb_friction_law *law, cb_rng *rng, cb_friction_law *out);

/* Lower triangle of the knot's own covariance, cov_N2 = lower lower^T; rows that depend on others end in 0. */
void cb_friction_knot_cholesky(const cb_friction_knot *k, double lower[3][3]);

/* Logarithm of a positive definite matrix {f00, f01, f11}, and back. */
void cb_friction_matrix_log(const double f_N[3], double out[3]);
void cb_friction_matrix_exp(const double log_f[3], double out[3]);

/* u^T f u. */
double cb_friction_quadratic(const double f_N[3], double angle_rad);

/* The same law for another contact area: knots and forces scaled by area / law->contact_area_m2. */
cb_friction_law cb_friction_law_on_area(const cb_friction_law *law, double area_m2);

#endif
