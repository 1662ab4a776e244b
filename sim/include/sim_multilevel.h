/* Preconditioner of the implicit step: block Jacobi on the vertices plus block Jacobi on nested grids laid over the flat cloth, added up
 * (Bramble, Pasciak, Xu, Math. Comp. 55:1, 1990). A grid carries displacements by bilinear interpolation between its nodes.
 *
 * A node's 3 x 3 block is what its hat function costs. The membrane's part comes from the blocks of the edges, collected once per cell of
 * the finest grid as the integrals of K_uu, K_vv, K_uv of sim_membrane.h (for a displacement linear over a cell that is exact); coarser
 * cells add up their four parts. So setting up costs one pass over the edges, and applying less than a product with the matrix. */
#ifndef SIM_MULTILEVEL_H
#define SIM_MULTILEVEL_H

#include "cb_err.h"
#include "sim_matrix.h"
#include "sim_mesh.h"

#define SIM_LEVELS_MAX 16

typedef struct sim_level {
  int nu, nv; /* cells */
  double hu, hv;
  float (*stiffness)[18]; /* cells: uu, vv, uv, six each */
  float (*lumped)[8];     /* nodes: mass and contact (six), bending; the eighth unused */
  float (*inverse)[6];    /* nodes */
  float (*residual)[4], (*solution)[4];
} sim_level;

typedef struct sim_multilevel {
  int n, n_edges, n_levels;
  sim_level level[SIM_LEVELS_MAX]; /* [0] the finest */
  double spacing_m;                /* mean distance of the mesh's vertices */
  int *node;                       /* n: of the finest grid, the lowest corner of the vertex's cell */
  float (*place)[2];               /* n: in the cell, 0..1 */
  int *cell_start, *vertex_of;     /* vertices by cell */
  int *edge_start, *edge_of;       /* edges by cell */
  float (*edge_step)[2];           /* n_edges, as sorted: from lower to higher vertex in the flat cloth */
  float (*corner_sum)[4][4];       /* what the vertices of two rows of cells per band give to their corners */
  float (*inverse)[6];             /* n */
  float (*own)[8];                 /* n: mass and contact of a vertex, bending */
} sim_multilevel;

CB_CHECKED cb_status sim_multilevel_init(const sim_mesh *mesh, sim_multilevel *out, cb_err *err);
void sim_multilevel_clear(sim_multilevel *m);

/* For the assembled matrix; mass, extra, membrane and scale as they were given to sim_matrix_assemble. */
void sim_multilevel_build(sim_multilevel *m, const sim_matrix *a, const double *mass, const float (*extra)[6], double membrane_scale,
                          const sim_membrane *membrane, const sim_constraint *constraints, int n_constraints);

/* After sim_matrix_set_extra, or when a vertex is constrained in another way (NULL: not) than at the build: its own block. The grids stay
 * as they are, which costs iterations, not correctness. */
void sim_multilevel_set_vertex(sim_multilevel *m, const sim_matrix *a, int vertex, const sim_constraint *constraint);

/* z = M^-1 r; returns r.z. chunk_sum: SIM_ROW_CHUNKS(n). */
double sim_multilevel_apply(sim_multilevel *m, float (*r)[4], float (*z)[4], double *chunk_sum);

#endif
