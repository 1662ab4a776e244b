#include "cb_digit.h"
#include "cbtest.h"

static cb_csv *parse(const char *text) {
  cb_csv_options o = cb_csv_options_default();
  cb_csv *csv;
  o.separator = ',';
  assert_ok(cb_csv_parse(text, strlen(text), "t.csv", &o, &csv, err));
  return csv;
}

/* The cells of one column, separated by blanks. */
static cb_csv *parse_column(const char *cells) {
  char text[4096] = "f\n";
  size_t n = strlen(text);
  for (; *cells && n + 2 < sizeof text; cells++) text[n++] = *cells == ' ' ? '\n' : *cells;
  text[n] = '\n';
  text[n + 1] = '\0';
  return parse(text);
}

static void check_column(const char *cells, double digit, size_t n_finer) {
  cb_csv *c = parse_column(cells);
  cb_digit d;
  assert_ok(cb_digit_find(c, 0, &d, err));
  if (fabs(d.value / digit - 1) > 1e-9 || d.n_finer != n_finer)
    fail_msg("'%s': digit %g with %zu finer cells, wanted %g with %zu", cells, d.value, d.n_finer, digit,
             n_finer);
  cb_csv_free(c);
}

/* Of what instruments write: fixed decimals, dropped zeros, exponents; texts and holes beside them say
 * nothing. */
static void the_last_digit(void **state) {
  (void)state;
  cb_csv *c = parse("a,b,c,d,e,f\n1.50,1.2e-3,NA,12e3,7,0\n2.5,4E-4,,1.25e+1,-,0\n");
  const double wanted[] = {0.01, 1e-4, 1, 0.1, 1, 1};
  for (size_t i = 0; i < 6; i++) {
    cb_digit d;
    assert_ok(cb_digit_find(c, i, &d, err));
    assert_near(d.value, wanted[i], 1e-12);
    assert_int_equal(d.n_finer, 0);
  }
  cb_csv_free(c);
}

static void dropped_zeros_are_no_digit(void **state) {
  (void)state;
  check_column("0 0.01 0.02 0.04 0.08", 0.01, 0);
  check_column("1 2 2.5 4 8", 0.1, 0); /* loads that were chosen */
  check_column("1.25 2 5 10 20", 0.01, 0);
  check_column("1 1 1 1 1 1 1 1 1 1 1 1 1 2.5", 0.1, 0); /* one load most of the time */
  check_column("0 0 0 0 0 0 0 0 0 0 0 0 0 0.12", 0.01, 0);
  check_column("12.345 1.2345 0.12345 123.45 99.999", 1e-5, 0); /* five significant digits */
}

/* 0.0 that a computer made, in the spellings of spreadsheets, Python, R, C. */
static void computed_cells_do_not_decide(void **state) {
  (void)state;
  check_column("1.7763568394002505e-15 10.4 21.6 46.4 105.6", 0.1, 1);
  check_column("10.4 21.6 1.8e-15 46.4 105.6", 0.1, 1);
  check_column("10.4 21.6 -1.8E-15 46.4 105.6", 0.1, 1);
  check_column("10.4 21.6 0.0000000000000018 46.4 105.6", 0.1, 1);
  check_column("10.4 21.6 -5.551115e-17 46.4 1e-300 105.6", 0.1, 2);
  check_column("104 216 1.8e-15 464 1056", 1, 1);
  check_column("10.4 21.6 45.123456789 46.4 105.6", 0.1, 1);
  /* sums of tenths as Python prints them */
  check_column("0.1 0.2 0.30000000000000004 0.4 0.7999999999999999 1.0999999999999999", 0.1, 0);
  check_column("0.30000000000000004 0.7999999999999999 1.0999999999999999", 0.1, 0);
  check_column("0.12345678901 0.123456789012 0.1234567890123 0.12345678901234567", 1e-14, 0);
  /* no cell of the column is better than a double */
  check_column("1000.5 1.1e-17 1.2e-17 1.3e-17 1.4e-17", 1000.5 * 2.220446049250313e-16, 0);
}

/* A mean typed in among readings. */
static void a_rare_cell_does_not_decide(void **state) {
  (void)state;
  check_column("1.1 2.3 3.4 4.7 5.2 6.6 7.1 8.8 9.3 10.9 11.2 12.375", 0.1, 1);
  check_column("1.1 2.3 3.4 4.7 5.2 6.6 7.1 8.8 9.3 10.92 11.27 12.37", 0.01, 0);
}

static void the_note(void **state) {
  (void)state;
  char note[256];
  cb_digit d;
  cb_csv *c = parse_column("10.4 21.6 1.8e-15 46.4 105.6 7e-16 3.3");
  assert_ok(cb_digit_find(c, 0, &d, err));
  cb_digit_note(c, 0, &d, note, sizeof note);
  assert_string_equal(note,
                      "t.csv:4: f = 1.8e-15 has more decimals than its column (2 cells): the digit of the "
                      "column is taken as 0.1");
  cb_csv_free(c);
  c = parse_column("10.4 21.6");
  assert_ok(cb_digit_find(c, 0, &d, err));
  cb_digit_note(c, 0, &d, note, sizeof note);
  assert_string_equal(note, "");
  cb_csv_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_digit), cmocka_unit_test(dropped_zeros_are_no_digit),
      cmocka_unit_test(computed_cells_do_not_decide), cmocka_unit_test(a_rare_cell_does_not_decide),
      cmocka_unit_test(the_note)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
