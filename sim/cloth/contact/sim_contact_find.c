/* Finds the contacts that a step can have. */
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_body_inner.h"
#include "sim_contacts_impl.h"
#include "sim_vec.h"

/* How far a vertex may come nearer than half of the cloth's thickness before that is a contact. */
#define SLACK_REL 1e-3
#define SLACK_M 1e-8
/* Sine of the angle between two surfaces below which they count as one. */
#define ALIKE 0.01

/* Velocity that keeps the vertex at its place on the body. */
static void still(const sim_stage *s, int i, const double body_velocity[3], double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = (s->dt_s * body_velocity[k] - (s->past_x[i][k] - s->x[i][k])) / s->gamma_s;
}

/* State of a new contact. It presses at once if the vertex, as it moves now and falls, would reach the body.
 * A vertex at rest on a slope holds, however steep: only the reaction shows whether it can. */
static void expect_state(const sim_stage *s, int i, sim_contact *k) {
  double v[3] = {s->v[i][0], s->v[i][1], s->v[i][2]};
  sim_add(v, s->gamma_s, s->setup->gravity_m_per_s2);
  (void)sim_contact_touch(k, v, s->v[i]);
}

/* Continues the contact in its state of the previous step. */
static void continue_contact(const sim_contacts *c, const sim_stage *s, const sim_contact_memory *m,
                             sim_contact *k) {
  k->hold = m->hold;
  k->normal_N = m->normal_N;
  if (k->hold != SIM_SLIDES) return;
  double w[3], along;
  sim_sub(s->v[k->vertex], k->body_m_per_s, w);
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

static void begin_contact(const sim_contacts *c, const sim_stage *s, int i, int body, const sim_touch *touch,
                          sim_contact *k) {
  const sim_contact_memory *m = c->memory[i];
  const double thickness_m = s->setup->material->thickness_m;
  *k = (sim_contact){
      .vertex = i, .body = body, .gap_m = touch->distance_m, .area_m2 = s->setup->mesh->vertex_area_m2[i]};
  memcpy(k->normal, touch->normal, sizeof k->normal);
  memcpy(k->body_m_per_s, touch->velocity_m_per_s, sizeof k->body_m_per_s);
  still(s, i, touch->velocity_m_per_s, k->velocity_m_per_s);
  k->slack_m_per_s = fmax(SLACK_REL * thickness_m, SLACK_M) / s->gamma_s;
  k->approach_m_per_s = (thickness_m / 2 - touch->distance_m) / s->gamma_s;
  k->inertia_kg_per_s = s->mass_kg[i] / s->gamma_s;
  sim_mesh_to_cloth(s->setup->mesh, (const sim_vec3 *)s->x, i, k->to_cloth);
  for (int e = 0; e < SIM_CONTACTS_EACH; e++)
    if (m[e].body == body) {
      continue_contact(c, s, &m[e], k);
      return;
    }
  expect_state(s, i, k);
}

/* How much nearer to the surface a vertex can come within the step: its own motion and its fall, twice, since
 * its neighbours may push it. */
static double reach_of(const sim_stage *s, int i, const sim_body *body) {
  double w[3], v[3];
  sim_body_velocity(body, s->x[i], v);
  sim_sub(s->v[i], v, w);
  return s->setup->material->thickness_m +
         2 * s->dt_s * (sim_norm(w) + s->dt_s * sim_norm(s->setup->gravity_m_per_s2));
}

static cb_status make_room(sim_contacts *c, const sim_cloth_setup *setup, int n, cb_err *err) {
  if (n <= c->capacity) return CB_OK;
  const int capacity = n + n / 2 + 64;
  sim_contact **const list[] = {&c->contact, &c->kept};
  for (int k = 0; k < (setup->iterations > 1 || setup->n_springs > 0 ? 2 : 1); k++) {
    sim_contact *grown = realloc(*list[k], (size_t)capacity * sizeof *grown);
    if (!grown) return cb_no_memory(err, "%d contacts of the cloth", capacity);
    *list[k] = grown;
  }
  c->capacity = capacity;
  return CB_OK;
}

typedef struct near_bodies {
  int n, body[SIM_CONTACTS_EACH];
  sim_touch touch[SIM_CONTACTS_EACH];
} near_bodies;

/* Inserts by distance; of equal ones the first stays first. */
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

/* Leaves the places beyond the last body as they are. */
static void find_bodies(const sim_contacts *c, const sim_stage *s, int i, near_bodies *all) {
  double across[3];
  all->n = 0;
  for (int b = 0; b < s->setup->n_bodies; b++) {
    sim_touch touch;
    if (sim_body_near(&c->bodies[b], s->x[i], reach_of(s, i, &c->bodies[b]), &touch)) put_in(all, b, &touch);
  }
  if (all->n < 2) return;
  /* Two parallel surfaces count as one: the vertex touches the nearer. */
  sim_cross(all->touch[0].normal, all->touch[1].normal, across);
  if (sim_dot(all->touch[0].normal, all->touch[1].normal) > 0 && sim_norm(across) < ALIKE) all->n = 1;
}

/* Writes into c->near how many bodies each vertex is near. */
static void look_around(const sim_contacts *c, const sim_stage *s) {
  const bool *gripped = s->setup->gripped;
#pragma omp parallel for schedule(dynamic, CB_CHUNK)
  for (int i = 0; i < s->n; i++) {
    near_bodies all;
    c->near[i] = 0;
    if (gripped && gripped[i]) continue;
    find_bodies(c, s, i, &all);
    c->near[i] = (unsigned char)all.n;
  }
}

static void begin_vertex(const sim_contacts *c, const sim_stage *s, int i, int first) {
  const sim_material *m = s->setup->material;
  near_bodies all;
  find_bodies(c, s, i, &all);
  for (int e = 0; e < all.n; e++) begin_contact(c, s, i, all.body[e], &all.touch[e], &c->contact[first + e]);
  if (all.n == 2)
    sim_contact_pair_up(&c->contact[first], m->thickness_m, m->compression_Pa, s->gamma_s, s->v[i]);
}

/* Looks twice at the few vertices near a body: first to count, so that every contact knows its place in the
 * list, then to make the contacts. */
cb_status sim_contacts_find(sim_contacts *c, const sim_stage *s, cb_err *err) {
  const int n_chunks = SIM_ROW_CHUNKS(s->n);
  int n = 0;
  c->n_contacts = 0;
  if (s->setup->n_bodies == 0) return CB_OK;
  look_around(c, s);
  for (int i = 0; i < s->n; i++) {
    if (i % SIM_ROWS == 0) c->before[i / SIM_ROWS] = n;
    n += c->near[i];
  }
  CB_TRY(make_room(c, s->setup, n, err));
  c->n_contacts = n;
#pragma omp parallel for schedule(dynamic, 1)
  for (int k = 0; k < n_chunks; k++) {
    int first = c->before[k];
    for (int i = k * SIM_ROWS; i < s->n && i < (k + 1) * SIM_ROWS; first += c->near[i++])
      if (c->near[i]) begin_vertex(c, s, i, first);
  }
  return CB_OK;
}
