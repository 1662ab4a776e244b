/* The verdict on one pull. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "fit_pull.h"
#include "lab_en.h"
#include "lab_slide_parts.h"

lab_slide_quantity lab_slide_score(lab_slide_quantity q) {
  q.compared = isfinite(q.predicted) && isfinite(q.measured) && q.U_predicted + q.U_measured > 0;
  q.en = lab_en(q.predicted, q.U_predicted, q.measured, q.U_measured);
  return q;
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

static double rms_difference(const lab_slide_case *c, const fit_pull *m, const cb_trace *predicted) {
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

/* q has what was predicted. */
static lab_slide_quantity force_quantity(const lab_slide_case *c, lab_slide_quantity q, double measured,
                                         double u_reduced, const lab_slide_scatter *scatter) {
  q.measured = measured;
  double u_scatter = lab_slide_scatter_rel(scatter) * measured,
         u_calibration = c->calibration_shared ? 0 : cb_calibration_u_N(&c->calibration, measured);
  q.u_measured = sqrt(u_reduced * u_reduced + u_scatter * u_scatter + u_calibration * u_calibration);
  q.U_measured = lab_expanded_95(q.u_measured, u_scatter, scatter->dof);
  return lab_slide_score(q);
}

/* How far the stage travels between two positions. A position is true at some moment between its question and
 * its answer, which lie at most one such interval apart: +- half of it, rectangular, against the clock of the
 * force. */
static double position_interval_m(const lab_slide_case *c) {
  const cb_series *p = &c->trace.position_m;
  return p->n > 1 ? c->run.speed_m_per_s * (p->t_s[p->n - 1] - p->t_s[0]) / (double)(p->n - 1) : 0;
}

/* The peak lies within one force sample; the two clocks of force and position agree to one position. */
static lab_slide_quantity breakaway_quantity(const lab_slide_case *c, const fit_pull *m,
                                             const lab_slide_simulated *r) {
  lab_slide_quantity q = {.predicted = r->best.breakaway_m,
                          .u_predicted = r->u.breakaway_m,
                          .U_predicted = r->U.breakaway_m,
                          .measured = m->x_static_m};
  double sample_m = c->run.rate_Hz > 0 ? c->run.speed_m_per_s / c->run.rate_Hz : 0,
         interval_m = position_interval_m(c);
  double u_peak = lab_slide_scatter_rel(&c->static_scatter) * m->static_N / c->bench.link_stiffness_N_per_m;
  q.u_measured = sqrt((sample_m * sample_m + interval_m * interval_m) / 12 + u_peak * u_peak);
  q.U_measured = lab_expanded_95(q.u_measured, u_peak, c->static_scatter.dof);
  return lab_slide_score(q);
}

/* Zero is predicted; what remains is the uncertainty of both levels, the noise of the reading, and the unrest
 * that the pulls behind the law show as well. */
/* Between two simulated curves, over the plateau of the measured one. */
static double rms_of_curves(const lab_slide_case *c, const fit_pull *m, const cb_trace *a,
                            const cb_trace *b) {
  double sum = 0;
  for (int i = 0; i < LAB_SLIDE_CURVE_POINTS; i++) {
    double part = (i + 0.5) / LAB_SLIDE_CURVE_POINTS,
           x = m->window_from_m + part * (m->window_to_m - m->window_from_m),
           d = force_at(a, c->run.direction, x) - force_at(b, c->run.direction, x);
    sum += d * d;
  }
  return sqrt(sum / LAB_SLIDE_CURVE_POINTS);
}

static lab_slide_quantity rms_quantity(const lab_slide_case *c, const fit_pull *m, const cb_trace *predicted,
                                       const lab_slide_quantity *kinetic) {
  double unrest = fmax(m->zero_sd_N, c->restlessness_rel * kinetic->predicted);
  lab_slide_quantity q = {.measured = rms_difference(c, m, predicted)};
  q.u_predicted = kinetic->u_predicted;
  q.U_predicted = kinetic->U_predicted;
  q.u_measured = hypot(kinetic->u_measured, unrest);
  q.U_measured = hypot(kinetic->U_measured, lab_expanded_95(unrest, 0, 0));
  return lab_slide_score(q);
}

/* No peak stood out: whatever force the breakaway took, it was no more above the plateau than the drop that
 * makes a peak. */
static void bound_static(const fit_pull *m, const fit_pull_options *opt, double *static_N,
                         double *u_static_N) {
  *static_N = m->static_N;
  *u_static_N = m->u_static_N;
  if (isfinite(m->static_N)) return;
  double drop_N = fmax(opt->static_drop_rel * m->kinetic_N, opt->static_drop_sigma * m->zero_sd_N);
  *static_N = m->kinetic_N + 0.5 * drop_N;
  *u_static_N = hypot(m->u_kinetic_N, drop_N / sqrt(12));
}

