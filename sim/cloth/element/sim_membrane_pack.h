/* The membrane's kernel, for eight triangles at a time. */
#ifndef SIM_MEMBRANE_PACK_H
#define SIM_MEMBRANE_PACK_H

#include "sim_membrane.h"

#define SIM_LANES 8

/* Per lane: gradients of the shape functions of corners 1 and 2 [1/m] (corner 0: minus their sum). */
typedef struct sim_membrane_pack {
  int corner[3][SIM_LANES];
  double bu[2][SIM_LANES], bv[2][SIM_LANES];
} sim_membrane_pack;

/* What a pack of triangles gives. */
typedef struct sim_membrane_result {
  double force[9][SIM_LANES]; /* by corner and axis */
  /* By triangle and side (opposite to corner 0, 1, 2): from corner k+1 to corner k+2, row-major. */
  float block[SIM_LANES][3][9];
  double energy;
} sim_membrane_result;

/* Evaluates the packs [first, last): forces, energies and, with a tangent, blocks. Writes pack i to
 * window[i & mask]. */
void sim_membrane_packs(const sim_membrane *m, const double (*x)[3], sim_tangent tangent, int first, int last,
                        sim_membrane_result *window, int mask);

/* Writes the strains of the packs [first, last) into strain[8 pack + lane]; lanes without a triangle are
 * skipped. */
void sim_membrane_pack_strains(const sim_membrane *m, const double (*x)[3], int first, int last,
                               double (*strain)[3]);

#endif
