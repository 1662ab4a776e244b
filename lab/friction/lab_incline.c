#include "lab_incline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_num.h"
#include "cb_rng.h"
#include "fit_incline.h"
#include "lab_en.h"
#include "lab_incline_impl.h"
#include "lab_slide_parts.h"
#include "sim_sled.h"

#define G CB_STANDARD_GRAVITY_M_PER_S2
#define SAMPLES 400 /* of a simulated slide; between them its distance is interpolated */
/* Where only an acceleration is known: a slide that cannot come to rest, of constant acceleration. */
#define LAUNCH_M_PER_S 1.0
#define LAUNCH_S 0.05

static bool is_release(const lab_incline_case *c) { return c->law.kind == CB_FRICTION_STATIC; }
static double slope_rad(const lab_incline_case *c) { return c->run.incline_deg * CB_DEG; }
static double mass_kg(const lab_incline_case *c) { return c->run.cart_mass_kg + c->run.added_mass_kg; }
static double u_mass_kg(const lab_incline_case *c) {
  return c->run.u_normal_force_N / (G * cos(slope_rad(c)));
}

/* ---- the predicted angle of release ---- */

double lab_incline_release_rad(const cb_friction_law *law, double direction_rad, double mass_kg,
                               double level) {
  const double weight_N = mass_kg * G;
  double lo = 0, hi = 0.5 * CB_PI;
  cb_friction_value v;
  cb_friction_law_eval(law, direction_rad, 0, &v);
  if (!(level * v.force_N < weight_N)) return NAN;
  for (int i = 0; i < 60; i++) {
    const double mid = 0.5 * (lo + hi);
    cb_friction_law_eval(law, direction_rad, weight_N * cos(mid), &v);
    if (weight_N * sin(mid) < level * v.force_N)
      lo = mid;
    else
      hi = mid;
  }
  return 0.5 * (lo + hi);
}

/* ---- the predicted slide ---- */

/* The simulated distance down the slope over time, at the times of the record or at its own. The law is
 * Newton's and the kinetic one alone: the record shows a sled that slides. Caller: cb_series_clear. */
static cb_status simulate_slide(const lab_incline_case *c, const cb_friction_law *law, double level,
                                double kg, double speed_m_per_s, double duration_s, cb_series *out,
                                cb_err *err) {
  cb_friction_law scaled = *law;
  sim_sled s = sim_sled_default();
  sim_sled_result r;
  const double along[2] = {cos(c->run.angle_deg * CB_DEG), sin(c->run.angle_deg * CB_DEG)};
  for (size_t k = 0; k < scaled.n_knots; k++)
    for (int i = 0; i < 3; i++) scaled.knots[k].f_N[i] *= level;
  s.mass_kg = kg;
  s.incline_rad = slope_rad(c);
  s.downhill_rad = c->run.angle_deg * CB_DEG;
  s.contact_area_m2 = c->run.contact_area_m2;
  s.kinetic_law = &scaled;
  for (int i = 0; i < 2; i++) s.velocity_m_per_s[i] = speed_m_per_s * along[i];
  s.duration_s = duration_s;
  s.rate_Hz = SAMPLES / duration_s;
  s.step_s = 1 / s.rate_Hz; /* its acceleration is constant: no step is too long */
  CB_TRY(sim_sled_run(&s, &r, err));
  cb_status st = cb_series_reserve(out, r.n, err);
  for (size_t i = 0; st == CB_OK && i < r.n; i++)
    st =
        cb_series_push(out, r.samples[i].t_s, r.samples[i].x_m * along[0] + r.samples[i].y_m * along[1], err);
  sim_sled_result_clear(&r);
  return st;
}

/* Puts the simulated distances at the times of the record, from where it began. */
static void sample_as_record(const lab_incline_case *c, const cb_series *slide, double from_m,
                             cb_series *out) {
  const cb_series *d = &c->distance_m;
  for (size_t i = 0; i < d->n; i++) out->v[i] = from_m + cb_series_at(slide, d->t_s[i] - d->t_s[0]);
}

typedef struct slide_prediction {
  double acceleration_m_per_s2;
  double rms_m; /* measured minus predicted distance; NAN: no record */
} slide_prediction;

static double rms_between(const cb_series *a, const cb_series *b) {
  double sum = 0;
  for (size_t i = 0; i < a->n; i++) sum += (a->v[i] - b->v[i]) * (a->v[i] - b->v[i]);
  return sqrt(sum / (double)a->n);
}

