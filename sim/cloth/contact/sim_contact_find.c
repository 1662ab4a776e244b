/* Which contacts a step can have, and how they enter it. */
#include <stdlib.h>
#include <string.h>

#include "sim_cloth_parts.h"
#include "sim_threads.h"
#include "sim_vec.h"

/* How far a vertex may come nearer than half of the cloth's thickness before that is a contact. */
#define SLACK_REL 1e-3
#define SLACK_M 1e-8
/* Sine of the angle between two surfaces below which they count as one. */
#define ALIKE 0.01

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

/* It goes on as it was in the step before. */
static void go_on(const sim_cloth *c, const sim_contact_memory *m, sim_contact *k) {
  k->hold = m->hold;
  k->normal_N = m->normal_N;
  if (k->hold != SIM_SLIDES) return;
  double w[3], along;
  sim_sub(c->v[k->vertex], k->body_m_per_s, w);
  along = sim_dot(w, k->normal);
  sim_add(w, -along, k->normal);
  k->speed_m_per_s = sim_norm(w);
  if (k->speed_m_per_s == 0) {
    k->hold = SIM_HOLDS;
    return;
  }
  for (int d = 0; d < 3; d++) k->direction[d] = w[d] / k->speed_m_per_s;
  double direction[2] = {sim_dot(k->to_cloth[0], k->direction), sim_dot(k->to_cloth[1], k->direction)};
  sim_friction_force f = sim_friction_eval(&c->bodies[k->body].friction, direction, k->normal_N, k->area_m2);
  k->friction_N = f.kinetic_N;
  k->extrapolated = f.extrapolated;
}

static void begin(const sim_cloth *c, int i, int body, const sim_touch *touch, double dt_s, sim_contact *k) {
  const sim_contact_memory *m = c->memory[i];
  *k = (sim_contact){.vertex = i, .body = body, .gap_m = touch->distance_m, .area_m2 = c->setup.mesh->vertex_area_m2[i]};
  memcpy(k->normal, touch->normal, sizeof k->normal);
  memcpy(k->body_m_per_s, touch->velocity_m_per_s, sizeof k->body_m_per_s);
  still(c, i, dt_s, touch->velocity_m_per_s, k->velocity_m_per_s);
  k->slack_m_per_s = fmax(SLACK_REL * c->setup.material->thickness_m, SLACK_M) / c->gamma_s;
  k->approach_m_per_s = (c->setup.material->thickness_m / 2 - touch->distance_m) / c->gamma_s;
  k->inertia_kg_per_s = c->mass_kg[i] / c->gamma_s;
  sim_mesh_to_cloth(c->setup.mesh, (const double(*)[3])c->x, i, k->to_cloth);
  for (int e = 0; e < SIM_CONTACTS_EACH; e++)
    if (m[e].body == body) {
      go_on(c, &m[e], k);
      return;
    }
  expect(c, i, k);
}

/* How far a vertex can come nearer to the surface within the step: as it moves, and once more as gravity and its neighbours may
 * push it on. */
static double reach_of(const sim_cloth *c, int i, const sim_body *body, double dt_s) {
  double w[3], v[3];
  sim_body_velocity(body, c->x[i], v);
  sim_sub(c->v[i], v, w);
  return c->setup.material->thickness_m + 2 * dt_s * (sim_norm(w) + dt_s * sim_norm(c->setup.gravity_m_per_s2));
}

static cb_status make_room(sim_cloth *c, int n, cb_err *err) {
  if (n <= c->contacts_capacity) return CB_OK;
  const int capacity = n + n / 2 + 64;
  sim_contact *contact = realloc(c->contact, (size_t)capacity * sizeof *contact);
  if (contact == NULL) return cb_fail(err, CB_E_NOMEM, "%d contacts of the cloth: out of memory", capacity);
  c->contact = contact;
  if (c->setup.iterations > 1) {
    contact = realloc(c->kept.contact, (size_t)capacity * sizeof *contact);
    if (contact == NULL) return cb_fail(err, CB_E_NOMEM, "%d contacts of the cloth: out of memory", capacity);
    c->kept.contact = contact;
  }
  c->contacts_capacity = capacity;
  return CB_OK;
}

typedef struct near_bodies {
  int n, body[SIM_CONTACTS_EACH];
  sim_touch touch[SIM_CONTACTS_EACH];
} near_bodies;

