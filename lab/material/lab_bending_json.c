/* The document of a fit of bending: docs/reference/json, "fit bending". */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "law.h"
#include "lab_bending_impl.h"
#include "lab_law.h"

static const lab_field direction_fields[] = {
    LAB_KEY(LAB_REAL, fit_bending_direction, angle_deg, "angle_deg"),
    LAB_KEY(LAB_COUNT, fit_bending_direction, n, "specimens"),
    LAB_KEY(LAB_REAL, fit_bending_direction, B_Nm, "B_Nm"),
    LAB_KEY(LAB_REAL, fit_bending_direction, u_B_Nm, "u_B_Nm"),
    LAB_KEY(LAB_REAL, fit_bending_direction, sd_Nm, "sd_Nm"),
    LAB_KEY(LAB_REAL, fit_bending_direction, face_Nm, "face_Nm"),
    LAB_KEY(LAB_REAL, fit_bending_direction, back_Nm, "back_Nm"),
    LAB_KEY(LAB_REAL, fit_bending_direction, peirce_Nm, "peirce_Nm"),
    LAB_KEY(LAB_REAL, fit_bending_direction, length_m, "bending_length_m"),
    LAB_KEY(LAB_REAL, fit_bending_direction, width_N, "width_N"),
    LAB_KEY(LAB_REAL, fit_bending_direction, u_width_N, "u_width_N"),
};
static const lab_field entry_fields[] = {
    LAB_KEY_TEXT(fit_bending_entry, name, "name"),           LAB_KEY_TEXT(fit_bending_entry, type, "type"),
    LAB_KEY(LAB_REAL, fit_bending_entry, u_rel, "u_rel"),    LAB_KEY(LAB_REAL, fit_bending_entry, dof, "dof"),
    LAB_KEY(LAB_TRUTH, fit_bending_entry, common, "common"),
};
static const lab_field scatter_fields[] = {
    LAB_KEY(LAB_REAL, fit_bending_result, scatter_rel, "sd_rel"),
    LAB_KEY(LAB_REAL, fit_bending_result, scatter_dof, "dof"),
    LAB_KEY_CHOICE(fit_bending_result, scatter_basis, "basis", fit_basis_names, FIT_ASSUMED),
};
#define ROWS(fields) fields, LAB_N(fields)

/* The tests of a fit, with what each one's effect is called. */
static const struct {
  const char *key, *effect;
  size_t at;
} tests[] = {
    {"isotropy", "anisotropy_percent", offsetof(fit_bending_result, isotropy)},
    {"sides", "face_minus_back_percent", offsetof(fit_bending_result, sides)},
    {"constancy", "exponent", offsetof(fit_bending_result, constancy)},
    {"shape", "variance_ratio", offsetof(fit_bending_result, shape)},
    {"first_test", "first_minus_rest_percent", offsetof(fit_bending_result, first)},
};
#define N_TESTS (sizeof tests / sizeof tests[0])
enum { TEST_FIELDS = 5 };

static void name_test_fields(const char *effect, lab_field f[TEST_FIELDS]) {
  const lab_field fields[TEST_FIELDS] = {
      LAB_KEY(LAB_REAL, fit_test, statistic, "statistic"), LAB_KEY(LAB_REAL, fit_test, dof1, "dof1"),
      LAB_KEY(LAB_REAL, fit_test, dof2, "dof2"),           LAB_KEY(LAB_REAL, fit_test, p_value, "p_value"),
      LAB_KEY(LAB_REAL, fit_test, effect, effect),
  };
  memcpy(f, fields, sizeof fields);
}

/* ---- to JSON ---- */

static json_t *test_json(const fit_test *t, const char *effect) {
  lab_field f[TEST_FIELDS];
  fit_test shown = *t;
  if (!t->done) return json_null();
  if (!(t->dof1 > 0)) shown.dof1 = NAN;
  name_test_fields(effect, f);
  return lab_fields_json(f, TEST_FIELDS, &shown);
}

static json_t *tests_json(const fit_bending_result *r) {
  json_t *o = json_object();
  int failed = !o;
  for (size_t i = 0; i < N_TESTS; i++)
    failed |=
        LAB_SET(o, tests[i].key, test_json((const void *)((const char *)r + tests[i].at), tests[i].effect));
  return lab_whole(o, failed);
}