static void compare_with_sled(const lab_slide_case *c, const fit_pull *m, const lab_slide_simulated *r,
                              lab_slide_quantity q[LAB_SLIDE_QUANTITIES]) {
  for (int i = 0; i < LAB_SLIDE_QUANTITIES; i++) q[i].sled = NAN;
  if (c->model == LAB_SLIDE_SLED || r->sled_trace.position_m.n == 0) return;
  q[LAB_SLIDE_STATIC_PEAK].sled = c->has_static ? r->sled.static_N : NAN;
  q[LAB_SLIDE_KINETIC_PLATEAU].sled = r->sled.kinetic_N;
  q[LAB_SLIDE_BREAKAWAY].sled = r->sled.breakaway_m;
  q[LAB_SLIDE_CURVE_RMS].sled = rms_of_curves(c, m, &r->trace, &r->sled_trace);
}

double lab_slide_from_sled(const lab_slide_quantity *q) { return (q->predicted - q->sled) / q->u_predicted; }

void lab_slide_keep_curve(const lab_slide_case *c, const cb_trace *predicted, lab_slide_verdict *out) {
  out->n_curve = LAB_SLIDE_CURVE_POINTS;
  for (size_t i = 0; i < out->n_curve; i++) {
    out->curve_x_m[i] = c->run.travel_m * (double)i / (double)(out->n_curve - 1);
    out->curve_N[i] = force_at(predicted, c->run.direction, out->curve_x_m[i]);
  }
}

static void compare_quantities(const lab_slide_case *c, const fit_pull *m, const lab_slide_simulated *r,
                               lab_slide_quantity q[LAB_SLIDE_QUANTITIES]) {
  fit_pull_options opt = fit_pull_options_default();
  double seen_N, u_seen_N;
  bound_static(m, &opt, &seen_N, &u_seen_N);
  const lab_slide_quantity peak = {.predicted = c->has_static ? r->best.static_N : NAN,
                                   .u_predicted = r->u.static_N,
                                   .U_predicted = r->U.static_N},
                           plateau = {.predicted = r->best.kinetic_N,
                                      .u_predicted = r->u.kinetic_N,
                                      .U_predicted = r->U.kinetic_N};
  q[LAB_SLIDE_STATIC_PEAK] = force_quantity(c, peak, seen_N, u_seen_N, &c->static_scatter);
  q[LAB_SLIDE_KINETIC_PLATEAU] =
      force_quantity(c, plateau, m->kinetic_N, m->u_kinetic_N, &c->kinetic_scatter);
  q[LAB_SLIDE_BREAKAWAY] = breakaway_quantity(c, m, r);
  q[LAB_SLIDE_CURVE_RMS] = rms_quantity(c, m, &r->trace, &q[LAB_SLIDE_KINETIC_PLATEAU]);
  compare_with_sled(c, m, r, q);
}

/* What was compared, by whose law; no quantity yet. */
lab_slide_verdict lab_slide_describe(const lab_slide_case *c) {
  bool held = c->model == LAB_SLIDE_ELASTIC;
  lab_slide_verdict v = {.run_id = c->run.id,
                         .law_kinetic_id = c->kinetic.id,
                         .law_static_id = c->has_static ? c->stat.id : 0,
                         .angle_deg = c->run.angle_deg,
                         .normal_force_N = c->run.normal_force_N,
                         .speed_m_per_s = c->run.speed_m_per_s,
                         .direction = c->run.direction,
                         .origin_measured = c->run.origin,
                         .origin_law = c->kinetic.origin,
                         .model = c->model,
                         .young_Pa = held ? c->young_Pa : NAN,
                         .poisson = held ? c->poisson : NAN,
                         .elasticity_law_id = held ? c->elasticity_law_id : 0,
                         .sheet = c->model == LAB_SLIDE_SLED ? (lab_slide_sheet){LAB_SLIDE_AREA} : c->sheet,
                         .kinetic_scatter = c->kinetic_scatter,
                         .static_scatter = c->static_scatter,
                         .calibration_shared = c->calibration_shared,
                         .draws = LAB_SLIDE_DRAWS,
                         .seed = LAB_SLIDE_SEED};
  memcpy(v.cloth, c->kinetic.cloth, sizeof v.cloth);
  memcpy(v.body, c->kinetic.body, sizeof v.body);
  v.inside_measured_range =
      lab_slide_law_value(c, &c->kinetic, c->run.angle_deg * CB_DEG, c->run.normal_force_N)
          .inside_measured_range;
  return v;
}

