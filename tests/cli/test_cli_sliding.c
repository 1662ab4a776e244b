/* `clothbench validate incline | sled | capstan`: documents, exit codes, refusals. The numbers are
 * tests/validate/test_val_sliding.c's. */
#include <math.h>

#include "cbtest.h"
#include "jsonpage.h"

#define PAIR "--cloth 'Gray Interlock' --body 'Plastic Foam' --db " CB_SOURCE_DIR "/materials.db "

static json_t *document(const char *section, const char *arguments, int code) {
  cbt_result r;
  cbt_run(&r, cbt_folder, arguments);
  if (r.code != code) fail_msg("%s: code %d, %s", arguments, r.code, r.err);
  json_t *doc = jp_document(r.out);
  jp_expect(section, doc);
  return doc;
}

static bool truth(const json_t *doc, const char *key) { return json_is_true(json_object_get(doc, key)); }

static void test_incline_document(void **state) {
  (void)state;
  json_t *doc = document(
      "validate incline",
      "validate incline --mu 0.3 --angle-deg 16.5 --dt-s 0.005 --duration-s 0.2 --vertices 200 --json", 0);
  assert_true(truth(doc, "sticks") && truth(doc, "expected_sticks"));
  assert_true(jp_number(doc, "displacement_m") < 1e-6);
  json_decref(doc);
  doc = document(
      "validate incline",
      "validate incline --mu 0.3 --angle-deg 30 --dt-s 0.005 --duration-s 0.2 --vertices 200 --json", 0);
  assert_false(truth(doc, "sticks"));
  /* 9.80665 (1/2 - 0.3 sqrt(3)/2) */
  assert_near(jp_number(doc, "acceleration_m_s2"), 2.355483, 2.4e-4);
  assert_near(jp_number(doc, "expected_m_s2"), 2.355483, 1e-6);
  json_decref(doc);
  /* More static than kinetic friction: atan 0.4 = 21.8 deg. */
  doc = document(
      "validate incline",
      "validate incline --mu 0.3 --mu-static 0.4 --angle-deg 21 --duration-s 0.1 --vertices 100 --json", 0);
  assert_true(truth(doc, "sticks"));
  json_decref(doc);
}

static void test_incline_with_laws(void **state) {
  (void)state;
  json_t *doc = document("validate incline",
                         "validate incline " PAIR
                         "--angle-deg 25 --turned-deg 30 --launch-m-s 1 --launch-deg 70 --duration-s 0.1 "
                         "--vertices 200 --scheme bdf2 --json",
                         0);
  assert_true(fabs(jp_number(doc, "across_m")) > 0.01);
  assert_true(jp_number(doc, "extrapolated_contacts") > 0); /* its own weight presses less than any rig did */
  json_decref(doc);
  doc = document("validate incline --critical",
                 "validate incline --critical " PAIR "--duration-s 0.05 --vertices 60 --json", 0);
  assert_int_equal(json_array_size(json_object_get(doc, "releases")), 10);
  json_decref(doc);
}

static void test_sled_document(void **state) {
  (void)state;
  json_t *doc = document("validate sled", "validate sled --mu 0.3 --mu-static 0.35 --vertices 30 --json", 0);
  assert_near(jp_number(json_object_get(doc, "static"), "mu"), 0.35, 0.002 * 0.35);
  assert_near(jp_number(json_object_get(doc, "kinetic"), "mu"), 0.3, 0.002 * 0.3);
  json_decref(doc);
  /* The stage stops before the sled moves: the verdict is negative. */
  doc = document("validate sled", "validate sled --mu 0.3 --vertices 30 --travel-mm 2 --json", 3);
  json_decref(doc);
}

static void test_capstan_document(void **state) {
  (void)state;
  json_t *doc = document("validate capstan", "validate capstan --mu 0.3 --wrap-deg 60 --cells 2 --json", 0);
  assert_near(jp_number(doc, "expected_ratio"), 1.3691, 1e-3);
  json_decref(doc);
}

static void test_texts(void **state) {
  (void)state;
  static const char *const commands[] = {"validate incline --angle-deg 10 --duration-s 0.05 --vertices 50",
                                         "validate sled --vertices 20"};
  for (size_t i = 0; i < 2; i++) {
    cbt_result r;
    cbt_run(&r, cbt_folder, commands[i]);
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "reference"));
    assert_non_null(strstr(r.out, "verdict: pass"));
    assert_string_equal(r.err, "");
  }
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    const char *arguments;
    int code;
    const char *says;
  } refused[] = {
      {"validate incline", 2, "--angle-deg or --critical is wanted"},
      {"validate incline --angle-deg 20 --mu 0.3 --mu-static 0.2", 1, "friction: static coefficient = 0.2"},
      {"validate incline --angle-deg 20 --cloth Denim", 2, "--cloth without --body"},
      {"validate incline --angle-deg 20 --mu 0.2 " PAIR, 2, "either coefficients or the laws of a pair"},
      {"validate incline --angle-deg 20 --scheme euler", 2, "--scheme = 'euler'"},
      {"validate incline --angle-deg 20 --dt-s 0.5 --duration-s 0.1", 1, "steps of 0.5 s over 0.1 s"},
      {"validate sled --figure sled.bmp --vertices 20", 1, "sled.bmp"},
      {"validate capstan --tension-N-m 1000", 1, "the tight end would be strained"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    cbt_result r;
    cbt_run(&r, cbt_folder, refused[i].arguments);
    if (r.code != refused[i].code || !strstr(r.err, refused[i].says))
      fail_msg("%s: code %d, %s", refused[i].arguments, r.code, r.err);
    assert_string_equal(r.out, "");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_incline_document),
                                     cmocka_unit_test(test_incline_with_laws),
                                     cmocka_unit_test(test_sled_document),
                                     cmocka_unit_test(test_capstan_document),
                                     cmocka_unit_test(test_texts),
                                     cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
