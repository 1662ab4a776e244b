#include "sim_cloth_self.h"

#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "sim_cloth_self_impl.h"
#include "sim_self_look.h"
#include "sim_vec.h"

/* A layer that presses with its own weight yields by g h^2 over this: 25 um at steps of 5 ms. */
#define SPRING 10.0
/* Upper bound of the dashpot of a tiny slip, in the contact's mass per step. */
#define DASHPOT_MOST 1e3
/* Factor on the mass of a vertex that a body put out, towards other layers. It is not infinite: two such
 * vertices could not be separated. */
#define HEAVY 1e4

static cb_status no_memory(int n, cb_err *err) { return cb_no_memory(err, "cloth of %d vertices", n); }

static cb_status make_layers(const sim_cloth_setup *setup, const double *mass_kg, sim_cloth_self *l,
                             cb_err *err) {
  const sim_self_options options = {.thickness_m = setup->material->thickness_m, .rounds = 10};
  const sim_mesh *mesh[SIM_BVH_MESHES] = {setup->mesh};
  const int n = setup->mesh->n_vertices;
  CB_TRY(sim_cloth_self_cut(setup->mesh, l, err));
  for (int k = 0; k < l->n_pieces; k++) mesh[k] = &l->piece[k];
  CB_TRY(sim_self_new(mesh, NULL, l->n_pieces > 0 ? l->n_pieces : 1, &options, &l->self, err));
  l->inverse_mass_per_kg = calloc((size_t)n, sizeof *l->inverse_mass_per_kg);
  if (!l->inverse_mass_per_kg) return no_memory(n, err);
  for (int i = 0; i < n; i++)
    l->inverse_mass_per_kg[i] = setup->gripped && setup->gripped[i] ? 0 : 1 / mass_kg[i];
  sim_self_set_inverse_mass(l->self, l->inverse_mass_per_kg);
  return CB_OK;
}

cb_status sim_cloth_self_new(const sim_cloth_setup *setup, const double *mass_kg, sim_cloth_self **out,
                             cb_err *err) {
  *out = calloc(1, sizeof **out);
  return !*out ? no_memory(setup->mesh->n_vertices, err) : make_layers(setup, mass_kg, *out, err);
}

void sim_cloth_self_free(sim_cloth_self *l) {
  if (!l) return;
  sim_self_free(l->self);
  for (int k = 0; k < l->n_pieces; k++) sim_mesh_clear(&l->piece[k]);
  free(l->piece);
  free(l->inverse_mass_per_kg);
  free(l->term);
  free(l);
}

sim_self *sim_cloth_self_self(const sim_cloth_self *l) { return l->self; }

cb_status sim_cloth_self_find(sim_cloth_self *l, const sim_stage *s, cb_err *err) {
  const double thickness_m = s->setup->material->thickness_m;
  CB_TRY(sim_self_contacts(l->self, (const sim_vec3 *)s->x, thickness_m, &l->contact, &l->n_contacts, err));
  if (l->n_contacts == 0) return CB_OK;
  sim_pair_term *term = cb_array_grow(l->term, &l->capacity, 3 * (size_t)l->n_contacts, sizeof *term);
  if (!term) return cb_no_memory(err, "%d contacts of the cloth with itself", l->n_contacts);
  l->term = term;
  return CB_OK;
}

