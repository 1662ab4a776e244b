#include "cb_num.h"
#include "cbtest.h"

static void numbers_are_whole_tokens(void **state) {
  (void)state;
  const struct {
    const char *text;
    double value;
  } good[] = {{"1.5", 1.5}, {"-2e-3", -2e-3}, {".5", 0.5}, {"5.", 5}, {"+7", 7}, {"1E3", 1000}, {"0", 0}};
  const char *bad[] = {"",       " 1", "1 ", "1,5", "0x10", "nan",   "inf", "-inf",
                       "1.5abc", "1e", "e5", ".",   "--1",  "1e5e5", "NaN", "1_000"};
  double v;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    assert_ok(cb_parse_double(good[i].text, "x", &v, err));
    assert_true(v == good[i].value);
  }
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_fails(CB_E_PARSE, "x = '", cb_parse_double(bad[i], "x", &v, err));
  assert_fails(CB_E_RANGE, "too large for a double", cb_parse_double("1e999", "x", &v, err));
}

static void whole_numbers(void **state) {
  (void)state;
  long long v;
  assert_ok(cb_parse_int("-42", "n", &v, err));
  assert_int_equal(v, -42);
  const char *bad[] = {"", "1.0", "1e3", " 1", "0x1", "+", "12a"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_fails(CB_E_PARSE, "n = '", cb_parse_int(bad[i], "n", &v, err));
  assert_fails(CB_E_RANGE, "too large", cb_parse_int("99999999999999999999", "n", &v, err));
}

static void ranges_name_the_bounds(void **state) {
  (void)state;
  assert_ok(cb_check_range(1, 0, 1, "x", "m", err));
  assert_fails(CB_E_RANGE, "x = 1.5 m: must be between 0 and 1 m", cb_check_range(1.5, 0, 1, "x", "m", err));
  assert_fails(CB_E_RANGE, "mass = -1 g: must be >= 0 g", cb_check_range(-1, 0, INFINITY, "mass", "g", err));
  assert_fails(CB_E_RANGE, "x = 2: must be <= 1", cb_check_range(2, -INFINITY, 1, "x", "", err));
  assert_fails(CB_E_NUM, "must be a finite number", cb_check_range(NAN, 0, 1, "x", "", err));
}

static void quantities_become_si(void **state) {
  (void)state;
  const struct {
    double value;
    const char *unit;
    cb_dim dim;
    double si;
  } cases[] = {{150, "g", CB_DIM_MASS, 0.150},
               {1, "lb", CB_DIM_MASS, 0.45359237},
               {1, "lbf", CB_DIM_FORCE, 4.4482216152605},
               {16, "ozf", CB_DIM_FORCE, 4.4482216152605},
               {600, "mm/min", CB_DIM_SPEED, 0.01},
               {20, "degC", CB_DIM_TEMPERATURE, 293.15},
               {180, "deg", CB_DIM_ANGLE, CB_PI},
               {5, "N/cm", CB_DIM_STIFFNESS, 500}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const cb_unit *u = cb_unit_find(cases[i].unit);
    assert_true(u && u->dim == cases[i].dim);
    assert_near(cases[i].value * u->to_si + u->offset, cases[i].si, 4e-16 * fabs(cases[i].si));
  }
  char list[160];
  cb_unit_list(CB_DIM_MASS, list, sizeof list);
  assert_string_equal(list, "kg, g, mg, lb");
  assert_null(cb_unit_find("stone"));
}

static void rounding_is_what_a_table_prints(void **state) {
  (void)state;
  assert_true(cb_round_decimals(0.56133, 3) == 0.561);
  assert_true(cb_round_decimals(0.5615000001, 3) == 0.562);
  assert_true(cb_round_decimals(-1.0006, 3) == -1.001);
}

static void shortest_text_reads_back_as_the_same_bits(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0.1, "0.1"},
               {2109.51684, "2109.51684"},
               {1e-6, "1e-06"},
               {-3, "-3"},
               {0.1 + 0.2, "0.30000000000000004"}};
  char text[32];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_string_equal(cb_shortest(cases[i].value, text), cases[i].text);
  for (double v = 1; v < 1e9; v *= 7.3) assert_true(strtod(cb_shortest(1 / v, text), NULL) == 1 / v);
}

static void underflow_is_no_zero(void **state) {
  (void)state;
  double v = 7;
  const char *tiny[] = {"1e-400", "-4.9e-324", "0.0000001e-320", "1e-99999999999999999999"};
  for (size_t i = 0; i < sizeof tiny / sizeof tiny[0]; i++)
    assert_fails(CB_E_RANGE, "too small for a double", cb_parse_double(tiny[i], "x", &v, err));
  assert_near(v, 7, 0);
  const char *zeros[] = {"0", "-0.0", "0e-400", "0.000e5"};
  for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
    assert_ok(cb_parse_double(zeros[i], "x", &v, err));
    assert_near(v, 0, 0);
  }
  assert_ok(cb_parse_double("1e-300", "x", &v, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(underflow_is_no_zero),
                                     cmocka_unit_test(shortest_text_reads_back_as_the_same_bits),
                                     cmocka_unit_test(numbers_are_whole_tokens),
                                     cmocka_unit_test(whole_numbers),
                                     cmocka_unit_test(ranges_name_the_bounds),
                                     cmocka_unit_test(quantities_become_si),
                                     cmocka_unit_test(rounding_is_what_a_table_prints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
