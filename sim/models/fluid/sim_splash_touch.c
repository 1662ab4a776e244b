/* Which triangle a particle touches first, where, and from which side. */
#include <math.h>
#include <string.h>

#include "sim_query.h"
#include "sim_splash_impl.h"
#include "sim_vec.h"

#define RELEASE \
  0.1 /* of the gap: who is nearer at the start is let go by so much in a step, not thrown out */

void sim_splash_meet(const sim_splash *s, int i, int triangle, const double (*start_m)[3],
                     const double (*end_m)[3], sim_splash_meeting *out) {
  const int *t = sim_wet_cloth_mesh(s->sheet)->triangle[triangle];
  for (int c = 0; c < 3; c++) {
    memcpy(out->x[0][c], start_m[t[c]], sizeof out->x[0][c]);
    memcpy(out->x[1][c], end_m[t[c]], sizeof out->x[1][c]);
  }
  memcpy(out->p[0], s->fluid->x[i], sizeof out->p[0]);
  memcpy(out->p[1], s->end[i], sizeof out->p[1]);
}

/* The longest way relative to the first corner, and whether the plane is further off than that and the gap at
 * the start. */
static bool too_far(const sim_splash_meeting *m, double gap) {
  double e[3], f[3], n[3], r[3], way = 0;
  sim_sub(m->x[0][1], m->x[0][0], e);
  sim_sub(m->x[0][2], m->x[0][0], f);
  sim_sub(m->p[0], m->x[0][0], r);
  sim_cross(e, f, n);
  for (int c = 0; c < 3; c++) {
    double moved = 0;
    for (int k = 0; k < 3; k++) moved += fabs((m->p[1][k] - m->p[0][k]) - (m->x[1][c][k] - m->x[0][c][k]));
    way = fmax(way, moved);
  }
  const double height = sim_dot(r, n), limit = gap + way;
  return height * height > limit * limit * sim_dot(n, n);
}

/* Nearest places at the start, and when they are as near as the gap: negative where they are already. */
static double near_time(const sim_splash_meeting *m, double gap, sim_wet_cloth_guest *g, double *distance) {
  double point[4][3], weight[4], closing = 0;
  memcpy(point[0], m->p[0], sizeof point[0]);
  for (int c = 0; c < 3; c++) memcpy(point[1 + c], m->x[0][c], sizeof point[0]);
  *distance = sim_closest(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)point, weight);
  sim_closest_normal(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)point, weight, g->normal);
  for (int c = 0; c < 3; c++) g->weight[c] = -weight[1 + c];
  for (int k = 0; k < 3; k++) {
    closing -= (m->p[1][k] - m->p[0][k]) * g->normal[k];
    for (int c = 0; c < 3; c++) closing += g->weight[c] * (m->x[1][c][k] - m->x[0][c][k]) * g->normal[k];
  }
  if (*distance < gap) return *distance / gap - 1;
  return closing > *distance - gap ? (*distance - gap) / closing : INFINITY;
}

static double impact_time(const sim_splash_meeting *m, sim_wet_cloth_guest *g) {
  sim_impact hit;
  double corner[3][3], e[3], f[3];
  if (!sim_impact_find(m->p[0], m->p[1], (const sim_vec3 *)m->x[0], (const sim_vec3 *)m->x[1], &hit))
    return INFINITY;
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++) corner[c][k] = m->x[0][c][k] + hit.time * (m->x[1][c][k] - m->x[0][c][k]);
  sim_sub(corner[1], corner[0], e);
  sim_sub(corner[2], corner[0], f);
  sim_cross(e, f, g->normal);
  const double length = sim_norm(g->normal);
  for (int k = 0; k < 3; k++) g->normal[k] *= hit.side / length;
  memcpy(g->weight, hit.weight, sizeof g->weight);
  return hit.time;
}

/* Whether it touches anything; the guest is what it touches first. */
static bool first_touch(const sim_splash *s, int i, sim_wet_cloth_guest *out) {
  double first = INFINITY;
  for (int c = s->first[i]; c < s->first[i + 1]; c++) {
    sim_splash_meeting m;
    sim_wet_cloth_guest g = {.inverse_mass_per_kg = 1 / s->fluid->mass};
    double distance;
    sim_splash_meet(s, i, s->triangle[c], (const sim_vec3 *)sim_wet_cloth_position(s->sheet),
                    (const sim_vec3 *)s->expected, &m);
    if (too_far(&m, s->gap_m)) continue;
    double time = near_time(&m, s->gap_m, &g, &distance);
    if (time > 1) time = impact_time(&m, &g);
    if (!(time < first)) continue;
    first = time;
    memcpy(g.vertex, sim_wet_cloth_mesh(s->sheet)->triangle[s->triangle[c]], sizeof g.vertex);
    g.gap_m = fmin(s->gap_m, distance + RELEASE * s->gap_m);
    *out = g;
  }
  return first < INFINITY;
}

void sim_splash_touch(sim_splash *s) {
  sim_fluid *f = s->fluid;
#pragma omp parallel for schedule(dynamic, 1024)
  for (int i = 0; i < f->n; i++) {
    s->guest_of[i] = -1;
    if (s->first[i] < s->first[i + 1] && first_touch(s, i, &s->guest[i])) s->guest_of[i] = i;
  }
  s->n_guests = 0;
  for (int i = 0; i < f->n; i++) {
    if (s->guest_of[i] < 0) continue;
    sim_wet_cloth_guest *g = &s->guest[s->n_guests];
    if (s->n_guests != i) *g = s->guest[i];
    memcpy(g->x, f->x[i], sizeof g->x);
    memcpy(g->v, f->v[i], sizeof g->v);
    s->toucher[s->n_guests] = i;
    s->guest_of[i] = s->n_guests++;
  }
}