/* A copy of the record, to be filled. Caller: cb_series_clear. */
static cb_status copy_record(const cb_series *d, cb_series *out, cb_err *err) {
  *out = (cb_series){0};
  CB_TRY(cb_series_reserve(out, d->n, err));
  memcpy(out->t_s, d->t_s, d->n * sizeof *d->t_s);
  memcpy(out->v, d->v, d->n * sizeof *d->v);
  out->n = d->n;
  return CB_OK;
}

static cb_status reduce_as_record(const lab_incline_case *c, const fit_incline_motion *m,
                                  const cb_series *slide, slide_prediction *p, cb_err *err) {
  cb_series like;
  fit_incline_motion found;
  CB_TRY(copy_record(&c->distance_m, &like, err));
  sample_as_record(c, slide, m->distance_m, &like);
  cb_status st = fit_incline_motion_of(&like, 0, &found, err);
  if (st == CB_OK) *p = (slide_prediction){found.acceleration_m_per_s2, rms_between(&c->distance_m, &like)};
  cb_series_clear(&like);
  return st;
}

/* m: of the record; NULL: there is none. */
static cb_status predict_slide(const lab_incline_case *c, const cb_friction_law *law, double level, double kg,
                               const fit_incline_motion *m, slide_prediction *p, cb_err *err) {
  const cb_series *d = &c->distance_m;
  const double speed = m ? fmax(0, m->speed_m_per_s) : LAUNCH_M_PER_S,
               duration_s = m ? d->t_s[d->n - 1] - d->t_s[0] : LAUNCH_S;
  cb_series slide = {0};
  cb_status st = simulate_slide(c, law, level, kg, speed, duration_s, &slide, err);
  if (st == CB_OK && m) st = reduce_as_record(c, m, &slide, p, err);
  if (st == CB_OK && !m)
    *p = (slide_prediction){2 * (slide.v[slide.n - 1] / duration_s - speed) / duration_s, NAN};
  cb_series_clear(&slide);
  return st;
}

/* ---- a quantity ---- */

/* The law on the run's area, and its force there. */
typedef struct setting {
  cb_friction_law law;
  double force_N, u_rel;
  bool inside;
} setting;

static void make_setting(const lab_incline_case *c, double normal_N, setting *out) {
  cb_friction_value v;
  out->law = cb_friction_law_on_area(&c->law, c->run.contact_area_m2);
  cb_friction_law_eval(&out->law, c->run.angle_deg * CB_DEG, normal_N, &v);
  out->force_N = v.force_N;
  out->u_rel = v.u_force_N / v.force_N;
  out->inside = v.inside_measured_range;
}

/* Draws of the law's level and of the mass, which is what may be wrong; x [LAB_SLIDE_DRAWS]. */
typedef cb_status draw_once(const lab_incline_case *c, const setting *at, double level, double kg,
                            const void *context, double *x, cb_err *err);

static cb_status draw_all(const lab_incline_case *c, const setting *at, draw_once *once, const void *context,
                          double *x, cb_err *err) {
  cb_rng rng;
  cb_rng_init(&rng, LAB_SLIDE_SEED, (uint64_t)c->run.id);
  for (size_t i = 0; i < LAB_SLIDE_DRAWS; i++) {
    const double level = fmax(0.01, 1 + cb_rng_normal(&rng) * at->u_rel),
                 kg = fmax(0.01 * mass_kg(c), mass_kg(c) + cb_rng_normal(&rng) * u_mass_kg(c));
    CB_TRY(once(c, at, level, kg, context, &x[i], err));
  }
  return CB_OK;
}

static cb_status draw_release(const lab_incline_case *c, const setting *at, double level, double kg,
                              const void *context, double *x, cb_err *err) {
  (void)context, (void)err;
  *x = lab_incline_release_rad(&at->law, c->run.angle_deg * CB_DEG, kg, level);
  return CB_OK;
}

static cb_status draw_slide(const lab_incline_case *c, const setting *at, double level, double kg,
                            const void *context, double *x, cb_err *err) {
  slide_prediction p;
  CB_TRY(predict_slide(c, &c->law, level, kg, context, &p, err));
  (void)at;
  *x = p.acceleration_m_per_s2;
  return CB_OK;
}

/* ---- comparison ---- */

