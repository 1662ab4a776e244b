/* Private to validate/: the cloths among which val_drape_infer looks, and how probable each is. */
#ifndef VAL_DRAPE_LATTICE_H
#define VAL_DRAPE_LATTICE_H

#include "val_drape_inverse.h"

#define VAL_DRAPE_LATTICE_LENGTHS 161
#define VAL_DRAPE_LATTICE_RATIOS 15
#define VAL_DRAPE_LATTICE_SHEARS 21
enum {
  VAL_DRAPE_LATTICE_NODES = VAL_DRAPE_LATTICE_LENGTHS * VAL_DRAPE_LATTICE_RATIOS * VAL_DRAPE_LATTICE_SHEARS
};

/* Even steps of the logarithms, from one end of the table to the other. */
struct val_drape_lattice {
  int n_specimens;
  double support_m[VAL_DRAPE_SPECIMENS_MAX], specimen_m[VAL_DRAPE_SPECIMENS_MAX];
  double low[VAL_DRAPE_FREE], step[VAL_DRAPE_FREE]; /* ln of bending length, ratio, shear length */
  double correlation[VAL_DRAPE_SPECIMENS_MAX][VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS];
  val_drape_expected *expected[VAL_DRAPE_SPECIMENS_MAX]; /* owned; of each node */
};

typedef struct val_drape_place {
  int at[VAL_DRAPE_FREE];
  double ln[VAL_DRAPE_FREE]; /* of bending length, ratio, shear length */
  double share;              /* of the volume: 1 inside, half of it at each end */
} val_drape_place;
val_drape_place val_drape_lattice_place(const val_drape_lattice *l, int node);

typedef struct val_drape_belief {
  double *prior, *posterior; /* owned; probability of each node, sum 1 */
  double *misfit;  /* owned: squared distance from what is expected, chi square of `signs` degrees of
                      freedom */
  double *weight;  /* owned: ln of the weight per area, as far as a prior of B and G ties it to a node's
                      lengths ... */
  double u_weight; /* ... and its standard uncertainty, the same everywhere */
  int signs;
} val_drape_belief;

/* Clear in any case. */
CB_CHECKED cb_status val_drape_believe(const val_drape_lattice *l, const val_drape_group *groups,
                                       int n_groups, const val_drape_prior *prior, val_drape_belief *out,
                                       cb_err *err);
void val_drape_belief_clear(val_drape_belief *b);

/* Covariance of the n drapes' mean signs about what such a cloth is expected to do: scatter, the table, the
 * simulation itself, the measurement. Row and column of a sign that is not known are those of the unit
 * matrix. */
void val_drape_mean_covariance(const val_drape_expected *e,
                               const double correlation[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS],
                               const val_drape_group *g, double c[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS]);

/* Before and after the drapes, each sign against what was expected of it. */
void val_drape_check_signs(const val_drape_lattice *l, const val_drape_belief *b, const val_drape_group *g,
                           val_drape_check out[VAL_DRAPE_SIGNS]);
/* Posterior predictive probability of a misfit as large as that. */
double val_drape_check_p(const val_drape_belief *b);

#endif
