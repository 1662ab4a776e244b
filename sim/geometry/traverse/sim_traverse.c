#include "sim_traverse.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_solid_tree.h"
#include "sim_traverse_face.h"
#include "sim_traverse_grid.h"

#define SLACK_STEPS 4   /* steps that the grid's slack is meant to last */
#define SLACK_CELLS 0.2 /* upper bound of the slack in cells, since it makes the grid's runs longer */
#define SURE 1e-6       /* of the reach: margin beyond the motion of a point; roundings are far less */
#define POINTS_AT_ONCE 512

struct sim_traverse {
  sim_traverse_sheet sheet;
  double reach_m;
  sim_traverse_grid grid;
  double slack_m;                   /* slack of the grid's boxes; < 0: no grid yet */
  double (*laid)[3], (*gridded)[3]; /* the vertices when the planes, and the grid, were made */
  bool known;                       /* laid is set */
  double way_m;                     /* upper bound of any vertex's way, summed over all steps */
  int n_threads;
  /* Per thread, n_triangles: the closest point that was at the triangle last, crossing (even) or measuring
   * (odd). */
  int64_t **stamp;
  int64_t closest; /* closest points so far */
};

void sim_traverse_free(sim_traverse *t) {
  if (!t) return;
  free(t->sheet.face);
  free(t->sheet.plane);
  free(t->laid);
  free(t->gridded);
  sim_traverse_grid_clear(&t->grid);
  for (int i = 0; t->stamp && i < t->n_threads; i++) free(t->stamp[i]);
  free(t->stamp);
  free(t);
}

static size_t laid_bytes(const sim_traverse *t) {
  return (size_t)t->sheet.hull->n_vertices * sizeof *t->laid;
}

static cb_status allocate_walks(sim_traverse *t, cb_err *err) {
  size_t n = (size_t)t->sheet.hull->n_triangles, n_vertices = (size_t)t->sheet.hull->n_vertices;
  t->sheet.face = malloc(n * sizeof *t->sheet.face);
  t->sheet.plane = malloc(n * sizeof *t->sheet.plane);
  t->laid = malloc(n_vertices * sizeof *t->laid);
  t->gridded = malloc(n_vertices * sizeof *t->gridded);
  t->stamp = calloc((size_t)t->n_threads, sizeof *t->stamp);
  bool ok = t->sheet.face && t->sheet.plane && t->laid && t->gridded && t->stamp;
  for (int i = 0; ok && i < t->n_threads; i++) ok = (t->stamp[i] = calloc(n, sizeof *t->stamp[i])) != NULL;
  return ok ? CB_OK : cb_no_memory(err, "surface, %zu triangles", n);
}

cb_status sim_traverse_new(const sim_hull *hull, sim_traverse **out, cb_err *err) {
  *out = NULL;
  sim_traverse *t = calloc(1, sizeof *t);
  if (!t) return cb_no_memory(err, "surface");
  *t = (sim_traverse){.sheet.hull = hull, .slack_m = -1, .n_threads = omp_get_max_threads(), .closest = 1};
  cb_status st = allocate_walks(t, err);
  if (st == CB_OK)
    *out = t;
  else
    sim_traverse_free(t);
  return st;
}

/* ---- surface ---- */

static double apart2(const double a[3], const double b[3]) {
  double d[3];
  sim_sub(a, b, d);
  return sim_dot(d, d);
}

/* Largest distance, squared, of a vertex from its place when the planes were made, and when the grid was
 * made. NaN counts as infinite. */
static void find_motion(const sim_traverse *t, const double (*x)[3], double *since_laid2,
                        double *since_gridded2) {
  double laid = 0, gridded = 0;
#pragma omp parallel for schedule(static) reduction(max : laid, gridded)
  for (int i = 0; i < t->sheet.hull->n_vertices; i++) {
    if (t->sheet.hull->fan_start[i] == t->sheet.hull->fan_start[i + 1]) continue;
    double a = apart2(x[i], t->laid[i]), b = apart2(x[i], t->gridded[i]);
    laid = a <= laid ? laid : isnan(a) ? INFINITY : a;
    gridded = b <= gridded ? gridded : isnan(b) ? INFINITY : b;
  }
  *since_laid2 = laid;
  *since_gridded2 = gridded;
}

