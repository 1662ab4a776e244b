/* Bodies in a projection: each vertex near one stays on its side of the plane that touches it, as one more
 * value of the augmented Lagrangian (sim_limit_project.c): q = (normal . x - at) / side >= 0, weighed by the
 * vertex's area. */
#include <math.h>

#include "sim_limit_impl.h"
#include "sim_limit_project.h"
#include "sim_vec.h"

/* The nearest body within a triangle's side. A vertex that is in it already stays as deep, at most. */
static bool find_wall(const sim_body *bodies, int n_bodies, const double x_m[3], double within_m,
                      sim_limit_wall *out) {
  double nearest = within_m;
  out->active = false;
  for (int b = 0; b < n_bodies; b++) {
    sim_touch touch;
    if (!sim_body_near(&bodies[b], x_m, nearest, &touch)) continue;
    nearest = touch.distance_m;
    out->active = true;
    for (int k = 0; k < 3; k++) out->normal[k] = touch.normal[k];
    out->at_m = sim_dot(touch.normal, x_m) - fmax(touch.distance_m, 0);
  }
  return out->active;
}

void sim_limit_keep_out(sim_limit *l, const sim_body *bodies, int n_bodies, const double (*x_m)[3]) {
  for (int i = 0; i < l->n; i++)
    if (!find_wall(bodies, n_bodies, x_m[i], l->side_m, &l->wall[i])) l->wall[i].multiplier = 0;
}

/* <= 0: pushes along the normal. */
static double push_of(const sim_limit *l, int i, const double x[3]) {
  const sim_limit_wall *w = &l->wall[i];
  return fmin(l->penalty_kg * (sim_dot(w->normal, x) - w->at_m) / l->side_m + w->multiplier, 0);
}

double sim_limit_wall_value(const sim_limit *l, int i, const double x[3]) {
  if (!l->wall[i].active) return 0;
  const double push = push_of(l, i, x);
  return l->setup.mesh->vertex_area_m2[i] * push * push / (2 * l->penalty_kg);
}

void sim_limit_wall_linearise(const sim_limit *l, int i, const double x[3], double b[3], double diagonal[9]) {
  const sim_limit_wall *w = &l->wall[i];
  const double push = w->active ? push_of(l, i, x) : 0, weight = l->setup.mesh->vertex_area_m2[i] / l->side_m;
  if (push == 0) return;
  sim_add(b, -weight * push, w->normal);
  for (int k = 0; k < 9; k++)
    diagonal[k] += weight * l->penalty_kg / l->side_m * w->normal[k / 3] * w->normal[k % 3];
}

double sim_limit_wall_look(sim_limit *l, int i, const double x[3], bool update) {
  sim_limit_wall *w = &l->wall[i];
  if (!w->active) return 0;
  const double push = push_of(l, i, x), change = fabs(push - w->multiplier) / l->penalty_kg;
  if (update) w->multiplier = push;
  return change;
}
