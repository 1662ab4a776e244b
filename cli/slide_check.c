#include "slide_check.h"

#include "cli_friction.h"
#include "cli_point.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "sim_sled.h"

/* What a rig file does not say, and a bench cannot easily know better: relative standard uncertainties of the link. */
#define U_REL_STIFFNESS 0.02
#define U_REL_SLACK 0.03 /* free play, and how well the link was centred in it */
/* The link's damping is on no data sheet: 0.2 (less would stick and slip on) to 1 of critical, rectangular. While the sled sticks it adds
 * c V to the force, so that the peak comes earlier; its height is matched to the law (static_scale), the plateau is free of it. */
#define DAMPING_RATIO 0.6
#define DAMPING_HALF_WIDTH 0.4
#define REST_S 0.1
#define RATE_HZ 1000.0

/* ---- what a comparison needs ---- */

static double scatter_rel(const slide_scatter *s) { return hypot(s->repeat_rel, s->placement_rel); }

/* Repeats are made without touching the cloth; a slide is laid anew: it scatters by both. What the fit documented with the law; none
 * where it did not. */
static cb_status scatter_of(cb_store *s, const cb_friction_law *law, slide_scatter *out, cb_err *err) {
  char *method, *verdicts, created_at[32];
  *out = (slide_scatter){0};
  CB_TRY(cb_store_law_info(s, law->id, &method, &verdicts, created_at, err));
  json_t *doc = json_loads(verdicts, 0, NULL);
  const json_t *scatter = json_object_get(doc, "scatter");
  double dof_repeat = fmax(1, json_number_value(json_object_get(scatter, "dof")));
  double dof_placement = fmax(1, json_number_value(json_object_get(scatter, "placement_dof")));
  out->repeat_rel = fmax(0, json_number_value(json_object_get(scatter, "sd_rel")));
  out->placement_rel = fmax(0, json_number_value(json_object_get(scatter, "placement_rel")));
  double total = scatter_rel(out);
  if (total > 0) out->dof = pow(total, 4) / (pow(out->repeat_rel, 4) / dof_repeat + pow(out->placement_rel, 4) / dof_placement);
  json_decref(doc);
  free(method);
  free(verdicts);
  return CB_OK;
}

static double restlessness(const cb_friction_obs *obs, size_t n) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < n; i++) {
    double r = obs[i].point.kinetic_sd_N / obs[i].point.kinetic_N;
    if (!(r >= 0) || !isfinite(r)) continue;
    sum += r * r;
    count++;
  }
  return count > 0 ? sqrt(sum / count) : 0;
}

static cb_status load_scatter(cb_store *s, slide_case *c, cb_err *err) {
  cb_friction_obs *obs;
  size_t n;
  CB_TRY(scatter_of(s, &c->kinetic, &c->kinetic_scatter, err));
  if (c->has_static) CB_TRY(scatter_of(s, &c->stat, &c->static_scatter, err));
  CB_TRY(cb_store_observations(s, c->run.cloth_id, c->run.body_id, &obs, &n, err));
  c->restlessness_rel = restlessness(obs, n);
  c->calibration_shared = n > 0 && c->run.calibration_id > 0;
  for (size_t i = 0; i < n; i++) c->calibration_shared = c->calibration_shared && obs[i].run.calibration_id == c->run.calibration_id;
  free(obs);
  return CB_OK;
}

static cb_status load_rig(cb_store *s, slide_case *c, cb_err *err) {
  char *text = NULL, name[64];
  cb_rig rig;
  if (c->run.rig_id == 0 || c->run.calibration_id == 0)
    return cb_fail(err, CB_E_NOTFOUND, "%s: run %lld has no rig or calibration (it was imported): there is no pull to simulate",
                   cb_store_path(s), (long long)c->run.id);
  CB_TRY(cb_store_calibration_get(s, c->run.calibration_id, &c->calibration, err));
  CB_TRY(cli_point_zero_drift(s, &c->run, &c->zero_drift_N, err));
  CB_TRY(cb_store_rig_text(s, c->run.rig_id, &text, err));
  (void)snprintf(name, sizeof name, "rig %lld of the database", (long long)c->run.rig_id);
  cb_status st = cb_rig_parse(text, name, &rig, err);
  free(text);
  if (st == CB_OK) {
    c->bench = rig.bench;
    c->acceleration_m_per_s2 = rig.stage.acceleration_m_per_s2;
  }
  cb_rig_clear(&rig);
  return st;
}

