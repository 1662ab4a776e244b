#include "sim_membrane_pack.h"

#include <omp.h>
#include <stdlib.h>

#include "cb_threads.h"

#define VERTICES 64 /* per band */
#define PACKS_PER_CHUNK (CB_CHUNK / SIM_LANES)
/* Least part of the mesh per thread, in windows: fewer would have many packs evaluated twice. */
#define WINDOWS_LEAST 4

/* ---- the plan ---- */

static int end_vertex(const sim_membrane *m, int band) {
  const int end = (band + 1) * VERTICES;
  return end < m->mesh->n_vertices ? end : m->mesh->n_vertices;
}

static int lower_vertex(const sim_edge *e) {
  return e->vertex[0] < e->vertex[1] ? e->vertex[0] : e->vertex[1];
}

/* First the packs and edges of each band alone, then those of bands before and behind. */
static void plan_bands(sim_membrane *m) {
  const sim_mesh *mesh = m->mesh;
  m->band[m->n_bands] = (sim_membrane_band){mesh->n_edges, m->n_packs, m->n_packs};
  for (int b = 0, e = 0; b < m->n_bands; b++) {
    m->band[b] = (sim_membrane_band){e, m->n_packs, 0};
    const int first = b * VERTICES;
    for (int k = mesh->fan_start[first]; k < mesh->fan_start[end_vertex(m, b)]; k++) {
      const int pack = mesh->fan[k] / 3 / SIM_LANES;
      if (pack < m->band[b].pack) m->band[b].pack = pack;
      if (pack >= m->band[b].end_pack) m->band[b].end_pack = pack + 1;
    }
    while (e < mesh->n_edges && lower_vertex(&mesh->edge[e]) < end_vertex(m, b)) e++;
  }
  for (int b = 1; b < m->n_bands; b++)
    if (m->band[b].end_pack < m->band[b - 1].end_pack) m->band[b].end_pack = m->band[b - 1].end_pack;
  for (int b = m->n_bands - 1; b >= 0; b--)
    if (m->band[b].pack > m->band[b + 1].pack) m->band[b].pack = m->band[b + 1].pack;
}

/* The most packs that are in use at once, as a power of two. */
static int packs_in_use(const sim_membrane *m) {
  int packs = 1;
  for (int b = 0; b < m->n_bands; b++)
    while (packs < m->band[b].end_pack - m->band[b].pack) packs *= 2;
  return packs;
}

cb_status sim_membrane_bands_make(sim_membrane *m, cb_err *err) {
  const int threads = omp_get_max_threads();
  m->n_bands = (m->mesh->n_vertices + VERTICES - 1) / VERTICES;
  m->band = calloc((size_t)m->n_bands + 1, sizeof *m->band);
  if (!m->band) return cb_no_memory(err, "membrane of %d triangles", m->mesh->n_triangles);
  plan_bands(m);
  m->window_packs = packs_in_use(m);
  const bool windows = (long)threads * WINDOWS_LEAST * m->window_packs <= m->n_packs;
  m->n_windows = windows ? threads : 0;
  while (!windows && m->window_packs < m->n_packs) m->window_packs *= 2;
  const size_t packs = windows ? (size_t)threads * (size_t)m->window_packs : (size_t)m->n_packs;
  m->window = calloc(packs + 1, sizeof *m->window);
  return m->window ? CB_OK : cb_no_memory(err, "membrane of %d triangles", m->mesh->n_triangles);
}

/* ---- gathering ---- */

static void gather_forces(const sim_membrane *m, const sim_membrane_result *window, int band,
                          double (*force)[3]) {
  const sim_mesh *mesh = m->mesh;
  const int mask = m->window_packs - 1;
  for (int i = band * VERTICES; i < end_vertex(m, band); i++) {
    double f[3] = {0};
    for (int k = mesh->fan_start[i]; k < mesh->fan_start[i + 1]; k++) {
      const int t = mesh->fan[k] / 3, corner = mesh->fan[k] % 3;
      const double(*from)[SIM_LANES] = window[t / SIM_LANES & mask].force + 3 * (ptrdiff_t)corner;
      for (int a = 0; a < 3; a++) f[a] += from[a][t % SIM_LANES];
    }
    for (int a = 0; a < 3; a++) force[i][a] += f[a];
  }
}

