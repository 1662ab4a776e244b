/* Checks of bodies in layers: the length of a step, and whether a body came through the cloth. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_cloth_room.h"
#include "sim_pace.h"
#include "sim_solid.h"
#include "sim_layered_impl.h"
#include "sim_through.h"
#include "sim_vec.h"

#define NEAR_SHARE 1e-3 /* of a body's inner radius: the tolerance at its core */

/* ---- the core, carried by four vertices ---- */

/* The vertex that is furthest from the point, line or plane through the n given ones. */
static int furthest(const double (*x)[3], const int (*triangle)[3], int n_triangles, const int *given,
                    int n) {
  double a[3], b[3], normal[3] = {0, 0, 0}, most = -1;
  int found = triangle[0][0];
  if (n > 1) sim_sub(x[given[1]], x[given[0]], a);
  if (n > 2) {
    sim_sub(x[given[2]], x[given[0]], b);
    sim_cross(a, b, normal);
  }
  for (int i = 0; i < 3 * n_triangles; i++) {
    double d[3], across[3], size;
    sim_sub(x[triangle[i / 3][i % 3]], x[given[0]], d);
    if (n == 2) sim_cross(a, d, across);
    size = n == 1 ? sim_norm(d) : n == 2 ? sim_norm(across) : fabs(sim_dot(normal, d));
    if (size > most) {
      most = size;
      found = triangle[i / 3][i % 3];
    }
  }
  return found;
}

/* Barycentric weights of a point in a tetrahedron. Returns false if the tetrahedron has no volume. */
static bool weights_of(const double (*x)[3], const int corner[4], const double point[3], double weight[4]) {
  double e[3][3], d[3], n[3];
  for (int k = 0; k < 3; k++) sim_sub(x[corner[k + 1]], x[corner[0]], e[k]);
  sim_sub(point, x[corner[0]], d);
  weight[0] = 1;
  for (int k = 0; k < 3; k++) {
    sim_cross(e[(k + 1) % 3], e[(k + 2) % 3], n);
    const double volume = sim_dot(e[k], n);
    if (volume == 0) return false;
    weight[k + 1] = sim_dot(d, n) / volume;
    weight[0] -= weight[k + 1];
  }
  return true;
}

/* Ties the core of a rigid surface to four of its vertices that are far apart. */
static void tie_rigid(sim_layered_layer *l, const double (*x)[3], const int (*triangle)[3], int n_triangles) {
  int corner[4] = {triangle[0][0]};
  for (int k = 1; k < 4; k++) corner[k] = furthest(x, triangle, n_triangles, corner, k);
  for (int i = 0; i < l->core.n; i++) {
    memcpy(l->tied[i].corner, corner, sizeof corner);
    if (!weights_of(x, corner, l->core.x_m[i], l->tied[i].weight)) l->core.n = 0;
  }
}

/* Ties each core point of an elastic body to the tetrahedron that contains it, or is nearest to it. */
static void tie_elastic(sim_layered_layer *l, const sim_tets *tets) {
  const double(*x)[3] = (const sim_vec3 *)tets->position_m;
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < l->core.n; i++) {
    double best = -INFINITY, weight[4];
    for (int t = 0; t < tets->n_tets; t++) {
      if (!weights_of(x, tets->tet[t], l->core.x_m[i], weight)) continue;
      const double least = fmin(fmin(weight[0], weight[1]), fmin(weight[2], weight[3]));
      if (least <= best) continue;
      best = least;
      memcpy(l->tied[i].corner, tets->tet[t], sizeof l->tied[i].corner);
      memcpy(l->tied[i].weight, weight, sizeof weight);
    }
  }
}

cb_status sim_layered_core_init(sim_layered_layer *l, cb_err *err) {
  const sim_layered_body *b = l->given;
  const sim_tets *tets = b->elastic.tets;
  const double(*x)[3] = tets ? (const sim_vec3 *)tets->position_m : b->surface_m;
  const int(*triangle)[3] = tets ? (const int(*)[3])tets->surface : b->surface_triangle;
  const int n = tets ? tets->n_surface : b->surface_triangles;
  CB_TRY(sim_core_of_surface(x, tets ? tets->n_vertices : b->surface_vertices, triangle, n, &l->core, err));
  l->tied = calloc(SIM_CORE_MOST, sizeof *l->tied);
  l->core_from = calloc(SIM_CORE_MOST, sizeof *l->core_from);
  if (!l->tied || !l->core_from) return cb_no_memory(err, "its core");
  if (tets)
    tie_elastic(l, tets);
  else
    tie_rigid(l, x, triangle, n);
  return CB_OK;
}

static void place_core(const sim_layered_layer *l, double (*out)[3]) {
  const double(*x)[3] = (const sim_vec3 *)sim_layered_layer_x(l);
  for (int i = 0; i < l->core.n; i++) {
    out[i][0] = out[i][1] = out[i][2] = 0;
    for (int k = 0; k < 4; k++) sim_add(out[i], l->tied[i].weight[k], x[l->tied[i].corner[k]]);
  }
}

