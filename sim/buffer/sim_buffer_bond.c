/* What pressed in the step before, as bonds of the next: one-sided, in that who pulls is let go in the step after. */
#include <math.h>
#include <string.h>

#include "sim_buffer_parts.h"

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
    k->rest_m = fmax(steady_Ns, 0) / (dt_s * k->stiffness_N_per_m);
  }
  return n;
}

/* A pull stays for its step: it makes no energy. Taken off again by masses alone it would, where stiff air held against it. */
void sim_buffer_release(sim_buffer *b, const sim_bond *bond, const double *pull_N, int n, const sim_buffer_cloth *cloth, double dt_s) {
  for (int i = 0; i < n; i++) b->memory[bond[i].vertex - cloth->first_vertex].pressed_Ns = fmax(0, -dt_s * pull_N[i]);
}
