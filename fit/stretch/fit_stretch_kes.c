/* The figures of a KES-FB1 tensile test: S. Kawabata, The Standardization and Analysis of Hand Evaluation,
 * 2nd ed., Osaka 1980. WT = area under the loading curve up to the load, LT = WT / (load x strain / 2), RT =
 * area under the unloading curve / that under the loading curve, EMT = strain at the load. */
#include <math.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "fit_stretch_impl.h"

#define K CB_STRETCH_MAX_KNOTS

/* 500 gf/cm. */
#define STANDARD_LOAD_N_PER_M (0.5 * CB_STANDARD_GRAVITY_M_PER_S2 / 0.01)

typedef struct figures {
  double emt, wt, lt, rt;
} figures;

/* A branch as a direction of its own, for its curve's sake. */
static void branch_curve(const fit_stretch_point *p, size_t n, double from, double to, double scatter,
                         cb_stretch_direction *d) {
  double e[K], f[K], u[K];
  d->n_knots = n < K ? (n < 3 ? 3 : n) : K;
  for (size_t k = 0; k < d->n_knots; k++) e[k] = from + (to - from) * (double)k / (double)(d->n_knots - 1);
  fit_stretch_smooth(p, n, e, d->n_knots, scatter, f, u);
  for (size_t k = 0; k < d->n_knots; k++) d->knots[k] = (cb_stretch_knot){e[k] - from, f[k], u[k], NAN};
}

/* Area under the curve up to a strain: Simpson's rule on each piece, exact for cubics. */
static double area(const cb_stretch_direction *d, double to) {
  double sum = 0;
  for (size_t k = 0; k + 1 < d->n_knots && d->knots[k].strain < to; k++) {
    double a = d->knots[k].strain, b = fmin(d->knots[k + 1].strain, to);
    sum += (b - a) / 6 *
           (cb_stretch_curve(d, a, NULL) + 4 * cb_stretch_curve(d, 0.5 * (a + b), NULL) +
            cb_stretch_curve(d, b, NULL));
  }
  return sum;
}

static double strain_at(const cb_stretch_direction *d, double force) {
  double lo = 0, hi = cb_stretch_strain_max(d);
  if (cb_stretch_curve(d, hi, NULL) < force) return hi;
  for (int i = 0; i < 60; i++) {
    double mid = 0.5 * (lo + hi);
    if (cb_stretch_curve(d, mid, NULL) < force)
      lo = mid;
    else
      hi = mid;
  }
  return hi;
}

static figures figures_of(const fit_stretch_curve *c, double load) {
  cb_stretch_direction up, down;
  figures f = {NAN, NAN, NAN, NAN};
  branch_curve(c->loading, c->n_loading, 0, c->strain_max, c->scatter_N_per_m, &up);
  up.knots[0].force_N_per_m = 0;
  f.emt = strain_at(&up, load);
  f.wt = area(&up, f.emt);
  f.lt = f.wt / (0.5 * load * f.emt);
  if (c->n_unloading < 3) return f;
  double from = fmax(c->unloading[0].x, 0), to = c->unloading[c->n_unloading - 1].x;
  if (!(to > from)) return f;
  branch_curve(c->unloading, c->n_unloading, from, to, c->scatter_N_per_m, &down);
  f.rt = area(&down, to - from) / area(&up, c->strain_max);
  return f;
}

/* Mean and its standard uncertainty over the specimens, by Welford; NAN where any has none, u NAN of one. */
typedef struct mean {
  double n, value, sum2;
} mean;

static void add_value(mean *m, double x) {
  m->n++;
  double d = x - m->value;
  m->value += d / m->n;
  m->sum2 += d * (x - m->value);
}

static double u_of(const mean *m) { return m->n > 1 ? sqrt(m->sum2 / (m->n * (m->n - 1))) : NAN; }

void fit_stretch_kes(const fit_stretch_curve *const *curves, size_t n, double load_N_per_m,
                     cb_stretch_kes *kes) {
  mean emt = {0}, wt = {0}, lt = {0}, rt = {0};
  double peak = INFINITY;
  for (size_t i = 0; i < n; i++) peak = fmin(peak, curves[i]->peak_N_per_m);
  double load = fmin(load_N_per_m > 0 ? load_N_per_m : STANDARD_LOAD_N_PER_M, peak);
  for (size_t i = 0; i < n; i++) {
    figures f = figures_of(curves[i], load);
    add_value(&emt, f.emt), add_value(&wt, f.wt), add_value(&lt, f.lt), add_value(&rt, f.rt);
  }
  *kes = (cb_stretch_kes){.load_N_per_m = load,
                          .emt = emt.value,
                          .u_emt = u_of(&emt),
                          .wt_J_per_m2 = wt.value,
                          .u_wt_J_per_m2 = u_of(&wt),
                          .lt = lt.value,
                          .u_lt = u_of(&lt),
                          .rt = rt.value,
                          .u_rt = u_of(&rt),
                          .rt_load_N_per_m = isnan(rt.value) ? NAN : peak};
}
