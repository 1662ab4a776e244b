/* Which contacts a step can have, and how they enter it. */
#include <stdlib.h>
#include <string.h>

#include "sim_cloth_parts.h"
#include "sim_vec.h"

/* How far a vertex may come nearer than half of the cloth's thickness before that is a contact. */
#define SLACK_REL 1e-3
#define SLACK_M 1e-8

/* Velocity that keeps the vertex at the same place on the body. */
static void still(const sim_cloth *c, int i, double dt_s, const double body_velocity[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = (dt_s * body_velocity[k] - (c->past_x[i][k] - c->x[i][k])) / c->gamma_s;
}

/* A new contact begins at once if the vertex, as it moves now and falls, would get there. What lies still on a slope holds, however steep:
 * only its reaction tells whether it can. */
static void expect(const sim_cloth *c, int i, sim_contact *k) {
  double v[3] = {c->v[i][0], c->v[i][1], c->v[i][2]};
  sim_add(v, c->gamma_s, c->setup.gravity_m_per_s2);
  (void)sim_contact_touch(k, v, c->v[i]);
}

static void begin(sim_cloth *c, int i, int body, const sim_touch *touch, double dt_s) {
  sim_contact *k = &c->contact[c->n_contacts++];
  const sim_contact_memory *m = &c->memory[i];
  *k = (sim_contact){.vertex = i, .body = body, .gap_m = touch->distance_m, .area_m2 = c->setup.mesh->vertex_area_m2[i]};
  memcpy(k->normal, touch->normal, sizeof k->normal);
  memcpy(k->body_m_per_s, touch->velocity_m_per_s, sizeof k->body_m_per_s);
  still(c, i, dt_s, touch->velocity_m_per_s, k->velocity_m_per_s);
  k->slack_m_per_s = fmax(SLACK_REL * c->setup.material->thickness_m, SLACK_M) / c->gamma_s;
  k->approach_m_per_s = (c->setup.material->thickness_m / 2 - touch->distance_m) / c->gamma_s;
  k->inertia_kg_per_s = c->mass_kg[i] / c->gamma_s;
  sim_mesh_to_cloth(c->setup.mesh, (const double(*)[3])c->x, i, k->to_cloth);
  if (m->body != body) {
    expect(c, i, k);
    return;
  }
  k->hold = m->hold;
  k->normal_N = m->normal_N;
  if (k->hold != SIM_SLIDES) return;
  /* It goes on as it slid. */
  double w[3], along;
  sim_sub(c->v[i], touch->velocity_m_per_s, w);
  along = sim_dot(w, k->normal);
  sim_add(w, -along, k->normal);
  k->speed_m_per_s = sim_norm(w);
  if (k->speed_m_per_s == 0) {
    k->hold = SIM_HOLDS;
    return;
  }
  for (int d = 0; d < 3; d++) k->direction[d] = w[d] / k->speed_m_per_s;
  double direction[2] = {sim_dot(k->to_cloth[0], k->direction), sim_dot(k->to_cloth[1], k->direction)};
  sim_friction_force f = sim_friction_eval(&c->bodies[body].friction, direction, k->normal_N, k->area_m2);
  k->friction_N = f.kinetic_N;
  k->extrapolated = f.extrapolated;
}

/* How far a vertex can come nearer to the surface within the step: as it moves, and once more as gravity and its neighbours may
 * push it on. */
static double reach_of(const sim_cloth *c, int i, const sim_body *body, double dt_s) {
  double w[3], v[3];
  sim_body_velocity(body, c->x[i], v);
  sim_sub(c->v[i], v, w);
  return c->setup.material->thickness_m + 2 * dt_s * (sim_norm(w) + dt_s * sim_norm(c->setup.gravity_m_per_s2));
}

static cb_status make_room(sim_cloth *c, cb_err *err) {
  if (c->n_contacts < c->contacts_capacity) return CB_OK;
  const int capacity = 2 * c->contacts_capacity + 64;
  sim_contact *contact = realloc(c->contact, (size_t)capacity * sizeof *contact);
  if (contact == NULL) return cb_fail(err, CB_E_NOMEM, "%d contacts of the cloth: out of memory", capacity);
  c->contact = contact;
  c->contacts_capacity = capacity;
  return CB_OK;
}

cb_status sim_contact_find(sim_cloth *c, double dt_s, cb_err *err) {
  c->n_contacts = 0;
  for (int i = 0; i < c->n; i++) {
    if (c->setup.gripped != NULL && c->setup.gripped[i]) continue;
    int nearest = -1;
    sim_touch best = {0}, touch;
    for (int b = 0; b < c->setup.n_bodies; b++) {
      if (!sim_body_near(&c->bodies[b], c->x[i], reach_of(c, i, &c->bodies[b], dt_s), &touch)) continue;
      if (nearest >= 0 && touch.distance_m >= best.distance_m) continue;
      nearest = b;
      best = touch;
    }
    if (nearest < 0) continue;
    CB_TRY(make_room(c, err));
    begin(c, i, nearest, &best, dt_s);
  }
  return CB_OK;
}

void sim_contact_constrain(sim_cloth *c) {
  for (int j = 0; j < c->n_contacts; j++) {
    const sim_contact *k = &c->contact[j];
    double w[3];
    sim_sub(c->v[k->vertex], k->velocity_m_per_s, w);
    double miss = k->approach_m_per_s - sim_dot(w, k->normal);
    if (k->hold == SIM_SLIDES) sim_add(c->v[k->vertex], miss, k->normal);
    if (k->hold != SIM_HOLDS) continue;
    memcpy(c->v[k->vertex], k->velocity_m_per_s, sizeof k->velocity_m_per_s);
    sim_add(c->v[k->vertex], k->approach_m_per_s, k->normal);
  }
}

bool sim_contact_review(sim_cloth *c, double tolerance) {
  double wrong_N = 0, pressed_N = 0;
  for (int j = 0; j < c->n_contacts; j++) {
    sim_contact *k = &c->contact[j];
    wrong_N += sim_contact_update(k, &c->bodies[k->body].friction, c->reaction[k->vertex], c->v[k->vertex]);
    pressed_N += k->normal_N;
  }
  return wrong_N <= tolerance * pressed_N;
}

void sim_contact_remember(sim_cloth *c) {
  for (int i = 0; i < c->n; i++) c->memory[i] = (sim_contact_memory){.body = -1};
  for (int j = 0; j < c->n_contacts; j++) {
    const sim_contact *k = &c->contact[j];
    if (k->hold != SIM_APART) c->memory[k->vertex] = (sim_contact_memory){k->body, k->hold, k->normal_N};
  }
}
