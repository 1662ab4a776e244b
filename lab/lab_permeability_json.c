/* The document of a fit of permeability: docs/json.md, "fit permeability". */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab_law.h"
#include "lab_permeability.h"

#define AT(member) offsetof(lab_kappa, member)
static const cb_json_field kappa_fields[] = {
    {"pressure_Pa", CB_JSON_REAL, AT(pressure_Pa), NULL, 0},
    {"kappa_m_per_s", CB_JSON_REAL, AT(kappa_m_per_s), NULL, 0},
    {"u_m_per_s", CB_JSON_REAL, AT(u_m_per_s), NULL, 0},
    {"low_m_per_s", CB_JSON_NAN, AT(low_m_per_s), NULL, 0},
    {"high_m_per_s", CB_JSON_NAN, AT(high_m_per_s), NULL, 0},
    {"inside_measured_range", CB_JSON_BOOL, AT(inside_measured_range), NULL, 0},
};
#undef AT
#define AT(member) offsetof(lab_permeability_specimen, member)
static const cb_json_field specimen_fields[] = {
    {"points", CB_JSON_COUNT, AT(points), NULL, 0},
    {"pressure_Pa", CB_JSON_REAL, AT(pressure_Pa), NULL, 0},
};
#undef AT
#define AT(member) offsetof(fit_permeability_form, member)
static const cb_json_field form_fields[] = {
    {"shape", CB_JSON_REAL, AT(shape), NULL, 0},
    {"u_shape", CB_JSON_REAL, AT(u_shape), NULL, 0},
    {"rms_ln", CB_JSON_REAL, AT(rms), NULL, 0},
    {"aicc", CB_JSON_NAN, AT(aicc), NULL, 0},
};
#undef AT
#define AT(member) offsetof(lab_permeability_terms, member)
static const cb_json_field term_fields[] = {
    {"R_Pa_s_per_m", CB_JSON_NAN, AT(R_Pa_s_per_m), NULL, 0},
    {"S_Pa_s2_per_m2", CB_JSON_NAN, AT(S_Pa_s2_per_m2), NULL, 0},
    {"c_m_per_s", CB_JSON_NAN, AT(c_m_per_s), NULL, 0},
    {"n", CB_JSON_NAN, AT(n), NULL, 0},
};
#undef AT
#define AT(member) offsetof(lab_permeability, member)
static const cb_json_field figure_fields[] = {
    {"assumed_form", CB_JSON_BOOL, AT(fit.law.one_pressure), NULL, 0},
    {"darcy_p", CB_JSON_NAN, AT(fit.darcy_p), NULL, 0},
    {"tests", CB_JSON_COUNT, AT(n_tests), NULL, 0},
    {"points", CB_JSON_COUNT, AT(fit.n_points), NULL, 0},
    {"points_without_flow", CB_JSON_COUNT, AT(fit.n_zero), NULL, 0},
    {"specimens_n", CB_JSON_COUNT, AT(fit.n_specimens), NULL, 0},
    {"specimen_sd_rel", CB_JSON_REAL, AT(fit.law.specimen_sd), NULL, 0},
    {"specimen_sd_assumed", CB_JSON_BOOL, AT(fit.specimen_sd_assumed), NULL, 0},
    {"scatter_sd_rel", CB_JSON_REAL, AT(fit.scatter_sd), NULL, 0},
    {"scatter_assumed", CB_JSON_BOOL, AT(fit.scatter_assumed), NULL, 0},
};
#undef AT
#define ROWS(fields) fields, CB_JSON_COUNT_OF(fields)

/* ---- to JSON ---- */

static json_t *specimens_json(const lab_permeability *r) {
  json_t *list = json_array();
  int failed = list == NULL;
  for (size_t i = 0; i < r->fit.n_specimens; i++) {
    const lab_permeability_specimen *p = &r->specimens[i];
    json_t *one = cb_json_object(ROWS(specimen_fields), p);
    failed |= LAB_SET(one, "at_100_Pa", cb_json_object(ROWS(kappa_fields), &p->at_100_Pa));
    failed |= json_array_append_new(list, one) != 0;
  }
  return lab_whole(list, failed);
}

static json_t *forms_json(const fit_permeability_result *r) {
  json_t *list = json_array();
  int failed = list == NULL;
  for (int i = 0; i < 3; i++) {
    if (!r->forms[i].fitted) continue;
    json_t *one = json_pack("{s:s}", "form", cb_permeability_form_names[i]);
    failed |= cb_json_put(one, ROWS(form_fields), &r->forms[i]) != 0;
    failed |= json_array_append_new(list, one) != 0;
  }
  return lab_whole(list, failed);
}

