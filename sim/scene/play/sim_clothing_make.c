/* The cloth of a scene and its grips. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_clothing.h"
#include "sim_mesh.h"
#include "sim_vec.h"

#define AGREEMENT                                                                          \
  10 /* solve_tolerances: contacts cannot agree better than their reactions are solved for \
        \ */

static cb_status make_mesh(const sim_scene_sheet *s, sim_mesh *out, cb_err *err) {
  const sim_rectangle rectangle = {.length_m = s->length_m,
                                   .width_m = s->width_m,
                                   .pattern = (sim_pattern)s->pattern,
                                   .about_vertices = s->vertices,
                                   .warp_rad = s->warp_rad,
                                   .seed = (uint64_t)s->seed};
  const double edge_m = (s->radius_m - s->hole_m) / 20;
  const sim_disc disc = {.n_circles = 2,
                         .circle = {{s->hole_m, edge_m}, {s->radius_m, edge_m}},
                         .pattern = (sim_pattern)s->pattern,
                         .about_vertices = s->vertices,
                         .warp_rad = s->warp_rad,
                         .seed = (uint64_t)s->seed};
  sim_obj_options obj = sim_obj_options_default();
  switch ((sim_scene_mesh)s->mesh) {
    case SIM_SCENE_RECTANGLE: return sim_mesh_rectangle(&rectangle, out, err);
    case SIM_SCENE_DISC: return sim_mesh_disc(&disc, out, err);
    case SIM_SCENE_MESH_FILE: break;
  }
  obj.m_per_unit = s->m_per_unit;
  obj.texture_m_per_unit = s->texture_m_per_unit;
  return sim_mesh_obj_read(s->file, &obj, out, NULL, err);
}

/* The middle of the mesh's box comes to lie there; a file's mesh stays where it is, moved by as much. */
cb_status sim_clothing_make_sheet(const sim_scene_sheet *s, sim_mesh *out, cb_err *err) {
  const double none[3] = {0, 0, 0};
  double to[3] = {0, 0, 0};
  CB_TRY(make_mesh(s, out, err));
  if (s->mesh == SIM_SCENE_RECTANGLE) {
    to[0] = -s->length_m / 2;
    to[1] = -s->width_m / 2;
  }
  const bool turned = sim_norm(s->turned_rad) > 0;
  if (turned) sim_mesh_place(out, none, to);
  for (int k = 0; k < 3; k++) to[k] = s->at_m[k] + (turned ? 0 : to[k]);
  sim_mesh_place(out, s->turned_rad, to);
  return CB_OK;
}

static bool inside(const sim_scene_grip *g, const double x[3]) {
  for (int k = 0; k < 3; k++)
    if (!(x[k] >= g->low_m[k] && x[k] <= g->high_m[k])) return false;
  return true;
}

static cb_status make_grips(sim_clothing *p, cb_err *err) {
  int n = p->mesh.n_vertices;
  p->grip = malloc((size_t)n * sizeof *p->grip);
  p->gripped = calloc((size_t)n, sizeof *p->gripped);
  if (!p->grip || !p->gripped) return cb_no_memory(err, "%s, %d vertices", p->scene->name, n);
  for (int i = 0; i < n; i++) p->grip[i] = -1;
  for (int g = 0; g < p->scene->n_grips; g++) {
    int held = 0;
    for (int i = 0; i < n; i++) {
      if (p->grip[i] >= 0 || !inside(&p->scene->grip[g], p->mesh.position_m[i])) continue;
      p->grip[i] = g;
      p->gripped[i] = true;
      held++;
    }
    if (held == 0)
      return cb_fail(err, CB_E_RANGE,
                     "%s: grip %d: no vertex that is still free lies in its box at the start", p->scene->name,
                     g + 1);
  }
  return CB_OK;
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
  CB_TRY(make_grips(p, err));
  sim_cloth_setup setup = sim_cloth_setup_default(&p->mesh, &s->material);
  setup.gripped = p->gripped;
  setup.bodies = p->told->body;
  setup.n_bodies = s->n_bodies;
  setup.self_collision = s->self_collision;
  setup.self_friction = s->self_friction;
  setup.self_law = s->self_law;
  setup.rest_per_m = (const double(*)[3])p->rest_per_m;
  setup.scheme = (sim_cloth_scheme)s->scheme;
  setup.iterations = s->iterations;
  setup.solve_tolerance = s->solve_tolerance;
  setup.contact_tolerance = fmax(setup.contact_tolerance, AGREEMENT * s->solve_tolerance);
  memcpy(setup.gravity_m_per_s2, s->gravity_m_per_s2, sizeof setup.gravity_m_per_s2);
  if (s->n_layers > 0)
    CB_TRY(sim_clothing_make_three(p, &setup, err));
  else
    CB_TRY(sim_cloth_new(&setup, &p->cloth, err));
  cb_status st = sim_start_check(p->cloth, err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s", s->name);
  if (!s->adaptive) return CB_OK;
  p->kept = malloc(sim_cloth_state_bytes(p->cloth));
  return p->kept != NULL ? CB_OK : cb_no_memory(err, "%s", s->name);
}
