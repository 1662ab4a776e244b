/* A foreign table by a mapping: units, factors, constants, holes, headers of instruments; every mistake in
 * one sentence. */
#include "cbtest.h"
#include "fit_table_raw.h"

#include "fit_table.h"

enum { NAME, PRESSURE, SPEED, N };
static const fit_table_field fields[] = {{"name", CB_DIM_NONE, true, 0, 0},
                                         {"pressure", CB_DIM_PRESSURE, true, 1e-3, 1e5},
                                         {"speed", CB_DIM_SPEED, false, 0, 0}};

static cb_status read_table(const char *map, const char *csv, fit_table **t, cb_err *err) {
  return fit_table_parse((fit_table_file){"m.yaml", map, strlen(map)},
                         (fit_table_file){"t.csv", csv, strlen(csv)}, "air", fields, N, t, err);
}

#define HEAD "kind: air\nsource: us\n"

static void columns_constants_factors(void **state) {
  (void)state;
  fit_table *t;
  assert_ok(read_table(HEAD "method: ISO 9237\ncolumns:\n  name: {column: who}\n  pressure: {column: dp, "
                            "unit: mmH2O, u_rel: 0.01}\n"
                            "  speed: {value: 3, unit: 0.5 cm3/cm2/s}\n",
                       "who,dp\na,1.25\nb,\n", &t, err));
  assert_int_equal(fit_table_rows(t), 2);
  assert_string_equal(fit_table_text(t, NAME, 1), "b");
  assert_near(fit_table_number(t, PRESSURE, 0), 1.25 * 9.80665, 1e-12);
  assert_true(isnan(fit_table_number(t, PRESSURE, 1)));
  assert_near(fit_table_number(t, SPEED, 1), 0.015, 1e-15);
  assert_near(fit_table_digit(t, PRESSURE), 0.01 * 9.80665, 1e-12);
  assert_near(fit_table_u_rel(t, PRESSURE), 0.01, 0);
  assert_true(fit_table_given(t, SPEED) && fit_table_digit(t, SPEED) == 0);
  assert_string_equal(fit_table_method(t), "ISO 9237");
  assert_string_equal(fit_table_source(t), "us");
  fit_table_free(t);
}

/* Lines above the table, no header, a byte order mark, another separator. */
static void instruments_tables(void **state) {
  (void)state;
  fit_table *t;
  assert_ok(read_table(HEAD "header: false\nskip_lines: 2\nseparator: \";\"\ncolumns:\n  name: {value: x}\n"
                            "  pressure: {column: 3, unit: Pa}\n",
                       "\xef\xbb\xbfVendor 5.1\n\"a;b\n1;2;30\n4;5;60\n", &t, err));
  assert_int_equal(fit_table_rows(t), 2);
  assert_near(fit_table_number(t, PRESSURE, 1), 60, 0);
  assert_string_equal(fit_table_text(t, NAME, 0), "x");
  assert_false(fit_table_given(t, SPEED));
  assert_true(isnan(fit_table_number(t, SPEED, 0)));
  fit_table_free(t);
}

static void decimal_commas(void **state) {
  (void)state;
  fit_table *t;
  assert_ok(read_table(HEAD "separator: \";\"\ndecimal_comma: true\ncolumns:\n  name: {column: who}\n  "
                            "pressure: {column: dp, unit: Pa}\n",
                       "who;dp\na, b;1,25\nc;2\n", &t, err));
  assert_near(fit_table_number(t, PRESSURE, 0), 1.25, 0);
  assert_near(fit_table_raw(t, PRESSURE, 1), 2, 0);
  assert_near(fit_table_digit(t, PRESSURE), 0.01, 1e-17);
  assert_string_equal(fit_table_text(t, NAME, 0), "a, b");
  fit_table_free(t);
}