static cb_status material_name(cb_store *s, int64_t id, char name[64], cb_err *err) {
  cb_material *list;
  size_t n;
  CB_TRY(cb_store_materials(s, &list, &n, err));
  name[0] = '\0';
  for (size_t i = 0; i < n; i++)
    if (list[i].id == id) (void)snprintf(name, 64, "%s", list[i].name);
  free(list);
  return name[0] ? CB_OK : cb_fail(err, CB_E_DB, "%s: no material %lld", cb_store_path(s), (long long)id);
}

static cb_status load_laws(cb_store *s, slide_case *c, cb_err *err) {
  char cloth[64], body[64];
  CB_TRY(material_name(s, c->run.cloth_id, cloth, err));
  CB_TRY(material_name(s, c->run.body_id, body, err));
  CB_TRY(cb_store_law_find(s, cloth, body, CB_FRICTION_KINETIC, &c->kinetic, err));
  cb_status st = cb_store_law_find(s, cloth, body, CB_FRICTION_STATIC, &c->stat, err);
  c->has_static = st == CB_OK;
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

cb_status slide_case_load(cb_store *s, const cb_run *run, slide_case *c, cb_err *err) {
  *c = (slide_case){.run = *run};
  if (run->status != CB_RUN_DONE)
    return cb_fail(err, CB_E_RANGE, "%s: run %lld is %s: only a finished run can be compared", cb_store_path(s), (long long)run->id,
                   cb_run_status_names[run->status]);
  if (run->incline_deg != 0)
    return cb_fail(err, CB_E_RANGE, "%s: run %lld lies on a slope of %g deg: only level pulls can be compared", cb_store_path(s),
                   (long long)run->id, run->incline_deg);
  CB_TRY(load_laws(s, c, err));
  CB_TRY(load_rig(s, c, err));
  CB_TRY(load_scatter(s, c, err));
  return cb_store_trace(s, run, &c->trace, err);
}

void slide_case_clear(slide_case *c) { cb_trace_clear(&c->trace); }

/* ---- prediction ---- */

/* One draw of everything that is not known exactly, in standard deviations (damping: in half widths); all 0: the best estimate. */
typedef struct draw {
  double kinetic, stat, normal, angle, stiffness, slack, damping;
} draw;

typedef struct prediction {
  double static_N, kinetic_N, breakaway_m;
} prediction;

static draw draw_next(cb_rng *rng) {
  draw d;
  double *all[] = {&d.kinetic, &d.stat, &d.normal, &d.angle, &d.stiffness, &d.slack};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) *all[i] = cb_rng_normal(rng);
  d.damping = 2 * cb_rng_uniform(rng) - 1;
  return d;
}

static cb_friction_law scaled_law(const cb_friction_law *law, double factor) {
  cb_friction_law r = *law;
  for (size_t k = 0; k < r.n_knots; k++)
    for (int i = 0; i < 3; i++) r.knots[k].f_N[i] *= factor;
  return r;
}

/* The law at the slide's own direction and load, on its area; without the calibration's part where that cancels. */
static cb_friction_value law_value(const slide_case *c, const cb_friction_law *law, double angle_rad, double normal_N) {
  cb_friction_value v;
  cb_friction_law on_area = cb_friction_law_on_area(law, c->run.contact_area_m2);
  if (c->calibration_shared) on_area.u_rel_common = 0;
  cb_friction_law_eval(&on_area, angle_rad, normal_N, &v);
  return v;
}

static double factor_of(const slide_case *c, const cb_friction_law *law, double z) {
  cb_friction_value v = law_value(c, law, c->run.angle_deg * CB_DEG, c->run.normal_force_N);
  return fmax(0.01, 1 + z * v.u_force_N / v.force_N);
}

