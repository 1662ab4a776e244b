/* Where a cloth's energy is, and where it went. */
#include <string.h>

#include "sim_cloth_parts.h"
#include "sim_vec.h"

/* From the start of the step to its end. */
static void way_of(const sim_cloth *c, int i, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = c->past_x[i][k] + c->gamma_s * c->v[i][k] - c->x[i][k];
}

static void force_of(const sim_contact *k, double out[3]) {
  memcpy(out, k->reaction_N, sizeof k->reaction_N);
  if (k->hold == SIM_SLIDES) sim_add(out, -k->friction_N, k->direction);
}

void sim_cloth_body_force(const sim_cloth *c, int body, double force_N[3]) {
  for (int d = 0; d < 3; d++) force_N[d] = 0;
  for (int j = 0; j < c->n_contacts; j++) {
    double force[3];
    if (c->contact[j].body != body || c->contact[j].hold == SIM_APART) continue;
    force_of(&c->contact[j], force);
    sim_add(force_N, 1, force);
  }
}

/* A moving body works on the cloth; what the cloth moves against the body's force beyond the body's own way is friction. */
static void add_contacts(sim_cloth *c, double dt_s) {
  for (int j = 0; j < c->n_contacts; j++) {
    const sim_contact *k = &c->contact[j];
    if (k->hold == SIM_APART) continue;
    double force[3], way[3], given;
    force_of(k, force);
    way_of(c, k->vertex, way);
    given = dt_s * sim_dot(force, k->body_m_per_s);
    c->ledger.supports += given;
    c->ledger.friction += given - sim_dot(force, way);
  }
}

/* Of the push, in chunks that are added in their order. */
static double work_of_push(sim_cloth *c) {
  const int n_chunks = SIM_ROW_CHUNKS(c->n);
  double sum = 0;
#pragma omp parallel for schedule(static)
  for (int k = 0; k < n_chunks; k++) {
    c->pcg.chunk_sum[k] = 0;
    for (int i = k * SIM_ROWS; i < c->n && i < (k + 1) * SIM_ROWS; i++) {
      double way[3];
      way_of(c, i, way);
      c->pcg.chunk_sum[k] += sim_dot(c->setup.push_N[i], way);
    }
  }
  for (int k = 0; k < n_chunks; k++) sum += c->pcg.chunk_sum[k];
  return sum;
}

static void add_supports(sim_cloth *c) {
  for (int j = 0; j < c->n_grips; j++) {
    double way[3];
    way_of(c, c->constraint[j].vertex, way);
    c->ledger.supports += sim_dot(c->reaction[c->constraint[j].vertex], way);
  }
  if (c->setup.push_N) c->ledger.supports += work_of_push(c);
  for (int k = 0; k < c->setup.n_bonds; k++)
    c->ledger.supports +=
        sim_bonds_work_J(c->setup.bonds[k], (const double(*)[3])c->x, (const double(*)[3])c->past_x, (const double(*)[3])c->v);
  for (int t = 0; t < c->setup.n_tethers; t++)
    for (int i = 0; i < c->n; i++) {
      double way[3];
      way_of(c, i, way);
      c->ledger.supports += sim_tether_on_vertex_N(c, t, i) * sim_dot(c->tethers[t].direction, way);
    }
}

static void add_damping(sim_cloth *c) {
  double drag = c->setup.material->drag_per_s, damping = c->setup.material->damping_s;
  if (drag == 0 && damping == 0) return;
  memset(c->shift, 0, (size_t)c->n * sizeof *c->shift);
  if (damping > 0) {
    sim_matrix_membrane_product(&c->matrix, &c->membrane, damping, (const double(*)[3])c->v, c->shift);
    sim_bending_product(&c->bending, damping, (const double(*)[3])c->v, c->shift);
  }
  for (int i = 0; i < c->n; i++) {
    double way[3];
    way_of(c, i, way);
    c->ledger.damping += drag * c->mass_kg[i] * sim_dot(c->v[i], way) + sim_dot(c->shift[i], way);
  }
}

void sim_ledger_add(sim_cloth *c, double dt_s) {
  add_contacts(c, dt_s);
  add_supports(c);
  add_damping(c);
}

void sim_cloth_energy(sim_cloth *c, sim_energy *out) {
  const double *g = c->setup.gravity_m_per_s2;
  *out = c->ledger;
  for (int i = 0; i < c->n; i++) {
    out->kinetic += c->mass_kg[i] * sim_dot(c->v[i], c->v[i]) / 2;
    out->gravity -= c->mass_kg[i] * sim_dot(g, c->x[i]);
  }
  out->stretch = sim_membrane_evaluate(&c->membrane, (const double(*)[3])c->x, SIM_TANGENT_NONE, NULL);
  out->bending = sim_bending_energy_J(&c->bending, (const double(*)[3])c->x) +
                 sim_bending_friction_evaluate(&c->bending_friction, (const double(*)[3])c->x, NULL);
}