/* ---- bodies that came through ---- */

void sim_layered_core_begin(const sim_layered *t) {
  for (int b = 0; b < t->setup.n_bodies; b++) place_core(&t->layer[b], t->layer[b].core_from);
}

cb_status sim_layered_core_check(const sim_layered *t, double dt_s, cb_err *err) {
  const sim_mesh *mesh = t->setup.cloth.mesh;
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(t->cloth);
  for (int b = 0; b < t->setup.n_bodies; b++) {
    const sim_layered_layer *l = &t->layer[b];
    double end[SIM_CORE_MOST][3];
    char name[64];
    place_core(l, end);
    const int found = sim_through_find(mesh, t->setup.cloth.gripped, l->first, l->n,
                                       sim_cloth_position_before(t->cloth), x, (const sim_vec3 *)l->core_from,
                                       (const sim_vec3 *)end, l->core.n, NEAR_SHARE * l->core.inner_m, NULL);
    if (found < 0) continue;
    (void)snprintf(name, sizeof name, "the body of layer %d", b + 1);
    return sim_through_fail(mesh, t->setup.cloth.gripped, x, found, name, l->core.inner_m,
                            sim_cloth_time(t->cloth), dt_s, err);
  }
  return CB_OK;
}

/* ---- the length of a step ---- */

static double travel_of(const sim_layered *t, const sim_layered_layer *l, int i, double dt_s) {
  const sim_closest_point *closest = &l->closest[i];
  const int *v = l->hull.triangle[closest->triangle], cloth = l->first + i;
  const double(*body_v)[3] = (const sim_vec3 *)sim_layered_layer_v(l);
  double w[3];
  if (t->setup.cloth.gripped && t->setup.cloth.gripped[cloth]) return 0;
  memcpy(w, sim_cloth_velocity(t->cloth)[cloth], sizeof w);
  for (int k = 0; k < 3; k++) sim_add(w, -closest->weight[k], body_v[v[k]]);
  const double travel = dt_s * (sim_norm(w) + dt_s * sim_norm(t->setup.cloth.gravity_m_per_s2));
  return travel > l->core.inner_m && closest->distance_m < travel + l->given->offset.thickness_m ? travel : 0;
}

cb_status sim_layered_pace(const sim_layered *t, double dt_s, int *parts, cb_err *err) {
  *parts = 1;
  for (int b = 0; b < t->setup.n_bodies; b++) {
    const sim_layered_layer *l = &t->layer[b];
    double most = 0;
    if (!(l->core.inner_m > 0)) continue;
#pragma omp parallel for schedule(static) reduction(max : most) if (l->n > CB_FEW)
    for (int i = 0; i < l->n; i++) most = fmax(most, travel_of(t, l, i, dt_s));
    const int n = sim_pace_parts(most, l->core.inner_m);
    if (n > SIM_PACE_MOST)
      return cb_fail(err, CB_E_RANGE,
                     "the body of layer %d moves %.3g mm against the cloth at t = %g s, at %.3g m/s in a "
                     "step of %.4g ms, and is %.3g mm "
                     "thick from its middle: a step of at most %.2g ms is wanted",
                     b + 1, 1e3 * most, sim_cloth_time(t->cloth), most / dt_s, 1e3 * dt_s,
                     1e3 * l->core.inner_m, 1e3 * dt_s * SIM_PACE_MOST / n);
    *parts = n > *parts ? n : *parts;
  }
  return CB_OK;
}

/* ---- parts of a step ---- */

void sim_layered_report_add(sim_layered_report *sum, const sim_layered_report *before) {
  sum->body.iterations += before->body.iterations;
  sum->body.inverted =
      before->body.inverted > sum->body.inverted ? before->body.inverted : sum->body.inverted;
  sum->offset.friction_J += before->offset.friction_J;
  sum->offset.deepest_m = fmax(sum->offset.deepest_m, before->offset.deepest_m);
  sum->offset.left_m = fmax(sum->offset.left_m, before->offset.left_m);
  sum->limit.corrected += before->limit.corrected;
  if (before->rounds > sum->rounds) sum->rounds = before->rounds;
  sum->agreed = sum->agreed && (before->agreed || before->rounds == 0);
  sum->air.iterations += before->air.iterations;
  sum->air.solves += before->air.solves;
  sum->air.leaked_J += before->air.leaked_J;
  sum->air.vented_J += before->air.vented_J;
  sum->closest_points.points += before->closest_points.points;
  sum->closest_points.near += before->closest_points.near;
  sum->closest_points.crossed += before->closest_points.crossed;
  sum->closest_points.measured += before->closest_points.measured;
  sum->closest_points.restarts += before->closest_points.restarts;
  for (int k = 0; k < SIM_LAYERED_PHASES; k++) sum->phase_s[k] += before->phase_s[k];
}