static double drawn_angle(const slide_case *c, const draw *d) { return (c->run.angle_deg + d->angle * c->bench.u_angle_deg) * CB_DEG; }
static double drawn_normal(const slide_case *c, const draw *d) { return c->run.normal_force_N + d->normal * c->run.u_normal_force_N; }

static sim_sled sled_of(const slide_case *c, const draw *d) {
  double stiffness = c->bench.link_stiffness_N_per_m * (1 + U_REL_STIFFNESS * d->stiffness);
  sim_sled s = sim_sled_default();
  s.gravity_m_per_s2 = c->bench.gravity_m_per_s2;
  s.mass_kg = drawn_normal(c, d) / s.gravity_m_per_s2;
  s.contact_area_m2 = c->run.contact_area_m2;
  s.pull = (sim_pull){.angle_rad = drawn_angle(c, d),
                      .stiffness_N_per_m = stiffness,
                      .slack_m = c->bench.link_slack_m * (1 + U_REL_SLACK * d->slack),
                      .damping_Ns_per_m = 2 * (DAMPING_RATIO + DAMPING_HALF_WIDTH * d->damping) * sqrt(stiffness * s.mass_kg),
                      .profile = {REST_S, c->run.direction * c->run.travel_m, c->run.speed_m_per_s, c->acceleration_m_per_s2}};
  double breaks[4];
  sim_profile_breaks(&s.pull.profile, breaks);
  s.duration_s = breaks[3] + REST_S;
  s.rate_Hz = RATE_HZ;
  s.step_s = fmin(1 / RATE_HZ, 0.1 * sqrt(s.mass_kg / stiffness)); /* a sixtieth of a swing: errors of 1e-6 */
  return s;
}

static double highest(const cb_series *force, int direction) {
  double top = 0;
  for (size_t i = 0; i < force->n; i++) top = fmax(top, direction * force->v[i]);
  return top;
}

/* A static law is fitted to the peaks of pulls, and these stand above the force at which the cart starts: until it has gathered
 * speed the stage goes on stretching the link. The sled's static force is therefore the law times the factor that gives the
 * law's peak. Where inertia alone makes a higher one, the kinetic law holds (factor 0). */
static cb_status static_scale(const slide_case *c, double *scale, cb_err *err) {
  draw best = {0};
  sim_sled s = sled_of(c, &best);
  double wanted = law_value(c, &c->stat, s.pull.angle_rad, c->run.normal_force_N).force_N;
  /* Long enough for the first peak: the link taut, and half a swing. */
  s.duration_s = REST_S + (s.pull.slack_m + wanted / s.pull.stiffness_N_per_m) / c->run.speed_m_per_s +
                 c->run.speed_m_per_s / c->acceleration_m_per_s2 + 4 * sqrt(s.mass_kg / s.pull.stiffness_N_per_m);
  s.kinetic_law = &c->kinetic;
  double lo = 0, hi = 1;
  for (int i = 0; i < 20; i++) {
    double mid = *scale = 0.5 * (lo + hi);
    cb_friction_law stat = scaled_law(&c->stat, mid);
    sim_sled_result r;
    s.static_law = &stat;
    CB_TRY(sim_sled_run(&s, &r, err));
    if (highest(&r.trace.force_N, c->run.direction) < wanted)
      lo = mid;
    else
      hi = mid;
    sim_sled_result_clear(&r);
  }
  return CB_OK;
}

/* Simulates one pull and reduces it as a measured one is. trace (may be NULL) is handed to the caller. */
static cb_status predict(const slide_case *c, const draw *d, double scale, prediction *p, cb_trace *trace, cb_err *err) {
  cb_friction_law kinetic = scaled_law(&c->kinetic, factor_of(c, &c->kinetic, d->kinetic)), stat;
  sim_sled s = sled_of(c, d);
  s.kinetic_law = &kinetic;
  p->static_N = NAN;
  if (c->has_static) {
    double level = factor_of(c, &c->stat, d->stat);
    stat = scaled_law(&c->stat, level * scale);
    s.static_law = &stat;
    p->static_N = level * law_value(c, &c->stat, drawn_angle(c, d), drawn_normal(c, d)).force_N;
  }
  sim_sled_result r;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull pull;
  CB_TRY(sim_sled_run(&s, &r, err));
  cb_status st = fit_pull_reduce(&r.trace, c->run.direction, c->run.travel_m, &opt, &pull, err);
  if (st == CB_OK && pull.outcome != FIT_PULL_OK)
    st = cb_fail(err, CB_E_NUM, "the simulated pull of run %lld: %s", (long long)c->run.id, fit_pull_outcome_text[pull.outcome]);
  p->kinetic_N = pull.kinetic_N;
  p->breakaway_m = pull.x_static_m;
  if (st == CB_OK && trace) {
    *trace = r.trace;
    r.trace = (cb_trace){0};
  }
  sim_sled_result_clear(&r);
  return st;
}

