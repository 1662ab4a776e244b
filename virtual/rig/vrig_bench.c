#include "vrig_bench.h"

#include <math.h>

#include "vrig_friction.h"

#define LONGEST_STEP_S 1e-4
/* A cart cannot stick and break away more often than this within a step; what is left of such a step it
 * rests. */
#define MAX_EVENTS 8
/* A stage that goes at so much of its highest speed goes there and back for the host, and pulls nothing. */
#define AT_FULL_SPEED 0.99

/* Every placement has a stream for its pulls: one that is made again changes nothing for the placements after
 * it. */
enum { STREAM_NOISE = 1, STREAM_PLACEMENT = 2, STREAM_PULL = 3 };

double vrig_bench_time_s(const vrig_bench *b) { return (double)b->step * b->step_s; }

/* A zero that went stays where it is. */
static void end_mishap(vrig_bench *b) {
  if (vrig_mishap_of_zero(&b->course.mishap)) b->zero_N += vrig_mishap_on_cell_N(&b->course);
  b->course = (vrig_course){0};
}

static void place_cart(vrig_bench *b) {
  double v;
  vrig_stage_at(&b->stage, vrig_bench_time_s(b), &b->cart_m, &v);
  b->cart_m_per_s = 0;
  b->slip = 0;
  b->surfaces = vrig_friction_surfaces(b);
  end_mishap(b);
  b->past.rests_since_s = vrig_bench_time_s(b);
  b->past.slid_towards = 0;
  b->past.turned = false;
  b->placement = cb_rng_normal(&b->placements);
  cb_rng_init(&b->pulls, (uint64_t)b->rig->virt.seed, STREAM_PULL + b->n_placed++);
}

cb_status vrig_bench_init(vrig_bench *b, const cb_rig *rig, cb_err *err) {
  *b = (vrig_bench){.rig = rig, .mass_kg = rig->bench.cart_mass_kg};
  b->surfaces = vrig_friction_surfaces(b);
  double still = vrig_bench_true_static_N(b, 1), creeping = vrig_bench_true_kinetic_N(b, 1, 0);
  if (still < creeping)
    return cb_fail(err, CB_E_RANGE,
                   "%s: virtual.truth: the static force %g N is below the kinetic one near rest, %g N: "
                   "static_excess must be larger",
                   rig->path, still, creeping);
  b->steps_per_sample = (uint64_t)ceil(1 / (rig->force.rate_Hz * LONGEST_STEP_S) - 1e-9);
  if (b->steps_per_sample < 1) b->steps_per_sample = 1;
  b->step_s = 1 / (rig->force.rate_Hz * (double)b->steps_per_sample);
  vrig_stage_init(&b->stage, rig->stage.limit_min_m, rig->stage.limit_max_m, rig->stage.start_m);
  cb_rng_init(&b->noise, (uint64_t)rig->virt.seed, STREAM_NOISE);
  cb_rng_init(&b->placements, (uint64_t)rig->virt.seed, STREAM_PLACEMENT);
  place_cart(b);
  return CB_OK;
}

static cb_status stage_rests(const vrig_bench *b, cb_err *err) {
  if (!vrig_stage_moving(&b->stage, vrig_bench_time_s(b))) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "the stage is moving: nobody reaches under a moving stage");
}

cb_status vrig_bench_turn_sample(vrig_bench *b, double angle_rad, cb_err *err) {
  CB_TRY(stage_rests(b, err));
  b->angle_rad = angle_rad;
  place_cart(b);
  return CB_OK;
}

cb_status vrig_bench_turn_body(vrig_bench *b, double angle_rad, cb_err *err) {
  CB_TRY(stage_rests(b, err));
  b->body_angle_rad = angle_rad;
  place_cart(b);
  return CB_OK;
}

cb_status vrig_bench_load_cart(vrig_bench *b, double added_mass_kg, cb_err *err) {
  CB_TRY(stage_rests(b, err));
  b->mass_kg = b->rig->bench.cart_mass_kg + added_mass_kg;
  place_cart(b);
  return CB_OK;
}

cb_status vrig_bench_hang_weight(vrig_bench *b, double conventional_mass_kg, cb_err *err) {
  CB_TRY(stage_rests(b, err));
  b->hung_N = conventional_mass_kg * (1 - 1.2 / 8000) * b->rig->bench.gravity_m_per_s2;
  return CB_OK;
}

/* ---- the link ---- */

static int link_side(const vrig_bench *b, double d) {
  double slack = b->rig->bench.link_slack_m;
  return d > slack ? 1 : d < -slack ? -1 : 0;
}

static double link_force(const vrig_bench *b, double d, double d_rate) {
  int side = link_side(b, d);
  double F = b->rig->bench.link_stiffness_N_per_m * (d - side * b->rig->bench.link_slack_m) +
             b->rig->virt.link_damping_Ns_per_m * d_rate;
  return side * F > 0 ? F : 0;
}

