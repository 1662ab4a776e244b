/* A matrix of blocks, factorised by CHOLMOD: the penalties' matrix is too far from its diagonal for conjugate
 * gradients (docs/strain-limiting.md has both measured). */
#ifndef SIM_LIMIT_FACTOR_H
#define SIM_LIMIT_FACTOR_H

#include <stdbool.h>
#include <suitesparse/cholmod.h>

#include "sim_blocks.h"

typedef struct sim_limit_factor {
  const sim_blocks *blocks; /* not owned; its pattern stays */
  cholmod_common common;
  cholmod_sparse *matrix; /* the lower triangle */
  cholmod_factor *factor;
  cholmod_dense *right;
} sim_limit_factor;

/* Clear it even after a failed init. */
CB_CHECKED cb_status sim_limit_factor_init(const sim_blocks *blocks, sim_limit_factor *out, cb_err *err);
void sim_limit_factor_clear(sim_limit_factor *f);

/* change = A^-1 b with the blocks as they are now; 0 where held (NULL: nowhere). *positive: A is positive
 * definite; else change is 0. */
CB_CHECKED cb_status sim_limit_factor_solve(sim_limit_factor *f, const bool *held, const double (*b)[3],
                                            double (*change)[3], bool *positive, cb_err *err);

#endif
