#include "sim_contact.h"

#include "sim_vec.h"

/* A contact that keeps changing its mind within one step is at the limit: it holds. */
#define FLIPS_MAX 3

static sim_friction_force friction_along(const sim_contact *c, const sim_friction *f, const double t[3], double normal_N) {
  double direction[2] = {sim_dot(c->to_cloth[0], t), sim_dot(c->to_cloth[1], t)};
  return sim_friction_eval(f, direction, normal_N, c->area_m2);
}

static void tangential(const sim_contact *c, const double v[3], double out[3]) {
  double along = sim_dot(v, c->normal);
  for (int k = 0; k < 3; k++) out[k] = v[k] - along * c->normal[k];
}

static bool slide(sim_contact *c, const sim_friction *f, const double t[3], double length, double speed, double tolerance) {
  bool begins = c->hold != SIM_SLIDES;
  double turned = 0;
  for (int k = 0; k < 3; k++) {
    turned += (t[k] / length - c->direction[k]) * (t[k] / length - c->direction[k]);
    c->direction[k] = t[k] / length;
  }
  c->speed_m_per_s = speed;
  c->hold = SIM_SLIDES;
  sim_friction_force force = friction_along(c, f, c->direction, c->normal_N);
  bool moved = fabs(force.kinetic_N - c->friction_N) > tolerance * force.kinetic_N || turned > tolerance * tolerance;
  c->friction_N = force.kinetic_N;
  c->extrapolated = force.extrapolated;
  return begins || moved;
}

static bool update_holding(sim_contact *c, const sim_friction *f, const double r[3], double tolerance) {
  double t[3], size;
  tangential(c, r, t);
  size = sim_norm(t);
  c->friction_N = size;
  if (size == 0) return false;
  sim_friction_force force = friction_along(c, f, t, c->normal_N);
  c->extrapolated = force.extrapolated;
  if (size <= force.static_N || c->flips >= FLIPS_MAX) return false;
  /* The body holds back: sliding goes against its force. */
  double against[3] = {-t[0], -t[1], -t[2]};
  c->flips++;
  (void)slide(c, f, against, size, 0, tolerance);
  return true;
}

static bool update_sliding(sim_contact *c, const sim_friction *f, const double w[3], const double slip[3], double tolerance) {
  double moved[3], t[3], speed;
  tangential(c, w, moved);
  tangential(c, slip, t);
  if (sim_dot(moved, c->direction) <= 0) {
    c->hold = SIM_HOLDS;
    c->flips++;
    return true;
  }
  speed = sim_norm(t);
  /* It stops within the step: friction stays as it was. */
  if (sim_dot(t, c->direction) <= 0) return slide(c, f, c->direction, 1, 0, tolerance);
  return slide(c, f, t, speed, speed, tolerance);
}

bool sim_contact_update(sim_contact *c, const sim_friction *f, const double r_N[3], const double v_m_per_s[3], double tolerance) {
  double w[3], slip[3];
  sim_sub(v_m_per_s, c->velocity_m_per_s, w);
  if (c->hold == SIM_APART) {
    if (sim_dot(w, c->normal) >= c->approach_m_per_s) return false;
    c->hold = SIM_HOLDS;
    return true;
  }
  c->normal_N = sim_dot(r_N, c->normal);
  if (c->normal_N < 0) {
    c->hold = SIM_APART;
    c->normal_N = c->friction_N = 0;
    return true;
  }
  sim_sub(v_m_per_s, c->body_m_per_s, slip);
  return c->hold == SIM_HOLDS ? update_holding(c, f, r_N, tolerance) : update_sliding(c, f, w, slip, tolerance);
}
