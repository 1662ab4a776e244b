/* A constant symmetric matrix whose rows sum to 0, as springs between pairs of vertices: (K x)_i = sum over j
 * of k_ij (x_j - x_i). Bending is one. Springs with k_ij < 0 pull; the others, negative springs, push.
 *
 * Every number is a high part in single precision, which the solver reads, and a low part: together they have
 * 48 bits or more, for the forces. The diagonal is minus the sum of the others, and is not stored. Both
 * halves of the matrix are the same bits. */
#ifndef SIM_PAIRS_H
#define SIM_PAIRS_H

#include <stdint.h>

#include "cb_err.h"
#include "sim_mesh.h"

/* A sparse n x n matrix, every row in full, by ascending columns. Not owned. */
typedef struct sim_sparse {
  const int *row_start, *column; /* n + 1, row_start[n] */
  const double *value;
} sim_sparse;

/* The edges at every vertex. Edge e in the run of vertex i, upper_start[i] on, leads to upper[e] > i. The
 * runs of lower_start have the others: lower[k] < i, over the edge lower_edge[k]. */
typedef struct sim_neighbours {
  int n, n_edges;
  int *upper_start, *upper;              /* n + 1, n_edges */
  int *lower_start, *lower, *lower_edge; /* n + 1, n_edges, n_edges */
} sim_neighbours;

/* Far columns of a row come in groups of so many. In groups of one the processor guesses the end of each
 * row's loop, and is often wrong: a product of an irregular mesh takes an eighth longer. */
#define SIM_PAIRS_FAR 4

typedef struct sim_pairs {
  sim_neighbours near;         /* its arrays are not owned */
  float *edge_high, *edge_low; /* n_edges: between the ends of edges */
  /* Between other vertices: each row's springs, to far_springs, then its negative ones, each by ascending
   * columns, then fillers (the row itself, 0) up to a whole group of SIM_PAIRS_FAR, to the next far_start.
   * Where vertices are numbered for caches, columns lie close to their row and are kept as steps from it;
   * else step is NULL, as far is where steps are kept. */
  int *far_start, *far_springs, *far;
  int16_t *step;
  float *far_high, *far_low;
} sim_pairs;

/* Caller: sim_neighbours_clear, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_neighbours_make(const sim_mesh *mesh, sim_neighbours *out, cb_err *err);
void sim_neighbours_clear(sim_neighbours *n);

/* Makes pairs from a symmetric matrix, whose diagonal is not read. a NULL: 0. near must outlive it. Caller:
 * sim_pairs_clear, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_pairs_make(const sim_neighbours *near, const sim_sparse *a, sim_pairs *out,
                                    cb_err *err);
/* Drops the low parts, for pairs that only the solver reads: the functions below may not be called. */
void sim_pairs_round(sim_pairs *p);
void sim_pairs_clear(sim_pairs *p);

/* y += scale K d, from differences of d: a shift of the whole gives 0. d and y: n. The bits do not depend on
 * the number of threads. */
void sim_pairs_product(const sim_pairs *p, double scale, const double (*d)[3], double (*y)[3]);
/* -sum k_ij (u_i - u_j).(w_i - w_j) over the pairs of the rows i from first to before last with later
 * vertices j. Over all rows it is u.K w, so the energy of positions x is half of it with u = w = x. */
double sim_pairs_between(const sim_pairs *p, const double (*u)[3], const double (*w)[3], int first, int last);

/* Writes a row in full, with its diagonal, by ascending columns. Returns its length, at most
 * sim_pairs_longest_row. */
int sim_pairs_row(const sim_pairs *p, int row, int *column, double *value);
int sim_pairs_longest_row(const sim_pairs *p);
/* Returns the number of entries of all rows in full. */
size_t sim_pairs_entries(const sim_pairs *p);

#endif
