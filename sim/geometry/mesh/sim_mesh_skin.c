/* Cloth sewn to a shape, and cases. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_mesh_skin.h"
#include "sim_vec.h"

/* The unit projection of v onto the triangle's plane; the normal may have any length. Returns false if v is
 * nearly along the normal or the triangle has no area; out is not to be used then. */
static bool into_plane(const double v[3], const double normal[3], double out[3]) {
  double square = sim_dot(normal, normal);
  memcpy(out, v, 3 * sizeof *v);
  if (!(square > 0)) return false;
  sim_add(out, -sim_dot(v, normal) / square, normal);
  double length = sim_norm(out);
  if (!(length > 0.1 * sim_norm(v))) return false;
  for (int k = 0; k < 3; k++) out[k] /= length;
  return true;
}

/* The direction in the triangle's plane along which the chart's first co-ordinate grows and the second stays;
 * x or y where the chart is torn or turned. */
static void warp_of(const double (*x)[3], const double (*chart)[2], const int v[3], const double normal[3],
                    double out[3]) {
  double a1 = chart[v[1]][0] - chart[v[0]][0], b1 = chart[v[1]][1] - chart[v[0]][1];
  double a2 = chart[v[2]][0] - chart[v[0]][0], b2 = chart[v[2]][1] - chart[v[0]][1], det = a1 * b2 - a2 * b1,
         e1[3], e2[3];
  sim_sub(x[v[1]], x[v[0]], e1);
  sim_sub(x[v[2]], x[v[0]], e2);
  for (int k = 0; k < 3; k++) out[k] = b2 * e1[k] - b1 * e2[k];
  double length = sim_norm(out), area = sim_norm(normal);
  if (det > 0.1 * area && det < 10 * area && length > 0) {
    for (int k = 0; k < 3; k++) out[k] /= length;
  } else if (!into_plane((const double[3]){1, 0, 0}, normal, out)) {
    (void)into_plane((const double[3]){0, 1, 0}, normal, out);
  }
}

/* The direction in the triangle's plane nearest to `direction`. If that is nearly along the normal: nearest
 * to the axis furthest from it. */
static void warp_near(const double direction[3], const double normal[3], double out[3]) {
  if (into_plane(direction, normal, out)) return;
  double other[3] = {0, 0, 0}, a[3] = {fabs(direction[0]), fabs(direction[1]), fabs(direction[2])};
  other[a[0] <= a[1] ? (a[0] <= a[2] ? 0 : 2) : (a[1] <= a[2] ? 1 : 2)] = 1;
  (void)into_plane(other, normal, out);
}

/* The source of a skin's warp. */
typedef struct weave {
  const double (*chart)[2]; /* NULL: the direction gives the warp */
  double direction[3];
} weave;

static void lay_corners(const double (*x)[3], const weave *w, const int v[3], double corner[3][2]) {
  double e1[3], e2[3], normal[3], warp[3], weft[3], d[3];
  sim_sub(x[v[1]], x[v[0]], e1);
  sim_sub(x[v[2]], x[v[0]], e2);
  sim_cross(e1, e2, normal);
  if (w->chart)
    warp_of(x, w->chart, v, normal, warp);
  else
    warp_near(w->direction, normal, warp);
  sim_cross(normal, warp, weft);
  double length = sim_norm(weft);
  for (int c = 0; c < 3; c++) {
    sim_sub(x[v[c]], x[v[0]], d);
    corner[c][0] = (w->chart ? w->chart[v[0]][0] : 0) + sim_dot(d, warp);
    /* a triangle of no area is refused later */
    corner[c][1] = (w->chart ? w->chart[v[0]][1] : 0) + (length > 0 ? sim_dot(d, weft) / length : 0);
  }
}

static cb_status skin_surface(const double (*x)[3], int n, const int (*triangle)[3], const weave *w,
                              int n_triangles, sim_mesh *out, cb_err *err) {
  if (n_triangles < 1)
    return sim_mesh_build(x, n, triangle, NULL, n_triangles, out, err); /* which says why not */
  double(*corner)[3][2] = malloc((size_t)n_triangles * sizeof *corner);
  *out = (sim_mesh){0};
  if (!corner) return cb_no_memory(err, "cloth of %d triangles", n_triangles);
  bool inside = true;
  for (int t = 0; t < n_triangles && inside; t++) {
    for (int k = 0; k < 3; k++) inside = inside && triangle[t][k] >= 0 && triangle[t][k] < n;
    if (inside) lay_corners(x, w, triangle[t], corner[t]);
  }
  cb_status st = sim_mesh_build(x, n, triangle, (const double(*)[3][2])corner, n_triangles, out, err);
  free(corner);
  return st;
}

/* Makes a skin from a chart: per vertex, about where it lies in the cloth. Warp runs where the chart's first
 * co-ordinate grows. Triangles over which the chart is torn or turned over use the direction nearest to x. */
static cb_status skin_with_chart(const double (*x)[3], int n, const int (*triangle)[3],
                                 const double (*chart)[2], int n_triangles, sim_mesh *out, cb_err *err) {
  return skin_surface(x, n, triangle, &(weave){.chart = chart}, n_triangles, out, err);
}

