#include "vrig_friction.h"

#include <math.h>

#include "cb_num.h"

/* Below this speed [m/s] friction is taken at it: the logarithm has no value at rest. */
#define SLOWEST 1e-6

double vrig_friction_mass_kg(const vrig_bench *b) {
  double times = vrig_mishap_added_mass(&b->course), cart_kg = b->rig->bench.cart_mass_kg;
  return times == 1 ? b->mass_kg : cart_kg + times * (b->mass_kg - cart_kg);
}

static double weight_N(const vrig_bench *b, double mass_kg) {
  return mass_kg * b->rig->bench.gravity_m_per_s2;
}

/* What the body's own directions do to the cloth's force. */
static double surfaces_at(const vrig_bench *b, double angle_rad, double N) {
  const cb_rig_truth *t = &b->rig->virt.truth;
  double mean = 0.5 * (cb_rig_truth_static(t, 0, N) + cb_rig_truth_static(t, 90 * CB_DEG, N));
  if (t->body_rule == CB_RIG_BODY_PLAIN || !(mean > 0)) return 1;
  double cloth = cb_rig_truth_static(t, angle_rad, N) / mean;
  double body = 1 + t->body_cos2 * cos(2 * b->body_angle_rad) + t->body_sin2 * sin(2 * b->body_angle_rad);
  return (t->body_rule == CB_RIG_BODY_MEAN ? 0.5 * (cloth + body) : sqrt(cloth * body)) / cloth;
}

double vrig_friction_surfaces(const vrig_bench *b) {
  return surfaces_at(b, b->angle_rad, weight_N(b, b->mass_kg));
}

/* ---- what the surfaces remember ---- */

static double memory_factor(const vrig_bench *b, int direction) {
  const cb_rig_truth *t = &b->rig->virt.truth;
  const vrig_past *p = &b->past;
  if (t->memory == 0 || p->slid_towards == 0) return 1;
  if (direction != p->slid_towards) return 1 + t->memory;
  return p->turned ? 1 + t->memory * exp(-p->since_turn_m / t->memory_way_m) : 1;
}

/* Of both forces, after n worn runs. No drift makes friction nothing. */
static double past_factor(const vrig_bench *b, int direction, unsigned long n_worn) {
  const cb_rig_truth *t = &b->rig->virt.truth;
  double backward = direction < 0 ? 1 + t->backward_excess : 1,
         worn = t->wear_per_run == 0 ? 1 : pow(1 + t->wear_per_run, (double)n_worn),
         damp = 1 + t->humidity_drift_per_h * vrig_bench_time_s(b) / 3600;
  return fmax(backward * worn * damp * memory_factor(b, direction), 0.05);
}

static double dwell_factor(const vrig_bench *b, double t_s) {
  const cb_rig_truth *t = &b->rig->virt.truth;
  if (t->dwell_log == 0 || b->slip != 0) return 1;
  return 1 + t->dwell_log * log1p(fmax(t_s - b->past.rests_since_s, 0) / t->dwell_reference_s);
}

/* ---- the truth ---- */

/* A run that is over has worn the surfaces, although the next has not begun. */
static double past_now(const vrig_bench *b, int direction) {
  return past_factor(b, direction, b->past.n_worn + (b->past.slid && !b->stage_moved));
}

double vrig_bench_true_static_N(const vrig_bench *b, int direction) {
  return b->surfaces * cb_rig_truth_static(&b->rig->virt.truth, b->angle_rad, weight_N(b, b->mass_kg)) *
         past_now(b, direction) * dwell_factor(b, vrig_bench_time_s(b));
}

double vrig_bench_true_kinetic_N(const vrig_bench *b, int direction, double speed_m_per_s) {
  return b->surfaces *
         cb_rig_truth_kinetic(&b->rig->virt.truth, b->angle_rad, weight_N(b, b->mass_kg),
                              fmax(speed_m_per_s, SLOWEST)) *
         past_now(b, direction);
}

/* ---- as it is, with what goes wrong ---- */

static double normal_force_N(const vrig_bench *b) {
  double tilt_rad = vrig_mishap_tilt_rad(&b->course), weight = weight_N(b, vrig_friction_mass_kg(b));
  return tilt_rad == 0 ? weight : weight * cos(tilt_rad);
}

double vrig_friction_downhill_N(const vrig_bench *b) {
  double tilt_rad = vrig_mishap_tilt_rad(&b->course);
  return tilt_rad == 0 ? 0 : weight_N(b, vrig_friction_mass_kg(b)) * sin(tilt_rad);
}

/* What a link force leaves of the load when the line rises. */
static double pressing_N(const vrig_bench *b, double link_N) {
  return fmax(0, normal_force_N(b) - link_N * sin(b->rig->virt.line_pitch_deg * CB_DEG));
}

double vrig_friction_along(const vrig_bench *b) {
  return cos(b->rig->virt.line_pitch_deg * CB_DEG) * cos(b->rig->virt.line_yaw_deg * CB_DEG);
}

/* The surfaces were met as the cart was placed; a mishap may have changed them since. */
static double surfaces_now(const vrig_bench *b, double angle_rad) {
  bool as_placed = angle_rad == b->angle_rad && vrig_mishap_added_mass(&b->course) == 1;
  return as_placed ? b->surfaces : surfaces_at(b, angle_rad, normal_force_N(b));
}

static double scatter_factor(const vrig_bench *b) {
  return fmax(1 + b->rig->virt.truth.repeat_sd_rel * (b->placement + b->run) / sqrt(2), 0.05);
}

double vrig_friction_static_N(const vrig_bench *b, double link_N, int direction, double t_s) {
  double angle_rad = b->angle_rad + vrig_mishap_turned_rad(&b->course);
  return surfaces_now(b, angle_rad) *
         cb_rig_truth_static(&b->rig->virt.truth, angle_rad, pressing_N(b, link_N)) * scatter_factor(b) *
         past_factor(b, direction, b->past.n_worn) * dwell_factor(b, t_s) * vrig_mishap_friction(&b->course) *
         vrig_mishap_static(&b->course);
}

double vrig_friction_kinetic_N(const vrig_bench *b, double link_N, int direction, double speed_m_per_s) {
  double angle_rad = b->angle_rad + vrig_mishap_turned_rad(&b->course);
  if (b->course.caught && !b->course.let_go) return INFINITY;
  return surfaces_now(b, angle_rad) *
         cb_rig_truth_kinetic(&b->rig->virt.truth, angle_rad, pressing_N(b, link_N),
                              fmax(speed_m_per_s, SLOWEST)) *
         scatter_factor(b) * past_factor(b, direction, b->past.n_worn) * vrig_mishap_friction(&b->course);
}
