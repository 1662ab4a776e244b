#include "sim_solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_obj.h"
#include "sim_solid_tree.h"
#include "sim_traverse.h"
#include "sim_vec.h"

#define MAX_BYTES ((size_t)1 << 30)
#define MAX_TRIANGLES (1 << 26)
#define MAX_M 1e9
#define GRID 32         /* cells along the longest side */
#define NO_AREA 1e-12   /* of the longest edge's square */
#define ON_SURFACE 1e-9 /* of the size: nearer, the vector to the nearest point has no direction */

void sim_solid_free(sim_solid *s) {
  if (!s) return;
  free(s->x);
  free(s->triangle);
  free(s->normal);
  free(s->order);
  free(s->box);
  free(s->distance_m);
  sim_core_clear(&s->core);
  free(s);
}

/* ---- input checks ---- */

static cb_status check_counts(int n_vertices, int n_triangles, cb_err *err) {
  if (n_vertices < 4 || n_triangles < 4 || n_triangles > MAX_TRIANGLES)
    return cb_fail(
        err, CB_E_RANGE,
        "solid: %d vertices and %d triangles: at least 4 of each, at most %d triangles were wanted",
        n_vertices, n_triangles, MAX_TRIANGLES);
  return CB_OK;
}

static cb_status check_triangle(const sim_solid *s, int t, cb_err *err) {
  const int *v = s->triangle[t];
  double longest2 = 0, e[3][3], n[3];
  for (int k = 0; k < 3; k++) {
    if (v[k] < 0 || v[k] >= s->n_vertices)
      return cb_fail(err, CB_E_RANGE, "solid: triangle %d: vertex %d: must be 0 to %d", t, v[k],
                     s->n_vertices - 1);
    for (int c = 0; c < 3; c++)
      if (!(fabs(s->x[v[k]][c]) <= MAX_M))
        return cb_fail(err, CB_E_NUM, "solid: vertex %d: co-ordinate %d is %g m: at most %g was wanted", v[k],
                       c, s->x[v[k]][c], MAX_M);
  }
  for (int k = 0; k < 3; k++) {
    sim_sub(s->x[v[(k + 1) % 3]], s->x[v[k]], e[k]);
    longest2 = fmax(longest2, sim_dot(e[k], e[k]));
  }
  sim_cross(e[0], e[1], n);
  double doubled = sim_norm(n);
  if (!(doubled > NO_AREA * longest2)) return cb_fail(err, CB_E_RANGE, "solid: triangle %d has no area", t);
  for (int k = 0; k < 3; k++) s->normal[t][0][k] = n[k] / doubled;
  return CB_OK;
}

/* ---- edges and corners ---- */

static void unit_or(const double n[3], const double otherwise[3], double out[3]) {
  double length = sim_norm(n);
  for (int k = 0; k < 3; k++) out[k] = length > 0 ? n[k] / length : otherwise[k];
}

/* Normals: of an edge the sum of its two triangles' normals; of a corner the sum over its triangles, weighted
 * by their angles there. */
static void find_normals(const sim_solid *s, const sim_hull *h) {
  for (int i = 0; i < 3 * s->n_triangles; i++) {
    const int t = i / 3, k = i % 3, at = s->triangle[t][k];
    double sum[3] = {0, 0, 0}, a[3], b[3], n[3];
    for (int j = 0; j < 3; j++) sum[j] = s->normal[t][0][j] + s->normal[h->across[t][k]][0][j];
    unit_or(sum, s->normal[t][0], s->normal[t][1 + k]);
    memset(sum, 0, sizeof sum);
    for (int f = h->fan_start[at]; f < h->fan_start[at + 1]; f++) {
      const int *v = s->triangle[h->fan[f] / 3], c = h->fan[f] % 3;
      sim_sub(s->x[v[(c + 1) % 3]], s->x[at], a);
      sim_sub(s->x[v[(c + 2) % 3]], s->x[at], b);
      sim_cross(a, b, n);
      sim_add(sum, atan2(sim_norm(n), sim_dot(a, b)), s->normal[h->fan[f] / 3][0]);
    }
    unit_or(sum, s->normal[t][0], s->normal[t][4 + k]);
  }
}

