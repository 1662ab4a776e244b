/* Tidy tables: what is in the database is in the table, to the last digit, and every column is explained. */
#include <math.h>
#include <sys/wait.h>

#include "cb_store.h"
#include "clitest.h"
#include "csvtest.h"

static void import_runs(void) {
  clit_put("map.yaml",
           "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"
           "  direction: {column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n  force: {column: "
           "F, unit: N}\n");
  clit_put("runs.csv",
           "c,b,deg,N,F\n\"Serge, 2/1\",Steel,0,1,0.2013\n\"Serge, 2/1\",Steel,0,2,0.3904\n"
           "\"Serge, 2/1\",Steel,90,1,0.2204\n\"Serge, 2/1\",Steel,90,2,0.4310\n");
  clit_run("import friction --mapping map.yaml runs.csv --db lab.db", 0);
  clit_run("fit friction --db lab.db", 0);
  clit_run("db void 3 --reason bumped --db lab.db", 0);
}

static cb_csv *read_table(const char *name) {
  char path[400], *text = clit_get(name);
  cb_csv *csv;
  const cb_csv_options opt = cb_csv_options_default();
  assert_ok(cb_csv_parse(text, strlen(text), cbt_path(name, path), &opt, &csv, err));
  free(text);
  return csv;
}

static double number(const cb_csv *csv, size_t row, const char *column) {
  size_t index;
  double value;
  assert_ok(cb_csv_find(csv, column, &index, err));
  assert_ok(cb_csv_number(csv, row, index, -HUGE_VAL, HUGE_VAL, &value, NULL, err));
  return value;
}

static const char *word(const cb_csv *csv, size_t row, const char *column) {
  size_t index;
  assert_ok(cb_csv_find(csv, column, &index, err));
  return cb_csv_cell(csv, row, index);
}

/* Each column of the table is a row of its dictionary, in the same order. */
static void expect_explained(const char *table, const char *dictionary) {
  cb_csv *csv = read_table(table), *columns = read_table(dictionary);
  for (size_t i = 0; i < cb_csv_rows(columns); i++)
    assert_string_equal(cb_csv_cell(columns, i, 0), cb_csv_header(csv, i));
  assert_null(cb_csv_header(csv, cb_csv_rows(columns)));
  cb_csv_free(csv);
  cb_csv_free(columns);
}

static void points_to_the_last_digit(void **state) {
  (void)state;
  import_runs();
  clit_expect("export points --out points.csv --db lab.db", 0, "points.csv\npoints.columns.csv\n", "");
  cb_csv *csv = read_table("points.csv");
  assert_int_equal(cb_csv_rows(csv), 4);
  assert_true(number(csv, 1, "kinetic_N") == 0.3904);
  assert_true(number(csv, 1, "mu_kinetic") == 0.3904 / 2);
  assert_string_equal(word(csv, 1, "static_N"), "");
  assert_string_equal(word(csv, 2, "status"), "voided");
  assert_string_equal(word(csv, 0, "cloth"), "Serge, 2/1");
  cb_csv_free(csv);
  expect_explained("points.csv", "points.columns.csv");
}

static void runs_and_laws(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  cb_friction_law law;
  import_runs();
  clit_run("export runs 2 3 --out runs.tidy.csv --db lab.db", 0);
  cb_csv *csv = read_table("runs.tidy.csv");
  assert_int_equal(cb_csv_rows(csv), 2);
  assert_true(number(csv, 1, "run_id") == 3 && number(csv, 1, "angle_deg") == 90);
  assert_string_equal(word(csv, 1, "reason"), "bumped");
  cb_csv_free(csv);
  expect_explained("runs.tidy.csv", "runs.tidy.columns.csv");
  clit_run("export laws --out laws.csv --db lab.db", 0);
  csv = read_table("laws.csv");
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_law_find(s, "Serge, 2/1", "Steel", CB_FRICTION_KINETIC, &law, err));
  assert_ok(cb_store_close(s, err));
  assert_int_equal(cb_csv_rows(csv), law.n_knots);
  for (size_t k = 0; k < law.n_knots; k++) assert_true(number(csv, k, "f00_N") == law.knots[k].f_N[0]);
  cb_csv_free(csv);
  expect_explained("laws.csv", "laws.columns.csv");
}

/* A trace of the virtual rig: as many samples as the store has, with their times. */
static void traces(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  cb_run run;
  cb_trace trace;
  clit_put("one.yaml",
           "name: one\nkind: friction\ncloth: C\nbody: B\nangles_deg: [45]\nadded_masses_g: [50]\n"
           "repeats: 1\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 10\nzero_s: 0.5\n");
  clit_run("run one.yaml --rig " CB_SOURCE_DIR "/rigs/virtual.yaml --db lab.db --yes", 0);
  clit_run("export traces 1 --out traces.csv --db lab.db", 0); /* it may have been made again */
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_run_get(s, 1, &run, err));
  assert_ok(cb_store_trace(s, &run, &trace, err));
  cb_csv *csv = read_table("traces.csv");
  assert_int_equal(cb_csv_rows(csv), trace.force_N.n + trace.position_m.n);
  assert_true(number(csv, 7, "value") == trace.force_N.v[7] &&
              number(csv, 7, "time_s") == trace.force_N.t_s[7]);
  assert_string_equal(word(csv, trace.force_N.n, "channel"), "position");
  cb_csv_free(csv);
  cb_trace_clear(&trace);
  assert_ok(cb_store_close(s, err));
  expect_explained("traces.csv", "traces.columns.csv");
}

/* The lines of docs/guide/query.md, where pandas is installed. */
static void pandas_reads_them(void **state) {
  (void)state;
  char command[900];
  if (system("python3 -c 'import pandas' 2>/dev/null") != 0) {
    print_message("python3-pandas is not installed: skipped\n");
    skip();
  }
  import_runs();
  clit_run("export points --out points.csv --db lab.db", 0);
  (void)snprintf(
      command, sizeof command,
      "cd '%s' && python3 -c \"import pandas as pd; p = pd.read_csv('points.csv'); "
      "p = p[p.status == 'done']; print(p.groupby(['cloth', 'body']).mu_kinetic.mean())\" | grep -q 0.2040",
      cbt_folder);
  assert_int_equal(system(command), 0);
}

static void bad_requests_are_refused(void **state) {
  (void)state;
  import_runs();
  clit_expect("export points 99 --out p.csv --db lab.db", 1, "", "no run 99");
  clit_expect("export points one --out p.csv --db lab.db", 2, "", "the number of a run was wanted");
  clit_expect("export laws 1 --out p.csv --db lab.db", 2, "", "laws are exported all at once");
  clit_expect("export fish --out p.csv --db lab.db", 2, "", "'fish'");
  clit_expect("export material Serge --out p.csv --db lab.db", 2, "", "--format");
  clit_expect("export points --out lab.db --db lab.db", 1, "", "which this command reads");
  char path[400];
  assert_int_not_equal(access(cbt_path("p.csv", path), F_OK), 0);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(points_to_the_last_digit), T(runs_and_laws), T(traces),
                                     T(pandas_reads_them), T(bad_requests_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
