/* The document of a fit of permeability: docs/reference/json, "fit permeability". */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab_law.h"
#include "lab_permeability.h"

static const lab_field kappa_fields[] = {
    LAB_KEY(LAB_REAL, lab_kappa, pressure_Pa, "pressure_Pa"),
    LAB_KEY(LAB_REAL, lab_kappa, kappa_m_per_s, "kappa_m_per_s"),
    LAB_KEY(LAB_REAL, lab_kappa, u_m_per_s, "u_m_per_s"),
    LAB_KEY(LAB_REAL, lab_kappa, low_m_per_s, "low_m_per_s"),
    LAB_KEY(LAB_REAL, lab_kappa, high_m_per_s, "high_m_per_s"),
    LAB_KEY(LAB_TRUTH, lab_kappa, inside_measured_range, "inside_measured_range"),
};
static const lab_field specimen_fields[] = {
    LAB_KEY(LAB_COUNT, lab_permeability_specimen, points, "points"),
    LAB_KEY(LAB_REAL, lab_permeability_specimen, pressure_Pa, "pressure_Pa"),
};
static const lab_field form_fields[] = {
    LAB_KEY(LAB_REAL, fit_permeability_form, shape, "shape"),
    LAB_KEY(LAB_REAL, fit_permeability_form, u_shape, "u_shape"),
    LAB_KEY(LAB_REAL, fit_permeability_form, rms, "rms_ln"),
    LAB_KEY(LAB_REAL, fit_permeability_form, aicc, "aicc"),
};
static const lab_field term_fields[] = {
    LAB_KEY(LAB_REAL, lab_permeability_terms, R_Pa_s_per_m, "R_Pa_s_per_m"),
    LAB_KEY(LAB_REAL, lab_permeability_terms, S_Pa_s2_per_m2, "S_Pa_s2_per_m2"),
    LAB_KEY(LAB_REAL, lab_permeability_terms, c_m_per_s, "c_m_per_s"),
    LAB_KEY(LAB_REAL, lab_permeability_terms, n, "n"),
};
static const lab_field figure_fields[] = {
    LAB_KEY(LAB_TRUTH, lab_permeability, fit.law.one_pressure, "assumed_form"),
    LAB_KEY(LAB_REAL, lab_permeability, fit.darcy_p, "darcy_p"),
    LAB_KEY(LAB_COUNT, lab_permeability, n_tests, "tests"),
    LAB_KEY(LAB_COUNT, lab_permeability, fit.n_points, "points"),
    LAB_KEY(LAB_COUNT, lab_permeability, fit.n_zero, "points_without_flow"),
    LAB_KEY(LAB_COUNT, lab_permeability, fit.n_specimens, "specimens_n"),
    LAB_KEY(LAB_REAL, lab_permeability, fit.law.specimen_sd, "specimen_sd_rel"),
    LAB_KEY(LAB_TRUTH, lab_permeability, fit.specimen_sd_assumed, "specimen_sd_assumed"),
    LAB_KEY(LAB_REAL, lab_permeability, fit.scatter_sd, "scatter_sd_rel"),
    LAB_KEY(LAB_TRUTH, lab_permeability, fit.scatter_assumed, "scatter_assumed"),
};
#define ROWS(fields) fields, LAB_N(fields)

static json_t *specimens_json(const lab_permeability *r) {
  json_t *list = json_array();
  int failed = !list;
  for (size_t i = 0; i < r->fit.n_specimens; i++) {
    const lab_permeability_specimen *p = &r->specimens[i];
    json_t *one = lab_fields_json(ROWS(specimen_fields), p);
    failed |= LAB_SET(one, "at_100_Pa", lab_fields_json(ROWS(kappa_fields), &p->at_100_Pa));
    failed |= json_array_append_new(list, one) != 0;
  }
  return lab_whole(list, failed);
}

static json_t *forms_json(const fit_permeability_result *r) {
  json_t *list = json_array();
  int failed = !list;
  for (int i = 0; i < 3; i++) {
    if (!r->forms[i].fitted) continue;
    json_t *one = json_pack("{s:s}", "form", cb_permeability_form_names[i]);
    failed |= !lab_fields_join(one, lab_fields_json(ROWS(form_fields), &r->forms[i]));
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
  int failed = !lab_fields_join(o, lab_fields_json(ROWS(term_fields), &terms)) ||
               !lab_fields_join(o, lab_fields_json(ROWS(figure_fields), r));
  failed |= LAB_SET(o, "forms", forms_json(&r->fit));
  failed |= LAB_SET(o, "kappa", lab_rows_json(ROWS(kappa_fields), r->kappa, r->n_kappa, sizeof r->kappa[0]));
  failed |= LAB_SET(o, "specimens", specimens_json(r));
  failed |= LAB_SET(o, "law", cb_permeability_json(law));
  return lab_whole(o, failed);
}
