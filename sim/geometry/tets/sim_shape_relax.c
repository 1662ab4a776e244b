/* Relaxation of raw surfaces to even triangles, and the number of their vertices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_shape_impl.h"
#include "sim_vec.h"

cb_status sim_shape_check_fans(const sim_hull *h, double cell, cb_err *err) {
  for (int v = 0; v < h->n_vertices; v++) {
    int n = h->fan_start[v + 1] - h->fan_start[v], first = n > 0 ? h->fan[h->fan_start[v]] : 0,
        corner = first, turns = 0;
    do {
      int t = h->across[corner / 3][(corner % 3 + 1) % 3];
      for (int k = 0; k < 3 && n > 0; k++)
        if (h->triangle[t][k] == v) corner = 3 * t + k;
    } while (++turns < n && corner != first);
    if (n > 0 && turns != n)
      return cb_fail(err, CB_E_RANGE,
                     "shape: cells of %g m are too large for it: its surface touches itself at vertex %d",
                     cell, v);
  }
  return CB_OK;
}

/* Sums of the centres of the triangles around each vertex, weighted by area; the weights in [3]. */
static void middles(const sim_shape_surface *s, double (*sum)[4]) {
  memset(sum, 0, (size_t)s->n_vertices * sizeof *sum);
  for (int t = 0; t < s->n_triangles; t++) {
    const int *v = s->triangle[t];
    double d[3], e[3], n[3], middle[3];
    sim_sub(s->x_m[v[1]], s->x_m[v[0]], d);
    sim_sub(s->x_m[v[2]], s->x_m[v[0]], e);
    sim_cross(d, e, n);
    double area = sim_norm(n);
    for (int k = 0; k < 3; k++) middle[k] = s->x_m[v[0]][k] + (d[k] + e[k]) / 3;
    for (int c = 0; c < 3; c++) {
      sim_add(sum[v[c]], area, middle);
      sum[v[c]][3] += area;
    }
  }
}

/* Moves the vertices. normal: gradient at each vertex's previous place; so a round evaluates the function
 * once per vertex. */
static void relax_surface(const sim_shape_field *f, double level, sim_shape_surface *s,
                          const double (*sum)[4], double (*normal)[3]) {
#pragma omp parallel for schedule(static)
  for (int v = 0; v < s->n_vertices; v++) {
    double to[3], square = sim_dot(normal[v], normal[v]);
    for (int k = 0; k < 3; k++) to[k] = sum[v][k] / sum[v][3] - s->x_m[v][k];
    if (square > 0) sim_add(to, -sim_dot(to, normal[v]) / square, normal[v]);
    sim_add(s->x_m[v], 1, to);
    double off = sim_shape_field_at(f, s->x_m[v], normal[v]) - level;
    square = sim_dot(normal[v], normal[v]);
    if (square > 0) sim_add(s->x_m[v], -off / square, normal[v]);
  }
}

static cb_status relax_all(const sim_shape_field *field, double level, int rounds, sim_shape_flip *f,
                           cb_err *err) {
  sim_shape_surface *s = f->surface;
  double(*sum)[4] = malloc((size_t)s->n_vertices * sizeof *sum),
  (*normal)[3] = calloc((size_t)s->n_vertices, sizeof *normal);
  bool enough = sum && normal;
  for (int i = 0; i < rounds && enough; i++) {
    (void)sim_shape_flip_all(f, i >= rounds / 2);
    middles(s, sum);
    relax_surface(field, level, s, (const double(*)[4])sum, normal);
  }
  for (int v = 0; v < s->n_vertices && enough; v++)
    sim_shape_field_project(field, level, 2, s->x_m[v], normal[v]);
  free(sum);
  free(normal);
  return enough ? CB_OK : cb_no_memory(err, "shape, %d vertices", s->n_vertices);
}