cb_status sim_mesh_skin_along(const double (*x)[3], int n, const int (*triangle)[3], const double warp[3],
                              int n_triangles, sim_mesh *out, cb_err *err) {
  *out = (sim_mesh){0};
  double length = sim_norm(warp);
  if (!(length > 0 && isfinite(length)))
    return cb_fail(err, CB_E_RANGE, "cloth: warp along (%g, %g, %g): a direction was wanted", warp[0],
                   warp[1], warp[2]);
  const weave w = {.direction = {warp[0], warp[1], warp[2]}};
  return skin_surface(x, n, triangle, &w, n_triangles, out, err);
}

/* ---- a case ---- */

typedef struct draft {
  int n, n_triangles;
  double (*x)[3], (*chart)[2];
  int (*triangle)[3], *below; /* below: the lower sheet's vertex for each of the grid's; the rim is both
                                 sheets' */
} draft;

static void draft_clear(draft *d) {
  free(d->x);
  free(d->chart);
  free(d->triangle);
  free(d->below);
}

/* Position on a case. u, v from -1 to 1; equal steps of u and v give about equal lengths on a sphere's
 * meridians. */
static void place_on_case(const sim_case *c, double u, double v, double side, double x[3]) {
  double most = fmax(fabs(u), fabs(v)), p = c->exponent[0], s = sin(CB_PI / 2 * most), round = 0;
  if (most > 0) round = s / (most * pow(pow(fabs(u / most), p) + pow(fabs(v / most), p), 1 / p));
  x[0] = c->half_m[0] * round * u;
  x[1] = c->half_m[1] * round * v;
  x[2] = most >= 1 ? 0 : side * c->half_m[2] * pow(1 - pow(s, p), 1 / c->exponent[1]);
}

/* The lower sheet lies beside the upper one in the cloth, turned over at the rim on its right. */
static void put_vertex(const sim_case *c, draft *d, int vertex, int a, int b, double side) {
  double u = 2.0 * a / c->cells[0] - 1, v = 2.0 * b / c->cells[1] - 1;
  place_on_case(c, u, v, side, d->x[vertex]);
  d->chart[vertex][0] = c->half_m[0] * (side > 0 ? u : 2 - u);
  d->chart[vertex][1] = c->half_m[1] * v;
}

static void draw_case(const sim_case *c, draft *d) {
  int across = c->cells[0] + 1, n_top = across * (c->cells[1] + 1);
  d->n = n_top;
  for (int i = 0; i < n_top; i++) {
    int a = i % across, b = i / across;
    bool rim = a == 0 || b == 0 || a == c->cells[0] || b == c->cells[1];
    put_vertex(c, d, i, a, b, 1);
    d->below[i] = rim ? i : d->n++;
    if (!rim) put_vertex(c, d, d->below[i], a, b, -1);
  }
  for (int b = 0; b < c->cells[1]; b++)
    for (int a = 0; a < c->cells[0]; a++) {
      int p = b * across + a, q[4] = {p, p + 1, p + 1 + across, p + across};
      /* Cells are cut towards the middle. Otherwise a corner of the rim would be a triangle of its own, which
       * would stay flat. */
      bool slash = (2 * a < c->cells[0]) == (2 * b < c->cells[1]);
      int cut[2][3] = {{0, 1, slash ? 2 : 3}, {slash ? 0 : 1, 2, 3}};
      for (int k = 0; k < 2; k++) {
        int *up = d->triangle[d->n_triangles++], *down = d->triangle[d->n_triangles++];
        for (int e = 0; e < 3; e++) {
          up[e] = q[cut[k][e]];
          down[2 - e] = d->below[q[cut[k][e]]];
        }
      }
    }
}

cb_status sim_mesh_case(const sim_case *c, sim_mesh *out, cb_err *err) {
  *out = (sim_mesh){0};
  for (int k = 0; k < 3; k++) CB_TRY(cb_check_range(c->half_m[k], 1e-6, 1e6, "case: half a side", "m", err));
  for (int k = 0; k < 2; k++) {
    CB_TRY(cb_check_range(c->exponent[k], 2, 10, "case: exponent", "", err));
    CB_TRY(cb_check_range(c->cells[k], 2, 4096, "case: cells", "", err));
  }
  size_t grid = (size_t)(c->cells[0] + 1) * (size_t)(c->cells[1] + 1),
         cells = (size_t)c->cells[0] * (size_t)c->cells[1];
  draft d = {.x = malloc(2 * grid * sizeof *d.x),
             .chart = malloc(2 * grid * sizeof *d.chart),
             .triangle = malloc(4 * cells * sizeof *d.triangle),
             .below = calloc(grid, sizeof *d.below)};
  cb_status st =
      d.x && d.chart && d.triangle && d.below ? CB_OK : cb_no_memory(err, "case of %zu cells", cells);
  if (st == CB_OK) {
    draw_case(c, &d);
    st = skin_with_chart((const sim_vec3 *)d.x, d.n, (const int(*)[3])d.triangle, (const double(*)[2])d.chart,
                         d.n_triangles, out, err);
  }
  draft_clear(&d);
  return st;
}
