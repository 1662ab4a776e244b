#include "sim_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_threads.h"
#include "sim_vec.h"

#define CHUNKS(n) (((n) + SIM_CHUNK - 1) / SIM_CHUNK)

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
      for (int j = 0; j < size; j++) pair[count++] = (long long)member[c * size + i] * n + member[c * size + j];
  qsort(pair, count, sizeof *pair, by_number);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || pair[i] != pair[kept - 1]) pair[kept++] = pair[i];
  return kept;
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
  out->chunk_sum = calloc((size_t)CHUNKS(n), sizeof *out->chunk_sum);
  bool ok = pair && out->start && out->column && out->block && out->inverse && out->r && out->z && out->p && out->q && out->chunk_sum;
  for (size_t i = 0; ok && i < kept; i++) {
    out->start[pair[i] / n + 1]++;
    out->column[i] = (int)(pair[i] % n);
  }
  for (int i = 0; ok && i < n; i++) out->start[i + 1] += out->start[i];
  free(pair);
  if (ok) return CB_OK;
  sim_blocks_clear(out);
  return cb_fail(err, CB_E_NOMEM, "matrix of %d vertices: out of memory", n);
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

/* ---- conjugate gradients ---- */

void sim_blocks_product(const sim_blocks *a, const double (*x)[3], double (*y)[3]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++) {
    double sum[3] = {0, 0, 0};
    for (int k = a->start[i]; k < a->start[i + 1]; k++) {
      const double *b = a->block[k], *v = x[a->column[k]];
      for (int r = 0; r < 3; r++) sum[r] += b[3 * r] * v[0] + b[3 * r + 1] * v[1] + b[3 * r + 2] * v[2];
    }
    memcpy(y[i], sum, sizeof sum);
  }
}

static double dot(const sim_blocks *a, const double (*x)[3], const double (*y)[3]) {
#pragma omp parallel for schedule(static)
  for (int c = 0; c < CHUNKS(a->n); c++) {
    double sum = 0;
    for (int i = c * SIM_CHUNK; i < a->n && i < (c + 1) * SIM_CHUNK; i++) sum += sim_dot(x[i], y[i]);
    a->chunk_sum[c] = sum;
  }
  double sum = 0;
  for (int c = 0; c < CHUNKS(a->n); c++) sum += a->chunk_sum[c];
  return sum;
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

static void invert_diagonal(sim_blocks *a) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++) sim_blocks_invert(a->block[sim_blocks_find(a, i, i)], a->inverse[i]);
}

static void precondition(const sim_blocks *a, const bool *held, const double (*r)[3], double (*z)[3]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < 3; k++) z[i][k] = held && held[i] ? 0 : sim_dot(a->inverse[i] + 3 * k, r[i]);
}

static void residual(const sim_blocks *a, const bool *held, const double (*b)[3], const double (*x)[3], double (*r)[3]) {
  sim_blocks_product(a, x, r);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < 3; k++) r[i][k] = held && held[i] ? 0 : b[i][k] - r[i][k];
}

/* x += alpha p, r -= alpha q; held rows of r stay 0 */
static void advance(sim_blocks *a, const bool *held, double alpha, double (*x)[3]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < 3; k++) {
      x[i][k] += alpha * a->p[i][k];
      if (!held || !held[i]) a->r[i][k] -= alpha * a->q[i][k];
    }
}

static double squared(sim_blocks *a, const double (*r)[3]) { return dot(a, r, (const double(*)[3])a->z); }

sim_blocks_result sim_blocks_solve(sim_blocks *a, const bool *held, const double (*b)[3], double (*x)[3], double tolerance,
                                   int max_iterations) {
  sim_blocks_result out = {0, 0};
  invert_diagonal(a);
  precondition(a, held, b, a->z);
  double whole = squared(a, b);
  residual(a, held, b, (const double(*)[3])x, a->r);
  precondition(a, held, (const double(*)[3])a->r, a->z);
  memcpy(a->p, a->z, (size_t)a->n * sizeof *a->p);
  double rz = squared(a, (const double(*)[3])a->r);
  while (rz > tolerance * tolerance * whole && out.iterations < max_iterations) {
    sim_blocks_product(a, (const double(*)[3])a->p, a->q);
    double pq = dot(a, (const double(*)[3])a->p, (const double(*)[3])a->q);
    if (!(pq > 0)) break;
    advance(a, held, rz / pq, x);
    precondition(a, held, (const double(*)[3])a->r, a->z);
    double now = squared(a, (const double(*)[3])a->r), beta = now / rz;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < a->n; i++)
      for (int k = 0; k < 3; k++) a->p[i][k] = a->z[i][k] + beta * a->p[i][k];
    rz = now;
    out.iterations++;
  }
  out.residual = whole > 0 ? sqrt(rz / whole) : 0;
  return out;
}
