/* Pulls of cloth on cloth -> cb_self_friction_law: two tensors, and the load's exponent where loads were varied. Both rules of combining
 * the surfaces are fitted; the one that fits better is the law, the other widens its uncertainty as far as it may be the true one.
 *
 * ln F by least squares, with one relative scatter, which is taken from the misfit. Pulls at the same angles and load are one cell:
 * forward, backward and repeats in one laying of both cloths share what laying them anew would change. Where there are FIT_SELF_CELLS cells
 * more than parameters, the cells' means are fitted, so that misfit and degrees of freedom are those between cells; else all pulls,
 * which are then taken to be independent. Data: both angles known and varied
 * independently of each other: at least three directions of each cloth, not always turned together (0/0, 45/0, 90/0, 0/45, 0/90 is the
 * least), the loads not varied together with the directions, and one pull more than parameters. */
#ifndef FIT_SELF_FRICTION_H
#define FIT_SELF_FRICTION_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_self_friction_law.h"

#define FIT_SELF_CELLS 4

typedef struct fit_self_obs {
  double angle_rad[2];   /* sliding direction in the cloth and in the body, 0 = warp */
  double normal_force_N; /* > 0 */
  double force_N;        /* friction, > 0 */
} fit_self_obs;

typedef enum fit_self_outcome {
  FIT_SELF_OK,
  FIT_SELF_TOO_FEW,   /* no pull more than parameters */
  FIT_SELF_NOT_TOLD,  /* angles and loads do not tell the two cloths apart */
  FIT_SELF_NO_TENSOR, /* no positive tensor fits */
  FIT_SELF_NO_LOAD    /* the exponent is not between 0.05 and 2 */
} fit_self_outcome;
extern const char *const fit_self_outcome_text[];

#define FIT_SELF_U_EXPONENT 0.14 /* of an exponent that is assumed to be 1: as in docs/friction-fit.md, "Assumed" */

typedef struct fit_self_options {
  bool same;                   /* the same cloth, face on face: one tensor */
  double exponent, u_exponent; /* of the force over the load, where there is one load */
  cb_self_exponent exponent_from;
} fit_self_options;

typedef struct fit_self_friction {
  fit_self_outcome outcome;          /* all else is set only where FIT_SELF_OK */
  cb_self_friction_law law;          /* names, origin, area, speed and what the forces share (u_rel_common, u_floor_N) are the caller's */
  size_t n_cells;                    /* how many there are ... */
  bool by_cells;                     /* ... and whether their means were fitted, or the pulls */
  double rms_rel, other_rms_rel;     /* relative misfit, and that of the other rule (NAN: it did not fit); dof in the denominator */
  double one_tensor_f, one_tensor_p; /* of one cloth on itself: F test of one tensor against two; NAN where data cannot tell */
} fit_self_friction;

/* Errors: numbers that are not finite, loads or forces <= 0. */
CB_CHECKED cb_status fit_self_friction_fit(const fit_self_obs *obs, size_t n, const fit_self_options *opt, fit_self_friction *out,
                                           cb_err *err);

#endif