static json_t *aicc_json(const fit_bending_result *r) {
  json_t *o = json_object();
  int failed = !o;
  for (int f = 0; f < CB_BENDING_TABLE; f++)
    failed |= LAB_SET(o, cb_bending_form_names[f], cb_json_real(r->aicc[f]));
  return lab_whole(o, failed);
}

static json_t *left_out_json(const fit_bending_result *r) {
  json_t *o = json_object();
  int failed = !o;
  for (int d = FIT_BENDING_USED + 1; d < FIT_BENDING_DEFECTS; d++)
    if (r->defects[d])
      failed |= LAB_SET(o, fit_bending_defect_text[d], json_integer((json_int_t)r->defects[d]));
  return lab_whole(o, failed);
}

/* What a simulator takes. */
static json_t *simulator_json(const cb_bending_law *law) {
  double D[3][3];
  cb_bending_wang w;
  cb_bending_shell(law, D);
  cb_bending_wang_of(law, &w);
  return json_pack("{s:{s:o, s:o, s:o, s:o}, s:o}", "shell", "D11_Nm", cb_json_real(D[0][0]), "D12_Nm",
                   cb_json_real(D[0][1]), "D22_Nm", cb_json_real(D[1][1]), "D33_Nm", cb_json_real(D[2][2]),
                   "arcsim_bending_Nm",
                   cb_json_matrix(&w.ke_Nm[0][0], CB_BENDING_WANG_ROWS, CB_BENDING_WANG_SAMPLES));
}

static json_t *fitted_json(const lab_bending *b) {
  const fit_bending_result *r = &b->fit;
  json_t *o = json_pack("{s:s, s:s, s:s}", "cloth", b->cloth, "test", cb_test_kind_names[b->test], "origin",
                        cb_origin_names[r->origin]);
  int failed = LAB_SET(o, "law", cb_bending_json(&r->law));
  failed |=
      LAB_SET(o, "directions",
              lab_rows_json(ROWS(direction_fields), r->directions, r->n_directions, sizeof r->directions[0]));
  failed |= LAB_SET(o, "specimens", json_integer((json_int_t)r->n_specimens));
  failed |= LAB_SET(o, "left_out", left_out_json(r));
  failed |= LAB_SET(o, "scatter", lab_fields_json(ROWS(scatter_fields), r));
  failed |= LAB_SET(o, "direction_basis", json_string(fit_basis_names[r->direction_basis]));
  failed |= LAB_SET(o, "aicc", aicc_json(r));
  failed |= LAB_SET(o, "tests", tests_json(r));
  failed |=
      LAB_SET(o, "budget", lab_rows_json(ROWS(entry_fields), r->entries, r->n_entries, sizeof r->entries[0]));
  failed |= LAB_SET(o, "simulator", simulator_json(&r->law));
  return lab_whole(o, failed);
}

json_t *lab_bending_json(const lab_bending *b) {
  json_t *o;
  if (b->source != LAB_BENDING_FITTED)
    o = json_pack("{s:o}", "law", cb_bending_json(&b->fit.law));
  else if (b->fit.outcome == FIT_BENDING_OK)
    o = fitted_json(b);
  else
    o = json_pack("{s:s, s:s, s:o}", "cloth", b->cloth, "outcome", fit_bending_outcome_text[b->fit.outcome],
                  "left_out", left_out_json(&b->fit));
  return lab_whole(o, o && b->law_id > 0 && LAB_SET(o, "law_id", json_integer((json_int_t)b->law_id)));
}

/* ---- and back ---- */

static cb_status read_test(const json_t *all, size_t i, fit_bending_result *r, cb_err *err) {
  lab_field f[TEST_FIELDS];
  const json_t *o;
  fit_test *t = (void *)((char *)r + tests[i].at);
  CB_TRY(lab_fields_object(all, tests[i].key, &o, err));
  *t = (fit_test){.done = o != NULL};
  if (!o) return CB_OK;
  name_test_fields(tests[i].effect, f);
  CB_TRY(lab_fields_read(f, TEST_FIELDS, o, t, err));
  if (isnan(t->dof1)) t->dof1 = 0;
  return CB_OK;
}