json_t *lab_permeability_json(const lab_permeability *r) {
  const cb_permeability_law *law = &r->fit.law;
  const char *outcome = fit_permeability_outcome_text[r->fit.outcome];
  if (r->fit.outcome != FIT_PERMEABILITY_OK)
    return json_pack("{s:s, s:s}", "material", r->material, "outcome", outcome);
  const lab_permeability_terms terms = lab_permeability_terms_of(law);
  json_t *o = json_pack(
      "{s:s, s:s, s:s, s:s, s:o}", "material", r->material, "origin", cb_origin_names[law->origin], "outcome",
      outcome, "form", cb_permeability_form_names[law->curve.form], "runner_up",
      law->other_weight > 0 ? json_string(cb_permeability_form_names[law->other.form]) : json_null());
  int failed = cb_json_put(o, ROWS(term_fields), &terms) != 0 || cb_json_put(o, ROWS(figure_fields), r) != 0;
  failed |= LAB_SET(o, "forms", forms_json(&r->fit));
  failed |= LAB_SET(o, "kappa", cb_json_rows(ROWS(kappa_fields), r->kappa, r->n_kappa, sizeof r->kappa[0]));
  failed |= LAB_SET(o, "specimens", specimens_json(r));
  failed |= LAB_SET(o, "law", cb_permeability_json(law));
  return lab_whole(o, failed);
}

/* ---- and back ---- */

static cb_status parse_forms(const json_t *list, fit_permeability_result *r, cb_err *err) {
  size_t i;
  const json_t *one;
  if (!json_is_array(list)) return cb_fail(err, CB_E_PARSE, "permeability fit: forms: a list was wanted");
  json_array_foreach(list, i, one) {
    cb_permeability_form form;
    const cb_json_field name = {"form", CB_JSON_NAME, 0, cb_permeability_form_names, 0};
    CB_TRY(cb_json_get(one, "permeability fit: forms[].", &name, 1, &form, err));
    CB_TRY(cb_json_get(one, "permeability fit: forms[].", ROWS(form_fields), &r->forms[form], err));
    r->forms[form].fitted = true;
  }
  return CB_OK;
}

static cb_status parse_specimens(const json_t *list, lab_permeability *r, cb_err *err) {
  if (json_array_size(list) != r->fit.n_specimens)
    return cb_fail(err, CB_E_PARSE, "permeability fit: specimens: a list of %zu was wanted",
                   r->fit.n_specimens);
  r->specimens = calloc(r->fit.n_specimens + 1, sizeof *r->specimens);
  if (!r->specimens) return cb_fail(err, CB_E_NOMEM, "no memory for %zu specimens", r->fit.n_specimens);
  for (size_t i = 0; i < r->fit.n_specimens; i++) {
    const json_t *one = json_array_get(list, i);
    CB_TRY(cb_json_get(one, "permeability fit: specimens[].", ROWS(specimen_fields), &r->specimens[i], err));
    CB_TRY(cb_json_get(json_object_get(one, "at_100_Pa"), "permeability fit: specimens[].at_100_Pa.",
                       ROWS(kappa_fields), &r->specimens[i].at_100_Pa, err));
  }
  return CB_OK;
}

static cb_status parse_fit(const json_t *o, lab_permeability *r, cb_err *err) {
  const cb_json_field names[] = {
      {"material", CB_JSON_TEXT, offsetof(lab_permeability, material), NULL, sizeof r->material},
      {"origin", CB_JSON_NAME, offsetof(lab_permeability, fit.law.origin), cb_origin_names, 0},
  };
  CB_TRY(cb_json_get(o, "permeability fit: ", ROWS(names), r, err));
  CB_TRY(cb_json_get(o, "permeability fit: ", ROWS(figure_fields), r, err));
  (void)snprintf(r->fit.law.material, sizeof r->fit.law.material, "%s", r->material);
  CB_TRY(parse_forms(json_object_get(o, "forms"), &r->fit, err));
  CB_TRY(cb_json_get_rows(json_object_get(o, "kappa"), "permeability fit: kappa[].", ROWS(kappa_fields),
                          r->kappa, sizeof r->kappa[0], LAB_KAPPAS_MAX, &r->n_kappa, err));
  return parse_specimens(json_object_get(o, "specimens"), r, err);
}

cb_status lab_permeability_parse(const char *text, lab_permeability *out, cb_err *err) {
  json_t *doc;
  *out = (lab_permeability){.n_tests = 0};
  CB_TRY(cb_permeability_parse(text, &out->fit.law, err));
  CB_TRY(lab_document(text, "permeability fit", &doc, err));
  cb_status st = parse_fit(doc, out, err);
  json_decref(doc);
  return st;
}
