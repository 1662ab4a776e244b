/* Stretch in lab/: a planted sheet is found again from tests in a database, documents go there and back bit
 * for bit, damaged ones are refused. */
#include "cb_law_json.h"
#include "cb_num.h"
#include "lab_stretch_impl.h"
#include "lablaw.h"

#define POINTS 41
static const double truth[] = {2000, 300, 1000}; /* stiffness [N/m] at 0, 45, 90 degrees */

/* A straight line, times a piece's own factor. */
static void put_strip(cb_store *s, int64_t cloth, double deg, double stiffness_N_per_m, double strain_max) {
  cb_material_test t = {.kind = CB_TEST_STRETCH,
                        .material_id = cloth,
                        .direction_deg = deg,
                        .length_m = 0.1,
                        .width_m = 0.05,
                        .origin = CB_IMPORTED,
                        .specimen = "p"};
  cb_test_point p[POINTS];
  for (int i = 0; i < POINTS; i++) {
    double e = strain_max * i / (POINTS - 1);
    p[i] = (cb_test_point){0.1 * e, 0.05 * stiffness_N_per_m * e};
  }
  ll_test(s, t, p, POINTS);
}

static void put_twill(cb_store *s) {
  int64_t cloth = ll_cloth(s, "Twill");
  cb_rng rng;
  cb_rng_init(&rng, 3, 1);
  for (int d = 0; d < 3; d++)
    for (int k = 0; k < 4; k++)
      put_strip(s, cloth, 45 * d, truth[d] * (1 + 0.02 * cb_rng_normal(&rng)), 0.05);
  put_strip(s, cloth, 0, 0, 0.05); /* no force */
}

static void fit_twill(cb_store *s, lab_stretch *r) {
  lab_stretch_request q = {.cloth = "Twill", .origin = LAB_ANY_ORIGIN, .opt = fit_stretch_options_default()};
  put_twill(s);
  assert_ok(lab_stretch_fit(s, &q, r, err));
  assert_int_equal(r->outcome, FIT_STRETCH_OK);
}

static void a_planted_sheet_is_found(void **state) {
  store_fixture *f = *state;
  lab_stretch r;
  fit_twill(f->s, &r);
  assert_true(r.fitted && r.law_id > 0 && r.law.n == 3);
  assert_int_equal(r.n_tests, 13);
  assert_int_equal(r.tests[12].part.outcome, FIT_STRETCH_NO_FORCE);
  for (int d = 0; d < 3; d++) {
    lab_stretch_question q = {.cloth = "Twill", .angle_deg = 45 * d, .strain = 0.03, .force_N_per_m = NAN};
    lab_stretch_answer a;
    assert_ok(lab_stretch_predict(f->s, &q, &a, err));
    assert_near(a.value.force_N_per_m, 0.03 * truth[d], a.u95_N_per_m);
    double sd = 0.02 * 0.03 * truth[d]; /* of four pieces: chi-square of 3, 99.9 % */
    assert_true(a.value.sd_N_per_m > 0.09 * sd && a.value.sd_N_per_m < 2.33 * sd);
    q.force_N_per_m = a.value.force_N_per_m, q.strain = NAN;
    assert_ok(lab_stretch_predict(f->s, &q, &a, err));
    assert_near(a.strain, 0.03, 1e-9);
    assert_near(a.u_strain, a.value.u_N_per_m / a.value.slope_N_per_m, 1e-12);
  }
  assert_true(r.tensor.known);
  assert_near(r.tensor.e1_N_per_m, truth[0], 3 * r.tensor.u_e1_N_per_m);
  assert_near(r.tensor.e2_N_per_m, truth[2], 3 * r.tensor.u_e2_N_per_m);
  lab_stretch_clear(&r);
}

static void what_is_stored_is_what_was_fitted(void **state) {
  store_fixture *f = *state;
  lab_stretch r, got;
  fit_twill(f->s, &r);
  assert_ok(lab_stretch_stored(f->s, "Twill", &got, err));
  assert_int_equal(got.law.id, r.law_id);
  assert_memory_equal(got.tests, r.tests, r.n_tests * sizeof *r.tests);
  r.law_id = 0; /* a document that was read tells the row by its law */
  ll_same(lab_stretch_json(&r), lab_stretch_json(&got));
  lab_stretch_clear(&r);
  lab_stretch_clear(&got);
}

