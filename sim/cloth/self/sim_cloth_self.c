#include "sim_cloth_self.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_cloth_self_impl.h"
#include "sim_self_look.h"
#include "sim_vec.h"

/* A layer that presses with its own weight yields by g h^2 over this: 25 um at steps of 5 ms. */
#define SPRING 10.0
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
  l->memory.residual_N = calloc((size_t)n, sizeof *l->memory.residual_N);
  l->kept.residual_N = calloc((size_t)n, sizeof *l->kept.residual_N);
  l->ahead_m = calloc((size_t)n, sizeof *l->ahead_m);
  l->near = calloc((size_t)n, sizeof *l->near);
  if (!l->inverse_mass_per_kg || !l->memory.residual_N || !l->kept.residual_N || !l->ahead_m || !l->near)
    return no_memory(n, err);
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
  free(l->ahead_m);
  free(l->near);
  free(l->rub);
  free(l->slot);
  free(l->memory.hold);
  free(l->memory.residual_N);
  free(l->kept.hold);
  free(l->kept.residual_N);
  free(l);
}

sim_self *sim_cloth_self_self(const sim_cloth_self *l) { return l->self; }

void sim_cloth_self_put_term(sim_cloth_self *l, const sim_self_contact *k, const double direction[3],
                             double stiffness) {
  sim_pair_term *t = &l->term[l->n_terms++];
  t->stiffness_N_per_m = (float)stiffness;
  for (int i = 0; i < 4; i++) {
    t->vertex[i] = k->vertex[i];
    t->weight[i] = (float)k->weight[i];
  }
  for (int d = 0; d < 3; d++) t->normal[d] = (float)direction[d];
}

void sim_cloth_self_way(const sim_self_contact *k, const sim_stage *s, double way_m[3]) {
  way_m[0] = way_m[1] = way_m[2] = 0;
  for (int i = 0; i < 4; i++) {
    double own[3];
    if (k->weight[i] == 0) continue;
    sim_stage_way(s, k->vertex[i], own);
    sim_add(way_m, k->weight[i], own);
  }
}

void sim_cloth_self_push(const sim_stage *s, const sim_self_contact *k, double impulse,
                         const double direction[3]) {
  for (int i = 0; i < 4; i++)
    if (k->weight[i] != 0) sim_add(s->residual[k->vertex[i]], impulse * k->weight[i], direction);
}

static double spring_N_per_m(const sim_self_contact *k, const sim_stage *s) {
  return SPRING * s->setup->material->areal_density_kg_per_m2 * k->area_m2 / (s->gamma_s * s->gamma_s);
}

double sim_cloth_self_normal_N(const sim_cloth_self *l, int j, const sim_stage *s, const double way_m[3]) {
  const sim_self_contact *k = &l->contact[j];
  return spring_N_per_m(k, s) *
         (s->setup->material->thickness_m - l->rub[j].apart_m - sim_dot(way_m, k->normal));
}

cb_status sim_cloth_self_add(sim_cloth_self *l, const sim_stage *s, sim_matrix *matrix, cb_err *err) {
  const double gamma = s->gamma_s;
  l->n_terms = l->by_law = l->extrapolated = 0;
  sim_self_friction_add_residual(l, s);
  for (int j = 0; j < l->n_contacts; j++) {
    const sim_self_contact *k = &l->contact[j];
    double way[3];
    sim_cloth_self_way(k, s, way);
    const double N = sim_cloth_self_normal_N(l, j, s, way);
    l->rub[j].stiffness_N_per_m = 0;
    l->rub[j].presses = N > -l->rub[j].normal_N; /* a small pull for one step, or layers would chatter */
    if (!l->rub[j].presses) continue;
    sim_cloth_self_push(s, k, gamma * N, k->normal);
    sim_cloth_self_put_term(l, k, k->normal, gamma * gamma * spring_N_per_m(k, s));
    sim_self_friction_add(l, s, j, way, N, s->setup->material->areal_density_kg_per_m2 * k->area_m2);
  }
  return sim_matrix_set_terms(matrix, l->term, l->n_terms, err);
}

/* Returns by how much the force along the normal was wrong in the last solve, and adds the right one to
 * *right_N. */
static double wrong_N(const sim_cloth_self *l, const sim_stage *s, int j, double *right_N) {
  double way[3];
  sim_cloth_self_way(&l->contact[j], s, way);
  const double N = sim_cloth_self_normal_N(l, j, s, way);
  *right_N += fmax(N, 0);
  return l->rub[j].presses ? fmax(-N - l->rub[j].normal_N, 0) : fmax(N, 0);
}

bool sim_cloth_self_review(const sim_cloth_self *l, const sim_stage *s, double tolerance,
                           double friction_tolerance) {
  double wrong = 0, right = 0, wrong_friction = 0, right_friction = 0;
  for (int j = 0; j < l->n_contacts; j++) {
    wrong += wrong_N(l, s, j, &right);
    wrong_friction += sim_self_friction_wrong_N(l, s, j, &right_friction);
  }
  return wrong <= tolerance * right && wrong_friction <= friction_tolerance * right_friction;
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