static cb_status compare_release(const lab_incline_case *c, lab_incline_verdict *out, cb_err *err) {
  double x[LAB_SLIDE_DRAWS];
  setting at;
  const double direction = c->run.angle_deg * CB_DEG, slope = slope_rad(c),
               /* of the coefficient F / N = tan a, whose derivative is 1 / cos^2 a */
      u_read = c->point.u_static_N / c->run.normal_force_N * cos(slope) * cos(slope),
               u_scatter = lab_slide_scatter_rel(&c->scatter) * sin(slope) * cos(slope);
  make_setting(c, c->run.normal_force_N, &at);
  const double best = lab_incline_release_rad(&at.law, direction, mass_kg(c), 1);
  if (isnan(best))
    return cb_fail(err, CB_E_RANGE, "%s on %s: the law's adhesion holds %g kg on every slope", out->cloth,
                   out->body, mass_kg(c));
  make_setting(c, mass_kg(c) * G * cos(best), &at);
  CB_TRY(draw_all(c, &at, draw_release, NULL, x, err));
  const double u = lab_slide_spread(x, LAB_SLIDE_DRAWS, best), u_measured = hypot(u_read, u_scatter),
               u_law = fabs(lab_incline_release_rad(&at.law, direction, mass_kg(c), 1 + at.u_rel) - best);
  out->inside_measured_range = at.inside;
  out->q[LAB_INCLINE_RELEASE] = lab_slide_score(
      (lab_slide_quantity){.sled = NAN,
                           .predicted = best / CB_DEG,
                           .u_predicted = u / CB_DEG,
                           .U_predicted = lab_expanded_95(u, u_law, c->law.dof) / CB_DEG,
                           .measured = c->run.incline_deg,
                           .u_measured = u_measured / CB_DEG,
                           .U_measured = lab_expanded_95(u_measured, u_scatter, c->scatter.dof) / CB_DEG});
  return CB_OK;
}

/* Zero is predicted; an acceleration that is wrong by u makes the distances wrong by u t^2/2. */
static lab_slide_quantity distance_quantity(const lab_incline_case *c, const fit_incline_motion *m,
                                            const slide_prediction *p, const lab_slide_quantity *a) {
  const cb_series *d = &c->distance_m;
  double sum = 0;
  for (size_t i = 0; i < d->n; i++) sum += 0.25 * pow(d->t_s[i] - d->t_s[0], 4);
  const double share = sqrt(sum / (double)d->n);
  return lab_slide_score(
      (lab_slide_quantity){.sled = NAN,
                           .u_predicted = share * a->u_predicted,
                           .U_predicted = share * a->U_predicted,
                           .measured = p->rms_m,
                           .u_measured = hypot(share * a->u_measured, m->rms_m),
                           .U_measured = hypot(share * a->U_measured, lab_expanded_95(m->rms_m, 0, 0))});
}

static cb_status compare_slide(const lab_incline_case *c, lab_incline_verdict *out, cb_err *err) {
  double x[LAB_SLIDE_DRAWS];
  setting at;
  slide_prediction best;
  fit_incline_motion motion, *m = c->distance_m.n > 0 ? &motion : NULL;
  const double kg = mass_kg(c), u_read = c->point.u_kinetic_N / kg;
  make_setting(c, c->run.normal_force_N, &at);
  if (m) CB_TRY(fit_incline_motion_of(&c->distance_m, 0, m, err));
  CB_TRY(predict_slide(c, &c->law, 1, kg, m, &best, err));
  CB_TRY(draw_all(c, &at, draw_slide, m, x, err));
  const double u = lab_slide_spread(x, LAB_SLIDE_DRAWS, best.acceleration_m_per_s2),
               u_scatter = lab_slide_scatter_rel(&c->scatter) * c->point.kinetic_N / kg,
               u_measured = hypot(u_read, u_scatter);
  out->inside_measured_range = at.inside;
  lab_slide_quantity *a = &out->q[LAB_INCLINE_ACCELERATION];
  *a = lab_slide_score(
      (lab_slide_quantity){.sled = NAN,
                           .predicted = best.acceleration_m_per_s2,
                           .u_predicted = u,
                           .U_predicted = lab_expanded_95(u, at.u_rel * at.force_N / kg, c->law.dof),
                           .measured = G * sin(slope_rad(c)) - c->point.kinetic_N / kg,
                           .u_measured = u_measured,
                           .U_measured = lab_expanded_95(u_measured, u_scatter, c->scatter.dof)});
  if (m) out->q[LAB_INCLINE_DISTANCE] = distance_quantity(c, m, &best, a);
  return CB_OK;
}

