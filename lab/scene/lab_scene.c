#include "lab_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_material_test.h"
#include "cb_bending_loading.h"
#include "cb_store_self_friction.h"
#include "cb_law_json.h"
#include "lab_material_parts.h"
#include "lab_scene_parts.h"
#include "lab_friction.h"

/* ---- the cloth ---- */

static cb_status read_facts(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err) {
  CB_TRY(lab_cloth_facts(s, scene->cloth, &c->facts, err));
  sim_scene_wants *w = &scene->wants;
  if (scene->must.areal_density && !(c->facts.areal_density_kg_per_m2 > 0))
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: the areal density of '%s' is not known: areal_density_g_per_m2 was wanted in the "
                   "scene, or 'clothbench material set'",
                   cb_store_path(s), scene->cloth);
  if (scene->must.thickness && !(c->facts.thickness_m > 0))
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: the thickness of '%s' is not known: thickness_mm was wanted in the scene, or "
                   "'clothbench material set'",
                   cb_store_path(s), scene->cloth);
  w->areal_density = w->areal_density && c->facts.areal_density_kg_per_m2 > 0;
  w->thickness = w->thickness && c->facts.thickness_m > 0;
  return CB_OK;
}

/* What the scene assumes holds for each curve that the law does not tell. */
static cb_status read_stretch(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err) {
  bool *const wants[] = {&scene->wants.warp, &scene->wants.weft, &scene->wants.shear};
  const bool must[] = {scene->must.warp, scene->must.weft, scene->must.shear};
  sim_curve curve;
  if (!*wants[0] && !*wants[1] && !*wants[2]) return CB_OK;
  const cb_status st = cb_store_law_of(s, CB_LAW_STRETCH, scene->cloth, &c->stretch, NULL, err);
  if (st != CB_OK && (st != CB_E_NOTFOUND || must[0] || must[1] || must[2])) return st;
  for (int k = 0; k < 3; k++)
    if (*wants[k] && !must[k])
      *wants[k] = st == CB_OK && lab_cloth_curve(&c->stretch, (cb_stretch_axis)k, &curve, NULL) == CB_OK;
  return CB_OK;
}

static cb_status read_bending(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err) {
  cb_material_law row;
  if (!scene->wants.bending) return CB_OK;
  const cb_status st = cb_store_law_of(s, CB_LAW_BENDING, scene->cloth, &c->bending, &row, err);
  scene->wants.bending = st == CB_OK;
  if (st != CB_OK) return st == CB_E_NOTFOUND && !scene->must.bending ? CB_OK : st;
  c->bending_id = row.id;
  free(row.result_json);
  return CB_OK;
}

