/* Cloth on cloth: both surfaces have directions. After Pabst, Thomaszewski, Strasser, "Anisotropic friction for deformable surfaces and
 * solids" (SCA 2009): each surface i has a tensor, q_i = u_i^T T_i u_i with u_i the sliding direction in that cloth's (warp, weft) axes,
 * and what the contact rubs is a combination of both. With q_i = 1 + a_i cos 2 theta_i + b_i sin 2 theta_i two combinations are
 * tried, and the one that fits better is kept:
 *
 *   mean     mu = m (q_1 + q_2) / 2
 *   product  mu = m sqrt(q_1 q_2)
 *
 * Only m is measured of the two tensors' sizes: how much of it is whose, no pull of one on the other can tell.
 *
 * Data: pulls under one load with both angles known and varied independently of each other: at least three directions of each cloth, not
 * always turned together (0/0, 45/0, 90/0, 0/45, 0/90 is the least), and one pull more than parameters. */
#ifndef FIT_SELF_FRICTION_H
#define FIT_SELF_FRICTION_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct fit_self_obs {
  double angle_rad[2];   /* sliding direction in the upper and in the lower cloth, 0 = warp */
  double normal_force_N; /* > 0 */
  double force_N;        /* friction, > 0 */
} fit_self_obs;

typedef enum fit_self_outcome {
  FIT_SELF_OK,
  FIT_SELF_TOO_FEW,  /* no pull more than parameters */
  FIT_SELF_NOT_TOLD, /* the angles do not tell the two cloths apart */
  FIT_SELF_NO_TENSOR /* no positive tensor fits */
} fit_self_outcome;
extern const char *const fit_self_outcome_text[];

typedef enum fit_self_rule { FIT_SELF_MEAN, FIT_SELF_PRODUCT } fit_self_rule;
extern const char *const fit_self_rule_names[]; /* "mean", "product", NULL */

/* Parameters in this order: m, a_1, b_1, a_2, b_2; of one cloth on itself a_2 = a_1 and b_2 = b_1. */
typedef struct fit_self_friction {
  fit_self_outcome outcome; /* all else is set only where FIT_SELF_OK */
  fit_self_rule rule;
  double p[5], cov[5][5];
  double rms_rel, other_rms_rel; /* relative misfit, and that of the other rule; dof in the denominator */
  double dof;
} fit_self_friction;

/* same: the same cloth, face on face: one tensor. Errors: numbers that are not finite, loads or forces <= 0. */
CB_CHECKED cb_status fit_self_friction_fit(const fit_self_obs *obs, size_t n, bool same, fit_self_friction *out, cb_err *err);

/* Friction coefficient with its standard uncertainty (may be NULL). */
double fit_self_friction_mu(const fit_self_friction *f, double angle1_rad, double angle2_rad, double *u);

#endif
