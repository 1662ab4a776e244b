#include "sim_traverse.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim_solid_impl.h"
#include "sim_threads.h"
#include "sim_traverse_grid.h"
#include "sim_triangle.h"
#include "sim_vec.h"

struct sim_traverse {
  const sim_hull *hull;
  const double (*x)[3];
  double reach_m;
  double (*plane)[4]; /* unit normal, and its product with the triangle's places; a triangle of no area has normal 0 */
  sim_traverse_grid grid;
  int n_threads;
  int64_t **stamp; /* of each thread, n_triangles: which foot was there last, crossing (even) or measuring (odd) */
  int64_t turn;    /* feet so far */
};

void sim_traverse_free(sim_traverse *t) {
  if (!t) return;
  free(t->plane);
  sim_traverse_grid_clear(&t->grid);
  for (int i = 0; t->stamp && i < t->n_threads; i++) free(t->stamp[i]);
  free(t->stamp);
  free(t);
}

static cb_status fill(sim_traverse *t, cb_err *err) {
  size_t n = (size_t)t->hull->n_triangles;
  t->plane = malloc(n * sizeof *t->plane);
  t->stamp = calloc((size_t)t->n_threads, sizeof *t->stamp);
  bool ok = t->plane && t->stamp;
  for (int i = 0; ok && i < t->n_threads; i++) ok = (t->stamp[i] = calloc(n, sizeof *t->stamp[i])) != NULL;
  return ok ? CB_OK : cb_fail(err, CB_E_NOMEM, "surface: out of memory for %zu triangles", n);
}

cb_status sim_traverse_new(const sim_hull *hull, sim_traverse **out, cb_err *err) {
  *out = NULL;
  sim_traverse *t = calloc(1, sizeof *t);
  if (!t) return cb_fail(err, CB_E_NOMEM, "surface: out of memory");
  *t = (sim_traverse){.hull = hull, .n_threads = omp_get_max_threads(), .turn = 1};
  cb_status st = fill(t, err);
  if (st == CB_OK)
    *out = t;
  else
    sim_traverse_free(t);
  return st;
}

cb_status sim_traverse_surface(sim_traverse *t, const double (*x_m)[3], double reach_m, cb_err *err) {
  t->x = x_m;
  t->reach_m = reach_m;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < t->hull->n_triangles; i++) {
    const int *v = t->hull->triangle[i];
    double a[3], b[3], n[3], *plane = t->plane[i];
    sim_sub(x_m[v[1]], x_m[v[0]], a);
    sim_sub(x_m[v[2]], x_m[v[0]], b);
    sim_cross(a, b, n);
    double length = sim_norm(n);
    for (int k = 0; k < 3; k++) plane[k] = length > 0 ? n[k] / length : 0;
    plane[3] = sim_dot(plane, x_m[v[0]]);
  }
  return sim_traverse_grid_fill(&t->grid, x_m, (const int(*)[3])t->hull->triangle, t->hull->n_triangles, reach_m, err);
}

/* ---- sides ---- */

static double over_plane(const sim_traverse *t, int triangle, const double p[3]) {
  return sim_dot(t->plane[triangle], p) - t->plane[triangle][3];
}

/* Of the triangles around, each by its angle; not of unit length. */
static void corner_normal(const sim_traverse *t, int vertex, double normal[3]) {
  const sim_hull *h = t->hull;
  normal[0] = normal[1] = normal[2] = 0;
  for (int i = h->fan_start[vertex]; i < h->fan_start[vertex + 1]; i++) {
    int triangle = h->fan[i] / 3, k = h->fan[i] % 3;
    const int *v = h->triangle[triangle];
    double a[3], b[3], n[3];
    sim_sub(t->x[v[(k + 1) % 3]], t->x[vertex], a);
    sim_sub(t->x[v[(k + 2) % 3]], t->x[vertex], b);
    sim_cross(a, b, n);
    sim_add(normal, atan2(sim_norm(n), sim_dot(a, b)), t->plane[triangle]);
  }
}

static void normal_of(const sim_traverse *t, int triangle, int part, double normal[3]) {
  if (part >= 4) {
    corner_normal(t, t->hull->triangle[triangle][part - 4], normal);
    return;
  }
  memcpy(normal, t->plane[triangle], 3 * sizeof *normal);
  if (part > 0) sim_add(normal, 1, t->plane[t->hull->across[triangle][part - 1]]);
}

