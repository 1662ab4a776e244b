#include "sim_multilevel.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim_multilevel_parts.h"

/* ---- laying the grids ---- */

typedef struct frame {
  double low[2], size[2];
} frame;

/* A vertex lies where its first corner does; on a seam that is one of its places. */
static const double *flat_place(const sim_mesh *mesh, int i) {
  const int c = mesh->fan[mesh->fan_start[i]];
  return mesh->corner_m[c / 3][c % 3];
}

static frame frame_of(const sim_mesh *mesh) {
  frame f = {.low = {INFINITY, INFINITY}};
  double high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < mesh->n_vertices; i++)
    for (int k = 0; k < 2; k++) {
      f.low[k] = fmin(f.low[k], flat_place(mesh, i)[k]);
      high[k] = fmax(high[k], flat_place(mesh, i)[k]);
    }
  for (int k = 0; k < 2; k++) f.size[k] = high[k] - f.low[k];
  return f;
}

static double mean_spacing(const sim_mesh *mesh) {
  double area = 0;
  for (int t = 0; t < mesh->n_triangles; t++) area += mesh->area_m2[t];
  return sqrt(area / mesh->n_vertices);
}

/* Cells about twice as wide as the mesh's edges; their number is halved while at least three are left along the shorter side. */
static void choose_levels(sim_multilevel *m, const frame *f) {
  const double h = 2 * m->spacing_m;
  int nu = (int)fmin(4096, fmax(1, ceil(f->size[0] / h))), nv = (int)fmin(4096, fmax(1, ceil(f->size[1] / h))), halvings = 0;
  for (int few = nu < nv ? nu : nv; few > 4 && halvings < SIM_LEVELS_MAX - 1; few = (few + 1) / 2) halvings++;
  const int unit = 1 << halvings;
  nu = (nu + unit - 1) / unit * unit;
  nv = (nv + unit - 1) / unit * unit;
  m->n_levels = halvings + 1;
  for (int k = 0; k < m->n_levels; k++)
    m->level[k] = (sim_level){.nu = nu >> k, .nv = nv >> k, .hu = f->size[0] / (nu >> k), .hv = f->size[1] / (nv >> k)};
}

static int cell_at(const sim_multilevel *m, const frame *f, double u, double v, float place[2]) {
  const sim_level *l = &m->level[0];
  const double s = (u - f->low[0]) / l->hu, t = (v - f->low[1]) / l->hv;
  const int i = (int)fmin(l->nu - 1, fmax(0, floor(s))), j = (int)fmin(l->nv - 1, fmax(0, floor(t)));
  if (place) {
    place[0] = (float)fmin(1, fmax(0, s - i));
    place[1] = (float)fmin(1, fmax(0, t - j));
  }
  return j * l->nu + i;
}

/* Items by their cell, keeping their order. start: cells + 1. */
static void sort_by_cell(const int *cell, int n, int cells, int *start, int *item) {
  memset(start, 0, ((size_t)cells + 1) * sizeof *start);
  for (int i = 0; i < n; i++) start[cell[i] + 1]++;
  for (int c = 0; c < cells; c++) start[c + 1] += start[c];
  for (int i = 0; i < n; i++) item[start[cell[i]]++] = i;
  memmove(start + 1, start, (size_t)cells * sizeof *start);
  start[0] = 0;
}

/* The edge as its first triangle sees it, from the lower to the higher vertex. */
static void edge_in_cloth(const sim_mesh *mesh, int e, double middle[2], double step[2]) {
  const sim_edge *g = &mesh->edge[e];
  const int t = g->triangle[0], k = g->opposite[0];
  const double *p = mesh->corner_m[t][(k + 1) % 3], *q = mesh->corner_m[t][(k + 2) % 3], sign = g->vertex[0] < g->vertex[1] ? 1 : -1;
  for (int c = 0; c < 2; c++) {
    middle[c] = (p[c] + q[c]) / 2;
    step[c] = sign * (q[c] - p[c]);
  }
}

