/* Bending in lab/: a planted law is found again from tests in a database, documents go there and back bit for
 * bit, damaged ones are refused. */
#include "cb_store_material_test.h"
#include "cb_law_json.h"
#include "cb_num.h"
#include "fit_elastica.h"
#include "lab_bending_impl.h"
#include "lablaw.h"

#define DENSITY 0.15
static const double truth_Nm[3] = {12e-6, 6e-6, 5e-6}; /* B1, H, B2 */

static double B_at(double deg) {
  return cb_bending_form_B(CB_BENDING_ORTHOTROPIC, truth_Nm, deg * CB_DEG, NULL);
}

/* A strip of rigidity B, hanging over by 30 mm. */
static void put_cantilever(cb_store *s, int64_t cloth, double deg, int piece, double B_Nm, double density) {
  cb_material_test t = {.kind = CB_TEST_CANTILEVER,
                        .material_id = cloth,
                        .direction_deg = deg,
                        .width_m = 0.025,
                        .areal_density_kg_per_m2 = density,
                        .origin = CB_IMPORTED};
  double load = DENSITY * CB_STANDARD_GRAVITY_M_PER_S2 * pow(0.03, 3) / B_Nm;
  const cb_test_point p = {0.03, fit_elastica_of_load(load).chord_rad};
  (void)snprintf(t.specimen, sizeof t.specimen, "%d", piece);
  ll_test(s, t, &p, 1);
}

/* Five pieces in four directions, which scatter by 3 %. */
static void put_poplin(cb_store *s) {
  int64_t cloth = ll_cloth(s, "Poplin");
  cb_rng rng;
  cb_rng_init(&rng, 7, 1);
  for (int deg = 0; deg <= 90; deg += 30)
    for (int k = 0; k < 5; k++)
      put_cantilever(s, cloth, deg, k, B_at(deg) * (1 + 0.03 * cb_rng_normal(&rng)), DENSITY);
}

static lab_bending_request all_of(const char *cloth) {
  return (lab_bending_request){
      .cloth = cloth, .origin = LAB_ANY_ORIGIN, .test = -1, .u_rel_areal_density = 0.01};
}

static void fit_poplin(cb_store *s, lab_bending *out) {
  lab_bending_request q = all_of("Poplin");
  put_poplin(s);
  assert_ok(lab_bending_fit(s, &q, out, err));
  assert_int_equal(out->fit.outcome, FIT_BENDING_OK);
}

static void a_planted_law_is_found(void **state) {
  store_fixture *f = *state;
  lab_bending b;
  fit_poplin(f->s, &b);
  assert_true(b.law_id > 0 && b.source == LAB_BENDING_FITTED && b.test == CB_TEST_CANTILEVER);
  assert_int_equal(b.fit.n_directions, 4);
  assert_int_equal(b.fit.law.form, CB_BENDING_ORTHOTROPIC);
  assert_near(b.fit.scatter_rel, 0.03, 0.015);
  for (int deg = 0; deg <= 90; deg += 15) {
    cb_bending_value v;
    cb_bending_eval(&b.fit.law, deg * CB_DEG, NAN, &v);
    assert_true(v.u_B_Nm > 0 && v.u_B_Nm < 0.1 * v.B_Nm);
    assert_near(v.B_Nm, B_at(deg), 3 * v.u_B_Nm);
  }
}

static void what_is_stored_is_what_was_fitted(void **state) {
  store_fixture *f = *state;
  lab_bending b, got;
  fit_poplin(f->s, &b);
  assert_ok(lab_bending_stored(f->s, "Poplin", &got, err));
  assert_int_equal(got.source, LAB_BENDING_FITTED);
  ll_same(lab_bending_json(&b), lab_bending_json(&got));
  assert_memory_equal(got.fit.directions, b.fit.directions, b.fit.n_directions * sizeof b.fit.directions[0]);
  assert_memory_equal(got.fit.entries, b.fit.entries, b.fit.n_entries * sizeof b.fit.entries[0]);
  assert_memory_equal(got.fit.aicc, b.fit.aicc, sizeof b.fit.aicc);
  assert_true(got.fit.isotropy.done && got.fit.isotropy.p_value == b.fit.isotropy.p_value);
  assert_true(!got.fit.sides.done && got.fit.constancy.dof1 == b.fit.constancy.dof1);
  assert_int_equal(got.law_id, b.law_id);
}

static void no_test_is_no_law(void **state) {
  store_fixture *f = *state;
  lab_bending b;
  lab_bending_request q = all_of("Silk");
  int64_t silk = ll_cloth(f->s, "Silk");
  assert_fails(CB_E_NOTFOUND, "there are no bending tests of 'Silk'", lab_bending_fit(f->s, &q, &b, err));
  put_cantilever(f->s, silk, 0, 1, 5e-6, 0); /* nobody weighed it */
  assert_ok(lab_bending_fit(f->s, &q, &b, err));
  assert_int_equal(b.fit.outcome, FIT_BENDING_NO_DATA);
  assert_int_equal(b.fit.defects[FIT_BENDING_NO_DENSITY], 1);
  char *text = ll_text(lab_bending_json(&b));
  assert_string_equal(
      text,
      "{\"cloth\":\"Silk\",\"outcome\":\"no test of bending can be used\",\"left_out\":{\"a cantilever "
      "without areal density\":1}}");
  free(text);
  assert_fails(CB_E_NOTFOUND, "Silk", lab_bending_stored(f->s, "Silk", &b, err));
  q.areal_density_kg_per_m2 = DENSITY;
  assert_ok(lab_bending_fit(f->s, &q, &b, err));
  assert_near(b.fit.law.B_Nm[0], 5e-6, 1e-12);
  q.origin = CB_VIRTUAL;
  assert_fails(CB_E_NOTFOUND, "no virtual bending tests", lab_bending_fit(f->s, &q, &b, err));
  q.origin = LAB_ANY_ORIGIN, q.test = CB_TEST_BENDING_MOMENT;
  assert_fails(CB_E_NOTFOUND, "no bending-moment tests", lab_bending_fit(f->s, &q, &b, err));
}

