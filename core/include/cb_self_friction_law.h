/* Friction of cloth on cloth, where both surfaces have directions. After Pabst, Thomaszewski, Strasser, "Anisotropic friction for
 * deformable surfaces and solids" (SCA 2009): each surface i has a tensor, q_i = u_i^T T_i u_i with u_i the unit vector of sliding in that
 * cloth's (warp, weft) axes; of trace 2 it is q_i = 1 + a_i cos 2 theta_i + b_i sin 2 theta_i. The force opposes the sliding, and is
 *
 *   mean     F = F1 (N / N1)^n (q_1 + q_2) / 2
 *   product  F = F1 (N / N1)^n sqrt(q_1 q_2)
 *
 * Measured: F1, a_i, b_i, and n where loads were varied. Assumed: that the load acts alike in all directions. How much of F1 belongs to
 * which cloth no pull of one on the other can tell, and nothing here depends on it.
 *
 * The law holds for one contact area A0; on another, F_A(N) = A/A0 F(N A0/A), as in cb_friction_law. */
#ifndef CB_SELF_FRICTION_LAW_H
#define CB_SELF_FRICTION_LAW_H

#include "cb_friction_law.h"

typedef enum cb_self_rule { CB_SELF_MEAN, CB_SELF_PRODUCT } cb_self_rule;
extern const char *const cb_self_rule_names[]; /* "mean", "product", NULL */

/* Where the exponent n comes from: loads that were varied; the pair's friction law (one direction of the body); nothing: n = 1. */
typedef enum cb_self_exponent { CB_SELF_EXPONENT_FITTED, CB_SELF_EXPONENT_PAIR, CB_SELF_EXPONENT_ASSUMED } cb_self_exponent;
extern const char *const cb_self_exponent_names[]; /* "fitted", "pair", "assumed", NULL */

/* Parameters, in this order: ln(F1 / 1 N), n, a_1, b_1, a_2, b_2. Surface 1 is the law's cloth, 2 its body. */
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
  cb_self_form other;                                 /* the rule that fits worse; counts as far as it may be the true one: */
  double other_weight;                                /* Akaike's, 0 to 0.5 */
  cb_self_exponent exponent_from;
  double reference_N;  /* N1 */
  double min_N, max_N; /* loads that were measured */
  double contact_area_m2;
  double speed_m_per_s; /* at which the law holds; NAN: not known */
  double u_rel_common;  /* relative standard uncertainty that all forces share (calibration, load) ... */
  double u_floor_N;     /* ... and what they share in newtons */
} cb_self_friction_law;

/* Checks what the others assume: finite, both tensors positive, 0 < n, dof, loads and area > 0. */
CB_CHECKED cb_status cb_self_friction_law_check(const cb_self_friction_law *law, cb_err *err);

/* Friction force at a load N >= 0 on the law's area, for sliding along the unit vectors `cloth` and `body`, each in that cloth's (warp,
 * weft) axes, seen on the face that rubs; their signs do not count. The cheap one, for simulators: one pow, no trigonometry. */
double cb_self_friction_force_N(const cb_self_friction_law *law, const double cloth[2], const double body[2], double normal_force_N);

/* The same by angles, 0 = warp, with its uncertainty: fit, choice of the rule, what all forces share. */
void cb_self_friction_eval(const cb_self_friction_law *law, double cloth_angle_rad, double body_angle_rad, double normal_force_N,
                           cb_friction_value *out);

/* The same law for another contact area. */
cb_self_friction_law cb_self_friction_law_on_area(const cb_self_friction_law *law, double area_m2);

/* ln of (q_1 + q_2) / 2 or sqrt(q_1 q_2); gradient (may be NULL): after a_1, b_1, a_2, b_2. */
double cb_self_friction_log_directions(const cb_self_form *form, const double angle_rad[2], double gradient[4]);

#endif