static cb_status make_grid(sim_traverse *t, double slack_m, cb_err *err) {
  const sim_hull *h = t->sheet.hull;
  t->slack_m = -1;
  CB_TRY(sim_traverse_grid_fill(&t->grid, t->sheet.x, (const int(*)[3])h->triangle, h->n_triangles, slack_m,
                                err));
  memcpy(t->gridded, t->sheet.x, (size_t)h->n_vertices * sizeof *t->gridded);
  t->slack_m = slack_m;
  return CB_OK;
}

cb_status sim_traverse_surface(sim_traverse *t, const double (*x_m)[3], double reach_m, cb_err *err) {
  bool had = t->slack_m >= 0;
  double step2 = 0, way2 = 0, extent_m = 3 * reach_m;
  t->sheet.x = x_m;
  t->reach_m = reach_m;
  if (t->known) find_motion(t, x_m, &step2, &way2);
  t->way_m += sqrt(step2);
  /* Boxes widened by at least the motion hold all triangles within reach. */
  bool regrid = !had || !(sqrt(way2) <= t->slack_m);
  if (regrid)
    CB_TRY(make_grid(t, had ? fmin(SLACK_STEPS * sqrt(step2), SLACK_CELLS / t->grid.per_m) : 0, err));
  if (regrid || step2 > 0) {
    sim_traverse_sheet_lay(&t->sheet, t->grid.low);
    memcpy(t->laid, x_m, laid_bytes(t));
    t->known = true;
  }
  for (int k = 0; k < 3; k++) extent_m += t->grid.cells[k] / t->grid.per_m;
  sim_traverse_sheet_trust(&t->sheet, extent_m);
  return CB_OK;
}

size_t sim_traverse_state_bytes(const sim_traverse *t) { return sizeof t->way_m + laid_bytes(t); }

void sim_traverse_state_take(const sim_traverse *t, unsigned char *to) {
  memcpy(to, &t->way_m, sizeof t->way_m);
  memcpy(to + sizeof t->way_m, t->laid, laid_bytes(t));
}

void sim_traverse_state_give(sim_traverse *t, const unsigned char *from) {
  memcpy(&t->way_m, from, sizeof t->way_m);
  memcpy(t->laid, from + sizeof t->way_m, laid_bytes(t));
  t->known = true;
  t->slack_m = -1; /* planes and grid are those of another place */
}

void sim_traverse_closest(const sim_traverse *t, const sim_closest_point *closest, double point_m[3],
                          double normal[3]) {
  sim_traverse_place_of(&t->sheet, closest, point_m);
  sim_traverse_normal_of(&t->sheet, closest, normal);
}

/* ---- the walk ---- */

/* Moves weight towards `to`, at most to the first edge. Returns the corner opposite to that edge; -1: `to`
 * was reached. */
static int advance_weights(double weight[3], const double to[3]) {
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
  for (int k = 0; k < 3; k++) {
    weight[k] += share * (to[k] - weight[k]);
    if (!(weight[k] > 0)) weight[k] = 0;
  }
  if (out >= 0) weight[out] = 0;
  return out;
}

/* Moves a place on an edge to the neighbour's weights. Returns the neighbour. */
static int cross_over(const sim_hull *h, int triangle, int corner, double weight[3]) {
  int next = h->across[triangle][corner];
  double over[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++)
      if (j != corner && h->triangle[next][k] == h->triangle[triangle][j]) over[k] = weight[j];
  memcpy(weight, over, sizeof over);
  return next;
}

typedef struct walker {
  const sim_traverse *t;
  int64_t *stamp, turn; /* turn: even, greater than all stamps of other closest points */
  double p[3];
  sim_traverse_near near; /* place of the closest point: at least its number and distance */
  sim_closest_point *closest;
  sim_traverse_counts *counts;
} walker;

/* The walk ends inside of a triangle, or at an edge beyond which it already was; then at the nearest point of
 * the last triangle. */
static void walk_surface(walker *w) {
  const sim_traverse_sheet *s = &w->t->sheet;
  double to[3], weight[3];
  int triangle = w->closest->triangle;
  memcpy(weight, w->closest->weight, sizeof weight);
  for (;;) {
    w->counts->crossed++;
    if (sim_traverse_inside(s, triangle, w->p, w->closest)) {
      w->near.triangle = triangle;
      w->near.away2 = w->closest->distance_m * w->closest->distance_m;
      return;
    }
    w->stamp[triangle] = w->turn;
    if (!sim_traverse_project(s, triangle, w->p, to)) break;
    int out = advance_weights(weight, to);
    if (out < 0 || w->stamp[s->hull->across[triangle][out]] >= w->turn) break;
    triangle = cross_over(s->hull, triangle, out, weight);
  }
  w->stamp[triangle] = w->turn + 1;
  w->near.away2 = INFINITY;
  if (sim_traverse_measure(s, triangle, w->p, &w->near)) sim_traverse_stand(s, w->p, &w->near, w->closest);
}

