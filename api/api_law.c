#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "api_impl.h"
#include "cb_law_json.h"
#include "cb_num.h"
#include "cb_store_material_test.h"
#include "cb_store_self_friction.h"
#include "exch_material.h"
#include "lab_friction.h"
#include "lab_law_draw.h"
#include "lab_predict.h"

static bool is_friction(clothbench_kind kind) { return kind <= CLOTHBENCH_STATIC; }
static bool is_of_pair(clothbench_kind kind) { return kind <= CLOTHBENCH_SELF_FRICTION; }

/* ---- find ---- */

static cb_status find_friction(cb_store *s, const char *cloth, const char *body, clothbench_law *law,
                               cb_err *err) {
  lab_pooled pooled;
  const cb_friction_kind kind = law->kind == CLOTHBENCH_STATIC ? CB_FRICTION_STATIC : CB_FRICTION_KINETIC;
  const cb_status st = lab_friction_law_find(s, cloth, body, kind, &law->of.friction, &pooled, err);
  lab_pooled_clear(&pooled);
  law->origin = law->of.friction.origin;
  return st;
}

static cb_status find_self(cb_store *s, const char *cloth, const char *body, clothbench_law *law,
                           cb_err *err) {
  lab_self_answer a;
  const lab_self_question q = {.cloth = cloth, .body = body, .normal_force_N = 1};
  const cb_status st = lab_self_friction_predict(s, &q, &a, err);
  law->of.self = a.law;
  law->origin = a.law.origin;
  return st;
}

/* The weight decides the friction of yarns that was not measured, and the onset: without it a law of slopes
 * tells no moment. */
static void set_loading(clothbench_law *law) {
  const cb_bending_law *l = &law->of.bending.law;
  if (l->form == CB_BENDING_TABLE || l->B_is != CB_BENDING_SLOPE) return;
  if (law->of.bending.weight_N_per_m2 > 0)
    cb_bending_loading_of(l, law->of.bending.weight_N_per_m2, NULL, &law->of.bending.loading);
  else
    law->of.bending.loading = (cb_bending_loading){.friction_N = {NAN, NAN}, .onset_per_m = NAN};
}

static cb_status find_loading(cb_store *s, const char *cloth, clothbench_law *law, cb_err *err) {
  cb_material m;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  law->of.bending.weight_N_per_m2 = m.areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2;
  set_loading(law);
  return CB_OK;
}

static cb_status find_of_material(cb_store *s, const char *cloth, clothbench_law *law, cb_err *err) {
  static const cb_material_law_kind kinds[] = {[CLOTHBENCH_STRETCH] = CB_LAW_STRETCH,
                                               [CLOTHBENCH_BENDING] = CB_LAW_BENDING,
                                               [CLOTHBENCH_PERMEABILITY] = CB_LAW_PERMEABILITY,
                                               [CLOTHBENCH_COMPRESSION] = CB_LAW_COMPRESSION};
  cb_material_law row;
  CB_TRY(cb_store_law_of(s, kinds[law->kind], cloth, &law->of, &row, err));
  free(row.result_json);
  law->origin = row.origin;
  return law->kind == CLOTHBENCH_BENDING ? find_loading(s, cloth, law, err) : CB_OK;
}

static cb_status find(cb_store *s, const char *cloth, const char *body, clothbench_law *law, cb_err *err) {
  if ((unsigned)law->kind > CLOTHBENCH_COMPRESSION)
    return cb_fail(err, CB_E_ARG, "kind %d: a clothbench_kind was wanted", (int)law->kind);
  if (!cloth || is_of_pair(law->kind) != (body != NULL))
    return cb_fail(err, CB_E_ARG, "a cloth, and a body for friction alone, were wanted");
  (void)snprintf(law->cloth, sizeof law->cloth, "%s", cloth);
  (void)snprintf(law->body, sizeof law->body, "%s", body ? body : "");
  if (is_friction(law->kind)) return find_friction(s, cloth, body, law, err);
  return law->kind == CLOTHBENCH_SELF_FRICTION ? find_self(s, cloth, body, law, err)
                                               : find_of_material(s, cloth, law, err);
}

clothbench_status clothbench_law_find(clothbench_database *database, clothbench_kind kind, const char *cloth,
                                      const char *body, clothbench_law **out, clothbench_error *error) {
  clothbench_law *law = calloc(1, sizeof *law);
  *out = NULL;
  if (!law) return api_status(cb_no_memory(api_err(error), "a law"));
  law->kind = kind;
  const cb_status st = find(database->store, cloth, body, law, api_err(error));
  if (st == CB_OK)
    *out = law;
  else
    free(law);
  return api_status(st);
}

void clothbench_law_free(clothbench_law *law) { free(law); }

/* ---- laws from laws ---- */

static clothbench_status copy_law(const clothbench_law *law, clothbench_law **out, clothbench_error *error) {
  *out = malloc(sizeof **out);
  if (!*out) return api_status(cb_no_memory(api_err(error), "a law"));
  **out = *law;
  return CLOTHBENCH_OK;
}

/* What the law does not draw of the yarns' friction: where it was not measured, and its onset. */
static bool draw_bending(clothbench_law *law, cb_rng *rng) {
  cb_bending_loading *l = &law->of.bending.loading;
  if (!lab_draw_bending(rng, &law->of.bending.law)) return false;
  set_loading(law);
  const double friction = exp((l->measured ? 0 : l->u_ln_friction) * cb_rng_normal(rng));
  for (int k = 0; k < 2; k++) l->friction_N[k] *= friction;
  l->onset_per_m *= exp(l->u_ln_onset * cb_rng_normal(rng));
  return true;
}

