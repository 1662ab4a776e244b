#include "sim_probe.h"

#include <math.h>
#include <string.h>

#include "sim_vec.h"

/* A point this share of a triangle outside of it is on its border. */
#define ON_BORDER 1e-9

/* ---- in the flat cloth ---- */

/* Barycentric co-ordinates. */
static void weights_of(const double corner[3][2], const double p[2], double weight[3]) {
  double ax = corner[1][0] - corner[0][0], ay = corner[1][1] - corner[0][1];
  double bx = corner[2][0] - corner[0][0], by = corner[2][1] - corner[0][1];
  double px = p[0] - corner[0][0], py = p[1] - corner[0][1], doubled = ax * by - ay * bx;
  weight[1] = (px * by - py * bx) / doubled;
  weight[2] = (ax * py - ay * px) / doubled;
  weight[0] = 1 - weight[1] - weight[2];
}

bool sim_probe_in_flat(const sim_mesh *m, const double material_m[2], int vertex[3], double weight[3]) {
  for (int t = 0; t < m->n_triangles; t++) {
    weights_of((const double(*)[2])m->corner_m[t], material_m, weight);
    if (!(fmin(weight[0], fmin(weight[1], weight[2])) >= -ON_BORDER)) continue;
    memcpy(vertex, m->triangle[t], sizeof m->triangle[t]);
    return true;
  }
  return false;
}

/* ---- where it is at the start ---- */

static void find_nearest(const sim_drawn *d, const double position_m[3], double *best, int surface,
                         sim_probe *out) {
  for (int i = 0; i < d->n_vertices; i++) {
    double apart[3];
    sim_sub(d->position_m[i], position_m, apart);
    if (sim_dot(apart, apart) >= *best) continue;
    *best = sim_dot(apart, apart);
    *out = (sim_probe){.surface = surface, .vertex = i};
  }
}

/* By what outlives a change of the surface. */
static void name_place(const sim_drawn *d, sim_probe *p) {
  const int vertex = p->vertex;
  if (d->number != NULL) {
    p->number = d->number[vertex / d->per_number];
    p->vertex = vertex % d->per_number;
  }
  if (d->flat == NULL) return;
  const int corner = d->flat->fan[d->flat->fan_start[vertex]];
  memcpy(p->material_m, d->flat->corner_m[corner / 3][corner % 3], sizeof p->material_m);
}

sim_probe sim_probe_nearest(const sim_drawn *surface, int n, const double position_m[3]) {
  sim_probe p = {.surface = -1};
  double best = INFINITY;
  for (int k = 0; k < n; k++)
    if (surface[k].velocity_m_per_s != NULL) find_nearest(&surface[k], position_m, &best, k, &p);
  if (p.surface >= 0) name_place(&surface[p.surface], &p);
  return p;
}

/* ---- where it is now ---- */

static void look_at_flat(const sim_probe *p, const sim_drawn *d, double out[6]) {
  int vertex[3];
  double weight[3];
  if (!sim_probe_in_flat(d->flat, p->material_m, vertex, weight)) return;
  memset(out, 0, 6 * sizeof *out);
  for (int k = 0; k < 3; k++) {
    sim_add(out, weight[k], d->position_m[vertex[k]]);
    sim_add(out + 3, weight[k], d->velocity_m_per_s[vertex[k]]);
  }
}

/* -1: gone. */
static int vertex_of(const sim_probe *p, const sim_drawn *d) {
  if (d->number == NULL) return p->vertex < d->n_vertices ? p->vertex : -1;
  for (int i = 0; i < d->n_vertices / d->per_number; i++)
    if (d->number[i] == p->number) return i * d->per_number + p->vertex;
  return -1;
}

void sim_probe_look(const sim_probe *p, const sim_drawn *surface, double out[6]) {
  const sim_drawn *d = &surface[p->surface];
  if (d->flat != NULL) {
    look_at_flat(p, d, out);
    return;
  }
  const int vertex = vertex_of(p, d);
  if (vertex < 0) return;
  memcpy(out, d->position_m[vertex], 3 * sizeof *out);
  memcpy(out + 3, d->velocity_m_per_s[vertex], 3 * sizeof *out);
}
