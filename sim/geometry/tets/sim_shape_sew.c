/* Cases: skins that keep a distance from a body's triangles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_mesh_skin.h"
#include "sim_shape_impl.h"
#include "sim_traverse.h"
#include "sim_vec.h"

#define ROUNDS 40

typedef struct clearance {
  sim_traverse *body;
  double wanted;
  int n, *which; /* vertices that are too near, or not tested yet */
  double (*x)[3];
  sim_closest_point *closest;
} clearance;

/* Moves vertices that are too near away from their closest points, and drops the others from the list. In a
 * hollow this can move a vertex towards the other wall, so it is repeated. */
static void move_off(clearance *c, sim_shape_surface *s) {
  int left = 0;
  for (int i = 0; i < c->n; i++) {
    double distance = c->closest[i].distance_m, at[3], away[3], *x = s->x_m[c->which[i]];
    if (distance >= c->wanted) continue;
    sim_traverse_closest(c->body, &c->closest[i], at, away);
    for (int k = 0; k < 3 && distance > 0.01 * c->wanted; k++)
      away[k] = (x[k] - at[k]) / distance; /* the closest point may be on an edge */
    /* A little further than it must, so that rounding cannot bring it back. */
    sim_add(x, (1 + 1e-6) * c->wanted - distance, away);
    c->which[left++] = c->which[i];
  }
  c->n = left;
}

static cb_status keep_off(clearance *c, sim_shape_surface *s, cb_err *err) {
  for (int v = 0; v < s->n_vertices; v++) c->which[v] = v;
  c->n = s->n_vertices;
  for (int i = 0; i < ROUNDS && c->n > 0; i++) {
    for (int k = 0; k < c->n; k++) memcpy(c->x[k], s->x_m[c->which[k]], sizeof c->x[k]);
    CB_TRY(sim_traverse_start(c->body, (const sim_vec3 *)c->x, c->n, c->closest, err));
    move_off(c, s);
  }
  if (c->n == 0) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "case: vertex %d finds no place %g m off the body: its hollows are too narrow", c->which[0],
                 c->wanted);
}

static cb_status clear_body(const sim_shape_case *c, const sim_hull *hull, sim_shape_surface *s,
                            cb_err *err) {
  size_t n = (size_t)s->n_vertices;
  clearance k = {.wanted = c->offset_m,
                 .which = malloc(n * sizeof *k.which),
                 .x = malloc(n * sizeof *k.x),
                 .closest = malloc(n * sizeof *k.closest)};
  cb_status st = k.which && k.x && k.closest ? CB_OK : cb_no_memory(err, "case, %zu vertices", n);
  if (st == CB_OK) st = sim_traverse_new(hull, &k.body, err);
  if (st == CB_OK) st = sim_traverse_surface(k.body, c->body_m, c->offset_m, err);
  if (st == CB_OK) st = keep_off(&k, s, err);
  sim_traverse_free(k.body);
  free(k.which);
  free(k.x);
  free(k.closest);
  return st;
}

cb_status sim_shape_sew(const sim_shape_body *body, const sim_shape_case *c, sim_mesh *out, cb_err *err) {
  *out = (sim_mesh){0};
  CB_TRY(cb_check_range(c->offset_m, 1e-9, 1e3, "case: distance from the body", "m", err));
  sim_hull hull = {0};
  sim_shape_surface s = {0};
  cb_status st = sim_hull_build(c->body_triangle, c->body_triangles, c->body_vertices, &hull, err);
  if (st == CB_OK) st = sim_shape_skin(body, c->offset_m, c->about_vertices, &s, err);
  if (st == CB_OK) st = clear_body(c, &hull, &s, err);
  if (st == CB_OK)
    st = sim_mesh_skin_along((const sim_vec3 *)s.x_m, s.n_vertices, (const int(*)[3])s.triangle, c->warp,
                             s.n_triangles, out, err);
  sim_shape_surface_clear(&s);
  sim_hull_clear(&hull);
  return st;
}
