/* Rows and preconditioner of sim_blocks, for the files of the solver. */
#ifndef SIM_BLOCKS_APPLY_H
#define SIM_BLOCKS_APPLY_H

#include "sim_blocks.h"

/* Rows that a thread takes at once, with one sum: chunk_sum has SIM_BLOCKS_CHUNKS(n). */
#define SIM_BLOCKS_ROWS 64
#define SIM_BLOCKS_CHUNKS(n) (((n) + SIM_BLOCKS_ROWS - 1) / SIM_BLOCKS_ROWS)

/* The rows of a chunk end before this one. */
static inline int sim_blocks_end(const sim_blocks *a, int chunk) {
  return (chunk + 1) * SIM_BLOCKS_ROWS < a->n ? (chunk + 1) * SIM_BLOCKS_ROWS : a->n;
}

/* The sum of all chunks, in order. */
static inline double sim_blocks_sum(const sim_blocks *a) {
  double sum = 0;
  for (int c = 0; c < SIM_BLOCKS_CHUNKS(a->n); c++) sum += a->chunk_sum[c];
  return sum;
}

/* y = A x. Returns x.y. x and y must not overlap. */
double sim_blocks_product(const sim_blocks *a, const double (*x)[3], double (*y)[3]);

/* The preconditioner of sim_blocks_solve: inverse diagonal blocks. */

/* out = inverse of the block m. */
void sim_blocks_invert(const double m[9], double out[9]);

/* Inverts the diagonal blocks. Call it after the blocks are set and before sim_blocks_precondition. held: per
 * vertex, NULL: none. */
void sim_blocks_prepare(sim_blocks *a, const bool *held);
/* z = M^-1 r: symmetric and positive definite where free, 0 where held. Returns r.z. */
double sim_blocks_precondition(const sim_blocks *a, const double (*r)[3], double (*z)[3]);

/* The preconditioner of a body that stands in one system with a cloth: a few steps of Chebyshev's iteration
 * on diagonal^-1 A (Saad, Iterative Methods for Sparse Linear Systems, 2003, 12.3), in single precision. An
 * iteration of such a system costs far more than a product with the body's matrix, so fewer iterations are
 * worth it. With inverse diagonal blocks alone, soft motions of the body hold up the whole system. */

/* Copies A + added, added: n blocks on the diagonal. Call it after the blocks are set and before
 * sim_blocks_polynomial. held: per vertex, NULL: none. */
void sim_blocks_polynomial_prepare(sim_blocks *a, const double (*added)[9], const bool *held);

/* z = M^-1 r: symmetric and positive definite where free, 0 where held. Returns r.z. */
double sim_blocks_polynomial(sim_blocks *a, const double (*r)[3], double (*z)[3]);

#endif