static cb_status read_tests(const json_t *doc, fit_bending_result *r, cb_err *err) {
  const json_t *all;
  CB_TRY(lab_fields_object(doc, "tests", &all, err));
  for (size_t i = 0; i < N_TESTS; i++) CB_TRY(read_test(all, i, r, err));
  return CB_OK;
}

static cb_status read_forms(const json_t *doc, fit_bending_result *r, cb_err *err) {
  const json_t *o;
  CB_TRY(lab_fields_object(doc, "aicc", &o, err));
  for (int k = 0; k < CB_BENDING_TABLE; k++) {
    const lab_field f = {cb_bending_form_names[k], LAB_REAL, 0, 0, NULL, 0};
    CB_TRY(lab_fields_read(&f, 1, o, &r->aicc[k], err));
  }
  return CB_OK;
}

static cb_status read_left_out(const json_t *doc, fit_bending_result *r, cb_err *err) {
  const json_t *o;
  CB_TRY(lab_fields_object(doc, "left_out", &o, err));
  for (int d = FIT_BENDING_USED + 1; d < FIT_BENDING_DEFECTS; d++) {
    const lab_field f = {fit_bending_defect_text[d], LAB_COUNT, 0, 0, NULL, 0};
    CB_TRY(lab_fields_read(&f, 1, o, &r->defects[d], err));
  }
  return CB_OK;
}

/* Without limit is null, as what is not known is; an entry without degrees of freedom there is none. */
static cb_status read_budget(const json_t *doc, fit_bending_result *r, cb_err *err) {
  CB_TRY(lab_rows_read(ROWS(entry_fields), doc, "budget", r->entries, sizeof r->entries[0],
                       FIT_BENDING_ENTRIES, &r->n_entries, err));
  for (size_t i = 0; i < r->n_entries; i++)
    if (isnan(r->entries[i].dof)) r->entries[i].dof = INFINITY;
  return CB_OK;
}

static cb_status read_fit(const json_t *doc, lab_bending *b, cb_err *err) {
  static const lab_field fields[] = {
      LAB_KEY_TEXT(lab_bending, cloth, "cloth"),
      LAB_KEY_CHOICE(lab_bending, test, "test", cb_test_kind_names, CB_TEST_BUCKLING),
      LAB_KEY_CHOICE(lab_bending, fit.origin, "origin", cb_origin_names, CB_SIMULATED),
      LAB_KEY(LAB_COUNT, lab_bending, fit.n_specimens, "specimens"),
      LAB_KEY_CHOICE(lab_bending, fit.direction_basis, "direction_basis", fit_basis_names, FIT_ASSUMED),
  };
  const json_t *scatter;
  fit_bending_result *r = &b->fit;
  CB_TRY(lab_fields_read(ROWS(fields), doc, b, err));
  CB_TRY(lab_fields_object(doc, "scatter", &scatter, err));
  CB_TRY(lab_fields_read(ROWS(scatter_fields), scatter, r, err));
  CB_TRY(lab_rows_read(ROWS(direction_fields), doc, "directions", r->directions, sizeof r->directions[0],
                       FIT_BENDING_MAX_DIRECTIONS, &r->n_directions, err));
  CB_TRY(read_budget(doc, r, err));
  CB_TRY(read_tests(doc, r, err));
  CB_TRY(read_forms(doc, r, err));
  return read_left_out(doc, r, err);
}

cb_status lab_bending_read(const char *text, lab_bending *out, cb_err *err) {
  json_t *doc;
  *out = (lab_bending){.source = LAB_BENDING_IMPORTED};
  CB_TRY(law_read(CB_LAW_BENDING, text, &out->fit.law, err));
  CB_TRY(lab_fields_document(text, &doc, err));
  cb_status st = CB_OK;
  if (json_object_get(doc, "directions")) {
    out->source = LAB_BENDING_FITTED;
    st = read_fit(doc, out, err);
  }
  json_decref(doc);
  return st;
}
