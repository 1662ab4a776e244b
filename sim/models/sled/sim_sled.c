#include "sim_sled.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"

/* Below this speed [m/s] a sled that slows down rests: what is left of its way is v^2/2a ~ 1e-18 m. */
#define REST_SPEED 1e-9
#define MAX_EVENTS_PER_SAMPLE 10000
#define BISECTIONS 64

/* What does not change during a run. */
typedef struct model {
  const sim_sled *sled;
  double pull_dir[2], gravity_N[2]; /* tangential part of the weight */
  double kinetic_N[3], static_N[3]; /* the quadratic forms at the sled's normal force */
  double breaks_s[4];
} model;

typedef struct state {
  double p[2], v[2];
  double stage_J, friction_J, damping_J;
} state;

/* Which of the smooth equations hold; frozen during a step. */
typedef struct phase {
  bool slip;
  bool moving;   /* slip: v was not 0 when the step began */
  int link;      /* -1 pushes, 0 loose, +1 pulls */
  double dir[2]; /* slip: direction at the start of the step; friction follows the line of v without flipping
                    over at v = 0 */
} phase;

sim_sled sim_sled_default(void) {
  return (sim_sled){
      .gravity_m_per_s2 = CB_STANDARD_GRAVITY_M_PER_S2, .duration_s = 1, .rate_Hz = 1000, .step_s = 1e-4};
}

static cb_status positive(double value, const char *what, const char *unit, cb_err *err) {
  if (value > 0 && isfinite(value)) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "sled: %s = %g %s: must be > 0 and finite", what, value, unit);
}

/* The step must follow the swing of the sled on the link (RK4 is accurate to 1e-4 per radian at 0.5, unstable
 * at 2.8). */
static cb_status check_step(const sim_sled *s, cb_err *err) {
  double swing = sqrt(s->pull.stiffness_N_per_m / s->mass_kg), decay = s->pull.damping_Ns_per_m / s->mass_kg,
         most = 0.5 / fmax(swing, decay);
  if (s->step_s <= most) return CB_OK;
  return cb_fail(
      err, CB_E_RANGE,
      "sled: time step = %g s: must be <= %.3g s for a mass of %g kg on a link of %g N/m with %g N s/m",
      s->step_s, most, s->mass_kg, s->pull.stiffness_N_per_m, s->pull.damping_Ns_per_m);
}

static cb_status check_pull(const sim_sled *s, cb_err *err) {
  const sim_pull *p = &s->pull;
  CB_TRY(cb_check_range(p->stiffness_N_per_m, 0, 1e9, "sled: link stiffness", "N/m", err));
  if (p->stiffness_N_per_m == 0) return CB_OK;
  CB_TRY(cb_check_range(p->angle_rad, -100, 100, "sled: pull angle", "rad", err));
  CB_TRY(cb_check_range(p->slack_m, 0, 1, "sled: link slack", "m", err));
  CB_TRY(cb_check_range(p->damping_Ns_per_m, 0, 1e6, "sled: link damping", "N s/m", err));
  CB_TRY(check_step(s, err));
  return sim_profile_check(&p->profile, err);
}

static cb_status check_start(const sim_sled *s, cb_err *err) {
  if (!(s->incline_rad >= 0) || !(s->incline_rad < CB_PI / 2))
    return cb_fail(err, CB_E_RANGE, "sled: incline = %g deg: must be >= 0 and < 90", s->incline_rad / CB_DEG);
  CB_TRY(cb_check_range(s->downhill_rad, -100, 100, "sled: downhill direction", "rad", err));
  for (int i = 0; i < 2; i++)
    if (!isfinite(s->position_m[i]) || !isfinite(s->velocity_m_per_s[i]))
      return cb_fail(err, CB_E_NUM, "sled: position and velocity at the start must be finite");
  return CB_OK;
}

