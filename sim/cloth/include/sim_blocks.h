/* A symmetric positive definite matrix of 3 x 3 blocks in rows, double precision, and conjugate gradients for
 * it. For bodies: some ten thousand vertices that have no bending and no grids. */
#ifndef SIM_BLOCKS_H
#define SIM_BLOCKS_H

#include <stdbool.h>

#include "cb_err.h"

typedef struct sim_blocks {
  int n;
  int *start, *column;  /* n + 1, start[n]; columns ascend, the diagonal among them */
  double (*block)[9];   /* start[n], by columns; one more, so that the last can be read four at a time */
  double (*inverse)[9]; /* n: of the diagonal blocks; 0 where held */
  double (*r)[3], (*z)[3], (*p)[3], (*q)[3], *chunk_sum; /* what threads leave here is added in order */
} sim_blocks;

/* Rows and columns that cliques of `size` vertices join: clique i is member[i * size] to member[i * size +
 * size - 1]. */
CB_CHECKED cb_status sim_blocks_init(int n, const int *member, int n_cliques, int size, sim_blocks *out,
                                     cb_err *err);
void sim_blocks_clear(sim_blocks *a);

/* Where row and column meet in `block`; both must be of one clique. */
int sim_blocks_find(const sim_blocks *a, int row, int column);

/* y = A x; returns x.y. */
double sim_blocks_product(const sim_blocks *a, const double (*x)[3], double (*y)[3]);
typedef struct sim_blocks_result {
  int iterations;
  double residual; /* |b - A x| in the preconditioner's norm, by that of the start */
} sim_blocks_result;

/* A x = b where x is free; a held row keeps the x it has. x: start and solution. Prepares first. Ends at
 * residual <= tolerance, after max_iterations, or where rounding ends it. */
sim_blocks_result sim_blocks_solve(sim_blocks *a, const bool *held, const double (*b)[3], double (*x)[3],
                                   double tolerance, int max_iterations);

#endif
