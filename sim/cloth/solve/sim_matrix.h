/* The matrix of an implicit step: A = diag(d_i I + extra_i) + s_m K + s_b (B x I3) + pair terms. K is the
 * membrane's blocks, B the constant scalar bending matrix. Single precision. A vector is float (*)[4] with a
 * zero fourth number (one load per vertex).
 *
 * Storage: the membrane's 9 floats per edge of the mesh; 6 per vertex; and bending as scalars. A row reads
 * the blocks of its edges, transposed towards lower vertices. So every block is fetched from memory once and
 * found in the cache the second time, and no thread writes another's rows. docs/method/performance.md
 * compares layouts. */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_membrane.h"
#include "sim_pairs.h"

/* A pair term k (sum w_i n.x_i) on up to four vertices: self-contact. An unused vertex has weight 0. */
typedef struct sim_pair_term {
  int vertex[4];
  float weight[4], normal[3], stiffness_N_per_m;
} sim_pair_term;

/* The part of a vertex's motion that is fixed: along a normal (a sliding contact), all (a grip, a holding
 * contact), or all but the direction of an edge between two bodies (ACROSS). */
typedef enum sim_fixed { SIM_FIXED_ALONG, SIM_FIXED_WHOLE, SIM_FIXED_ACROSS } sim_fixed;

/* A constraint: a vertex does not move along the unit normal, not at all, or only along it. At most one per
 * vertex. */
typedef struct sim_constraint {
  int vertex;
  sim_fixed fixed;
  float normal[3];
} sim_constraint;

typedef struct sim_matrix {
  int n, n_edges;
  /* The edges at every vertex, of `bending`, which owns them. Rows of blocks belong to the lower vertex. */
  const int *upper_start, *upper, *lower_start, *lower, *lower_edge;
  /* n_edges, and one that may be read beyond the end: of the membrane of the last assembly, which owns them.
   */
  float (*block)[9];
  /* n: xx xy xz yy yz zz. All of the diagonal, for preconditioners. */
  float (*diagonal)[6];
  /* n: mass and extra only. Stiffness multiplies differences, since its rows sum to 0. */
  float (*local)[6];
  float *bending_diagonal;
  float *left_out; /* per vertex: what its negative springs take from the diagonal */
  /* The high parts of `bending`, between neighbours and others, which it owns. */
  const float *bending_edge;
  const int *far_start, *far_springs, *far;
  const int16_t *step;
  const float *far_value;
  float membrane_scale, bending_scale;
  bool stiffened; /* no negative springs in the product; set before the assembly */
  int n_terms, terms_capacity, *term_start, *term_of; /* term_of: 4 * term + which vertex of it, by vertex */
  sim_pair_term *term;
  float *term_value;
} sim_matrix;

/* Makes the pattern. bending, whose low parts are not read, must outlive it. Caller: sim_matrix_clear, also
 * after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_matrix_init(const sim_pairs *bending, sim_matrix *out, cb_err *err);
void sim_matrix_clear(sim_matrix *a);

/* Sets the pair terms of the next assembly; copies. Errors: CB_E_NOMEM, if there are more than ever
 * before. */
CB_CHECKED cb_status sim_matrix_set_terms(sim_matrix *a, const sim_pair_term *terms, int n_terms,
                                          cb_err *err);

/* Assembles A from the membrane's last tangent, whose blocks products read until the next assembly. mass: n
 * values d_i; extra: n blocks xx xy xz yy yz zz, or NULL. */
void sim_matrix_assemble(sim_matrix *a, const double *mass, const float (*extra)[6], double membrane_scale,
                         const sim_membrane *membrane, double bending_scale);

/* Replaces the mass and extra of one vertex in the assembled matrix. */
void sim_matrix_set_extra(sim_matrix *a, int vertex, double mass, const float extra[6]);

/* y += scale K v in double, K of the membrane's last tangent, with differences of v: a shift of the whole
 * cloth gives 0. Strain-rate damping is scale = -damping_s with v the velocities. */
void sim_matrix_membrane_product(const sim_matrix *a, const sim_membrane *membrane, double scale,
                                 const double (*v)[3], double (*y)[3]);

/* y = A x; of a stiffened matrix y = (A + D) x, D >= 0. Bending is the sum of -b_ij (x_i - x_j)^2 over pairs
 * of vertices. Most pairs that are no neighbours are negative springs, b_ij > 0. Without them a product costs
 * two thirds. Returns x.y. chunk_sum: SIM_ROW_CHUNKS(n). */
double sim_matrix_product(sim_matrix *a, float (*x)[4], float (*y)[4], double *chunk_sum);

/* Chunks of rows, whose sums are added in order: the length of chunk_sum. */
#define SIM_ROWS 512
#define SIM_ROW_CHUNKS(n) (((n) + SIM_ROWS - 1) / SIM_ROWS)

#endif
