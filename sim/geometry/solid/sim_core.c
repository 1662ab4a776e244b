#include "sim_solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_query.h"
#include "sim_solid_tree.h"
#include "sim_vec.h"

#define BALLS 2000 /* at most; one per triangle */
#define SHRINKS 40
#define TOUCHES \
  0.02 /* share of its radius by which a ball may stand out: facets of a round body are not its thickness */
#define KEPT 0.5   /* of the largest radius: smaller balls are dropped */
#define APART 0.25 /* of the largest radius: nearer centres count as one */

void sim_core_clear(sim_core *core) {
  free(core->x_m);
  *core = (sim_core){0};
}

typedef struct ball {
  double centre[3], radius_m;
} ball;

/* The largest ball inside of the surface that touches it at the centre of the triangle. */
static ball shrink(const sim_solid *s, int t) {
  const int *v = s->triangle[t];
  double a[3], b[3], n[3], p[3], q[3], d[3];
  ball out;
  int part;
  sim_sub(s->x[v[1]], s->x[v[0]], a);
  sim_sub(s->x[v[2]], s->x[v[0]], b);
  sim_cross(a, b, n);
  const double doubled = sim_norm(n);
  for (int k = 0; k < 3; k++) {
    n[k] = -n[k] / doubled;
    p[k] = (s->x[v[0]][k] + s->x[v[1]][k] + s->x[v[2]][k]) / 3;
  }
  sim_sub(s->box[0].high, s->box[0].low, d);
  out.radius_m = sim_norm(d);
  for (int step = 0; step < SHRINKS; step++) {
    for (int k = 0; k < 3; k++) out.centre[k] = p[k] + out.radius_m * n[k];
    if (sim_solid_nearest(s, out.centre, out.radius_m * (1 - TOUCHES), q, &part) < 0) break;
    sim_sub(q, p, d);
    const double depth = sim_dot(d, n), smaller = sim_dot(d, d) / (2 * depth);
    if (!(depth > 0) || !(smaller < out.radius_m)) break;
    out.radius_m = smaller;
  }
  return out;
}

/* Keeps the large balls that are not near a kept one. */
static void keep_large(const ball *all, int n, sim_core *out) {
  for (int i = 0; i < n; i++) out->inner_m = fmax(out->inner_m, all[i].radius_m);
  for (int i = 0; i < n && out->n < SIM_CORE_MOST; i++) {
    bool alone = all[i].radius_m >= KEPT * out->inner_m;
    for (int j = 0; j < out->n && alone; j++) {
      double d[3];
      sim_sub(all[i].centre, out->x_m[j], d);
      alone = sim_norm(d) > APART * out->inner_m;
    }
    if (alone) memcpy(out->x_m[out->n++], all[i].centre, sizeof all[i].centre);
  }
}

cb_status sim_solid_find_core(const sim_solid *s, sim_core *out, cb_err *err) {
  const int every = s->n_triangles / BALLS + 1, n = (s->n_triangles + every - 1) / every;
  *out = (sim_core){.x_m = malloc(SIM_CORE_MOST * sizeof *out->x_m)};
  ball *all = malloc((size_t)n * sizeof *all);
  if (all && out->x_m) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) all[i] = shrink(s, i * every);
    keep_large(all, n, out);
  }
  free(all);
  return all && out->x_m ? CB_OK : cb_no_memory(err, "core of %d triangles", s->n_triangles);
}

cb_status sim_core_of_surface(const double (*x_m)[3], int n_vertices, const int (*triangle)[3],
                              int n_triangles, sim_core *out, cb_err *err) {
  sim_solid s = {.n_vertices = n_vertices,
                 .n_triangles = n_triangles,
                 .x = (sim_vec3 *)x_m,
                 .triangle = (int(*)[3])triangle};
  *out = (sim_core){0};
  cb_status st = sim_solid_plant(&s, err);
  if (st == CB_OK) st = sim_solid_find_core(&s, out, err);
  free(s.order);
  free(s.box);
  return st;
}

/* ---- cloth across the core ---- */

/* Whether the first n_first points stay on one side of all others along one axis, on the whole way. */
static bool boxes_apart(const double start[4][3], const double end[4][3], int n_first, double near_m) {
  for (int k = 0; k < 3; k++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
      const int side = i >= n_first;
      low[side] = sim_lesser(low[side], sim_lesser(start[i][k], end[i][k]));
      high[side] = sim_greater(high[side], sim_greater(start[i][k], end[i][k]));
    }
    if (low[0] > high[1] + near_m || low[1] > high[0] + near_m) return true;
  }
  return false;
}

static bool meets(sim_pair pair, const double start[4][3], const double end[4][3], double near_m) {
  sim_ccd_hit hit;
  if (boxes_apart(start, end, pair == SIM_VERTEX_TRIANGLE ? 1 : 2, 2 * near_m)) return false;
  return sim_ccd(pair, start, end, near_m, &hit) != SIM_CCD_APART;
}

bool sim_core_meets_triangle(const double start[4][3], const double end[4][3], double near_m) {
  return meets(SIM_VERTEX_TRIANGLE, start, end, near_m);
}

bool sim_core_meets_edge(const double start[4][3], const double end[4][3], double near_m) {
  return meets(SIM_EDGE_EDGE, start, end, near_m);
}
