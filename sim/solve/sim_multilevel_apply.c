/* Applying the preconditioner: down the grids, P^T, and up again, P. */
#include <stddef.h>

#include "sim_lanes.h"
#include "sim_multilevel_parts.h"
#include "sim_threads.h"

/* Below this many nodes a grid is not worth waking the threads for. */
#define FEW_NODES 2048

/* ---- down ---- */

/* What the vertices of a row of cells give to the corners of each. */
SIM_WIDE static void collect_cells(const sim_multilevel *m, const float *from, int stride, int j, float (*corner)[4][4]) {
  const int nu = m->level[0].nu;
  for (int i = 0; i < nu; i++) {
    sim_quad sum[4] = {{0}};
    const int first = j < 0 || j >= m->level[0].nv ? 0 : m->cell_start[j * nu + i];
    const int last = j < 0 || j >= m->level[0].nv ? 0 : m->cell_start[j * nu + i + 1];
    for (int p = first; p < last; p++) {
      const sim_quad v = sim_quad_load(from + (size_t)stride * (size_t)m->vertex_of[p]);
      float w[4];
      sim_level_weights(m->place[m->vertex_of[p]], w);
      for (int k = 0; k < 4; k++) sum[k] += w[k] * v;
    }
    for (int k = 0; k < 4; k++) sim_quad_store(sum[k], corner[i][k]);
  }
}

/* Rows of nodes in bands: two rows of cells at a time stay at hand. A node's share of the four cells around it, always in the same order.
 * The cells beside the grid's sides hold zeros. */
void sim_level_collect(sim_multilevel *m, const float *from, int stride, float *node, int node_stride) {
  const sim_level *l = &m->level[0];
  const int width = l->nu + 2, bands = SIM_LEVEL_BANDS(l);
#pragma omp for schedule(static)
  for (int band = 0; band < bands; band++) {
    float(*row[2])[4][4] = {m->corner_sum + (size_t)(2 * band) * (size_t)width + 1,
                            m->corner_sum + (size_t)(2 * band + 1) * (size_t)width + 1};
    const int first = SIM_LEVEL_BAND * band;
    collect_cells(m, from, stride, first - 1, row[1]);
    for (int j = first; j <= l->nv && j < first + SIM_LEVEL_BAND; j++) {
      float(*here)[4][4] = row[(j - first) % 2], (*below)[4][4] = row[(j - first + 1) % 2];
      collect_cells(m, from, stride, j, here);
      for (int i = 0; i <= l->nu; i++) {
        const sim_quad sum =
            (sim_quad_load(here[i][0]) + sim_quad_load(here[i - 1][1])) + (sim_quad_load(below[i][2]) + sim_quad_load(below[i - 1][3]));
        sim_quad_store(sum, node + (size_t)node_stride * (size_t)(j * (l->nu + 1) + i));
      }
    }
  }
}

void sim_level_restrict(const sim_level *fine, const sim_level *coarse, const float *from, float *to, int stride, int j) {
  for (int i = 0; i <= coarse->nu; i++) {
    sim_quad sum = {0};
    for (int dj = -1; dj <= 1; dj++)
      for (int di = -1; di <= 1; di++) {
        const int fi = 2 * i + di, fj = 2 * j + dj;
        if (fi < 0 || fj < 0 || fi > fine->nu || fj > fine->nv) continue;
        sum += (di ? 0.5F : 1) * (dj ? 0.5F : 1) * sim_quad_load(from + (size_t)stride * (size_t)(fj * (fine->nu + 1) + fi));
      }
    sim_quad_store(sum, to + (size_t)stride * (size_t)(j * (coarse->nu + 1) + i));
  }
}

static void restrict_residuals(sim_multilevel *m, int k, int j) {
  sim_level_restrict(&m->level[k - 1], &m->level[k], m->level[k - 1].residual[0], m->level[k].residual[0], 4, j);
}

/* ---- up ---- */

