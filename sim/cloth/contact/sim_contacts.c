#include "sim_contacts.h"

#include <stdlib.h>
#include <string.h>

#include "sim_contacts_impl.h"
#include "sim_vec.h"

cb_status sim_contacts_new(const sim_cloth_setup *setup, sim_contacts **out, cb_err *err) {
  const size_t n = (size_t)setup->mesh->n_vertices + 1, bodies = (size_t)setup->n_bodies;
  sim_contacts *c = *out = calloc(1, sizeof *c);
  if (!c) return cb_no_memory(err, "contacts of the cloth");
  c->n = setup->mesh->n_vertices;
  c->bodies = calloc(bodies + 1, sizeof *c->bodies);
  c->bodies_next = calloc(bodies + 1, sizeof *c->bodies_next);
  c->memory = calloc(n, sizeof *c->memory);
  c->near = calloc(n, sizeof *c->near);
  c->before = calloc((size_t)SIM_ROW_CHUNKS(c->n) + 1, sizeof *c->before);
  if (!c->bodies || !c->bodies_next || !c->memory || !c->near || !c->before)
    return cb_no_memory(err, "contacts of a cloth of %d vertices", c->n);
  if (bodies > 0) memcpy(c->bodies, setup->bodies, bodies * sizeof *c->bodies);
  for (int i = 0; i < c->n; i++)
    for (int e = 0; e < SIM_CONTACTS_EACH; e++) c->memory[i][e].body = -1;
  return CB_OK;
}

void sim_contacts_free(sim_contacts *c) {
  if (!c) return;
  void *const arrays[] = {c->bodies, c->bodies_next, c->memory, c->contact, c->kept, c->before, c->near};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  free(c);
}

sim_body *sim_contacts_bodies(const sim_contacts *c) { return c->bodies; }
sim_contact_memory (*sim_contacts_memory(const sim_contacts *c))[SIM_CONTACTS_EACH] { return c->memory; }

/* ---- a solve ---- */

/* The number of contacts of contact j's vertex if j is the first of them, else 0. */
static int from_first(const sim_contacts *c, int j) {
  if (j > 0 && c->contact[j - 1].vertex == c->contact[j].vertex) return 0;
  return sim_contacts_of_vertex(&c->contact[j], c->n_contacts - j);
}

void sim_contacts_prescribe(const sim_contacts *c, const sim_stage *s) {
#pragma omp parallel for schedule(static) if (c->n_contacts > SIM_FEW_CONTACTS)
  for (int j = 0; j < c->n_contacts; j++) {
    const int n = from_first(c, j);
    if (n > 0) sim_contact_prescribe(&c->contact[j], n, s->v[c->contact[j].vertex]);
  }
}

/* Upper bound of the stiffness across the direction of sliding, in inertias of the vertex. A vertex that
 * hardly moves can still turn where the forces push it, and single precision keeps digits for the rest. */
#define ACROSS_MOST 1e3

/* The brake of a pinched contact, in the plane at right angles to its axis. */
static void add_brake(const sim_contact *k, const sim_stage *s) {
  const double brake_kg = s->gamma_s * k->brake_kg_per_s, *a = k->axis;
  double slip[3];
  sim_sub(s->v[k->vertex], k->velocity_m_per_s, slip);
  sim_add(slip, -sim_dot(slip, a), a);
  sim_add(s->residual[k->vertex], -brake_kg, slip);
  float *e = s->extra[k->vertex];
  for (int i = 0, entry = 0; i < 3; i++)
    for (int j = i; j < 3; j++, entry++) e[entry] += (float)(brake_kg * ((i == j) - a[i] * a[j]));
}

/* Sliding friction turns with the velocity: stiffness f/w t t^T, with t across the direction in the tangent
 * plane. */
static void add_friction(const sim_contact *k, const sim_stage *s) {
  if (k->hold != SIM_SLIDES) return;
  if (k->pinched) {
    add_brake(k, s);
    return;
  }
  double t[3], most = ACROSS_MOST * s->inertia_kg[k->vertex], impulse = s->gamma_s * k->friction_N;
  double stiff = impulse < most * k->speed_m_per_s ? impulse / k->speed_m_per_s : most;
  sim_add(s->residual[k->vertex], -impulse, k->direction);
  if (k->speed_m_per_s <= 0) return;
  sim_cross(k->normal, k->direction, t);
  float *e = s->extra[k->vertex];
  for (int a = 0, entry = 0; a < 3; a++)
    for (int b = a; b < 3; b++, entry++) e[entry] += (float)(stiff * t[a] * t[b]);
}

void sim_contacts_add_friction(const sim_contacts *c, const sim_stage *s) {
#pragma omp parallel for schedule(static) if (c->n_contacts > SIM_FEW_CONTACTS)
  for (int j = 0; j < c->n_contacts; j++)
    for (int k = j, n = from_first(c, j); k < j + n; k++) add_friction(&c->contact[k], s);
}

int sim_contacts_n(const sim_contacts *c) { return c->n_contacts; }

