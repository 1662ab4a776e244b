/* The pull of one case, simulated: the best estimate, and what the doubts about it come to. */
#include <math.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "fit_pull.h"
#include "sim_sled.h"
#include "lab_en.h"
#include "lab_slide_parts.h"
#include "val_pull.h"

/* What a rig file does not say, and a bench cannot easily know better: relative standard uncertainties of the
 * link. */
#define U_REL_STIFFNESS 0.02
#define U_REL_SLACK 0.03 /* free play, and how well the link was centred in it */
/* The link's damping is on no data sheet: 0.2 (less would stick and slip on) to 1 of critical, rectangular.
 * While the sled sticks it adds c V to the force, so that the peak comes earlier; its height is matched to
 * the law (static_scale), the plateau is free of it. */
#define DAMPING_RATIO 0.6
#define DAMPING_HALF_WIDTH 0.4
/* As validate drape takes it where nothing else is said. */
#define U_REL_STRETCH 0.1
#define REST_S 0.1
#define RATE_HZ 1000.0
/* A sheet that is held over its area moves as one piece: finer meshes and shorter steps change the peak by
 * less than 1 %, and nothing else (docs/method/slide.md). */
#define STIFF_VERTICES 25
#define STIFF_STEP_S 5e-4

/* One draw of everything that is not known exactly, in standard deviations (damping: in half widths); all 0:
 * the best estimate. */
typedef struct draw {
  double kinetic, stat, normal, angle, stiffness, slack, damping;
} draw;

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

/* The law at the slide's own direction and load, on its area; without the calibration's part where that
 * cancels. */
cb_friction_value lab_slide_law_value(const lab_slide_case *c, const cb_friction_law *law, double angle_rad,
                                      double normal_N) {
  cb_friction_value v;
  cb_friction_law on_area = cb_friction_law_on_area(law, c->run.contact_area_m2);
  if (c->calibration_shared) on_area.u_rel_common = 0;
  cb_friction_law_eval(&on_area, angle_rad, normal_N, &v);
  return v;
}

static double factor_of(const lab_slide_case *c, const cb_friction_law *law, double z) {
  cb_friction_value v = lab_slide_law_value(c, law, c->run.angle_deg * CB_DEG, c->run.normal_force_N);
  return fmax(0.01, 1 + z * v.u_force_N / v.force_N);
}

static double drawn_angle(const lab_slide_case *c, const draw *d) {
  return (c->run.angle_deg + d->angle * c->bench.u_angle_deg) * CB_DEG;
}
static double drawn_normal(const lab_slide_case *c, const draw *d) {
  return c->run.normal_force_N + d->normal * c->run.u_normal_force_N;
}