/* A row of nodes: their own blocks, and what the coarser grid (NULL: none) has between its nodes. */
SIM_WIDE static void solve_row(sim_level *l, const sim_level *coarse, int j) {
  for (int i = 0; i <= l->nu; i++) {
    const int node = j * (l->nu + 1) + i;
    sim_quad z = sim_quad_three(sim_quad_multiply(l->inverse[node], sim_quad_load(l->residual[node])));
    if (coarse) {
      const int w = coarse->nu + 1, di = i % 2, dj = (j % 2) * w, at = j / 2 * w + i / 2;
      float(*s)[4] = coarse->solution;
      z += ((sim_quad_load(s[at]) + sim_quad_load(s[at + di])) + (sim_quad_load(s[at + dj]) + sim_quad_load(s[at + dj + di]))) / 4;
    }
    sim_quad_store(z, l->solution[node]);
  }
}

static void coarse_levels(sim_multilevel *m, int from) {
  for (int k = from; k < m->n_levels; k++)
    for (int j = 0; j <= m->level[k].nv; j++) restrict_residuals(m, k, j);
  for (int k = m->n_levels - 1; k >= from; k--)
    for (int j = 0; j <= m->level[k].nv; j++) solve_row(&m->level[k], k + 1 < m->n_levels ? &m->level[k + 1] : NULL, j);
}

/* Single vertices and the grids above them correct in part the same: added up in full, both do too much. Measured on the cloths of
 * bench_cloth_kernels, 5041 vertices to 1e-5: 196 iterations at 1, 174 at 0.6, 163 at 0.4, 157 at 0.25, with grids that count less in the
 * residual's norm. */
#define GRIDS 0.5F

/* z = own block and its share of the finest grid's solution; returns r.z of these vertices. */
SIM_WIDE static double interpolate(const sim_multilevel *m, int first, int last, float (*r)[4], float (*z)[4]) {
  const int row = m->level[0].nu + 1;
  double dot = 0;
  for (int i = first; i < last; i++) {
    float(*s)[4] = m->level[0].solution + m->node[i];
    float w[4];
    sim_level_weights(m->place[i], w);
    const sim_quad here = sim_quad_load(r[i]), own = sim_quad_three(sim_quad_multiply(m->inverse[i], here));
    const sim_quad low = w[0] * sim_quad_load(s[0]) + w[1] * sim_quad_load(s[1]);
    const sim_quad high = w[2] * sim_quad_load(s[row]) + w[3] * sim_quad_load(s[row + 1]), all = own + GRIDS * (low + high);
    sim_quad_store(all, z[i]);
    dot += sim_quad_dot(here, all);
  }
  return dot;
}

double sim_multilevel_apply(sim_multilevel *m, float (*r)[4], float (*z)[4], double *chunk_sum) {
  const int n_chunks = SIM_ROW_CHUNKS(m->n);
  sim_level *l = m->level;
  int few = 1;
  while (few < m->n_levels && sim_level_nodes(&l[few]) > FEW_NODES) few++;
#pragma omp parallel
  {
    sim_level_collect(m, r[0], 4, l[0].residual[0], 4);
    for (int k = 1; k < few; k++) {
#pragma omp for schedule(static)
      for (int j = 0; j <= l[k].nv; j++) restrict_residuals(m, k, j);
    }
#pragma omp single
    coarse_levels(m, few);
    for (int k = few - 1; k >= 0; k--) {
#pragma omp for schedule(static)
      for (int j = 0; j <= l[k].nv; j++) solve_row(&l[k], k + 1 < m->n_levels ? &l[k + 1] : NULL, j);
    }
#pragma omp for schedule(static)
    for (int c = 0; c < n_chunks; c++) chunk_sum[c] = interpolate(m, c * SIM_ROWS, c + 1 < n_chunks ? (c + 1) * SIM_ROWS : m->n, r, z);
  }
  double dot = 0;
  for (int c = 0; c < n_chunks; c++) dot += chunk_sum[c];
  return dot;
}
