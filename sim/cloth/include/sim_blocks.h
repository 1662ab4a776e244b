/* A symmetric positive definite matrix of 3 x 3 blocks in rows, in double precision, with conjugate
 * gradients. Meant for bodies: some ten thousand vertices without bending and without grids. */
#ifndef SIM_BLOCKS_H
#define SIM_BLOCKS_H

#include <stdbool.h>

#include "cb_err.h"

/* The matrix in single precision, and the work vectors of sim_blocks_apply.h. */
typedef struct sim_blocks_light {
  float (*block)[9], (*inverse)[9]; /* one more of each than is used, as in sim_blocks */
  float (*left)[4], (*way[2])[4], (*sum)[4];
} sim_blocks_light;

typedef struct sim_blocks {
  int n;
  int *start, *column; /* n + 1 and start[n]; columns ascend in a row and include the diagonal */
  /* start[n] blocks, each stored by columns; one block more, so that the last can be read four numbers at a
   * time. */
  double (*block)[9];
  double (*inverse)[9];                                  /* n: inverse diagonal blocks; 0 where held */
  double (*r)[3], (*z)[3], (*p)[3], (*q)[3], *chunk_sum; /* work vectors; sums of chunks, added in order */
  sim_blocks_light light;
} sim_blocks;

/* Makes the pattern: a row and a column meet where a clique of `size` vertices has both. Clique i is member[i
 * * size] to member[i * size + size - 1]. Blocks start at 0. After an error the matrix is empty. Caller:
 * sim_blocks_clear. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_blocks_init(int n, const int *member, int n_cliques, int size, sim_blocks *out,
                                     cb_err *err);
void sim_blocks_clear(sim_blocks *a);

/* Returns the index in `block` where row and column meet. Both must be in one clique. */
int sim_blocks_find(const sim_blocks *a, int row, int column);

typedef struct sim_blocks_result {
  int iterations;
  double residual; /* |b - A x| over that of the start, both in the preconditioner's norm */
} sim_blocks_result;

/* Solves A x = b for the rows that are not held; a held row keeps its x. held: per row, NULL: none. x: start
 * and solution. Ends at residual <= tolerance, after max_iterations, or where rounding allows no progress.
 * Prepares the preconditioner first. */
sim_blocks_result sim_blocks_solve(sim_blocks *a, const bool *held, const double (*b)[3], double (*x)[3],
                                   double tolerance, int max_iterations);

#endif
