/* The document of a fit of stretch: docs/reference/json, "fit stretch". */
#include <stddef.h>
#include <stdlib.h>

#include "law.h"
#include "cb_stretch_green.h"
#include "cb_stretch_wang.h"
#include "lab_law.h"
#include "lab_stretch_impl.h"

static const lab_field test_fields[] = {
    LAB_KEY(LAB_ID, lab_stretch_test, test_id, "test_id"),
    LAB_KEY_TEXT(lab_stretch_test, specimen, "specimen"),
    LAB_KEY(LAB_REAL, lab_stretch_test, direction_deg, "direction_deg"),
    LAB_KEY(LAB_SIGN, lab_stretch_test, repeat, "repeat"),
    LAB_KEY_CHOICE(lab_stretch_test, part.outcome, "outcome", fit_stretch_part_outcome_text,
                   FIT_STRETCH_NO_RISE),
    LAB_KEY(LAB_COUNT, lab_stretch_test, part.cycles, "cycles"),
    LAB_KEY(LAB_REAL, lab_stretch_test, part.slack_m, "slack_m"),
    LAB_KEY(LAB_REAL, lab_stretch_test, part.u_slack_m, "u_slack_m"),
    LAB_KEY(LAB_REAL, lab_stretch_test, part.cut_m, "cut_m"),
    LAB_KEY(LAB_REAL, lab_stretch_test, part.length_m, "length_m"),
    LAB_KEY(LAB_COUNT, lab_stretch_test, part.n_loading, "points_loading"),
    LAB_KEY(LAB_COUNT, lab_stretch_test, part.n_unloading, "points_unloading"),
    LAB_KEY(LAB_REAL, lab_stretch_test, part.strain_max, "strain_max"),
    LAB_KEY(LAB_REAL, lab_stretch_test, part.force_max_N_per_m, "force_max_N_per_m"),
    LAB_KEY(LAB_REAL, lab_stretch_test, part.scatter_N_per_m, "scatter_N_per_m"),
    LAB_KEY(LAB_COUNT, lab_stretch_test, part.n_outliers, "outliers"),
};
static const lab_field outlier_fields[] = {
    LAB_KEY(LAB_ID, lab_stretch_outlier, test_id, "test_id"),
    LAB_KEY(LAB_COUNT, lab_stretch_outlier, point, "point"),
    LAB_KEY(LAB_REAL, lab_stretch_outlier, displacement_m, "displacement_m"),
    LAB_KEY(LAB_REAL, lab_stretch_outlier, force_N, "force_N"),
    LAB_KEY(LAB_REAL, lab_stretch_outlier, residual_N, "residual_N"),
    LAB_KEY(LAB_REAL, lab_stretch_outlier, times, "times_scatter"),
};
static const lab_field first_fields[] = {
    LAB_KEY(LAB_REAL, lab_stretch, first.statistic, "statistic"),
    LAB_KEY(LAB_REAL, lab_stretch, first.dof2, "dof2"),
    LAB_KEY(LAB_REAL, lab_stretch, first.p_value, "p_value"),
    LAB_KEY(LAB_REAL, lab_stretch, first.effect, "first_minus_rest_percent"),
};
static const lab_field shear_fields[] = {
    LAB_KEY(LAB_COUNT, lab_stretch, shear_tests, "tests"),
    LAB_KEY(LAB_REAL, lab_stretch, shear_N_per_m, "G_N_per_m"),
    LAB_KEY(LAB_REAL, lab_stretch, u_shear_N_per_m, "u_G_N_per_m"),
};
#define ROWS(fields) fields, LAB_N(fields)

/* ---- what follows from the law ---- */

#define MODULUS(member) LAB_KEY(LAB_REAL, cb_stretch_moduli, member, #member)
static const lab_field moduli_fields[] = {
    MODULUS(e1_N_per_m),   MODULUS(u_e1_N_per_m),  MODULUS(e2_N_per_m),
    MODULUS(u_e2_N_per_m), MODULUS(cross_m_per_N), MODULUS(u_cross_m_per_N),
};

static json_t *form_json(const cb_stretch_moduli *m) {
  if (!m->known) return json_null();
  json_t *o = lab_fields_json(ROWS(moduli_fields), m);
  int failed = LAB_SET(o, "rms_misfit_rel", m->n > 3 ? cb_json_real(m->rms_rel) : json_null());
  failed |= LAB_SET(o, "inside_measured_range", json_boolean(m->inside_measured_range));
  if (m->form == CB_STRETCH_TENSOR) {
    failed |= LAB_SET(o, "g12_N_per_m_if_nu12_0", cb_json_real(cb_stretch_shear_modulus(m, 0)));
    failed |= LAB_SET(o, "g12_N_per_m_if_nu12_0.5", cb_json_real(cb_stretch_shear_modulus(m, 0.5)));
  }
  return lab_whole(o, failed);
}