/* Standard deviation of draws about the best estimate; draws without a value are left out. */
static double spread(const double *x, size_t n, double best) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) continue;
    sum += (x[i] - best) * (x[i] - best);
    count++;
  }
  return count > 0 ? sqrt(sum / count) : NAN;
}

static cb_status propagate(const slide_case *c, double scale, const prediction *best, prediction *u, cb_err *err) {
  double stat[SLIDE_DRAWS], kinetic[SLIDE_DRAWS], breakaway[SLIDE_DRAWS];
  cb_rng rng;
  cb_rng_init(&rng, SLIDE_SEED, (uint64_t)c->run.id);
  for (size_t i = 0; i < SLIDE_DRAWS; i++) {
    draw d = draw_next(&rng);
    prediction p;
    CB_TRY(predict(c, &d, scale, &p, NULL, err));
    stat[i] = p.static_N;
    kinetic[i] = p.kinetic_N;
    breakaway[i] = p.breakaway_m;
  }
  *u = (prediction){spread(stat, SLIDE_DRAWS, best->static_N), spread(kinetic, SLIDE_DRAWS, best->kinetic_N),
                    spread(breakaway, SLIDE_DRAWS, best->breakaway_m)};
  return CB_OK;
}

/* ---- comparison ---- */

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
  double u_law = law_value(c, law, c->run.angle_deg * CB_DEG, c->run.normal_force_N).u_force_N;
  double u_scatter = scatter_rel(scatter) * measured,
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
static slide_quantity breakaway_quantity(const slide_case *c, const fit_pull *m, const prediction *best, const prediction *u) {
  slide_quantity q = {.name = "breakaway_displacement",
                      .unit = "m",
                      .predicted = best->breakaway_m,
                      .u_predicted = u->breakaway_m,
                      .measured = m->x_static_m};
  double sample_m = c->run.rate_Hz > 0 ? c->run.speed_m_per_s / c->run.rate_Hz : 0, interval_m = position_interval_m(c);
  double u_peak = scatter_rel(&c->static_scatter) * m->static_N / c->bench.link_stiffness_N_per_m;
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

static void compare(const slide_case *c, const fit_pull *m, const prediction *best, const prediction *u, const cb_trace *predicted,
                    slide_result *out) {
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
  out->inside_measured_range = law_value(c, &c->kinetic, c->run.angle_deg * CB_DEG, c->run.normal_force_N).inside_measured_range;
  keep_curve(c, predicted, out);
}

cb_status slide_check_run(const slide_case *c, slide_result *out, cb_err *err) {
  fit_pull_options opt = fit_pull_options_default();
  fit_pull measured;
  prediction best, u;
  cb_trace predicted = {0};
  double scale = 1;
  *out = (slide_result){0};
  CB_TRY(fit_pull_reduce(&c->trace, c->run.direction, c->run.travel_m, &opt, &measured, err));
  if (measured.outcome != FIT_PULL_OK)
    return cb_fail(err, CB_E_RANGE, "run %lld cannot be reduced: %s", (long long)c->run.id, fit_pull_outcome_text[measured.outcome]);
  fit_pull_zero_drift(&measured, c->run.direction, c->zero_drift_N);
  if (c->has_static) CB_TRY(static_scale(c, &scale, err));
  CB_TRY(predict(c, &(draw){0}, scale, &best, &predicted, err));
  cb_status st = propagate(c, scale, &best, &u, err);
  if (st == CB_OK) compare(c, &measured, &best, &u, &predicted, out);
  cb_trace_clear(&predicted);
  return st;
}
