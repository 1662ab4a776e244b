/* What a friction fit says in sentences: never a word beside a figure that contradicts it. */
#include "lab_friction_words.h"

#include <math.h>

#include "cbtest.h"

static fit_test test_of(double p, double effect) {
  return (fit_test){.done = true, .statistic = 1, .dof1 = 2, .dof2 = 20, .p_value = p, .effect = effect};
}

/* Runs in all directions under several loads, of which no test found anything. */
static fit_verdict plain(void) {
  return (fit_verdict){.anisotropy_percent = 1.2,
                       .found_anisotropy_percent = 3.1,
                       .isotropy = test_of(0.4, 1),
                       .linearity = test_of(0.4, 1.004),
                       .symmetry = test_of(0.4, 0.2),
                       .found_exponent = 0.07,
                       .u95_exponent = 0.038,
                       .wear = {.test = test_of(0.4, 1), .found_percent = 12},
                       .direction = FIT_ALIKE,
                       .load = FIT_ALIKE};
}

static void alike_is_said_with_what_would_have_been_found(void **state) {
  (void)state;
  const fit_verdict v = plain();
  char words[LAB_WORDS];
  assert_string_equal(lab_friction_direction_words(&v, words),
                      "isotropic: 1.2 % between directions; more than 3.1 % would have been found");
  assert_string_equal(lab_friction_load_words(&v, words),
                      "linear in load: an exponent below 0.930 or above 1.070 would have been found");
  assert_string_equal(lab_friction_senses_words(&v, words), "");
  assert_string_equal(
      lab_friction_wear_words(&v, words),
      "no change from run to run is seen; more than 12 % over all runs would have been found");
}

static void weak_tests_say_nothing(void **state) {
  (void)state;
  fit_verdict v = plain();
  char words[LAB_WORDS];
  v.direction = v.load = FIT_NOT_KNOWN;
  v.found_anisotropy_percent = 8, v.found_exponent = 0.15;
  assert_string_equal(
      lab_friction_direction_words(&v, words),
      "not known whether isotropic: 1.2 % between directions may be chance; only more than 8.0 % "
      "would have been found");
  assert_string_equal(
      lab_friction_load_words(&v, words),
      "not known whether linear in load: only an exponent below 0.850 or above 1.150 would have been "
      "found");
  v.isotropy.done = v.linearity.done = v.wear.test.done = false;
  v.anisotropy_percent = NAN;
  assert_string_equal(lab_friction_direction_words(&v, words),
                      "not known whether isotropic: one direction only");
  assert_string_equal(lab_friction_load_words(&v, words), "not known whether linear in load: too few loads");
  assert_string_equal(lab_friction_wear_words(&v, words), "");
}

static void what_is_found_is_said(void **state) {
  (void)state;
  fit_verdict v = plain();
  char words[LAB_WORDS];
  v.direction = v.load = FIT_DIFFERENT;
  v.linearity = test_of(0.001, 0.9472);
  v.symmetry = test_of(0.001, 4.13);
  v.wear.test = test_of(0.001, -7.9);
  v.first = test_of(0.0004, 4.13);
  assert_string_equal(lab_friction_direction_words(&v, words), "anisotropic: 1.2 % between directions");
  assert_string_equal(lab_friction_load_words(&v, words),
                      "nonlinear in load: force ~ load^n, n = 0.947 +- 0.038 at 95 %");
  assert_string_equal(lab_friction_senses_words(&v, words),
                      "backward pulls differ from forward ones by -4.1 %: the band holds both");
  assert_string_equal(
      lab_friction_first_words(&v, words),
      "the first pull of a cell is 4.1 % higher than the rest (p = 0.0004): the law is between fresh cloth "
      "and "
      "cloth that was pulled before, and the band holds both; void the first pulls, or pull once before each "
      "cell");
  v.first.p_value = FIT_FIRST_P;
  assert_string_equal(lab_friction_first_words(&v, words), "");
  assert_string_equal(lab_friction_wear_words(&v, words),
                      "the force changes from run to run, by -7.9 % over all runs: the band has it");
}

static void misfits_and_far_runs_are_named(void **state) {
  (void)state;
  lab_friction_force f = {.fit.lack = test_of(0.0012, 3.14), .fit.n_far = 1};
  char words[LAB_WORDS], far[LAB_FAR_WORDS];
  f.fit.law.kind = CB_FRICTION_KINETIC;
  f.far[0] = (lab_outlier){.found = {.sigma = 6.12, .departure_percent = 9.5},
                           .run_id = 7,
                           .angle_deg = 45,
                           .normal_force_N = 1.5};
  assert_string_equal(
      lab_friction_lack_words(&f, words),
      "the kinetic law misses directions and loads by 3.1 % beyond their scatter (p = 0.0012): the "
      "band has it");
  assert_string_equal(
      lab_friction_far_words(&f, far),
      "1 run lies beyond 4 u of a single pull from the kinetic law: run 7 (45 deg, 1.5 N: +6.1 u, "
      "+9.5 %)");
  for (int i = 0; i < FIT_MAX_OUTLIERS; i++) f.far[i] = f.far[0];
  f.fit.n_far = 20;
  assert_non_null(strstr(lab_friction_far_words(&f, far), "20 runs lie beyond"));
  assert_non_null(strstr(far, "+9.5 %) and 12 more"));
  f.fit.lack.p_value = 0.2, f.fit.n_far = 0;
  assert_string_equal(lab_friction_lack_words(&f, words), "");
  assert_string_equal(lab_friction_far_words(&f, far), "");
}

static void what_explains_a_run(void **state) {
  (void)state;
  char words[LAB_WORDS];
  fit_outlier o = {.fault = FIT_FAULT_LOAD_OFF, .mass_off_kg = -0.1};
  assert_string_equal(lab_friction_fault_words(&o, words), "load-off: as if 100 g were missing");
  o.mass_off_kg = 0.05;
  assert_string_equal(lab_friction_fault_words(&o, words), "load-off: as if 50 g more lay on it");
  o = (fit_outlier){.fault = FIT_FAULT_OFF_REPEATS, .mass_off_kg = NAN};
  assert_string_equal(lab_friction_fault_words(&o, words), "off-repeats");
  o.fault = FIT_N_FAULTS;
  assert_string_equal(lab_friction_fault_words(&o, words), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_explains_a_run),
      cmocka_unit_test(alike_is_said_with_what_would_have_been_found),
      cmocka_unit_test(weak_tests_say_nothing),
      cmocka_unit_test(what_is_found_is_said),
      cmocka_unit_test(misfits_and_far_runs_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
