#include "sim_contacts_impl.h"

#include <string.h>

#include "sim_vec.h"

/* Bodies face each other: the cosine between their normals is below this. */
#define OPPOSED -0.8660254037844386
/* Upper bound of a brake, in inertias of the vertex. A vertex that slides so slowly holds. */
#define BRAKE_MOST 1e6

bool sim_pinch_opposed(const sim_contact k[2]) { return sim_dot(k[0].normal, k[1].normal) <= OPPOSED; }

/* ---- geometry ---- */

/* Takes off the part of v along the axis. Returns the length of the rest. */
static double flatten(const sim_contact *k, double v[3]) {
  sim_add(v, -sim_dot(v, k->axis), k->axis);
  return sim_norm(v);
}

/* Slip of a velocity v on the body, in the plane. Returns its length. */
static double slip_of(const sim_contact *k, const double v[3], double out[3]) {
  sim_sub(v, k->velocity_m_per_s, out);
  return flatten(k, out);
}

/* Whether both bodies move alike in the plane. */
static bool move_alike(const sim_contact k[2]) {
  double slip[3];
  return slip_of(&k[0], k[1].velocity_m_per_s, slip) <= k[0].slack_m_per_s;
}

/* Velocity along the normal that brings the vertex to its distance from the surface. */
static double demand(const sim_contact *k) {
  return sim_dot(k->normal, k->velocity_m_per_s) + k->approach_m_per_s;
}

/* To the middle: both distances are missed by the same. */
void sim_pinch_prescribe(const sim_contact k[2], double v[3]) {
  double between[3];
  sim_sub(k[0].normal, k[1].normal, between);
  for (int i = 1; i >= 0; i--)
    if (k[i].hold == SIM_HOLDS) memcpy(v, k[i].velocity_m_per_s, sizeof k[i].velocity_m_per_s);
  (void)flatten(k, v);
  sim_add(v, (demand(&k[0]) - demand(&k[1])) / sim_norm(between), k->axis);
}

/* ---- states ---- */

static void set_brake(sim_contact *k) {
  const double most = BRAKE_MOST * k->inertia_kg_per_s;
  k->brake_kg_per_s = 0;
  if (k->hold == SIM_SLIDES && k->friction_N > 0)
    k->brake_kg_per_s = k->friction_N < most * k->speed_m_per_s ? k->friction_N / k->speed_m_per_s : most;
}

/* The other contact if one holds and the other one slides: the bodies' motion is its slip, which is written.
 * NULL: any other states. */
static sim_contact *beside_held(sim_contact k[2], double slip[3]) {
  const int slides = k[0].hold == SIM_HOLDS;
  if (k[slides].hold != SIM_SLIDES || k[1 - slides].hold != SIM_HOLDS) return NULL;
  (void)slip_of(&k[slides], k[1 - slides].velocity_m_per_s, slip);
  return &k[slides];
}

void sim_pinch_begin(sim_contact k[2], double squeeze_N) {
  double axis[3], slip[3];
  sim_sub(k[0].normal, k[1].normal, axis);
  const double length = sim_norm(axis);
  for (int i = 0; i < 2; i++) {
    for (int d = 0; d < 3; d++) k[i].axis[d] = axis[d] / length;
    k[i].pinched = true;
    k[i].squeeze_N = squeeze_N;
    k[i].normal_N = fmax(k[i].normal_N, squeeze_N);
  }
  sim_contact *beside = beside_held(k, slip);
  if (beside) beside->speed_m_per_s = sim_norm(slip);
  for (int i = 0; i < 2; i++) set_brake(&k[i]);
}

/* Makes the contact slide along w (not 0). Returns the change of its friction. */
static double slide(sim_contact *k, const sim_friction *f, const double w[3], double speed_m_per_s) {
  const double length = sim_norm(w), before_N = k->braked_N;
  k->hold = SIM_SLIDES;
  for (int d = 0; d < 3; d++) k->direction[d] = w[d] / length;
  k->speed_m_per_s = speed_m_per_s;
  const sim_friction_force force = sim_contact_friction(k, f, k->direction);
  k->friction_N = force.kinetic_N;
  k->extrapolated = force.extrapolated;
  set_brake(k);
  return fabs(k->friction_N - before_N);
}

static void hold(sim_contact *k) {
  k->hold = SIM_HOLDS;
  k->flips++;
  k->brake_kg_per_s = 0;
}

static double static_N(const sim_contact *k, const sim_friction *f, const double w[3]) {
  return sim_norm(w) > 0 ? sim_contact_static_N(k, f, w) : 0;
}

/* ---- review ---- */

/* What the last solve did: the normal forces, and the friction that braked. The bodies' squeeze is opposite
 * and cancels. One of them carries what presses the vertex along the axis. Writes the force in the plane that
 * keeps the vertex on what it holds to. */
static void read_forces(sim_contact k[2], const double r[3], const double v[3], double rest[3]) {
  double between[3], slip[3];
  sim_sub(k[0].normal, k[1].normal, between);
  const double along_N = sim_dot(r, k->axis), more_N = 2 * along_N / sim_norm(between);
  for (int i = 0; i < 2; i++) {
    const double side = i == 0 ? 1 : -1;
    k[i].normal_N = k[i].squeeze_N + fmax(side * more_N, 0);
    for (int d = 0; d < 3; d++)
      k[i].reaction_N[d] = (side * k[i].squeeze_N + (side * along_N > 0 ? along_N : 0)) * k->axis[d];
    const double speed = slip_of(&k[i], v, slip);
    k[i].braked_N = k[i].brake_kg_per_s * speed;
    for (int d = 0; d < 3 && k[i].braked_N > 0; d++) k[i].direction[d] = slip[d] / speed;
  }
  memcpy(rest, r, 3 * sizeof *rest);
  (void)flatten(k, rest);
}

