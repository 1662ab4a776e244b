/* Triangles seen along z, on a raster so fine that its pixels do not count. */
#include <math.h>
#include <stdlib.h>

#include "fit_drape.h"

/* 0.25 mm: counting pixels moves the coefficient of a 30 cm specimen by 1e-5. */
#define PIXEL_M 0.00025
#define MAX_SIDE_PX 8000.0

typedef struct box {
  double x_m, y_m; /* left, upper corner */
} box;

static cb_status make_room(const double (*vertex)[3], size_t n_vertices, const int (*triangle)[3],
                           size_t n_triangles, const char *name, box *b, fit_shadow *out, cb_err *err) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (size_t t = 0; t < n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      int v = triangle[t][k];
      if (v < 0 || (size_t)v >= n_vertices)
        return cb_fail(err, CB_E_RANGE, "%s: triangle %zu has vertex %d of %zu", name, t, v, n_vertices);
      for (int axis = 0; axis < 2; axis++) {
        if (!isfinite(vertex[v][axis])) return cb_fail(err, CB_E_NUM, "%s: vertex %d is not finite", name, v);
        low[axis] = fmin(low[axis], vertex[v][axis]);
        high[axis] = fmax(high[axis], vertex[v][axis]);
      }
    }
  double width = ceil((high[0] - low[0]) / PIXEL_M) + 4, height = ceil((high[1] - low[1]) / PIXEL_M) + 4;
  if (n_triangles == 0 || !(fmax(width, height) <= MAX_SIDE_PX))
    return cb_fail(
        err, CB_E_RANGE,
        "%s: %zu triangles of %g x %g m: at least one, and at most %g m were wanted (is it in metres?)", name,
        n_triangles, n_triangles ? high[0] - low[0] : 0.0, n_triangles ? high[1] - low[1] : 0.0,
        PIXEL_M * MAX_SIDE_PX);
  *b = (box){low[0] - 2 * PIXEL_M, high[1] + 2 * PIXEL_M};
  *out = (fit_shadow){
      .width = (size_t)width, .height = (size_t)height, .pixel_m = PIXEL_M, .scale_from = FIT_SCALE_MESH};
  out->cover = calloc(out->width * out->height, sizeof *out->cover);
  return out->cover ? CB_OK : cb_no_memory(err, "%s, %zu x %zu pixels", name, out->width, out->height);
}

/* Where the row y (pixel's middle) crosses the edge a-b. Half open, so that a row through a corner meets two
 * edges. From the lower end in both triangles of an edge: where it is all but level with the row, rounding
 * would else leave a slit between them. */
static int crossing(const double a[2], const double b[2], double y, double *x) {
  if ((a[1] <= y) == (b[1] <= y)) return 0;
  if (a[1] > b[1]) {
    const double *other = a;
    a = b;
    b = other;
  }
  *x = a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]);
  return 1;
}

static size_t clamp_index(double v, size_t n) { return v <= 0 ? 0 : v >= (double)n ? n : (size_t)v; }

/* All pixels whose middle is inside. */
static void fill_triangle(const double corner[3][2], fit_shadow *s) {
  double low = fmin(corner[0][1], fmin(corner[1][1], corner[2][1])),
         high = fmax(corner[0][1], fmax(corner[1][1], corner[2][1]));
  for (size_t j = clamp_index(ceil(low - 0.5), s->height); j < s->height && (double)j + 0.5 <= high; j++) {
    double x[3];
    int n = 0;
    for (int k = 0; k < 3; k++) n += crossing(corner[k], corner[(k + 1) % 3], (double)j + 0.5, &x[n]);
    if (n < 2) continue;
    size_t last = clamp_index(ceil(fmax(x[0], x[1]) - 0.5), s->width);
    for (size_t i = clamp_index(ceil(fmin(x[0], x[1]) - 0.5), s->width); i < last; i++)
      s->cover[j * s->width + i] = 1;
  }
}

cb_status fit_drape_mesh_shadow(const double (*vertex)[3], size_t n_vertices, const int (*triangle)[3],
                                size_t n_triangles, const char *name, fit_shadow *out, cb_err *err) {
  box b;
  *out = (fit_shadow){0};
  CB_TRY(make_room(vertex, n_vertices, triangle, n_triangles, name, &b, out, err));
  for (size_t t = 0; t < n_triangles; t++) {
    double corner[3][2];
    for (int k = 0; k < 3; k++) {
      corner[k][0] = (vertex[triangle[t][k]][0] - b.x_m) / PIXEL_M;
      corner[k][1] = (b.y_m - vertex[triangle[t][k]][1]) / PIXEL_M;
    }
    fill_triangle((const double(*)[2])corner, out);
  }
  return CB_OK;
}
