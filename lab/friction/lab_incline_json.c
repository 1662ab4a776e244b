/* The verdict on an incline as the document that is stored and printed, and back. */
#include <string.h>

#include "cb_json.h"
#include "lab_fields.h"
#include "lab_incline.h"
#include "lab_slide_parts.h"

const char *const lab_incline_quantity_names[] = {"release_angle", "acceleration", "distance_rms_difference",
                                                  NULL};
const char *const lab_incline_quantity_units[] = {"deg", "m/s2", "m"};
static const lab_slide_words words = {lab_incline_quantity_names, lab_incline_quantity_units,
                                      LAB_INCLINE_QUANTITIES, false};

#define V(kind, member, key) LAB_KEY(kind, lab_incline_verdict, member, key)
static const lab_field run_fields[] = {
    V(LAB_ID, run_id, "run_id"),
    LAB_KEY_TEXT(lab_incline_verdict, cloth, "cloth"),
    LAB_KEY_TEXT(lab_incline_verdict, body, "body"),
    V(LAB_REAL, angle_deg, "angle_deg"),
    V(LAB_REAL, incline_deg, "incline_deg"),
    LAB_KEY_SCALED(lab_incline_verdict, mass_kg, "mass_g", 1e3),
    V(LAB_REAL, normal_force_N, "normal_force_N"),
    LAB_KEY_SCALED(lab_incline_verdict, contact_area_m2, "contact_area_cm2", 1e4),
    LAB_KEY_CHOICE(lab_incline_verdict, origin_measured, "origin_measured", cb_origin_names, CB_SIMULATED),
    LAB_KEY_CHOICE(lab_incline_verdict, origin_law, "origin_law", cb_origin_names, CB_SIMULATED),
    V(LAB_TRUTH, inside_measured_range, "inside_measured_range"),
};
static const lab_field law_fields[] = {
    V(LAB_REAL, worst_en, "worst_E_n"),
    LAB_KEY_CHOICE(lab_incline_verdict, law_kind, "law_kind", cb_friction_kind_names, CB_FRICTION_KINETIC),
    V(LAB_ID, law_id, "law_id"),
};
static const lab_field draw_fields[] = {V(LAB_COUNT, draws, "draws"), V(LAB_COUNT, seed, "seed")};

static json_t *uncertainty_json(const lab_incline_verdict *v) {
  json_t *o = json_pack("{s:o}", "scatter", lab_slide_scatter_json(&v->scatter));
  (void)lab_fields_join(o, lab_fields_json(draw_fields, LAB_N(draw_fields), v));
  return o;
}

json_t *lab_incline_json(const lab_incline_verdict *v) {
  json_t *doc = json_pack("{s:s, s:s}", "experiment", "incline", "verdict", v->pass ? "pass" : "fail");
  bool whole = lab_fields_join(doc, lab_fields_json(run_fields, LAB_N(run_fields), v)) &&
               lab_fields_join(doc, lab_slide_quantities_json(v->q, words)) &&
               lab_fields_join(doc, lab_fields_json(law_fields, LAB_N(law_fields), v));
  whole = json_object_set_new(doc, "uncertainty", uncertainty_json(v)) == 0 && whole;
  if (whole) return doc;
  json_decref(doc);
  return NULL;
}

static cb_status read_verdict(const json_t *doc, lab_incline_verdict *v, cb_err *err) {
  const json_t *uncertainty;
  const char *verdict = json_string_value(json_object_get(doc, "verdict"));
  v->pass = verdict && strcmp(verdict, "pass") == 0;
  CB_TRY(lab_fields_read(run_fields, LAB_N(run_fields), doc, v, err));
  CB_TRY(lab_slide_quantities_read(doc, words, v->q, err));
  CB_TRY(lab_fields_read(law_fields, LAB_N(law_fields), doc, v, err));
  CB_TRY(lab_fields_object(doc, "uncertainty", &uncertainty, err));
  CB_TRY(lab_slide_scatter_read(uncertainty, "scatter", &v->scatter, err));
  return lab_fields_read(draw_fields, LAB_N(draw_fields), uncertainty, v, err);
}

cb_status lab_incline_read(const char *text, lab_incline_verdict *out, cb_err *err) {
  json_t *doc;
  *out = (lab_incline_verdict){.law_id = 0};
  CB_TRY(lab_fields_document(text, &doc, err));
  cb_status st = read_verdict(doc, out, err);
  json_decref(doc);
  return st;
}
