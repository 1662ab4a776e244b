/* Contact springs: contacts of the previous step enter this step as one-sided springs. A spring in tension is
 * released in the next step. */
#include <math.h>
#include <string.h>

#include "sim_offset_impl.h"
#include "sim_vec.h"

#define STIFF 100.0 /* h^2 k of a contact spring, in masses of its vertex */
/* Presliding: a holding contact gives way by this much until it slides. It is far less than cloth gives (its
 * fibres bend first), and far more than the rounding of a solve. With tangential springs as stiff as the
 * normal ones, the holding range in short steps is a nanometre, and solves do not agree which contacts
 * slide. */
#define PRESLIDING_M 5e-7

static bool slides(const sim_spring_friction *r) { return sim_dot(r->along, r->along) > 0; }

/* Computes the friction residual of a vertex that slid: the difference between the kinetic force for its
 * final normal force and the friction it had. The residual acts as a force in the next step. To correct the
 * velocity of a light, stiff vertex at once would strain the cloth around it. */
static void owe(sim_press_memory *m, double kinetic_N, double dt_s) {
  double was[3] = {0, 0, 0}; /* the residual is in a contact spring's friction, not in the rounds' */
  if (m->tied) memcpy(was, m->friction_residual_N, sizeof was);
  memset(m->friction_residual_N, 0, sizeof m->friction_residual_N);
  if (!slides(&m->friction)) return;
  const double friction_N =
      -sim_dot(m->friction_Ns, m->friction.along) / dt_s - sim_dot(was, m->friction.along);
  sim_add(m->friction_residual_N, fmax(-kinetic_N, fmin(kinetic_N, kinetic_N - friction_N)),
          m->friction.along);
  for (int a = 0; a < 3; a++) m->friction.held_N[a] += m->friction_residual_N[a] - was[a];
}

/* Makes the contact spring of a vertex. A contact of both previous steps begins with its normal force and
 * friction, so that cloth at rest gives no way at all. A contact of one step only was an impact. */
static void hold_vertex(const sim_offset *b, const sim_offset_cloth *cloth, int vertex, double dt_s,
                        sim_spring *k) {
  sim_press_memory *m = &b->memory[vertex - cloth->first_vertex];
  const double steady = fmin(m->before_Ns / m->pressed_Ns, 1);
  memcpy(k->normal, m->normal, sizeof k->normal);
  k->stiffness_N_per_m = STIFF * cloth->mass_kg[vertex] / (dt_s * dt_s);
  k->rest_m = steady * m->pressed_Ns / (dt_s * k->stiffness_N_per_m);
  for (int a = 0; a < 3; a++) m->held_N[a] = -steady * m->friction_Ns[a] / dt_s;
  sim_add(m->held_N, -sim_dot(m->held_N, k->normal), k->normal);
  const sim_friction_force f = sim_press_friction(
      b, cloth, vertex, slides(&m->friction) ? m->friction.along : m->held_N, m->pressed_Ns / dt_s);
  m->hold_N_per_m = fmin(k->stiffness_N_per_m, f.static_N / PRESLIDING_M);
  owe(m, f.kinetic_N, dt_s);
  k->friction = m->friction;
  k->friction.across_N_per_m *= steady;
  for (int a = 0; a < 3; a++) k->friction.held_N[a] *= steady;
  if (slides(&m->friction)) return;
  k->friction.across_N_per_m = m->hold_N_per_m;
  memcpy(k->friction.held_N, m->held_N, sizeof m->held_N);
}

int sim_offset_hold(sim_offset *b, const sim_offset_cloth *cloth, double dt_s, sim_spring *spring) {
  int n = 0;
#pragma omp parallel for schedule(static) reduction(+ : n)
  for (int i = 0; i < b->n_cloth; i++) {
    sim_press_memory *m = &b->memory[i];
    const int vertex = cloth->first_vertex + i;
    const bool pressed = m->pressed_Ns > 0;
    spring[i].stiffness_N_per_m = spring[i].rest_m = 0;
    spring[i].friction = (sim_spring_friction){.across_N_per_m = 0};
    if (pressed) hold_vertex(b, cloth, vertex, dt_s, &spring[i]);
    n += pressed;
    m->before_Ns = m->pressed_Ns;
    m->pressed_Ns = 0;
    memset(m->friction_Ns, 0, sizeof m->friction_Ns);
    m->friction = (sim_spring_friction){.across_N_per_m = 0};
    m->tied = false;
  }
  return n;
}

/* Radial return with its tangent (J. C. Simo, T. J. R. Hughes, Computational Inelasticity, Springer 1998, ch.
 * 1 and 3): along the slide friction is constant, across it friction turns with the slide. */
sim_spring_friction sim_offset_friction(const sim_offset *b, const sim_offset_cloth *cloth, int i,
                                        const sim_spring_friction *was, double pressed_N,
                                        const double slip_m[3]) {
  const sim_press_memory *m = &b->memory[i];
  sim_spring_friction r = {.across_N_per_m = m->hold_N_per_m};
  double asked[3];
  if (!(pressed_N > 0)) return (sim_spring_friction){.across_N_per_m = 0};
  for (int a = 0; a < 3; a++) asked[a] = m->held_N[a] + m->hold_N_per_m * slip_m[a];
  const double size = sim_norm(asked);
  const sim_friction_force f = sim_press_friction(b, cloth, cloth->first_vertex + i, asked, pressed_N);
  memcpy(r.held_N, m->held_N, sizeof r.held_N);
  if (size <= f.static_N || sim_dot(was->along, slip_m) < 0) return r;
  r.across_N_per_m *= f.kinetic_N / size;
  for (int a = 0; a < 3; a++) r.along[a] = asked[a] / size;
  const double along_m = sim_dot(r.along, slip_m);
  for (int a = 0; a < 3; a++)
    r.held_N[a] = f.kinetic_N * r.along[a] - r.across_N_per_m * (slip_m[a] - along_m * r.along[a]) +
                  m->friction_residual_N[a];
  return r;
}

/* A pull of a spring stays for its step, which makes no energy. If it were taken off again by the rounds,
 * stiff air that held against it would make energy. */
double sim_offset_release(sim_offset *b, const sim_springs *springs, double dt_s) {
  double friction_J = 0;
  for (int i = 0; i < b->n_cloth; i++) {
    sim_press_memory *m = &b->memory[i];
    const sim_spring *k = &springs->spring[i];
    if (!(k->stiffness_N_per_m > 0)) continue;
    const double *taken = springs->taken[i], pull_N = sim_dot(taken, k->normal);
    m->pressed_Ns = fmax(0, -dt_s * pull_N);
    for (int a = 0; a < 3; a++) m->friction_Ns[a] = -dt_s * (taken[a] - pull_N * k->normal[a]);
    m->friction = k->friction;
    m->tied = m->pressed_Ns > 0;
    friction_J += sim_dot(taken, springs->way[i]);
  }
  return friction_J;
}