static void no_test_is_no_law(void **state) {
  store_fixture *f = *state;
  lab_stretch r;
  lab_stretch_request q = {.cloth = "Silk", .origin = LAB_ANY_ORIGIN, .opt = fit_stretch_options_default()};
  int64_t silk = ll_cloth(f->s, "Silk");
  assert_fails(CB_E_NOTFOUND, "there are no stretch tests of 'Silk'", lab_stretch_fit(f->s, &q, &r, err));
  lab_stretch_clear(&r);
  put_strip(f->s, silk, 0, 0, 0.05);
  assert_ok(lab_stretch_fit(f->s, &q, &r, err));
  assert_int_equal(r.outcome, FIT_STRETCH_NO_CURVE);
  char *text = ll_text(lab_stretch_json(&r));
  assert_string_equal(text,
                      "{\"cloth\":\"Silk\",\"outcome\":\"no test shows a force that grows with extension\"}");
  free(text);
  lab_stretch_clear(&r);
  assert_fails(CB_E_NOTFOUND, "Silk", lab_stretch_stored(f->s, "Silk", &r, err));
  lab_stretch_clear(&r);
  q.origin = CB_MEASURED;
  assert_fails(CB_E_NOTFOUND, "no measured stretch tests", lab_stretch_fit(f->s, &q, &r, err));
  lab_stretch_clear(&r);
}

/* A table of Wang et al. has no curves of its own, and no fit's figures. */
static void an_imported_law_says_so(void **state) {
  (void)state;
  cb_stretch_law law = {.cloth = "Denim", .origin = CB_IMPORTED, .has_wang = true};
  lab_stretch r;
  for (int k = 0; k < CB_WANG_ROWS * 4; k++) law.wang.c_N_per_m[k / 4][k % 4] = k % 4 == 1 ? 10 : 1000 + k;
  char *text = ll_text(cb_stretch_json(&law));
  assert_ok(lab_stretch_read(text, &r, err));
  assert_true(!r.fitted && r.n_tests == 0 && !r.tensor.known);
  char *again = ll_text(lab_stretch_json(&r));
  assert_string_equal(text, again);
  free(text);
  free(again);
  lab_stretch_clear(&r);
}

static cb_status read_one(const char *text, cb_err *err) {
  lab_stretch r;
  cb_status st = lab_stretch_read(text, &r, err);
  lab_stretch_clear(&r);
  return st;
}

static void damaged_documents_are_refused(void **state) {
  store_fixture *f = *state;
  static const ll_damage list[] = {
      {"{\"cloth\"", "\"cloth\"", "law of stretch: line 1"},
      {"\"form\":\"", "\"form\":\"round", "stretch law: cloth, origin, form and directions were wanted"},
      {"\"moduli\":{", "\"moduli\":1,\"b\":{", "moduli: an object was wanted"},
      {"\"strain\":0.02,", "\"strain\":\"2 %\",", "strain: a number was wanted"},
      {"\"tests\":[", "\"tests\":{},\"b\":[", "tests: a list of"},
      {"\"test_id\":2,", "\"test_id\":-2,", "tests 2: test_id: a row's number was wanted"},
      {"\"outcome\":\"no force\"", "\"outcome\":\"torn\"", "tests 13: outcome: one of its words was wanted"},
      {"\"repeat\":1,", "\"repeat\":1.5,", "tests 1: repeat: a whole number was wanted"},
  };
  lab_stretch r;
  fit_twill(f->s, &r);
  char *text = ll_text(lab_stretch_json(&r));
  lab_stretch_clear(&r);
  assert_ok(read_one(text, err));
  ll_refused(text, list, sizeof list / sizeof list[0], read_one);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      STORE_TEST(a_planted_sheet_is_found),
      STORE_TEST(what_is_stored_is_what_was_fitted),
      STORE_TEST(no_test_is_no_law),
      STORE_TEST(an_imported_law_says_so),
      STORE_TEST(damaged_documents_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
