#include "sim_matrix.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_lanes.h"

/* The diagonal of bending, and its part from negative springs. */
static void add_up_bending(sim_matrix *a) {
  for (int i = 0; i < a->n; i++) {
    double sum = 0;
    for (int e = a->upper_start[i]; e < a->upper_start[i + 1]; e++) sum -= (double)a->bending_edge[e];
    for (int k = a->lower_start[i]; k < a->lower_start[i + 1]; k++)
      sum -= (double)a->bending_edge[a->lower_edge[k]];
    for (int k = a->far_start[i]; k < a->far_start[i + 1]; k++) sum -= (double)a->far_value[k];
    a->bending_diagonal[i] = (float)sum;
    for (int k = a->far_springs[i]; k < a->far_start[i + 1]; k++) a->left_out[i] += a->far_value[k];
  }
}

cb_status sim_matrix_init(const sim_pairs *bending, sim_matrix *out, cb_err *err) {
  const sim_neighbours *near = &bending->near;
  const size_t n = (size_t)near->n;
  *out = (sim_matrix){.n = near->n,
                      .n_edges = near->n_edges,
                      .upper_start = near->upper_start,
                      .upper = near->upper,
                      .lower_start = near->lower_start,
                      .lower = near->lower,
                      .lower_edge = near->lower_edge,
                      .bending_edge = bending->edge_high,
                      .far_start = bending->far_start,
                      .far_springs = bending->far_springs,
                      .far = bending->far,
                      .step = bending->step,
                      .far_value = bending->far_high};
  out->diagonal = calloc(n, sizeof *out->diagonal), out->local = calloc(n, sizeof *out->local);
  out->bending_diagonal = calloc(n, sizeof *out->bending_diagonal);
  out->left_out = calloc(n, sizeof *out->left_out);
  out->term_start = calloc(n + 1, sizeof *out->term_start);
  if (!out->diagonal || !out->local || !out->bending_diagonal || !out->left_out || !out->term_start)
    return cb_no_memory(err, "matrix of %d vertices", near->n);
  add_up_bending(out);
  return CB_OK;
}

void sim_matrix_clear(sim_matrix *a) {
  void *const own[] = {a->diagonal, a->local, a->bending_diagonal, a->left_out, a->term_start,
                       a->term_of,  a->term,  a->term_value};
  for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) free(own[k]);
  *a = (sim_matrix){0};
}

/* ---- pair terms ---- */

static cb_status reserve_terms(sim_matrix *a, int n, cb_err *err) {
  if (n <= a->terms_capacity) return CB_OK;
  const size_t capacity = (size_t)n + (size_t)n / 2;
  free(a->term);
  free(a->term_value);
  free(a->term_of);
  a->n_terms = a->terms_capacity = 0;
  a->term = calloc(capacity, sizeof *a->term);
  a->term_value = calloc(capacity, sizeof *a->term_value);
  a->term_of = calloc(4 * capacity, sizeof *a->term_of);
  if (!a->term || !a->term_value || !a->term_of)
    return cb_no_memory(err, "%d contacts of the cloth with itself", n);
  a->terms_capacity = (int)capacity;
  return CB_OK;
}

cb_status sim_matrix_set_terms(sim_matrix *a, const sim_pair_term *terms, int n_terms, cb_err *err) {
  const int before = a->n_terms;
  CB_TRY(reserve_terms(a, n_terms, err));
  if (n_terms == 0 && before == 0) return CB_OK;
  a->n_terms = n_terms;
  memset(a->term_start, 0, ((size_t)a->n + 1) * sizeof *a->term_start);
  if (n_terms == 0) return CB_OK;
  memcpy(a->term, terms, (size_t)n_terms * sizeof *terms);
  for (int t = 0; t < n_terms; t++)
    for (int k = 0; k < 4; k++) a->term_start[terms[t].vertex[k] + 1]++;
  for (int i = 0; i < a->n; i++) a->term_start[i + 1] += a->term_start[i];
  for (int t = 0; t < n_terms; t++)
    for (int k = 0; k < 4; k++) a->term_of[a->term_start[terms[t].vertex[k]]++] = 4 * t + k;
  memmove(a->term_start + 1, a->term_start, (size_t)a->n * sizeof *a->term_start);
  a->term_start[0] = 0;
  return CB_OK;
}

static void evaluate_terms(sim_matrix *a, float (*x)[4]) {
#pragma omp for schedule(static)
  for (int t = 0; t < a->n_terms; t++) {
    const sim_pair_term *p = &a->term[t];
    float s = 0;
    for (int k = 0; k < 4; k++) {
      const float *v = x[p->vertex[k]];
      s += p->weight[k] * (p->normal[0] * v[0] + p->normal[1] * v[1] + p->normal[2] * v[2]);
    }
    a->term_value[t] = p->stiffness_N_per_m * s;
  }
}

