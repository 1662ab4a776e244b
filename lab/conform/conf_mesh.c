/* Parts of which experiments are made. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "conf_extra.h"

#define FRAME_S 0.04

cb_status conf_mesh_room(conf_case *c, int n_vertices, int n_faces, bool bent, cb_err *err) {
  c->n_vertices = n_vertices;
  c->n_faces = n_faces;
  c->vertex = calloc((size_t)n_vertices, sizeof *c->vertex);
  c->pinned = calloc((size_t)n_vertices, sizeof *c->pinned);
  c->face = calloc((size_t)n_faces, sizeof *c->face);
  c->start = bent ? calloc((size_t)n_vertices, sizeof *c->start) : NULL;
  if (c->vertex && c->pinned && c->face && (c->start || !bent)) return CB_OK;
  conf_case_clear(c);
  return cb_no_memory(err, "an experiment");
}

void conf_mesh_grid(conf_case *c, const conf_grid *g) {
  const int column = g->ny + 1;
  for (int k = 0; k < (g->nx + 1) * column; k++) {
    double *v = c->vertex[g->vertex + k];
    v[0] = g->corner_m[0] + k / column * g->edge_m;
    v[1] = g->corner_m[1] + k % column * g->edge_m;
    v[2] = g->corner_m[2];
  }
  for (int k = 0; k < g->nx * g->ny; k++) {
    const int a = g->vertex + k / g->ny * column + k % g->ny;
    memcpy(c->face[g->face + k], (int[4]){a, a + column, a + column + 1, a + 1}, sizeof *c->face);
  }
}

void conf_tilt(conf_case *c, double tangent) {
  c->gravity_m_per_s2[0] = CB_STANDARD_GRAVITY_M_PER_S2 * tangent / hypot(1, tangent);
  c->gravity_m_per_s2[2] = -CB_STANDARD_GRAVITY_M_PER_S2 / hypot(1, tangent);
}

void conf_even_times(conf_case *c, double last_s) {
  const double step = FRAME_S * fmax(1, round(last_s / CONF_TIMES / FRAME_S));
  for (int k = 0; k < CONF_TIMES; k++) c->time_s[k] = step * (k + 1);
}

double conf_pull_speed(const conf_pull *p, double time_s) {
  return time_s > p->from_s ? p->m_per_s * fmin(1, (time_s - p->from_s) / p->ramp_s) : 0;
}

void conf_mean(const conf_case *c, const double (*position)[3], int time, double out[3]) {
  const double(*x)[3] = position + (size_t)time * (size_t)c->n_vertices;
  int n = 0;
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < c->n_vertices; i++) {
    if (c->pinned[i]) continue;
    for (int k = 0; k < 3; k++) out[k] += x[i][k];
    n++;
  }
  for (int k = 0; k < 3; k++) out[k] /= n;
}

double conf_acceleration(const conf_case *c, const double value[CONF_TIMES]) {
  const double step = c->time_s[1] - c->time_s[0];
  return (value[2] - 2 * value[1] + value[0]) / (step * step);
}
