#include "sim_tether.h"

#include <string.h>

#include "sim_cloth_parts.h"
#include "sim_vec.h"

cb_status sim_tether_check(const sim_tether *t, int n_vertices, cb_err *err) {
  double sum = 0;
  if (!(fabs(sim_norm(t->direction) - 1) <= 1e-9))
    return cb_fail(err, CB_E_RANGE, "tether: direction has length %g: must be 1", sim_norm(t->direction));
  if (!(t->stiffness_N_per_m >= 0 && t->damping_Ns_per_m >= 0 && isfinite(t->stiffness_N_per_m) && isfinite(t->damping_Ns_per_m)))
    return cb_fail(err, CB_E_RANGE, "tether: stiffness = %g N/m, damping = %g N s/m: must be finite and >= 0", t->stiffness_N_per_m,
                   t->damping_Ns_per_m);
  for (int i = 0; i < n_vertices; i++) {
    if (!(t->share[i] >= 0)) return cb_fail(err, CB_E_RANGE, "tether: share of vertex %d = %g: must be >= 0", i, t->share[i]);
    sum += t->share[i];
  }
  return fabs(sum - 1) <= 1e-9 ? CB_OK : cb_fail(err, CB_E_RANGE, "tether: shares sum to %.12g: must be 1", sum);
}

void sim_tether_begin(sim_cloth *c) {
  if (c->setup.n_tethers > 0 && c->previous_dt_s == 0) memcpy(c->tied_x, c->x, (size_t)c->n * sizeof *c->x);
}

double sim_tether_on_vertex_N(const sim_cloth *c, int tether, int i) {
  const sim_tether *s = &c->tethers[tether];
  double v = sim_dot(s->direction, c->v[i]);
  double d = sim_dot(s->direction, c->past_x[i]) + c->gamma_s * v - sim_dot(s->direction, c->tied_x[i]);
  return s->share[i] * (s->stiffness_N_per_m * (s->anchor_m - d) + s->damping_Ns_per_m * (s->anchor_m_per_s - v));
}

void sim_tether_add(sim_cloth *c) {
  for (int t = 0; t < c->setup.n_tethers; t++) {
    const sim_tether *s = &c->tethers[t];
    const double *e = s->direction, gamma = c->gamma_s, k = s->stiffness_N_per_m, damping = s->damping_Ns_per_m;
    for (int i = 0; i < c->n; i++) {
      if (s->share[i] == 0) continue;
      sim_add(c->residual[i], gamma * sim_tether_on_vertex_N(c, t, i), e);
      double stiff = s->share[i] * gamma * (gamma * k + damping);
      float *m = c->extra[i];
      const double ee[6] = {e[0] * e[0], e[0] * e[1], e[0] * e[2], e[1] * e[1], e[1] * e[2], e[2] * e[2]};
      for (int j = 0; j < 6; j++) m[j] += (float)(stiff * ee[j]);
    }
  }
}

double sim_cloth_tension_N(const sim_cloth *c, int tether) {
  const sim_tether *s = &c->tethers[tether];
  double d = 0, v = 0;
  for (int i = 0; i < c->n && c->previous_dt_s > 0; i++) {
    d += s->share[i] * (sim_dot(s->direction, c->x[i]) - sim_dot(s->direction, c->tied_x[i]));
    v += s->share[i] * sim_dot(s->direction, c->v[i]);
  }
  return s->stiffness_N_per_m * (s->anchor_m - d) + s->damping_Ns_per_m * (s->anchor_m_per_s - v);
}
