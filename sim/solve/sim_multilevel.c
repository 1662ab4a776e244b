#include "sim_multilevel.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim_threads.h"

/* Below this many nodes a grid is not worth waking the threads for. */
#define FEW_NODES 2048

/* Of the six: xx xy xz yy yz zz. */
static const int row_of[] = {0, 0, 0, 1, 1, 2}, column_of[] = {0, 1, 2, 1, 2, 2};

static int n_cells(const sim_level *l) { return l->nu * l->nv; }
static int n_nodes(const sim_level *l) { return (l->nu + 1) * (l->nv + 1); }

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
  sort_by_cell(m->node, m->n, n_cells(&m->level[0]), m->cell_start, m->vertex_of);
  for (int i = 0; i < m->n; i++) m->node[i] += m->node[i] / m->level[0].nu; /* a row of nodes has one more than a row of cells */
  for (int e = 0; e < m->n_edges; e++) {
    double middle[2], step[2];
    edge_in_cloth(mesh, e, middle, step);
    cell[e] = cell_at(m, f, middle[0], middle[1], NULL);
    for (int c = 0; c < 2; c++) m->edge_step[e][c] = (float)step[c];
  }
  sort_by_cell(cell, m->n_edges, n_cells(&m->level[0]), m->edge_start, m->edge_of);
  free(cell);
  return CB_OK;
}

