/* Friction of cloth on cloth, where both surfaces have directions.
 *
 * After Pabst, Thomaszewski, Strasser, "Anisotropic friction for deformable surfaces and solids" (SCA 2009).
 * Surface i has a tensor T_i of trace 2. With u_i the unit vector of sliding in that cloth's (warp, weft)
 * axes, at the angle theta_i to its warp:
 *
 *   q_i = u_i^T T_i u_i = 1 + a_i cos 2 theta_i + b_i sin 2 theta_i
 *
 * The force opposes the sliding. Its magnitude is, by rule,
 *
 *   mean     F = F1 (N / N1)^n (q_1 + q_2) / 2
 *   product  F = F1 (N / N1)^n sqrt(q_1 q_2)
 *
 * F1, a_i and b_i are measured, and n where loads were varied. The load is assumed to act alike in all
 * directions. Pulls of one cloth on the other cannot say which part of F1 belongs to which cloth. Nothing
 * here depends on that.
 *
 * The law holds for one contact area A0. On another area A, F_A(N) = A/A0 F(N A0/A), as in cb_friction_law.h.
 * docs/method/friction-fit.md says how a law is fitted. */
#ifndef CB_SELF_FRICTION_LAW_H
#define CB_SELF_FRICTION_LAW_H

#include "cb_friction_law.h"

typedef enum cb_self_rule { CB_SELF_MEAN, CB_SELF_PRODUCT } cb_self_rule;
extern const char *const cb_self_rule_names[]; /* "mean", "product", NULL */

/* Source of the exponent n. */
typedef enum cb_self_exponent {
  CB_SELF_EXPONENT_FITTED, /* the loads were varied */
  CB_SELF_EXPONENT_PAIR,   /* the pair's friction law, for one direction of the body */
  CB_SELF_EXPONENT_ASSUMED /* nothing: n = 1 */
} cb_self_exponent;
extern const char *const cb_self_exponent_names[]; /* "fitted", "pair", "assumed", NULL */

/* Parameters, in this order: ln(F1 / 1 N), n, a_1, b_1, a_2, b_2. Surface 1 is the law's cloth, 2 its
 * body. */
#define CB_SELF_PARAMETERS 6
typedef struct cb_self_form {
  cb_self_rule rule;
  double p[CB_SELF_PARAMETERS];
} cb_self_form;

typedef struct cb_self_friction_law {
  int64_t id; /* row in the store; 0 if not stored */
  char cloth[64], body[64];
  cb_origin origin;
  bool same; /* one cloth on itself, face on face: a_2 = a_1, b_2 = b_1 */
  cb_self_form form;
  double cov[CB_SELF_PARAMETERS][CB_SELF_PARAMETERS]; /* of form.p */
  double dof;                                         /* degrees of freedom behind cov */
  cb_self_form other;  /* the rule that fits worse; unused where other_weight is 0 */
  double other_weight; /* its Akaike weight, 0 to 0.5 */
  cb_self_exponent exponent_from;
  double reference_N;  /* N1 */
  double min_N, max_N; /* ends of the measured loads */
  double contact_area_m2;
  double speed_m_per_s; /* at which the law holds; NAN: not known */
  double u_rel_common;  /* relative standard uncertainty that all forces share (calibration, load) */
  double u_floor_N;     /* standard uncertainty in newtons that all forces share */
} cb_self_friction_law;

/* Checks what the other functions assume: finite numbers, both tensors positive, n, loads and area > 0.
 * Errors: CB_E_NUM for parameters that are not finite or not positive, CB_E_RANGE for loads, area, weight and
 * uncertainties. */
CB_CHECKED cb_status cb_self_friction_law_check(const cb_self_friction_law *law, cb_err *err);

/* Returns the friction force [N] at a load N [N] on the law's area; 0 where N is not > 0. cloth and body are
 * the sliding direction as unit vectors in each cloth's (warp, weft) axes, seen on the face that slides.
 * Their signs do not count. Cheap, for simulators: one exp, one log, no trigonometry. */
double cb_self_friction_force_N(const cb_self_friction_law *law, const double cloth[2], const double body[2],
                                double normal_force_N);

/* Evaluates the force by angles (0 = warp) instead of vectors, with its uncertainty. That holds the fit, the
 * choice of the rule, and what all forces share. */
void cb_self_friction_eval(const cb_self_friction_law *law, double cloth_angle_rad, double body_angle_rad,
                           double normal_force_N, cb_friction_value *out);

/* Returns the same law for another contact area > 0. */
cb_self_friction_law cb_self_friction_law_on_area(const cb_self_friction_law *law, double area_m2);

/* Returns the logarithm of (q_1 + q_2) / 2 or of sqrt(q_1 q_2), by the form's rule, at the angles of both
 * surfaces. gradient receives the derivatives by a_1, b_1, a_2, b_2 and may be NULL. */
double cb_self_friction_log_directions(const cb_self_form *form, const double angle_rad[2],
                                       double gradient[4]);

#endif
