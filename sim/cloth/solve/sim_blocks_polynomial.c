#include "sim_blocks_apply.h"

#include <string.h>

#include "cb_threads.h"
#include "sim_lanes.h"

/* ---- the matrix in single precision ---- */

static void copy_row(sim_blocks *a, int i, const double added[9], bool held) {
  double inverse[9] = {0};
  for (int k = a->start[i]; k < a->start[i + 1]; k++) {
    double block[9];
    memcpy(block, a->block[k], sizeof block);
    if (a->column[k] == i) {
      for (int c = 0; c < 9; c++) block[c] += added[c];
      if (!held) sim_blocks_invert(block, inverse);
    }
    for (int c = 0; c < 9; c++) a->light.block[k][c] = (float)block[c];
  }
  for (int c = 0; c < 9; c++) a->light.inverse[i][c] = (float)inverse[c];
}

void sim_blocks_polynomial_prepare(sim_blocks *a, const double (*added)[9], const bool *held) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->n; i++) copy_row(a, i, added[i], held && held[i]);
}

/* ---- the polynomial ---- */

/* The iteration is made for eigenvalues of diagonal^-1 A from LEAST to 2 - LEAST; their mean is 1. So a body
 * of free masses is solved exactly. Tetrahedra reach 2.1. The polynomial of an odd number of steps is
 * positive on any eigenvalue: one beyond the interval costs iterations, nothing else. */
#define STEPS 3
#define LEAST 0.03F

static inline sim_quad multiply_columns(const float b[9], sim_quad v) {
  return sim_quad_load(b) * v[0] + sim_quad_load(b + 3) * v[1] + sim_quad_load(b + 6) * v[2];
}

/* way = diagonal^-1 right, sum = way */
CB_WIDE static void first_step(sim_blocks *a, const double (*r)[3], int first, int last) {
  sim_blocks_light *l = &a->light;
  for (int i = first; i < last; i++) {
    const sim_quad right = {(float)r[i][0], (float)r[i][1], (float)r[i][2], 0};
    const sim_quad way = sim_quad_three(multiply_columns(l->inverse[i], right));
    sim_quad_store(right, l->left[i]);
    sim_quad_store(way, l->way[0][i]);
    sim_quad_store(way, l->sum[i]);
  }
}

/* left -= A way, next way = keep way + share diagonal^-1 left, sum += next way */
CB_WIDE static void further_step(sim_blocks *a, int from, int first, int last, float keep, float share) {
  sim_blocks_light *l = &a->light;
  float(*way)[4] = l->way[from], (*next)[4] = l->way[!from];
  for (int i = first; i < last; i++) {
    sim_quad product = {0};
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      product += multiply_columns(l->block[k], sim_quad_load(way[a->column[k]]));
    const sim_quad left = sim_quad_load(l->left[i]) - sim_quad_three(product);
    const sim_quad more = sim_quad_three(multiply_columns(l->inverse[i], left));
    const sim_quad on = sim_quad_load(way[i]) * keep + more * share;
    sim_quad_store(left, l->left[i]);
    sim_quad_store(on, next[i]);
    sim_quad_store(sim_quad_load(l->sum[i]) + on, l->sum[i]);
  }
}

static double take_sum(const sim_blocks *a, const double (*r)[3], double (*z)[3], int first, int last) {
  double rz = 0;
  for (int i = first; i < last; i++)
    for (int c = 0; c < 3; c++) {
      z[i][c] = (double)a->light.sum[i][c];
      rz += r[i][c] * z[i][c];
    }
  return rz;
}

double sim_blocks_polynomial(sim_blocks *a, const double (*r)[3], double (*z)[3]) {
  const float half = 1 - LEAST;
  float rho = half;
#pragma omp parallel firstprivate(rho)
  {
#pragma omp for schedule(static)
    for (int c = 0; c < SIM_BLOCKS_CHUNKS(a->n); c++)
      first_step(a, r, c * SIM_BLOCKS_ROWS, sim_blocks_end(a, c));
    for (int step = 1; step < STEPS; step++) {
      const float before = rho;
      rho = 1 / (2 / half - before);
#pragma omp for schedule(static)
      for (int c = 0; c < SIM_BLOCKS_CHUNKS(a->n); c++)
        further_step(a, !(step % 2), c * SIM_BLOCKS_ROWS, sim_blocks_end(a, c), rho * before, 2 * rho / half);
    }
#pragma omp for schedule(static)
    for (int c = 0; c < SIM_BLOCKS_CHUNKS(a->n); c++)
      a->chunk_sum[c] = take_sum(a, r, z, c * SIM_BLOCKS_ROWS, sim_blocks_end(a, c));
  }
  return sim_blocks_sum(a);
}
