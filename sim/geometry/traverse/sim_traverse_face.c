#include "sim_traverse_face.h"

#include <math.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_triangle.h"

#define LANES 16
#define THIN2                                                                                              \
  1e-6 /* square of the sine of a first corner's angle below which projections are found from the vertices \
          \ */
#define FLOAT_DOUBT                                                                                       \
  1e-6 /* of the extent: what a dozen roundings to 24 bits may do to a plane's distance, and half as much \
          again */

/* ---- planes ---- */

/* Triangles side by side, so that square roots and divisions vectorise. */
typedef struct lanes {
  double x[9][LANES], out[12][LANES];
} lanes;

CB_WIDE static void solve(lanes *l) {
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    double ax = l->x[3][i] - l->x[0][i], ay = l->x[4][i] - l->x[1][i], az = l->x[5][i] - l->x[2][i];
    double bx = l->x[6][i] - l->x[0][i], by = l->x[7][i] - l->x[1][i], bz = l->x[8][i] - l->x[2][i];
    double nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx,
           nn = nx * nx + ny * ny + nz * nz;
    double aa = ax * ax + ay * ay + az * az, ab = ax * bx + ay * by + az * bz,
           bb = bx * bx + by * by + bz * bz;
    double one = nn > 0 ? 1 / sqrt(nn) : 0, det = nn > THIN2 * (aa * bb) ? 1 / nn : NAN;
    for (int k = 0; k < 3; k++) l->out[k][i] = l->x[k][i];
    l->out[3][i] = one * nx, l->out[4][i] = one * ny, l->out[5][i] = one * nz;
    l->out[6][i] = det * (bb * ax - ab * bx), l->out[7][i] = det * (bb * ay - ab * by),
    l->out[8][i] = det * (bb * az - ab * bz);
    l->out[9][i] = det * (aa * bx - ab * ax), l->out[10][i] = det * (aa * by - ab * ay),
    l->out[11][i] = det * (aa * bz - ab * az);
  }
}

static void store_face(const sim_traverse_sheet *s, int triangle, const lanes *l, int lane) {
  sim_traverse_face *f = &s->face[triangle];
  for (int k = 0; k < 3; k++) {
    f->corner[k] = l->out[k][lane];
    f->normal[k] = l->out[3 + k][lane];
    f->along[0][k] = l->out[6 + k][lane];
    f->along[1][k] = l->out[9 + k][lane];
  }
  double from[3];
  sim_sub(f->corner, s->origin, from);
  for (int k = 0; k < 3; k++) s->plane[triangle][k] = (float)f->normal[k];
  s->plane[triangle][3] = (float)sim_dot(f->normal, from);
}

void sim_traverse_sheet_lay(sim_traverse_sheet *s, const double origin[3]) {
  memcpy(s->origin, origin, sizeof s->origin);
#pragma omp parallel for schedule(static)
  for (int first = 0; first < s->hull->n_triangles; first += LANES) {
    lanes l;
    int n = s->hull->n_triangles - first < LANES ? s->hull->n_triangles - first : LANES;
    for (int i = 0; i < LANES; i++) {
      const int *v = s->hull->triangle[first + (i < n ? i : 0)];
      for (int k = 0; k < 9; k++) l.x[k][i] = s->x[v[k / 3]][k % 3];
    }
    solve(&l);
    for (int i = 0; i < n; i++) store_face(s, first + i, &l, i);
  }
}

void sim_traverse_sheet_trust(sim_traverse_sheet *s, double extent_m) {
  s->doubt_m = (float)(FLOAT_DOUBT * extent_m);
}

bool sim_traverse_project(const sim_traverse_sheet *s, int triangle, const double p[3], double weight[3]) {
  const sim_traverse_face *f = &s->face[triangle];
  const int *v = s->hull->triangle[triangle];
  double a[3], b[3], d[3];
  sim_sub(p, f->corner, d);
  weight[1] = sim_dot(f->along[0], d);
  weight[2] = sim_dot(f->along[1], d);
  if (isnan(weight[1])) {
    sim_sub(s->x[v[1]], s->x[v[0]], a);
    sim_sub(s->x[v[2]], s->x[v[0]], b);
    double aa = sim_dot(a, a), ab = sim_dot(a, b), bb = sim_dot(b, b), da = sim_dot(d, a), db = sim_dot(d, b),
           det = aa * bb - ab * ab;
    if (!(det > 0)) return false;
    weight[1] = (da * bb - db * ab) / det;
    weight[2] = (db * aa - da * ab) / det;
  }
  weight[0] = 1 - weight[1] - weight[2];
  return true;
}