static double force_at(const vrig_bench *b, double t) {
  double x, v;
  vrig_stage_at(&b->stage, t, &x, &v);
  return link_force(b, x - b->cart_m, v - b->cart_m_per_s);
}

double vrig_bench_force_N(const vrig_bench *b) { return b->hung_N + force_at(b, vrig_bench_time_s(b)); }

/* ---- a pull and its mishap ---- */

void vrig_bench_suffer(vrig_bench *b, const vrig_mishap *m) {
  end_mishap(b);
  b->course.mishap = *m;
  b->next = *m;
  b->armed = true;
}

/* A slack link that the stage is about to draw taut. */
static bool is_pull(const vrig_bench *b, double t, double way_m) {
  double ahead_m = b->stage.end_m - b->cart_m;
  return !b->stage.homes && force_at(b, t) == 0 && ahead_m * way_m > 0 &&
         fabs(ahead_m) > b->rig->bench.link_slack_m &&
         vrig_stage_peak_m_per_s(&b->stage) < AT_FULL_SPEED * b->rig->stage.max_speed_m_per_s;
}

/* The stage has its plan, and does something else. */
static void spoil_motion(vrig_bench *b, double t) {
  const vrig_mishap *m = &b->course.mishap;
  double speed = vrig_stage_peak_m_per_s(&b->stage), way_m = b->stage.end_m - b->course.begin_m;
  double acceleration = fabs(b->stage.leg[0].a_m_per_s2), other = b->course.begin_m - way_m;
  if (m->kind == VRIG_MISHAP_SLOW)
    vrig_stage_move(&b->stage, t, b->stage.end_m, speed * m->size, acceleration);
  if (m->kind == VRIG_MISHAP_REVERSED)
    vrig_stage_move(&b->stage, t, fmin(fmax(other, b->stage.min_m), b->stage.max_m), speed, acceleration);
  if (m->kind == VRIG_MISHAP_UNEVEN) vrig_stage_ripple(&b->stage, m->size, m->way_m);
}

/* The stage starts from rest. */
static void start(vrig_bench *b, double t) {
  double x, v;
  vrig_stage_at(&b->stage, t, &x, &v);
  double way_m = b->stage.end_m - x;
  b->run = cb_rng_normal(&b->pulls);
  b->past.n_worn += b->past.slid;
  b->past.slid = false;
  bool pulls = b->armed || is_pull(b, t, way_m);
  /* On the way back the link goes slack as the cart was left. Whoever then takes the cart along has freed
   * it. */
  bool left = force_at(b, t) != 0 && !vrig_mishap_of_reading(&b->course.mishap);
  if (pulls || !left) end_mishap(b);
  if (!pulls) return;
  b->course = (vrig_course){
      .mishap = b->next, .begun = true, .direction = way_m < 0 ? -1 : 1, .begin_s = t, .begin_m = x};
  b->next = (vrig_mishap){0};
  b->armed = false;
  b->n_pulls++;
  spoil_motion(b, t);
}

/* What happens once on the way. */
static void happen(vrig_bench *b, double t) {
  vrig_course *c = &b->course;
  if (c->happened || c->way_m < c->mishap.way_m) return;
  c->happened = true;
  if (c->mishap.kind == VRIG_MISHAP_STANDS) vrig_stage_halt(&b->stage, t);
  if (c->mishap.kind == VRIG_MISHAP_SHIFTS) b->cart_m += c->direction * c->mishap.size;
  if (c->mishap.kind == VRIG_MISHAP_CAUGHT) c->caught = true;
}

static void follow_course(vrig_bench *b, double t) {
  vrig_course *c = &b->course;
  double x, v;
  if (!c->begun || c->mishap.kind == VRIG_MISHAP_NONE) return;
  vrig_stage_at(&b->stage, t, &x, &v);
  c->way_m = c->direction * (x - c->begin_m);
  c->since_s = t - c->begin_s;
  happen(b, t);
}

/* ---- one step ---- */

static void break_away(vrig_bench *b, int direction) {
  vrig_past *p = &b->past;
  b->slip = direction;
  p->slid = true;
  if (direction == p->slid_towards) return;
  p->turned = p->slid_towards != 0;
  p->slid_towards = direction;
  p->since_turn_m = 0;
}

/* Rests from t until the end of the step or until it breaks away; returns that instant. */
static double rest(vrig_bench *b, double t, double until) {
  double after = force_at(b, until), down = vrig_friction_downhill_N(b), along = vrig_friction_along(b);
  int dir = after * along > down ? 1 : -1;
  double limit = (vrig_friction_static_N(b, after, dir, until) + dir * down) / along;
  if (dir * after <= limit) return until;
  double before = dir * force_at(b, t), rise = dir * after - before;
  /* Where the limit has fallen below a force that stands, it breaks away at once. */
  double part = rise > 0 ? (limit - before) / rise : 0;
  break_away(b, dir);
  b->course.let_go = b->course.caught;
  return t + fmin(fmax(part, 0), 1) * (until - t);
}

