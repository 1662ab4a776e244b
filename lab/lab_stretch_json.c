/* The document of a fit of stretch: docs/json.md, "fit stretch". */
#include <stddef.h>
#include <stdlib.h>

#include "cb_stretch_green.h"
#include "cb_stretch_wang.h"
#include "lab_law.h"
#include "lab_stretch.h"

#define AT(member) offsetof(lab_stretch_test, member)
static const cb_json_field test_fields[] = {
    {"test_id", CB_JSON_ID, AT(test_id), NULL, 0},
    {"specimen", CB_JSON_TEXT, AT(specimen), NULL, sizeof((lab_stretch_test *)0)->specimen},
    {"direction_deg", CB_JSON_NAN, AT(direction_deg), NULL, 0},
    {"repeat", CB_JSON_INT, AT(repeat), NULL, 0},
    {"outcome", CB_JSON_NAME, AT(part.outcome), fit_stretch_part_outcome_text, 0},
    {"cycles", CB_JSON_COUNT, AT(part.cycles), NULL, 0},
    {"slack_m", CB_JSON_REAL, AT(part.slack_m), NULL, 0},
    {"length_m", CB_JSON_REAL, AT(part.length_m), NULL, 0},
    {"points_loading", CB_JSON_COUNT, AT(part.n_loading), NULL, 0},
    {"points_unloading", CB_JSON_COUNT, AT(part.n_unloading), NULL, 0},
    {"strain_max", CB_JSON_REAL, AT(part.strain_max), NULL, 0},
    {"force_max_N_per_m", CB_JSON_REAL, AT(part.force_max_N_per_m), NULL, 0},
    {"scatter_N_per_m", CB_JSON_REAL, AT(part.scatter_N_per_m), NULL, 0},
    {"outliers", CB_JSON_COUNT, AT(part.n_outliers), NULL, 0},
};
#undef AT
#define AT(member) offsetof(lab_stretch_outlier, member)
static const cb_json_field outlier_fields[] = {
    {"test_id", CB_JSON_ID, AT(test_id), NULL, 0},
    {"point", CB_JSON_COUNT, AT(point), NULL, 0},
    {"displacement_m", CB_JSON_REAL, AT(displacement_m), NULL, 0},
    {"force_N", CB_JSON_REAL, AT(force_N), NULL, 0},
    {"residual_N", CB_JSON_REAL, AT(residual_N), NULL, 0},
    {"times_scatter", CB_JSON_REAL, AT(times), NULL, 0},
};
#undef AT
#define ROWS(fields) fields, CB_JSON_COUNT_OF(fields)

/* ---- what follows from the law ---- */

static json_t *form_json(const cb_stretch_moduli *m) {
  if (!m->known) return json_null();
  json_t *o = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:b}", "e1_N_per_m", m->e1_N_per_m,
                        "u_e1_N_per_m", m->u_e1_N_per_m, "e2_N_per_m", m->e2_N_per_m, "u_e2_N_per_m",
                        m->u_e2_N_per_m, "cross_m_per_N", m->cross_m_per_N, "u_cross_m_per_N",
                        m->u_cross_m_per_N, "rms_misfit_rel", m->n > 3 ? json_real(m->rms_rel) : json_null(),
                        "inside_measured_range", m->inside_measured_range);
  if (!o || m->form != CB_STRETCH_TENSOR) return o;
  int failed = LAB_SET(o, "g12_N_per_m_if_nu12_0", cb_json_real(cb_stretch_shear_modulus(m, 0)));
  failed |= LAB_SET(o, "g12_N_per_m_if_nu12_0.5", cb_json_real(cb_stretch_shear_modulus(m, 0.5)));
  return lab_whole(o, failed);
}

static json_t *curve_json(const cb_stretch_law *law, cb_stretch_axis axis) {
  cb_stretch_green g;
  json_t *list = json_array();
  int failed = list == NULL;
  cb_stretch_green_curve(law, axis, &g);
  for (size_t i = 0; i < g.n; i++)
    failed |=
        json_array_append_new(list, json_pack("{s:f, s:f, s:f}", "strain", g.strain[i], "stress_N_per_m",
                                              g.stress_N_per_m[i], "u_N_per_m", g.u_N_per_m[i])) != 0;
  return lab_whole(list, failed);
}