cb_status sim_multilevel_init(const sim_mesh *mesh, sim_multilevel *out, cb_err *err) {
  *out = (sim_multilevel){.n = mesh->n_vertices, .n_edges = mesh->n_edges, .spacing_m = mean_spacing(mesh)};
  const frame f = frame_of(mesh);
  choose_levels(out, &f);
  const size_t n = (size_t)out->n, edges = (size_t)out->n_edges, cells = (size_t)n_cells(&out->level[0]);
  out->node = calloc(n, sizeof *out->node);
  out->place = calloc(n, sizeof *out->place);
  out->cell_start = calloc(cells + 1, sizeof *out->cell_start);
  out->vertex_of = calloc(n, sizeof *out->vertex_of);
  out->edge_start = calloc(cells + 1, sizeof *out->edge_start);
  out->edge_of = calloc(edges, sizeof *out->edge_of);
  out->edge_step = calloc(edges, sizeof *out->edge_step);
  out->corner_sum = calloc(cells, sizeof *out->corner_sum);
  out->inverse = calloc(n, sizeof *out->inverse);
  out->own = calloc(n, sizeof *out->own);
  bool complete = out->node && out->place && out->cell_start && out->vertex_of && out->edge_start && out->edge_of && out->edge_step &&
                  out->corner_sum && out->inverse && out->own;
  for (int k = 0; k < out->n_levels; k++) {
    sim_level *l = &out->level[k];
    const size_t nodes = (size_t)n_nodes(l);
    l->stiffness = calloc((size_t)n_cells(l), sizeof *l->stiffness);
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

/* ---- between the vertices and the grids: P^T and P ---- */

static void weights(const float place[2], float w[4]) {
  const float s = place[0], t = place[1];
  w[0] = (1 - s) * (1 - t);
  w[1] = s * (1 - t);
  w[2] = (1 - s) * t;
  w[3] = s * t;
}

/* Sums over the vertices, cell by cell: of what they own, eight floats; of residuals, four. */
static void collect_own_cells(sim_multilevel *m) {
  const int cells = n_cells(&m->level[0]);
#pragma omp for schedule(static)
  for (int c = 0; c < cells; c++) {
    float sum[4][8] = {{0}};
    for (int p = m->cell_start[c]; p < m->cell_start[c + 1]; p++) {
      const int i = m->vertex_of[p];
      float w[4];
      weights(m->place[i], w);
      for (int k = 0; k < 4; k++)
        for (int a = 0; a < 8; a++) sum[k][a] += w[k] * m->own[i][a];
    }
    memcpy(m->corner_sum[c], sum, sizeof sum);
  }
}

typedef float lanes __attribute__((vector_size(16), aligned(4), may_alias));

static void collect_residual_cells(sim_multilevel *m, float (*r)[4]) {
  const int cells = n_cells(&m->level[0]);
#pragma omp for schedule(static)
  for (int c = 0; c < cells; c++) {
    lanes sum[4] = {{0}};
    for (int p = m->cell_start[c]; p < m->cell_start[c + 1]; p++) {
      const int i = m->vertex_of[p];
      const lanes v = *(const lanes *)r[i];
      float w[4];
      weights(m->place[i], w);
      for (int k = 0; k < 4; k++) sum[k] += w[k] * v;
    }
    for (int k = 0; k < 4; k++) *(lanes *)m->corner_sum[c][k] = sum[k];
  }
}

/* A node's share of the four cells around it. */
static void collect_nodes(const sim_multilevel *m, float *node, int width) {
  const sim_level *l = &m->level[0];
#pragma omp for schedule(static)
  for (int j = 0; j <= l->nv; j++)
    for (int i = 0; i <= l->nu; i++) {
      float sum[8] = {0};
      for (int k = 0; k < 4; k++) {
        const int ci = i - k % 2, cj = j - k / 2;
        if (ci < 0 || cj < 0 || ci >= l->nu || cj >= l->nv) continue;
        for (int a = 0; a < width; a++) sum[a] += m->corner_sum[cj * l->nu + ci][k][a];
      }
      memcpy(node + (size_t)width * (size_t)(j * (l->nu + 1) + i), sum, (size_t)width * sizeof *sum);
    }
}

/* Coarse node (i, j) is fine node (2i, 2j). */
static void restrict_row(const sim_level *fine, const sim_level *coarse, const float *from, float *to, int width, int j) {
  for (int i = 0; i <= coarse->nu; i++) {
    float sum[8] = {0};
    for (int dj = -1; dj <= 1; dj++)
      for (int di = -1; di <= 1; di++) {
        const int fi = 2 * i + di, fj = 2 * j + dj;
        if (fi < 0 || fj < 0 || fi > fine->nu || fj > fine->nv) continue;
        const float w = (di ? 0.5F : 1) * (dj ? 0.5F : 1), *v = from + (size_t)width * (size_t)(fj * (fine->nu + 1) + fi);
        for (int a = 0; a < width; a++) sum[a] += w * v[a];
      }
    memcpy(to + (size_t)width * (size_t)(j * (coarse->nu + 1) + i), sum, (size_t)width * sizeof *sum);
  }
}

/* ---- building ---- */

/* The inverse of a symmetric 3 x 3 block that should be positive definite; returns whether it is. */
static bool invert_positive(const double b[6], float out[6]) {
  const double cx = b[3] * b[5] - b[4] * b[4], cy = b[2] * b[4] - b[1] * b[5], cz = b[1] * b[4] - b[2] * b[3];
  const double minor = b[0] * b[3] - b[1] * b[1], det = b[0] * cx + b[1] * cy + b[2] * cz;
  if (!(b[0] > 0 && minor > 0 && det > 0)) return false;
  const double inverse[6] = {cx, cy, cz, b[0] * b[5] - b[2] * b[2], b[1] * b[2] - b[0] * b[4], minor};
  for (int k = 0; k < 6; k++) out[k] = (float)(inverse[k] / det);
  return true;
}

/* The rounding of its entries is added to a block first, and more where that is not enough: a node with few edges around has not always all
 * that belongs to their triangles. No support, no correction. */
static void invert(const float b[6], float out[6]) {
  const double top = (double)b[0] + (double)b[3] + (double)b[5];
  memset(out, 0, 6 * sizeof *out);
  if (!(top > 0)) return;
  for (double shift = 3e-7 * top; shift < 1e3 * top; shift *= 30) {
    const double shifted[6] = {b[0] + shift, b[1], b[2], b[3] + shift, b[4], b[5] + shift};
    if (invert_positive(shifted, out)) return;
  }
}

static void collect_stiffness(sim_multilevel *m, float scale, float (*block)[9]) {
  const int cells = n_cells(&m->level[0]);
#pragma omp for schedule(static)
  for (int c = 0; c < cells; c++) {
    float sum[18] = {0};
    for (int p = m->edge_start[c]; p < m->edge_start[c + 1]; p++) {
      const int e = m->edge_of[p];
      const float *b = block[e], du = m->edge_step[e][0], dv = m->edge_step[e][1];
      for (int k = 0; k < 6; k++) {
        const float s = -scale * (b[3 * row_of[k] + column_of[k]] + b[3 * column_of[k] + row_of[k]]) / 2;
        sum[k] += du * du * s;
        sum[6 + k] += dv * dv * s;
        sum[12 + k] += du * dv * s;
      }
    }
    memcpy(m->level[0].stiffness[c], sum, sizeof sum);
  }
}

static void coarsen_stiffness(const sim_level *fine, sim_level *coarse) {
  for (int c = 0; c < n_cells(coarse); c++) {
    const int first = 2 * (c / coarse->nu) * fine->nu + 2 * (c % coarse->nu);
    for (int k = 0; k < 18; k++)
      coarse->stiffness[c][k] = fine->stiffness[first][k] + fine->stiffness[first + 1][k] + fine->stiffness[first + fine->nu][k] +
                                fine->stiffness[first + fine->nu + 1][k];
  }
}

/* Mean squares of a bilinear hat's slopes over a cell: 1/3 along either side, +-1/4 mixed; the mean square of the hat itself is 4/9 of its
 * mean around the node. A hat bends at its kinks only, over the mesh's own edges: that falls with the cube of the width. */
static void node_inverse(const sim_multilevel *m, sim_level *l, int node) {
  const int i = node % (l->nu + 1), j = node / (l->nu + 1);
  const float uu = (float)(1 / (3 * l->hu * l->hu)), vv = (float)(1 / (3 * l->hv * l->hv)), uv = (float)(1 / (2 * l->hu * l->hv));
  const double ratio = m->spacing_m / sqrt(l->hu * l->hv);
  const float bending = (float)(0.4 * ratio * ratio * ratio) * l->lumped[node][6];
  float b[6];
  for (int k = 0; k < 6; k++) b[k] = 4.0F / 9 * l->lumped[node][k] + (row_of[k] == column_of[k] ? bending : 0);
  for (int q = 0; q < 4; q++) {
    const int ci = i - q % 2, cj = j - q / 2;
    if (ci < 0 || cj < 0 || ci >= l->nu || cj >= l->nv) continue;
    const float *s = l->stiffness[cj * l->nu + ci], mixed = q == 0 || q == 3 ? uv : -uv;
    for (int k = 0; k < 6; k++) b[k] += uu * s[k] + vv * s[6 + k] + mixed * s[12 + k];
  }
  invert(b, l->inverse[node]);
}

/* What the vertex's block costs along the normal, and what is left in the plane, with the whole block's trace along the normal. */
static float split_block(const float d[6], const float n[3], float free_part[6]) {
  const float dn[3] = {d[0] * n[0] + d[1] * n[1] + d[2] * n[2], d[1] * n[0] + d[3] * n[1] + d[4] * n[2],
                       d[2] * n[0] + d[4] * n[1] + d[5] * n[2]};
  const float along = n[0] * dn[0] + n[1] * dn[1] + n[2] * dn[2], top = d[0] + d[3] + d[5];
  for (int k = 0; k < 6; k++) {
    const int a = row_of[k], b = column_of[k];
    free_part[k] = d[k] - dn[a] * n[b] - n[a] * dn[b] + (along + top) * n[a] * n[b]; /* P d P + top n n^T */
  }
  return along;
}

/* The same of a vertex that is free along the direction alone; returns what that costs. */
static float split_line(const float d[6], const float n[3], float free_part[6]) {
  const float along = n[0] * (d[0] * n[0] + 2 * (d[1] * n[1] + d[2] * n[2])) + n[1] * (d[3] * n[1] + 2 * d[4] * n[2]) + d[5] * n[2] * n[2];
  const float top = d[0] + d[3] + d[5];
  for (int k = 0; k < 6; k++) free_part[k] = (along - top) * n[row_of[k]] * n[column_of[k]] + (row_of[k] == column_of[k] ? top : 0);
  return along;
}

/* A constrained vertex has its own block inverted in what is free: the inverse of a block that is soft along a slanting normal of the cloth
 * would leave softness in a direction that has none. */
void sim_multilevel_set_vertex(sim_multilevel *m, const sim_matrix *a, int vertex, const sim_constraint *constraint) {
  float free_part[6];
  if (!constraint || constraint->fixed == SIM_FIXED_WHOLE) {
    invert(a->diagonal[vertex], m->inverse[vertex]);
    return;
  }
  (void)(constraint->fixed == SIM_FIXED_ALONG ? split_block : split_line)(a->diagonal[vertex], constraint->normal, free_part);
  invert(free_part, m->inverse[vertex]);
}

/* It brings to its nodes what would be deformed if they moved it. */
static void constrain(sim_multilevel *m, const sim_matrix *a, const sim_constraint *c) {
  const float *d = a->diagonal[c->vertex], *n = c->normal;
  float free_part[6], *own = m->own[c->vertex], along = (c->fixed == SIM_FIXED_ACROSS ? split_line : split_block)(d, n, free_part);
  for (int k = 0; k < 6; k++) {
    const float nn = along * n[row_of[k]] * n[column_of[k]];
    own[k] += c->fixed == SIM_FIXED_WHOLE ? d[k] : c->fixed == SIM_FIXED_ALONG ? nn : d[k] - nn;
  }
  sim_multilevel_set_vertex(m, a, c->vertex, c);
}

static void collect_own(sim_multilevel *m, const sim_matrix *a, const double *mass, const float (*extra)[6],
                        const sim_constraint *constraints, int n_constraints) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m->n; i++) {
    invert(a->diagonal[i], m->inverse[i]);
    for (int k = 0; k < 6; k++) m->own[i][k] = (row_of[k] == column_of[k] ? (float)mass[i] : 0) + (extra ? extra[i][k] : 0);
    m->own[i][6] = a->bending_scale * a->bending_diagonal[i];
  }
  for (int c = 0; c < n_constraints; c++) constrain(m, a, &constraints[c]);
}