static cb_status place_all(const sim_mesh *mesh, const frame *f, sim_multilevel *m, cb_err *err) {
  int *cell = calloc((size_t)m->n_edges, sizeof *cell);
  if (!cell) return cb_fail(err, CB_E_NOMEM, "grids over %d edges: out of memory", m->n_edges);
  for (int i = 0; i < m->n; i++) m->node[i] = cell_at(m, f, flat_place(mesh, i)[0], flat_place(mesh, i)[1], m->place[i]);
  sort_by_cell(m->node, m->n, sim_level_cells(&m->level[0]), m->cell_start, m->vertex_of);
  for (int i = 0; i < m->n; i++) m->node[i] += m->node[i] / m->level[0].nu; /* a row of nodes has one more than a row of cells */
  for (int e = 0; e < m->n_edges; e++) {
    double middle[2], step[2];
    edge_in_cloth(mesh, e, middle, step);
    cell[e] = cell_at(m, f, middle[0], middle[1], NULL);
    for (int c = 0; c < 2; c++) m->edge_step[e][c] = (float)step[c];
  }
  sort_by_cell(cell, m->n_edges, sim_level_cells(&m->level[0]), m->edge_start, m->edge_of);
  free(cell);
  return CB_OK;
}

cb_status sim_multilevel_init(const sim_mesh *mesh, sim_multilevel *out, cb_err *err) {
  *out = (sim_multilevel){.n = mesh->n_vertices, .n_edges = mesh->n_edges, .spacing_m = mean_spacing(mesh)};
  const frame f = frame_of(mesh);
  choose_levels(out, &f);
  const size_t n = (size_t)out->n, edges = (size_t)out->n_edges, cells = (size_t)sim_level_cells(&out->level[0]),
               rows = 2 * (size_t)SIM_LEVEL_BANDS(&out->level[0]) * (size_t)(out->level[0].nu + 2);
  out->node = calloc(n, sizeof *out->node);
  out->place = calloc(n, sizeof *out->place);
  out->cell_start = calloc(cells + 1, sizeof *out->cell_start);
  out->vertex_of = calloc(n, sizeof *out->vertex_of);
  out->edge_start = calloc(cells + 1, sizeof *out->edge_start);
  out->edge_of = calloc(edges, sizeof *out->edge_of);
  out->edge_step = calloc(edges, sizeof *out->edge_step);
  out->corner_sum = calloc(rows, sizeof *out->corner_sum);
  out->inverse = calloc(n, sizeof *out->inverse);
  out->own = calloc(n, sizeof *out->own);
  bool complete = out->node && out->place && out->cell_start && out->vertex_of && out->edge_start && out->edge_of && out->edge_step &&
                  out->corner_sum && out->inverse && out->own;
  for (int k = 0; k < out->n_levels; k++) {
    sim_level *l = &out->level[k];
    const size_t nodes = (size_t)sim_level_nodes(l);
    l->stiffness = calloc((size_t)sim_level_cells(l), sizeof *l->stiffness);
    l->lumped = calloc(nodes, sizeof *l->lumped);
    l->inverse = calloc(nodes, sizeof *l->inverse);
    l->residual = calloc(nodes, sizeof *l->residual);
    l->solution = calloc(nodes, sizeof *l->solution);
    complete = complete && l->stiffness && l->lumped && l->inverse && l->residual && l->solution;
  }
  if (!complete) return cb_fail(err, CB_E_NOMEM, "grids over %d vertices: out of memory", out->n);
  return place_all(mesh, &f, out, err);
}

void sim_multilevel_clear(sim_multilevel *m) {
  void *const own[] = {m->node,    m->place,     m->cell_start, m->vertex_of, m->edge_start,
                       m->edge_of, m->edge_step, m->corner_sum, m->inverse,   m->own};
  for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) free(own[k]);
  for (int k = 0; k < m->n_levels; k++) {
    free(m->level[k].stiffness);
    free(m->level[k].lumped);
    free(m->level[k].inverse);
    free(m->level[k].residual);
    free(m->level[k].solution);
  }
  *m = (sim_multilevel){0};
}
