/* Straight lines through groups of points, and budgets: the arithmetic under a calibration. */
#include "fit_line.h"

#include <math.h>

#include "cb_plural.h"
#include "cb_stats.h"
#include "fit_calibration.h"

/* What is left of a group once its mean (and, with drift, its line over t) is taken out: the slope of all
 * groups together is the slope of what is left (Frisch & Waugh 1933). */
typedef struct group {
  size_t n;
  double t, x, y;  /* means */
  double per_t[2]; /* slopes of x and y over t */
} group;

static group group_of(const fit_line_point *p, size_t n, bool drift) {
  group g = {0};
  double tt = 0, tx = 0, ty = 0;
  while (g.n < n && p[g.n].group == p[0].group) g.n++;
  for (size_t i = 0; i < g.n; i++)
    g.t += p[i].t / (double)g.n, g.x += p[i].x / (double)g.n, g.y += p[i].y / (double)g.n;
  for (size_t i = 0; i < g.n; i++) {
    double t = p[i].t - g.t;
    tt += t * t, tx += t * (p[i].x - g.x), ty += t * (p[i].y - g.y);
  }
  if (drift && tt > 0) g.per_t[0] = tx / tt, g.per_t[1] = ty / tt;
  return g;
}

static double left_x(const group *g, const fit_line_point *p) {
  return p->x - g->x - g->per_t[0] * (p->t - g->t);
}
static double left_y(const group *g, const fit_line_point *p) {
  return p->y - g->y - g->per_t[1] * (p->t - g->t);
}

cb_status fit_line_make(const fit_line_point *p, size_t n, bool drift, fit_line *out, cb_err *err) {
  double xx = 0, xy = 0, raw = 0, rest = 0, mx = 0, my = 0;
  size_t groups = 0;
  *out = (fit_line){0};
  for (size_t i = 0; i < n; groups++) {
    group g = group_of(p + i, n - i, drift);
    for (size_t end = i + g.n; i < end; i++) {
      double x = left_x(&g, &p[i]);
      xx += x * x, xy += x * left_y(&g, &p[i]);
      raw += p[i].x * p[i].x;
      mx += p[i].x / (double)n, my += p[i].y / (double)n;
    }
  }
  size_t unknown = 1 + groups * (drift ? 2 : 1);
  if (n <= unknown)
    return cb_fail(err, CB_E_RANGE, "%zu point%s for a line with %zu unknown%s: more points are needed", n,
                   CB_S(n), unknown, CB_S(unknown));
  /* Rounding leaves something of equal numbers too. */
  if (!(xx > 1e-24 * raw))
    return cb_fail(err, CB_E_RANGE, "%zu point%s, all of them at one place: no line goes through them", n,
                   CB_S(n));
  out->slope = xy / xx;
  for (size_t i = 0; i < n;) {
    group g = group_of(p + i, n - i, drift);
    for (size_t end = i + g.n; i < end; i++) {
      double e = left_y(&g, &p[i]) - out->slope * left_x(&g, &p[i]);
      rest += e * e;
    }
  }
  out->dof = (double)(n - unknown);
  out->sd = sqrt(rest / out->dof);
  out->u_slope = out->sd / sqrt(xx);
  out->intercept = my - out->slope * mx;
  /* The mean of all y does not depend on the slope. */
  out->u_intercept = sqrt(out->sd * out->sd / (double)n + mx * mx * out->u_slope * out->u_slope);
  out->cov = -mx * out->u_slope * out->u_slope;
  return CB_OK;
}

fit_budget fit_budget_combine(const fit_budget_entry *e, size_t n) {
  double var = 0, worth = 0;
  for (size_t i = 0; i < n; i++) {
    double u2 = e[i].u_N * e[i].u_N;
    var += u2;
    if (isfinite(e[i].dof) && u2 > 0) worth += u2 * u2 / e[i].dof;
  }
  fit_budget b = {.u = sqrt(var), .dof = worth > 0 ? var * var / worth : INFINITY};
  /* Student's t for fewer than one degree of freedom has no use; the GUM's table begins there too. */
  b.k = cb_student_t(0.95, fmax(1, b.dof));
  b.U = b.k * b.u;
  return b;
}
