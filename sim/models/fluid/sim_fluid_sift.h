/* Which of the particles that lie next to each other in memory are near one of them. */
#ifndef SIM_FLUID_SIFT_H
#define SIM_FLUID_SIFT_H

#include <stdbool.h>

#define SIM_FLUID_NEAR 512 /* neighbours of one particle: more are fifteen times the density */
#define SIM_FLUID_TILE 64  /* what may be written beyond what is counted */

/* The particle itself is among them: it adds nothing to sums of differences. */
typedef struct sim_near {
  int n;
  int j[SIM_FLUID_NEAR + SIM_FLUID_TILE];
  float r2[SIM_FLUID_NEAR + SIM_FLUID_TILE]; /* squares of the distances */
} sim_near;

/* Appends those of [from, to) that are nearer to i than the root of limit, in order; not more than there is
 * room for. Both ways give the same list. */
typedef void sim_fluid_sift(const float *const at[3], int i, int from, int to, float limit, sim_near *out);
sim_fluid_sift sim_fluid_sift_plain;
/* With AVX-512, which can write chosen lanes together; otherwise the plain one. */
sim_fluid_sift *sim_fluid_sift_best(void);

#endif
