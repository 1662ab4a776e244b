#include "sim_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_blocks_apply.h"
#include "sim_lanes.h"
#include "sim_vec.h"

void sim_blocks_clear(sim_blocks *a) {
  free(a->start);
  free(a->column);
  free(a->block);
  free(a->inverse);
  free(a->r);
  free(a->z);
  free(a->p);
  free(a->q);
  free(a->chunk_sum);
  free(a->light.block);
  free(a->light.inverse);
  free(a->light.left);
  free(a->light.way[0]);
  free(a->light.way[1]);
  free(a->light.sum);
  *a = (sim_blocks){0};
}

/* ---- the pattern ---- */

static int by_number(const void *a, const void *b) {
  const long long p = *(const long long *)a, q = *(const long long *)b;
  return (p > q) - (p < q);
}

/* Pairs row, column as one number each, sorted, every pair once. */
static size_t pairs_of(const int *member, int n_cliques, int size, int n, long long *pair) {
  size_t count = 0, kept = 0;
  for (int c = 0; c < n_cliques; c++)
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        pair[count++] = (long long)member[c * size + i] * n + member[c * size + j];
  qsort(pair, count, sizeof *pair, by_number);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || pair[i] != pair[kept - 1]) pair[kept++] = pair[i];
  return kept;
}

static bool new_light(size_t rows, size_t blocks, sim_blocks_light *l) {
  l->block = calloc(blocks + 1, sizeof *l->block);
  l->inverse = calloc(rows + 1, sizeof *l->inverse);
  l->left = calloc(rows, sizeof *l->left);
  l->way[0] = calloc(rows, sizeof *l->way[0]);
  l->way[1] = calloc(rows, sizeof *l->way[1]);
  l->sum = calloc(rows, sizeof *l->sum);
  return l->block && l->inverse && l->left && l->way[0] && l->way[1] && l->sum;
}

cb_status sim_blocks_init(int n, const int *member, int n_cliques, int size, sim_blocks *out, cb_err *err) {
  *out = (sim_blocks){.n = n};
  long long *pair = malloc((size_t)n_cliques * (size_t)(size * size) * sizeof *pair);
  size_t kept = pair ? pairs_of(member, n_cliques, size, n, pair) : 0, rows = (size_t)n;
  out->start = calloc(rows + 1, sizeof *out->start);
  out->column = malloc((kept + 1) * sizeof *out->column);
  out->block = calloc(kept + 1, sizeof *out->block);
  out->inverse = calloc(rows, sizeof *out->inverse);
  out->r = calloc(rows, sizeof *out->r);
  out->z = calloc(rows, sizeof *out->z);
  out->p = calloc(rows, sizeof *out->p);
  out->q = calloc(rows, sizeof *out->q);
  out->chunk_sum = calloc((size_t)SIM_BLOCKS_CHUNKS(n), sizeof *out->chunk_sum);
  bool ok = pair && out->start && out->column && out->block && out->inverse && out->r && out->z && out->p &&
            out->q && out->chunk_sum && new_light(rows, kept, &out->light);
  for (size_t i = 0; ok && i < kept; i++) {
    out->start[pair[i] / n + 1]++;
    out->column[i] = (int)(pair[i] % n);
  }
  for (int i = 0; ok && i < n; i++) out->start[i + 1] += out->start[i];
  free(pair);
  if (ok) return CB_OK;
  sim_blocks_clear(out);
  return cb_no_memory(err, "matrix of %d vertices", n);
}

