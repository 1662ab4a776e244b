#include "sim_guess.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"

cb_status sim_guess_init(int n_vertices, sim_guess *out, cb_err *err) {
  const size_t n = (size_t)n_vertices;
  *out = (sim_guess){.n = n_vertices};
  bool ok = (out->chunk_sum = calloc((size_t)CB_CHUNKS(n_vertices), sizeof *out->chunk_sum)) != NULL;
  ok = (out->ax = calloc(n, sizeof *out->ax)) && ok;
  for (int k = 0; k < SIM_GUESS_KEPT; k++) ok = (out->x[k] = calloc(n, sizeof *out->x[k])) && ok;
  return ok ? CB_OK : cb_no_memory(err, "the last solutions of %d vertices", n_vertices);
}

void sim_guess_clear(sim_guess *g) {
  for (int k = 0; k < SIM_GUESS_KEPT; k++) free(g->x[k]);
  free(g->ax);
  free(g->chunk_sum);
  *g = (sim_guess){0};
}

static double dot_of_rows(float (*u)[4], float (*v)[4], int first, int last) {
  double sum = 0;
  for (int i = first; i < last; i++)
    sum += (double)(u[i][0] * v[i][0] + u[i][1] * v[i][1] + u[i][2] * v[i][2]);
  return sum;
}

/* out[k] = kept x_k.v */
static void project(const sim_guess *g, float (*v)[4], double *out) {
#pragma omp parallel for schedule(static) if (g->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(g->n); c++)
    for (int k = 0; k < g->kept; k++)
      g->chunk_sum[c][k] = dot_of_rows(g->x[k], v, c * CB_CHUNK, cb_chunk_end(c, g->n));
  for (int k = 0; k < g->kept; k++) out[k] = 0;
  for (int c = 0; c < CB_CHUNKS(g->n); c++)
    for (int k = 0; k < g->kept; k++) out[k] += g->chunk_sum[c][k];
}

void sim_guess_keep(sim_guess *g, float (*x)[4], float (*b)[4], float (*r)[4]) {
  const int at = g->next;
  double product[SIM_GUESS_KEPT] = {0};
  g->next = (at + 1) % SIM_GUESS_KEPT;
  if (g->kept < SIM_GUESS_KEPT) g->kept++;
#pragma omp parallel for schedule(static) if (g->n > CB_FEW)
  for (int i = 0; i < g->n; i++)
    for (int a = 0; a < 4; a++) {
      g->x[at][i][a] = x[i][a];
      g->ax[i][a] = b[i][a] - r[i][a];
    }
  project(g, g->ax, product);
  for (int k = 0; k < g->kept; k++) g->energy[k][at] = g->energy[at][k] = product[k];
}

/* Solutions that are this close to a combination of the others add only rounding. */
#define INDEPENDENT 1e-4

/* Solves energy c = g by Cholesky's method. A solution without a pivot of its own gets 0. */
static void combine(const sim_guess *guess, const double *g, double *c) {
  const int n = guess->kept;
  double l[SIM_GUESS_KEPT][SIM_GUESS_KEPT] = {{0}}, y[SIM_GUESS_KEPT] = {0};
  for (int i = 0; i < n; i++) {
    double pivot = guess->energy[i][i];
    for (int k = 0; k < i; k++) pivot -= l[i][k] * l[i][k];
    const bool own = pivot > INDEPENDENT * guess->energy[i][i];
    l[i][i] = own ? sqrt(pivot) : 0;
    for (int j = i + 1; j < n && own; j++) {
      double sum = guess->energy[j][i];
      for (int k = 0; k < i; k++) sum -= l[j][k] * l[i][k];
      l[j][i] = sum / l[i][i];
    }
    y[i] = g[i];
    for (int k = 0; k < i; k++) y[i] -= l[i][k] * y[k];
    y[i] = own ? y[i] / l[i][i] : 0;
  }
  for (int i = n - 1; i >= 0; i--) {
    c[i] = y[i];
    for (int k = i + 1; k < n; k++) c[i] -= l[k][i] * c[k];
    c[i] = l[i][i] > 0 ? c[i] / l[i][i] : 0;
  }
}

void sim_guess_make(const sim_guess *g, float (*b)[4], float (*x)[4]) {
  float part[SIM_GUESS_KEPT] = {0};
  double product[SIM_GUESS_KEPT] = {0}, c[SIM_GUESS_KEPT] = {0};
  project(g, b, product);
  combine(g, product, c);
  for (int k = 0; k < g->kept; k++) part[k] = (float)c[k];
#pragma omp parallel for schedule(static) if (g->n > CB_FEW)
  for (int i = 0; i < g->n; i++)
    for (int a = 0; a < 4; a++) {
      float sum = 0;
      for (int k = 0; k < g->kept; k++) sum += part[k] * g->x[k][i][a];
      x[i][a] = sum;
    }
}