static cb_status join_parts(const sim_solid *s, cb_err *err) {
  sim_hull hull;
  cb_status st = sim_hull_build((const int(*)[3])s->triangle, s->n_triangles, s->n_vertices, &hull, err);
  if (st == CB_OK)
    find_normals(s, &hull);
  else
    st = cb_fail_in(err, st, "solid");
  sim_hull_clear(&hull);
  return st;
}

/* Sum of the tetrahedra between the triangles and the first vertex. */
static cb_status find_volume(sim_solid *s, cb_err *err) {
  for (int t = 0; t < s->n_triangles; t++) {
    double e[3][3], n[3];
    for (int k = 0; k < 3; k++) sim_sub(s->x[s->triangle[t][k]], s->x[0], e[k]);
    sim_cross(e[1], e[2], n);
    s->volume_m3 += sim_dot(e[0], n) / 6;
  }
  if (s->volume_m3 > 0) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "solid: its volume is %g m3: the triangles must run counter-clockwise, seen from outside",
                 s->volume_m3);
}

/* ---- distance ---- */

static double size_of(const sim_solid *s) {
  double d[3];
  sim_sub(s->box[0].high, s->box[0].low, d);
  return sim_norm(d);
}

static double distance_within(const sim_solid *s, const double x[3], double within, double normal[3]) {
  double p[3], d[3];
  int part, t = sim_solid_nearest(s, x, within, p, &part);
  if (t < 0) return INFINITY;
  sim_sub(x, p, d);
  const double *n = s->normal[t][part];
  double length = sim_norm(d), sign = sim_dot(d, n) < 0 ? -1 : 1;
  bool far = length > ON_SURFACE * size_of(s);
  for (int k = 0; k < 3; k++) normal[k] = far ? sign * d[k] / length : n[k];
  return sign * length;
}

double sim_solid_distance(const sim_solid *s, const double x_m[3], double normal[3]) {
  return distance_within(s, x_m, INFINITY, normal);
}

/* The grid has one cell more around the box, so a point outside of the grid is outside of the solid. */
static cb_status fill_grid(sim_solid *s, cb_err *err) {
  const sim_solid_box *b = &s->box[0];
  double longest = 0;
  for (int k = 0; k < 3; k++) longest = fmax(longest, b->high[k] - b->low[k]);
  s->cell_m = longest / GRID;
  size_t n = 1;
  for (int k = 0; k < 3; k++) {
    s->cells[k] = (int)ceil((b->high[k] - b->low[k]) / s->cell_m) + 2;
    s->grid_low[k] = b->low[k] - s->cell_m;
    n *= (size_t)s->cells[k] + 1;
  }
  s->distance_m = malloc(n * sizeof *s->distance_m);
  if (!s->distance_m) return cb_no_memory(err, "solid, a grid of %zu nodes", n);
#pragma omp parallel for schedule(static)
  for (int z = 0; z <= s->cells[2]; z++)
    for (int y = 0; y <= s->cells[1]; y++)
      for (int x = 0; x <= s->cells[0]; x++) {
        const double at[3] = {s->grid_low[0] + x * s->cell_m, s->grid_low[1] + y * s->cell_m,
                              s->grid_low[2] + z * s->cell_m};
        double normal[3];
        size_t node =
            ((size_t)z * ((size_t)s->cells[1] + 1) + (size_t)y) * ((size_t)s->cells[0] + 1) + (size_t)x;
        s->distance_m[node] = (float)sim_solid_distance(s, at, normal);
      }
  return CB_OK;
}

/* Bounds of the distance: that of the nearest node, plus or minus the way from there. Returns false outside
 * of the grid. */
static bool bounds_of(const sim_solid *s, const double x[3], double *least, double *most) {
  size_t node = 0;
  double way2 = 0;
  for (int k = 2; k >= 0; k--) {
    double at = (x[k] - s->grid_low[k]) / s->cell_m;
    if (!(at >= 0 && at <= s->cells[k])) return false;
    double nearest = floor(at + 0.5);
    way2 += (at - nearest) * (at - nearest);
    node = node * ((size_t)s->cells[k] + 1) + (size_t)nearest;
  }
  double way = sqrt(way2) * s->cell_m, d = (double)s->distance_m[node], rounding = 1e-6 * fabs(d);
  *least = d - way - rounding;
  *most = d + way + rounding;
  return true;
}