typedef float octet __attribute__((vector_size(32), aligned(4), may_alias)); /* at any address */

/* The block of a triangle's side, from corner k+1 to corner k+2 for the side opposite to corner k. */
static inline const float *block_of(const sim_membrane_result *window, int mask, int triangle, int side) {
  return window[triangle / SIM_LANES & mask].block[triangle % SIM_LANES][side];
}

/* An edge runs from vertex[0] to vertex[1] as its triangle[0] turns; its block, from the lower to the higher
 * vertex. So the block of one triangle is transposed. */
CB_WIDE static void gather_blocks(sim_membrane *m, const sim_membrane_result *window, int band) {
  const int mask = m->window_packs - 1;
  for (int e = m->band[band].edge; e < m->band[band + 1].edge; e++) {
    const sim_edge *g = &m->mesh->edge[e];
    const int along = g->vertex[0] < g->vertex[1] ? 0 : 1, against = 1 - along;
    octet sum = {0};
    float last = 0;
    if (g->triangle[along] >= 0) {
      const float *from = block_of(window, mask, g->triangle[along], g->opposite[along]);
      sum = *(const octet *)from;
      last = from[8];
    }
    if (g->triangle[against] >= 0) {
      const float *from = block_of(window, mask, g->triangle[against], g->opposite[against]);
      const octet b = *(const octet *)from;
      sum += __builtin_shufflevector(b, b, 0, 3, 6, 1, 4, 7, 2, 5);
      last += from[8];
    }
    *(octet *)m->block[e] = sum;
    m->block[e][8] = last;
  }
}

static void gather_band(sim_membrane *m, const sim_membrane_result *window, int band, sim_tangent tangent,
                        double (*force)[3]) {
  if (force) gather_forces(m, window, band, force);
  if (tangent != SIM_TANGENT_NONE) gather_blocks(m, window, band);
}

/* ---- evaluation ---- */

/* Evaluates the packs [first, end), and takes the energies of those before `others`. */
static void evaluate_packs(sim_membrane *m, const double (*x)[3], sim_tangent tangent, int first, int end,
                           int others, sim_membrane_result *window) {
  const int mask = m->window_packs - 1;
  sim_membrane_packs(m, x, tangent, first, end, window, mask);
  for (int i = first; i < end && i < others; i++) m->pack_energy[i] = window[i & mask].energy;
}

/* Evaluates and gathers the bands [first, end). */
static void sweep(sim_membrane *m, const double (*x)[3], sim_tangent tangent, double (*force)[3], int first,
                  int end, sim_membrane_result *window) {
  int next = m->band[first].pack;
  for (int b = first; b < end; b++) {
    evaluate_packs(m, x, tangent, next, m->band[b].end_pack, m->band[end].pack, window);
    next = m->band[b].end_pack;
    gather_band(m, window, b, tangent, force);
  }
}

static void evaluate_whole(sim_membrane *m, const double (*x)[3], sim_tangent tangent, double (*force)[3]) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int first = 0; first < m->n_packs; first += PACKS_PER_CHUNK) {
      const int end = first + PACKS_PER_CHUNK < m->n_packs ? first + PACKS_PER_CHUNK : m->n_packs;
      evaluate_packs(m, x, tangent, first, end, end, m->window);
    }
#pragma omp for schedule(static)
    for (int b = 0; b < m->n_bands; b++) gather_band(m, m->window, b, tangent, force);
  }
}

double sim_membrane_evaluate(sim_membrane *m, const double (*x)[3], sim_tangent tangent, double (*force)[3]) {
  if (m->n_windows == 0) {
    evaluate_whole(m, x, tangent, force);
  } else {
    const int parts = cb_threads_within(m->n_windows);
#pragma omp parallel for schedule(static, 1) num_threads(parts)
    for (int p = 0; p < parts; p++)
      sweep(m, x, tangent, force, (int)((long)m->n_bands * p / parts),
            (int)((long)m->n_bands * (p + 1) / parts), m->window + (ptrdiff_t)p * m->window_packs);
  }
  double energy = 0;
  for (int i = 0; i < m->n_packs; i++) energy += m->pack_energy[i];
  return energy;
}