cb_status sim_sled_check(const sim_sled *s, cb_err *err) {
  CB_TRY(positive(s->mass_kg, "mass", "kg", err));
  CB_TRY(positive(s->gravity_m_per_s2, "gravity", "m/s2", err));
  CB_TRY(positive(s->contact_area_m2, "contact area", "m2", err));
  CB_TRY(positive(s->duration_s, "duration", "s", err));
  CB_TRY(positive(s->rate_Hz, "sample rate", "Hz", err));
  CB_TRY(positive(s->step_s, "time step", "s", err));
  CB_TRY(check_start(s, err));
  if (!s->kinetic_law) return cb_fail(err, CB_E_ARG, "sled: no kinetic friction law");
  CB_TRY(cb_friction_law_check(s->kinetic_law, err));
  if (s->static_law) CB_TRY(cb_friction_law_check(s->static_law, err));
  if (s->duration_s * s->rate_Hz > 1e7)
    return cb_fail(err, CB_E_RANGE, "sled: %g samples: at most 1e7 are kept", s->duration_s * s->rate_Hz);
  return check_pull(s, err);
}

/* ---- forces ---- */

static double dot(const double a[2], const double b[2]) { return a[0] * b[0] + a[1] * b[1]; }
static double quadratic(const double f[3], const double u[2]) {
  return f[0] * u[0] * u[0] + 2 * f[1] * u[0] * u[1] + f[2] * u[1] * u[1];
}

/* The form [f00, f01, f11] of the contact: traction over pressure. */
static void contact_form(const sim_sled *s, const cb_friction_law *law, double f_N[3]) {
  cb_friction_law own = cb_friction_law_on_area(law, s->contact_area_m2);
  cb_friction_law_matrix(&own, s->mass_kg * s->gravity_m_per_s2 * cos(s->incline_rad), f_N);
}

static model model_of(const sim_sled *s) {
  double weight_N = s->mass_kg * s->gravity_m_per_s2 * sin(s->incline_rad);
  model m = {.sled = s,
             .pull_dir = {cos(s->pull.angle_rad), sin(s->pull.angle_rad)},
             .gravity_N = {weight_N * cos(s->downhill_rad), weight_N * sin(s->downhill_rad)}};
  contact_form(s, s->kinetic_law, m.kinetic_N);
  contact_form(s, s->static_law ? s->static_law : s->kinetic_law, m.static_N);
  if (s->pull.stiffness_N_per_m > 0) sim_profile_breaks(&s->pull.profile, m.breaks_s);
  return m;
}

static double holding_N(const model *m, const double u[2]) {
  return fmax(quadratic(m->static_N, u), quadratic(m->kinetic_N, u));
}

typedef struct link {
  double stretch_m, rate_m_per_s; /* of d = x_stage - x_sled */
  double stage_speed;
} link;

static link link_at(const model *m, double t, const state *y) {
  const sim_sled *s = m->sled;
  link l = {0, 0, 0};
  if (s->pull.stiffness_N_per_m == 0) return l;
  double way[2] = {y->p[0] - s->position_m[0], y->p[1] - s->position_m[1]};
  l.stretch_m = sim_profile_at(&s->pull.profile, m->breaks_s, t, &l.stage_speed) - dot(way, m->pull_dir);
  l.rate_m_per_s = l.stage_speed - dot(y->v, m->pull_dir);
  return l;
}

static double tension(const model *m, const link *l, int side) {
  const sim_pull *p = &m->sled->pull;
  return side == 0 ? 0
                   : p->stiffness_N_per_m * (l->stretch_m - side * p->slack_m) +
                         p->damping_Ns_per_m * l->rate_m_per_s;
}

/* Stretch beyond the free play, whether or not the eye bears. */
static double spring_stretch(const model *m, const link *l) {
  double s = m->sled->pull.slack_m;
  return l->stretch_m > s ? l->stretch_m - s : l->stretch_m < -s ? l->stretch_m + s : 0;
}

/* The side on which the eye bears: out of its play, and not pushed open by the damper. */
static int bearing_side(const model *m, double t, const state *y) {
  link l = link_at(m, t, y);
  double e = spring_stretch(m, &l);
  int side = (e > 0) - (e < 0);
  return side * tension(m, &l, side) > 0 ? side : 0;
}

