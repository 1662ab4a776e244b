/* The branches of a cycle, and where its strain begins. */
#include <math.h>
#include <stdlib.h>

#include "fit_stretch_impl.h"

/* The way back must be longer than this part of the whole range to be one: clamps and cameras jitter. */
#define REVERSAL 0.05

/* A specimen hangs slack while its force is less than so many times its scatter, but never above this part of
 * the peak. */
#define SLACK_TIMES 3
#define SLACK_MOST 0.02

/* The line through the toe: at least so many points, so many times its standard uncertainty must its slope
 * be, at most this part of them.
 */
#define TOE_LEAST 5
#define TOE_SLOPE 10
#define TOE_MOST 10

/* Of a specimen that is tight from the start no more than this part of the range is added. */
#define MOST_BEFORE 0.1

typedef struct walk {
  size_t start, peak, end; /* loading: start..peak, unloading: peak..end */
  size_t cycles;
} walk;

static double range_of(const fit_stretch_input *in) {
  double lo = INFINITY, hi = -INFINITY;
  for (size_t i = 0; i < in->n; i++) lo = fmin(lo, in->points[i].x), hi = fmax(hi, in->points[i].x);
  return hi - lo;
}

/* From the turning point at `from` to the next one: the extremum in direction sign that is left by more than
 * the threshold, or the last. */
static size_t next_turn(const fit_stretch_input *in, size_t from, double sign, double threshold) {
  size_t best = from;
  for (size_t i = from; i < in->n; i++) {
    double d = sign * (in->points[i].x - in->points[best].x);
    if (d > 0) best = i;
    if (d < -threshold) break;
  }
  return best;
}

static walk walk_of(const fit_stretch_input *in) {
  double threshold = REVERSAL * range_of(in);
  walk w = {.cycles = 1};
  size_t lowest = next_turn(in, 0, -1, threshold);
  if (in->points[lowest].x < in->points[0].x - threshold) w.start = lowest;
  w.peak = next_turn(in, w.start, 1, threshold);
  w.end = next_turn(in, w.peak, -1, threshold);
  for (size_t low = w.end, high;; low = next_turn(in, high, -1, threshold)) {
    high = next_turn(in, low, 1, threshold);
    if (!(in->points[high].x > in->points[low].x + threshold)) break;
    w.cycles++;
  }
  return w;
}

cb_status fit_stretch_split(const fit_stretch_input *in, fit_stretch_branches *out, cb_err *err) {
  walk w = walk_of(in);
  *out = (fit_stretch_branches){
      .cycles = w.cycles, .n_loading = w.peak - w.start + 1, .n_unloading = w.end - w.peak + 1};
  size_t n = out->n_loading + out->n_unloading;
  out->loading = malloc(n * sizeof *out->loading);
  if (!out->loading) return cb_no_memory(err, "%zu points of a stretch test", n);
  out->unloading = out->loading + out->n_loading;
  if (out->n_unloading < 2) out->n_unloading = 0;
  for (size_t i = 0; i < out->n_loading; i++) {
    const cb_test_point *p = &in->points[w.start + i];
    out->loading[i] = (fit_stretch_point){p->x, p->y, w.start + i};
  }
  for (size_t i = 0; i < out->n_unloading; i++) {
    const cb_test_point *p = &in->points[w.peak + i];
    out->unloading[i] = (fit_stretch_point){p->x, p->y, w.peak + i};
  }
  fit_stretch_sort(out->loading, out->n_loading);
  fit_stretch_sort(out->unloading, out->n_unloading);
  return CB_OK;
}

void fit_stretch_branches_clear(fit_stretch_branches *b) {
  free(b->loading);
  *b = (fit_stretch_branches){0};
}

static int by_place(const void *a, const void *b) {
  const fit_stretch_point *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return p->index < q->index ? -1 : p->index > q->index;
}

void fit_stretch_sort(fit_stretch_point *p, size_t n) { qsort(p, n, sizeof *p, by_place); }

/* First point from which on two in a row hold more than the threshold; n: none. */
static size_t first_above(const fit_stretch_point *p, size_t n, double threshold) {
  for (size_t i = 0; i < n; i++)
    if (p[i].y > threshold && (i + 1 == n || p[i + 1].y > threshold)) return i;
  return n;
}

typedef struct toe {
  double x, y, xx, xy; /* means, sums of squares about them */
  size_t m;
} toe;

static toe toe_of(const fit_stretch_point *p, size_t m) {
  toe t = {.m = m};
  for (size_t k = 0; k < m; k++) t.x += p[k].x / (double)m, t.y += p[k].y / (double)m;
  for (size_t k = 0; k < m; k++)
    t.xx += (p[k].x - t.x) * (p[k].x - t.x), t.xy += (p[k].x - t.x) * (p[k].y - t.y);
  return t;
}

/* A straight line through the first points that surely bear a force, p[i] on: as few as tell its slope, for
 * the toe bends. Where it meets no force the strain begins - if the specimen was tight at the first point, or
 * hung slack for longer than the scatter explains. */
static double back_to_zero(const fit_stretch_point *p, size_t n, size_t i, double scatter_N) {
  size_t left = n - i, m = left < TOE_LEAST ? left : TOE_LEAST;
  toe t = toe_of(p + i, m);
  while (2 * m <= left / TOE_MOST && !(t.xy > TOE_SLOPE * scatter_N * sqrt(t.xx))) t = toe_of(p + i, m *= 2);
  if (!(t.xy > 0)) return p[0].x;
  double slope = t.xy / t.xx, back = t.y / slope,
         u = scatter_N / slope * sqrt(1 / (double)m + back * back / t.xx);
  double root = fmin(t.x - back, p[i].x), range = p[n - 1].x - p[0].x;
  if (i > 0 && !(root - p[0].x > SLACK_TIMES * u)) return p[0].x;
  return fmax(root, p[0].x - MOST_BEFORE * range);
}

static double at_pretension(const fit_stretch_point *p, size_t i, double pretension_N) {
  double rise = i > 0 ? p[i].y - p[i - 1].y : 0;
  return rise > 0 ? p[i].x - (p[i].x - p[i - 1].x) * fmin(1, (p[i].y - pretension_N) / rise) : p[i].x;
}

double fit_stretch_slack(const fit_stretch_point *p, size_t n, double scatter_N, double pretension_N) {
  double peak = 0;
  for (size_t i = 0; i < n; i++) peak = fmax(peak, p[i].y);
  size_t i =
      first_above(p, n, pretension_N > 0 ? pretension_N : fmin(SLACK_TIMES * scatter_N, SLACK_MOST * peak));
  if (i == n) return p[n - 1].x;
  return pretension_N > 0 ? at_pretension(p, i, pretension_N) : back_to_zero(p, n, i, scatter_N);
}
