/* The preconditioner of a body that stands in one system with a cloth: a few steps of Chebyshev's iteration
 * on diagonal^-1 A (Saad, Iterative Methods for Sparse Linear Systems, 2003, 12.3), in single precision. An
 * iteration of such a system costs far more than a product with the body's matrix, so fewer iterations are
 * worth it. With inverse diagonal blocks alone, soft motions of the body hold up the whole system. */
#ifndef SIM_BLOCKS_POLYNOMIAL_H
#define SIM_BLOCKS_POLYNOMIAL_H

#include "sim_blocks.h"

/* Copies A + added, added: n blocks on the diagonal. Call it after the blocks are set and before
 * sim_blocks_polynomial. held: per vertex, NULL: none. */
void sim_blocks_polynomial_prepare(sim_blocks *a, const double (*added)[9], const bool *held);

/* z = M^-1 r: symmetric and positive definite where free, 0 where held. Returns r.z. */
double sim_blocks_polynomial(sim_blocks *a, const double (*r)[3], double (*z)[3]);

#endif
