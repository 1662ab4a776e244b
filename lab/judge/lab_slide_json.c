/* The verdict as the document that is stored and printed, and back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_plural.h"
#include "lab_fields.h"
#include "lab_seal_impl.h"
#include "lab_slide_parts.h"

const char *const lab_slide_model_names[] = {"sled", "prescribed", "elastic", NULL};
const char *const lab_slide_quantity_names[] = {"static_peak", "kinetic_plateau", "breakaway_displacement",
                                                "plateau_rms_difference", NULL};
const char *const lab_slide_quantity_units[] = {"N", "N", "m", "N"};
const char *const lab_slide_grip_names[] = {"area", "edge", NULL};
const lab_slide_quantity lab_slide_not_compared = {false, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static const lab_slide_words slide_words = {lab_slide_quantity_names, lab_slide_quantity_units,
                                            LAB_SLIDE_QUANTITIES, true};

/* ---- the keys ---- */

#define V(kind, member, key) LAB_KEY(kind, lab_slide_verdict, member, key)
static const lab_field run_fields[] = {
    V(LAB_ID, run_id, "run_id"),
    LAB_KEY_TEXT(lab_slide_verdict, cloth, "cloth"),
    LAB_KEY_TEXT(lab_slide_verdict, body, "body"),
    V(LAB_REAL, angle_deg, "angle_deg"),
    V(LAB_SIGN, direction, "direction"),
    V(LAB_REAL, normal_force_N, "normal_force_N"),
    V(LAB_REAL, speed_m_per_s, "speed_m_per_s"),
    LAB_KEY_CHOICE(lab_slide_verdict, origin_measured, "origin_measured", cb_origin_names, CB_SIMULATED),
    LAB_KEY_CHOICE(lab_slide_verdict, origin_law, "origin_law", cb_origin_names, CB_SIMULATED),
    V(LAB_TRUTH, inside_measured_range, "inside_measured_range"),
};
static const lab_field worst_fields[] = {V(LAB_REAL, worst_en, "worst_E_n")};
static const lab_field law_fields[] = {
    V(LAB_ID, law_kinetic_id, "law_kinetic_id"),
    V(LAB_ID, law_static_id, "law_static_id"),
    LAB_KEY_CHOICE(lab_slide_verdict, model, "model", lab_slide_model_names, LAB_SLIDE_ELASTIC),
};
static const lab_field elastic_fields[] = {
    LAB_KEY_SCALED(lab_slide_verdict, young_Pa, "young_kPa", 1e-3),
    V(LAB_REAL, poisson, "poisson"),
    V(LAB_ID, elasticity_law_id, "law_id"),
};
#define T(kind, member, key) LAB_KEY(kind, lab_slide_sheet, member, key)
static const lab_field sheet_fields[] = {
    LAB_KEY_CHOICE(lab_slide_sheet, grip, "held", lab_slide_grip_names, LAB_SLIDE_EDGE),
    LAB_KEY_SCALED(lab_slide_sheet, areal_density_kg_per_m2, "areal_mass_g_per_m2", 1e3),
    T(LAB_TRUTH, mass_assumed, "mass_assumed"),
    T(LAB_ID, stretch_law_id, "stretch_law_id"),
    T(LAB_ID, bending_law_id, "bending_law_id"),
    T(LAB_ID, permeability_law_id, "permeability_law_id"),
};
static const lab_field uncertainty_fields[] = {
    V(LAB_TRUTH, calibration_shared, "calibration_shared_cancels"),
    V(LAB_COUNT, draws, "draws"),
    V(LAB_COUNT, seed, "seed"),
};
#define S(member, key) LAB_KEY(LAB_REAL, lab_slide_scatter, member, key)
static const lab_field scatter_fields[] = {S(repeat_rel, "repeat_rel"), S(placement_rel, "placement_rel"),
                                           S(dof, "dof")};
#define Q(member, key) LAB_KEY(LAB_REAL, lab_slide_quantity, member, key)
static const lab_field quantity_fields[] = {
    Q(predicted, "predicted"),
    Q(u_predicted, "u_predicted"),
    Q(U_predicted, "U95_predicted"),
    Q(measured, "measured"),
    Q(u_measured, "u_measured"),
    Q(U_measured, "U95_measured"),
    Q(en, "E_n"),
};
/* Null of a sled. */
static const lab_field sled_fields[] = {Q(sled, "predicted_by_sled")};

/* ---- struct -> document ---- */

static json_t *quantity_json(const lab_slide_quantity *q, lab_slide_words words, size_t i) {
  json_t *o = json_pack("{s:s, s:s}", "name", words.names[i], "unit", words.units[i]);
  (void)lab_fields_join(o, lab_fields_json(quantity_fields, LAB_N(quantity_fields), q));
  (void)json_object_set_new(o, "pass", json_boolean(fabs(q->en) <= 1));
  if (!words.sled) return o;
  (void)json_object_set_new(o, "predicted_by_sled", cb_json_real(q->sled));
  (void)json_object_set_new(o, "from_sled_over_u", cb_json_real(lab_slide_from_sled(q)));
  return o;
}