void sim_multilevel_build(sim_multilevel *m, const sim_matrix *a, const double *mass, const float (*extra)[6], double membrane_scale,
                          const sim_membrane *membrane, const sim_constraint *constraints, int n_constraints) {
  collect_own(m, a, mass, extra, constraints, n_constraints);
#pragma omp parallel
  {
    collect_stiffness(m, (float)membrane_scale, membrane->block);
    collect_own_cells(m);
    collect_nodes(m, &m->level[0].lumped[0][0], 8);
#pragma omp single
    for (int k = 1; k < m->n_levels; k++) {
      sim_level *fine = &m->level[k - 1], *coarse = &m->level[k];
      coarsen_stiffness(fine, coarse);
      for (int j = 0; j <= coarse->nv; j++) restrict_row(fine, coarse, &fine->lumped[0][0], &coarse->lumped[0][0], 8, j);
    }
    for (int k = 0; k < m->n_levels; k++) {
      const int nodes = n_nodes(&m->level[k]);
#pragma omp for schedule(static)
      for (int i = 0; i < nodes; i++) node_inverse(m, &m->level[k], i);
    }
  }
}

/* ---- applying ---- */

static void multiply(const float b[6], const float v[4], float out[4]) {
  out[0] = b[0] * v[0] + b[1] * v[1] + b[2] * v[2];
  out[1] = b[1] * v[0] + b[3] * v[1] + b[4] * v[2];
  out[2] = b[2] * v[0] + b[4] * v[1] + b[5] * v[2];
  out[3] = 0;
}