int sim_blocks_find(const sim_blocks *a, int row, int column) {
  int low = a->start[row], high = a->start[row + 1] - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (a->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* ---- product and preconditioner ---- */

CB_WIDE static double product_rows(const sim_blocks *a, const double (*x)[3], double (*y)[3], int first,
                                   int last) {
  double xy = 0;
  for (int i = first; i < last; i++) {
    sim_four sum = {0};
    for (int k = a->start[i]; k < a->start[i + 1]; k++) {
      const double *b = a->block[k], *v = x[a->column[k]];
      sum += SIM_FOUR_AT(b) * v[0] + SIM_FOUR_AT(b + 3) * v[1] + SIM_FOUR_AT(b + 6) * v[2];
    }
    for (int r = 0; r < 3; r++) y[i][r] = sum[r];
    xy += sim_dot(x[i], y[i]);
  }
  return xy;
}

double sim_blocks_product(const sim_blocks *a, const double (*x)[3], double (*y)[3]) {
#pragma omp parallel for schedule(static)
  for (int c = 0; c < SIM_BLOCKS_CHUNKS(a->n); c++)
    a->chunk_sum[c] = product_rows(a, x, y, c * SIM_BLOCKS_ROWS, sim_blocks_end(a, c));
  return sim_blocks_sum(a);
}

void sim_blocks_invert(const double m[9], double out[9]) {
  double c[3][3];
  sim_cross(m + 3, m + 6, c[0]);
  sim_cross(m + 6, m, c[1]);
  sim_cross(m, m + 3, c[2]);
  double det = sim_dot(m, c[0]);
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++) out[3 * r + k] = c[k][r] / det;
}

void sim_blocks_prepare(sim_blocks *a, const bool *held) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++) {
    if (held && held[i])
      memset(a->inverse[i], 0, sizeof a->inverse[i]);
    else
      sim_blocks_invert(a->block[sim_blocks_find(a, i, i)], a->inverse[i]);
  }
}

static double precondition_row(const sim_blocks *a, int i, const double r[3], double z[3]) {
  for (size_t k = 0; k < 3; k++) z[k] = sim_dot(a->inverse[i] + 3 * k, r);
  return sim_dot(r, z);
}

double sim_blocks_precondition(const sim_blocks *a, const double (*r)[3], double (*z)[3]) {
#pragma omp parallel for schedule(static)
  for (int c = 0; c < SIM_BLOCKS_CHUNKS(a->n); c++) {
    double sum = 0;
    for (int i = c * SIM_BLOCKS_ROWS; i < sim_blocks_end(a, c); i++)
      sum += precondition_row(a, i, r[i], z[i]);
    a->chunk_sum[c] = sum;
  }
  return sim_blocks_sum(a);
}

/* ---- conjugate gradients ---- */

/* r := b - A x */
static void residual(const sim_blocks *a, const double (*b)[3], const double (*x)[3], double (*r)[3]) {
  (void)sim_blocks_product(a, x, r);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < 3; k++) r[i][k] = b[i][k] - r[i][k];
}

/* x += alpha p, r -= alpha q, z = M^-1 r; returns r.z. Held rows of r change without effect: z is 0 there,
 * and so is p. */
static double advance_solution(sim_blocks *a, double alpha, double (*x)[3]) {
#pragma omp parallel for schedule(static)
  for (int c = 0; c < SIM_BLOCKS_CHUNKS(a->n); c++) {
    double sum = 0;
    for (int i = c * SIM_BLOCKS_ROWS; i < sim_blocks_end(a, c); i++) {
      sim_add(x[i], alpha, a->p[i]);
      sim_add(a->r[i], -alpha, a->q[i]);
      sum += precondition_row(a, i, a->r[i], a->z[i]);
    }
    a->chunk_sum[c] = sum;
  }
  return sim_blocks_sum(a);
}

/* p = z + beta p */
static void turn_direction(sim_blocks *a, double beta) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < 3; k++) a->p[i][k] = a->z[i][k] + beta * a->p[i][k];
}

sim_blocks_result sim_blocks_solve(sim_blocks *a, const bool *held, const double (*b)[3], double (*x)[3],
                                   double tolerance, int max_iterations) {
  sim_blocks_result out = {0, 0};
  sim_blocks_prepare(a, held);
  residual(a, b, (const sim_vec3 *)x, a->r);
  double rz = sim_blocks_precondition(a, (const sim_vec3 *)a->r, a->z), whole = rz;
  memcpy(a->p, a->z, (size_t)a->n * sizeof *a->p);
  while (rz > tolerance * tolerance * whole && out.iterations < max_iterations) {
    double pq = sim_blocks_product(a, (const sim_vec3 *)a->p, a->q);
    if (!(pq > 0)) break;
    double now = advance_solution(a, rz / pq, x);
    turn_direction(a, now / rz);
    rz = now;
    out.iterations++;
  }
  out.residual = whole > 0 ? sqrt(rz / whole) : 0;
  return out;
}
