#include "fit_branch.h"

#include <math.h>

#include "cb_stats.h"

/* x has turned once it went back by this fraction of its range. */
#define TURN_REL 0.05

double fit_branch_turn(const cb_test_point *p, size_t n) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < n; i++) low = fmin(low, p[i].x), high = fmax(high, p[i].x);
  return TURN_REL * (high - low);
}

fit_branch fit_branch_next(const cb_test_point *p, size_t n, size_t from, double turn) {
  size_t low = from, high = from;
  for (size_t i = from; i < n; i++) {
    if (p[i].x > p[high].x) high = i;
    if (p[i].x < p[low].x) low = i;
    if (high > low && p[high].x - p[i].x > turn && p[high].x - p[from].x > turn)
      return (fit_branch){from, high + 1, 1};
    if (low > high && p[i].x - p[low].x > turn && p[from].x - p[low].x > turn)
      return (fit_branch){from, low + 1, -1};
  }
  return (fit_branch){from, n, p[n - 1].x >= p[from].x ? 1 : -1};
}

/* Neighbouring residuals share what the line cannot follow. */
static double inflation(const fit_branch_line *p, const cb_line *l) {
  double n_eff = 0;
  for (size_t i = 0; i < p->n; i++) p->y[i] -= l->intercept + l->slope * p->x[i];
  (void)cb_mean_uncertainty(p->y, p->n, &n_eff);
  return n_eff > 1 ? sqrt((double)p->n / n_eff) : 1;
}

bool fit_branch_fit(const cb_test_point *points, fit_branch b, int sign, double low, double high,
                    double where, fit_branch_line *p) {
  double first = INFINITY, last = -INFINITY;
  p->n = 0;
  for (size_t i = b.from; i < b.to; i++) {
    const double x = sign * points[i].x;
    if (!(x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9))) continue;
    p->x[p->n] = x - where, p->y[p->n] = sign * points[i].y;
    p->n++;
    first = fmin(first, x), last = fmax(last, x);
  }
  if (p->n < 3 || !(last - first >= 0.8 * (high - low))) return false;
  const cb_line l = cb_line_fit(p->x, p->y, p->n);
  const double grown = inflation(p, &l);
  p->slope = l.slope, p->u_slope = l.u_slope * grown;
  p->at = l.intercept, p->u_at = l.u_intercept * grown;
  return true;
}