/* ---- the search ---- */

static bool is_outside(const walker *w) { return w->closest->distance_m >= 0; }

/* Measures the triangles of a run that disagree with `outside`. A triangle whose plane is further off than
 * the closest point cannot be nearer and is skipped. Single-precision planes decide most cases. Returns true
 * if one was nearer. */
static bool ask_triangles(walker *w, const int *item, int n, const float at[3], bool outside,
                          double reach_m) {
  const sim_traverse_sheet *s = &w->t->sheet;
  float sign = outside ? 1 : -1, half = (float)(0.5 * sqrt(w->near.away2)), sure = half + s->doubt_m;
  bool nearer = false;
  for (int i = 0; i < n; i++) {
    int triangle = item[i];
    const float *plane = s->plane[triangle];
    float by = sign * (plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2] - plane[3]);
    if (fabsf(by + half) > sure) continue; /* surely above 0, or surely below the closest point's distance */
    if ((sim_traverse_over(s, triangle, w->p) >= 0) == outside || w->stamp[triangle] == w->turn + 1 ||
        !sim_traverse_within(s, triangle, w->p, reach_m))
      continue;
    w->stamp[triangle] = w->turn + 1;
    w->counts->measured++;
    if (!sim_traverse_measure(s, triangle, w->p, &w->near)) continue;
    nearer = true;
    half = (float)(0.5 * sqrt(w->near.away2));
    sure = half + s->doubt_m;
  }
  return nearer;
}

/* Measures every triangle within reach that disagrees with the closest point's sign, until none is left. What
 * is tested in a round does not depend on earlier tests, so the grid's cells do not matter. Returns true if
 * the cells held any triangle. */
static bool doubt(walker *w, double reach_m) {
  bool any = false;
  float at[3];
  for (int k = 0; k < 3; k++) at[k] = (float)(w->p[k] - w->t->sheet.origin[k]);
  for (;;) {
    bool outside = is_outside(w), nearer = false;
    const int *item;
    sim_traverse_rows rows = sim_traverse_rows_at(&w->t->grid, w->p, reach_m);
    for (int n; (n = sim_traverse_rows_next(&rows, &item)) >= 0;) {
      any = any || n > 0;
      nearer = ask_triangles(w, item, n, at, outside, reach_m) || nearer;
    }
    if (nearer) sim_traverse_stand(&w->t->sheet, w->p, &w->near, w->closest);
    if (is_outside(w) == outside) return any;
    w->counts->restarts++;
  }
}

/* Whether a triangle of the grid is within reach and not measured yet. Marks it, so that it comes only
 * once. */
static bool is_next(walker *w, int triangle, double reach_m) {
  if (w->stamp[triangle] == w->turn + 1) return false;
  w->stamp[triangle] = w->turn + 1;
  if (!sim_traverse_within(&w->t->sheet, triangle, w->p, reach_m)) return false;
  w->counts->measured++;
  return true;
}

static void exhaust(walker *w, double reach_m) {
  const int *item;
  sim_traverse_rows rows = sim_traverse_rows_at(&w->t->grid, w->p, reach_m);
  w->near.away2 = INFINITY;
  for (int n; (n = sim_traverse_rows_next(&rows, &item)) >= 0;)
    for (int i = 0; i < n; i++)
      if (is_next(w, item[i], reach_m)) (void)sim_traverse_measure(&w->t->sheet, item[i], w->p, &w->near);
  w->counts->near += w->near.away2 < INFINITY;
  if (w->near.away2 < INFINITY) sim_traverse_stand(&w->t->sheet, w->p, &w->near, w->closest);
}

/* Settles the sign of a closest point beyond the reach that changed sides. If a triangle is within reach, the
 * point crossed, and the search was right. Else the old sign stays. (Triangles measured so far were no nearer
 * than the closest point.) */
static void settle_sign(walker *w, double reach_m, bool was_outside) {
  const int *item;
  sim_traverse_rows rows = sim_traverse_rows_at(&w->t->grid, w->p, reach_m);
  for (int n; (n = sim_traverse_rows_next(&rows, &item)) >= 0;)
    for (int i = 0; i < n; i++) {
      sim_traverse_near near = {.triangle = -1, .away2 = reach_m * reach_m * (1 + 4 * DBL_EPSILON)};
      if (is_next(w, item[i], reach_m) && sim_traverse_measure(&w->t->sheet, item[i], w->p, &near)) return;
    }
  w->closest->distance_m = copysign(w->closest->distance_m, was_outside ? 1 : -1);
}

