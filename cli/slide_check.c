#include "slide_check.h"

#include <math.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "slide_parts.h"

/* Expanded uncertainty at 95 %: u has one part with few degrees of freedom, the rest is taken as known (GUM G.4,
 * Welch-Satterthwaite). */
static double expanded(double u, double u_part, double dof_part) {
  double dof = u_part > 0 && dof_part > 0 ? dof_part * pow(u / u_part, 4) : INFINITY;
  return cb_student_t(0.95, dof < 1e9 ? dof : INFINITY) * u;
}

static void score(slide_quantity *q) {
  q->compared = isfinite(q->predicted) && isfinite(q->measured) && q->U_predicted + q->U_measured > 0;
  q->en = q->compared ? (q->predicted - q->measured) / hypot(q->U_predicted, q->U_measured) : NAN;
}

/* Force along the motion at a stage displacement, from a trace that rested at its first sample. */
static double force_at(const cb_trace *t, int direction, double x_m) {
  const cb_series *p = &t->position_m;
  size_t lo = 0, hi = p->n - 1;
  while (hi - lo > 1) {
    size_t mid = lo + (hi - lo) / 2;
    if (direction * (p->v[mid] - p->v[0]) < x_m)
      lo = mid;
    else
      hi = mid;
  }
  double a = direction * (p->v[lo] - p->v[0]), b = direction * (p->v[hi] - p->v[0]);
  double w = b > a ? fmin(1, fmax(0, (x_m - a) / (b - a))) : 0;
  return direction * cb_series_at(&t->force_N, p->t_s[lo] + w * (p->t_s[hi] - p->t_s[lo]));
}

static double rms_difference(const slide_case *c, const fit_pull *m, const cb_trace *predicted) {
  const cb_series *f = &c->trace.force_N, *p = &c->trace.position_m;
  double sum = 0, count = 0;
  for (size_t i = 0; i < f->n; i++) {
    double x = c->run.direction * (cb_series_at(p, f->t_s[i]) - p->v[0]);
    if (x < m->window_from_m || x > m->window_to_m) continue;
    double d = c->run.direction * (f->v[i] - m->zero_N) - force_at(predicted, c->run.direction, x);
    sum += d * d;
    count++;
  }
  return count > 0 ? sqrt(sum / count) : NAN;
}

static slide_quantity force_quantity(const slide_case *c, const char *name, const cb_friction_law *law, double predicted,
                                     double u_predicted, double measured, double u_reduced, const slide_scatter *scatter) {
  slide_quantity q = {.name = name, .unit = "N", .predicted = predicted, .u_predicted = u_predicted, .measured = measured};
  double u_law = slide_law_value(c, law, c->run.angle_deg * CB_DEG, c->run.normal_force_N).u_force_N;
  double u_scatter = slide_scatter_rel(scatter) * measured,
         u_calibration = c->calibration_shared ? 0 : cb_calibration_u_N(&c->calibration, measured);
  q.u_measured = sqrt(u_reduced * u_reduced + u_scatter * u_scatter + u_calibration * u_calibration);
  q.U_predicted = expanded(u_predicted, u_law, law->dof);
  q.U_measured = expanded(q.u_measured, u_scatter, scatter->dof);
  score(&q);
  return q;
}

/* How far the stage travels between two positions. A position is true at some moment between its question and its answer, which lie
 * at most one such interval apart: +- half of it, rectangular, against the clock of the force. */
static double position_interval_m(const slide_case *c) {
  const cb_series *p = &c->trace.position_m;
  return p->n > 1 ? c->run.speed_m_per_s * (p->t_s[p->n - 1] - p->t_s[0]) / (double)(p->n - 1) : 0;
}

/* The peak lies within one force sample; the two clocks of force and position agree to one position. */
static slide_quantity breakaway_quantity(const slide_case *c, const fit_pull *m, const slide_prediction *best, const slide_prediction *u) {
  slide_quantity q = {.name = "breakaway_displacement",
                      .unit = "m",
                      .predicted = best->breakaway_m,
                      .u_predicted = u->breakaway_m,
                      .measured = m->x_static_m};
  double sample_m = c->run.rate_Hz > 0 ? c->run.speed_m_per_s / c->run.rate_Hz : 0, interval_m = position_interval_m(c);
  double u_peak = slide_scatter_rel(&c->static_scatter) * m->static_N / c->bench.link_stiffness_N_per_m;
  q.u_measured = sqrt((sample_m * sample_m + interval_m * interval_m) / 12 + u_peak * u_peak);
  q.U_predicted = expanded(q.u_predicted, 0, 0);
  q.U_measured = expanded(q.u_measured, u_peak, c->static_scatter.dof);
  score(&q);
  return q;
}

