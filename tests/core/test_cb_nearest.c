/* Distances of words, and the word that was meant. */
#include "cb_nearest.h"
#include "cbtest.h"

static void distances(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    size_t d;
  } cases[] = {{"", "", 0},       {"", "abc", 3},          {"kitten", "sitting", 3},
               {"fit", "fti", 1}, {"Twill", "twill", 0},   {"export", "exprot", 1},
               {"ca", "abc", 3},  {"abcdef", "abcdef", 0}, {"abcd", "badc", 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(cb_edit_distance(cases[i].a, cases[i].b), cases[i].d);
    assert_int_equal(cb_edit_distance(cases[i].b, cases[i].a), cases[i].d);
  }
  char a[200], b[200]; /* what is beyond 64 bytes does not count */
  memset(a, 'x', 199), memset(b, 'x', 199);
  a[199] = b[150] = '\0';
  assert_int_equal(cb_edit_distance(a, b), 0);
}

static void what_was_meant(void **state) {
  (void)state;
  static const char *const words[] = {"fit", "plot", "plan", "predict", "validate", "Wool Twill Nr. 7"};
  static const struct {
    const char *typed;
    int wanted;
  } cases[] = {{"fti", 0},     {"polt", 1},      {"valdiate", 4}, {"wool twil nr 7", 5},
               {"predikt", 3}, {"elephant", -1}, {"x", -1},       {"", -1},
               {"f", -1},      {"plon", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_int_equal(cb_nearest(cases[i].typed, words, 6), cases[i].wanted);
  assert_int_equal(cb_nearest("fit", words, 0), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(what_was_meant)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
