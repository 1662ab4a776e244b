#include "sim_layers.h"

#include <stdlib.h>
#include <string.h>

#include "sim_cloth_parts.h"
#include "sim_vec.h"

/* A layer that presses with its own mass alone yields by g h^2 over this: 25 um at steps of 5 ms. */
#define SPRING 10.0
/* Of the contact's mass per step: what slip that is next to nothing costs at most. */
#define DASHPOT_MOST 1e3
/* What a body put out yields to layers by so much less: not at all would be too much, two that were put out could not be told apart. */
#define HEAVY 1e4
/* Of bodies and layers in turn, at the end of a step. */
#define SAFE_ROUNDS 10

cb_status sim_layers_init(sim_cloth *c, cb_err *err) {
  sim_layers *l = &c->layers;
  if (!c->setup.self_collision) return CB_OK;
  const sim_self_options options = {.thickness_m = c->setup.material->thickness_m, .rounds = 10};
  const sim_mesh *mesh[SIM_BVH_MESHES] = {c->setup.mesh};
  CB_TRY(sim_layers_cut(c->setup.mesh, l, err));
  for (int k = 0; k < l->n_pieces; k++) mesh[k] = &l->piece[k];
  CB_TRY(sim_self_new(mesh, NULL, l->n_pieces > 0 ? l->n_pieces : 1, &options, &l->self, err));
  l->inverse_mass_per_kg = calloc((size_t)c->n, sizeof *l->inverse_mass_per_kg);
  if (l->inverse_mass_per_kg == NULL) return cb_fail(err, CB_E_NOMEM, "cloth of %d vertices: out of memory", c->n);
  for (int i = 0; i < c->n; i++) l->inverse_mass_per_kg[i] = c->setup.gripped != NULL && c->setup.gripped[i] ? 0 : 1 / c->mass_kg[i];
  sim_self_set_inverse_mass(l->self, l->inverse_mass_per_kg);
  return CB_OK;
}

void sim_layers_clear(sim_layers *l) {
  sim_self_free(l->self);
  for (int k = 0; k < l->n_pieces; k++) sim_mesh_clear(&l->piece[k]);
  free(l->piece);
  free(l->inverse_mass_per_kg);
  free(l->term);
}

cb_status sim_layers_find(sim_cloth *c, cb_err *err) {
  sim_layers *l = &c->layers;
  if (l->self == NULL) return CB_OK;
  CB_TRY(sim_self_contacts(l->self, (const double(*)[3])c->x, c->setup.material->thickness_m, &l->contact, &l->n_contacts, err));
  if (3 * l->n_contacts <= l->capacity) return CB_OK;
  int capacity = 6 * l->n_contacts;
  sim_pair_term *term = realloc(l->term, (size_t)capacity * sizeof *term);
  if (term == NULL) return cb_fail(err, CB_E_NOMEM, "%d contacts of the cloth with itself: out of memory", l->n_contacts);
  l->term = term;
  l->capacity = capacity;
  return CB_OK;
}

static void put_term(sim_cloth *c, const sim_self_contact *k, const double direction[3], double stiffness) {
  sim_pair_term *t = &c->layers.term[c->layers.n_terms++];
  t->stiffness_N_per_m = (float)stiffness;
  for (int i = 0; i < 4; i++) {
    t->vertex[i] = k->vertex[i];
    t->weight[i] = (float)k->weight[i];
  }
  for (int d = 0; d < 3; d++) t->normal[d] = (float)direction[d];
}

/* sum of weights times a field */
static void mean_of(const sim_self_contact *k, double (*field)[3], double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < 4; i++)
    if (k->weight[i] != 0) sim_add(out, k->weight[i], field[k->vertex[i]]);
}

static void push(sim_cloth *c, const sim_self_contact *k, double impulse, const double direction[3]) {
  for (int i = 0; i < 4; i++)
    if (k->weight[i] != 0) sim_add(c->residual[k->vertex[i]], impulse * k->weight[i], direction);
}

