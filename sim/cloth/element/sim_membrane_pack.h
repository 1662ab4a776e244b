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

/* The order in which a membrane's triangles are evaluated and gathered.
 *
 * A band is a run of vertices. Triangles are numbered by their lowest vertex (sim_mesh_order), so a band's
 * triangles are few and lie close together. A thread evaluates the packs of triangles that its next band
 * needs into a window, a ring of packs that stays in the cache. Then it gathers the forces of the band's
 * vertices, and the blocks of the edges of which they are the lower end. Packs between the bands of two
 * threads are evaluated by both.
 *
 * A window that would be a large part of the mesh is the whole mesh: then all packs are evaluated first. This
 * is so in small meshes with many threads, and where triangles are numbered in no order.
 *
 * Every vertex and edge adds the same numbers in the same order in all these cases: the bits do not depend on
 * the number of threads. */

typedef struct sim_membrane_band {
  int edge;     /* the first edge whose lower vertex lies in this band or a later one */
  int pack;     /* the first pack of this band or a later one */
  int end_pack; /* behind the last pack of this band or an earlier one */
} sim_membrane_band;

/* Plans the bands of a membrane that has its packs, and makes its windows. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_membrane_bands_make(sim_membrane *m, cb_err *err);

#endif