bool sim_solid_near(const sim_solid *s, const double x_m[3], double within_m, double *distance_m,
                    double normal[3]) {
  double least, most, d = INFINITY;
  if (bounds_of(s, x_m, &least, &most)) {
    if (least > within_m) return false;
    d = distance_within(s, x_m, 1.0001 * fmax(fabs(least), fabs(most)), normal);
  } else {
    d = distance_within(s, x_m, within_m, normal);
  }
  if (!(d < within_m)) return false;
  *distance_m = d;
  return true;
}

const sim_core *sim_solid_core(const sim_solid *s) { return &s->core; }

double sim_solid_volume_m3(const sim_solid *s) { return s->volume_m3; }

int sim_solid_vertices(const sim_solid *s, const double (**position_m)[3]) {
  *position_m = (const sim_vec3 *)s->x;
  return s->n_vertices;
}

int sim_solid_triangles(const sim_solid *s, const int (**triangle)[3]) {
  *triangle = (const int(*)[3])s->triangle;
  return s->n_triangles;
}

/* ---- making ---- */

static cb_status fill_solid(sim_solid *s, const double (*x)[3], const int (*triangle)[3], cb_err *err) {
  size_t n = (size_t)s->n_vertices, nt = (size_t)s->n_triangles;
  s->x = malloc(n * sizeof *s->x);
  s->triangle = malloc(nt * sizeof *s->triangle);
  s->normal = malloc(nt * sizeof *s->normal);
  if (!s->x || !s->triangle || !s->normal) return cb_no_memory(err, "solid, %d triangles", s->n_triangles);
  memcpy(s->x, x, n * sizeof *s->x);
  memcpy(s->triangle, triangle, nt * sizeof *s->triangle);
  for (int t = 0; t < s->n_triangles; t++) CB_TRY(check_triangle(s, t, err));
  CB_TRY(join_parts(s, err));
  CB_TRY(find_volume(s, err));
  CB_TRY(sim_solid_plant(s, err));
  CB_TRY(sim_solid_find_core(s, &s->core, err));
  return fill_grid(s, err);
}

cb_status sim_solid_new(const double (*x)[3], int n_vertices, const int (*triangle)[3], int n_triangles,
                        sim_solid **out, cb_err *err) {
  *out = NULL;
  CB_TRY(check_counts(n_vertices, n_triangles, err));
  sim_solid *s = calloc(1, sizeof *s);
  if (!s) return cb_no_memory(err, "solid");
  s->n_vertices = n_vertices;
  s->n_triangles = n_triangles;
  cb_status st = fill_solid(s, x, triangle, err);
  if (st == CB_OK)
    *out = s;
  else
    sim_solid_free(s);
  return st;
}

static cb_status from_obj(cb_obj *o, const char *name, double m_per_unit, sim_solid **out, cb_err *err) {
  if (!(m_per_unit > 0 && isfinite(m_per_unit)))
    return cb_fail(err, CB_E_RANGE, "%s: m_per_unit = %g: must be > 0 and finite", name, m_per_unit);
  for (size_t i = 0; i < o->n_vertices; i++)
    for (int k = 0; k < 3; k++) o->vertex[i][k] *= m_per_unit;
  cb_status st =
      o->n_triangles > MAX_TRIANGLES || o->n_vertices > MAX_TRIANGLES
          ? cb_fail(err, CB_E_RANGE, "%zu triangles: at most %d were wanted", o->n_triangles, MAX_TRIANGLES)
          : sim_solid_new((const sim_vec3 *)o->vertex, (int)o->n_vertices, (const int(*)[3])o->triangle,
                          (int)o->n_triangles, out, err);
  return st == CB_OK ? st : cb_fail_in(err, st, "%s", name);
}

cb_status sim_solid_parse(const char *text, size_t n, const char *name, double m_per_unit, sim_solid **out,
                          cb_err *err) {
  cb_obj o;
  *out = NULL;
  cb_status st = cb_obj_parse(text, n, name, &o, err);
  if (st == CB_OK) st = from_obj(&o, name, m_per_unit, out, err);
  cb_obj_clear(&o);
  return st;
}

