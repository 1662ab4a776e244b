/* The document of a fit of bending: docs/json.md, "fit bending". */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "lab_bending.h"
#include "lab_law.h"

#define AT(member) offsetof(fit_bending_direction, member)
static const cb_json_field direction_fields[] = {
    {"angle_deg", CB_JSON_NAN, AT(angle_deg), NULL, 0},
    {"specimens", CB_JSON_COUNT, AT(n), NULL, 0},
    {"B_Nm", CB_JSON_REAL, AT(B_Nm), NULL, 0},
    {"u_B_Nm", CB_JSON_REAL, AT(u_B_Nm), NULL, 0},
    {"sd_Nm", CB_JSON_NAN, AT(sd_Nm), NULL, 0},
    {"face_Nm", CB_JSON_NAN, AT(face_Nm), NULL, 0},
    {"back_Nm", CB_JSON_NAN, AT(back_Nm), NULL, 0},
    {"peirce_Nm", CB_JSON_NAN, AT(peirce_Nm), NULL, 0},
    {"bending_length_m", CB_JSON_NAN, AT(length_m), NULL, 0},
    {"width_N", CB_JSON_NAN, AT(width_N), NULL, 0},
    {"u_width_N", CB_JSON_NAN, AT(u_width_N), NULL, 0},
};
#undef AT
#define AT(member) offsetof(fit_bending_entry, member)
static const cb_json_field entry_fields[] = {
    {"name", CB_JSON_TEXT, AT(name), NULL, sizeof((fit_bending_entry *)0)->name},
    {"type", CB_JSON_TEXT, AT(type), NULL, sizeof((fit_bending_entry *)0)->type},
    {"u_rel", CB_JSON_REAL, AT(u_rel), NULL, 0},
    {"dof", CB_JSON_INF, AT(dof), NULL, 0},
    {"common", CB_JSON_BOOL, AT(common), NULL, 0},
};
#undef AT
#define AT(member) offsetof(fit_bending_result, member)
static const cb_json_field scatter_fields[] = {
    {"sd_rel", CB_JSON_REAL, AT(scatter_rel), NULL, 0},
    {"dof", CB_JSON_REAL, AT(scatter_dof), NULL, 0},
    {"basis", CB_JSON_NAME, AT(scatter_basis), fit_basis_names, 0},
};
#undef AT
#define ROWS(fields) fields, CB_JSON_COUNT_OF(fields)

/* The tests of a fit, with what each one's effect is called. */
static const struct {
  const char *key, *effect;
  size_t at;
} tests[] = {
    {"isotropy", "anisotropy_percent", offsetof(fit_bending_result, isotropy)},
    {"sides", "face_minus_back_percent", offsetof(fit_bending_result, sides)},
    {"constancy", "exponent", offsetof(fit_bending_result, constancy)},
    {"shape", "variance_ratio", offsetof(fit_bending_result, shape)},
};
#define N_TESTS (sizeof tests / sizeof tests[0])
enum { TEST_FIELDS = 5 };

static void name_test_fields(const char *effect, cb_json_field f[TEST_FIELDS]) {
  f[0] = (cb_json_field){"statistic", CB_JSON_REAL, offsetof(fit_test, statistic), NULL, 0};
  f[1] = (cb_json_field){"dof1", CB_JSON_NAN, offsetof(fit_test, dof1), NULL, 0};
  f[2] = (cb_json_field){"dof2", CB_JSON_REAL, offsetof(fit_test, dof2), NULL, 0};
  f[3] = (cb_json_field){"p_value", CB_JSON_REAL, offsetof(fit_test, p_value), NULL, 0};
  f[4] = (cb_json_field){effect, CB_JSON_REAL, offsetof(fit_test, effect), NULL, 0};
}

/* ---- to JSON ---- */

static json_t *test_json(const fit_test *t, const char *effect) {
  cb_json_field f[TEST_FIELDS];
  fit_test shown = *t;
  if (!t->done) return json_null();
  if (!(t->dof1 > 0)) shown.dof1 = NAN;
  name_test_fields(effect, f);
  return cb_json_object(f, TEST_FIELDS, &shown);
}

static json_t *tests_json(const fit_bending_result *r) {
  json_t *o = json_object();
  int failed = o == NULL;
  for (size_t i = 0; i < N_TESTS; i++)
    failed |=
        LAB_SET(o, tests[i].key, test_json((const void *)((const char *)r + tests[i].at), tests[i].effect));
  return lab_whole(o, failed);
}

static json_t *aicc_json(const fit_bending_result *r) {
  json_t *o = json_object();
  int failed = o == NULL;
  for (int f = 0; f < CB_BENDING_TABLE; f++)
    failed |= LAB_SET(o, cb_bending_form_names[f], cb_json_real(r->aicc[f]));
  return lab_whole(o, failed);
}

static json_t *left_out_json(const fit_bending_result *r) {
  json_t *o = json_object();
  int failed = o == NULL;
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
  return json_pack("{s:{s:f, s:f, s:f, s:f}, s:o}", "shell", "D11_Nm", D[0][0], "D12_Nm", D[0][1], "D22_Nm",
                   D[1][1], "D33_Nm", D[2][2], "arcsim_bending_Nm",
                   cb_json_matrix(&w.ke_Nm[0][0], CB_BENDING_WANG_ROWS, CB_BENDING_WANG_SAMPLES));
}

