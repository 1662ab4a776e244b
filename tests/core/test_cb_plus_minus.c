/* A value with its uncertainty as text: the digits that JCGM 100, 7.2.6 asks for. */
#include "cb_plus_minus.h"

#include "cbtest.h"

static void expect(double value, double U, const char *wanted) {
  char out[CB_PLUS_MINUS];
  assert_string_equal(cb_plus_minus(value, U, " +- ", out), wanted);
}

/* JCGM 100, 7.2.6: 10.05762 ohm with 27 mohm is 10.058 with 0.027. */
static void two_digits_of_the_uncertainty(void **state) {
  (void)state;
  expect(10.05762, 0.027, "10.058 +- 0.027");
  expect(0.53728, 0.0011, "0.5373 +- 0.0011");
  expect(0.5, 0.0996, "0.50 +- 0.10");
  expect(-1.23456, 0.5, "-1.23 +- 0.50");
  expect(0, 0.02, "0.000 +- 0.020");
}

/* An uncertainty above the value leaves no digit that means nothing. */
static void large_uncertainties_are_rounded_too(void **state) {
  (void)state;
  expect(36623, 56177, "37000 +- 56000");
  expect(123.4, 9.96, "123 +- 10");
  expect(999960, 123, "999960 +- 120");
}

static void small_and_large_values_share_a_power(void **state) {
  (void)state;
  expect(3.6623e-6, 5.61e-7, "(3.66 +- 0.56)e-6");
  expect(3.6623e-5, 5.6e-5, "(37 +- 56)e-6");
  expect(2.5e7, 3e5, "(25.00 +- 0.30)e6");
}

static void values_of_unknown_uncertainty_have_four_digits(void **state) {
  (void)state;
  expect(0.123456, NAN, "0.1235");
  expect(0.123456, 0, "0.1235");
  expect(0.123456, INFINITY, "0.1235");
}

/* t of one degree of freedom is 12.706, of infinitely many 1.960. */
static void standard_uncertainties_are_expanded(void **state) {
  (void)state;
  char out[CB_PLUS_MINUS];
  assert_string_equal(cb_plus_minus_of_u(1, 0.01, 1, out), "1.00 +- 0.13");
  assert_string_equal(cb_plus_minus_of_u(1, 0.01, INFINITY, out), "1.000 +- 0.020");
  assert_string_equal(cb_plus_minus_of_u(1, 0.01, NAN, out), "1.000 +- 0.020");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_digits_of_the_uncertainty),
      cmocka_unit_test(large_uncertainties_are_rounded_too),
      cmocka_unit_test(small_and_large_values_share_a_power),
      cmocka_unit_test(values_of_unknown_uncertainty_have_four_digits),
      cmocka_unit_test(standard_uncertainties_are_expanded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
