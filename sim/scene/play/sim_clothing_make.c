/* The cloth of a scene and what is held of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_clothing.h"
#include "sim_mesh.h"
#include "sim_sheet.h"

/* solve_tolerances: contacts cannot agree better than their reactions are solved for. */
#define AGREEMENT 10

static cb_status make_held(sim_clothing *p, cb_err *err) {
  const int n = p->mesh.n_vertices;
  int count[SIM_SCENE_HELD] = {0};
  p->held_by = malloc((size_t)n * sizeof *p->held_by);
  p->gripped = calloc((size_t)n, sizeof *p->gripped);
  if (!p->held_by || !p->gripped) return cb_no_memory(err, "%s, %d vertices", p->scene->name, n);
  for (int i = 0; i < n; i++) p->held_by[i] = -1;
  for (int k = 0; k < p->n_parts; k++) {
    const sim_play_part *part = &p->part_of[k];
    sim_sheet_hold(p->scene, part->layer < 0 ? k : -1,
                   (const sim_vec3 *)p->mesh.position_m + part->first_vertex, part->n_vertices,
                   p->held_by + part->first_vertex, count);
  }
  for (int i = 0; i < n; i++) p->gripped[i] = p->held_by[i] >= 0;
  return sim_sheet_check_held(p->scene, count, err);
}

/* As the mesh lies, and what the scene adds to that. */
static cb_status make_rest(sim_clothing *p, cb_err *err) {
  const sim_scene *s = p->scene;
  const double *add = s->rest_curvature_per_m;
  if (s->rest == SIM_SCENE_FLAT && add[0] == 0 && add[1] == 0 && add[2] == 0) return CB_OK;
  p->rest_per_m = calloc((size_t)p->mesh.n_triangles, sizeof *p->rest_per_m);
  if (!p->rest_per_m) return cb_no_memory(err, "%s, %d triangles", s->name, p->mesh.n_triangles);
  if (s->rest == SIM_SCENE_AS_MADE) CB_TRY(sim_rest_as_made(&p->mesh, p->rest_per_m, err));
  for (int t = 0; t < p->mesh.n_triangles; t++)
    for (int k = 0; k < 3; k++) p->rest_per_m[t][k] += add[k];
  return CB_OK;
}

static cb_status check_layer_laws(const sim_scene *s, int layer, cb_err *err) {
  const sim_scene_layer *l = &s->layer[layer];
  if (l->wants.density || l->wants.young || l->wants.poisson)
    return cb_fail(err, CB_E_RANGE, "%s: layer %d: the elasticity of '%s' was not looked up", s->name,
                   layer + 1, l->material);
  if (l->wants.friction && !l->friction.kinetic_law)
    return cb_fail(err, CB_E_RANGE, "%s: layer %d: the law of friction of '%s' was not looked up", s->name,
                   layer + 1, l->material);
  if (l->air.on && l->air.permeability_m_per_s < 0 && !l->air.law)
    return cb_fail(err, CB_E_RANGE, "%s: layer %d: the law of permeability of '%s' was not looked up",
                   s->name, layer + 1, s->cloth);
  return CB_OK;
}

/* Nothing that was named is taken for 0. */
static cb_status check_laws(const sim_scene *s, cb_err *err) {
  const sim_scene_wants *w = &s->wants;
  if (w->areal_density || w->thickness || w->warp || w->weft || w->shear || w->bending)
    return cb_fail(err, CB_E_RANGE, "%s: cloth '%s': its laws were not looked up", s->name, s->cloth);
  if (s->self_material[0] && !s->self_law)
    return cb_fail(err, CB_E_RANGE, "%s: cloth: its law of friction on '%s' was not looked up", s->name,
                   s->self_material);
  for (int b = 0; b < s->n_layers; b++) CB_TRY(check_layer_laws(s, b, err));
  for (int b = 0; b < s->n_bodies; b++)
    if (s->body[b].material[0] && !s->body[b].friction.kinetic_law)
      return cb_fail(err, CB_E_RANGE, "%s: body %d: the law of friction of '%s' was not looked up", s->name,
                     b + 1, s->body[b].material);
  return CB_OK;
}

cb_status sim_clothing_make(sim_clothing *p, cb_err *err) {
  const sim_scene *s = p->scene;
  CB_TRY(check_laws(s, err));
  CB_TRY(sim_clothing_make_parts(p, err));
  CB_TRY(make_rest(p, err));
  CB_TRY(make_held(p, err));
  sim_cloth_setup setup = sim_cloth_setup_default(&p->mesh, &s->material);
  setup.gripped = p->gripped;
  setup.bodies = p->told->body;
  setup.n_bodies = s->n_bodies;
  setup.self_collision = s->self_collision;
  setup.self_friction = s->self_friction;
  setup.self_law = s->self_law;
  setup.rest_per_m = (const sim_vec3 *)p->rest_per_m;
  setup.scheme = (sim_cloth_scheme)s->scheme;
  setup.iterations = s->iterations;
  setup.solve_tolerance = s->solve_tolerance;
  setup.contact_tolerance = fmax(setup.contact_tolerance, AGREEMENT * s->solve_tolerance);
  memcpy(setup.gravity_m_per_s2, s->gravity_m_per_s2, sizeof setup.gravity_m_per_s2);
  if (s->n_layers > 0)
    CB_TRY(sim_clothing_make_layered(p, &setup, err));
  else
    CB_TRY(sim_cloth_new(&setup, &p->cloth, err));
  cb_status st = sim_start_check(p->cloth, err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s", s->name);
  if (!s->adaptive || s->n_layers > 0) return CB_OK;
  p->kept = malloc(sim_cloth_state_bytes(p->cloth));
  return p->kept != NULL ? CB_OK : cb_no_memory(err, "%s", s->name);
}
