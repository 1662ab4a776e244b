/* How the kinetic force depends on the speed, where speeds were varied. */
#include <math.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "fit_regress.h"
#include "fit_friction_impl.h"

/* Speeds closer than this are one. */
#define SAME_SPEED 1.02
/* Stribeck's curve has four parameters: */
#define STRIBECK_SPEEDS 5
#define STRIBECK_DECADES 2.0

cb_status fit_speed_of(const cb_friction_obs *obs, size_t n, fit_speed *out, cb_err *err) {
  size_t count = 0, most = 0;
  *out = (fit_speed){.law_m_per_s = NAN, .slowest_m_per_s = NAN, .fastest_m_per_s = NAN};
  double *v = malloc((n + 1) * sizeof *v);
  if (!v) return cb_no_memory(err, "the speeds of %zu runs", n);
  for (size_t i = 0; i < n; i++)
    if (obs[i].run.speed_m_per_s > 0 && isfinite(obs[i].point.kinetic_N))
      v[count++] = obs[i].run.speed_m_per_s;
  cb_sort(v, count);
  for (size_t i = 0, k; i < count; i = k) {
    for (k = i; k < count && v[k] <= SAME_SPEED * v[i];) k++;
    out->n_speeds++;
    if (k - i > most) most = k - i, out->law_m_per_s = v[i + (k - i) / 2];
  }
  if (count) out->slowest_m_per_s = v[0], out->fastest_m_per_s = v[count - 1];
  free(v);
  return CB_OK;
}

bool fit_speed_is_law(const fit_speed *s, const cb_run *run) {
  if (s->n_speeds < 2 || !(run->speed_m_per_s > 0)) return true;
  double ratio = run->speed_m_per_s / s->law_m_per_s;
  return ratio < SAME_SPEED && ratio > 1 / SAME_SPEED;
}

/* Force over what the law says at the law's own speed. */
static bool ratio_of(const cb_friction_obs *o, const cb_friction_law *law, double *ratio) {
  cb_friction_value value;
  if (!(o->point.kinetic_N > 0) || !(o->run.speed_m_per_s > 0)) return false;
  cb_friction_law_eval(law, o->run.angle_deg * 0.017453292519943295, o->run.normal_force_N, &value);
  *ratio = o->point.kinetic_N / value.force_N;
  return value.force_N > 0;
}

static size_t slope_over_decades(const cb_friction_obs *obs, size_t n, const cb_friction_law *law,
                                 const fit_speed *s, fit_regression *g) {
  fit_regress r = {.n_columns = 2};
  size_t used = 0;
  double ratio;
  for (size_t i = 0; i < n; i++) {
    if (!ratio_of(&obs[i], law, &ratio)) continue;
    fit_regress_add(&r, (double[2]){1, log10(obs[i].run.speed_m_per_s / s->law_m_per_s)}, log(ratio), 1);
    used++;
  }
  fit_regress_solve(&r, g);
  return used;
}

/* F / F_law = c + d exp(-(v / vs)^2) + k v: linear for a given vs. Returns the rest. */
static double stribeck_rest(const cb_friction_obs *obs, size_t n, const cb_friction_law *law, double fastest,
                            double vs, fit_regression *g) {
  fit_regress r = {.n_columns = 3};
  double ratio;
  for (size_t i = 0; i < n; i++) {
    if (!ratio_of(&obs[i], law, &ratio)) continue;
    double v = obs[i].run.speed_m_per_s;
    fit_regress_add(&r, (double[3]){1, exp(-v * v / (vs * vs)), v / fastest}, ratio, 1);
  }
  fit_regress_solve(&r, g);
  return g->rank == 3 ? g->rest : INFINITY;
}

/* vs by a scan over the speeds' decades, then by halving the step. */
static void fit_stribeck(const cb_friction_obs *obs, size_t n, const cb_friction_law *law, size_t used,
                         double flat_rest, fit_speed *s) {
  fit_regression g;
  double from = log(s->slowest_m_per_s), to = log(s->fastest_m_per_s), best = from, lowest = INFINITY;
  for (int i = 0; i <= 60; i++) {
    double x = from + (to - from) * i / 60, rest = stribeck_rest(obs, n, law, s->fastest_m_per_s, exp(x), &g);
    if (rest < lowest) lowest = rest, best = x;
  }
  for (int halving = 0; halving < 20; halving++)
    for (int side = -1; side <= 1; side += 2) {
      double step = ldexp((to - from) / 60, -halving), x = fmin(fmax(best + side * step, from), to),
             rest = stribeck_rest(obs, n, law, s->fastest_m_per_s, exp(x), &g);
      if (rest < lowest) lowest = rest, best = x;
    }
  double dof = (double)used - 4;
  if (!isfinite(lowest) || dof < 1) return;
  lowest = stribeck_rest(obs, n, law, s->fastest_m_per_s, exp(best), &g);
  s->stribeck = (fit_stribeck_curve){.coulomb = g.beta[0],
                                     .breakaway = g.beta[0] + g.beta[1],
                                     .viscous_s_per_m = g.beta[2] / s->fastest_m_per_s,
                                     .speed_m_per_s = exp(best)};
  fit_test *t = &s->stribeck.test;
  *t = (fit_test){.done = true, .dof1 = 3, .dof2 = dof, .effect = g.beta[1] / g.beta[0]};
  t->statistic = lowest > 0 ? (flat_rest - lowest) / 3 / (lowest / dof) : 1e300;
  t->p_value = cb_f_p_upper(t->statistic, 3, dof);
}

void fit_speed_test(const cb_friction_obs *obs, size_t n, const cb_friction_law *law, fit_speed *s) {
  fit_regression g;
  if (s->n_speeds < 2) return;
  size_t used = slope_over_decades(obs, n, law, s, &g);
  double dof = (double)used - 2;
  if (!g.used[1] || dof < 1) return;
  s->percent_per_decade = 100 * g.beta[1];
  s->u_percent_per_decade = 100 * sqrt(g.rest / dof * g.inverse[1][1]);
  s->test = (fit_test){.done = true, .dof2 = dof, .effect = s->percent_per_decade};
  s->test.statistic = g.rest > 0       ? s->percent_per_decade / s->u_percent_per_decade
                      : g.beta[1] == 0 ? 0
                                       : copysign(1e300, g.beta[1]);
  s->test.p_value = cb_t_p_two_sided(s->test.statistic, dof);
  if (s->n_speeds < STRIBECK_SPEEDS || log10(s->fastest_m_per_s / s->slowest_m_per_s) < STRIBECK_DECADES)
    return;
  fit_regress flat = {.n_columns = 1};
  double ratio;
  for (size_t i = 0; i < n; i++)
    if (ratio_of(&obs[i], law, &ratio)) fit_regress_add(&flat, (double[1]){1}, ratio, 1);
  fit_regress_solve(&flat, &g);
  fit_stribeck(obs, n, law, used, g.rest, s);
}
