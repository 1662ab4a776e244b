/* The preconditioner of sim_blocks_solve. */
#ifndef SIM_BLOCKS_APPLY_H
#define SIM_BLOCKS_APPLY_H

#include "sim_blocks.h"

/* Of one block. */
void sim_blocks_invert(const double m[9], double out[9]);

/* After the blocks are set, and before the preconditioner is applied. held: per vertex, NULL: none. */
void sim_blocks_prepare(sim_blocks *a, const bool *held);
/* z = M^-1 r, symmetric and positive definite where free, 0 where held; returns r.z. */
double sim_blocks_precondition(const sim_blocks *a, const double (*r)[3], double (*z)[3]);

#endif
