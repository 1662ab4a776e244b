#include "cb_csv.h"
#include "cbtest.h"

static cb_csv *parse(const char *text, char separator) {
  cb_csv_options o = cb_csv_options_default();
  cb_csv *csv;
  o.separator = separator;
  assert_ok(cb_csv_parse(text, strlen(text), "t.csv", &o, &csv, err));
  return csv;
}

static void refused(cb_status st, const char *why, const char *text, size_t n) {
  cb_csv_options o = cb_csv_options_default();
  cb_csv *csv = (cb_csv *)(uintptr_t)1;
  assert_fails(st, why, cb_csv_parse(text, n, "t.csv", &o, &csv, err));
  assert_null(csv);
}

static void forms_of_tables(void **state) {
  (void)state;
  const char *same[] = {"a,b\n1,x y\n2,z\n",
                        "a,b\r\n1,x y\r\n2,z\r\n",
                        "a,b\r1,x y\r2,z\r",
                        ("\xef\xbb\xbf"
                         "a,b\n1,x y\n2,z"),
                        "# note\n\na , b\n 1 ,x y\n  # inside\n2,\tz\n\n",
                        "\"a\",\"b\"\n\"1\",\"x y\"\n2,\"z\" \n"};
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
    cb_csv *c = parse(same[i], ',');
    assert_int_equal(cb_csv_rows(c), 2);
    assert_true(cb_csv_header(c, 1) && !cb_csv_header(c, 2));
    assert_string_equal(cb_csv_header(c, 1), "b");
    assert_string_equal(cb_csv_cell(c, 0, 0), "1");
    assert_string_equal(cb_csv_cell(c, 0, 1), "x y");
    assert_string_equal(cb_csv_cell(c, 1, 1), "z");
    cb_csv_free(c);
  }
}

static void quotes(void **state) {
  (void)state;
  cb_csv *c = parse("a,b,c\n\"x, y\",\"say \"\"hi\"\"\",\"two\nlines\"\n\"\",,3\n", ',');
  assert_string_equal(cb_csv_cell(c, 0, 0), "x, y");
  assert_string_equal(cb_csv_cell(c, 0, 1), "say \"hi\"");
  assert_string_equal(cb_csv_cell(c, 0, 2), "two\nlines");
  assert_int_equal(cb_csv_line(c, 0), 2);
  assert_int_equal(cb_csv_line(c, 1), 4);
  assert_string_equal(cb_csv_cell(c, 1, 0), "");
  cb_csv_free(c);
}

static void separators_are_guessed(void **state) {
  (void)state;
  cb_csv *c = parse("a;b;\"c,d\"\n1;2;3\n", 0);
  assert_true(cb_csv_header(c, 2) && !cb_csv_header(c, 3));
  assert_string_equal(cb_csv_header(c, 2), "c,d");
  cb_csv_free(c);
  c = parse("a\tb\n\t2\n", 0);
  assert_string_equal(cb_csv_cell(c, 0, 0), "");
  assert_string_equal(cb_csv_cell(c, 0, 1), "2");
  cb_csv_free(c);
}

static void broken_tables_are_refused(void **state) {
  (void)state;
#define REFUSED(st, why, text) refused(st, why, text, strlen(text))
  REFUSED(CB_E_PARSE, "t.csv:3: 1 cell, but the first line has 2", "a,b\n1,2\n3\n");
  REFUSED(CB_E_PARSE, "t.csv:2: 3 cells", "a,b\n1,2,3\n");
  REFUSED(CB_E_PARSE, "t.csv:2: the quote opened here is never closed", "a,b\n\"1,2\n3,4\n");
  REFUSED(CB_E_PARSE, "t.csv:2: 'x' after a closing quote", "a,b\n\"1\"x,2\n");
  REFUSED(CB_E_PARSE, "no data lines", "a,b\n");
  REFUSED(CB_E_PARSE, "no data lines", "");
  REFUSED(CB_E_PARSE, "no data lines", "# only a comment");
  REFUSED(CB_E_PARSE, "the column 'a' stands twice", "a,a\n1,2\n");
  refused(CB_E_PARSE, "a NUL byte at offset 5", "a,b\n1\0,2\n", 9);
}

static void numbers_and_holes(void **state) {
  (void)state;
  cb_csv *c = parse("x,y\n1.5,\nnan,NA\n-3,abc\n", ',');
  double v;
  bool missing;
  size_t column;
  assert_ok(cb_csv_find(c, "y", &column, err));
  assert_int_equal(column, 1);
  assert_fails(CB_E_NOTFOUND, "t.csv:1: no column 'z'; the columns are: x, y",
               cb_csv_find(c, "z", &column, err));
  assert_ok(cb_csv_number(c, 0, 0, 0, 10, &v, NULL, err));
  assert_true(v == 1.5);
  assert_ok(cb_csv_number(c, 0, 1, 0, 10, &v, &missing, err));
  assert_true(missing);
  assert_ok(cb_csv_number(c, 1, 1, 0, 10, &v, &missing, err));
  assert_true(missing);
  assert_fails(CB_E_PARSE, "t.csv:2: y = ''", cb_csv_number(c, 0, 1, 0, 10, &v, NULL, err));
  assert_fails(CB_E_PARSE, "t.csv:3: x = 'nan'", cb_csv_number(c, 1, 0, 0, 10, &v, &missing, err));
  assert_fails(CB_E_RANGE, "t.csv:4: x = -3: must be between 0 and 10",
               cb_csv_number(c, 2, 0, 0, 10, &v, &missing, err));
  assert_fails(CB_E_PARSE, "t.csv:4: y = 'abc'", cb_csv_number(c, 2, 1, 0, 10, &v, &missing, err));
  cb_csv_free(c);
}

static void sizes(void **state) {
  (void)state;
  cb_csv *csv;
  cb_csv_options o = cb_csv_options_default();
  o.max_bytes = 4;
  assert_fails(CB_E_RANGE, "larger than the allowed 4 bytes",
               cb_csv_parse("a,b\n1,2\n", 8, "t", &o, &csv, err));
}

/* A header is compared name by name: its width is limited before it is. */
static void widths(void **state) {
  (void)state;
  size_t n = (size_t)1 << 22;
  char *wide = malloc(n + 1);
  assert_non_null(wide);
  memset(wide, ',', n);
  wide[n] = '\0';
  (void)alarm(CBT_HANG_S);
  refused(CB_E_RANGE, "t.csv:1: 4194305 columns: at most 10000 are read", wide, n);
  (void)alarm(0);
  free(wide);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms_of_tables),
                                     cmocka_unit_test(quotes),
                                     cmocka_unit_test(separators_are_guessed),
                                     cmocka_unit_test(broken_tables_are_refused),
                                     cmocka_unit_test(numbers_and_holes),
                                     cmocka_unit_test(sizes),
                                     cmocka_unit_test(widths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