static sim_sled sled_of(const lab_slide_case *c, const draw *d) {
  double stiffness = c->bench.link_stiffness_N_per_m * (1 + U_REL_STIFFNESS * d->stiffness);
  sim_sled s = sim_sled_default();
  s.gravity_m_per_s2 = c->bench.gravity_m_per_s2;
  s.mass_kg = drawn_normal(c, d) / s.gravity_m_per_s2;
  s.contact_area_m2 = c->run.contact_area_m2;
  s.pull = (sim_pull){
      .angle_rad = drawn_angle(c, d),
      .stiffness_N_per_m = stiffness,
      .slack_m = c->bench.link_slack_m * (1 + U_REL_SLACK * d->slack),
      .damping_Ns_per_m = 2 * (DAMPING_RATIO + DAMPING_HALF_WIDTH * d->damping) * sqrt(stiffness * s.mass_kg),
      .profile = {REST_S, c->run.direction * c->run.travel_m, c->run.speed_m_per_s,
                  c->acceleration_m_per_s2}};
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

/* A static law is fitted to the peaks of pulls, and these stand above the force at which the cart starts:
 * until it has gathered speed the stage goes on stretching the link. The sled's static force is therefore the
 * law times the factor that gives the law's peak. Where inertia alone makes a higher one, the kinetic law
 * holds (factor 0). The peak is the highest reading, here and of a sheet. */
static cb_status static_scale(const lab_slide_case *c, double *scale, cb_err *err) {
  draw best = {0};
  sim_sled s = sled_of(c, &best);
  double wanted = lab_slide_law_value(c, &c->stat, s.pull.angle_rad, c->run.normal_force_N).force_N;
  /* Long enough for the first peak: the link taut, and half a swing. */
  s.duration_s = REST_S + (s.pull.slack_m + wanted / s.pull.stiffness_N_per_m) / c->run.speed_m_per_s +
                 c->run.speed_m_per_s / c->acceleration_m_per_s2 +
                 4 * sqrt(s.mass_kg / s.pull.stiffness_N_per_m);
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

/* A sled with the laws of its draw. It points into itself. */
typedef struct drawn {
  cb_friction_law kinetic, stat;
  sim_sled sled;
  double static_N; /* of the law */
} drawn;

static void prepare_draw(const lab_slide_case *c, const draw *d, double scale, drawn *out) {
  out->kinetic = scaled_law(&c->kinetic, factor_of(c, &c->kinetic, d->kinetic));
  out->sled = sled_of(c, d);
  out->sled.kinetic_law = &out->kinetic;
  out->static_N = NAN;
  if (!c->has_static) return;
  double level = factor_of(c, &c->stat, d->stat);
  out->stat = scaled_law(&c->stat, level * scale);
  out->sled.static_law = &out->stat;
  out->static_N = level * lab_slide_law_value(c, &c->stat, drawn_angle(c, d), drawn_normal(c, d)).force_N;
}

static cb_status reduce_trace(const lab_slide_case *c, const cb_trace *trace, fit_pull *pull, cb_err *err) {
  fit_pull_options opt = fit_pull_options_default();
  CB_TRY(fit_pull_reduce(trace, c->run.direction, c->run.travel_m, &opt, pull, err));
  if (pull->outcome == FIT_PULL_OK) return CB_OK;
  return cb_fail(err, CB_E_NUM, "the simulated pull of run %lld: %s", (long long)c->run.id,
                 fit_pull_outcome_text[pull->outcome]);
}

/* trace (may be NULL) is handed to the caller. */
static cb_status predict_sled(const lab_slide_case *c, const draw *d, double scale, lab_slide_prediction *p,
                              cb_trace *trace, cb_err *err) {
  drawn now;
  sim_sled_result r;
  fit_pull pull;
  prepare_draw(c, d, scale, &now);
  CB_TRY(sim_sled_run(&now.sled, &r, err));
  cb_status st = reduce_trace(c, &r.trace, &pull, err);
  *p = (lab_slide_prediction){now.static_N, pull.kinetic_N, pull.x_static_m};
  if (st == CB_OK && trace) {
    *trace = r.trace;
    r.trace = (cb_trace){0};
  }
  sim_sled_result_clear(&r);
  return st;
}

static val_pull pull_of(const lab_slide_case *c, const sim_material *cloth) {
  val_pull e = val_pull_default();
  e.body = c->model == LAB_SLIDE_ELASTIC ? VAL_SHEET_ELASTIC : VAL_SHEET_PRESCRIBED;
  if (c->model == LAB_SLIDE_ELASTIC) e.young_Pa = c->young_Pa, e.poisson = c->poisson;
  e.grip = c->sheet.grip == LAB_SLIDE_EDGE ? VAL_PULL_EDGE : VAL_PULL_AREA;
  e.cloth = cloth;
  if (c->model == LAB_SLIDE_PRESCRIBED && e.grip == VAL_PULL_AREA)
    e.vertices = STIFF_VERTICES, e.dt_s = STIFF_STEP_S;
  e.air = c->air;
  return e;
}

/* A cloth that is held at its edge shows no peak of its own. Compared are its highest force and the place at
 * which it first reaches its plateau: the slip has then run through the whole sheet. */
static void read_front(const lab_slide_case *c, const cb_trace *t, lab_slide_prediction *p) {
  size_t i = 0;
  p->static_N = c->has_static ? highest(&t->force_N, c->run.direction) : NAN;
  while (i < t->force_N.n && c->run.direction * t->force_N.v[i] < p->kinetic_N) i++;
  if (i < t->position_m.n) p->breakaway_m = c->run.direction * (t->position_m.v[i] - t->position_m.v[0]);
}

/* The best estimate by the three layers; trace may be NULL. A body that gives way under the sheet is none of
 * the rig's: it leaves the plateau alone to compare, and that under the kinetic law: with a higher static
 * one, places of a soft surface stick and slip each for itself. Under the kinetic law alone, too, is a sheet
 * that is held at its edge: the slip's front is a line, on which a higher static friction has no area to act,
 * and on a mesh it would have that of a row of vertices. */
static cb_status predict_sheet(const lab_slide_case *c, const sim_material *cloth, double scale,
                               lab_slide_prediction *p, cb_trace *trace, cb_err *err) {
  val_pull e = pull_of(c, cloth);
  drawn now;
  val_pull_result r;
  fit_pull pull;
  prepare_draw(c, &(draw){0}, scale, &now);
  if (e.body == VAL_SHEET_ELASTIC || e.grip == VAL_PULL_EDGE) now.sled.static_law = NULL;
  CB_TRY(val_pull_run(&e, &now.sled, &r, err));
  cb_status st = reduce_trace(c, &r.trace, &pull, err);
  *p = (lab_slide_prediction){NAN, pull.kinetic_N, NAN};
  if (st == CB_OK && c->model == LAB_SLIDE_PRESCRIBED && e.grip == VAL_PULL_EDGE)
    read_front(c, &r.trace, p);
  else if (c->model == LAB_SLIDE_PRESCRIBED)
    *p = (lab_slide_prediction){
        c->has_static && isfinite(pull.static_N) ? highest(&r.trace.force_N, c->run.direction) : NAN,
        pull.kinetic_N, pull.x_static_m};
  if (trace) {
    *trace = r.trace;
    r.trace = (cb_trace){0};
  }
  val_pull_clear(&r);
  return st;
}

static double added(double u, double moved) { return isfinite(moved) ? hypot(u, moved) : u; }

/* Adds to u what a cloth that is stiffer by one standard uncertainty changes. A cloth that is held over its
 * area does not stretch. */
static cb_status add_doubt_of_stretch(const lab_slide_case *c, double scale, const lab_slide_prediction *best,
                                      lab_slide_prediction *u, cb_err *err) {
  if (!c->cloth || c->sheet.grip != LAB_SLIDE_EDGE) return CB_OK;
  lab_slide_prediction p;
  u->static_N = u->kinetic_N;
  sim_material stiffer = *c->cloth;
  sim_curve_scale(&stiffer.warp, 1 + U_REL_STRETCH);
  sim_curve_scale(&stiffer.weft, 1 + U_REL_STRETCH);
  sim_curve_scale(&stiffer.shear, 1 + U_REL_STRETCH);
  CB_TRY(predict_sheet(c, &stiffer, scale, &p, NULL, err));
  u->static_N = added(u->static_N, p.static_N - best->static_N);
  u->kinetic_N = added(u->kinetic_N, p.kinetic_N - best->kinetic_N);
  u->breakaway_m = added(u->breakaway_m, p.breakaway_m - best->breakaway_m);
  return CB_OK;
}

static cb_status replace_by_sheet(const lab_slide_case *c, double scale, lab_slide_simulated *out,
                                  cb_err *err) {
  out->sled = out->best;
  out->sled_trace = out->trace;
  out->trace = (cb_trace){0};
  CB_TRY(predict_sheet(c, c->cloth, scale, &out->best, &out->trace, err));
  return add_doubt_of_stretch(c, scale, &out->best, &out->u, err);
}

double lab_slide_spread(const double *x, size_t n, double best) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) continue;
    sum += (x[i] - best) * (x[i] - best);
    count++;
  }
  return count > 0 ? sqrt(sum / count) : NAN;
}

