/* The branches of a cycle. */
#include <math.h>
#include <stdlib.h>

#include "fit_stretch_impl.h"

/* The way back must be longer than this part of the whole range to be one: clamps and cameras jitter. */
#define REVERSAL 0.05

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

/* By displacement, then by order of taking. */
static int by_place(const void *a, const void *b) {
  const fit_stretch_point *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return p->index < q->index ? -1 : p->index > q->index;
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
  qsort(out->loading, out->n_loading, sizeof *out->loading, by_place);
  qsort(out->unloading, out->n_unloading, sizeof *out->unloading, by_place);
  return CB_OK;
}

void fit_stretch_branches_clear(fit_stretch_branches *b) {
  free(b->loading);
  *b = (fit_stretch_branches){0};
}
