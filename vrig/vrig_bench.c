#include "vrig_bench.h"

#include <math.h>

#include "cb_num.h"

#define LONGEST_STEP_S 1e-4
/* A cart cannot stick and break away more often than this within a step; what is left of such a step it
 * rests. */
#define MAX_EVENTS 8
/* Below this speed [m/s] friction is taken at it: the logarithm has no value at rest. */
#define SLOWEST 1e-6

/* Every placement has a stream for its pulls: one that is made again changes nothing for the placements after
 * it. */
enum { STREAM_NOISE = 1, STREAM_PLACEMENT = 2, STREAM_PULL = 3 };

static double normal_force_N(const vrig_bench *b) { return b->mass_kg * b->rig->bench.gravity_m_per_s2; }

/* What the body's own directions do to the cloth's force. */
static double surfaces_of(const vrig_bench *b) {
  const cb_rig_truth *t = &b->rig->virt.truth;
  double N = normal_force_N(b),
         mean = 0.5 * (cb_rig_truth_static(t, 0, N) + cb_rig_truth_static(t, 90 * CB_DEG, N));
  if (t->body_rule == CB_RIG_BODY_PLAIN || !(mean > 0)) return 1;
  double cloth = cb_rig_truth_static(t, b->angle_rad, N) / mean;
  double body = 1 + t->body_cos2 * cos(2 * b->body_angle_rad) + t->body_sin2 * sin(2 * b->body_angle_rad);
  return (t->body_rule == CB_RIG_BODY_MEAN ? 0.5 * (cloth + body) : sqrt(cloth * body)) / cloth;
}

static double static_under(const vrig_bench *b, double N) {
  return b->surfaces * cb_rig_truth_static(&b->rig->virt.truth, b->angle_rad, N);
}

static double kinetic_under(const vrig_bench *b, double N, double speed_m_per_s) {
  return b->surfaces *
         cb_rig_truth_kinetic(&b->rig->virt.truth, b->angle_rad, N, fmax(speed_m_per_s, SLOWEST));
}

double vrig_bench_true_static_N(const vrig_bench *b) { return static_under(b, normal_force_N(b)); }

double vrig_bench_true_kinetic_N(const vrig_bench *b, double speed_m_per_s) {
  return kinetic_under(b, normal_force_N(b), speed_m_per_s);
}

/* What a link force leaves of the load when the line rises, and what of the force lies along the way. */
static double pressing_N(const vrig_bench *b, double link_N) {
  return fmax(0, normal_force_N(b) - link_N * sin(b->rig->virt.line_pitch_deg * CB_DEG));
}

static double along(const vrig_bench *b) {
  return cos(b->rig->virt.line_pitch_deg * CB_DEG) * cos(b->rig->virt.line_yaw_deg * CB_DEG);
}

static double scatter_factor(const vrig_bench *b) {
  return fmax(1 + b->rig->virt.truth.repeat_sd_rel * (b->placement + b->run) / sqrt(2), 0.05);
}

double vrig_bench_time_s(const vrig_bench *b) { return (double)b->step * b->step_s; }

static void place_cart(vrig_bench *b) {
  double v;
  vrig_stage_at(&b->stage, vrig_bench_time_s(b), &b->cart_m, &v);
  b->cart_m_per_s = 0;
  b->slip = 0;
  b->surfaces = surfaces_of(b);
  b->placement = cb_rng_normal(&b->placements);
  cb_rng_init(&b->pulls, (uint64_t)b->rig->virt.seed, STREAM_PULL + b->n_placed++);
}

cb_status vrig_bench_init(vrig_bench *b, const cb_rig *rig, cb_err *err) {
  *b = (vrig_bench){.rig = rig, .mass_kg = rig->bench.cart_mass_kg};
  b->surfaces = surfaces_of(b);
  double still = vrig_bench_true_static_N(b), creeping = vrig_bench_true_kinetic_N(b, 0);
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

/* ---- one step ---- */

/* Rests from t until the end of the step or until it breaks away; returns that instant. */
static double rest(vrig_bench *b, double t, double until) {
  double after = force_at(b, until),
         limit = static_under(b, pressing_N(b, after)) * scatter_factor(b) / along(b);
  if (fabs(after) <= limit) return until;
  int dir = after > 0 ? 1 : -1;
  double before = dir * force_at(b, t), part = (limit - before) / (dir * after - before);
  b->slip = dir;
  return t + fmin(fmax(part, 0), 1) * (until - t);
}

/* Speed after dt by the trapezoidal rule under a link engaged on `side`. */
static double slide_speed(const vrig_bench *b, double t, double dt, int side, double friction_N) {
  double k = b->rig->bench.link_stiffness_N_per_m, c = b->rig->virt.link_damping_Ns_per_m, part = along(b);
  double v0 = b->cart_m_per_s, h = 0.5 * dt, xs, vs;
  if (side == 0) return v0 - b->slip * friction_N * dt / b->mass_kg;
  vrig_stage_at(&b->stage, t + dt, &xs, &vs);
  /* The link force at the end, but for its part that depends on the speed looked for. */
  double known = k * (xs - b->cart_m - h * v0 - side * b->rig->bench.link_slack_m) + c * vs;
  return (b->mass_kg * v0 + h * (part * (force_at(b, t) + known) - 2 * b->slip * friction_N)) /
         (b->mass_kg + h * part * (c + k * h));
}

/* Slides from t until the end of the step or until it stops; returns that instant. */
static double slide(vrig_bench *b, double t, double until) {
  double dt = until - t, v0 = b->cart_m_per_s, x, v;
  double friction = kinetic_under(b, pressing_N(b, force_at(b, t)), fabs(v0)) * scatter_factor(b);
  vrig_stage_at(&b->stage, t, &x, &v);
  int side = force_at(b, t) == 0 ? 0 : link_side(b, x - b->cart_m);
  double v1 = slide_speed(b, t, dt, side, friction);
  if (b->slip * v1 > 0) {
    b->cart_m += 0.5 * dt * (v0 + v1);
    b->cart_m_per_s = v1;
    return until;
  }
  double stops = v0 == v1 ? 0 : dt * v0 / (v0 - v1);
  b->cart_m += 0.5 * stops * v0;
  b->cart_m_per_s = 0;
  b->slip = 0;
  return t + stops;
}

void vrig_bench_step(vrig_bench *b) {
  double t = vrig_bench_time_s(b), until = (double)(b->step + 1) * b->step_s;
  bool moving = vrig_stage_moving(&b->stage, t);
  if (moving && !b->stage_moved) b->run = cb_rng_normal(&b->pulls);
  b->stage_moved = vrig_stage_moving(&b->stage, until);
  if (moving || b->slip != 0)
    for (int event = 0; t < until && event < MAX_EVENTS; event++)
      t = b->slip == 0 ? rest(b, t, until) : slide(b, t, until);
  b->step++;
}

double vrig_bench_reading(vrig_bench *b, bool *saturated) {
  const cb_rig_virtual *v = &b->rig->virt;
  double slope = v->slope_N_per_unit, full = 2 * b->rig->force.overload_N / fabs(slope);
  double value = (vrig_bench_force_N(b) + b->extra_N) / slope + v->zero +
                 v->drift_per_s * vrig_bench_time_s(b) + v->noise_sd * cb_rng_normal(&b->noise);
  *saturated = fabs(value) >= full;
  value = fmin(fmax(value, -full), full);
  return nearbyint(value / v->quantum) * v->quantum + 0.0; /* + 0.0: no minus sign before a zero */
}
