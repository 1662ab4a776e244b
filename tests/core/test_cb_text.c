/* Text of others: what may enter, and how it is shown. */
#include "cb_draft.h"
#include "cb_text.h"
#include "cb_text_impl.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static void plain_lines_pass(void **state) {
  (void)state;
  static const char *const good[] = {
      "", "Royal Target", "Köper 60 % Wolle", "綾織", "a\xf0\x9f\xa7\xb5z", "\xc2\xa0", "=1+1", "a'b\"c\\d"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(cb_text_is_line(good[i]));
  assert_true(cb_check_lines("a: 1\r\n\tb: 2\n", "text", NULL) == CB_OK);
}

/* Every control character of C0 and C1, one by one, and the separators and direction marks of Unicode. */
static void control_characters_are_refused(void **state) {
  (void)state;
  char text[8];
  for (int c = 1; c < 0xa0; c++) {
    if (c >= 0x20 && c < 0x7f) continue;
    size_t n = 0;
    text[n++] = 'a';
    if (c >= 0x80) text[n++] = (char)0xc2;
    text[n++] = (char)c;
    text[n] = '\0';
    assert_false(cb_text_is_line(text));
    assert_int_equal(cb_check_lines(text, "text", NULL) == CB_OK, c == '\n' || c == '\r' || c == '\t');
  }
  static const char *const marks[] = {"\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xae", "\xe2\x80\xaa",
                                      "\xe2\x81\xa6", "\xe2\x81\xa9", "\xe2\x80\x8e"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    assert_int_equal(cb_check_lines(marks[i], "text", NULL), CB_E_RANGE);
}

static void what_is_not_utf8_is_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"\x80",
                                    "a\xff",
                                    "\xc0\xaf",
                                    "\xe0\x80\xaf",
                                    "\xed\xa0\x80",
                                    "\xf4\x90\x80\x80",
                                    "\xf5\x80\x80\x80",
                                    "\xe2\x82",
                                    "\xf0\x9f\xa7"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(cb_text_is_line(bad[i]));
}

static void the_sentence_names_character_and_place(void **state) {
  (void)state;
  cb_err err;
  assert_int_equal(cb_check_line("ab\x1b[31m", "material.name", &err), CB_E_RANGE);
  assert_string_equal(err.msg,
                      "material.name = 'ab\\x1b[31m': has a control character (\\x1b) at byte 3: one line of "
                      "plain text was wanted");
  assert_int_equal(cb_check_lines("a\nb\xff", "note", &err), CB_E_RANGE);
  assert_string_equal(
      err.msg,
      "note = 'a\\x0ab\\xff': has a byte that is not UTF-8 (\\xff) at byte 4: plain text was wanted");
  assert_int_equal(cb_check_line("fine", "material.name", &err), CB_OK);
}

static void what_is_shown_is_a_line_and_fits(void **state) {
  (void)state;
  char out[64], cut[8];
  assert_string_equal(cb_text_show("a\nb\x7f\xc2\x85 \xe2\x80\xae \xff ö", out, sizeof out),
                      "a\\x0ab\\x7f\\x85 \\u{202e} \\xff ö");
  assert_string_equal(cb_text_show("abcdeö", cut, sizeof cut), "abcdeö");
  assert_string_equal(cb_text_show("abcdefö", cut, sizeof cut), "abcdef");
  assert_string_equal(cb_text_show("abcd\n", cut, sizeof cut), "abcd");
  assert_string_equal(cb_text_show("abc", cut, 1), "");
  /* Any bytes at all come out as a line. */
  uint32_t seed = 1;
  for (int round = 0; round < 20000; round++) {
    char in[16];
    for (size_t i = 0; i < sizeof in; i++) in[i] = (char)((seed = seed * 1664525u + 1013904223u) >> 24);
    in[sizeof in - 1] = '\0';
    assert_true(cb_text_is_line(cb_text_show(in, out, sizeof out)));
  }
}

static void lines_stay_lines_where_they_may(void **state) {
  (void)state;
  char out[64], one[16];
  assert_string_equal(cb_text_show_lines("a\n\tb\r\x1b", out, sizeof out), "a\n\tb\\x0d\\x1b");
  assert_int_equal(cb_text_next("\xe2\x80\xaex", one), 3);
  assert_string_equal(one, "\\u{202e}");
  assert_int_equal(cb_text_next("\xc3\xb6x", one), 2);
  assert_string_equal(one, "\xc3\xb6");
  assert_int_equal(cb_text_next("\xff", one), 1);
  assert_string_equal(one, "\\xff");
  assert_int_equal(cb_text_next("", one), 0);
}

/* The same document (RFC 8259, section 7), without what JSON lets stand and terminals obey. */
static void a_json_document_is_made_plain(void **state) {
  (void)state;
  char *out = cb_text_json("{\n  \"a\": \"\x7f\xc2\x9b\xe2\x80\xae \xc3\xb6\"\n}");
  assert_non_null(out);
  assert_string_equal(out, "{\n  \"a\": \"\\u007f\\u009b\\u202e \xc3\xb6\"\n}");
  free(out);
}

/* The shell reads back what was written. */
static void a_shell_reads_the_same_word(void **state) {
  (void)state;
  static const char text[] = "a 'b' \"c\" $HOME `id` \\ *\n;";
  char command[200] = "", back[200] = "";
  FILE *to = fmemopen(command, sizeof command, "w");
  assert_non_null(to);
  fputs("printf %s ", to);
  cb_text_put_shell(to, text);
  assert_int_equal(fclose(to), 0);
  FILE *shell = popen(command, "r");
  assert_non_null(shell);
  assert_int_equal(fread(back, 1, sizeof back - 1, shell), sizeof text - 1);
  assert_int_equal(pclose(shell), 0);
  assert_string_equal(back, text);
}

static void a_list_leaves_out_what_does_not_fit_whole(void **state) {
  (void)state;
  char list[12] = "";
  cb_text_add(list, sizeof list, ", ", "%s", "warp");
  cb_text_add(list, sizeof list, ", ", "%s %d", "weft", 1);
  assert_string_equal(list, "warp");
  cb_text_add(list, sizeof list, ", ", "%s", "weft");
  cb_text_add(list, sizeof list, ", ", "%s", "x");
  assert_string_equal(list, "warp, weft");
}

static void a_draft_is_handed_over_or_gone(void **state) {
  (void)state;
  cb_draft d;
  char *text;
  assert_int_equal(cb_draft_begin(&d, NULL), CB_OK);
  for (int i = 0; i < 5000; i++) fprintf(d.to, "%d\n", i % 10);
  assert_int_equal(cb_draft_end(&d, CB_OK, &text, NULL), CB_OK);
  assert_true(d.n == 10000 && strlen(text) == 10000);
  free(text);
  assert_int_equal(cb_draft_begin(&d, NULL), CB_OK);
  fputs("half", d.to);
  assert_int_equal(cb_draft_end(&d, CB_E_PARSE, &text, NULL), CB_E_PARSE);
  assert_null(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_lines_pass),
      cmocka_unit_test(control_characters_are_refused),
      cmocka_unit_test(what_is_not_utf8_is_refused),
      cmocka_unit_test(the_sentence_names_character_and_place),
      cmocka_unit_test(what_is_shown_is_a_line_and_fits),
      cmocka_unit_test(lines_stay_lines_where_they_may),
      cmocka_unit_test(a_json_document_is_made_plain),
      cmocka_unit_test(a_shell_reads_the_same_word),
      cmocka_unit_test(a_list_leaves_out_what_does_not_fit_whole),
      cmocka_unit_test(a_draft_is_handed_over_or_gone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
