/* Numbers as tables write them. */
#include "cb_cell.h"
#include "cbtest.h"

typedef struct written {
  const char *text;
  char decimal;
  const char *plain, *unit;
  bool doubtful;
} written;

static const written numbers[] = {
    {"1.5", '.', "1.5", "", false},
    {"-2e-3", '.', "-2e-3", "", false},
    {"+.5", '.', ".5", "", false},
    {"5.", '.', "5.", "", false},
    {"\xe2\x88\x92"
     "0.02",
     '.', "-0.02", "", false}, /* minus */
    {"\xe2\x80\x93"
     "3",
     '.', "-3", "", false}, /* en dash */
    {"1e\xe2\x88\x92"
     "3",
     '.', "1e-3", "", false},
    {"1,250.00", '.', "1250.00", "", false},
    {"12,345,678", '.', "12345678", "", false},
    {"1,250", '.', "1250", "", true},
    {"1,250", ',', "1.250", "", false},
    {"1.250", '.', "1.250", "", false},
    {"1.250", ',', "1250", "", true},
    {"1.234,5", ',', "1234.5", "", false},
    {"1.234.567", ',', "1234567", "", false},
    {"5 120", '.', "5120", "", false},
    {"5\xc2\xa0"
     "120,5",
     ',', "5120.5", "", false},
    {"5\xe2\x80\xaf"
     "120",
     ',', "5120", "", false},
    {"15'900.25", '.', "15900.25", "", false},
    {"15\xe2\x80\x99"
     "900",
     '.', "15900", "", false},
    {"0.5", ',', "0.5", "", false},
    {"0,900", ',', "0.900", "", false},
    {"0.9 mm", '.', "0.9", "mm", false},
    {"0,9mm ", ',', "0.9", "mm", false},
    {"12 %", '.', "12", "%", false},
    {"23\xc2\xb0", '.', "23", "\xc2\xb0", false},
    {"1,250 N", '.', "1250", "N", true},
    {"3 [N]", '.', "3", "[N]", false},
    {"1e3", '.', "1e3", "", false},
    {"2 e", '.', "2", "e", false},
};

static void numbers_become_plain(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    const written *w = &numbers[i];
    cb_cell c;
    if (!cb_cell_read(w->text, w->decimal, &c)) fail_msg("'%s' is a number", w->text);
    assert_string_equal(c.plain, w->plain);
    assert_string_equal(c.unit, w->unit);
    if (c.doubtful != w->doubtful) fail_msg("'%s': doubtful %d", w->text, c.doubtful);
    assert_true(strlen(c.plain) <= strlen(w->text));
  }
}

static void other_texts_are_none(void **state) {
  (void)state;
  static const char *const texts[] = {"",          "-",         "mm",   "0,5",      "0,250",  "1,25",
                                      "1,2500",    "12,34,567", "1 25", "1'250 5",  "1 2345", "1.5.2",
                                      "(1.5)",     "<0.1",      "1.5*", "1234,567", "01 234", "1,250,00",
                                      "1 250,000", "--1",       "1:30"};
  cb_cell c;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (cb_cell_read(texts[i], '.', &c)) fail_msg("'%s' is %s '%s'", texts[i], c.plain, c.unit);
  char longest[200];
  memset(longest, '1', sizeof longest);
  longest[199] = '\0';
  assert_false(cb_cell_read(longest, '.', &c));
}

static void some_words_are_holes(void **state) {
  (void)state;
  assert_true(cb_cell_is_missing("") && cb_cell_is_missing("NA") && cb_cell_is_missing("n/a"));
  assert_false(cb_cell_is_missing("0") || cb_cell_is_missing("nan"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_become_plain),
                                     cmocka_unit_test(other_texts_are_none),
                                     cmocka_unit_test(some_words_are_holes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