json_t *lab_slide_quantities_json(const lab_slide_quantity *q, lab_slide_words words) {
  json_t *quantities = json_array(), *missing = json_array();
  for (size_t i = 0; i < words.n; i++) {
    if (q[i].compared)
      (void)json_array_append_new(quantities, quantity_json(&q[i], words, i));
    else
      (void)json_array_append_new(missing, json_string(words.names[i]));
  }
  return json_pack("{s:o, s:o}", "quantities", quantities, "not_compared", missing);
}

json_t *lab_slide_scatter_json(const lab_slide_scatter *s) {
  return lab_fields_json(scatter_fields, LAB_N(scatter_fields), s);
}

static json_t *uncertainty_json(const lab_slide_verdict *v) {
  json_t *o = json_pack("{s:o, s:o}", "scatter_kinetic", lab_slide_scatter_json(&v->kinetic_scatter),
                        "scatter_static", lab_slide_scatter_json(&v->static_scatter));
  (void)lab_fields_join(o, lab_fields_json(uncertainty_fields, LAB_N(uncertainty_fields), v));
  return o;
}

static json_t *numbers_json(const double *x, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) (void)json_array_append_new(list, cb_json_real(x[i]));
  return list;
}

json_t *lab_slide_json(const lab_slide_verdict *v) {
  json_t *doc = json_pack("{s:s, s:s}", "experiment", "slide", "verdict", v->pass ? "pass" : "fail");
  bool whole = lab_fields_join(doc, lab_fields_json(run_fields, LAB_N(run_fields), v)) &&
               lab_fields_join(doc, lab_slide_quantities_json(v->q, slide_words)) &&
               lab_fields_join(doc, lab_fields_json(worst_fields, LAB_N(worst_fields), v)) &&
               lab_fields_join(doc, lab_fields_json(law_fields, LAB_N(law_fields), v));
  json_t *elastic =
      v->model == LAB_SLIDE_ELASTIC ? lab_fields_json(elastic_fields, LAB_N(elastic_fields), v) : json_null();
  json_t *sheet = v->model == LAB_SLIDE_SLED ? json_null()
                                             : lab_fields_json(sheet_fields, LAB_N(sheet_fields), &v->sheet);
  json_t *curve = json_pack("{s:o, s:o}", "stage_displacement_m", numbers_json(v->curve_x_m, v->n_curve),
                            "predicted_force_N", numbers_json(v->curve_N, v->n_curve));
  whole = json_object_set_new(doc, "sheet", sheet) == 0 && whole;
  whole = json_object_set_new(doc, "elastic", elastic) == 0 && whole;
  whole = json_object_set_new(doc, "uncertainty", uncertainty_json(v)) == 0 && whole;
  whole = json_object_set_new(doc, "curve", curve) == 0 && whole;
  whole = json_object_set_new(doc, "sealed", v->seal ? lab_seal_json(v->seal) : json_null()) == 0 && whole;
  if (whole) return doc;
  json_decref(doc);
  return NULL;
}

/* ---- document -> struct ---- */

static cb_status read_quantity(const json_t *o, lab_slide_words words, lab_slide_quantity *q, cb_err *err) {
  const char *name = json_string_value(json_object_get(o, "name"));
  for (size_t i = 0; name && i < words.n; i++) {
    if (strcmp(name, words.names[i]) != 0) continue;
    q[i].compared = true;
    CB_TRY(lab_fields_read(sled_fields, LAB_N(sled_fields), o, &q[i], err));
    return lab_fields_read(quantity_fields, LAB_N(quantity_fields), o, &q[i], err);
  }
  return cb_fail(err, CB_E_DB, "quantities: '%.40s' is none that is compared", name ? name : "");
}

cb_status lab_slide_quantities_read(const json_t *doc, lab_slide_words words, lab_slide_quantity *q,
                                    cb_err *err) {
  const json_t *list, *o;
  size_t i;
  for (i = 0; i < words.n; i++) q[i] = lab_slide_not_compared;
  CB_TRY(lab_fields_list(doc, "quantities", words.n, &list, err));
  json_array_foreach(list, i, o) CB_TRY(read_quantity(o, words, q, err));
  return CB_OK;
}

cb_status lab_slide_scatter_read(const json_t *uncertainty, const char *key, lab_slide_scatter *out,
                                 cb_err *err) {
  const json_t *o;
  CB_TRY(lab_fields_object(uncertainty, key, &o, err));
  return lab_fields_read(scatter_fields, LAB_N(scatter_fields), o, out, err);
}