/* Imported: a cloth that nothing presses thinner has no constant. */
static cb_status read_compression(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err) {
  if (!scene->wants.compression) return CB_OK;
  cb_compression_law *law = &c->compression;
  const cb_status st = cb_store_law_of(s, CB_LAW_COMPRESSION, scene->cloth, law, NULL, err);
  if (st != CB_OK || !(law->knot[0].thickness_m > law->knot[law->n - 1].thickness_m)) {
    law->id = 0;
    scene->wants.compression = false;
  }
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

/* ---- friction ---- */

static cb_status find_law(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind,
                          lab_scene_pair *p, cb_err *err) {
  cb_friction_law *law = kind == CB_FRICTION_KINETIC ? &p->kinetic : &p->stat;
  return lab_friction_law_find(s, cloth, body, kind, law, &p->pooled[kind == CB_FRICTION_STATIC], err);
}

static cb_status read_pair(cb_store *s, const char *cloth, const char *body, lab_scene_pair *p, cb_err *err) {
  CB_TRY(find_law(s, cloth, body, CB_FRICTION_KINETIC, p, err));
  p->fitted_now = p->kinetic.id == 0;
  const cb_status st = find_law(s, cloth, body, CB_FRICTION_STATIC, p, err);
  p->has_static = st == CB_OK;
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

/* ---- air ---- */

/* Air of a layer must have it; a model that can do without says so itself where it cannot. */
static cb_status read_permeability(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err) {
  bool must = false;
  for (int k = 0; k < scene->n_layers; k++)
    must = must || (scene->layer[k].air.on && scene->layer[k].air.permeability_m_per_s < 0);
  const char *of = scene->permeability_of[0] ? scene->permeability_of : scene->cloth;
  if (!must && (scene->document == NULL || scene->permeability_m_per_s >= 0 || !of[0])) return CB_OK;
  const cb_status st = cb_store_law_of(s, CB_LAW_PERMEABILITY, of, &c->permeability, NULL, err);
  return st == CB_E_NOTFOUND && !must && of == scene->cloth ? CB_OK : st;
}

/* ---- layers ---- */

static cb_status read_elastic(cb_store *s, sim_scene_layer *l, int number, lab_scene_elastic *e,
                              cb_err *err) {
  static const char *const keys[] = {"density_kg_per_m3", "young_kPa", "poisson"};
  bool *const wants[] = {&l->wants.density, &l->wants.young, &l->wants.poisson};
  for (int k = 0; k < CB_ELASTIC_NUMBERS; k++) {
    if (!*wants[k]) continue;
    cb_status st =
        e->law.id == 0 ? cb_store_law_of(s, CB_LAW_ELASTICITY, l->material, &e->law, NULL, err) : CB_OK;
    if (st != CB_OK) return cb_fail_in(err, st, "layer %d, which has no number `%s`", number, keys[k]);
    if (isnan(e->law.value[k]))
      return cb_fail(
          err, CB_E_NOTFOUND,
          "%s: the law of elasticity of '%s' does not tell %s: layer %d wanted it, or a number `%s`",
          cb_store_path(s), l->material, cb_elastic_names[k], number, keys[k]);
    e->from[k] = true;
    *wants[k] = false;
  }
  return CB_OK;
}

static cb_status read_layers(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err) {
  for (int k = 0; k < scene->n_layers; k++) {
    sim_scene_layer *l = &scene->layer[k];
    cb_status st = CB_OK;
    if (l->wants.friction) st = read_pair(s, scene->cloth, l->material, &c->layer[k], err);
    if (st != CB_OK) return cb_fail_in(err, st, "layer %d, which has no number `friction`", k + 1);
    CB_TRY(read_elastic(s, l, k + 1, &c->elastic[k], err));
  }
  return read_permeability(s, scene, c, err);
}

static cb_status read_self(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err) {
  cb_self_friction_row row;
  if (!scene->self_material[0]) return CB_OK;
  CB_TRY(cb_store_self_friction_newest(s, scene->cloth, scene->self_material, &row, err));
  cb_status st = cb_self_friction_parse(&row, &c->self, err);
  free(row.result_json);
  return st;
}

/* ---- into the scene ---- */

/* A model that takes the law as it is gets it where no number of the scene stands against it. */
static cb_status apply_stretch(const lab_scene *c, sim_scene *scene, cb_err *err) {
  sim_curve *const curves[] = {&scene->material.warp, &scene->material.weft, &scene->material.shear};
  const bool from[] = {c->from.warp, c->from.weft, c->from.shear};
  for (int k = 0; k < 3; k++)
    if (from[k]) CB_TRY(lab_cloth_curve(&c->stretch, (cb_stretch_axis)k, curves[k], err));
  if (from[0] && from[1]) scene->stretch_law = &c->stretch;
  scene->isotropic = scene->isotropic && !from[0];
  return CB_OK;
}

static void apply_bending(const lab_scene *c, sim_scene *scene) {
  const cb_bending_law *law = &c->bending;
  cb_bending_shell(law, scene->material.bending_Nm);
  for (int k = 0; k < 2 && c->from.hysteresis && law->form != CB_BENDING_TABLE; k++)
    if (law->width_N[k] > 0) scene->material.bending_friction_N[k] = law->width_N[k] / 2;
  scene->material.bending_friction_onset_per_m = cb_bending_prior_at(0).onset_per_m;
}

/* The law of bodies that pinch the cloth has one constant: it holds at the highest pressure that was
 * measured. */
static void apply_compression(const lab_scene *c, sim_scene *scene) {
  const cb_compression_knot *light = &c->compression.knot[0], *heavy = light + c->compression.n - 1;
  scene->material.compression_Pa = heavy->pressure_Pa / (light->thickness_m / heavy->thickness_m - 1);
}

static void apply_pair(const lab_scene_pair *p, sim_friction *f) {
  if (p->kinetic.n_knots == 0) return;
  f->kinetic_law = &p->kinetic;
  f->static_law = p->has_static ? &p->stat : NULL;
}

static void apply_layer(const lab_scene *c, int k, sim_scene_layer *l) {
  const lab_scene_elastic *e = &c->elastic[k];
  double *const values[] = {&l->density_kg_per_m3, &l->young_Pa, &l->poisson};
  apply_pair(&c->layer[k], &l->friction);
  for (int i = 0; i < CB_ELASTIC_NUMBERS; i++)
    if (e->from[i]) *values[i] = e->law.value[i];
  if (c->permeability.id > 0 && l->air.on && l->air.permeability_m_per_s < 0) l->air.law = &c->permeability;
}

cb_status lab_scene_apply(const lab_scene *c, sim_scene *scene, cb_err *err) {
  if (c->from.areal_density) scene->material.areal_density_kg_per_m2 = c->facts.areal_density_kg_per_m2;
  if (c->from.thickness) scene->material.thickness_m = c->facts.thickness_m;
  CB_TRY(apply_stretch(c, scene, err));
  if (c->from.bending) apply_bending(c, scene);
  if (c->from.compression) apply_compression(c, scene);
  if (c->permeability.id > 0) scene->permeability_law = &c->permeability;
  if (c->self.id > 0) scene->self_law = &c->self;
  for (int b = 0; b < scene->n_bodies; b++) apply_pair(&c->pair[b], &scene->body[b].friction);
  for (int k = 0; k < scene->n_layers; k++) apply_layer(c, k, &scene->layer[k]);
  return CB_OK;
}

cb_status lab_scene_read(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err) {
  memset(c, 0, sizeof *c);
  if (scene->cloth[0]) CB_TRY(read_facts(s, scene, c, err));
  CB_TRY(read_stretch(s, scene, c, err));
  CB_TRY(read_bending(s, scene, c, err));
  CB_TRY(read_compression(s, scene, c, err));
  for (int b = 0; b < scene->n_bodies; b++)
    if (scene->body[b].material[0])
      CB_TRY(read_pair(s, scene->cloth, scene->body[b].material, &c->pair[b], err));
  CB_TRY(read_layers(s, scene, c, err));
  CB_TRY(read_self(s, scene, c, err));
  c->from = scene->wants;
  scene->wants = scene->must = (sim_scene_wants){false};
  return lab_scene_apply(c, scene, err);
}

void lab_scene_clear(lab_scene *c) {
  for (int b = 0; b < SIM_SCENE_BODIES; b++)
    for (int k = 0; k < 2; k++) lab_pooled_clear(&c->pair[b].pooled[k]);
  for (int b = 0; b < SIM_SCENE_LAYERS; b++)
    for (int k = 0; k < 2; k++) lab_pooled_clear(&c->layer[b].pooled[k]);
}