bool sim_contacts_site(const sim_contacts *c, int j, sim_contact_site *out) {
  const int n = from_first(c, j);
  if (n == 0) return false;
  out->vertex = c->contact[j].vertex;
  out->fixed = sim_contact_constraint(&c->contact[j], n, &out->constraint);
  return true;
}

void sim_contacts_constrain(const sim_contacts *c, sim_stage *s) {
  sim_contact_site site;
  s->n_constraints = s->n_grips;
  for (int j = 0; j < c->n_contacts; j++)
    if (sim_contacts_site(c, j, &site) && site.fixed) s->constraint[s->n_constraints++] = site.constraint;
}

bool sim_contacts_review(sim_contacts *c, const sim_stage *s, double tolerance) {
  double wrong_N = 0, pressed_N = 0;
#pragma omp parallel for schedule(static) if (c->n_contacts > SIM_FEW_CONTACTS)
  for (int j = 0; j < c->n_contacts; j++) {
    sim_contact *k = &c->contact[j];
    const sim_friction *f[SIM_CONTACTS_EACH];
    const int n = from_first(c, j);
    for (int e = 0; e < n; e++) f[e] = &c->bodies[k[e].body].friction;
    k->wrong_N = n > 0 ? sim_contact_review_vertex(k, n, f, s->reaction[k->vertex], s->v[k->vertex]) : 0;
  }
  for (int j = 0; j < c->n_contacts; j++) {
    wrong_N += c->contact[j].wrong_N;
    pressed_N += c->contact[j].normal_N;
  }
  return wrong_N <= tolerance * pressed_N;
}

void sim_contacts_keep(sim_contacts *c) {
  if (c->n_contacts > 0) memcpy(c->kept, c->contact, (size_t)c->n_contacts * sizeof *c->contact);
}

void sim_contacts_restore(sim_contacts *c) {
  if (c->n_contacts > 0) memcpy(c->contact, c->kept, (size_t)c->n_contacts * sizeof *c->contact);
}

/* ---- the end of a step ---- */

void sim_contacts_count(const sim_contacts *c, sim_step_report *report) {
  for (int j = 0; j < c->n_contacts; j++) {
    const sim_contact *k = &c->contact[j];
    report->contacts += k->hold != SIM_APART;
    report->holding += k->hold == SIM_HOLDS;
    report->sliding += k->hold == SIM_SLIDES;
    report->by_law += k->hold != SIM_APART && c->bodies[k->body].friction.kinetic_law;
    report->extrapolated += k->hold != SIM_APART && k->extrapolated;
  }
}

static void force_of(const sim_contact *k, double out[3]) {
  memcpy(out, k->reaction_N, sizeof k->reaction_N);
  const double friction_N = k->pinched ? k->braked_N : k->hold == SIM_SLIDES ? k->friction_N : 0;
  if (friction_N > 0) sim_add(out, -friction_N, k->direction);
}

/* Work of a contact: the force times the body's motion is supplied by the body. The rest of the force times
 * the vertex's motion is friction. */
void sim_contacts_add_work(const sim_contacts *c, const sim_stage *s, double *supports_J,
                           double *friction_J) {
  for (int j = 0; j < c->n_contacts; j++) {
    const sim_contact *k = &c->contact[j];
    if (k->hold == SIM_APART) continue;
    double force[3], way[3], given;
    force_of(k, force);
    sim_stage_way(s, k->vertex, way);
    given = s->dt_s * sim_dot(force, k->body_m_per_s);
    *supports_J += given;
    *friction_J += given - sim_dot(force, way);
  }
}

void sim_contacts_remember(sim_contacts *c, const sim_stage *s) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int e = 0; e < SIM_CONTACTS_EACH; e++) c->memory[i][e] = (sim_contact_memory){.body = -1};
  for (int j = 0; j < c->n_contacts; j++) {
    const sim_contact *k = &c->contact[j];
    sim_contact_memory *m = c->memory[k->vertex];
    if (k->hold != SIM_APART) m[m->body >= 0] = (sim_contact_memory){k->body, k->hold, k->normal_N};
  }
}

void sim_contacts_move(sim_contacts *c, const sim_stage *s) {
  for (int b = 0; b < s->setup->n_bodies; b++) sim_body_move(&c->bodies[b], s->dt_s);
}

/* ---- between steps ---- */

void sim_contacts_body_force(const sim_contacts *c, int body, double force_N[3]) {
  for (int d = 0; d < 3; d++) force_N[d] = 0;
  for (int j = 0; j < c->n_contacts; j++) {
    double force[3];
    if (c->contact[j].body != body || c->contact[j].hold == SIM_APART) continue;
    force_of(&c->contact[j], force);
    sim_add(force_N, 1, force);
  }
}

void sim_contacts_support(const sim_contacts *c, double (*normal)[3]) {
  for (int j = 0; j < c->n_contacts; j++) {
    const sim_contact *k = &c->contact[j];
    if (k->hold != SIM_APART) memcpy(normal[k->vertex], k->normal, sizeof k->normal);
  }
}

double sim_contacts_fastest_m_per_s(const sim_contacts *c) {
  double most = 0;
  for (int j = 0; j < c->n_contacts; j++) most = fmax(most, sim_norm(c->contact[j].body_m_per_s));
  return most;
}
