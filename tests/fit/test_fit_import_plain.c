/* Friction as a plain table: forces, coefficients, loads by weight or force, German numbers, holes. */
#include <math.h>

#include "cb_num.h"
#include "cbtest.h"
#include "fit_import.h"

static cb_status read_table(const char *mapping, const char *table, fit_import *im, cb_err *err) {
  char map_path[400], csv_path[400];
  cbt_write(cbt_path("map.yaml", map_path), mapping);
  cbt_write(cbt_path("t.csv", csv_path), table);
  return fit_import_read(map_path, csv_path, im, err);
}

#define FORCES                                                                                              \
  "kind: friction\nsource: us\nseparator: \";\"\ndecimal_comma: true\ncolumns:\n  cloth: {column: Stoff}\n" \
  "  body: {value: Stahl}\n  direction: {column: Winkel, unit: deg}\n  mass: {column: Last, unit: g}\n"     \
  "  force: {column: Kraft, unit: mN, u_rel: 0.01}\n  speed: {value: 100, unit: mm/min}\n"

static void forces_and_weights(void **state) {
  (void)state;
  fit_import im;
  assert_ok(read_table(
      FORCES, "Stoff;Winkel;Last;Kraft\nSerge;0;200;392,3\nSerge;0;200;400,1\nSerge;90;100,5;\n", &im, err));
  assert_int_equal(im.n_rows, 2);
  assert_int_equal(im.n_holes, 1);
  const double N = 0.2 * CB_STANDARD_GRAVITY_M_PER_S2;
  assert_near(im.rows[0].run.normal_force_N, N, 1e-15);
  assert_near(im.rows[0].point.kinetic_N, 0.3923, 1e-15);
  assert_near(im.rows[0].point.u_kinetic_N, 1e-4 / sqrt(12), 1e-15);
  assert_near(im.rows[0].run.u_normal_force_N, 1e-4 * CB_STANDARD_GRAVITY_M_PER_S2 / sqrt(12), 1e-15);
  assert_near(im.rows[0].run.speed_m_per_s, 0.1 / 60, 1e-15);
  assert_true(isnan(im.rows[0].point.static_N));
  assert_int_equal(im.rows[0].run.repeat, 1);
  assert_int_equal(im.rows[1].run.repeat, 2);
  assert_string_equal(im.rows[0].body, "Stahl");
  assert_near(im.calibration.u_rel, 0.01, 0);
  assert_near(im.holes[0].run.angle_deg, 90, 1e-12);
  fit_import_clear(&im);
}

static void coefficients_of_both_kinds(void **state) {
  (void)state;
  fit_import im;
  assert_ok(
      read_table("kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"
                 "  normal_force: {column: N, unit: N}\n  friction_coefficient: {column: mu_k, unit: \"1\"}\n"
                 "  static_coefficient: {column: mu_s, unit: \"1\"}\n",
                 "c,b,N,mu_k,mu_s\nSerge,Steel,2.0,0.20,0.25\nSerge,Steel,4.0,0.19,\n", &im, err));
  assert_int_equal(im.n_rows, 2);
  assert_near(im.rows[0].point.kinetic_N, 0.4, 1e-15);
  assert_near(im.rows[0].point.static_N, 0.5, 1e-15);
  assert_near(im.rows[0].point.mu_reported, 0.2, 0);
  assert_int_equal(im.rows[0].point.mu_reported_decimals, 2);
  assert_near(im.rows[0].point.u_kinetic_N, 0.01 * 2 / sqrt(12), 1e-15);
  assert_near(im.rows[0].run.angle_deg, 0, 0);
  assert_true(isnan(im.rows[1].point.static_N));
  fit_import_clear(&im);
}

/* A stated standard uncertainty joins that of the last digit; "0.5 1" halves an expanded one. */
static void stated_uncertainties(void **state) {
  (void)state;
  fit_import im;
  assert_ok(
      read_table("kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"
                 "  normal_force: {column: N, unit: N}\n  friction_coefficient: {column: mu, unit: \"1\"}\n"
                 "  u_friction_coefficient: {column: U, unit: \"0.5 1\"}\n",
                 "c,b,N,mu,U\nSerge,Steel,2.0,0.20,0.03\nSerge,Steel,4.0,0.19,\n", &im, err));
  assert_near(im.rows[0].point.u_kinetic_N, 2 * hypot(0.015, 0.01 / sqrt(12)), 1e-15);
  assert_near(im.rows[1].point.u_kinetic_N, 4 * 0.01 / sqrt(12), 1e-15);
  fit_import_clear(&im);
}

static void bad_tables_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *columns, *row, *says;
  } bad[] = {
      {"  force: {column: F, unit: N}\n", "Serge,Steel,2,1\n", "one of 'normal_force' and 'mass'"},
      {"  normal_force: {column: N, unit: N}\n", "Serge,Steel,2,1\n", "one of 'normal_force' and 'mass'"},
      {"  normal_force: {column: N, unit: N}\n  force: {column: F, unit: N}\n", "Serge,Steel,,1\n",
       "t.csv:2: the load is empty"},
      {"  normal_force: {column: N, unit: N}\n  force: {column: F, unit: N}\n", ",Steel,2,1\n",
       "t.csv:2: cloth ''"},
      {"  normal_force: {column: N, unit: N}\n  force: {column: F, unit: N}\n", "Serge,Steel,2,\n",
       "nothing but holes in 1 row"},
      {"  normal_force: {column: N, unit: N}\n  force: {column: F, unit: Pa}\n", "Serge,Steel,2,1\n", "Pa"},
      {"  normal_force: {column: N, unit: N}\n  force: {column: F, unit: N}\n", "Serge,Steel,-2,1\n",
       "normal_force = -2"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char mapping[600], table[200];
    fit_import im;
    cb_err err = {""};
    (void)snprintf(mapping, sizeof mapping,
                   "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n%s",
                   bad[i].columns);
    (void)snprintf(table, sizeof table, "c,b,N,F\n%s", bad[i].row);
    assert_int_not_equal(read_table(mapping, table, &im, &err), CB_OK);
    if (!strstr(err.msg, bad[i].says)) fail_msg("'%s' lacks '%s'", err.msg, bad[i].says);
    fit_import_clear(&im);
  }
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(forces_and_weights), T(coefficients_of_both_kinds),
                                     T(stated_uncertainties), T(bad_tables_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
