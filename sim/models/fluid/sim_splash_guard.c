/* The last word on a step: every particle's straight way against every triangle's.
 *
 * Up to its first passage nobody has passed anything. From there on who would pass keeps to the place of the
 * triangle where it met it, on the side from which it came, so near that nothing else is between: that way,
 * which is not straight, passes nothing either. */
#include <math.h>
#include <string.h>

#include "sim_wet_cloth.h"
#include "sim_splash_impl.h"
#include "sim_vec.h"

#define CLEAR 0.02  /* of the gap: how near */
#define HALVINGS 24 /* of it, where folds are narrow */

/* The first triangle that it would pass; -1: none. */
static int first_passage(const sim_splash *s, int i, sim_impact *out) {
  const double(*before)[3] = sim_wet_cloth_before(s->sheet),
        (*after)[3] = (const sim_vec3 *)sim_wet_cloth_position(s->sheet);
  int found = -1;
  for (int c = s->first[i]; c < s->first[i + 1]; c++) {
    sim_splash_meeting m;
    sim_impact hit;
    sim_splash_meet(s, i, s->triangle[c], before, after, &m);
    if (!sim_impact_find(m.p[0], m.p[1], (const sim_vec3 *)m.x[0], (const sim_vec3 *)m.x[1], &hit) ||
        (found >= 0 && hit.time >= out->time))
      continue;
    found = s->triangle[c];
    *out = hit;
  }
  return found;
}

bool sim_splash_blocked(const sim_splash *s, int own, const double from_m[3], const double to_m[3]) {
  const sim_mesh *mesh = sim_wet_cloth_mesh(s->sheet);
  const double(*x)[3] = (const sim_vec3 *)sim_wet_cloth_position(s->sheet);
  for (int t = 0; t < mesh->n_triangles; t++) {
    const int *v = mesh->triangle[t];
    double corner[3][3];
    sim_impact hit;
    bool far = t == own;
    for (int k = 0; k < 3 && !far; k++)
      far = fmax(from_m[k], to_m[k]) < fmin(x[v[0]][k], fmin(x[v[1]][k], x[v[2]][k])) ||
            fmin(from_m[k], to_m[k]) > fmax(x[v[0]][k], fmax(x[v[1]][k], x[v[2]][k]));
    if (far) continue;
    for (int c = 0; c < 3; c++) memcpy(corner[c], x[v[c]], sizeof corner[c]);
    if (sim_impact_find(from_m, to_m, (const sim_vec3 *)corner, (const sim_vec3 *)corner, &hit)) return true;
  }
  return false;
}

typedef struct place {
  double at[3], normal[3]; /* on the triangle at the end of the step; towards the particle */
} place;

static place place_of(const sim_splash *s, const int t[3], const sim_impact *hit) {
  const double(*x)[3] = (const sim_vec3 *)sim_wet_cloth_position(s->sheet);
  double e[3], f[3];
  place p = {{0}, {0}};
  sim_sub(x[t[1]], x[t[0]], e);
  sim_sub(x[t[2]], x[t[0]], f);
  sim_cross(e, f, p.normal);
  const double length = sim_norm(p.normal);
  for (int k = 0; k < 3; k++) p.normal[k] *= hit->side / length;
  for (int c = 0; c < 3; c++) sim_add(p.at, hit->weight[c], x[t[c]]);
  return p;
}

static bool keep_to(sim_splash *s, int i, int triangle, const place *p) {
  double clear_m = CLEAR * s->gap_m;
  for (int k = 0; k < HALVINGS; k++, clear_m /= 2) {
    double closest[3];
    memcpy(closest, p->at, sizeof closest);
    memcpy(s->end[i], p->at, sizeof s->end[i]);
    sim_add(closest, clear_m / 1024, p->normal);
    sim_add(s->end[i], clear_m, p->normal);
    if (!sim_splash_blocked(s, triangle, closest, s->end[i])) return true;
  }
  return false;
}

/* Particle and triangle change their velocities by one impulse, so that they come no nearer. */
static void push_apart(sim_splash *s, int i, const int t[3], const sim_impact *hit, const double normal[3]) {
  double(*v)[3] = sim_wet_cloth_velocity(s->sheet);
  double closing = -sim_dot(s->fluid->v[i], normal), weight = 1 / s->fluid->mass;
  for (int c = 0; c < 3; c++) {
    closing += hit->weight[c] * sim_dot(v[t[c]], normal);
    weight += hit->weight[c] * hit->weight[c] * sim_wet_cloth_inverse_mass(s->sheet)[t[c]];
  }
  if (closing <= 0) return;
  sim_add(s->fluid->v[i], closing / weight / s->fluid->mass, normal);
  for (int c = 0; c < 3; c++)
    sim_add(v[t[c]], -closing / weight * hit->weight[c] * sim_wet_cloth_inverse_mass(s->sheet)[t[c]], normal);
}

/* Who would pass is found by all threads, and stopped one after the other. */
void sim_splash_guard(sim_splash *s, sim_splash_report *report) {
  sim_impact hit;
#pragma omp parallel for schedule(dynamic, 1024) private(hit)
  for (int i = 0; i < s->fluid->n; i++)
    s->guest_of[i] = s->first[i] < s->first[i + 1] && !s->goes[i] ? first_passage(s, i, &hit) : -1;
  for (int i = 0; i < s->fluid->n; i++) {
    if (s->guest_of[i] < 0) continue;
    const int triangle = first_passage(s, i, &hit), *t = sim_wet_cloth_mesh(s->sheet)->triangle[triangle];
    const place p = place_of(s, t, &hit);
    report->guarded++;
    report->stuck += !keep_to(s, i, triangle, &p);
    push_apart(s, i, t, &hit, p.normal);
  }
}