static int part_of(const double weight[3]) {
  int zeros = 0, zero = 0, corner = 0;
  for (int k = 0; k < 3; k++) {
    if (weight[k] > 0) {
      corner = k;
    } else {
      zeros++;
      zero = k;
    }
  }
  return zeros == 0 ? 0 : zeros == 1 ? 1 + zero : 4 + corner;
}

static void place_of(const sim_traverse *t, const sim_foot *f, double point[3]) {
  const int *v = t->hull->triangle[f->triangle];
  for (int k = 0; k < 3; k++) point[k] = f->weight[0] * t->x[v[0]][k] + f->weight[1] * t->x[v[1]][k] + f->weight[2] * t->x[v[2]][k];
}

void sim_traverse_foot(const sim_traverse *t, const sim_foot *foot, double point_m[3], double normal[3]) {
  place_of(t, foot, point_m);
  normal_of(t, foot->triangle, part_of(foot->weight), normal);
  double length = sim_norm(normal);
  for (int k = 0; k < 3; k++) normal[k] = length > 0 ? normal[k] / length : t->plane[foot->triangle][k];
}

/* ---- measuring ---- */

/* The triangle's nearest point becomes the foot, if it is nearer than least2 [m2]. */
static bool measure(const sim_traverse *t, int triangle, const double p[3], double *least2, sim_foot *foot) {
  const int *v = t->hull->triangle[triangle];
  double point[3], weight[3], d[3], normal[3];
  int part = sim_triangle_nearest(t->x[v[0]], t->x[v[1]], t->x[v[2]], p, weight, point);
  sim_sub(p, point, d);
  double d2 = sim_dot(d, d);
  if (!(d2 < *least2)) return false;
  *least2 = d2;
  foot->triangle = triangle;
  memcpy(foot->weight, weight, sizeof weight);
  double side;
  if (part == 0) {
    side = over_plane(t, triangle, p);
  } else {
    normal_of(t, triangle, part, normal);
    side = sim_dot(normal, d);
  }
  foot->distance_m = side < 0 ? -sqrt(d2) : sqrt(d2);
  return true;
}

static bool within_reach(const sim_traverse *t, int triangle, const double p[3]) {
  const int *v = t->hull->triangle[triangle];
  for (int k = 0; k < 3; k++) {
    double a = t->x[v[0]][k], b = t->x[v[1]][k], c = t->x[v[2]][k];
    if (p[k] < fmin(a, fmin(b, c)) - t->reach_m || p[k] > fmax(a, fmax(b, c)) + t->reach_m) return false;
  }
  return true;
}

/* ---- the walk ---- */

/* Of the projection onto the triangle's plane; false where the triangle has no area. */
static bool project(const sim_traverse *t, int triangle, const double p[3], double weight[3]) {
  const int *v = t->hull->triangle[triangle];
  double a[3], b[3], d[3];
  sim_sub(t->x[v[1]], t->x[v[0]], a);
  sim_sub(t->x[v[2]], t->x[v[0]], b);
  sim_sub(p, t->x[v[0]], d);
  double aa = sim_dot(a, a), ab = sim_dot(a, b), bb = sim_dot(b, b), da = sim_dot(d, a), db = sim_dot(d, b), det = aa * bb - ab * ab;
  if (!(det > 0)) return false;
  weight[1] = (da * bb - db * ab) / det;
  weight[2] = (db * aa - da * ab) / det;
  weight[0] = 1 - weight[1] - weight[2];
  return true;
}

/* From weight towards `to`, as far as the edge that is met first. Returns that edge's corner; -1: there. */
static int advance(double weight[3], const double to[3]) {
  double share = 1;
  int out = -1;
  for (int k = 0; k < 3; k++) {
    if (to[k] >= 0) continue;
    double s = weight[k] / (weight[k] - to[k]);
    if (out < 0 || s < share) {
      share = s;
      out = k;
    }
  }
  for (int k = 0; k < 3; k++) weight[k] = fmax(0, weight[k] + share * (to[k] - weight[k]));
  if (out >= 0) weight[out] = 0;
  return out;
}

/* The same place as a place of the neighbour's edge. */
static int cross_over(const sim_hull *h, int triangle, int corner, double weight[3]) {
  int next = h->across[triangle][corner];
  double over[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++)
      if (j != corner && h->triangle[next][k] == h->triangle[triangle][j]) over[k] = weight[j];
  memcpy(weight, over, sizeof over);
  return next;
}

/* Ends over a triangle's inside, or at an edge beyond which the foot was already, in the nearest place of the last triangle. Returns its
 * distance squared. */
