/* What pressed in the step before, as bonds of the next: one-sided, in that who pulls is let go in the step after. */
#include <math.h>
#include <string.h>

#include "sim_buffer_parts.h"
#include "sim_vec.h"

#define STIFF 100.0 /* a bond's h^2 k, in masses of its vertex */
#define STICK 0.1   /* of that, where friction holds: stiffer, and a sheet that rests on foam begins to jitter (docs/three-layers.md) */

/* What pressed in both steps before is there from the begin: what lies still gives no way at all. Was it in one alone, it was an impact. */
static void hold(sim_press_memory *m, double mass_kg, double dt_s, sim_bond *k) {
  const double steady_Ns = fmin(m->pressed_Ns, m->before_Ns);
  memcpy(k->normal, m->normal, sizeof k->normal);
  k->stiffness_N_per_m = STIFF * mass_kg / (dt_s * dt_s);
  k->across_N_per_m = fmin(m->across_N_per_m, STICK * k->stiffness_N_per_m);
  k->rest_m = fmax(steady_Ns, 0) / (dt_s * k->stiffness_N_per_m);
}

int sim_buffer_hold(sim_buffer *b, const sim_buffer_cloth *cloth, double dt_s, sim_bond *bond) {
  int n = 0;
  for (int i = 0; i < b->n_cloth; i++) {
    sim_press_memory *m = &b->memory[i];
    const int vertex = cloth->first_vertex + i;
    const bool pressed = m->pressed_Ns > 0 && !(cloth->held && cloth->held[vertex]);
    bond[i].stiffness_N_per_m = bond[i].across_N_per_m = bond[i].rest_m = 0;
    if (pressed) hold(m, cloth->mass_kg[vertex], dt_s, &bond[i]);
    n += pressed;
    m->before_Ns = m->pressed_Ns;
    m->pressed_Ns = 0;
    memset(m->rub_Ns, 0, sizeof m->rub_Ns);
  }
  return n;
}

/* What would hold the slip asks for more than static friction has: it slides. */
double sim_buffer_stiffness(const sim_buffer *b, const sim_buffer_cloth *cloth, int i, const sim_bond *bond, double pressed_N,
                            const double slip_m[3]) {
  const double slip = sim_norm(slip_m), stick = STICK * bond->stiffness_N_per_m;
  if (!(pressed_N > 0)) return 0;
  const sim_friction_force f = sim_press_friction(b, cloth, cloth->first_vertex + i, slip_m, pressed_N);
  return stick * slip <= f.static_N ? stick : fmin(f.kinetic_N / slip, stick);
}

/* A pull stays for its step: it makes no energy. Taken off again by masses alone it would, where stiff air held against it. */
double sim_buffer_release(sim_buffer *b, const sim_bonds *bonds, double dt_s) {
  double friction_J = 0;
  for (int i = 0; i < b->n_cloth; i++) {
    sim_press_memory *m = &b->memory[i];
    const sim_bond *k = &bonds->bond[i];
    if (!(k->stiffness_N_per_m > 0)) continue;
    const double *taken = bonds->taken[i], pull_N = sim_dot(taken, k->normal);
    m->pressed_Ns = fmax(0, -dt_s * pull_N);
    for (int a = 0; a < 3; a++) m->rub_Ns[a] = -dt_s * (taken[a] - pull_N * k->normal[a]);
    m->across_N_per_m = k->across_N_per_m;
    friction_J += sim_dot(taken, bonds->way[i]);
  }
  return friction_J;
}
