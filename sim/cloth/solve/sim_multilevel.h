/* Preconditioner of the implicit step: block Jacobi on the vertices plus block Jacobi on nested sets of
 * nodes, added up (Bramble, Pasciak, Xu, Math. Comp. 55:1, 1990). A node is a vertex of the mesh, and carries
 * the vertices around it as a hat does.
 *
 * Nodes follow from how the mesh hangs together, not from where its cloth lies flat: a seam is cloth like any
 * other, and pieces that are not joined share no node. Of every level's graph (Laplace, 1/length^2 on the
 * mesh's edges) the next level is a maximal independent set, the nodes left out lie between those of their
 * neighbours that are in it, and the graph of these is P^T L P (Ruge, Stueben, Algebraic Multigrid, 1987).
 * All that is made once.
 *
 * A node's 3 x 3 block is what its hat costs: the membrane's part P^T K P, whose blocks between nodes are
 * sums over the edges of the level below (rows of K sum to 0, so that (P^T K P)_cd = sum over edges of dw_c
 * dw_d K_e); mass and bending estimated. So setting up costs one pass over the edges, and applying less than
 * a product with the matrix. */
#ifndef SIM_MULTILEVEL_H
#define SIM_MULTILEVEL_H

#include "cb_err.h"
#include "sim_matrix.h"
#include "sim_mesh.h"

#define SIM_LEVELS_MAX 16

/* Rows of a sparse matrix with numbers. */
typedef struct sim_rows {
  int n, *start, *item; /* start: n + 1 */
  float *factor;        /* NULL: all 1 */
} sim_rows;

/* Above the level below it: the finer one, or the mesh. */
typedef struct sim_level {
  int n, n_edges;
  sim_rows parents;      /* of each node below: nodes */
  sim_rows children;     /* of each node: nodes below */
  sim_rows below;        /* of each edge: edges below */
  sim_rows edges;        /* of each node */
  float (*stiffness)[6]; /* n_edges: xx xy xz yy yz zz */
  float (*lumped)[8];    /* n: mass and contact (six), bending; the eighth unused */
  float (*inverse)[6];   /* n */
  float (*residual)[4], (*solution)[4];
} sim_level;

typedef struct sim_multilevel {
  int n, n_levels, n_used; /* n_used: of the levels, since the last build; 0 where steps are so short that
                              they do not pay */
  sim_level level[SIM_LEVELS_MAX]; /* [0] the finest */
  float (*inverse)[6];             /* n */
  float (*own)[8];                 /* n: mass and contact of a vertex, bending */
} sim_multilevel;

CB_CHECKED cb_status sim_multilevel_init(const sim_mesh *mesh, sim_multilevel *out, cb_err *err);
void sim_multilevel_clear(sim_multilevel *m);

/* For the assembled matrix; mass, extra, membrane and scale as they were given to sim_matrix_assemble. */
void sim_multilevel_build(sim_multilevel *m, const sim_matrix *a, const double *mass, const float (*extra)[6],
                          double membrane_scale, const sim_membrane *membrane,
                          const sim_constraint *constraints, int n_constraints);

/* After sim_matrix_set_extra, or when a vertex is constrained in another way (NULL: not) than at the build:
 * its own block. The levels stay as they are, which costs iterations, not correctness. */
void sim_multilevel_set_vertex(sim_multilevel *m, const sim_matrix *a, int vertex,
                               const sim_constraint *constraint);

/* z = M^-1 r; returns r.z. chunk_sum: SIM_ROW_CHUNKS(n). */
double sim_multilevel_apply(sim_multilevel *m, float (*r)[4], float (*z)[4], double *chunk_sum);

#endif