cb_status sim_solid_read(const char *path, double m_per_unit, sim_solid **out, cb_err *err) {
  cb_obj o;
  *out = NULL;
  cb_status st = cb_obj_read(path, MAX_BYTES, &o, err);
  if (st == CB_OK) st = from_obj(&o, path, m_per_unit, out, err);
  cb_obj_clear(&o);
  return st;
}

/* Points 0 to n - 1 around the lower end, n to 2 n - 1 around the upper one, then the two middles. */
static void stand(double radius_m, double length_m, int n, double (*x)[3], int (*triangle)[3]) {
  for (int i = 0; i < n; i++) {
    const double phi = 2 * CB_PI * i / n;
    for (int end = 0; end < 2; end++) {
      const double at[3] = {radius_m * cos(phi), radius_m * sin(phi), (end - 0.5) * length_m};
      memcpy(x[end * n + i], at, sizeof at);
    }
    const int a = i, b = (i + 1) % n, c = n + b, d = n + a;
    const int four[4][3] = {{a, b, c}, {a, c, d}, {2 * n, b, a}, {2 * n + 1, d, c}};
    memcpy(triangle[4 * (size_t)i], four, sizeof four);
  }
  for (int end = 0; end < 2; end++) {
    const double middle[3] = {0, 0, (end - 0.5) * length_m};
    memcpy(x[2 * n + end], middle, sizeof middle);
  }
}

cb_status sim_solid_cylinder(double radius_m, double length_m, int around, sim_solid **out, cb_err *err) {
  *out = NULL;
  if (!(radius_m > 0 && length_m > 0 && isfinite(radius_m + length_m)) || around < 3 || around > 4096)
    return cb_fail(
        err, CB_E_RANGE,
        "cylinder: radius %g m, length %g m, %d around: numbers above 0, 3 to 4096 around were wanted",
        radius_m, length_m, around);
  const size_t n = 2 * (size_t)around + 2;
  double(*x)[3] = malloc(n * sizeof *x);
  int(*triangle)[3] = malloc(4 * (size_t)around * sizeof *triangle);
  cb_status st;
  if (x && triangle) {
    stand(radius_m, length_m, around, x, triangle);
    st = sim_solid_new((const sim_vec3 *)x, (int)n, (const int(*)[3])triangle, 4 * around, out, err);
  } else {
    st = cb_no_memory(err, "cylinder, %zu vertices", n);
  }
  free(x);
  free(triangle);
  return st;
}

static void wind(double ring_m, double tube_m, int n, double (*x)[3], int (*triangle)[3]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double phi = 2 * CB_PI * i / n, psi = 2 * CB_PI * j / n, r = ring_m + tube_m * cos(psi);
      const double at[3] = {r * cos(phi), r * sin(phi), tube_m * sin(psi)};
      memcpy(x[i * n + j], at, sizeof at);
      int a = i * n + j, b = (i + 1) % n * n + j, c = (i + 1) % n * n + (j + 1) % n, d = i * n + (j + 1) % n;
      const int quad[2][3] = {{a, b, c}, {a, c, d}};
      memcpy(triangle[2 * (size_t)a], quad, sizeof quad);
    }
}

cb_status sim_solid_torus(double ring_m, double tube_m, int around, sim_solid **out, cb_err *err) {
  *out = NULL;
  if (!(tube_m > 0 && ring_m > tube_m && isfinite(ring_m)) || around < 3 || around > 4096)
    return cb_fail(err, CB_E_RANGE,
                   "torus: ring %g m, tube %g m, %d around: 0 < tube < ring, 3 to 4096 around were wanted",
                   ring_m, tube_m, around);
  size_t n = (size_t)around * (size_t)around;
  double(*x)[3] = malloc(n * sizeof *x);
  int(*triangle)[3] = malloc(2 * n * sizeof *triangle);
  cb_status st;
  if (x && triangle) {
    wind(ring_m, tube_m, around, x, triangle);
    st = sim_solid_new((const sim_vec3 *)x, (int)n, (const int(*)[3])triangle, 2 * (int)n, out, err);
  } else {
    st = cb_no_memory(err, "torus, %zu vertices", n);
  }
  free(x);
  free(triangle);
  return st;
}
