/* Laws as texts, the plainest of every kind: what a database may hold. */
#ifndef STORELAWS_H
#define STORELAWS_H

#include "cb_material_law.h"
#include "cb_json.h"
#include "cb_store_count.h"
#include "cb_store_self_friction.h"
#include "cb_law_json.h"
#include "cbtest.h"

static inline char *store_law_document(json_t *law) {
  json_t *doc = json_pack("{s:o}", "law", law);
  char *text = cb_json_text(doc);
  json_decref(doc);
  assert_non_null(text);
  return text;
}

/* Darcy, 0.1 m/s at 100 Pa. Caller: free. */
static inline char *store_law_permeability(void) {
  const cb_permeability_law law = {.origin = CB_MEASURED,
                                   .reference_Pa = 100,
                                   .curve = {CB_PERMEABILITY_DARCY, 0.1, 0},
                                   .u_ln_level = 0.01,
                                   .dof_level = 5,
                                   .dof_shape = 5,
                                   .min_Pa = 50,
                                   .max_Pa = 200};
  return store_law_document(cb_permeability_json(&law));
}

/* The table of ARCSim: 20 N/m without strain dependence. */
static inline char *store_law_stretch(void) {
  cb_stretch_law law = {.cloth = "Twill", .origin = CB_MEASURED, .has_wang = true};
  json_t *doc;
  for (size_t i = 0; i < sizeof law.wang.c_N_per_m / sizeof(double); i++)
    ((double *)law.wang.c_N_per_m)[i] = 20;
  assert_ok(cb_stretch_law_check(&law, err));
  doc = cb_stretch_json(&law);
  char *text = cb_json_text(doc);
  json_decref(doc);
  assert_non_null(text);
  return text;
}

static inline char *store_law_bending(void) {
  cb_bending_law law = {.form = CB_BENDING_TABLE};
  for (size_t i = 0; i < sizeof law.wang.ke_Nm / sizeof(double); i++) ((double *)law.wang.ke_Nm)[i] = 1e-5;
  return store_law_document(cb_bending_json(&law));
}

static inline char *store_law_elasticity(void) {
  cb_elasticity_law law = cb_elasticity_law_unknown();
  law.value[CB_ELASTIC_YOUNG] = 55e3;
  return store_law_document(cb_elasticity_json(&law));
}

static inline char *store_law_compression(void) {
  const cb_compression_law law = {.n = 2,
                                  .knot = {{50, 5e-4, 0.01}, {5000, 4e-4, 0.01}},
                                  .dof = 4,
                                  .kes = {NAN, NAN, NAN, NAN, NAN, NAN}};
  return store_law_document(cb_compression_json(&law));
}

static inline char *store_law_text(cb_material_law_kind kind) {
  switch (kind) {
    case CB_LAW_PERMEABILITY: return store_law_permeability();
    case CB_LAW_STRETCH: return store_law_stretch();
    case CB_LAW_BENDING: return store_law_bending();
    case CB_LAW_COMPRESSION: return store_law_compression();
    default: return store_law_elasticity();
  }
}

/* Of a newest law: how many runs it is older than, which must be what is counted for all laws at once. */
static inline size_t store_law_stale(cb_store *s, const cb_friction_law *law) {
  cb_count *list;
  size_t n, newer;
  assert_ok(cb_store_law_stale(s, law, &newer, err));
  assert_ok(cb_store_counts(s, CB_COUNT_LAWS_STALE, 0, &list, &n, err));
  assert_int_equal(cb_count_find(list, n, law->id), newer);
  free(list);
  return newer;
}

/* Both surfaces alike in every direction: 0.4 N under 1 N. */
static inline char *store_law_self_friction(void) {
  const cb_self_friction_law law = {.origin = CB_MEASURED,
                                    .form = {CB_SELF_MEAN, {-0.916, 1, 0, 0, 0, 0}},
                                    .dof = 5,
                                    .exponent_from = CB_SELF_EXPONENT_ASSUMED,
                                    .reference_N = 1,
                                    .min_N = 0.5,
                                    .max_N = 2,
                                    .contact_area_m2 = 1,
                                    .speed_m_per_s = NAN};
  return store_law_document(cb_self_friction_json(&law));
}

#endif