/* A contact that slides while the vertex holds to the other body. */
static double review_beside(sim_contact k[2], const sim_friction *const *f) {
  double w[3];
  sim_contact *beside = beside_held(k, w);
  if (!beside) return 0;
  const double speed = sim_norm(w);
  if (speed > beside->slack_m_per_s) return slide(beside, f[beside - k], w, speed);
  hold(beside);
  return beside->friction_N;
}

/* The vertex holds to one body, or to both: as long as static friction bears the force in the plane. If it
 * does not, the vertex starts as fast as its inertia alone would let it. Of bodies that move past each other
 * it holds to the one with more friction. */
static double review_held(sim_contact k[2], const sim_friction *const *f, const double rest[3]) {
  double can[2] = {0}, w[2][3], size = sim_norm(rest);
  const bool both = k[0].hold == SIM_HOLDS && k[1].hold == SIM_HOLDS;
  if (both && !move_alike(k)) {
    for (int i = 0; i < 2; i++) {
      (void)slip_of(&k[i], k[1 - i].velocity_m_per_s, w[i]);
      can[i] = static_N(&k[i], f[i], w[i]);
    }
    const int less = can[1] <= can[0];
    k[less].flips++;
    return slide(&k[less], f[less], w[less], sim_norm(w[less]));
  }
  for (int i = 0; i < 2; i++)
    if (k[i].hold == SIM_HOLDS) can[i] = static_N(&k[i], f[i], rest);
  if (size > can[0] + can[1]) {
    const double start = (size - can[0] - can[1]) / k->inertia_kg_per_s,
                 back[3] = {-rest[0], -rest[1], -rest[2]};
    for (int i = 0; i < 2; i++) {
      if (k[i].hold != SIM_HOLDS) continue;
      sim_add(k[i].reaction_N, both ? 0.5 : 1, rest);
      k[i].flips++;
      (void)slide(&k[i], f[i], back, start);
    }
    return size;
  }
  for (int i = 0; i < 2; i++) {
    if (k[i].hold != SIM_HOLDS) continue;
    const double share = size > 0 ? can[i] / (can[0] + can[1]) : 0;
    sim_add(k[i].reaction_N, share, rest);
    k[i].friction_N = share * size;
  }
  return review_beside(k, f);
}

/* The vertex slides on both. It holds where a force within static friction would have stopped it. */
static double review_sliding(sim_contact k[2], const sim_friction *const *f, const double v[3]) {
  double w[2][3], speed[2], can[2], asked[2], wrong_N = 0;
  const bool alike = move_alike(k);
  for (int i = 0; i < 2; i++) {
    speed[i] = slip_of(&k[i], v, w[i]);
    can[i] = static_N(&k[i], f[i], w[i]);
    asked[i] = (k[i].brake_kg_per_s + k->inertia_kg_per_s) * speed[i];
  }
  if (alike && k[0].flips < SIM_FLIPS_MOST && asked[0] + k[1].braked_N <= can[0] + can[1]) {
    hold(&k[0]);
    hold(&k[1]);
    return k[0].friction_N + k[1].friction_N;
  }
  for (int i = 0; i < 2; i++)
    if (!alike && k[i].flips < SIM_FLIPS_MOST && asked[i] <= can[i]) {
      hold(&k[i]);
      return k[i].friction_N + review_beside(k, f);
    }
  for (int i = 0; i < 2; i++)
    if (speed[i] > 0) wrong_N += slide(&k[i], f[i], w[i], speed[i]);
  return wrong_N;
}

/* Whether a vertex that ran into a wedge has room at the end of the step. */
static bool turned_back(const sim_contact k[2], const double v[3]) {
  const double short_m_per_s =
      demand(&k[0]) + demand(&k[1]) - sim_dot(v, k[0].normal) - sim_dot(v, k[1].normal);
  return k->squeeze_N == 0 && short_m_per_s < 0 && k[0].flips < SIM_FLIPS_MOST && k[1].flips < SIM_FLIPS_MOST;
}

/* The body that does not carry the vertex lets go. */
static double let_go(sim_contact k[2], const double r[3]) {
  const int other = sim_dot(r, k->axis) >= 0;
  for (int i = 0; i < 2; i++) {
    k[i].pinched = false;
    k[i].braked_N = k[i].brake_kg_per_s = 0;
  }
  k[other].hold = SIM_APART;
  k[other].flips++;
  k[other].normal_N = k[other].friction_N = 0;
  return INFINITY;
}

double sim_pinch_review(sim_contact k[2], const sim_friction *const *f, const double r[3],
                        const double v[3]) {
  double rest[3];
  if (turned_back(k, v)) return let_go(k, r);
  read_forces(k, r, v, rest);
  if (k[0].hold == SIM_HOLDS || k[1].hold == SIM_HOLDS) return review_held(k, f, rest);
  return review_sliding(k, f, v);
}
