/* The matrix of an implicit step, A = diag(d_i I + extra_i) + s_m K + s_b (B x I3) + pair terms: K the
 * membrane's blocks, B the constant scalar bending matrix. Single precision; a vector is float (*)[4], the
 * fourth 0 (one load per vertex).
 *
 * Stored: 9 floats per edge of the mesh (bending between neighbours is added to them), 6 per vertex, and
 * bending between vertices that are no neighbours as scalars. A row reads the blocks of its edges, those
 * towards lower vertices transposed: every block is fetched from memory once and found in the cache the
 * second time, no thread writes another's rows. docs/performance.md has the layouts compared. */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

#include "cb_err.h"
#include "sim_membrane.h"
#include "sim_mesh.h"

/* A symmetric sparse n x n matrix, every row in full. */
typedef struct sim_sparse {
  const int *row_start, *column; /* n + 1, row_start[n] */
  const double *value;
} sim_sparse;

/* k (sum w_i n.x_i) on up to four vertices: contact of a cloth with itself. A vertex that is not needed has
 * weight 0. */
typedef struct sim_pair_term {
  int vertex[4];
  float weight[4], normal[3], stiffness_N_per_m;
} sim_pair_term;

/* What of a vertex is fixed: one contact, a grip or two contacts, an edge between two bodies. */
typedef enum sim_fixed { SIM_FIXED_ALONG, SIM_FIXED_WHOLE, SIM_FIXED_ACROSS } sim_fixed;

/* A vertex that does not move along the unit normal, at all, or but along it. One constraint per vertex. */
typedef struct sim_constraint {
  int vertex;
  sim_fixed fixed;
  float normal[3];
} sim_constraint;

typedef struct sim_matrix {
  int n, n_edges;
  int *upper_start, *upper;              /* n + 1, n_edges: edge e of row i's run leads to upper[e] > i */
  int *lower_start, *lower, *lower_edge; /* n + 1, n_edges, n_edges */
  float (*block)[9];                     /* n_edges, and one to read over: row of the lower vertex */
  float (*diagonal)[6];                  /* n: xx xy xz yy yz zz; all of it, for preconditioners */
  float (*local)[6]; /* n: mass and extra alone; stiffness multiplies differences, whose rows sum to 0 */
  float *bending_edge, *bending_diagonal;
  int *far_start, *far; /* bending beyond the neighbours */
  float *far_value;
  float bending_scale;
  int n_terms, terms_capacity, *term_start, *term_of; /* term_of: 4 * term + which, by vertex */
  sim_pair_term *term;
  float *term_value;
} sim_matrix;

/* bending may be NULL. Its pattern is kept, its values copied. */
CB_CHECKED cb_status sim_matrix_init(const sim_mesh *mesh, const sim_sparse *bending, sim_matrix *out,
                                     cb_err *err);
void sim_matrix_clear(sim_matrix *a);

/* The pair terms of the next assembly; grows (CB_E_NOMEM) when there are more than ever before. */
CB_CHECKED cb_status sim_matrix_set_terms(sim_matrix *a, const sim_pair_term *terms, int n_terms,
                                          cb_err *err);

/* mass: n values d_i; extra: n blocks xx xy xz yy yz zz, or NULL. The membrane's last tangent is used. */
void sim_matrix_assemble(sim_matrix *a, const double *mass, const float (*extra)[6], double membrane_scale,
                         const sim_membrane *membrane, double bending_scale);

/* Of the assembled matrix, what one vertex has for itself: as if it had been assembled with these. */
void sim_matrix_set_extra(sim_matrix *a, int vertex, double mass, const float extra[6]);

/* y += scale K v in double, K of the membrane's last tangent: sim_membrane_product by the blocks of edges,
 * which lie closer together. */
void sim_matrix_membrane_product(const sim_matrix *a, const sim_membrane *membrane, double scale,
                                 const double (*v)[3], double (*y)[3]);

/* y = A x; returns x.y. */
double sim_matrix_product(sim_matrix *a, float (*x)[4], float (*y)[4], double *chunk_sum);

/* Chunks of rows: how long chunk_sum has to be. */
#define SIM_ROWS 512
#define SIM_ROW_CHUNKS(n) (((n) + SIM_ROWS - 1) / SIM_ROWS)

#endif
