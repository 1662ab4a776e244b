/* Columns of a terminal: letters of one byte and of several, signs of two columns, where a line may break. */
#include "cbtest.h"

#include "cb_columns.h"

static void columns_by_hand(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t columns;
  } cases[] = {
      {"", 0},          {"abc", 3},     {"Prüfkörper", 10},      {"静摩擦系数", 10}, {"µ = 0.25 ±", 10},
      {"（Enter）", 9}, {"경사", 4},    {"\xf0\xa0\x80\x80", 2}, /* U+20000 */
      {"\xff\xfe", 2},  {"\xe9\x9d", 1}};                        /* bytes that are no letter; half a letter */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_int_equal(cb_columns(cases[i].text, strlen(cases[i].text)), cases[i].columns);
}

static void a_cut_is_between_letters(void **state) {
  (void)state;
  assert_int_equal(cb_columns_fit("abc", 3, 2), 2);
  assert_int_equal(cb_columns_fit("üb", 3, 1), 2);
  assert_int_equal(cb_columns_fit("静摩擦", 9, 3), 3);
  assert_int_equal(cb_columns_fit("静摩擦", 9, 4), 6);
  assert_int_equal(cb_columns_fit("静摩擦", 9, 6), 9);
  assert_int_equal(cb_columns_fit("静", 3, 0), 0);
}

/* What stays together: a word, a wide letter, each with the marks behind it. */
static void words_by_hand(void **state) {
  (void)state;
  static const char *const words[] = {"Prüfkörper", "按", "Enter", "采", "用。", "（", "25", "N）", "", NULL};
  char text[200] = "Prüfkörper 按Enter采用。（25 N）\n", *at = text;
  for (int i = 0; words[i]; i++) {
    at += strspn(at, " ");
    assert_int_equal(cb_columns_word(at), strlen(words[i]));
    assert_memory_equal(at, words[i], strlen(words[i]));
    at += strlen(words[i]);
  }
  assert_string_equal(at, "\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_by_hand),
                                     cmocka_unit_test(a_cut_is_between_letters),
                                     cmocka_unit_test(words_by_hand)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