static void applied_force(const model *m, double tension_N, double f[2]) {
  for (int i = 0; i < 2; i++) f[i] = m->gravity_N[i] + tension_N * m->pull_dir[i];
}

/* Unit vector of a; false if a = 0. */
static bool unit(const double a[2], double u[2]) {
  double r = sqrt(dot(a, a));
  u[0] = r > 0 ? a[0] / r : 0;
  u[1] = r > 0 ? a[1] / r : 0;
  return r > 0;
}

/* Whether a resting sled stays; else dir becomes the direction in which it starts. */
static bool holds(const model *m, const phase *ph, double t, const state *y, double dir[2]) {
  double f[2], u[2];
  link l = link_at(m, t, y);
  applied_force(m, tension(m, &l, ph->link), f);
  if (!unit(f, u) || dot(f, u) <= holding_N(m, u)) return true;
  dir[0] = u[0];
  dir[1] = u[1];
  return false;
}

/* ---- one smooth step ---- */

static void friction_line(const phase *ph, const double v[2], double u[2]) {
  if (!unit(v, u)) {
    u[0] = ph->dir[0];
    u[1] = ph->dir[1];
  } else if (dot(u, ph->dir) < 0) {
    u[0] = -u[0];
    u[1] = -u[1];
  }
}

static state derivative(const model *m, const phase *ph, double t, const state *y) {
  link l = link_at(m, t, y);
  double pull = tension(m, &l, ph->link), spring = m->sled->pull.stiffness_N_per_m * spring_stretch(m, &l);
  state d = {.stage_J = pull * l.stage_speed, .damping_J = (pull - spring) * l.rate_m_per_s};
  if (!ph->slip) return d;
  double f[2], u[2];
  applied_force(m, pull, f);
  friction_line(ph, y->v, u);
  double friction = quadratic(m->kinetic_N, u);
  for (int i = 0; i < 2; i++) {
    d.p[i] = y->v[i];
    d.v[i] = (f[i] - friction * u[i]) / m->sled->mass_kg;
  }
  d.friction_J = friction * dot(u, y->v);
  return d;
}

static state moved(const state *y, double h, const state *d) {
  state r = *y;
  for (int i = 0; i < 2; i++) {
    r.p[i] += h * d->p[i];
    r.v[i] += h * d->v[i];
  }
  r.stage_J += h * d->stage_J;
  r.friction_J += h * d->friction_J;
  r.damping_J += h * d->damping_J;
  return r;
}

static state runge_kutta(const model *m, const phase *ph, double t, const state *y, double h) {
  state k1 = derivative(m, ph, t, y), y2 = moved(y, h / 2, &k1);
  state k2 = derivative(m, ph, t + h / 2, &y2), y3 = moved(y, h / 2, &k2);
  state k3 = derivative(m, ph, t + h / 2, &y3), y4 = moved(y, h, &k3);
  state k4 = derivative(m, ph, t + h, &y4);
  state r = moved(y, h / 6, &k1);
  r = moved(&r, h / 3, &k2);
  r = moved(&r, h / 3, &k3);
  return moved(&r, h / 6, &k4);
}

/* ---- events ---- */

static bool phase_ends(const model *m, const phase *ph, double t, const state *y) {
  double dir[2];
  if (bearing_side(m, t, y) != ph->link) return true;
  if (ph->slip) return ph->moving && dot(y->v, ph->dir) <= 0;
  return !holds(m, ph, t, y, dir);
}

/* The earliest step <= h at whose end the phase has ended, to rounding. */
static double locate_end(const model *m, const phase *ph, double t, const state *y, double h) {
  double lo = 0, hi = h;
  for (int i = 0; i < BISECTIONS && t + lo < t + hi; i++) {
    double mid = 0.5 * (lo + hi);
    state at = runge_kutta(m, ph, t, y, mid);
    if (phase_ends(m, ph, t + mid, &at))
      hi = mid;
    else
      lo = mid;
  }
  return hi;
}

