/* Bodies in a projection: each vertex near one stays on its side of the plane that touches it. The cloth
 * itself: a vertex that a projection would take through it stays behind a plane as well. Each is one more
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
  for (int i = 0; i < l->n; i++) {
    sim_limit_wall *w = l->wall[i];
    w[SIM_LIMIT_OF_CLOTH] = (sim_limit_wall){.active = false};
    if (!find_wall(bodies, n_bodies, x_m[i], l->side_m, &w[SIM_LIMIT_OF_BODY]))
      w[SIM_LIMIT_OF_BODY].multiplier = 0;
  }
}

void sim_limit_keep_apart(sim_limit *l, const double (*from_m)[3], const double (*to_m)[3]) {
  for (int i = 0; i < l->n; i++) {
    sim_limit_wall *w = &l->wall[i][SIM_LIMIT_OF_CLOTH];
    double d[3];
    sim_sub(to_m[i], from_m[i], d);
    const double length = sim_norm(d);
    if (!(length > 0)) continue;
    *w = (sim_limit_wall){.active = true};
    sim_add(w->normal, 1 / length, d);
    w->at_m = sim_dot(w->normal, to_m[i]);
  }
}

/* <= 0: pushes along the normal. */
static double push_of(const sim_limit *l, const sim_limit_wall *w, const double x[3]) {
  if (!w->active) return 0;
  return fmin(l->penalty_kg * (sim_dot(w->normal, x) - w->at_m) / l->side_m + w->multiplier, 0);
}

double sim_limit_wall_value(const sim_limit *l, int i, const double x[3]) {
  double sum = 0;
  for (int k = 0; k < SIM_LIMIT_WALLS; k++) {
    const double push = push_of(l, &l->wall[i][k], x);
    sum += l->setup.mesh->vertex_area_m2[i] * push * push / (2 * l->penalty_kg);
  }
  return sum;
}

void sim_limit_wall_linearise(const sim_limit *l, int i, const double x[3], double b[3], double diagonal[9]) {
  const double weight = l->setup.mesh->vertex_area_m2[i] / l->side_m;
  for (int w = 0; w < SIM_LIMIT_WALLS; w++) {
    const double push = push_of(l, &l->wall[i][w], x), *normal = l->wall[i][w].normal;
    if (push == 0) continue;
    sim_add(b, -weight * push, normal);
    for (int k = 0; k < 9; k++)
      diagonal[k] += weight * l->penalty_kg / l->side_m * normal[k / 3] * normal[k % 3];
  }
}

double sim_limit_wall_look(sim_limit *l, int i, const double x[3], bool update) {
  double most = 0;
  for (int k = 0; k < SIM_LIMIT_WALLS; k++) {
    sim_limit_wall *w = &l->wall[i][k];
    const double push = push_of(l, w, x);
    most = fmax(most, fabs(push - w->multiplier) / l->penalty_kg);
    if (update) w->multiplier = push;
  }
  return most;
}