/* In the order of distance; of equal ones the first. */
static void put_in(near_bodies *all, int body, const sim_touch *touch) {
  int at = all->n;
  while (at > 0 && touch->distance_m < all->touch[at - 1].distance_m) at--;
  if (at == SIM_CONTACTS_EACH) return;
  if (at == 0 && all->n > 0) {
    all->body[1] = all->body[0];
    all->touch[1] = all->touch[0];
  }
  all->body[at] = body;
  all->touch[at] = *touch;
  if (all->n < SIM_CONTACTS_EACH) all->n++;
}

static near_bodies bodies_near(const sim_cloth *c, int i, double dt_s) {
  near_bodies all = {0};
  double across[3];
  for (int b = 0; b < c->setup.n_bodies; b++) {
    sim_touch touch;
    if (sim_body_near(&c->bodies[b], c->x[i], reach_of(c, i, &c->bodies[b], dt_s), &touch)) put_in(&all, b, &touch);
  }
  if (all.n < 2) return all;
  /* Surfaces that run alike are one, and the vertex touches the nearer. */
  sim_cross(all.touch[0].normal, all.touch[1].normal, across);
  if (sim_dot(all.touch[0].normal, all.touch[1].normal) > 0 && sim_norm(across) < ALIKE) all.n = 1;
  return all;
}

/* How many bodies each vertex is near, into c->near. */
static void look_around(sim_cloth *c, double dt_s) {
#pragma omp parallel for schedule(dynamic, SIM_CHUNK)
  for (int i = 0; i < c->n; i++)
    c->near[i] = c->setup.gripped != NULL && c->setup.gripped[i] ? 0 : (unsigned char)bodies_near(c, i, dt_s).n;
}

static void begin_vertex(sim_cloth *c, int i, int first, double dt_s) {
  const sim_material *m = c->setup.material;
  const near_bodies all = bodies_near(c, i, dt_s);
  for (int e = 0; e < all.n; e++) begin(c, i, all.body[e], &all.touch[e], dt_s, &c->contact[first + e]);
  if (all.n == 2) sim_contact_pair_up(&c->contact[first], m->thickness_m, m->compression_Pa, c->gamma_s, c->v[i]);
}

/* Few vertices are near a body: those are looked at twice, so that every contact knows its place in the list before it is made. */
cb_status sim_contact_find(sim_cloth *c, double dt_s, cb_err *err) {
  const int n_chunks = SIM_ROW_CHUNKS(c->n);
  double *before = c->pcg.chunk_sum; /* contacts before each chunk */
  int n = 0;
  c->n_contacts = 0;
  if (c->setup.n_bodies == 0) return CB_OK;
  look_around(c, dt_s);
  for (int i = 0; i < c->n; i++) {
    if (i % SIM_ROWS == 0) before[i / SIM_ROWS] = n;
    n += c->near[i];
  }
  CB_TRY(make_room(c, n, err));
  c->n_contacts = n;
#pragma omp parallel for schedule(dynamic, 1)
  for (int k = 0; k < n_chunks; k++) {
    int first = (int)before[k];
    for (int i = k * SIM_ROWS; i < c->n && i < (k + 1) * SIM_ROWS; first += c->near[i++])
      if (c->near[i]) begin_vertex(c, i, first, dt_s);
  }
  return CB_OK;
}

void sim_contact_constrain(sim_cloth *c) {
  for (int j = 0, n; j < c->n_contacts; j += n) {
    n = sim_contacts_of_vertex(&c->contact[j], c->n_contacts - j);
    sim_contact_prescribe(&c->contact[j], n, c->v[c->contact[j].vertex]);
  }
}

bool sim_contact_review(sim_cloth *c, double tolerance) {
  double wrong_N = 0, pressed_N = 0;
  for (int j = 0, n; j < c->n_contacts; j += n) {
    sim_contact *k = &c->contact[j];
    const sim_friction *f[SIM_CONTACTS_EACH];
    n = sim_contacts_of_vertex(k, c->n_contacts - j);
    for (int e = 0; e < n; e++) f[e] = &c->bodies[k[e].body].friction;
    wrong_N += sim_contact_review_vertex(k, n, f, c->reaction[k->vertex], c->v[k->vertex]);
    for (int e = 0; e < n; e++) pressed_N += k[e].normal_N;
  }
  return wrong_N <= tolerance * pressed_N;
}

void sim_contact_remember(sim_cloth *c) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->n; i++)
    for (int e = 0; e < SIM_CONTACTS_EACH; e++) c->memory[i][e] = (sim_contact_memory){.body = -1};
  for (int j = 0; j < c->n_contacts; j++) {
    const sim_contact *k = &c->contact[j];
    sim_contact_memory *m = c->memory[k->vertex];
    if (k->hold != SIM_APART) m[m->body >= 0] = (sim_contact_memory){k->body, k->hold, k->normal_N};
  }
}
