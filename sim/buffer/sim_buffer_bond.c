/* What pressed in the step before, as bonds of the next: one-sided, in that who pulls is let go in the step after. */
#include <math.h>
#include <string.h>

#include "sim_buffer_parts.h"
#include "sim_vec.h"

#define STIFF 100.0 /* a bond's h^2 k, in masses of its vertex */

/* What pressed in both steps before is there from the begin: what lies still gives no way at all. Was it in one alone, it was an impact. */
int sim_buffer_hold(sim_buffer *b, const sim_foot *foot, const sim_buffer_cloth *cloth, const sim_buffer_body *body, double dt_s,
                    sim_bond *bond) {
  int n = 0;
  for (int i = 0; i < b->n_cloth; i++) {
    sim_press_memory *m = &b->memory[i];
    double steady_Ns = fmin(m->pressed_Ns, m->before_Ns);
    int vertex = cloth->first_vertex + i;
    bool pressed = m->pressed_Ns > 0 && !(cloth->held && cloth->held[vertex]);
    m->before_Ns = m->pressed_Ns;
    m->pressed_Ns = 0;
    memset(m->rub_Ns, 0, sizeof m->rub_Ns);
    if (!pressed) continue;
    sim_bond *k = &bond[n++];
    k->vertex = vertex;
    memcpy(k->corner, body->hull->triangle[foot[i].triangle], sizeof k->corner);
    memcpy(k->weight, foot[i].weight, sizeof k->weight);
    memcpy(k->normal, m->normal, sizeof k->normal);
    k->stiffness_N_per_m = STIFF * cloth->mass_kg[vertex] / (dt_s * dt_s);
    k->across_N_per_m = fmin(m->across_N_per_m, k->stiffness_N_per_m);
    k->rest_m = fmax(steady_Ns, 0) / (dt_s * k->stiffness_N_per_m);
  }
  return n;
}

/* What would hold the slip asks for more than static friction has: it slides. */
double sim_buffer_stiffness(const sim_buffer *b, const sim_buffer_cloth *cloth, const sim_bond *bond, double pressed_N,
                            const double slip_m[3]) {
  const double slip = sim_norm(slip_m), stick = bond->stiffness_N_per_m;
  if (!(pressed_N > 0)) return 0;
  const sim_friction_force f = sim_press_friction(b, cloth, bond->vertex, slip_m, pressed_N);
  return stick * slip <= f.static_N ? stick : fmin(f.kinetic_N / slip, stick);
}

/* A pull stays for its step: it makes no energy. Taken off again by masses alone it would, where stiff air held against it. */
double sim_buffer_release(sim_buffer *b, const sim_bond *bond, const double (*taken_N)[3], const double (*way_m)[3], int n,
                          const sim_buffer_cloth *cloth, double dt_s) {
  double friction_J = 0;
  for (int i = 0; i < n; i++) {
    sim_press_memory *m = &b->memory[bond[i].vertex - cloth->first_vertex];
    const double pull_N = sim_dot(taken_N[i], bond[i].normal);
    m->pressed_Ns = fmax(0, -dt_s * pull_N);
    for (int k = 0; k < 3; k++) m->rub_Ns[k] = -dt_s * (taken_N[i][k] - pull_N * bond[i].normal[k]);
    m->across_N_per_m = bond[i].across_N_per_m;
    friction_J += sim_dot(taken_N[i], way_m[i]);
  }
  return friction_J;
}
