/* Verdicts in words, and counted. */
#include "lab_overrule.h"

#include "cbtest.h"

static cb_friction_point point(const char *method, double kinetic_N) {
  cb_friction_point p = {.kinetic_N = kinetic_N};
  (void)snprintf(p.method, sizeof p.method, "%s", method);
  return p;
}

static void count(lab_tally *t, const char *method, double kinetic_N) {
  const cb_friction_point p = point(method, kinetic_N);
  lab_tally_point(t, &p);
}

static void expect(const lab_tally *t, const char *wanted) {
  char words[LAB_TALLY_WORDS];
  assert_string_equal(lab_tally_words(t, words), wanted);
}

static void counted(void **state) {
  (void)state;
  lab_tally t = {.n = 0};
  expect(&t, "");
  count(&t, "pull/8 moving=1e-05m", 0.5);
  expect(&t, "1 pull is valid");
  count(&t, "pull/8 moving=1e-05m", 0.5);
  expect(&t, "all 2 pulls are valid");
  count(&t, "pull/8 moving=1e-05m; doubtful: step", 0.5);
  expect(&t, "1 of 3 pulls is doubtful: step");
  count(&t, "pull/8 moving=1e-05m; invalid: never-slid", NAN);
  count(&t, "pull/8 moving=1e-05m; invalid: never-slid clipped", NAN);
  expect(&t, "2 of 5 pulls are invalid: never slid, clipped; 1 is doubtful: step");
  count(&t, "pull/6 moving=1e-05m", 0.5); /* before there were verdicts */
  count(&t, "imported", 0.5);
  count(&t, "cycle/3", 0.5);
  count(&t, "pull/8 moving=1e-05m: the stage did not move", NAN);
  expect(&t, "2 of 5 pulls are invalid: never slid, clipped; 1 is doubtful: step");
}

static void every_fault_has_room(void **state) {
  (void)state;
  lab_tally t = {.n = 99, .n_of = {[FIT_DOUBTFUL] = 49, [FIT_INVALID] = 50}};
  char words[LAB_TALLY_WORDS];
  for (size_t i = 0; i < FIT_N_FAULTS; i++) t.n_of_fault[i] = 9;
  assert_non_null(strstr(lab_tally_words(&t, words), "50 of 99 pulls are invalid: never slid, "));
  for (size_t i = 0; i < FIT_N_FAULTS; i++) {
    char code[64];
    (void)snprintf(code, sizeof code, "%s", fit_fault_kinds[i].code);
    for (char *c = code; *c; c++)
      if (*c == '-') *c = ' ';
    if (!strstr(words, code)) fail_msg("'%s' is not in '%s'", code, words);
  }
}

/* The worst fault speaks, not the first. */
static void the_worst_speaks(void **state) {
  (void)state;
  const lab_verdict v = {.run_id = 3,
                         .judged = true,
                         .faults = {2,
                                    {{FIT_FAULT_SPEED, 0, "5 mm/s, 10 mm/s were wanted"},
                                     {FIT_FAULT_CLIPPED, 0, "40 readings of 2 N, and none above"}}}};
  assert_int_equal(lab_verdict_worst(&v)->kind, FIT_FAULT_CLIPPED);
  const lab_verdict valid = {.run_id = 4, .judged = true};
  assert_null(lab_verdict_worst(&valid));
}

static void names_of_points(void **state) {
  (void)state;
  char words[96];
  cb_friction_point p = point("pull/8 x; invalid: never-slid", NAN);
  assert_string_equal(lab_validity_name(&p, words), "invalid");
  assert_string_equal(words, "never-slid");
  p = point("pull/10 x", 1);
  assert_string_equal(lab_validity_name(&p, words), "valid");
  assert_string_equal(words, "");
  p = point("pull/6 x", 1);
  assert_string_equal(lab_validity_name(&p, words), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counted), cmocka_unit_test(every_fault_has_room),
                                     cmocka_unit_test(the_worst_speaks), cmocka_unit_test(names_of_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