static json_t *point_json(const cb_stretch_green *g, size_t i) {
  return json_pack("{s:o, s:o, s:o}", "strain", cb_json_real(g->strain[i]), "stress_N_per_m",
                   cb_json_real(g->stress_N_per_m[i]), "u_N_per_m", cb_json_real(g->u_N_per_m[i]));
}

static json_t *curve_json(const cb_stretch_law *law, cb_stretch_axis axis) {
  cb_stretch_green g;
  json_t *list = json_array();
  int failed = !list;
  cb_stretch_green_curve(law, axis, &g);
  for (size_t i = 0; i < g.n; i++) failed |= json_array_append_new(list, point_json(&g, i)) != 0;
  return lab_whole(list, failed);
}

static json_t *curves_json(const cb_stretch_law *law) {
  json_t *o = json_object();
  int failed = !o;
  for (int axis = 0; cb_stretch_axis_names[axis]; axis++)
    failed |= LAB_SET(o, cb_stretch_axis_names[axis], curve_json(law, (cb_stretch_axis)axis));
  return lab_whole(o, failed);
}

/* Moduli at the strain, curves for finite elements, the table of Wang. */
static int put_derived(json_t *o, const lab_stretch *r) {
  cb_stretch_wang w;
  bool beyond;
  int failed = LAB_SET(o, "moduli",
                       json_pack("{s:o, s:o, s:o}", "strain", cb_json_real(r->moduli_strain), "tensor",
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
  failed |= LAB_SET(o, "tests", lab_rows_json(ROWS(test_fields), r->tests, r->n_tests, sizeof *r->tests));
  failed |= LAB_SET(o, "outliers",
                    lab_rows_json(ROWS(outlier_fields), r->outliers, r->n_outliers, sizeof *r->outliers));
  failed |= LAB_SET(o, "first_pull", r->first.done ? lab_fields_json(ROWS(first_fields), r) : json_null());
  failed |= LAB_SET(o, "shear", r->shear_tests > 0 ? lab_fields_json(ROWS(shear_fields), r) : json_null());
  if (r->law_id > 0) failed |= LAB_SET(o, "law_id", json_integer((json_int_t)r->law_id));
  return lab_whole(o, failed);
}

/* ---- and back ---- */

static cb_status read_fit(const json_t *doc, lab_stretch *r, cb_err *err) {
  static const lab_field strain = LAB_KEY(LAB_REAL, lab_stretch, moduli_strain, "strain");
  size_t n_tests = json_array_size(json_object_get(doc, "tests"));
  size_t n_outliers = json_array_size(json_object_get(doc, "outliers"));
  const json_t *moduli, *shear = json_object_get(doc, "shear"), *first = json_object_get(doc, "first_pull");
  CB_TRY(lab_fields_object(doc, "moduli", &moduli, err));
  CB_TRY(lab_fields_read(&strain, 1, moduli, r, err));
  lab_stretch_derive(r);
  r->first.done = json_is_object(first);
  if (r->first.done) CB_TRY(lab_fields_read(ROWS(first_fields), first, r, err));
  if (json_is_object(shear)) CB_TRY(lab_fields_read(ROWS(shear_fields), shear, r, err));
  r->tests = calloc(n_tests + 1, sizeof *r->tests);
  r->outliers = calloc(n_outliers + 1, sizeof *r->outliers);
  if (!r->tests || !r->outliers) return cb_no_memory(err, "the tests of '%s'", r->law.cloth);
  CB_TRY(
      lab_rows_read(ROWS(test_fields), doc, "tests", r->tests, sizeof *r->tests, n_tests, &r->n_tests, err));
  return lab_rows_read(ROWS(outlier_fields), doc, "outliers", r->outliers, sizeof *r->outliers, n_outliers,
                       &r->n_outliers, err);
}

cb_status lab_stretch_read(const char *text, lab_stretch *out, cb_err *err) {
  json_t *doc;
  *out = (lab_stretch){.outcome = FIT_STRETCH_OK};
  CB_TRY(law_read(CB_LAW_STRETCH, text, &out->law, err));
  CB_TRY(lab_fields_document(text, &doc, err));
  out->fitted = json_object_get(doc, "tests") != NULL;
  cb_status st = out->fitted ? read_fit(doc, out, err) : CB_OK;
  json_decref(doc);
  return st;
}