static double walk(const sim_traverse *t, int64_t *stamp, int64_t turn, const double p[3], sim_foot *foot, int64_t *crossed) {
  double to[3], weight[3], least2 = INFINITY;
  int triangle = foot->triangle, out = 0;
  memcpy(weight, foot->weight, sizeof weight);
  for (;;) {
    stamp[triangle] = 2 * turn;
    ++*crossed;
    if (!project(t, triangle, p, to)) break;
    out = advance(weight, to);
    if (out < 0 || stamp[t->hull->across[triangle][out]] >= 2 * turn) break;
    triangle = cross_over(t->hull, triangle, out, weight);
  }
  stamp[triangle] = 2 * turn + 1;
  (void)measure(t, triangle, p, &least2, foot);
  return least2;
}

/* ---- the search ---- */

static bool agrees(const sim_traverse *t, int triangle, const double p[3], bool outside) {
  return (over_plane(t, triangle, p) >= 0) == outside;
}

/* Every triangle that says otherwise is measured, until none is left. */
static void doubt(const sim_traverse *t, int64_t *stamp, int64_t turn, const double p[3], double least2, sim_foot *foot,
                  sim_traverse_counts *c) {
  const int *item = NULL;
  int n = sim_traverse_grid_at(&t->grid, p, &item);
  bool outside = foot->distance_m >= 0;
  c->near += n > 0;
  for (int i = 0; i < n; i++) {
    int triangle = item[i];
    if (agrees(t, triangle, p, outside) || stamp[triangle] == 2 * turn + 1 || !within_reach(t, triangle, p)) continue;
    stamp[triangle] = 2 * turn + 1;
    c->measured++;
    if (!measure(t, triangle, p, &least2, foot) || (foot->distance_m >= 0) == outside) continue;
    outside = !outside;
    c->restarts++;
    i = -1;
  }
}

static void exhaust(const sim_traverse *t, const double p[3], sim_foot *foot, sim_traverse_counts *c) {
  const int *item = NULL;
  int n = sim_traverse_grid_at(&t->grid, p, &item);
  double least2 = INFINITY;
  c->near += n > 0;
  for (int i = 0; i < n; i++) {
    if (!within_reach(t, item[i], p)) continue;
    c->measured++;
    (void)measure(t, item[i], p, &least2, foot);
  }
}

static void add(sim_traverse_counts *sum, const sim_traverse_counts *c) {
  sum->points += c->points;
  sum->near += c->near;
  sum->crossed += c->crossed;
  sum->measured += c->measured;
  sum->restarts += c->restarts;
}

void sim_traverse_step(sim_traverse *t, sim_traverse_mode mode, const double (*point_m)[3], int n, sim_foot *foot,
                       sim_traverse_counts *counts) {
#pragma omp parallel num_threads(t->n_threads)
  {
    sim_traverse_counts c = {0};
    int64_t *stamp = t->stamp[omp_get_thread_num()];
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      int64_t turn = t->turn + i;
      c.points++;
      if (mode == SIM_EXHAUSTIVE) {
        exhaust(t, point_m[i], &foot[i], &c);
      } else {
        double least2 = walk(t, stamp, turn, point_m[i], &foot[i], &c.crossed);
        doubt(t, stamp, turn, point_m[i], least2, &foot[i], &c);
      }
    }
#pragma omp critical
    add(counts, &c); /* integers: in any order */
  }
  t->turn += n;
}

/* ---- without feet ---- */

cb_status sim_traverse_start(const sim_traverse *t, const double (*point_m)[3], int n, sim_foot *foot, cb_err *err) {
  const sim_hull *h = t->hull;
  sim_solid tree = {.n_vertices = h->n_vertices, .n_triangles = h->n_triangles, .triangle = h->triangle};
  tree.x = malloc((size_t)h->n_vertices * sizeof *tree.x);
  cb_status st = tree.x ? CB_OK : cb_fail(err, CB_E_NOMEM, "surface: out of memory for %d vertices", h->n_vertices);
  if (st == CB_OK) {
    memcpy(tree.x, t->x, (size_t)h->n_vertices * sizeof *tree.x);
    st = sim_solid_plant(&tree, err);
  }
#pragma omp parallel for schedule(static) if (st == CB_OK)
  for (int i = 0; i < (st == CB_OK ? n : 0); i++) {
    double point[3], least2 = INFINITY;
    int part, triangle = sim_solid_nearest(&tree, point_m[i], INFINITY, point, &part);
    (void)measure(t, triangle, point_m[i], &least2, &foot[i]);
  }
  free(tree.x);
  free(tree.order);
  free(tree.box);
  return st;
}