static void add_terms(const sim_matrix *a, int i, float sum[3]) {
  for (int k = a->term_start[i]; k < a->term_start[i + 1]; k++) {
    const sim_pair_term *p = &a->term[a->term_of[k] / 4];
    const float s = p->weight[a->term_of[k] % 4] * a->term_value[a->term_of[k] / 4];
    for (int c = 0; c < 3; c++) sum[c] += s * p->normal[c];
  }
}

/* ---- assembly ---- */

/* Column and row of the six. */
static const int row_of[] = {0, 0, 0, 1, 1, 2}, column_of[] = {0, 1, 2, 1, 2, 2};

/* The diagonal block of a vertex: minus the sum of its row's blocks, symmetrised. */
static void membrane_diagonal(const sim_matrix *a, float (*block)[9], int i, float sum[6]) {
  for (int c = 0; c < 6; c++) sum[c] = 0;
  for (int e = a->upper_start[i]; e < a->upper_start[i + 1]; e++)
    for (int c = 0; c < 6; c++)
      sum[c] -= (block[e][3 * row_of[c] + column_of[c]] + block[e][3 * column_of[c] + row_of[c]]) / 2;
  for (int k = a->lower_start[i]; k < a->lower_start[i + 1]; k++) {
    const float *b = block[a->lower_edge[k]];
    for (int c = 0; c < 6; c++)
      sum[c] -= (b[3 * row_of[c] + column_of[c]] + b[3 * column_of[c] + row_of[c]]) / 2;
  }
}

static void assemble_row(sim_matrix *a, int i, float mass, const float *extra, float s_m, float (*block)[9],
                         float s_b) {
  float *d = a->diagonal[i], *own = a->local[i];
  membrane_diagonal(a, block, i, d);
  for (int c = 0; c < 6; c++) {
    const bool on = row_of[c] == column_of[c];
    own[c] = (on ? mass : 0) + (extra ? extra[c] : 0);
    d[c] =
        s_m * d[c] + own[c] + (on ? s_b * (a->bending_diagonal[i] + (a->stiffened ? a->left_out[i] : 0)) : 0);
  }
}

/* Adds a pair term to the diagonal blocks of its vertices, for preconditioners. */
static void add_to_diagonal(sim_matrix *a, const sim_pair_term *t) {
  for (int k = 0; k < 4; k++) {
    const float s = t->stiffness_N_per_m * t->weight[k] * t->weight[k];
    for (int c = 0; c < 6; c++)
      a->diagonal[t->vertex[k]][c] += s * t->normal[row_of[c]] * t->normal[column_of[c]];
  }
}

void sim_matrix_assemble(sim_matrix *a, const double *mass, const float (*extra)[6], double membrane_scale,
                         const sim_membrane *membrane, double bending_scale) {
  a->block = membrane->block;
  a->membrane_scale = (float)membrane_scale;
  a->bending_scale = (float)bending_scale;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++)
    assemble_row(a, i, (float)mass[i], extra ? extra[i] : NULL, (float)membrane_scale, membrane->block,
                 (float)bending_scale);
  for (int t = 0; t < a->n_terms; t++) add_to_diagonal(a, &a->term[t]);
}

void sim_matrix_set_extra(sim_matrix *a, int vertex, double mass, const float extra[6]) {
  for (int c = 0; c < 6; c++) {
    const float own = (row_of[c] == column_of[c] ? (float)mass : 0) + extra[c];
    a->diagonal[vertex][c] += own - a->local[vertex][c];
    a->local[vertex][c] = own;
  }
}

void sim_matrix_membrane_product(const sim_matrix *a, const sim_membrane *membrane, double scale,
                                 const double (*v)[3], double (*y)[3]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++) {
    double upper[3] = {0}, lower[3] = {0};
    for (int e = a->upper_start[i]; e < a->upper_start[i + 1]; e++) {
      const float *b = membrane->block[e];
      const double *p = v[a->upper[e]], d[3] = {p[0] - v[i][0], p[1] - v[i][1], p[2] - v[i][2]};
      for (size_t c = 0; c < 3; c++) upper[c] += b[3 * c] * d[0] + b[3 * c + 1] * d[1] + b[3 * c + 2] * d[2];
    }
    for (int k = a->lower_start[i]; k < a->lower_start[i + 1]; k++) {
      const float *b = membrane->block[a->lower_edge[k]];
      const double *p = v[a->lower[k]], d[3] = {p[0] - v[i][0], p[1] - v[i][1], p[2] - v[i][2]};
      for (int c = 0; c < 3; c++) lower[c] += b[c] * d[0] + b[3 + c] * d[1] + b[6 + c] * d[2];
    }
    for (int c = 0; c < 3; c++) y[i][c] += scale * (upper[c] + lower[c]);
  }
}

