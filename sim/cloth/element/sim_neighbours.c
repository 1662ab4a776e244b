#include <stdlib.h>
#include <string.h>

#include "sim_pairs.h"

static int lower_of(const sim_edge *e) { return e->vertex[0] < e->vertex[1] ? e->vertex[0] : e->vertex[1]; }
static int higher_of(const sim_edge *e) { return e->vertex[0] < e->vertex[1] ? e->vertex[1] : e->vertex[0]; }

static void fill(const sim_mesh *mesh, sim_neighbours *a) {
  for (int e = 0; e < a->n_edges; e++) {
    a->upper[e] = higher_of(&mesh->edge[e]);
    a->upper_start[lower_of(&mesh->edge[e]) + 1]++;
    a->lower_start[a->upper[e] + 1]++;
  }
  for (int i = 0; i < a->n; i++) {
    a->upper_start[i + 1] += a->upper_start[i];
    a->lower_start[i + 1] += a->lower_start[i];
  }
  for (int e = 0; e < a->n_edges; e++) { /* lower_start[i] runs to the row's end and is moved back below */
    const int at = a->lower_start[a->upper[e]]++;
    a->lower[at] = lower_of(&mesh->edge[e]);
    a->lower_edge[at] = e;
  }
  memmove(a->lower_start + 1, a->lower_start, (size_t)a->n * sizeof *a->lower_start);
  a->lower_start[0] = 0;
}

cb_status sim_neighbours_make(const sim_mesh *mesh, sim_neighbours *out, cb_err *err) {
  const size_t n = (size_t)mesh->n_vertices, edges = (size_t)mesh->n_edges;
  *out = (sim_neighbours){.n = mesh->n_vertices, .n_edges = mesh->n_edges};
  out->upper_start = calloc(n + 1, sizeof *out->upper_start);
  out->upper = calloc(edges + 1, sizeof *out->upper);
  out->lower_start = calloc(n + 1, sizeof *out->lower_start);
  out->lower = calloc(edges + 1, sizeof *out->lower);
  out->lower_edge = calloc(edges + 1, sizeof *out->lower_edge);
  if (!out->upper_start || !out->upper || !out->lower_start || !out->lower || !out->lower_edge)
    return cb_no_memory(err, "neighbours of %d vertices", mesh->n_vertices);
  fill(mesh, out);
  return CB_OK;
}

void sim_neighbours_clear(sim_neighbours *n) {
  free(n->upper_start), free(n->upper);
  free(n->lower_start), free(n->lower), free(n->lower_edge);
  *n = (sim_neighbours){0};
}
