/* Finds places of a cloth that cross, coincide or are too near. Used once, when it starts. */
#include <math.h>
#include <string.h>

#include "sim_query.h"
#include "sim_self_impl.h"
#include "sim_self_look.h"
#include "sim_vec.h"
#include "cb_plural.h"

#define TOUCHING_M 1e-12 /* nearer places coincide: no direction separates them */

typedef struct looker {
  const sim_self *self;
  const double (*x)[3];
  double reach_m;
  sim_self_clash *out;
} looker;

static bool any_free(const sim_self *s, const int *a, const int *b) {
  for (int k = 0; k < 3; k++)
    if (s->inverse_mass[a[k]] > 0 || s->inverse_mass[b[k]] > 0) return true;
  return false;
}

static bool has(const int *t, int v) { return t[0] == v || t[1] == v || t[2] == v; }

/* Measures a couple of features: a vertex and a triangle, or two sides. */
static void measure_pair(const looker *k, const sim_self_couple *c, double *least_m) {
  int v[4];
  double point[4][3], weight[4];
  sim_self_vertices(k->self, c, v);
  for (int i = 0; i < 4; i++) memcpy(point[i], k->x[v[i]], sizeof point[i]);
  const double distance = sim_closest(c->pair, (const sim_vec3 *)point, weight);
  if (distance >= *least_m ||
      (distance >= TOUCHING_M && distance >= SIM_BVH_FLAT * sim_self_rest_distance(k->self, c)))
    return;
  *least_m = distance;
}

static double distance_of(const looker *k, int a, int b) {
  const int slot[2] = {a, b}, (*triangle)[3] = (const int(*)[3])k->self->tree.triangle;
  double least_m = k->reach_m;
  for (int e = 0; e < 2; e++)
    for (int i = 0; i < 3; i++)
      if (!has(triangle[slot[1 - e]], triangle[slot[e]][i]))
        measure_pair(k, &(sim_self_couple){SIM_VERTEX_TRIANGLE, triangle[slot[e]][i], slot[1 - e]}, &least_m);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const sim_self_couple c = {SIM_EDGE_EDGE, sim_self_side(k->self, a, i), sim_self_side(k->self, b, j)};
      int v[4];
      sim_self_vertices(k->self, &c, v);
      if (v[0] != v[2] && v[0] != v[3] && v[1] != v[2] && v[1] != v[3]) measure_pair(k, &c, &least_m);
    }
  return least_m;
}

static void visit_pair(void *context, int a, int b) {
  const looker *k = context;
  const sim_bvh *tree = &k->self->tree;
  const int *v = tree->triangle[a], *w = tree->triangle[b];
  if (!any_free(k->self, v, w)) return;
  const bool crosses = sim_triangles_cross(k->x, v, w);
  const double distance = crosses ? 0 : distance_of(k, a, b);
  if (!crosses && !(distance < k->reach_m)) return;
  sim_self_clash *out = k->out;
  out->n++;
  if (out->n > 1 && (out->crosses || (!crosses && out->distance_m <= distance))) return;
  const int n = out->n, first = tree->number[a], second = tree->number[b];
  *out = (sim_self_clash){.crosses = crosses, .distance_m = distance, .n = n};
  out->triangle[0] = first < second ? first : second;
  out->triangle[1] = first < second ? second : first;
  for (int i = 0; i < 3; i++) sim_add(out->x_m, 1.0 / 3, k->x[v[i]]);
}

static bool find_clash(sim_self *s, const double (*position_m)[3], double reach_m, sim_self_clash *out) {
  looker k = {s, position_m, reach_m, out};
  *out = (sim_self_clash){.n = 0};
  s->kept_reach_m = 0;
  sim_bvh_refit(&s->tree, position_m, position_m, reach_m, NULL);
  for (int t = 0; t < s->tree.n_tasks; t++) sim_bvh_walk(&s->tree, t, visit_pair, &k);
  return out->n > 0;
}

cb_status sim_self_check_start(sim_self *self, const double (*position_m)[3], double thickness_m,
                               cb_err *err) {
  sim_self_clash clash;
  const double wanted_m = SIM_START_NEAR * thickness_m;
  if (!find_clash(self, position_m, wanted_m, &clash)) return CB_OK;
  const double *x = clash.x_m;
  if (clash.crosses)
    return cb_fail(
        err, CB_E_RANGE,
        "the cloth starts in itself: triangles %d and %d cross at (%.4g, %.4g, %.4g) mm, %d pair%s "
        "in all: cloth that lies free of "
        "itself is wanted",
        clash.triangle[0], clash.triangle[1], 1e3 * x[0], 1e3 * x[1], 1e3 * x[2], clash.n, CB_S(clash.n));
  if (clash.distance_m < TOUCHING_M)
    return cb_fail(err, CB_E_RANGE,
                   "the cloth starts in itself: triangles %d and %d coincide at (%.4g, %.4g, %.4g) mm, %d "
                   "pair%s in all: one could not tell "
                   "which side is whose; the thickness, %.3g mm, between them is wanted",
                   clash.triangle[0], clash.triangle[1], 1e3 * x[0], 1e3 * x[1], 1e3 * x[2], clash.n,
                   CB_S(clash.n), 1e3 * thickness_m);
  return cb_fail(err, CB_E_RANGE,
                 "the cloth starts in itself: triangles %d and %d are %.3g mm apart at (%.4g, %.4g, %.4g) "
                 "mm, %d pair%s in all nearer than %.3g "
                 "mm: the thickness, %.3g mm, is wanted",
                 clash.triangle[0], clash.triangle[1], 1e3 * clash.distance_m, 1e3 * x[0], 1e3 * x[1],
                 1e3 * x[2], clash.n, CB_S(clash.n), 1e3 * wanted_m, 1e3 * thickness_m);
}