/* What the laboratory marked itself. */
static void rows_left_out(void **state) {
  (void)state;
  fit_table *t;
#define LEAVE(value)                             \
  HEAD "leave_out: {column: omit, value: " value \
       "}\ncolumns:\n  name: {value: x}\n  pressure: {column: dp, unit: Pa}\n"
  static const char marked[] = "dp,omit\n1,N\n2,Y\n3,N\n4,Y\n";
  assert_ok(read_table(LEAVE("Y"), marked, &t, err));
  assert_int_equal(fit_table_rows(t), 2);
  assert_near(fit_table_number(t, PRESSURE, 1), 3, 0);
  assert_string_equal(fit_table_note(t), "t.csv: 2 rows are left out, where omit is Y");
  fit_table_free(t);
  assert_fails(CB_E_RANGE, "all 2 rows are left out", read_table(LEAVE("Y"), "dp,omit\n1,Y\n2,Y\n", &t, err));
  assert_fails(CB_E_NOTFOUND, "no column 'omit'", read_table(LEAVE("Y"), "dp\n1\n2\n", &t, err));
}

static void refusals(void **state) {
  (void)state;
#define MAP(name, pressure) HEAD "columns:\n  name: {" name "}\n  pressure: {" pressure "}\n"
#define CSV "who,dp\na,1\n"
  static const struct {
    const char *map, *csv, *sentence;
  } bad[] = {
      {"kind: water\nsource: us\ncolumns:\n  name: {value: a}\n  pressure: {value: 1, unit: Pa}\n", CSV,
       "m.yaml:1: kind = 'water': this mapping is not for 'air'"},
      {MAP("column: who", "column: p, unit: Pa"), CSV, "t.csv:1: no column 'p'; the columns are: who, dp"},
      {MAP("column: who", "column: dp, unit: N"), CSV,
       "m.yaml:5: pressure: unit = 'N': must be one of Pa, kPa"},
      {MAP("column: who", "column: dp, unit: 0 Pa"), CSV, "must be one of Pa"},
      {MAP("column: who", "column: dp"), CSV, "pressure: the key 'unit' is missing"},
      {MAP("column: who, unit: Pa", "column: dp, unit: Pa"), CSV, "name: unit = 'Pa': it has none"},
      {MAP("column: who", "unit: Pa"), CSV, "pressure: either column or value was wanted"},
      {MAP("column: who", "value: 1, column: dp, unit: Pa"), CSV, "either column or value"},
      {MAP("column: who", "value: -1, unit: Pa"), CSV, "pressure = '-1': a number in range was wanted"},
      {MAP("column: who", "column: dp, unit: Pa"), "who,dp\na,1\nb,-1\n",
       "t.csv:3: pressure = -1 (SI): must be between"},
      {MAP("column: who", "column: dp, unit: Pa"), "who,dp\na,1\nb,nan\n", "t.csv:3: dp = 'nan'"},
      {MAP("column: who", "column: dp, unit: Pa"), "who,dp\na,1\nb\n",
       "t.csv:3: 1 cell, but the first line has 2"},
      {HEAD "decimal_comma: true\ncolumns: {}\n", CSV, "decimal_comma: the table's separator must be given"},
      {HEAD "columns:\n  name: {value: a}\n", CSV, "'pressure' is missing"},
      {HEAD "columns:\n  name: {value: a}\n  weight: {value: 1}\n", CSV, "weight"},
      {HEAD "header: false\ncolumns:\n  name: {value: a}\n  pressure: {column: 3, unit: Pa}\n", "1,2\n",
       "without a header the columns are 1 to 2"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    fit_table *t;
    cb_err e = {""};
    if (read_table(bad[i].map, bad[i].csv, &t, &e) == CB_OK) fail_msg("%zu: was read: %s", i, bad[i].map);
    assert_null(t);
    if (!strstr(e.msg, bad[i].sentence)) fail_msg("'%s' was said, '%s' was wanted", e.msg, bad[i].sentence);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_constants_factors),
                                     cmocka_unit_test(instruments_tables), cmocka_unit_test(decimal_commas),
                                     cmocka_unit_test(rows_left_out), cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
