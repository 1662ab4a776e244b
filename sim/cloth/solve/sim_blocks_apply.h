/* The preconditioner of sim_blocks_solve: inverse diagonal blocks. */
#ifndef SIM_BLOCKS_APPLY_H
#define SIM_BLOCKS_APPLY_H

#include "sim_blocks.h"

/* out = inverse of the block m. */
void sim_blocks_invert(const double m[9], double out[9]);

/* Inverts the diagonal blocks. Call it after the blocks are set and before sim_blocks_precondition. held: per
 * vertex, NULL: none. */
void sim_blocks_prepare(sim_blocks *a, const bool *held);
/* z = M^-1 r: symmetric and positive definite where free, 0 where held. Returns r.z. */
double sim_blocks_precondition(const sim_blocks *a, const double (*r)[3], double (*z)[3]);

#endif