static cb_status propagate(const lab_slide_case *c, double scale, const lab_slide_prediction *best,
                           lab_slide_prediction *u, cb_err *err) {
  double stat[LAB_SLIDE_DRAWS], kinetic[LAB_SLIDE_DRAWS], breakaway[LAB_SLIDE_DRAWS];
  cb_rng rng;
  cb_rng_init(&rng, LAB_SLIDE_SEED, (uint64_t)c->run.id);
  for (size_t i = 0; i < LAB_SLIDE_DRAWS; i++) {
    draw d = draw_next(&rng);
    lab_slide_prediction p;
    CB_TRY(predict_sled(c, &d, scale, &p, NULL, err));
    stat[i] = p.static_N;
    kinetic[i] = p.kinetic_N;
    breakaway[i] = p.breakaway_m;
  }
  *u = (lab_slide_prediction){lab_slide_spread(stat, LAB_SLIDE_DRAWS, best->static_N),
                              lab_slide_spread(kinetic, LAB_SLIDE_DRAWS, best->kinetic_N),
                              lab_slide_spread(breakaway, LAB_SLIDE_DRAWS, best->breakaway_m)};
  return CB_OK;
}

static double expanded(const lab_slide_case *c, const cb_friction_law *law, double u_N) {
  const double u_law =
      lab_slide_law_value(c, law, c->run.angle_deg * CB_DEG, c->run.normal_force_N).u_force_N;
  return lab_expanded_95(u_N, u_law, law->dof);
}

static void expand(const lab_slide_case *c, lab_slide_simulated *r) {
  r->U = (lab_slide_prediction){expanded(c, c->has_static ? &c->stat : &c->kinetic, r->u.static_N),
                                expanded(c, &c->kinetic, r->u.kinetic_N),
                                lab_expanded_95(r->u.breakaway_m, 0, 0)};
}

cb_status lab_slide_predict(const lab_slide_case *c, lab_slide_simulated *out, cb_err *err) {
  double scale = 1;
  *out = (lab_slide_simulated){.best = {NAN, NAN, NAN}};
  if (c->has_static) CB_TRY(static_scale(c, &scale, err));
  CB_TRY(predict_sled(c, &(draw){0}, scale, &out->best, &out->trace, err));
  CB_TRY(propagate(c, scale, &out->best, &out->u, err));
  if (c->model != LAB_SLIDE_SLED) CB_TRY(replace_by_sheet(c, scale, out, err));
  expand(c, out);
  return CB_OK;
}

void lab_slide_simulated_clear(lab_slide_simulated *r) {
  cb_trace_clear(&r->trace);
  cb_trace_clear(&r->sled_trace);
}