/* ---- product ---- */

/* Four sums side by side, since one would wait for itself. Whole rows are whole groups of four. */
CB_INSIDE sim_quad far_sum(const sim_matrix *a, int i, float (*x)[4], sim_quad here, bool steps) {
  sim_quad sum[SIM_PAIRS_FAR] = {{0}};
  float(*base)[4] = steps ? x + i : x;
  const int last = a->stiffened ? a->far_springs[i] : a->far_start[i + 1];
  int k = a->far_start[i];
  for (; k + SIM_PAIRS_FAR <= last; k += SIM_PAIRS_FAR)
    for (int j = 0; j < SIM_PAIRS_FAR; j++)
      sum[j] += a->far_value[k + j] * (sim_quad_load(base[steps ? a->step[k + j] : a->far[k + j]]) - here);
  for (; k < last && a->stiffened; k++)
    sum[0] += a->far_value[k] * (sim_quad_load(base[steps ? a->step[k] : a->far[k]]) - here);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* A row of the product. Stiffness acts on differences, so a motion as a whole costs its mass only, without
 * the rounding of a diagonal that is ten thousand times as large. Towards higher vertices the rows of a block
 * multiply lane by lane, and the lanes are added once. Towards lower vertices its rows are columns. The
 * fourth lane of a block's row is the first of the next row: it meets a zero, or is dropped at the end. */
CB_INSIDE sim_quad product_row(const sim_matrix *a, int i, float (*x)[4], bool steps) {
  const sim_quad here = sim_quad_load(x[i]);
  sim_quad row[3] = {{0}}, column = {0}, bending = {0};
  for (int e = a->upper_start[i]; e < a->upper_start[i + 1]; e++) {
    const sim_quad w = sim_quad_load(x[a->upper[e]]) - here;
    for (size_t c = 0; c < 3; c++) row[c] += sim_quad_load(a->block[e] + 3 * c) * w;
    bending += a->bending_edge[e] * w;
  }
  for (int k = a->lower_start[i]; k < a->lower_start[i + 1]; k++) {
    const float *b = a->block[a->lower_edge[k]];
    const sim_quad w = sim_quad_load(x[a->lower[k]]) - here;
    column += sim_quad_load(b) * w[0] + sim_quad_load(b + 3) * w[1] + sim_quad_load(b + 6) * w[2];
    bending += a->bending_edge[a->lower_edge[k]] * w;
  }
  bending += far_sum(a, i, x, here, steps);
  return sim_quad_three(sim_quad_multiply(a->local[i], here) +
                        a->membrane_scale * (column + sim_quad_sums(row[0], row[1], row[2])) +
                        a->bending_scale * bending);
}

CB_INSIDE double product_rows(const sim_matrix *a, int first, int last, float (*x)[4], float (*y)[4],
                              bool steps) {
  sim_four dot = {0};
  for (int i = first; i < last; i++) {
    sim_quad_store(product_row(a, i, x, steps), y[i]);
    if (a->n_terms && a->term_start[i] < a->term_start[i + 1]) add_terms(a, i, y[i]);
    dot += __builtin_convertvector(sim_quad_load(x[i]) * sim_quad_load(y[i]), sim_four);
  }
  return dot[0] + dot[1] + dot[2];
}

CB_WIDE static double product_of_steps(const sim_matrix *a, int first, int last, float (*x)[4],
                                       float (*y)[4]) {
  return product_rows(a, first, last, x, y, true);
}

CB_WIDE static double product_of_columns(const sim_matrix *a, int first, int last, float (*x)[4],
                                         float (*y)[4]) {
  return product_rows(a, first, last, x, y, false);
}

double sim_matrix_product(sim_matrix *a, float (*x)[4], float (*y)[4], double *chunk_sum) {
  const int n_chunks = SIM_ROW_CHUNKS(a->n);
#pragma omp parallel
  {
    if (a->n_terms) evaluate_terms(a, x);
#pragma omp for schedule(static) nowait
    for (int c = 0; c < n_chunks; c++) {
      const int first = c * SIM_ROWS, rest = a->n - first;
      chunk_sum[c] = (a->step ? product_of_steps : product_of_columns)(
          a, first, first + (rest < SIM_ROWS ? rest : SIM_ROWS), x, y);
    }
  }
  double dot = 0;
  for (int c = 0; c < n_chunks; c++) dot += chunk_sum[c];
  return dot;
}
