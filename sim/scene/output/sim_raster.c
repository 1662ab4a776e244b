#include "sim_raster.h"

#include <math.h>
#include <string.h>

#include "sim_vec.h"

#define NEAR 0.02 /* of the camera's distance: what is nearer is not drawn */

void sim_camera_turn(sim_camera *c, const double back[3]) {
  const double up[3] = {0, 0, 1}, other[3] = {0, 1, 0};
  memcpy(c->back, back, sizeof c->back);
  sim_cross(fabs(back[2]) < 0.9999 ? up : other, back, c->right);
  double length = sim_norm(c->right);
  for (int k = 0; k < 3; k++) c->right[k] /= length;
  sim_cross(back, c->right, c->up);
}

void sim_camera_see(const sim_camera *c, const double p[3], float out[3]) {
  double d[3];
  sim_sub(p, c->middle, d);
  double z = sim_dot(d, c->back), scale = c->scale, key = z + c->depth;
  if (c->distance > 0) {
    double away = c->distance - z;
    key = away > NEAR * c->distance ? 1 / away : 0;
    scale *= key;
  }
  out[0] = (float)(c->x + scale * sim_dot(d, c->right));
  out[1] = (float)(c->y - scale * sim_dot(d, c->up));
  out[2] = (float)key;
}

static float cross2(const float a[3], const float b[3], float x, float y) {
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

void sim_raster_weights(const float a[3], const float b[3], const float c[3], float x, float y,
                        float weight[3]) {
  float area = cross2(a, b, c[0], c[1]);
  weight[0] = cross2(b, c, x, y) / area;
  weight[1] = cross2(c, a, x, y) / area;
  weight[2] = 1 - weight[0] - weight[1];
}

static int clamp(float v, int low, int high) {
  return v < (float)low ? low : v > (float)high ? high : (int)v;
}

static float least(float a, float b, float c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }
static float most(float a, float b, float c) { return -least(-a, -b, -c); }

/* Leaves out samples of a row that lie beyond the edge from a to b. Some beyond it stay: the last ones are
 * tested one by one, in single precision, whose rounding the margin covers. */
static void cut_span(const float a[3], const float b[3], float y, int *from, int *to) {
  const double rise = (double)b[1] - (double)a[1];
  if (rise == 0) return;
  const double way = ((double)b[0] - (double)a[0]) * ((double)y - (double)a[1]) / rise,
               at = (double)a[0] + way, margin = 2 + 1e-6 * (fabs(way) + fabs((double)a[0]));
  if (rise > 0 && at + margin < *to) *to = at + margin < *from ? *from : (int)(at + margin);
  if (rise < 0 && at - margin > *from) *from = at - margin > *to ? *to : (int)(at - margin);
}

/* Every sample is written, with what it had or with the nearer triangle: so several are compared at once. */
static void fill_keys(const float a[3], const float b[3], const float c[3], float area, float py, int from,
                      int to, float *key) {
  const float ka = a[2], kb = b[2], kc = c[2];
  for (int x = from; x < to; x++) {
    const float px = (float)x + 0.5F, wa = cross2(b, c, px, py), wb = cross2(c, a, px, py),
                wc = cross2(a, b, px, py), k = (wa * ka + wb * kb + wc * kc) / area, was = key[x];
    const int nearer = (wa >= 0) & (wb >= 0) & (wc >= 0) & (k > was);
    key[x] = nearer ? k : was;
  }
}

static void fill_row(const float a[3], const float b[3], const float c[3], float area, float py, int from,
                     int to, int number, float *restrict key, int *restrict triangle) {
  const float ka = a[2], kb = b[2], kc = c[2];
  for (int x = from; x < to; x++) {
    const float px = (float)x + 0.5F, wa = cross2(b, c, px, py), wb = cross2(c, a, px, py),
                wc = cross2(a, b, px, py), k = (wa * ka + wb * kb + wc * kc) / area, was = key[x];
    const int nearer = (wa >= 0) & (wb >= 0) & (wc >= 0) & (k > was), old = triangle[x];
    key[x] = nearer ? k : was;
    triangle[x] = nearer ? number : old;
  }
}

/* Most triangles of a fine mesh lie between samples: that is found out first. */
static void fill_one(const sim_raster *r, const float a[3], const float b[3], const float c[3], int number,
                     int first, int last) {
  int y0 = clamp(ceilf(least(a[1], b[1], c[1]) - 0.5F), first, last),
      y1 = clamp(floorf(most(a[1], b[1], c[1]) + 0.5F), first, last);
  if (y0 >= y1) return;
  int x0 = clamp(ceilf(least(a[0], b[0], c[0]) - 0.5F), 0, r->width),
      x1 = clamp(floorf(most(a[0], b[0], c[0]) + 0.5F), 0, r->width);
  float area = cross2(a, b, c[0], c[1]);
  if (x0 >= x1 || area == 0 || !isfinite(area)) return;
  if (area < 0) {
    const float *swap = b;
    b = c;
    c = swap;
    area = -area;
  }
  for (int y = y0; y < y1; y++) {
    const float py = (float)y + 0.5F;
    const size_t row = (size_t)(y - r->top) * (size_t)r->width;
    int from = x0, to = x1;
    cut_span(a, b, py, &from, &to);
    cut_span(b, c, py, &from, &to);
    cut_span(c, a, py, &from, &to);
    if (r->triangle)
      fill_row(a, b, c, area, py, from, to, number, r->key + row, r->triangle + row);
    else
      fill_keys(a, b, c, area, py, from, to, r->key + row);
  }
}

void sim_raster_fill(const sim_raster *r, const float (*seen)[3], const int (*triangle)[3], const bool *skip,
                     int n_triangles, int first, int last) {
  memset(r->key + (size_t)(first - r->top) * (size_t)r->width, 0,
         (size_t)(last - first) * (size_t)r->width * sizeof *r->key);
  for (int t = 0; t < n_triangles; t++) {
    if (skip && skip[t]) continue;
    const float *a = seen[triangle[t][0]], *b = seen[triangle[t][1]], *c = seen[triangle[t][2]];
    if (most(a[1], b[1], c[1]) < (float)first || least(a[1], b[1], c[1]) > (float)last) continue;
    if (least(a[2], b[2], c[2]) > 0) fill_one(r, a, b, c, t, first, last);
  }
}
