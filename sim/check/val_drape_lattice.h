/* The lattice of cloths for val_drape_infer, and the probability of each; private to validate/. */
#ifndef VAL_DRAPE_LATTICE_H
#define VAL_DRAPE_LATTICE_H

#include "val_drape_inverse.h"

#define VAL_DRAPE_LATTICE_LENGTHS 161
#define VAL_DRAPE_LATTICE_RATIOS 15
#define VAL_DRAPE_LATTICE_SHEARS 21
#define VAL_DRAPE_LATTICE_SOFTENINGS 5
#define VAL_DRAPE_LATTICE_STRETCHES 5

/* A lattice with even steps of the logarithms over the range of the table. The softenings of a bending length
 * are means over shares of its distribution. The stretches lie evenly over 2.2 standard deviations of the
 * prior, either way. Where the table has a stretch for all, the lattice has one, and more lengths, ratios and
 * shears. */
struct val_drape_lattice {
  int nodes, size[VAL_DRAPE_FREE], stretches;
  double ln_stretch, stretch_step; /* of the first: ln of the stretch length */
  int n_specimens;
  double support_m[VAL_DRAPE_SPECIMENS_MAX], specimen_m[VAL_DRAPE_SPECIMENS_MAX];
  double low[VAL_DRAPE_FREE], step[VAL_DRAPE_FREE]; /* ln of bending length, ratio, shear length */
  double softening[VAL_DRAPE_LATTICE_LENGTHS][VAL_DRAPE_LATTICE_SOFTENINGS];
  double correlation[VAL_DRAPE_SPECIMENS_MAX][VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS];
  val_drape_expected *expected[VAL_DRAPE_SPECIMENS_MAX]; /* owned; per node; NULL: not wanted */
};

/* A node of the lattice. */
typedef struct val_drape_place {
  int at[VAL_DRAPE_FREE];
  double ln[VAL_DRAPE_FREE]; /* ln of bending length, ratio, shear length */
  double softening, ln_stretch;
  double share; /* of its volume: 1 inside, halved for each index at an end; times the share of the softening
                 */
} val_drape_place;
val_drape_place val_drape_lattice_place(const val_drape_lattice *l, int node);

/* Prior and posterior probability over the nodes. */
typedef struct val_drape_belief {
  double *prior, *posterior; /* owned; per node, sum 1 */
  double *misfit;  /* owned, per node: squared distance from the expected signs; chi square with `signs`
                      degrees  of freedom */
  double *weight;  /* owned, per node: ln of the weight per area that the prior of B and G expects at the
                      node's  lengths ... */
  double u_weight; /* ... and its standard uncertainty, the same at all nodes */
  int signs, nodes;
} val_drape_belief;

/* Fills prior and posterior. Clear *out in any case. Error: memory. */
CB_CHECKED cb_status val_drape_believe(const val_drape_lattice *l, const val_drape_group *groups,
                                       int n_groups, const val_drape_prior *prior, val_drape_belief *out,
                                       cb_err *err);
void val_drape_belief_clear(val_drape_belief *b);

/* Fills c, the covariance of the mean signs of n drapes about what a cloth is expected to have. It sums
 * scatter, table, simulation and measurement. Row and column of an unknown sign are those of the unit
 * matrix. */
void val_drape_mean_covariance(const val_drape_expected *e,
                               const double correlation[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS],
                               const val_drape_group *g, double c[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS]);

/* Checks each sign of a group against prior and posterior. */
void val_drape_check_signs(const val_drape_lattice *l, const val_drape_belief *b, const val_drape_group *g,
                           val_drape_check out[VAL_DRAPE_SIGNS]);
/* Returns the posterior predictive probability of a misfit at least as large. */
double val_drape_check_p(const val_drape_belief *b);

#endif