static json_t *fitted_json(const lab_bending *b) {
  const fit_bending_result *r = &b->fit;
  json_t *o = json_pack("{s:s, s:s, s:s}", "cloth", b->cloth, "test", cb_test_kind_names[b->test], "origin",
                        cb_origin_names[r->origin]);
  int failed = LAB_SET(o, "law", cb_bending_json(&r->law));
  failed |=
      LAB_SET(o, "directions",
              cb_json_rows(ROWS(direction_fields), r->directions, r->n_directions, sizeof r->directions[0]));
  failed |= LAB_SET(o, "specimens", json_integer((json_int_t)r->n_specimens));
  failed |= LAB_SET(o, "left_out", left_out_json(r));
  failed |= LAB_SET(o, "scatter", cb_json_object(ROWS(scatter_fields), r));
  failed |= LAB_SET(o, "direction_basis", json_string(fit_basis_names[r->direction_basis]));
  failed |= LAB_SET(o, "aicc", aicc_json(r));
  failed |= LAB_SET(o, "tests", tests_json(r));
  failed |=
      LAB_SET(o, "budget", cb_json_rows(ROWS(entry_fields), r->entries, r->n_entries, sizeof r->entries[0]));
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

static cb_status parse_test(const json_t *o, const char *effect, fit_test *t, cb_err *err) {
  cb_json_field f[TEST_FIELDS];
  *t = (fit_test){.done = !json_is_null(o)};
  if (!t->done) return CB_OK;
  name_test_fields(effect, f);
  CB_TRY(cb_json_get(o, "bending fit: tests.", f, TEST_FIELDS, t, err));
  if (isnan(t->dof1)) t->dof1 = 0;
  return CB_OK;
}

static cb_status parse_forms(const json_t *aicc, fit_bending_result *r, cb_err *err) {
  for (int k = 0; k < CB_BENDING_TABLE; k++) {
    const cb_json_field f = {cb_bending_form_names[k], CB_JSON_NAN, (size_t)k * sizeof r->aicc[0], NULL, 0};
    CB_TRY(cb_json_get(aicc, "bending fit: aicc.", &f, 1, r->aicc, err));
  }
  return CB_OK;
}

static cb_status parse_left_out(const json_t *o, fit_bending_result *r, cb_err *err) {
  for (int d = FIT_BENDING_USED + 1; d < FIT_BENDING_DEFECTS; d++) {
    const cb_json_field f = {fit_bending_defect_text[d], CB_JSON_COUNT, (size_t)d * sizeof r->defects[0],
                             NULL, 0};
    if (json_object_get(o, f.key)) CB_TRY(cb_json_get(o, "bending fit: left_out: ", &f, 1, r->defects, err));
  }
  return CB_OK;
}

static cb_status parse_fit(const json_t *o, lab_bending *b, cb_err *err) {
  const cb_json_field fields[] = {
      {"cloth", CB_JSON_TEXT, offsetof(lab_bending, cloth), NULL, sizeof b->cloth},
      {"test", CB_JSON_NAME, offsetof(lab_bending, test), cb_test_kind_names, 0},
      {"origin", CB_JSON_NAME, offsetof(lab_bending, fit.origin), cb_origin_names, 0},
      {"specimens", CB_JSON_COUNT, offsetof(lab_bending, fit.n_specimens), NULL, 0},
      {"direction_basis", CB_JSON_NAME, offsetof(lab_bending, fit.direction_basis), fit_basis_names, 0},
  };
  fit_bending_result *r = &b->fit;
  CB_TRY(cb_json_get(o, "bending fit: ", ROWS(fields), b, err));
  CB_TRY(cb_json_get(json_object_get(o, "scatter"), "bending fit: scatter.", ROWS(scatter_fields), r, err));
  CB_TRY(cb_json_get_rows(json_object_get(o, "directions"), "bending fit: directions[].",
                          ROWS(direction_fields), r->directions, sizeof r->directions[0],
                          FIT_BENDING_MAX_DIRECTIONS, &r->n_directions, err));
  CB_TRY(cb_json_get_rows(json_object_get(o, "budget"), "bending fit: budget[].", ROWS(entry_fields),
                          r->entries, sizeof r->entries[0], FIT_BENDING_ENTRIES, &r->n_entries, err));
  for (size_t i = 0; i < N_TESTS; i++) {
    const json_t *t = json_object_get(json_object_get(o, "tests"), tests[i].key);
    CB_TRY(parse_test(t, tests[i].effect, (void *)((char *)r + tests[i].at), err));
  }
  CB_TRY(parse_forms(json_object_get(o, "aicc"), r, err));
  return parse_left_out(json_object_get(o, "left_out"), r, err);
}

cb_status lab_bending_parse(const char *text, lab_bending *out, cb_err *err) {
  json_t *doc;
  *out = (lab_bending){.source = LAB_BENDING_IMPORTED};
  CB_TRY(cb_bending_parse(text, &out->fit.law, err));
  CB_TRY(lab_document(text, "bending fit", &doc, err));
  cb_status st = CB_OK;
  if (json_object_get(doc, "directions")) {
    out->source = LAB_BENDING_FITTED;
    st = parse_fit(doc, out, err);
  }
  json_decref(doc);
  return st;
}