static void conclude_verdict(lab_slide_verdict *v) {
  for (size_t i = 0; i < LAB_SLIDE_QUANTITIES; i++) {
    if (v->q[i].compared)
      v->worst_en = fmax(v->worst_en, fabs(v->q[i].en));
    else
      v->q[i] = lab_slide_not_compared;
  }
  v->pass = v->worst_en <= 1;
}

static cb_status measure(const lab_slide_case *c, fit_pull *measured, cb_err *err) {
  fit_pull_options opt = fit_pull_options_default();
  CB_TRY(fit_pull_reduce(&c->trace, c->run.direction, c->run.travel_m, &opt, measured, err));
  if (measured->outcome != FIT_PULL_OK)
    return cb_fail(err, CB_E_RANGE, "run %lld cannot be reduced: %s", (long long)c->run.id,
                   fit_pull_outcome_text[measured->outcome]);
  fit_pull_zero_drift(measured, c->run.direction, c->zero_drift_N);
  return CB_OK;
}

static void judge_pull(const lab_slide_case *c, const fit_pull *measured, const lab_slide_simulated *r,
                       lab_slide_verdict *out) {
  *out = lab_slide_describe(c);
  compare_quantities(c, measured, r, out->q);
  lab_slide_keep_curve(c, &r->trace, out);
  conclude_verdict(out);
}

cb_status lab_slide_compare_with(const lab_slide_case *c, const lab_slide_simulated *r,
                                 lab_slide_verdict *out, cb_err *err) {
  fit_pull measured;
  CB_TRY(measure(c, &measured, err));
  judge_pull(c, &measured, r, out);
  return CB_OK;
}

cb_status lab_slide_compare(const lab_slide_case *c, lab_slide_verdict *out, cb_err *err) {
  fit_pull measured;
  lab_slide_simulated r;
  CB_TRY(measure(c, &measured, err)); /* before the long simulations */
  cb_status st = lab_slide_predict(c, &r, err);
  if (st == CB_OK) judge_pull(c, &measured, &r, out);
  lab_slide_simulated_clear(&r);
  return st;
}

cb_status lab_slide_judge(cb_store *s, const cb_run *run, lab_slide_model model, lab_slide_grip grip,
                          lab_slide_verdict *out, cb_err *err) {
  lab_slide_case c;
  cb_status st = lab_slide_case_load(s, run, model, grip, &c, err);
  if (st == CB_OK) st = lab_slide_compare(&c, out, err);
  lab_slide_case_clear(&c);
  return st;
}

/* Those on a slope are judged otherwise. */
static cb_status list_level(cb_store *s, cb_run **list, size_t *n, cb_err *err) {
  cb_run_filter filter = cb_run_filter_all();
  size_t all, level = 0;
  filter.kind = CB_RUN_SLIDE;
  filter.status = CB_RUN_DONE;
  CB_TRY(cb_store_runs(s, &filter, list, &all, err));
  for (size_t i = 0; i < all; i++)
    if ((*list)[i].incline_deg == 0) (*list)[level++] = (*list)[i];
  *n = level;
  if (level > 0) return CB_OK;
  free(*list);
  return cb_fail(err, CB_E_NOTFOUND, "%s: no finished slide: measure one with a campaign of kind slide",
                 cb_store_path(s));
}

cb_status lab_slide_newest(cb_store *s, cb_run *run, cb_err *err) {
  cb_run *list;
  size_t n;
  CB_TRY(list_level(s, &list, &n, err));
  *run = list[n - 1];
  free(list);
  return CB_OK;
}

/* A store belongs to one thread. */
static cb_status judge_apart(const char *path, const cb_run *run, lab_slide_model model, lab_slide_grip grip,
                             lab_slide_verdict *out, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(path, CB_STORE_READ, &s, err));
  return cb_store_close_after(s, lab_slide_judge(s, run, model, grip, out, err), err);
}

cb_status lab_slide_judge_all(const char *path, lab_slide_model model, lab_slide_grip grip,
                              const cb_stop *stop, lab_slide_judged **out, size_t *n, cb_err *err) {
  cb_store *s;
  cb_run *list;
  CB_TRY(cb_store_open(path, CB_STORE_READ, &s, err));
  CB_TRY(cb_store_close_after(s, list_level(s, &list, n, err), err));
  lab_slide_judged *each = *out = calloc(*n, sizeof *each);
  const size_t wanted = each ? *n : 0;
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t i = 0; i < wanted; i++) {
    each[i].status = cb_stop_check(stop, &each[i].err);
    if (each[i].status == CB_OK)
      each[i].status = judge_apart(path, &list[i], model, grip, &each[i].verdict, &each[i].err);
  }
  free(list);
  return each ? CB_OK : cb_no_memory(err, "%zu slides", *n);
}