static bool draw(clothbench_law *law, cb_rng *rng) {
  switch (law->kind) {
    case CLOTHBENCH_KINETIC:
    case CLOTHBENCH_STATIC: return lab_draw_friction(rng, &law->of.friction);
    case CLOTHBENCH_SELF_FRICTION: return lab_draw_self_friction(rng, &law->of.self);
    case CLOTHBENCH_STRETCH: return lab_draw_stretch(rng, &law->of.stretch);
    case CLOTHBENCH_BENDING: return draw_bending(law, rng);
    case CLOTHBENCH_PERMEABILITY: return lab_draw_permeability(rng, &law->of.air);
    case CLOTHBENCH_COMPRESSION: return lab_draw_compression(rng, &law->of.compression);
  }
  return false;
}

clothbench_status clothbench_law_draw(const clothbench_law *law, uint64_t seed, uint64_t number,
                                      clothbench_law **out, clothbench_error *error) {
  cb_rng rng;
  const clothbench_status st = copy_law(law, out, error);
  if (st != CLOTHBENCH_OK) return st;
  cb_rng_init(&rng, seed, number);
  (*out)->drawn = !law->drawn && draw(*out, &rng);
  if ((*out)->drawn) return CLOTHBENCH_OK;
  clothbench_law_free(*out);
  *out = NULL;
  return api_status(
      cb_fail(api_err(error), CB_E_NOTFOUND, "%s: the law does not know its uncertainty", law->cloth));
}

clothbench_status clothbench_law_on_area(const clothbench_law *law, double area_m2, clothbench_law **out,
                                         clothbench_error *error) {
  *out = NULL;
  if (!is_of_pair(law->kind))
    return api_status(cb_fail(api_err(error), CB_E_ARG, "%s: a law of friction was wanted", law->cloth));
  if (!(area_m2 > 0 && area_m2 < INFINITY))
    return api_status(cb_fail(api_err(error), CB_E_RANGE, "area_m2 = %g: an area > 0 was wanted", area_m2));
  const clothbench_status st = copy_law(law, out, error);
  if (st != CLOTHBENCH_OK) return st;
  if (is_friction(law->kind))
    (*out)->of.friction = cb_friction_law_on_area(&law->of.friction, area_m2);
  else
    (*out)->of.self = cb_self_friction_law_on_area(&law->of.self, area_m2);
  return CLOTHBENCH_OK;
}

/* ---- what it says of itself ---- */

clothbench_status clothbench_law_json(const clothbench_law *law, char **json, clothbench_error *error) {
  json_t *doc = NULL;
  switch (law->kind) {
    case CLOTHBENCH_KINETIC:
    case CLOTHBENCH_STATIC: doc = exch_friction_law_json(&law->of.friction); break;
    case CLOTHBENCH_SELF_FRICTION: doc = cb_self_friction_json(&law->of.self); break;
    case CLOTHBENCH_STRETCH: doc = cb_stretch_json(&law->of.stretch); break;
    case CLOTHBENCH_BENDING: doc = cb_bending_json(&law->of.bending.law); break;
    case CLOTHBENCH_PERMEABILITY: doc = cb_permeability_json(&law->of.air); break;
    case CLOTHBENCH_COMPRESSION: doc = cb_compression_json(&law->of.compression); break;
  }
  return api_json(doc, json, error);
}

clothbench_kind clothbench_law_kind(const clothbench_law *law) { return law->kind; }
const char *clothbench_law_cloth(const clothbench_law *law) { return law->cloth; }
const char *clothbench_law_body(const clothbench_law *law) { return law->body; }
const char *clothbench_law_origin(const clothbench_law *law) { return cb_origin_names[law->origin]; }

/* Strains start at 0, and reach as far as the longest curve. */
static double most_strain(const cb_stretch_law *law) {
  double most = law->n > 0 ? 0 : NAN;
  for (size_t i = 0; i < law->n; i++) most = fmax(most, cb_stretch_strain_max(&law->directions[i]));
  return most;
}

static void set_range(double range[2], double low, double high) {
  range[0] = low;
  range[1] = high;
}

void clothbench_law_range(const clothbench_law *law, double range[2]) {
  const cb_friction_law *f = &law->of.friction;
  const cb_bending_law *b = &law->of.bending.law;
  const cb_compression_law *c = &law->of.compression;
  switch (law->kind) {
    case CLOTHBENCH_KINETIC:
    case CLOTHBENCH_STATIC:
      set_range(range, f->knots[0].normal_force_N, f->knots[f->n_knots - 1].normal_force_N);
      break;
    case CLOTHBENCH_SELF_FRICTION: set_range(range, law->of.self.min_N, law->of.self.max_N); break;
    case CLOTHBENCH_STRETCH: set_range(range, 0, most_strain(&law->of.stretch)); break;
    case CLOTHBENCH_BENDING: set_range(range, b->curvature_min_per_m, b->curvature_max_per_m); break;
    case CLOTHBENCH_PERMEABILITY: set_range(range, law->of.air.min_Pa, law->of.air.max_Pa); break;
    case CLOTHBENCH_COMPRESSION:
      set_range(range, c->knot[0].pressure_Pa, c->knot[c->n - 1].pressure_Pa);
      break;
  }
}

double clothbench_law_area_m2(const clothbench_law *law) {
  if (is_friction(law->kind)) return law->of.friction.contact_area_m2;
  return law->kind == CLOTHBENCH_SELF_FRICTION ? law->of.self.contact_area_m2 : NAN;
}

double clothbench_law_speed_m_per_s(const clothbench_law *law) {
  if (is_friction(law->kind)) return law->of.friction.speed_m_per_s;
  return law->kind == CLOTHBENCH_SELF_FRICTION ? law->of.self.speed_m_per_s : NAN;
}