static lab_incline_verdict describe_case(const lab_incline_case *c) {
  lab_incline_verdict v = {.run_id = c->run.id,
                           .law_id = c->law.id,
                           .law_kind = c->law.kind,
                           .angle_deg = c->run.angle_deg,
                           .incline_deg = c->run.incline_deg,
                           .mass_kg = mass_kg(c),
                           .normal_force_N = c->run.normal_force_N,
                           .contact_area_m2 = c->run.contact_area_m2,
                           .origin_measured = c->run.origin,
                           .origin_law = c->law.origin,
                           .scatter = c->scatter,
                           .draws = LAB_SLIDE_DRAWS,
                           .seed = LAB_SLIDE_SEED};
  memcpy(v.cloth, c->law.cloth, sizeof v.cloth);
  memcpy(v.body, c->law.body, sizeof v.body);
  for (int i = 0; i < LAB_INCLINE_QUANTITIES; i++) v.q[i] = lab_slide_not_compared;
  return v;
}

cb_status lab_incline_compare(const lab_incline_case *c, lab_incline_verdict *out, cb_err *err) {
  *out = describe_case(c);
  CB_TRY(is_release(c) ? compare_release(c, out, err) : compare_slide(c, out, err));
  for (int i = 0; i < LAB_INCLINE_QUANTITIES; i++) {
    if (out->q[i].compared)
      out->worst_en = fmax(out->worst_en, fabs(out->q[i].en));
    else
      out->q[i] = lab_slide_not_compared;
  }
  out->pass = out->worst_en <= 1;
  return CB_OK;
}

/* ---- out of the store ---- */

static cb_status check_run(cb_store *s, const cb_run *run, cb_err *err) {
  if (run->status != CB_RUN_DONE)
    return cb_fail(err, CB_E_RANGE, "%s: run %lld is %s: only a finished run can be compared",
                   cb_store_path(s), (long long)run->id, cb_run_status_names[run->status]);
  if (run->incline_deg > 0 && run->kind == CB_RUN_SLIDE) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "%s: run %lld is level: a release or a slide on a slope was wanted; 'validate slide --run "
                 "%lld' compares a pull",
                 cb_store_path(s), (long long)run->id, (long long)run->id);
}

static cb_status load_law(cb_store *s, lab_incline_case *c, cb_err *err) {
  char cloth[64], body[64];
  const bool release = isfinite(c->point.static_N);
  CB_TRY(lab_slide_pair(s, &c->run, cloth, body, err));
  cb_status st =
      cb_store_law_find(s, cloth, body, release ? CB_FRICTION_STATIC : CB_FRICTION_KINETIC, &c->law, err);
  if (st != CB_OK)
    return cb_fail_in(err, st, "run %lld, %s", (long long)c->run.id,
                      release ? "an angle of release" : "a slide down a slope");
  return lab_slide_law_scatter(s, &c->law, &c->scatter, err);
}

static cb_status load_case(cb_store *s, const cb_run *run, lab_incline_case *c, cb_err *err) {
  CB_TRY(check_run(s, run, err));
  c->run = *run;
  CB_TRY(cb_store_point_of_run(s, run->id, &c->point, err));
  CB_TRY(load_law(s, c, err));
  return cb_store_samples(s, run->id, CB_CHANNEL_DISPLACEMENT, &c->distance_m, err);
}

cb_status lab_incline_judge(cb_store *s, const cb_run *run, lab_incline_verdict *out, cb_err *err) {
  lab_incline_case *c = calloc(1, sizeof *c); /* a law is large */
  if (!c) return cb_no_memory(err, "run %lld", (long long)run->id);
  cb_status st = load_case(s, run, c, err);
  if (st == CB_OK) st = lab_incline_compare(c, out, err);
  cb_series_clear(&c->distance_m);
  free(c);
  return st;
}

cb_status lab_incline_store(cb_store *s, const lab_incline_verdict *v, cb_err *err) {
  const bool release = v->law_kind == CB_FRICTION_STATIC;
  cb_validation row = {.run_id = v->run_id,
                       .law_static_id = release ? v->law_id : 0,
                       .law_kinetic_id = release ? 0 : v->law_id,
                       .experiment = "incline",
                       .pass = v->pass,
                       .worst_en = v->worst_en};
  json_t *doc = lab_incline_json(v);
  row.result_json = cb_json_text(doc);
  json_decref(doc);
  if (!row.result_json) return cb_no_memory(err, "the result of run %lld", (long long)v->run_id);
  cb_status st = cb_store_validation_put(s, &row, err);
  free(row.result_json);
  return st;
}
