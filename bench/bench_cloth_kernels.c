/* What a step of the cloth simulator spends in its elements and its linear system: assembly, product, preconditioner, whole solves, for
 * square cloths of 1 m. The best of several turns: what the machine can do, not what its neighbours left.
 *   bench_cloth_kernels [--json] [VERTICES...] */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_rng.h"
#include "sim_matrix.h"
#include "sim_membrane.h"
#include "sim_multilevel.h"
#include "sim_pcg.h"
int main(int argc, char **argv) { (void)argc; (void)argv; return 0; }