/* Relaxes a surface in place. In each round edges are flipped, in the first half of the rounds towards six
 * edges per vertex, then towards Delaunay. Vertices then move along the surface to the middles of their
 * triangles, and back onto `level`. Errors: CB_E_NOMEM. */
static cb_status relax_flipped(const sim_shape_field *field, double level, int rounds, sim_shape_surface *s,
                               cb_err *err) {
  sim_shape_flip f;
  cb_status st = sim_shape_flip_init(&f, s, err);
  if (st == CB_OK) st = relax_all(field, level, rounds, &f, err);
  if (st == CB_OK) (void)sim_shape_flip_all(&f, true);
  sim_shape_flip_clear(&f);
  return st;
}

/* ---- number of vertices ---- */

#define ROUNDS 24

/* Finds the cells' size for about `wanted` vertices. The number is proportional to size^-2, better for
 * smaller cells; from one surface to the next it grows at most tenfold. Thin places need small cells to begin
 * with. */
static cb_status fitted(const sim_shape_field *f, double level, int wanted, sim_shape_surface *out,
                        cb_err *err) {
  double cell = INFINITY, found = INFINITY;
  for (int k = 0; k < 3; k++) cell = fmin(cell, (f->high[k] - f->low[k] + 2 * fmax(level, 0)) / 10);
  for (int i = 0; i < 12 && fabs(found / wanted - 1) > 0.03; i++) {
    sim_shape_surface_clear(out);
    cb_status st = sim_shape_surface_raw(f, level, cell, out, err);
    if (st == CB_E_RANGE && isinf(found)) {
      cell /= 1.6;
      continue;
    }
    CB_TRY(st);
    found = out->n_vertices;
    cell *= sqrt(found / fmin(wanted, 10 * found));
  }
  return isinf(found) ? cb_fail_in(err, CB_E_RANGE, "skin") : CB_OK;
}

/* Renumbers the surface, since the lattice is ordered by blocks. */
static cb_status number_for_caches(sim_shape_surface *s, cb_err *err) {
  int *order = malloc((size_t)s->n_vertices * sizeof *order),
      *triangle_order = malloc((size_t)s->n_triangles * sizeof *triangle_order);
  int(*triangle)[3] = malloc((size_t)s->n_triangles * sizeof *triangle);
  double(*x)[3] = malloc((size_t)s->n_vertices * sizeof *x);
  cb_status st = order && triangle_order && triangle && x
                     ? CB_OK
                     : cb_no_memory(err, "shape, %d vertices", s->n_vertices);
  if (st == CB_OK)
    st = sim_mesh_order((const int(*)[3])s->triangle, s->n_triangles, s->n_vertices, order, triangle_order,
                        triangle, err);
  if (st == CB_OK) {
    for (int v = 0; v < s->n_vertices; v++) memcpy(x[v], s->x_m[order[v]], sizeof x[v]);
    memcpy(s->x_m, x, (size_t)s->n_vertices * sizeof *x);
    memcpy(s->triangle, triangle, (size_t)s->n_triangles * sizeof *triangle);
  }
  free(order);
  free(triangle_order);
  free(triangle);
  free(x);
  return st;
}

cb_status sim_shape_skin(const sim_shape_body *body, double offset_m, int about, sim_shape_surface *out,
                         cb_err *err) {
  *out = (sim_shape_surface){0};
  sim_shape_field f;
  CB_TRY(sim_shape_check(body, err));
  CB_TRY(cb_check_range(offset_m, -1e3, 1e3, "shape: offset of the skin", "m", err));
  CB_TRY(cb_check_range(about, 50, 5e6, "shape: vertices of the skin", "", err));
  sim_shape_field_init(&f, body);
  cb_status st = fitted(&f, offset_m, about, out, err);
  if (st == CB_OK) st = relax_flipped(&f, offset_m, ROUNDS, out, err);
  if (st == CB_OK) st = number_for_caches(out, err);
  if (st != CB_OK) sim_shape_surface_clear(out);
  return st;
}