/* Zero is predicted; what remains is the uncertainty of both levels, the noise of the reading, and the unrest that the pulls
 * behind the law show as well. */
static slide_quantity rms_quantity(const slide_case *c, const fit_pull *m, const cb_trace *predicted, const slide_quantity *kinetic) {
  double unrest = fmax(m->zero_sd_N, c->restlessness_rel * kinetic->predicted);
  slide_quantity q = {.name = "plateau_rms_difference", .unit = "N", .measured = rms_difference(c, m, predicted)};
  q.u_predicted = kinetic->u_predicted;
  q.U_predicted = kinetic->U_predicted;
  q.u_measured = hypot(kinetic->u_measured, unrest);
  q.U_measured = hypot(kinetic->U_measured, expanded(unrest, 0, 0));
  score(&q);
  return q;
}

/* No peak stood out: whatever force the breakaway took, it was no more above the plateau than the drop that makes a peak. */
static void bound_static(const fit_pull *m, const fit_pull_options *opt, double *static_N, double *u_static_N) {
  *static_N = m->static_N;
  *u_static_N = m->u_static_N;
  if (isfinite(m->static_N)) return;
  double drop_N = fmax(opt->static_drop_rel * m->kinetic_N, opt->static_drop_sigma * m->zero_sd_N);
  *static_N = m->kinetic_N + 0.5 * drop_N;
  *u_static_N = hypot(m->u_kinetic_N, drop_N / sqrt(12));
}

static void keep_curve(const slide_case *c, const cb_trace *predicted, slide_result *out) {
  out->n_curve = SLIDE_CURVE_POINTS;
  for (size_t i = 0; i < out->n_curve; i++) {
    out->curve_x_m[i] = c->run.travel_m * (double)i / (double)(out->n_curve - 1);
    out->curve_N[i] = force_at(predicted, c->run.direction, out->curve_x_m[i]);
  }
}

static void compare(const slide_case *c, const fit_pull *m, const slide_prediction *best, const slide_prediction *u,
                    const cb_trace *predicted, slide_result *out) {
  fit_pull_options opt = fit_pull_options_default();
  double static_N = c->has_static ? best->static_N : NAN, seen_N, u_seen_N;
  bound_static(m, &opt, &seen_N, &u_seen_N);
  out->q[SLIDE_STATIC_PEAK] =
      force_quantity(c, "static_peak", c->has_static ? &c->stat : &c->kinetic, static_N, u->static_N, seen_N, u_seen_N, &c->static_scatter);
  out->q[SLIDE_KINETIC_PLATEAU] =
      force_quantity(c, "kinetic_plateau", &c->kinetic, best->kinetic_N, u->kinetic_N, m->kinetic_N, m->u_kinetic_N, &c->kinetic_scatter);
  out->q[SLIDE_BREAKAWAY] = breakaway_quantity(c, m, best, u);
  out->q[SLIDE_CURVE_RMS] = rms_quantity(c, m, predicted, &out->q[SLIDE_KINETIC_PLATEAU]);
  for (size_t i = 0; i < SLIDE_QUANTITIES; i++)
    if (out->q[i].compared) out->worst_en = fmax(out->worst_en, fabs(out->q[i].en));
  out->pass = out->worst_en <= 1;
  out->inside_measured_range = slide_law_value(c, &c->kinetic, c->run.angle_deg * CB_DEG, c->run.normal_force_N).inside_measured_range;
  keep_curve(c, predicted, out);
}

cb_status slide_check_run(const slide_case *c, slide_result *out, cb_err *err) {
  fit_pull_options opt = fit_pull_options_default();
  fit_pull measured;
  slide_prediction best, u;
  cb_trace predicted;
  *out = (slide_result){0};
  CB_TRY(fit_pull_reduce(&c->trace, c->run.direction, c->run.travel_m, &opt, &measured, err));
  if (measured.outcome != FIT_PULL_OK)
    return cb_fail(err, CB_E_RANGE, "run %lld cannot be reduced: %s", (long long)c->run.id, fit_pull_outcome_text[measured.outcome]);
  fit_pull_zero_drift(&measured, c->run.direction, c->zero_drift_N);
  cb_status st = slide_predict(c, &best, &u, &predicted, err);
  if (st == CB_OK) compare(c, &measured, &best, &u, &predicted, out);
  cb_trace_clear(&predicted);
  return st;
}
