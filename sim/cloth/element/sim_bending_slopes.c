#include "sim_bending_triangle.h"

#include <stdlib.h>
#include <string.h>

#include "sim_bending_edge.h"

static cb_status no_memory(cb_err *err) { return cb_no_memory(err, "bending, its slopes"); }

void sim_bending_slopes_clear(sim_bending_slopes *s) {
  free(s->start), free(s->vertex), free(s->per_m);
  *s = (sim_bending_slopes){0};
}

static void count_entries(const sim_mesh *mesh, const bool *rigid, sim_bending_slopes *s) {
  int uncorrected = 0;
#pragma omp parallel for schedule(static) reduction(+ : uncorrected)
  for (int e = 0; e < mesh->n_edges; e++) {
    sim_slope slope;
    sim_slope_of_edge(mesh, rigid, e, &slope);
    s->start[e + 1] = slope.n;
    uncorrected += slope.kind == SIM_SLOPE_UNCORRECTED;
  }
  for (int e = 0; e < mesh->n_edges; e++) s->start[e + 1] += s->start[e];
  s->n_uncorrected = uncorrected;
}

static void fill_entries(const sim_mesh *mesh, const bool *rigid, sim_bending_slopes *s) {
#pragma omp parallel for schedule(static)
  for (int e = 0; e < mesh->n_edges; e++) {
    sim_slope slope;
    sim_slope_of_edge(mesh, rigid, e, &slope);
    memcpy(s->vertex + s->start[e], slope.vertex, (size_t)slope.n * sizeof *slope.vertex);
    memcpy(s->per_m + s->start[e], slope.weight_per_m, (size_t)slope.n * sizeof *slope.weight_per_m);
  }
}

cb_status sim_bending_slopes_make(const sim_mesh *mesh, const bool *rigid, sim_bending_slopes *out,
                                  cb_err *err) {
  *out = (sim_bending_slopes){.start = calloc((size_t)mesh->n_edges + 1, sizeof *out->start)};
  if (!out->start) return no_memory(err);
  count_entries(mesh, rigid, out);
  const size_t total = (size_t)out->start[mesh->n_edges] + 1;
  out->vertex = calloc(total, sizeof *out->vertex);
  out->per_m = calloc(total, sizeof *out->per_m);
  if (!out->vertex || !out->per_m) return no_memory(err);
  fill_entries(mesh, rigid, out);
  return CB_OK;
}
