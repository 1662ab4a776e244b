/* Single readings that do not belong: a hand that knocks the bench, a reading taken before the force had
 * settled. Every point is compared with what the points around it say where it stands: their median, carried
 * there with the median of their slopes (Theil 1950, Sen 1968), which half of them being wrong does not
 * move. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_stats.h"
#include "fit_stretch_impl.h"

#define SIDE 4    /* neighbours on either side */
#define AROUND 25 /* residuals on either side that tell the local scatter */
#define LIMIT 5.0 /* times the scatter */
#define AT_END \
  3.0 /* times that where the neighbours stand on one side only: a curve that bends leaves their line */
#define FLOOR 1e-3 /* the scatter is at least this part of the peak: smooth curves bend */
#define MAD 1.4826 /* median of absolute deviations -> standard deviation of a normal distribution */

/* Of a few: sorted by insertion. */
static double median_of(double *x, size_t n) {
  for (size_t i = 1; i < n; i++) {
    double v = x[i];
    size_t j = i;
    for (; j > 0 && x[j - 1] > v; j--) x[j] = x[j - 1];
    x[j] = v;
  }
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

typedef struct window {
  size_t from, n;
} window;

static window around(size_t i, size_t n, size_t side) {
  size_t width = 2 * side + 1 < n ? 2 * side + 1 : n, from = i > side ? i - side : 0;
  return (window){from + width > n ? n - width : from, width};
}

static bool at_end(size_t i, size_t n) { return i < SIDE || i + SIDE >= n; }

static double residual_in(const fit_stretch_point *p, window w, size_t i) {
  double slopes[(2 * SIDE + 1) * SIDE], offsets[2 * SIDE], slope = 0;
  size_t n_slopes = 0, n_offsets = 0;
  for (size_t a = w.from; a < w.from + w.n; a++)
    for (size_t b = a + 1; b < w.from + w.n; b++)
      if (a != i && b != i && p[b].x > p[a].x) slopes[n_slopes++] = (p[b].y - p[a].y) / (p[b].x - p[a].x);
  if (n_slopes) slope = median_of(slopes, n_slopes);
  for (size_t a = w.from; a < w.from + w.n; a++)
    if (a != i) offsets[n_offsets++] = p[a].y + slope * (p[i].x - p[a].x);
  return p[i].y - median_of(offsets, n_offsets);
}

/* At the ends only the nearest: how far a curve bends grows with the square of the way. */
static double residual_of(const fit_stretch_point *p, size_t n, size_t i) {
  return residual_in(p, around(i, n, at_end(i, n) ? SIDE / 2 : SIDE), i);
}

/* Where slack ends the curve has a kink: its points belong to the side they stand on. A slack strip bears no
 * force, where the line of its neighbours would have it push. */
static bool belongs_to_a_side(const fit_stretch_point *p, size_t n, size_t i, double limit) {
  const size_t before = i < SIDE ? i : SIDE, after = n - 1 - i < SIDE ? n - 1 - i : SIDE;
  const double left = before > 2 ? residual_in(p, (window){i - before, before + 1}, i) : INFINITY,
               right = after > 2 ? residual_in(p, (window){i, after + 1}, i) : INFINITY;
  const bool slack = right < INFINITY && p[i].y - right < 0 && fabs(p[i].y) <= limit;
  return slack || fabs(left) <= limit || fabs(right) <= limit;
}

static double local_scatter(const double *residual, size_t n, size_t i) {
  double size[2 * AROUND + 1];
  window w = around(i, n, AROUND);
  for (size_t a = 0; a < w.n; a++) size[a] = fabs(residual[w.from + a]);
  return MAD * median_of(size, w.n);
}

/* Blocks of points share their local scatter: it changes slowly, and a million points want an answer. */
static void mark(const fit_stretch_point *p, const double *residual, size_t n, double least, double *times) {
  double s = least;
  for (size_t i = 0; i < n; i++) {
    if (i % SIDE == 0) s = fmax(least, local_scatter(residual, n, i));
    double limit = at_end(i, n) ? AT_END * LIMIT : LIMIT;
    times[i] =
        fabs(residual[i]) > limit * s && !belongs_to_a_side(p, n, i, LIMIT * s) ? fabs(residual[i]) / s : 0;
  }
}

cb_status fit_stretch_find_outliers(const fit_stretch_point *p, size_t n, double digit, double *times,
                                    double *residual, fit_stretch_scatter *scatter, cb_err *err) {
  double peak = 0;
  memset(times, 0, n * sizeof *times);
  scatter->all = scatter->start = digit / sqrt(12);
  if (n < 2 * SIDE + 1) return CB_OK;
  double *work = malloc(2 * n * sizeof *work), *size = work + n;
  if (!work) return cb_no_memory(err, "the residuals of %zu points", n);
  for (size_t i = 0; i < n; i++) {
    peak = fmax(peak, p[i].y);
    residual[i] = residual_of(p, n, i);
    size[i] = fabs(residual[i]);
  }
  scatter->all = hypot(digit / sqrt(12), MAD * cb_median(size, n, work));
  scatter->start = hypot(digit / sqrt(12), local_scatter(residual, n, 0));
  free(work);
  mark(p, residual, n, fmax(scatter->all, fmax(digit, FLOOR * peak)), times);
  return CB_OK;
}