/* Where the path bends (oblique to the applied force), the direction of v turns ever faster as v goes to 0:
 * the step follows. */
static double bend_limit(const model *m, const phase *ph, double t, const state *y, double h) {
  double f[2], speed = hypot(y->v[0], y->v[1]);
  if (!ph->slip || !ph->moving) return h;
  link l = link_at(m, t, y);
  applied_force(m, tension(m, &l, ph->link), f);
  double force = hypot(f[0], f[1]);
  if (fabs(y->v[0] * f[1] - y->v[1] * f[0]) <= 1e-9 * speed * force) return h;
  return fmin(h, 0.1 * speed * m->sled->mass_kg / (force + quadratic(m->kinetic_N, ph->dir)));
}

/* Whether the slip ends here. A turn by more than a right angle is a stop: bend_limit keeps a path that
 * merely bends below 0.2 rad per step. On a bending path v only nears 0, so there a small v that still
 * shrinks counts as none. */
static bool stops(const model *m, const phase *ph, double t, const state *y) {
  if (dot(y->v, ph->dir) <= 0) return true;
  if (hypot(y->v[0], y->v[1]) >= REST_SPEED) return false;
  state d = derivative(m, ph, t, y);
  return dot(d.v, y->v) < 0;
}

/* The phase that follows at (t, y). A sled that came to rest is put to rest exactly. */
static phase next_phase(const model *m, const phase *ph, double t, state *y) {
  phase next = {.slip = ph->slip, .link = bearing_side(m, t, y)};
  bool stopped = ph->slip && stops(m, ph, t, y);
  if (stopped) y->v[0] = y->v[1] = 0;
  if (ph->slip && !stopped) {
    next.moving = unit(y->v, next.dir);
    return next;
  }
  if (stopped) next.link = bearing_side(m, t, y); /* the damper feels the stop */
  next.slip = !holds(m, &next, t, y, next.dir);
  return next;
}

typedef struct run {
  model m;
  phase ph;
  state y;
  double t;
  sim_sled_result *out;
} run;

static double step_limit(const run *r, double t_end) {
  double h = t_end - r->t;
  if (r->m.sled->pull.stiffness_N_per_m > 0)
    for (int i = 0; i < 4; i++)
      if (r->m.breaks_s[i] > r->t && r->m.breaks_s[i] < r->t + h) h = r->m.breaks_s[i] - r->t;
  return bend_limit(&r->m, &r->ph, r->t, &r->y, fmin(h, r->m.sled->step_s));
}

static void note_breakaway(run *r) {
  if (r->out->n_slips++ > 0) return;
  r->out->breakaway_s = r->t;
  if (r->m.sled->pull.stiffness_N_per_m > 0)
    r->out->breakaway_stage_m = fabs(sim_profile_at(&r->m.sled->pull.profile, r->m.breaks_s, r->t, NULL));
}

/* From one sample to the next. */
static cb_status advance_to(run *r, double t_end, cb_err *err) {
  int events = 0;
  while (r->t < t_end) {
    double h = step_limit(r, t_end);
    /* Rounding can leave a rest too small to move the clock. */
    if (r->t + h <= r->t) h = nextafter(r->t, t_end) - r->t;
    state end = runge_kutta(&r->m, &r->ph, r->t, &r->y, h);
    if (!isfinite(end.p[0] + end.p[1] + end.v[0] + end.v[1]))
      return cb_fail(err, CB_E_NUM,
                     "sled: the motion became infinite at t = %g s with a step of %g s: use a smaller step",
                     r->t, h);
    if (phase_ends(&r->m, &r->ph, r->t + h, &end)) {
      if (++events > MAX_EVENTS_PER_SAMPLE)
        return cb_fail(err, CB_E_NUM, "sled: more than %d contact changes between two samples at t = %g s",
                       MAX_EVENTS_PER_SAMPLE, r->t);
      h = locate_end(&r->m, &r->ph, r->t, &r->y, h);
      end = runge_kutta(&r->m, &r->ph, r->t, &r->y, h);
    }
    bool stuck = !r->ph.slip;
    r->t += h;
    r->y = end;
    r->ph = next_phase(&r->m, &r->ph, r->t, &r->y);
    if (stuck && r->ph.slip) note_breakaway(r);
  }
  return CB_OK;
}