/* A table of another program has none of a fit's figures. */
static void an_imported_law_says_so(void **state) {
  store_fixture *f = *state;
  cb_bending_law table = {.form = CB_BENDING_TABLE};
  lab_bending b;
  for (int k = 0; k < CB_BENDING_WANG_ROWS * CB_BENDING_WANG_SAMPLES; k++)
    (&table.wang.ke_Nm[0][0])[k] = 1e-5 * (k + 1);
  char *text = ll_text(json_pack("{s:o}", "law", cb_bending_json(&table)));
  assert_ok(lab_bending_read(text, &b, err));
  assert_int_equal(b.source, LAB_BENDING_IMPORTED);
  assert_memory_equal(&b.fit.law.wang, &table.wang, sizeof table.wang);
  char *again = ll_text(lab_bending_json(&b));
  assert_string_equal(text, again);
  cb_material_law row = {.material_id = ll_cloth(f->s, "Denim"),
                         .kind = CB_LAW_BENDING,
                         .origin = CB_IMPORTED,
                         .result_json = text};
  assert_ok(cb_store_material_law_put(f->s, &row, NULL, 0, err));
  assert_ok(lab_bending_stored(f->s, "Denim", &b, err));
  assert_true(b.source == LAB_BENDING_IMPORTED && b.law_id == row.id);
  assert_string_equal(b.cloth, "Denim");
  free(text);
  free(again);
}

static cb_status read_one(const char *text, cb_err *err) {
  lab_bending b;
  return lab_bending_read(text, &b, err);
}

static void damaged_documents_are_refused(void **state) {
  store_fixture *f = *state;
  static const ll_damage list[] = {
      {"{\"cloth\"", "\"cloth\"", "law of bending: line 1"},
      {"\"form\":\"orthotropic\"", "\"form\":\"round\"", "form 'round'"},
      {"\"B1_Nm\":", "\"B1_Nm\":\"much\",\"b\":", "B1_Nm: a number or null was wanted"},
      {"\"specimens\":20", "\"specimens\":-20", "specimens: a count was wanted"},
      {"\"test\":\"cantilever\"", "\"test\":\"drape\"", "test: one of its words was wanted"},
      {"\"angle_deg\":30.0", "\"angle_deg\":[30]", "directions 2: angle_deg: a number was wanted"},
      {"\"basis\":\"repeats\"", "\"basis\":\"guess\"", "basis: one of its words was wanted"},
      {"\"budget\":[", "\"budget\":3,\"b\":[", "budget: a list of 6 at most was wanted"},
      {"\"common\":true", "\"common\":1", "common: true or false was wanted"},
      {"\"isotropy\":{", "\"isotropy\":7,\"b\":{", "isotropy: an object was wanted"},
      {"\"peirce\":", "\"peirce\":\"x\",\"b\":", "peirce: a number was wanted"},
  };
  lab_bending b;
  fit_poplin(f->s, &b);
  char *text = ll_text(lab_bending_json(&b));
  assert_ok(read_one(text, err));
  ll_refused(text, list, sizeof list / sizeof list[0], read_one);
  free(text);
}

/* A strip hangs as the one did that the law was found from. */
static void a_strip_is_predicted(void **state) {
  store_fixture *f = *state;
  lab_bending b;
  lab_bending_answer a;
  fit_poplin(f->s, &b);
  lab_bending_question q = {.cloth = "Poplin",
                            .angle_deg = 180 + 30,
                            .curvature_per_m = NAN,
                            .overhang_m = 0.03,
                            .areal_density_kg_per_m2 = DENSITY};
  assert_ok(lab_bending_predict(f->s, &q, &a, err));
  double load = DENSITY * CB_STANDARD_GRAVITY_M_PER_S2 * pow(0.03, 3) / B_at(30);
  assert_near(a.chord_deg, fit_elastica_of_load(load).chord_rad / CB_DEG, 3 * a.u_chord_deg);
  assert_true(a.u_chord_deg > 0 && a.u95_B_Nm > a.value.u_B_Nm);
  q.overhang_m = 5;
  assert_fails(CB_E_RANGE, "hangs straight down", lab_bending_predict(f->s, &q, &a, err));
  q.areal_density_kg_per_m2 = NAN;
  assert_fails(CB_E_NOTFOUND, "areal density of 'Poplin' is not known",
               lab_bending_predict(f->s, &q, &a, err));
  q.overhang_m = NAN;
  assert_ok(lab_bending_predict(f->s, &q, &a, err));
  assert_true(isnan(a.chord_deg) && a.curvature_per_m == b.fit.law.curvature_per_m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      STORE_TEST(a_planted_law_is_found),
      STORE_TEST(what_is_stored_is_what_was_fitted),
      STORE_TEST(no_test_is_no_law),
      STORE_TEST(an_imported_law_says_so),
      STORE_TEST(damaged_documents_are_refused),
      STORE_TEST(a_strip_is_predicted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
