#include "sim_multilevel.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define FEW_NODES 8

/* Square of an edge's length in the cloth, from its first triangle. */
static double square_length(const sim_mesh *mesh, const sim_edge *e) {
  const double *p = mesh->corner_m[e->triangle[0]][(e->opposite[0] + 1) % 3],
               *q = mesh->corner_m[e->triangle[0]][(e->opposite[0] + 2) % 3];
  return (q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]);
}

static cb_status graph_of(const sim_mesh *mesh, sim_graph *out, cb_err *err) {
  *out = (sim_graph){.n = mesh->n_vertices, .n_edges = mesh->n_edges};
  out->edge = calloc((size_t)mesh->n_edges, sizeof *out->edge);
  out->weight = calloc((size_t)mesh->n_edges, sizeof *out->weight);
  if (!out->edge || !out->weight) return cb_no_memory(err, "levels over %d vertices", mesh->n_vertices);
  for (int e = 0; e < mesh->n_edges; e++) {
    const int *v = mesh->edge[e].vertex;
    out->edge[e][0] = v[0] < v[1] ? v[0] : v[1];
    out->edge[e][1] = v[0] < v[1] ? v[1] : v[0];
    out->weight[e] = 1 / square_length(mesh, &mesh->edge[e]);
  }
  return CB_OK;
}

static cb_status new_arrays(sim_level *l, cb_err *err) {
  const size_t n = (size_t)l->n;
  l->stiffness = calloc((size_t)l->n_edges + 1, sizeof *l->stiffness);
  l->lumped = calloc(n, sizeof *l->lumped);
  l->inverse = calloc(n, sizeof *l->inverse);
  l->residual = calloc(n, sizeof *l->residual);
  l->solution = calloc(n, sizeof *l->solution);
  if (l->stiffness && l->lumped && l->inverse && l->residual && l->solution) return CB_OK;
  return cb_no_memory(err, "levels, %d nodes", l->n);
}

/* Coarsens until few nodes are left, or no edges: pieces that are not joined keep one node each. */
static cb_status make_levels(const sim_mesh *mesh, sim_multilevel *m, cb_err *err) {
  sim_graph fine, coarse = {0};
  cb_status st;
  CB_GOTO(graph_of(mesh, &fine, err));
  while (m->n_levels < SIM_LEVELS_MAX && (m->n_levels == 0 || fine.n > FEW_NODES) && fine.n_edges > 0) {
    sim_level *l = &m->level[m->n_levels++];
    CB_GOTO(sim_graph_coarsen(&fine, l, &coarse, err));
    sim_graph_clear(&fine);
    fine = coarse;
    coarse = (sim_graph){0};
    CB_GOTO(new_arrays(l, err));
  }
done:
  sim_graph_clear(&fine);
  sim_graph_clear(&coarse);
  return st;
}

cb_status sim_multilevel_init(const sim_mesh *mesh, sim_multilevel *out, cb_err *err) {
  *out = (sim_multilevel){.n = mesh->n_vertices};
  out->inverse = calloc((size_t)out->n, sizeof *out->inverse);
  out->own = calloc((size_t)out->n, sizeof *out->own);
  if (!out->inverse || !out->own) return cb_no_memory(err, "levels over %d vertices", out->n);
  return make_levels(mesh, out, err);
}

void sim_multilevel_clear(sim_multilevel *m) {
  free(m->inverse);
  free(m->own);
  for (int k = 0; k < m->n_levels; k++) {
    sim_level *l = &m->level[k];
    sim_rows *const rows[] = {&l->parents, &l->children, &l->below, &l->edges};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) sim_rows_clear(rows[r]);
    free(l->stiffness);
    free(l->lumped);
    free(l->inverse);
    free(l->residual);
    free(l->solution);
  }
  *m = (sim_multilevel){0};
}