static cb_status read_uncertainty(const json_t *doc, lab_slide_verdict *v, cb_err *err) {
  const json_t *o, *elastic;
  CB_TRY(lab_fields_object(doc, "uncertainty", &o, err));
  CB_TRY(lab_slide_scatter_read(o, "scatter_kinetic", &v->kinetic_scatter, err));
  CB_TRY(lab_slide_scatter_read(o, "scatter_static", &v->static_scatter, err));
  CB_TRY(lab_fields_read(uncertainty_fields, LAB_N(uncertainty_fields), o, v, err));
  CB_TRY(lab_fields_object(doc, "elastic", &elastic, err));
  return lab_fields_read(elastic_fields, LAB_N(elastic_fields), elastic, v, err);
}

static cb_status read_numbers(const json_t *curve, const char *key, double *out, size_t *n, cb_err *err) {
  const json_t *list, *x;
  size_t i;
  CB_TRY(lab_fields_list(curve, key, LAB_SLIDE_CURVE_POINTS, &list, err));
  json_array_foreach(list, i, x) {
    if (!json_is_number(x) && !json_is_null(x)) return cb_fail(err, CB_E_DB, "%s: numbers were wanted", key);
    out[i] = json_is_number(x) ? json_number_value(x) : NAN;
  }
  *n = json_array_size(list);
  return CB_OK;
}

static cb_status read_curve(const json_t *doc, lab_slide_verdict *v, cb_err *err) {
  const json_t *curve;
  size_t n;
  CB_TRY(lab_fields_object(doc, "curve", &curve, err));
  CB_TRY(read_numbers(curve, "stage_displacement_m", v->curve_x_m, &v->n_curve, err));
  CB_TRY(read_numbers(curve, "predicted_force_N", v->curve_N, &n, err));
  return n == v->n_curve
             ? CB_OK
             : cb_fail(err, CB_E_DB, "curve: %zu force%s of %zu displacement%s: as many were wanted", n,
                       CB_S(n), v->n_curve, CB_S(v->n_curve));
}

static cb_status read_sheet(const json_t *doc, lab_slide_verdict *v, cb_err *err) {
  const json_t *o;
  CB_TRY(lab_fields_object(doc, "sheet", &o, err));
  return lab_fields_read(sheet_fields, LAB_N(sheet_fields), o, &v->sheet, err);
}

static cb_status read_verdict(const json_t *doc, lab_slide_verdict *v, cb_err *err) {
  const char *verdict = json_string_value(json_object_get(doc, "verdict"));
  v->pass = verdict && strcmp(verdict, "pass") == 0;
  CB_TRY(lab_fields_read(run_fields, LAB_N(run_fields), doc, v, err));
  CB_TRY(lab_slide_quantities_read(doc, slide_words, v->q, err));
  CB_TRY(lab_fields_read(worst_fields, LAB_N(worst_fields), doc, v, err));
  CB_TRY(lab_fields_read(law_fields, LAB_N(law_fields), doc, v, err));
  CB_TRY(read_sheet(doc, v, err));
  CB_TRY(read_uncertainty(doc, v, err));
  return read_curve(doc, v, err);
}

/* Documents of programs before November 2026 say "told" for prescribed and "held" for elastic. */
static void rename_model(json_t *doc) {
  json_t *model = json_object_get(doc, "model");
  const char *word = json_string_value(model);
  if (word && strcmp(word, "told") == 0)
    (void)json_string_set(model, lab_slide_model_names[LAB_SLIDE_PRESCRIBED]);
  if (word && strcmp(word, "held") == 0)
    (void)json_string_set(model, lab_slide_model_names[LAB_SLIDE_ELASTIC]);
}

cb_status lab_slide_read(const char *text, lab_slide_verdict *out, cb_err *err) {
  json_t *doc;
  *out = (lab_slide_verdict){.n_curve = 0};
  CB_TRY(lab_fields_document(text, &doc, err));
  rename_model(doc);
  cb_status st = read_verdict(doc, out, err);
  json_decref(doc);
  return st;
}

/* ---- struct -> row ---- */

cb_status lab_slide_store(cb_store *s, const lab_slide_verdict *v, cb_err *err) {
  cb_validation row = {.run_id = v->run_id,
                       .law_static_id = v->law_static_id,
                       .law_kinetic_id = v->law_kinetic_id,
                       .pass = v->pass,
                       .worst_en = v->worst_en};
  (void)snprintf(row.experiment, sizeof row.experiment, "%s",
                 v->model == LAB_SLIDE_SLED ? "slide" : "cloth slide");
  json_t *doc = lab_slide_json(v);
  row.result_json = cb_json_text(doc);
  json_decref(doc);
  if (!row.result_json) return cb_no_memory(err, "the result of run %lld", (long long)v->run_id);
  cb_status st = cb_store_validation_put(s, &row, err);
  free(row.result_json);
  return st;
}
