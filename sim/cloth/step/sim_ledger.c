/* The energy ledger: what a cloth holds, dissipates and receives. */
#include <string.h>

#include "sim_cloth_impl.h"
#include "sim_vec.h"

/* Adds the chunks of rows up in order. */
static double add_up(const sim_cloth *c) {
  double sum = 0;
  for (int k = 0; k < SIM_ROW_CHUNKS(c->now.n); k++) sum += c->pcg.chunk_sum[k];
  return sum;
}

static int end_of(const sim_cloth *c, int chunk) {
  return (chunk + 1) * SIM_ROWS < c->now.n ? (chunk + 1) * SIM_ROWS : c->now.n;
}

/* sum of a_i.way_i */
static double work_of(sim_cloth *c, const double (*a)[3], const double (*way)[3]) {
#pragma omp parallel for schedule(static)
  for (int k = 0; k < SIM_ROW_CHUNKS(c->now.n); k++) {
    c->pcg.chunk_sum[k] = 0;
    for (int i = k * SIM_ROWS; i < end_of(c, k); i++) c->pcg.chunk_sum[k] += sim_dot(a[i], way[i]);
  }
  return add_up(c);
}

/* way: the motions of the step. */
static void add_supports(sim_cloth *c, const double (*way)[3]) {
  for (int j = 0; j < c->now.n_grips; j++) {
    const int i = c->now.constraint[j].vertex;
    c->ledger.supports += sim_dot(c->now.reaction[i], way[i]);
  }
  if (c->setup.push_N) c->ledger.supports += work_of(c, c->setup.push_N, way);
  for (int k = 0; k < c->setup.n_springs; k++)
    c->ledger.supports += sim_springs_work_J(c->setup.springs[k], (const sim_vec3 *)c->now.x,
                                             (const sim_vec3 *)c->now.past_x, (const sim_vec3 *)c->now.v);
  sim_tethers_add_work(c->tethers, &c->now, &c->ledger.supports);
}

/* The solves' residual is not needed any more. */
static void add_damping(sim_cloth *c, const double (*way)[3]) {
  const double drag = c->setup.material->drag_per_s, damping = c->setup.material->damping_s,
               (*v)[3] = (const sim_vec3 *)c->now.v;
  if (drag == 0 && damping == 0) return;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) c->now.residual[i][k] = drag * c->now.mass_kg[i] * v[i][k];
  if (damping > 0) {
    sim_matrix_membrane_product(&c->matrix, &c->membrane, damping, v, c->now.residual);
    c->ledger.damping += damping * sim_bending_between(&c->bending, v, way);
  }
  c->ledger.damping += work_of(c, (const sim_vec3 *)c->now.residual, way);
}

void sim_ledger_add(sim_cloth *c) {
  sim_contacts_add_work(c->contacts, &c->now, &c->ledger.supports, &c->ledger.friction);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++) sim_stage_way(&c->now, i, c->shift[i]);
  add_supports(c, (const sim_vec3 *)c->shift);
  add_damping(c, (const sim_vec3 *)c->shift);
}

void sim_cloth_energy(sim_cloth *c, sim_cloth_energies *out) {
  *out = c->ledger;
#pragma omp parallel for schedule(static)
  for (int k = 0; k < SIM_ROW_CHUNKS(c->now.n); k++) {
    c->pcg.chunk_sum[k] = 0;
    for (int i = k * SIM_ROWS; i < end_of(c, k); i++)
      c->pcg.chunk_sum[k] += c->now.mass_kg[i] * sim_dot(c->now.v[i], c->now.v[i]) / 2;
  }
  out->kinetic += add_up(c);
#pragma omp parallel for schedule(static)
  for (int k = 0; k < SIM_ROW_CHUNKS(c->now.n); k++) {
    c->pcg.chunk_sum[k] = 0;
    for (int i = k * SIM_ROWS; i < end_of(c, k); i++)
      c->pcg.chunk_sum[k] -= c->now.mass_kg[i] * sim_dot(c->setup.gravity_m_per_s2, c->now.x[i]);
  }
  out->gravity += add_up(c);
  out->stretch = sim_membrane_evaluate(&c->membrane, (const sim_vec3 *)c->now.x, SIM_TANGENT_NONE, NULL);
  out->bending = sim_bending_energy_of_pairs_J(&c->bending, (const sim_vec3 *)c->now.x) +
                 sim_bending_friction_evaluate(&c->bending_friction, (const sim_vec3 *)c->now.x, NULL);
}
