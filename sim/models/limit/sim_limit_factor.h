/* Factorisation of a block matrix by CHOLMOD. The matrix of the penalties is too far from diagonal for
 * conjugate gradients (docs/method/strain-limiting.md has the measurement). */
#ifndef SIM_LIMIT_FACTOR_H
#define SIM_LIMIT_FACTOR_H

#include <stdbool.h>
#include <suitesparse/cholmod.h>

#include "sim_blocks.h"

typedef struct sim_limit_factor {
  const sim_blocks *blocks; /* not owned; its pattern must not change */
  cholmod_common common;
  cholmod_sparse *matrix; /* the lower triangle */
  cholmod_factor *factor;
  cholmod_dense *right;
} sim_limit_factor;

/* Analyses the pattern of the blocks. Clear *out even after an error. Error: memory. */
CB_CHECKED cb_status sim_limit_factor_init(const sim_blocks *blocks, sim_limit_factor *out, cb_err *err);
void sim_limit_factor_clear(sim_limit_factor *f);

/* Solves A change = b for the present blocks, per vertex; change is 0 where held (NULL: nowhere). If A is
 * not positive definite, *positive is false and change is 0. Error: memory. */
CB_CHECKED cb_status sim_limit_factor_solve(sim_limit_factor *f, const bool *held, const double (*b)[3],
                                            double (*change)[3], bool *positive, cb_err *err);

#endif