/* ---- sides ---- */

/* Normal at a corner: the sum over the triangles around, weighted by angle; not of unit length. */
static void corner_normal(const sim_traverse_sheet *s, int vertex, double normal[3]) {
  const sim_hull *h = s->hull;
  normal[0] = normal[1] = normal[2] = 0;
  for (int i = h->fan_start[vertex]; i < h->fan_start[vertex + 1]; i++) {
    int triangle = h->fan[i] / 3, k = h->fan[i] % 3;
    const int *v = h->triangle[triangle];
    double a[3], b[3], n[3];
    sim_sub(s->x[v[(k + 1) % 3]], s->x[vertex], a);
    sim_sub(s->x[v[(k + 2) % 3]], s->x[vertex], b);
    sim_cross(a, b, n);
    sim_add(normal, atan2(sim_norm(n), sim_dot(a, b)), s->face[triangle].normal);
  }
}

/* Whether the point is outside at a corner. The angles are computed only where the triangles around
 * disagree. */
static bool outside_corner(const sim_traverse_sheet *s, int vertex, const double d[3]) {
  const sim_hull *h = s->hull;
  bool some_out = false, some_in = false;
  for (int i = h->fan_start[vertex]; i < h->fan_start[vertex + 1]; i++) {
    double side = sim_dot(s->face[h->fan[i] / 3].normal, d);
    some_out = some_out || side > 0;
    some_in = some_in || side < 0;
  }
  if (!some_out || !some_in) return !some_in;
  double normal[3];
  corner_normal(s, vertex, normal);
  return sim_dot(normal, d) >= 0;
}

static bool outside(const sim_traverse_sheet *s, const double p[3], const sim_traverse_near *near) {
  int triangle = near->triangle, part = near->part;
  if (part >= 4) return outside_corner(s, s->hull->triangle[triangle][part - 4], near->away);
  if (part == 0) return sim_traverse_over(s, triangle, p) >= 0;
  int across = s->hull->across[triangle][part - 1];
  return sim_dot(s->face[triangle].normal, near->away) + sim_dot(s->face[across].normal, near->away) >= 0;
}

/* ---- measuring ---- */

bool sim_traverse_measure(const sim_traverse_sheet *s, int triangle, const double p[3],
                          sim_traverse_near *near) {
  const int *v = s->hull->triangle[triangle];
  double point[3], weight[3], away[3];
  int part = sim_triangle_nearest(s->x[v[0]], s->x[v[1]], s->x[v[2]], p, weight, point);
  sim_sub(p, point, away);
  double away2 = sim_dot(away, away);
  if (!(away2 < near->away2 || (away2 == near->away2 && triangle < near->triangle))) return false;
  *near = (sim_traverse_near){
      triangle, part, {weight[0], weight[1], weight[2]}, {away[0], away[1], away[2]}, away2};
  return true;
}

void sim_traverse_stand(const sim_traverse_sheet *s, const double p[3], const sim_traverse_near *near,
                        sim_closest_point *closest) {
  double distance_m = sqrt(near->away2);
  closest->triangle = near->triangle;
  memcpy(closest->weight, near->weight, sizeof closest->weight);
  closest->distance_m = outside(s, p, near) ? distance_m : -distance_m;
}

/* ---- closest points ---- */

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

void sim_traverse_place_of(const sim_traverse_sheet *s, const sim_closest_point *f, double point[3]) {
  const int *v = s->hull->triangle[f->triangle];
  for (int k = 0; k < 3; k++)
    point[k] = f->weight[0] * s->x[v[0]][k] + f->weight[1] * s->x[v[1]][k] + f->weight[2] * s->x[v[2]][k];
}

void sim_traverse_normal_of(const sim_traverse_sheet *s, const sim_closest_point *closest, double normal[3]) {
  int part = part_of(closest->weight);
  if (part >= 4) {
    corner_normal(s, s->hull->triangle[closest->triangle][part - 4], normal);
  } else {
    memcpy(normal, s->face[closest->triangle].normal, 3 * sizeof *normal);
    if (part > 0) sim_add(normal, 1, s->face[s->hull->across[closest->triangle][part - 1]].normal);
  }
  double length = sim_norm(normal);
  for (int k = 0; k < 3; k++)
    normal[k] = length > 0 ? normal[k] / length : s->face[closest->triangle].normal[k];
}
