#include "sim_tethers.h"

#include <stdlib.h>
#include <string.h>

#include "sim_vec.h"

struct sim_tethers {
  sim_tether *tether;
  double (*tied_m)[3];
};

cb_status sim_tether_check(const sim_tether *t, int n_vertices, cb_err *err) {
  double sum = 0;
  if (!(fabs(sim_norm(t->direction) - 1) <= 1e-9))
    return cb_fail(err, CB_E_RANGE, "tether: direction has length %g: must be 1", sim_norm(t->direction));
  if (!(t->stiffness_N_per_m >= 0 && t->damping_Ns_per_m >= 0 && isfinite(t->stiffness_N_per_m) &&
        isfinite(t->damping_Ns_per_m)))
    return cb_fail(err, CB_E_RANGE, "tether: stiffness = %g N/m, damping = %g N s/m: must be finite and >= 0",
                   t->stiffness_N_per_m, t->damping_Ns_per_m);
  for (int i = 0; i < n_vertices; i++) {
    if (!(t->share[i] >= 0))
      return cb_fail(err, CB_E_RANGE, "tether: share of vertex %d = %g: must be >= 0", i, t->share[i]);
    sum += t->share[i];
  }
  return fabs(sum - 1) <= 1e-9 ? CB_OK
                               : cb_fail(err, CB_E_RANGE, "tether: shares sum to %.12g: must be 1", sum);
}

cb_status sim_tethers_new(const sim_cloth_setup *setup, sim_tethers **out, cb_err *err) {
  const size_t n = (size_t)setup->mesh->n_vertices, tethers = (size_t)setup->n_tethers;
  sim_tethers *t = *out = calloc(1, sizeof *t);
  if (t) t->tether = calloc(tethers + 1, sizeof *t->tether);
  if (t && tethers > 0) t->tied_m = calloc(n + 1, sizeof *t->tied_m);
  if (!t || !t->tether || (tethers > 0 && !t->tied_m))
    return cb_no_memory(err, "tethers of a cloth of %zu vertices", n);
  if (tethers > 0) memcpy(t->tether, setup->tethers, tethers * sizeof *t->tether);
  return CB_OK;
}

void sim_tethers_free(sim_tethers *t) {
  if (!t) return;
  free(t->tether);
  free(t->tied_m);
  free(t);
}

sim_tether *sim_tethers_all(const sim_tethers *t) { return t->tether; }
double (*sim_tethers_tied(const sim_tethers *t))[3] { return t->tied_m; }

void sim_tethers_tie(const sim_tethers *t, const sim_stage *s) {
  if (s->setup->n_tethers > 0) memcpy(t->tied_m, s->x, (size_t)s->n * sizeof *s->x);
}

/* Of a tether on a vertex, along the tether, with the velocities at the end of the step. */
static double on_vertex_N(const sim_tethers *all, const sim_stage *s, int tether, int i) {
  const sim_tether *t = &all->tether[tether];
  double v = sim_dot(t->direction, s->v[i]);
  double d = sim_dot(t->direction, s->past_x[i]) + s->gamma_s * v - sim_dot(t->direction, all->tied_m[i]);
  return t->share[i] *
         (t->stiffness_N_per_m * (t->anchor_m - d) + t->damping_Ns_per_m * (t->anchor_m_per_s - v));
}

static void add_tether(const sim_tethers *all, const sim_stage *s, int tether) {
  const sim_tether *t = &all->tether[tether];
  const double *e = t->direction, gamma = s->gamma_s, k = t->stiffness_N_per_m, damping = t->damping_Ns_per_m;
  for (int i = 0; i < s->n; i++) {
    if (t->share[i] == 0) continue;
    sim_add(s->residual[i], gamma * on_vertex_N(all, s, tether, i), e);
    double stiff = t->share[i] * gamma * (gamma * k + damping);
    float *m = s->extra[i];
    const double ee[6] = {e[0] * e[0], e[0] * e[1], e[0] * e[2], e[1] * e[1], e[1] * e[2], e[2] * e[2]};
    for (int j = 0; j < 6; j++) m[j] += (float)(stiff * ee[j]);
  }
}

void sim_tethers_add(const sim_tethers *t, const sim_stage *s) {
  for (int k = 0; k < s->setup->n_tethers; k++) add_tether(t, s, k);
}

void sim_tethers_add_work(const sim_tethers *t, const sim_stage *s, double *supports_J) {
  for (int k = 0; k < s->setup->n_tethers; k++)
    for (int i = 0; i < s->n; i++) {
      double way[3];
      sim_stage_way(s, i, way);
      *supports_J += on_vertex_N(t, s, k, i) * sim_dot(t->tether[k].direction, way);
    }
}

double sim_tethers_tension_N(const sim_tethers *t, const sim_stage *s, int tether) {
  const sim_tether *k = &t->tether[tether];
  double d = 0, v = 0;
  for (int i = 0; s && i < s->n; i++) {
    d += k->share[i] * (sim_dot(k->direction, s->x[i]) - sim_dot(k->direction, t->tied_m[i]));
    v += k->share[i] * sim_dot(k->direction, s->v[i]);
  }
  return k->stiffness_N_per_m * (k->anchor_m - d) + k->damping_Ns_per_m * (k->anchor_m_per_s - v);
}
