/* Preconditioner of the implicit step: block Jacobi on the vertices plus block Jacobi on nested sets of
 * nodes, added up (Bramble, Pasciak, Xu, Math. Comp. 55:1, 1990). A node is a vertex of the mesh; its hat
 * function carries the vertices around it. docs/method/performance.md has figures.
 *
 * Nodes follow from the connectivity of the mesh, not from where its cloth lies flat. So a seam is cloth like
 * any other, and pieces that are not joined share no node. From the graph of a level (Laplace, weight
 * 1/length^2 on the mesh's edges), the next level is a maximal independent set. A node left out lies between
 * its neighbours in the set, and their graph is P^T L P (Ruge, Stueben, Algebraic Multigrid, 1987). All this
 * is made once.
 *
 * The 3 x 3 block of a node is the stiffness of its hat. The membrane's part is P^T K P, whose blocks between
 * nodes are sums over the edges of the level below (rows of K sum to 0, so (P^T K P)_cd = sum over edges of
 * dw_c dw_d K_e). Mass and bending are estimated. So a build costs one pass over the edges, and an
 * application less than a product with the matrix. */
#ifndef SIM_MULTILEVEL_H
#define SIM_MULTILEVEL_H

#include "cb_err.h"
#include "sim_matrix.h"
#include "sim_mesh.h"

#define SIM_LEVELS_MAX 16

/* Rows of a sparse matrix. factor: a number per item. */
typedef struct sim_rows {
  int n, *start, *item; /* start: n + 1 */
  float *factor;        /* NULL: all 1 */
} sim_rows;

/* A level. Below it is the finer level, or the mesh. */
typedef struct sim_level {
  int n, n_edges;
  sim_rows parents;      /* of each node below: its nodes */
  sim_rows children;     /* of each node: its nodes below */
  sim_rows below;        /* of each edge: its edges below */
  sim_rows edges;        /* of each node: its edges */
  float (*stiffness)[6]; /* n_edges: xx xy xz yy yz zz */
  float (*lumped)[8];    /* n: mass and contact (six), bending; the eighth unused */
  float (*inverse)[6];   /* n */
  float (*residual)[4], (*solution)[4];
} sim_level;

typedef struct sim_multilevel {
  /* n_used: levels in use since the last build; 0 where steps are so short that levels do not pay. */
  int n, n_levels, n_used;
  sim_level level[SIM_LEVELS_MAX]; /* [0] the finest */
  float (*inverse)[6];             /* n */
  float (*own)[8];                 /* n: mass and contact of a vertex, bending */
} sim_multilevel;

/* Makes the levels of a mesh, which is not kept. Caller: sim_multilevel_clear, also after an error. Errors:
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_multilevel_init(const sim_mesh *mesh, sim_multilevel *out, cb_err *err);
void sim_multilevel_clear(sim_multilevel *m);

/* Builds the preconditioner of an assembled matrix. mass, extra, scale and membrane: as given to
 * sim_matrix_assemble. */
void sim_multilevel_build(sim_multilevel *m, const sim_matrix *a, const double *mass, const float (*extra)[6],
                          double membrane_scale, const sim_membrane *membrane,
                          const sim_constraint *constraints, int n_constraints);

/* Rebuilds a vertex's own block, after sim_matrix_set_extra or when its constraint differs from that of the
 * build (NULL: none). The levels stay as they are, which costs iterations, not correctness. */
void sim_multilevel_set_vertex(sim_multilevel *m, const sim_matrix *a, int vertex,
                               const sim_constraint *constraint);

/* z = M^-1 r. Returns r.z. chunk_sum: SIM_ROW_CHUNKS(n). */
double sim_multilevel_apply(sim_multilevel *m, float (*r)[4], float (*z)[4], double *chunk_sum);

/* Coarsening: from a weighted graph to the next, with about a quarter of its nodes. */

/* A graph: edges between nodes, each once, lower node first. Owns its arrays. */
typedef struct sim_graph {
  int n, n_edges;
  int (*edge)[2];
  double *weight; /* n_edges */
} sim_graph;

void sim_graph_clear(sim_graph *g);

/* Makes the level above `fine`, that is its parents, children, below and edges, and its graph. Caller:
 * sim_graph_clear for *out, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_graph_coarsen(const sim_graph *fine, sim_level *level, sim_graph *out, cb_err *err);

void sim_rows_clear(sim_rows *r);

#endif
