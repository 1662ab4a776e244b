#include "sim_bending_triangle.h"

#include <stdlib.h>
#include <string.h>

static cb_status no_memory(cb_err *err) { return cb_no_memory(err, "bending, its stencils"); }

void sim_stencils_clear(sim_stencils *s) {
  free(s->start), free(s->vertex), free(s->kappa);
  free(s->use_start), free(s->use_triangle), free(s->use_place);
  *s = (sim_stencils){0};
}

cb_status sim_stencils_make(const sim_bending *b, const sim_bending_slopes *slopes, sim_stencils *s,
                            cb_err *err) {
  const sim_mesh *m = b->mesh;
  sim_stencil st;
  *s = (sim_stencils){.start = calloc((size_t)m->n_triangles + 1, sizeof *s->start),
                      .use_start = calloc((size_t)m->n_vertices + 2, sizeof *s->use_start)};
  if (!s->start || !s->use_start) return no_memory(err);
  for (int t = 0; t < m->n_triangles; t++) {
    sim_bending_stencil(b, slopes, t, &st);
    s->start[t + 1] = s->start[t] + st.n;
  }
  size_t total = (size_t)s->start[m->n_triangles] + 1;
  s->vertex = calloc(total, sizeof *s->vertex), s->kappa = calloc(total, sizeof *s->kappa);
  s->use_triangle = calloc(total, sizeof *s->use_triangle),
  s->use_place = calloc(total, sizeof *s->use_place);
  if (!s->vertex || !s->kappa || !s->use_triangle || !s->use_place) return no_memory(err);
  for (int t = 0; t < m->n_triangles; t++) {
    sim_bending_stencil(b, slopes, t, &st);
    for (int i = 0; i < st.n; i++) {
      s->vertex[s->start[t] + i] = st.vertex[i];
      memcpy(s->kappa[s->start[t] + i], st.kappa_per_m2[i], sizeof st.kappa_per_m2[i]);
      s->use_start[st.vertex[i] + 2]++;
    }
  }
  for (int v = 0; v < m->n_vertices; v++) s->use_start[v + 2] += s->use_start[v + 1];
  for (int t = 0; t < m->n_triangles; t++)
    for (int i = s->start[t]; i < s->start[t + 1]; i++) {
      int u = s->use_start[s->vertex[i] + 1]++;
      s->use_triangle[u] = t, s->use_place[u] = i;
    }
  return CB_OK;
}