static void put_term(sim_cloth_self *l, const sim_self_contact *k, const double direction[3],
                     double stiffness) {
  sim_pair_term *t = &l->term[l->n_terms++];
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

static void push_apart(const sim_stage *s, const sim_self_contact *k, double impulse,
                       const double direction[3]) {
  for (int i = 0; i < 4; i++)
    if (k->weight[i] != 0) sim_add(s->residual[k->vertex[i]], impulse * k->weight[i], direction);
}

static double kinetic_N(sim_cloth_self *l, const sim_stage *s, const sim_self_contact *k,
                        const double slip[3], double normal_N) {
  const cb_self_friction_law *law = s->setup->self_law;
  double direction[2][2];
  for (int side = 0; side < 2; side++) {
    double to_cloth[2][3], length;
    sim_self_to_cloth(l->self, (const sim_vec3 *)s->x, k->triangle[side], to_cloth);
    for (int d = 0; d < 2; d++) direction[side][d] = sim_dot(to_cloth[d], slip);
    length = hypot(direction[side][0], direction[side][1]);
    for (int d = 0; d < 2; d++) direction[side][d] /= length;
  }
  if (!law) return sim_friction_eval(&s->setup->self_friction, direction[0], normal_N, k->area_m2).kinetic_N;
  double scale = law->contact_area_m2 / k->area_m2, on_rig_N = normal_N * scale;
  l->by_law++;
  l->extrapolated += on_rig_N < law->min_N || on_rig_N > law->max_N;
  return cb_self_friction_force_N(law, direction[0], direction[1], on_rig_N) / scale;
}

static void apply_friction(sim_cloth_self *l, const sim_stage *s, const sim_self_contact *k, double normal_N,
                           double mass_kg) {
  double slip[3], along, speed, other[3];
  mean_of(k, s->v, slip);
  along = sim_dot(slip, k->normal);
  sim_add(slip, -along, k->normal);
  speed = sim_norm(slip);
  if (speed == 0) return;
  double impulse = s->gamma_s * kinetic_N(l, s, k, slip, normal_N), most = DASHPOT_MOST * mass_kg;
  double stiff = impulse < most * speed ? impulse / speed : most;
  if (stiff == 0) return;
  for (int d = 0; d < 3; d++) slip[d] /= speed;
  push_apart(s, k, -stiff * speed, slip);
  sim_cross(k->normal, slip, other);
  put_term(l, k, slip, stiff);
  put_term(l, k, other, stiff);
}

cb_status sim_cloth_self_add(sim_cloth_self *l, const sim_stage *s, sim_matrix *matrix, cb_err *err) {
  const sim_material *m = s->setup->material;
  double gamma = s->gamma_s;
  l->n_terms = l->by_law = l->extrapolated = 0;
  for (int j = 0; j < l->n_contacts; j++) {
    const sim_self_contact *k = &l->contact[j];
    double from[3], past[3], v[3];
    mean_of(k, s->x, from);
    mean_of(k, s->past_x, past);
    mean_of(k, s->v, v);
    double gap =
        k->distance_m + sim_dot(past, k->normal) - sim_dot(from, k->normal) + gamma * sim_dot(v, k->normal);
    double mass = m->areal_density_kg_per_m2 * k->area_m2, spring = SPRING * mass / (gamma * gamma),
           N = spring * (m->thickness_m - gap);
    if (N <= 0) continue;
    push_apart(s, k, gamma * N, k->normal);
    put_term(l, k, k->normal, gamma * gamma * spring);
    apply_friction(l, s, k, N, mass);
  }
  return sim_matrix_set_terms(matrix, l->term, l->n_terms, err);
}

void sim_cloth_self_count(const sim_cloth_self *l, sim_step_report *report) {
  report->self_contacts = l->n_contacts;
  report->self_by_law = l->by_law;
  report->self_extrapolated = l->extrapolated;
}

void sim_cloth_self_set_put_out(sim_cloth_self *l, const sim_stage *s, const bool *put_out, bool heavy) {
  for (int i = 0; i < s->n; i++)
    if (put_out[i]) l->inverse_mass_per_kg[i] = 1 / (heavy ? HEAVY * s->mass_kg[i] : s->mass_kg[i]);
}

cb_status sim_cloth_self_resolve(sim_cloth_self *l, const sim_stage *s, bool *changed,
                                 sim_step_report *report, cb_err *err) {
  sim_self_report r;
  cb_status st = sim_self_resolve(l->self, (const sim_vec3 *)s->x, s->at, &r, err);
  report->impacts += r.impacts;
  *changed = r.outcome != SIM_SELF_FREE;
  return st;
}