static double kinetic_N(sim_cloth *c, const sim_self_contact *k, const double slip[3], double normal_N) {
  const cb_self_friction_law *law = c->setup.self_law;
  double direction[2][2];
  for (int side = 0; side < 2; side++) {
    double to_cloth[2][3], length;
    sim_self_to_cloth(c->layers.self, (const double(*)[3])c->x, k->triangle[side], to_cloth);
    for (int d = 0; d < 2; d++) direction[side][d] = sim_dot(to_cloth[d], slip);
    length = hypot(direction[side][0], direction[side][1]);
    for (int d = 0; d < 2; d++) direction[side][d] /= length;
  }
  if (law == NULL) return sim_friction_eval(&c->setup.self_friction, direction[0], normal_N, k->area_m2).kinetic_N;
  double scale = law->contact_area_m2 / k->area_m2, on_rig_N = normal_N * scale;
  c->layers.by_law++;
  c->layers.extrapolated += on_rig_N < law->min_N || on_rig_N > law->max_N;
  return cb_self_friction_force_N(law, direction[0], direction[1], on_rig_N) / scale;
}

static void rub(sim_cloth *c, const sim_self_contact *k, double normal_N, double mass_kg) {
  double slip[3], along, speed, other[3];
  mean_of(k, c->v, slip);
  along = sim_dot(slip, k->normal);
  sim_add(slip, -along, k->normal);
  speed = sim_norm(slip);
  if (speed == 0) return;
  double impulse = c->gamma_s * kinetic_N(c, k, slip, normal_N), most = DASHPOT_MOST * mass_kg;
  double s = impulse < most * speed ? impulse / speed : most;
  if (s == 0) return;
  for (int d = 0; d < 3; d++) slip[d] /= speed;
  push(c, k, -s * speed, slip);
  sim_cross(k->normal, slip, other);
  put_term(c, k, slip, s);
  put_term(c, k, other, s);
}

cb_status sim_layers_add(sim_cloth *c, cb_err *err) {
  sim_layers *l = &c->layers;
  const sim_material *m = c->setup.material;
  double gamma = c->gamma_s;
  l->n_terms = l->by_law = l->extrapolated = 0;
  for (int j = 0; j < l->n_contacts; j++) {
    const sim_self_contact *k = &l->contact[j];
    double from[3], past[3], v[3];
    mean_of(k, c->x, from);
    mean_of(k, c->past_x, past);
    mean_of(k, c->v, v);
    double gap = k->distance_m + sim_dot(past, k->normal) - sim_dot(from, k->normal) + gamma * sim_dot(v, k->normal);
    double mass = m->areal_density_kg_per_m2 * k->area_m2, spring = SPRING * mass / (gamma * gamma), N = spring * (m->thickness_m - gap);
    if (N <= 0) continue;
    push(c, k, gamma * N, k->normal);
    put_term(c, k, k->normal, gamma * gamma * spring);
    rub(c, k, N, mass);
  }
  return sim_matrix_set_terms(&c->matrix, l->term, l->n_terms, err);
}

/* Bodies first; what they put out hardly gives way while the layers are told apart, and those may push others in. The layers have the last
 * word. */
cb_status sim_fail_safe(sim_cloth *c, double dt_s, sim_step_report *report, cb_err *err) {
  sim_layers *l = &c->layers;
  bool changed = false;
  int n = 1;
  cb_status st = CB_OK;
  if (l->self == NULL && c->setup.n_bodies == 0) return CB_OK;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->n; i++)
    for (int d = 0; d < 3; d++) c->at[i][d] = c->past_x[i][d] + c->gamma_s * c->v[i][d];
  memset(c->put_out, 0, (size_t)c->n * sizeof *c->put_out);
  report->layers = l->n_contacts;
  report->layers_by_law = l->by_law;
  report->layers_extrapolated = l->extrapolated;
  for (int round = 0; round < SAFE_ROUNDS && n > 0 && st == CB_OK; round++) {
    n = sim_contact_keep_out(c, dt_s, c->put_out);
    report->put_out += n;
    changed = changed || n > 0;
    if (l->self == NULL || (round > 0 && n == 0)) break;
    for (int i = 0; i < c->n && n > 0; i++)
      if (c->put_out[i]) l->inverse_mass_per_kg[i] = 1 / (HEAVY * c->mass_kg[i]);
    sim_self_report r;
    st = sim_self_resolve(l->self, (const double(*)[3])c->x, c->at, &r, err);
    report->impacts += r.impacts;
    n = r.outcome != SIM_SELF_FREE;
    changed = changed || n;
  }
  for (int i = 0; i < c->n && l->self != NULL; i++)
    if (c->put_out[i]) l->inverse_mass_per_kg[i] = 1 / c->mass_kg[i];
  if (!changed) return st;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->n; i++)
    for (int d = 0; d < 3; d++) c->v[i][d] = (c->at[i][d] - c->past_x[i][d]) / c->gamma_s;
  return st;
}