/* The motion of the point against the surface since its closest point was found; NaN if unknown. */
static double moved(const walker *w) {
  double surface_m = w->t->way_m - w->closest->way_m;
  return surface_m >= 0 ? sqrt(apart2(w->p, w->closest->from_m)) + surface_m : NAN;
}

/* A point that crossed the surface is no further from it than it moved. So if the walk agrees with the
 * previous sign, only triangles within that distance are tested. */
static void find_closest(walker *w) {
  double reach = w->t->reach_m, near = moved(w) + SURE * reach;
  bool was_outside = is_outside(w);
  walk_surface(w);
  bool agree = near <= reach && is_outside(w) == was_outside;
  bool any = agree && doubt(w, near);
  if (!agree || is_outside(w) != was_outside) any = doubt(w, reach) || any;
  w->counts->near += any;
  if (fabs(w->closest->distance_m) > reach && is_outside(w) != was_outside)
    settle_sign(w, reach, was_outside);
}

static void find_all(walker *w) {
  double reach = w->t->reach_m;
  bool was_outside = is_outside(w);
  exhaust(w, reach);
  if (w->near.away2 > reach * reach)
    w->closest->distance_m = copysign(w->closest->distance_m, was_outside ? 1 : -1);
}

static void remember_place(const sim_traverse *t, const double p[3], sim_closest_point *closest) {
  memcpy(closest->from_m, p, sizeof closest->from_m);
  closest->way_m = t->way_m;
}

static void add_counts(sim_traverse_counts *sum, const sim_traverse_counts *c) {
  sum->points += c->points;
  sum->near += c->near;
  sum->crossed += c->crossed;
  sum->measured += c->measured;
  sum->restarts += c->restarts;
}

void sim_traverse_step(sim_traverse *t, sim_traverse_mode mode, const double (*point_m)[3], int n,
                       sim_closest_point *closest, sim_traverse_counts *counts) {
#pragma omp parallel num_threads(cb_threads_within(t->n_threads))
  {
    sim_traverse_counts c = {0};
    walker w = {.t = t, .stamp = t->stamp[omp_get_thread_num()], .counts = &c};
#pragma omp for schedule(dynamic, POINTS_AT_ONCE)
    for (int i = 0; i < n; i++) {
      w.turn = 2 * (t->closest + i);
      w.closest = &closest[i];
      memcpy(w.p, point_m[i], sizeof w.p);
      if (mode == SIM_EXHAUSTIVE)
        find_all(&w);
      else
        find_closest(&w);
      remember_place(t, w.p, &closest[i]);
    }
    c.points = 0;
#pragma omp critical
    add_counts(counts, &c); /* integers, so the order does not matter */
  }
  counts->points += n;
  t->closest += n;
}

/* ---- start without closest points ---- */

cb_status sim_traverse_start(const sim_traverse *t, const double (*point_m)[3], int n,
                             sim_closest_point *closest, cb_err *err) {
  const sim_hull *h = t->sheet.hull;
  sim_solid tree = {.n_vertices = h->n_vertices, .n_triangles = h->n_triangles, .triangle = h->triangle};
  tree.x = malloc((size_t)h->n_vertices * sizeof *tree.x);
  cb_status st = tree.x ? CB_OK : cb_no_memory(err, "surface, %d vertices", h->n_vertices);
  if (st == CB_OK) {
    memcpy(tree.x, t->sheet.x, (size_t)h->n_vertices * sizeof *tree.x);
    st = sim_solid_plant(&tree, err);
  }
#pragma omp parallel for schedule(static) if (st == CB_OK)
  for (int i = 0; i < (st == CB_OK ? n : 0); i++) {
    const double *p = point_m[i];
    double point[3];
    sim_traverse_near near = {.away2 = INFINITY};
    int part;
    if (sim_traverse_measure(&t->sheet, sim_solid_nearest(&tree, p, INFINITY, point, &part), p, &near))
      sim_traverse_stand(&t->sheet, p, &near, &closest[i]);
    remember_place(t, p, &closest[i]);
  }
  free(tree.x);
  free(tree.order);
  free(tree.box);
  return st;
}
