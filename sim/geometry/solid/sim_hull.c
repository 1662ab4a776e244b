#include "sim_traverse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TRIANGLES (1 << 26)

void sim_hull_clear(sim_hull *h) {
  free(h->triangle);
  free(h->across);
  free(h->fan_start);
  free(h->fan);
  *h = (sim_hull){0};
}

static cb_status check_triangles(const int (*triangle)[3], int n_triangles, int n_vertices, cb_err *err) {
  if (n_vertices < 4 || n_triangles < 4 || n_triangles > MAX_TRIANGLES)
    return cb_fail(
        err, CB_E_RANGE,
        "surface: %d vertices and %d triangles: at least 4 of each, at most %d triangles were wanted",
        n_vertices, n_triangles, MAX_TRIANGLES);
  for (int t = 0; t < n_triangles; t++)
    for (int k = 0; k < 3; k++)
      if (triangle[t][k] < 0 || triangle[t][k] >= n_vertices)
        return cb_fail(err, CB_E_RANGE, "surface: triangle %d: vertex %d: must be 0 to %d", t, triangle[t][k],
                       n_vertices - 1);
  return CB_OK;
}

/* ---- edges ---- */

typedef struct half {
  int low, high, triangle, corner; /* the corner opposite to the edge */
  bool upwards;
} half;

static int by_edge(const void *a, const void *b) {
  const half *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

static cb_status join_halves(const sim_hull *s, const half *h, int n, cb_err *err) {
  if (n == 1)
    return cb_fail(err, CB_E_RANGE,
                   "the surface is open: the edge of vertices %d and %d belongs to triangle %d only", h->low,
                   h->high, h->triangle);
  if (n > 2)
    return cb_fail(err, CB_E_RANGE, "the edge of vertices %d and %d has %d triangles: two were wanted",
                   h->low, h->high, n);
  if (h[0].upwards == h[1].upwards)
    return cb_fail(err, CB_E_RANGE,
                   "triangles %d and %d turn against each other over the edge of vertices %d and %d",
                   h[0].triangle, h[1].triangle, h->low, h->high);
  for (int i = 0; i < 2; i++) s->across[h[i].triangle][h[i].corner] = h[1 - i].triangle;
  return CB_OK;
}

static cb_status join_all(const sim_hull *s, cb_err *err) {
  int n = 3 * s->n_triangles;
  half *h = malloc((size_t)n * sizeof *h);
  if (!h) return cb_no_memory(err, "surface, the edges of %d triangles", s->n_triangles);
  for (int i = 0; i < n; i++) {
    int a = s->triangle[i / 3][(i + 1) % 3], b = s->triangle[i / 3][(i + 2) % 3];
    h[i] = (half){a < b ? a : b, a < b ? b : a, i / 3, i % 3, a < b};
  }
  qsort(h, (size_t)n, sizeof *h, by_edge);
  cb_status st = CB_OK;
  for (int i = 0, run; i < n && st == CB_OK; i += run) {
    for (run = 1; i + run < n && h[i + run].low == h[i].low && h[i + run].high == h[i].high;) run++;
    st = join_halves(s, h + i, run, err);
  }
  free(h);
  return st;
}

/* ---- corners ---- */

static void fan_out(const sim_hull *s) {
  for (int i = 0; i < 3 * s->n_triangles; i++) s->fan_start[s->triangle[i / 3][i % 3] + 1]++;
  for (int v = 0; v < s->n_vertices; v++) s->fan_start[v + 1] += s->fan_start[v];
  for (int i = 3 * s->n_triangles - 1; i >= 0; i--) s->fan[--s->fan_start[s->triangle[i / 3][i % 3] + 1]] = i;
  /* Every start went down to its own begin, which is the end of the one before: shift. */
  memmove(s->fan_start, s->fan_start + 1, (size_t)s->n_vertices * sizeof *s->fan_start);
  s->fan_start[s->n_vertices] = 3 * s->n_triangles;
}

cb_status sim_hull_build(const int (*triangle)[3], int n_triangles, int n_vertices, sim_hull *out,
                         cb_err *err) {
  *out = (sim_hull){0};
  CB_TRY(check_triangles(triangle, n_triangles, n_vertices, err));
  size_t n = (size_t)n_triangles;
  *out = (sim_hull){.n_vertices = n_vertices,
                    .n_triangles = n_triangles,
                    .triangle = malloc(n * sizeof *out->triangle),
                    .across = malloc(n * sizeof *out->across),
                    .fan_start = calloc((size_t)n_vertices + 1, sizeof *out->fan_start),
                    .fan = malloc(3 * n * sizeof *out->fan)};
  if (!out->triangle || !out->across || !out->fan_start || !out->fan)
    return cb_no_memory(err, "surface, %d triangles", n_triangles);
  memcpy(out->triangle, triangle, n * sizeof *triangle);
  CB_TRY(join_all(out, err));
  fan_out(out);
  return CB_OK;
}