/* The link at the beginning of a slide over dt. */
typedef struct link_state {
  double t, dt, force_N;
  int side; /* on which it is engaged */
} link_state;

static link_state link_at(const vrig_bench *b, double t, double dt) {
  double x, v;
  vrig_stage_at(&b->stage, t, &x, &v);
  double F = link_force(b, x - b->cart_m, v - b->cart_m_per_s);
  return (link_state){t, dt, F, F == 0 ? 0 : link_side(b, x - b->cart_m)};
}

/* Speed after dt by the trapezoidal rule, against a constant force. */
static double slide_speed(const vrig_bench *b, const link_state *l, double against_N) {
  double k = b->rig->bench.link_stiffness_N_per_m, c = b->rig->virt.link_damping_Ns_per_m,
         part = vrig_friction_along(b), mass_kg = vrig_friction_mass_kg(b);
  double v0 = b->cart_m_per_s, h = 0.5 * l->dt, xs, vs;
  if (l->side == 0) return v0 - against_N * l->dt / mass_kg;
  vrig_stage_at(&b->stage, l->t + l->dt, &xs, &vs);
  /* The link force at the end, but for its part that depends on the speed looked for. */
  double known = k * (xs - b->cart_m - h * v0 - l->side * b->rig->bench.link_slack_m) + c * vs;
  return (mass_kg * v0 + h * (part * (l->force_N + known) - 2 * against_N)) /
         (mass_kg + h * part * (c + k * h));
}

/* Speed after dt. Friction that depends on the speed is taken at the mean of a step with that of its
 * beginning, so that errors fall with the square of the step. */
static double speed_after(const vrig_bench *b, const link_state *l) {
  const cb_rig_truth *truth = &b->rig->virt.truth;
  double v0 = fabs(b->cart_m_per_s), down = vrig_friction_downhill_N(b);
  double friction = vrig_friction_kinetic_N(b, l->force_N, b->slip, v0);
  double v1 = slide_speed(b, l, b->slip * friction + down);
  if (isinf(friction) || (truth->stribeck_excess == 0 && truth->log_velocity == 0)) return v1;
  friction = vrig_friction_kinetic_N(b, l->force_N, b->slip, 0.5 * (v0 + fmax(b->slip * v1, 0)));
  return slide_speed(b, l, b->slip * friction + down);
}

/* Slides from t until the end of the step or until it stops; returns that instant. */
static double slide(vrig_bench *b, double t, double until) {
  link_state l = link_at(b, t, until - t);
  double dt = l.dt, v0 = b->cart_m_per_s, v1 = speed_after(b, &l);
  if (b->slip * v1 > 0) {
    b->cart_m += 0.5 * dt * (v0 + v1);
    b->past.since_turn_m += 0.5 * dt * fabs(v0 + v1);
    b->cart_m_per_s = v1;
    return until;
  }
  double stops = v0 == v1 ? 0 : dt * v0 / (v0 - v1);
  b->cart_m += 0.5 * stops * v0;
  b->cart_m_per_s = 0;
  b->slip = 0;
  b->past.rests_since_s = t + stops;
  return t + stops;
}

void vrig_bench_step(vrig_bench *b) {
  double t = vrig_bench_time_s(b), until = (double)(b->step + 1) * b->step_s;
  bool moving = vrig_stage_moving(&b->stage, t);
  if (moving && !b->stage_moved) start(b, t);
  b->stage_moved = vrig_stage_moving(&b->stage, until);
  if (moving || b->slip != 0)
    for (int event = 0; t < until && event < MAX_EVENTS; event++)
      t = b->slip == 0 ? rest(b, t, until) : slide(b, t, until);
  b->step++;
  follow_course(b, vrig_bench_time_s(b));
}

/* Rounds to the nearest multiple; + 0.0: no minus sign before a zero. */
static double rounded(double value, double digit) { return nearbyint(value / digit) * digit + 0.0; }

double vrig_bench_reading(vrig_bench *b, bool *saturated) {
  const cb_rig_virtual *v = &b->rig->virt;
  double slope = v->slope_N_per_unit, full = 2 * b->rig->force.overload_N / fabs(slope);
  double value =
      (vrig_bench_force_N(b) + b->extra_N + b->zero_N + vrig_mishap_on_cell_N(&b->course)) / slope + v->zero +
      v->drift_per_s * vrig_bench_time_s(b) + v->noise_sd * cb_rng_normal(&b->noise);
  double end = fmin(full, vrig_mishap_end_N(&b->course) / fabs(slope));
  *saturated = fabs(value) >= full;
  value = fmin(fmax(value, -end), end);
  return rounded(value, fmax(v->quantum, vrig_mishap_digit_N(&b->course) / fabs(slope)));
}
