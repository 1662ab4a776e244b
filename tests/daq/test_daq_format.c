/* The format lock: which lines of a text read-out are refused although they are numbers. */
#include "daq_format.h"

#include "cb_rng.h"
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
  static const char *const torn[] = {"0",     "0.",      "0.4",   "0.43",    "0.431",
                                     ".4312", "+0.4312", "04312", "0.43125", "0.43,0.4312"};
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

/* ---- the shortest print ---- */

/* What programs print of value / 10^4: "%.4f"; the same without trailing zeros, as Python's repr() and
 * MicroPython's print() do; "%.3g". */
enum { FIXED, REPR, G3, N_PRINTS };

static const char *print(int how, double v) {
  static char text[32];
  (void)snprintf(text, sizeof text, how == G3 ? "%.3g" : "%.4f", v);
  if (how != REPR) return text;
  for (size_t n = strlen(text); text[n - 1] == '0' && text[n - 2] != '.'; n--) text[n - 1] = '\0';
  return text;
}

/* Readings about `level`, of these many digits of noise; returns how many of the last half were refused. */
static size_t refused_of(daq_format *f, int how, double level, int noise, size_t n, cb_rng *rng) {
  size_t refused = 0;
  for (size_t i = 0; i < n; i++) {
    bool ok = take(f, print(how, level + 1e-4 * floor(noise * cb_rng_uniform(rng))));
    refused += !ok && i >= n / 2;
  }
  return refused;
}

/* As when a rig is opened. */
static void learn_from(daq_format *f, int how, double level, int noise, cb_rng *rng) {
  for (int i = 0; i < 40; i++) {
    const char *line = print(how, level + 1e-4 * floor(noise * cb_rng_uniform(rng)));
    (void)daq_format_learn(f, daq_form_of(line, strlen(line), 0, ","));
  }
}

static void shortest_print(void **state) {
  (void)state;
  static const struct {
    double level;
    int noise, prints;
  } rests[] = {{0.05, 40, N_PRINTS},
               {-0.2, 200, N_PRINTS},
               {0.0498, 5, N_PRINTS},
               /* "%.3g" of 0.431 to 0.435 never ends in a zero: nobody can tell. */
               {0.4312, 40, G3},
               {3, 30, G3}};
  cb_rng rng;
  cb_rng_init(&rng, 5, 1);
  for (size_t k = 0; k < sizeof rests / sizeof rests[0]; k++)
    for (int how = FIXED; how < rests[k].prints; how++)
      for (int trial = 0; trial < 50; trial++) {
        daq_format f = {0};
        learn_from(&f, how, rests[k].level, rests[k].noise, &rng);
        if (refused_of(&f, how, rests[k].level, rests[k].noise, 200, &rng) > 0)
          fail_msg("print %d at %g refused", how, rests[k].level);
        if (f.shortest != (how != FIXED))
          fail_msg("print %d at %g, %d digits", how, rests[k].level, rests[k].noise);
        /* The pull, at another level. */
        assert_int_equal(refused_of(&f, how, 1.2, 300, 200, &rng), 0);
        assert_int_equal(f.n_changed, 0);
      }
}

/* Torn lines do not make a read-out of fixed decimals one of the shortest print. */
static void torn_is_not_shortest(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 6, 1);
  for (int trial = 0; trial < 200; trial++) {
    daq_format f = {0};
    for (int i = 0; i < 400; i++) {
      const char *text = print(FIXED, 0.4 + 0.01 * cb_rng_uniform(&rng));
      char torn[32];
      (void)snprintf(torn, sizeof torn, "%.*s", (int)(strlen(text) - 1 - (size_t)(i % 3)), text);
      if (i > 60 && i % 50 == 0 && take(&f, torn)) fail_msg("'%s' is taken", torn);
      assert_true(take(&f, text));
    }
    assert_false(f.shortest);
  }
}

/* What no such program prints is torn all the same. */
static void torn_of_shortest(void **state) {
  (void)state;
  static const char *const torn[] = {"04312", "0.430", "0.10", "+0.4312", "0.43,0.4312"};
  daq_format f = {0};
  cb_rng rng;
  cb_rng_init(&rng, 7, 1);
  assert_int_equal(refused_of(&f, REPR, 0.43, 50, 200, &rng), 0);
  assert_true(f.shortest);
  for (size_t i = 0; i < sizeof torn / sizeof torn[0]; i++)
    if (take(&f, torn[i])) fail_msg("'%s' is taken", torn[i]);
  assert_true(take(&f, "0.43"));
  assert_true(take(&f, "0.0"));
  assert_true(take(&f, "2.0"));
}

/* Lines that are learned refuse nothing, and the longest is the form. */
static void learned(void **state) {
  (void)state;
  daq_format f = {0};
  const char *const lines[] = {"0.4", "0.4312", "0.4330", "0.4329"};
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(daq_format_learn(&f, daq_form_of(lines[i], strlen(lines[i]), 0, ",")), i + 1);
  assert_false(f.shortest);
  assert_true(take(&f, "0.4310"));
  assert_false(take(&f, "0.431"));
  assert_int_equal(daq_format_learn(&f, daq_form_of("1,2.5", 5, 1, ",")), 1); /* other fields: anew */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms),
                                     cmocka_unit_test(torn_numbers),
                                     cmocka_unit_test(signs),
                                     cmocka_unit_test(another_range),
                                     cmocka_unit_test(torn_first),
                                     cmocka_unit_test(shortest_print),
                                     cmocka_unit_test(torn_is_not_shortest),
                                     cmocka_unit_test(torn_of_shortest),
                                     cmocka_unit_test(learned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
