/* The energy ledger: what a cloth holds, dissipates and receives. */
#include <string.h>

#include "sim_cloth_impl.h"
#include "sim_vec.h"

/* Work of push_N, in chunks that are added in order. */
static double work_of_push(sim_cloth *c) {
  const int n_chunks = SIM_ROW_CHUNKS(c->now.n);
  double sum = 0;
#pragma omp parallel for schedule(static)
  for (int k = 0; k < n_chunks; k++) {
    c->pcg.chunk_sum[k] = 0;
    for (int i = k * SIM_ROWS; i < c->now.n && i < (k + 1) * SIM_ROWS; i++) {
      double way[3];
      sim_stage_way(&c->now, i, way);
      c->pcg.chunk_sum[k] += sim_dot(c->setup.push_N[i], way);
    }
  }
  for (int k = 0; k < n_chunks; k++) sum += c->pcg.chunk_sum[k];
  return sum;
}

static void add_supports(sim_cloth *c) {
  for (int j = 0; j < c->now.n_grips; j++) {
    double way[3];
    sim_stage_way(&c->now, c->now.constraint[j].vertex, way);
    c->ledger.supports += sim_dot(c->now.reaction[c->now.constraint[j].vertex], way);
  }
  if (c->setup.push_N) c->ledger.supports += work_of_push(c);
  for (int k = 0; k < c->setup.n_springs; k++)
    c->ledger.supports += sim_springs_work_J(c->setup.springs[k], (const sim_vec3 *)c->now.x,
                                             (const sim_vec3 *)c->now.past_x, (const sim_vec3 *)c->now.v);
  sim_tethers_add_work(c->tethers, &c->now, &c->ledger.supports);
}

static void add_damping(sim_cloth *c) {
  double drag = c->setup.material->drag_per_s, damping = c->setup.material->damping_s;
  if (drag == 0 && damping == 0) return;
  memset(c->shift, 0, (size_t)c->now.n * sizeof *c->shift);
  if (damping > 0) {
    sim_matrix_membrane_product(&c->matrix, &c->membrane, damping, (const sim_vec3 *)c->now.v, c->shift);
    sim_bending_product(&c->bending, damping, (const sim_vec3 *)c->now.v, c->shift);
  }
  for (int i = 0; i < c->now.n; i++) {
    double way[3];
    sim_stage_way(&c->now, i, way);
    c->ledger.damping += drag * c->now.mass_kg[i] * sim_dot(c->now.v[i], way) + sim_dot(c->shift[i], way);
  }
}

void sim_ledger_add(sim_cloth *c) {
  sim_contacts_add_work(c->contacts, &c->now, &c->ledger.supports, &c->ledger.friction);
  add_supports(c);
  add_damping(c);
}

void sim_cloth_energy(sim_cloth *c, sim_cloth_energies *out) {
  const double *g = c->setup.gravity_m_per_s2;
  *out = c->ledger;
  for (int i = 0; i < c->now.n; i++) {
    out->kinetic += c->now.mass_kg[i] * sim_dot(c->now.v[i], c->now.v[i]) / 2;
    out->gravity -= c->now.mass_kg[i] * sim_dot(g, c->now.x[i]);
  }
  out->stretch = sim_membrane_evaluate(&c->membrane, (const sim_vec3 *)c->now.x, SIM_TANGENT_NONE, NULL);
  out->bending = sim_bending_energy_of_pairs_J(&c->bending, (const sim_vec3 *)c->now.x) +
                 sim_bending_friction_evaluate(&c->bending_friction, (const sim_vec3 *)c->now.x, NULL);
}
