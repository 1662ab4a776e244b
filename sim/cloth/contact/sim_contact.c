#include "sim_contact.h"

#include <math.h>

#include "sim_vec.h"

sim_friction_force sim_contact_friction(const sim_contact *c, const sim_friction *f, const double t[3]) {
  double direction[2] = {sim_dot(c->to_cloth[0], t), sim_dot(c->to_cloth[1], t)};
  return sim_friction_eval(f, direction, c->normal_N, c->area_m2);
}

/* Part of v in the tangent plane; returns its length. */
static double tangential(const sim_contact *c, const double v[3], double out[3]) {
  double along = sim_dot(v, c->normal);
  for (int k = 0; k < 3; k++) out[k] = v[k] - along * c->normal[k];
  return sim_norm(out);
}

/* Makes the contact slide along t. Returns the change of its friction, including the change of direction. */
static double slide_contact(sim_contact *c, const sim_friction *f, const double t[3], double length,
                            double speed) {
  double turned = 0;
  for (int k = 0; k < 3; k++) {
    turned += (t[k] / length - c->direction[k]) * (t[k] / length - c->direction[k]);
    c->direction[k] = t[k] / length;
  }
  c->speed_m_per_s = speed;
  c->hold = SIM_SLIDES;
  sim_friction_force force = sim_contact_friction(c, f, c->direction);
  double before = c->friction_N;
  c->friction_N = force.kinetic_N;
  c->extrapolated = force.extrapolated;
  return fabs(force.kinetic_N - before) + turned * force.kinetic_N;
}

void sim_contact_drag(sim_contact *c, const sim_friction *f, const double t[3]) {
  double length = sim_norm(t);
  c->flips++;
  (void)slide_contact(c, f, t, length, length);
}

static double update_holding(sim_contact *c, const sim_friction *f, const double r[3]) {
  double t[3], size = tangential(c, r, t);
  c->friction_N = size;
  if (size == 0) return 0;
  sim_friction_force force = sim_contact_friction(c, f, t);
  c->extrapolated = force.extrapolated;
  if (size <= force.static_N) return 0;
  /* Sliding goes against the body's force. */
  double against[3] = {-t[0], -t[1], -t[2]};
  c->flips++;
  (void)slide_contact(c, f, against, size, 0);
  return size;
}

/* At its limit: friction becomes what would have stopped the vertex, between none and all. */
static double limit_friction(sim_contact *c, const sim_friction *f, double back_N) {
  const double before_N = c->friction_N, most_N = sim_contact_friction(c, f, c->direction).kinetic_N;
  c->friction_N = fmin(fmax(before_N - back_N, 0), most_N);
  return fabs(c->friction_N - before_N);
}

/* Friction may have sent a sliding contact back. It holds if a force within +-F would have stopped it; else
 * it slides the other way (the projection of Alart, Curnier, Comput. Methods Appl. Mech. Eng. 92:353, 1991,
 * with the vertex's inertia as its parameter). */
static double update_sliding(sim_contact *c, const sim_friction *f, const double w[3], const double slip[3]) {
  double moved[3], t[3], speed = tangential(c, slip, t);
  (void)tangential(c, w, moved);
  double back_N = -sim_dot(moved, c->direction) * c->inertia_kg_per_s;
  if (c->flips < SIM_FLIPS_MOST && back_N > 2 * (c->friction_N + c->beside_N)) {
    const double other[3] = {-c->direction[0], -c->direction[1], -c->direction[2]};
    return slide_contact(c, f, other, 1, 0);
  }
  if (c->flips >= SIM_FLIPS_MOST) return limit_friction(c, f, back_N);
  if (back_N >= 0) {
    c->hold = SIM_HOLDS;
    c->flips++;
    return c->friction_N;
  }
  /* It stops within the step: friction stays as it was. */
  if (sim_dot(t, c->direction) <= 0) return slide_contact(c, f, c->direction, 1, 0);
  return slide_contact(c, f, t, speed, speed);
}

/* A vertex that arrives mainly along the surface slides, and its friction is known after the next solve. A
 * vertex that arrives mainly across it may hold. */
void sim_contact_press(sim_contact *c, const double now_m_per_s[3]) {
  double slip[3], t[3];
  sim_sub(now_m_per_s, c->body_m_per_s, slip);
  c->speed_m_per_s = tangential(c, slip, t);
  c->hold = c->speed_m_per_s > fabs(sim_dot(slip, c->normal)) ? SIM_SLIDES : SIM_HOLDS;
  c->friction_N = 0;
  for (int k = 0; k < 3 && c->hold == SIM_SLIDES; k++) c->direction[k] = t[k] / c->speed_m_per_s;
}

double sim_contact_touch(sim_contact *c, const double next_m_per_s[3], const double now_m_per_s[3]) {
  double w[3];
  sim_sub(next_m_per_s, c->velocity_m_per_s, w);
  if (c->approach_m_per_s - sim_dot(w, c->normal) <= c->slack_m_per_s) return 0;
  sim_contact_press(c, now_m_per_s);
  return INFINITY;
}

/* The body would have to pull the vertex: the contact ends. */
static double release_contact(sim_contact *c, double pressed_N, double pulls_N) {
  c->hold = SIM_APART;
  c->flips++;
  c->normal_N = c->friction_N = 0;
  return fmax(pressed_N, pulls_N);
}

double sim_contact_update(sim_contact *c, const sim_friction *f, const double r_N[3],
                          const double v_m_per_s[3]) {
  double w[3], slip[3], pressed_N = c->normal_N;
  sim_sub(v_m_per_s, c->velocity_m_per_s, w);
  sim_sub(v_m_per_s, c->body_m_per_s, slip);
  if (c->hold == SIM_APART) return sim_contact_touch(c, v_m_per_s, v_m_per_s);
  c->normal_N = sim_dot(r_N, c->normal);
  if (c->normal_N < 0 && c->flips < SIM_FLIPS_MOST) return release_contact(c, pressed_N, -c->normal_N);
  c->normal_N = fmax(c->normal_N, 0);
  return c->hold == SIM_HOLDS ? update_holding(c, f, r_N) : update_sliding(c, f, w, slip);
}