static json_t *curves_json(const cb_stretch_law *law) {
  json_t *o = json_object();
  int failed = o == NULL;
  for (int axis = 0; cb_stretch_axis_names[axis]; axis++)
    failed |= LAB_SET(o, cb_stretch_axis_names[axis], curve_json(law, (cb_stretch_axis)axis));
  return lab_whole(o, failed);
}

/* Moduli at the strain, curves for finite elements, the table of Wang. */
static int put_derived(json_t *o, const lab_stretch *r) {
  cb_stretch_wang w;
  bool beyond;
  int failed = LAB_SET(o, "moduli",
                       json_pack("{s:f, s:o, s:o}", "strain", r->moduli_strain, "tensor",
                                 form_json(&r->tensor), "strip", form_json(&r->strip)));
  failed |= LAB_SET(o, "green_curves", curves_json(&r->law));
  if (!r->law.has_wang && cb_stretch_wang_of(&r->law, &w, &beyond))
    failed |= LAB_SET(o, "wang", cb_stretch_wang_json(&w, false, beyond));
  return failed;
}

/* ---- to JSON ---- */

json_t *lab_stretch_json(const lab_stretch *r) {
  if (r->outcome != FIT_STRETCH_OK)
    return json_pack("{s:s, s:s}", "cloth", r->law.cloth, "outcome", fit_stretch_outcome_text[r->outcome]);
  json_t *o = cb_stretch_json(&r->law);
  if (!o || !r->fitted) return o;
  int failed = put_derived(o, r);
  failed |= LAB_SET(o, "tests", cb_json_rows(ROWS(test_fields), r->tests, r->n_tests, sizeof *r->tests));
  failed |= LAB_SET(o, "outliers",
                    cb_json_rows(ROWS(outlier_fields), r->outliers, r->n_outliers, sizeof *r->outliers));
  if (r->law_id > 0) failed |= LAB_SET(o, "law_id", json_integer((json_int_t)r->law_id));
  return lab_whole(o, failed);
}

/* ---- and back ---- */

static cb_status parse_fit(const json_t *o, lab_stretch *r, cb_err *err) {
  const cb_json_field strain = {"strain", CB_JSON_REAL, offsetof(lab_stretch, moduli_strain), NULL, 0};
  const json_t *tests = json_object_get(o, "tests"), *outliers = json_object_get(o, "outliers");
  CB_TRY(cb_json_get(json_object_get(o, "moduli"), "stretch fit: moduli.", &strain, 1, r, err));
  cb_stretch_moduli_at(&r->law, CB_STRETCH_TENSOR, r->moduli_strain, &r->tensor);
  cb_stretch_moduli_at(&r->law, CB_STRETCH_STRIP, r->moduli_strain, &r->strip);
  r->tests = calloc(json_array_size(tests) + 1, sizeof *r->tests);
  r->outliers = calloc(json_array_size(outliers) + 1, sizeof *r->outliers);
  if (!r->tests || !r->outliers)
    return cb_fail(err, CB_E_NOMEM, "no memory for the tests of '%s'", r->law.cloth);
  CB_TRY(cb_json_get_rows(tests, "stretch fit: tests[].", ROWS(test_fields), r->tests, sizeof *r->tests,
                          json_array_size(tests), &r->n_tests, err));
  return cb_json_get_rows(outliers, "stretch fit: outliers[].", ROWS(outlier_fields), r->outliers,
                          sizeof *r->outliers, json_array_size(outliers), &r->n_outliers, err);
}

cb_status lab_stretch_parse(const char *text, lab_stretch *out, cb_err *err) {
  json_t *doc;
  *out = (lab_stretch){.outcome = FIT_STRETCH_OK};
  CB_TRY(cb_stretch_parse(text, &out->law, err));
  CB_TRY(lab_document(text, "stretch fit", &doc, err));
  out->fitted = json_object_get(doc, "tests") != NULL;
  cb_status st = out->fitted ? parse_fit(doc, out, err) : CB_OK;
  json_decref(doc);
  return st;
}