/* From the coarser grid's solution: half way between two nodes their mean, in the middle of four theirs. */
static void solve_row(sim_level *l, const sim_level *coarse, int j) {
  for (int i = 0; i <= l->nu; i++) {
    const int node = j * (l->nu + 1) + i;
    float z[4];
    multiply(l->inverse[node], l->residual[node], z);
    if (coarse) {
      const int w = coarse->nu + 1, di = i % 2, dj = (j % 2) * w, at = j / 2 * w + i / 2;
      float(*s)[4] = coarse->solution;
      for (int a = 0; a < 4; a++) z[a] += ((s[at][a] + s[at + di][a]) + (s[at + dj][a] + s[at + dj + di][a])) / 4;
    }
    memcpy(l->solution[node], z, sizeof z);
  }
}

static void coarse_levels(sim_multilevel *m, int from) {
  for (int k = from; k < m->n_levels; k++)
    for (int j = 0; j <= m->level[k].nv; j++)
      restrict_row(&m->level[k - 1], &m->level[k], &m->level[k - 1].residual[0][0], &m->level[k].residual[0][0], 4, j);
  for (int k = m->n_levels - 1; k >= from; k--)
    for (int j = 0; j <= m->level[k].nv; j++) solve_row(&m->level[k], k + 1 < m->n_levels ? &m->level[k + 1] : NULL, j);
}

/* z = own block and the finest grid's solution; returns r.z of these vertices. */
static double interpolate(const sim_multilevel *m, int first, int last, float (*r)[4], float (*z)[4]) {
  const int row = m->level[0].nu + 1;
  double dot = 0;
  for (int i = first; i < last; i++) {
    float(*s)[4] = m->level[0].solution + m->node[i];
    float w[4], own[4];
    weights(m->place[i], w);
    multiply(m->inverse[i], r[i], own);
    for (int a = 0; a < 4; a++) z[i][a] = own[a] + (w[0] * s[0][a] + w[1] * s[1][a] + (w[2] * s[row][a] + w[3] * s[row + 1][a]));
    dot += (double)(r[i][0] * z[i][0] + r[i][1] * z[i][1] + r[i][2] * z[i][2]);
  }
  return dot;
}

double sim_multilevel_apply(sim_multilevel *m, float (*r)[4], float (*z)[4], double *chunk_sum) {
  const int n_chunks = SIM_ROW_CHUNKS(m->n);
  sim_level *l = m->level;
  int few = 1;
  while (few < m->n_levels && n_nodes(&l[few]) > FEW_NODES) few++;
#pragma omp parallel
  {
    collect_residual_cells(m, r);
    collect_nodes(m, &l[0].residual[0][0], 4);
    for (int k = 1; k < few; k++) {
#pragma omp for schedule(static)
      for (int j = 0; j <= l[k].nv; j++) restrict_row(&l[k - 1], &l[k], &l[k - 1].residual[0][0], &l[k].residual[0][0], 4, j);
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
