/* Escapes, base64, numbers. */
#include "cbtest.h"

#include "cb_rng.h"
#include "report_text.h"

typedef void (*adder)(report_text *t, const char *s);

static void expect(adder add, const char *in, const char *wanted) {
  report_text t = {0};
  add(&t, in);
  assert_ok(report_text_check(&t, err));
  assert_string_equal(t.s, wanted);
  report_text_clear(&t);
}

static void test_html(void **state) {
  (void)state;
  expect(report_text_html, "<script>alert('x&y\")</script>",
         "&lt;script&gt;alert(&#39;x&amp;y&quot;)&lt;/script&gt;");
  expect(report_text_html, "30\u00b0 caf\u00e9", "30\u00b0 caf\u00e9");
}

static void test_gnuplot(void **state) {
  (void)state;
  expect(report_text_gnuplot, "it's `id` @macro \"x\"", "'it\u2019s `id` @macro \"x\"'");
  expect(report_text_gnuplot, "a\n!rm\tb\r", "'a !rm b '");
  expect(report_text_gnuplot, "", "''");
  expect(report_text_gnuplot, "'x'", "'\u2019x\u2019'");
}

/* RFC 4648, section 10. */
static void test_base64(void **state) {
  (void)state;
  static const char *const pairs[][2] = {{"f", "Zg=="},        {"fo", "Zm8="},        {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    report_text t = {0};
    report_text_base64(&t, pairs[i][0], strlen(pairs[i][0]));
    assert_string_equal(t.s, pairs[i][1]);
    report_text_clear(&t);
  }
}

static void test_long(void **state) {
  (void)state;
  report_text t = {0};
  for (int i = 0; i < 10000; i++) report_text_addf(&t, "%d,", i % 10);
  assert_int_equal(t.n, 20000);
  assert_int_equal(strlen(t.s), 20000);
  report_text_clear(&t);
}

/* To seven digits, and no longer than printf's text. */
static void numbers_have_seven_digits(void **state) {
  (void)state;
  static const struct {
    double v;
    const char *text;
  } known[] = {{0, "0"},
               {-0.5, "-0.5"},
               {1e-4, "0.0001"},
               {9.9999999, "10"},
               {123456.78, "123456.8"},
               {0.001234567, "0.001234567"},
               {8999999, "8999999"},
               {1e7, "1e+07"},
               {1e-5, "1e-05"},
               {-12, "-12"},
               {0.1, "0.1"}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    report_text t = {0};
    report_text_number(&t, known[i].v);
    assert_string_equal(t.s, known[i].text);
    report_text_clear(&t);
  }
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  for (int i = 0; i < 100000; i++) {
    const double v = cb_rng_normal(&rng) * pow(10, i % 14 - 6);
    report_text t = {0};
    char wanted[40];
    report_text_number(&t, v);
    (void)snprintf(wanted, sizeof wanted, "%.7g", v);
    if (strcmp(t.s, wanted) != 0 &&
        (fabs(strtod(t.s, NULL) - v) > 5.001e-7 * fabs(v) || strlen(t.s) > strlen(wanted)))
      fail_msg("%s: %s was wanted", t.s, wanted);
    report_text_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_html), cmocka_unit_test(test_gnuplot),
                                     cmocka_unit_test(test_base64), cmocka_unit_test(test_long),
                                     cmocka_unit_test(numbers_have_seven_digits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
