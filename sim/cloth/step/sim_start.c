/* Checks of a start: outside of bodies, and of the cloth itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_threads.h"
#include "sim_body_inner.h"
#include "sim_cloth_impl.h"
#include "sim_vec.h"

#define CORNER 0.25    /* of a body's inner radius: depth allowed to a triangle between vertices outside */
#define FINE 0.02      /* of the allowed depth: accuracy of the deepest place of a triangle */
#define DEPTH_STACK 64 /* triangles that wait, when each is cut in four */

/* ---- in a body ---- */

typedef struct deepest {
  double depth_m, x[3];
  int at, n; /* vertex or triangle; how many are too deep */
} deepest;

static bool is_free(const sim_cloth *c, int i) { return !c->setup.gripped || !c->setup.gripped[i]; }

static deepest deepest_vertex(const sim_cloth *c, const sim_body *b, double allowed_m) {
  deepest out = {.depth_m = allowed_m, .at = -1};
  for (int i = 0; i < c->now.n; i++) {
    sim_touch touch;
    if (!is_free(c, i) || !sim_body_near(b, c->now.x[i], -allowed_m, &touch)) continue;
    out.n++;
    if (-touch.distance_m <= out.depth_m) continue;
    out.depth_m = -touch.distance_m;
    out.at = i;
    memcpy(out.x, c->now.x[i], sizeof out.x);
  }
  return out;
}

typedef struct corner3 {
  double x[3][3];
} corner3;

static void cut_in_four(const corner3 *t, corner3 out[4]) {
  double side[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) side[i][k] = (t->x[i][k] + t->x[(i + 1) % 3][k]) / 2;
  memcpy(out[3].x, side, sizeof side);
  for (int i = 0; i < 3; i++) {
    memcpy(out[i].x[0], t->x[i], sizeof side[0]);
    memcpy(out[i].x[1], side[i], sizeof side[0]);
    memcpy(out[i].x[2], side[(i + 2) % 3], sizeof side[0]);
  }
}

/* Depth of the triangle in the body, if it is more than allowed_m; else allowed_m. where: the deepest place.
 * A distance changes no faster than the place, so a triangle that is too far out for its size is not cut
 * further. */
static double depth_of(const sim_body *b, const corner3 *triangle, double allowed_m, double where[3]) {
  corner3 stack[DEPTH_STACK];
  double most = allowed_m;
  int n = 0;
  stack[n++] = *triangle;
  while (n > 0) {
    const corner3 t = stack[--n];
    double middle[3] = {0, 0, 0}, d[3], wide = 0;
    sim_touch touch;
    for (int i = 0; i < 3; i++) sim_add(middle, 1.0 / 3, t.x[i]);
    for (int i = 0; i < 3; i++) {
      sim_sub(t.x[i], middle, d);
      wide = fmax(wide, sim_norm(d));
    }
    if (!sim_body_near(b, middle, wide - most, &touch)) continue;
    if (-touch.distance_m > most) {
      most = -touch.distance_m;
      memcpy(where, middle, sizeof middle);
    }
    if (wide < FINE * allowed_m || n + 4 > DEPTH_STACK) continue;
    cut_in_four(&t, &stack[n]);
    n += 4;
  }
  return most;
}

static deepest deepest_triangle(const sim_cloth *c, const sim_body *b, double allowed_m) {
  const sim_mesh *mesh = c->setup.mesh;
  deepest out = {.depth_m = allowed_m, .at = -1};
  for (int t = 0; t < mesh->n_triangles; t++) {
    const int *v = mesh->triangle[t];
    corner3 corners;
    double where[3];
    if (!is_free(c, v[0]) || !is_free(c, v[1]) || !is_free(c, v[2])) continue;
    for (int i = 0; i < 3; i++) memcpy(corners.x[i], c->now.x[v[i]], sizeof corners.x[i]);
    const double depth = depth_of(b, &corners, allowed_m, where);
    if (depth <= allowed_m) continue;
    out.n++;
    if (depth <= out.depth_m) continue;
    out.depth_m = depth;
    out.at = t;
    memcpy(out.x, where, sizeof where);
  }
  return out;
}

static cb_status outside_of(const sim_cloth *c, int body, cb_err *err) {
  const sim_body *b = &sim_cloth_bodies(c)[body];
  const double half_m = c->setup.material->thickness_m / 2, inner_m = sim_body_inner_m(b);
  deepest d = deepest_vertex(c, b, half_m);
  if (d.at >= 0)
    return cb_fail(err, CB_E_RANGE,
                   "the cloth starts in body %d (%s): %d of its vertices are inside, the deepest, vertex %d "
                   "at (%.4g, %.4g, %.4g) mm, by %.4g "
                   "mm; at most half of the thickness, %.3g mm, is wanted",
                   body + 1, sim_shape_names[b->shape], d.n, d.at, 1e3 * d.x[0], 1e3 * d.x[1], 1e3 * d.x[2],
                   1e3 * d.depth_m, 1e3 * half_m);
  if (!isfinite(inner_m) || !(inner_m > 0)) return CB_OK;
  d = deepest_triangle(c, b, half_m + CORNER * inner_m);
  if (d.at < 0) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "the cloth starts in body %d (%s): %d triangle%s whose corners are outside %s into it, "
                 "the deepest, triangle %d at (%.4g, "
                 "%.4g, %.4g) mm, by %.4g mm; a finer mesh or another place is wanted",
                 body + 1, sim_shape_names[b->shape], d.n, CB_S(d.n), CB_PLURAL(d.n, "reaches", "reach"),
                 d.at, 1e3 * d.x[0], 1e3 * d.x[1], 1e3 * d.x[2], 1e3 * d.depth_m);
}

cb_status sim_start_check(sim_cloth *c, cb_err *err) {
  for (int b = 0; b < c->setup.n_bodies; b++) CB_TRY(outside_of(c, b, err));
  if (!c->self_contacts) return CB_OK;
  return sim_self_check_start(sim_cloth_self_self(c->self_contacts), (const sim_vec3 *)c->now.x,
                              c->setup.material->thickness_m, err);
}
