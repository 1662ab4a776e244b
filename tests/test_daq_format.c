/* The format lock: which lines of a text read-out are refused although they are numbers. */
#include "daq_format.h"

#include "cbtest.h"

static void form_is(const char *line, int field, const char *separator, int fields, int decimals, int plus) {
  daq_form f = daq_form_of(line, strlen(line), field, separator);
  if (f.fields != fields || f.decimals != decimals || f.plus != plus)
    fail_msg("'%s': %d fields, %d decimals, plus %d", line, f.fields, f.decimals, f.plus);
}

static void forms(void **state) {
  (void)state;
  form_is("0.4312\r\n", 0, ",", 1, 4, 0);
  form_is("\n-12.5\r", 0, ",", 1, 1, -1);
  form_is("+0.4312\r\n", 0, "", 1, 4, 1);
  form_is("17;0.43;ok\r\n", 1, ";", 3, 2, 0);
  form_is("17;;ok\r\n", 1, ";", 3, 0, 0);
  form_is("S D   -0.10 g\r\n", 0, "", 4, 2, -1); /* the first number of the line, wherever the field begins */
  form_is("-0.00190 N-m\r\n", 0, ",", 1, 5, -1);
  form_is("+999.\r", 0, "", 1, 0, 1);
  form_is("12\r\n", 0, ",", 1, 0, 0);
  form_is("", 0, ",", 1, 0, 0);
  form_is("a,b", 5, ",", 2, 0, 0);
}

static bool take(daq_format *f, const char *line) {
  return daq_format_holds(f, daq_form_of(line, strlen(line), 0, ","));
}

/* The tail of a line is lost, and it is a number all the same. */
static void torn_numbers(void **state) {
  (void)state;
  static const char *const torn[] = {"0",       "0.",    "0.4",     "0.43",       "0.431",
                                     "+0.4312", "04312", "0.43125", "0.43,0.4312"};
  daq_format f = {0};
  assert_true(take(&f, "0.4312"));
  assert_true(take(&f, "-0.0001"));
  for (size_t i = 0; i < sizeof torn / sizeof torn[0]; i++) {
    if (take(&f, torn[i])) fail_msg("'%s' is taken", torn[i]);
    assert_true(take(&f, "12.4312"));
  }
  assert_int_equal(f.n_changed, 0);
}

/* A read-out that shows the sign of every reading: one without has lost it. */
static void signs(void **state) {
  (void)state;
  daq_format f = {0};
  (void)take(&f, "-0.50");
  assert_true(take(&f, "-0.25"));
  assert_true(take(&f, "+0.25")); /* now it is known */
  assert_false(take(&f, "0.25"));
  assert_true(take(&f, "-0.25"));
}

/* Another range of the display: refused at first, then it is the new form; a line of the old one in between
 * starts the count anew. */
static void another_range(void **state) {
  (void)state;
  daq_format f = {0};
  (void)take(&f, "9.998");
  (void)take(&f, "9.999");
  for (int i = 0; i < DAQ_FORMAT_AGAIN - 1; i++) assert_false(take(&f, "10.00"));
  assert_true(take(&f, "9.999"));
  for (int i = 0; i < DAQ_FORMAT_AGAIN - 1; i++) assert_false(take(&f, "10.00"));
  assert_true(take(&f, "10.01"));
  assert_int_equal(f.n_changed, 1);
  assert_false(take(&f, "9.999"));
}

/* A first line that was torn is put right. */
static void torn_first(void **state) {
  (void)state;
  daq_format f = {0};
  assert_true(take(&f, "0.4"));
  for (int i = 0; i < DAQ_FORMAT_AGAIN - 1; i++) assert_false(take(&f, "0.4312"));
  assert_true(take(&f, "0.4312"));
  assert_false(take(&f, "0.4"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(torn_numbers),
                                     cmocka_unit_test(signs), cmocka_unit_test(another_range),
                                     cmocka_unit_test(torn_first)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