/* ---- the whole run ---- */

static cb_status record_sample(run *r, cb_err *err) {
  sim_sled_result *o = r->out;
  link l = link_at(&r->m, r->t, &r->y);
  o->samples[o->n++] = (sim_sled_sample){r->t, r->y.p[0], r->y.p[1], r->y.v[0], r->y.v[1]};
  if (r->m.sled->pull.stiffness_N_per_m == 0) return CB_OK;
  CB_TRY(cb_series_push(&o->trace.force_N, r->t, tension(&r->m, &l, r->ph.link), err));
  return cb_series_push(&o->trace.position_m, r->t,
                        sim_profile_at(&r->m.sled->pull.profile, r->m.breaks_s, r->t, NULL), err);
}

static void begin_run(run *r, const sim_sled *s) {
  r->m = model_of(s);
  for (int i = 0; i < 2; i++) {
    r->y.p[i] = s->position_m[i];
    r->y.v[i] = s->velocity_m_per_s[i];
  }
  r->ph.link = bearing_side(&r->m, 0, &r->y);
  r->ph.moving = r->ph.slip = unit(r->y.v, r->ph.dir);
  if (r->ph.slip) return;
  r->ph.slip = !holds(&r->m, &r->ph, 0, &r->y, r->ph.dir);
  if (r->ph.slip) note_breakaway(r);
}

static sim_sled_energy ledger(const run *r) {
  const sim_sled *s = r->m.sled;
  double way[2] = {r->y.p[0] - s->position_m[0], r->y.p[1] - s->position_m[1]};
  link l = link_at(&r->m, r->t, &r->y);
  double e = spring_stretch(&r->m, &l);
  sim_sled_energy w = {.stage_J = r->y.stage_J,
                       .gravity_J = dot(r->m.gravity_N, way),
                       .kinetic_J = 0.5 * s->mass_kg * dot(r->y.v, r->y.v),
                       .spring_J = 0.5 * s->pull.stiffness_N_per_m * e * e,
                       .friction_J = r->y.friction_J,
                       .damping_J = r->y.damping_J};
  double start = 0.5 * s->mass_kg * dot(s->velocity_m_per_s, s->velocity_m_per_s);
  w.residual_J = start + w.stage_J + w.gravity_J - w.kinetic_J - w.spring_J - w.friction_J - w.damping_J;
  return w;
}

cb_status sim_sled_run(const sim_sled *sled, sim_sled_result *out, cb_err *err) {
  *out = (sim_sled_result){.breakaway_s = NAN, .breakaway_stage_m = NAN};
  CB_TRY(sim_sled_check(sled, err));
  size_t n = (size_t)floor(sled->duration_s * sled->rate_Hz * (1 + 1e-12)) + 1;
  run r = {.out = out};
  cb_status st = CB_OK;
  out->samples = malloc(n * sizeof *out->samples);
  if (!out->samples) return cb_no_memory(err, "sled, %zu samples", n);
  begin_run(&r, sled);
  CB_GOTO(record_sample(&r, err));
  for (size_t i = 1; i < n; i++) {
    CB_GOTO(advance_to(&r, (double)i / sled->rate_Hz, err));
    CB_GOTO(record_sample(&r, err));
  }
  out->at_rest = !r.ph.slip;
  out->energy = ledger(&r);
done:
  if (st != CB_OK) sim_sled_result_clear(out);
  return st;
}

void sim_sled_result_clear(sim_sled_result *r) {
  free(r->samples);
  cb_trace_clear(&r->trace);
  *r = (sim_sled_result){.breakaway_s = NAN, .breakaway_stage_m = NAN};
}
