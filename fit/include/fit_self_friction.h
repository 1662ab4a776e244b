/* Pulls of cloth on cloth -> cb_self_friction_law: two tensors, and the load's exponent where loads were
 * varied.
 *
 * Both rules of combining the surfaces are fitted. The better one is the law. The other widens its
 * uncertainty by its Akaike weight. ln F is fitted by least squares with one relative scatter, taken from the
 * misfit.
 *
 * Pulls at the same angles and load are one cell: forward, backward and repeats share one mounting of both
 * cloths. With at least FIT_SELF_CELLS more cells than parameters, the cells' means are fitted. Misfit and
 * degrees of freedom are then those between cells. With fewer cells all pulls are fitted, as if they were
 * independent.
 *
 * Data needed:
 * - Both angles are known, and vary independently: at least three directions of each cloth, not always turned
 *   together. 0/0, 45/0, 90/0, 0/45, 0/90 is the least.
 * - Loads do not vary together with the directions.
 * - There is one pull more than parameters. */
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
  FIT_SELF_TOO_FEW,   /* not more pulls than parameters */
  FIT_SELF_NOT_TOLD,  /* angles and loads do not determine both tensors */
  FIT_SELF_NO_TENSOR, /* no positive tensor fits */
  FIT_SELF_NO_LOAD    /* the exponent is not between 0.05 and 2 */
} fit_self_outcome;
extern const char *const fit_self_outcome_text[]; /* by fit_self_outcome */

#define FIT_SELF_U_EXPONENT \
  0.14 /* standard uncertainty of an assumed exponent 1 (docs/method/friction-law.md, "Assumed") */

typedef struct fit_self_options {
  bool same;                   /* the same cloth, face on face: one tensor */
  double exponent, u_exponent; /* of the force over the load; used where there is one load */
  cb_self_exponent exponent_from;
} fit_self_options;

typedef struct fit_self_friction {
  fit_self_outcome outcome; /* the other members hold only with FIT_SELF_OK */
  /* The caller sets names, origin, area, speed, u_rel_common and u_floor_N. */
  cb_self_friction_law law;
  size_t n_cells; /* number of cells */
  bool by_cells;  /* true: the cells' means were fitted; false: the pulls */
  /* Relative misfit, dof in the denominator, of the law and of the other rule (NAN: it does not fit). */
  double rms_rel, other_rms_rel;
  /* F test of one tensor against two, for one cloth on itself; NAN: the data cannot say. */
  double one_tensor_f, one_tensor_p;
} fit_self_friction;

/* Fits n pulls.
 * CB_E_RANGE: a number is not finite, or a load or force is not > 0. CB_E_NOMEM. */
CB_CHECKED cb_status fit_self_friction_fit(const fit_self_obs *obs, size_t n, const fit_self_options *opt,
                                           fit_self_friction *out, cb_err *err);

#endif
