/* Finds the neighbours of a particle in a run of particles that are adjacent in memory. */
#ifndef SIM_FLUID_SIFT_H
#define SIM_FLUID_SIFT_H

#include <stdbool.h>

#define SIM_FLUID_NEAR 512 /* most neighbours of one particle; more would be fifteen times the density */
#define SIM_FLUID_TILE 64  /* entries that may be written beyond n */

/* The list of neighbours. It includes the particle itself, which adds nothing to sums of differences. */
typedef struct sim_near {
  int n;
  int j[SIM_FLUID_NEAR + SIM_FLUID_TILE];
  float r2[SIM_FLUID_NEAR + SIM_FLUID_TILE]; /* squared distances */
} sim_near;

/* Appends the particles of [from, to) whose squared distance from particle i is below limit, in order, as
 * far as there is room. at has one array per axis. Both functions give the same list. */
typedef void sim_fluid_sift(const float *const at[3], int i, int from, int to, float limit, sim_near *out);
sim_fluid_sift sim_fluid_sift_plain;
/* Returns the AVX-512 version where the processor has it, else the plain one. */
sim_fluid_sift *sim_fluid_sift_best(void);

#endif
