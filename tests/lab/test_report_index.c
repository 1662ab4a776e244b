/* The index of a database: every pair with its coefficient or its gap, every cloth with what is known of it.
 */
#include "cb_store.h"
#include "clitest.h"

#define MAPPING                                                                       \
  "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n" \
  "  normal_force: {column: N, unit: N}\n  friction_coefficient: {column: mu, unit: \"1\"}\n"

static char *read_index(const char *folder) {
  char path[500], name[100], *text;
  size_t n;
  (void)snprintf(name, sizeof name, "%s/index.html", folder);
  assert_ok(cb_file_read(cbt_path(name, path), 1 << 22, &text, &n, err));
  return text;
}

static void expect_in(const char *page, const char *wanted) {
  if (!strstr(page, wanted)) fail_msg("the index lacks '%s'", wanted);
}

/* Ten cloths on five bodies, and no other body: no gap in the matrix; the typed drape of a KES sheet; nothing
 * that is not there.
 */
static void the_reference_has_its_matrix(void **state) {
  (void)state;
  clit_run("report --index --db " CB_SOURCE_DIR "/materials.db --out pages", 0);
  char *page = read_index("pages");
  expect_in(page, "reference database");
  expect_in(page, "103 cloths, 7 bodies, 917 runs, 50 friction laws");
  expect_in(page,
            "<td class=\"t\">Royal Target</td><td>1.071 \u00b1 0.027</td><td>0.5584 \u00b1 0.0090</td>");
  expect_in(page, "<td>0.223 (1)</td>");
  expect_in(page,
            "<td class=\"t\">Royal "
            "Target</td><td>\u2713</td><td>\u2013</td><td>\u2013</td><td>\u2013</td><td>\u2013</td>"
            "<td>\u2013</td><td>\u2013</td><td>\u2713</td>");
  expect_in(page, "All of it is known of 0 of 103.");
  char *end = strstr(page, "<h2>Cloths</h2>");
  assert_non_null(end);
  *end = '\0';
  assert_null(strstr(page, "\u2013</td>"));
  assert_null(strstr(page, "<script"));
  free(page);
  clit_run("report --index --db " CB_SOURCE_DIR "/materials.db --out pages", 0); /* over itself */
}

static void gaps_and_newer_runs_are_seen(void **state) {
  (void)state;
  clit_put("map.yaml", MAPPING);
  clit_put("a.csv",
           "c,b,N,mu\nSerge,Steel,1,0.20\nSerge,Steel,2,0.20\nSerge,Steel,4,0.20\nVoile <b>,Brass,1,0.3\n");
  clit_run("import friction --mapping map.yaml a.csv --db lab.db", 0);
  clit_run("fit friction --cloth Serge --body Steel --db lab.db", 0);
  clit_run("report --index --db lab.db --out one", 0);
  char *page = read_index("one");
  expect_in(page, "<td class=\"t\">Serge</td><td class=\"note\">\u2013</td><td>0.2");
  expect_in(page, "Voile &lt;b&gt;");
  expect_in(page, "<table class=\"wide\"><tr><th class=\"t\">cloth</th><th>areal density");
  expect_in(page, ".wide td{white-space:normal}");
  free(page);
  clit_put("b.csv", "c,b,N,mu\nSerge,Steel,8,0.19\nSerge,Brass,1,0.31\n");
  clit_run("import friction --mapping map.yaml b.csv --db lab.db", 0);
  clit_run("report --index --db lab.db --out two", 0);
  page = read_index("two");
  expect_in(page, "<span class=\"bad\">+1 run</span>");
  expect_in(page, "<td class=\"note\">not fitted</td>");
  free(page);
}

static void verdicts_are_counted(void **state) {
  (void)state;
  clit_run("db merge " CB_SOURCE_DIR "/materials.db --db lab.db", 0);
  clit_run(
      "validate stack 'White Filti (nW11)' 'Flannel (W4)' --measured 'White Filti & Flannel (Combo D)' --db "
      "lab.db",
      0);
  clit_run("report --index --db lab.db --out pages", 0);
  char *page = read_index("pages");
  expect_in(page, "<td class=\"t\">stack</td><td>1</td><td class=\"good\">1</td>");
  expect_in(page, ", 1 verdict</p>");
  free(page);
}

/* One run while the calibration was valid, one after; the calibration itself ran out long ago. */
static void add_runs(void) {
  char path[400];
  cb_store *s;
  cb_friction_obs *obs;
  size_t n;
  cb_material cloth, body;
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_material_find(s, CB_CLOTH, "Serge", &cloth, err));
  assert_ok(cb_store_material_find(s, CB_BODY, "Steel", &body, err));
  assert_ok(cb_store_observations(s, cloth.id, body.id, &obs, &n, err));
  assert_true(n > 0);
  cb_calibration old = {.kind = CB_CALIBRATION_DECLARED,
                        .origin = CB_MEASURED,
                        .cell = "S <1>",
                        .unit = "N",
                        .slope_N_per_unit = 1,
                        .u_rel = 0.01,
                        .valid_from = "2000-01-01",
                        .valid_until = "2001-01-01"};
  assert_ok(cb_store_rig_ensure(s, "rig", "name: rig\n", &old.rig_id, err));
  assert_ok(cb_store_calibration_ensure(s, &old, err));
  cb_calibration now = old;
  (void)snprintf(now.valid_until, sizeof now.valid_until, "9999-01-01");
  now.id = 0;
  assert_ok(cb_store_calibration_ensure(s, &now, err));
  for (int i = 0; i < 2; i++) {
    cb_run r = obs[0].run;
    r.origin = CB_MEASURED;
    r.status = CB_RUN_RUNNING;
    r.finished_at[0] = '\0';
    r.calibration_id = i == 0 ? old.id : now.id;
    assert_ok(cb_store_run_put(s, &r, err));
    assert_ok(cb_store_run_finish(s, r.id, CB_RUN_DONE, "", err));
    cb_friction_point p = obs[0].point;
    p.id = 0, p.run_id = r.id;
    assert_ok(cb_store_point_put(s, &p, err));
  }
  free(obs);
  assert_ok(cb_store_close(s, err));
}

static void calibrations_that_ran_out_are_told(void **state) {
  (void)state;
  clit_put("map.yaml", MAPPING);
  clit_put("a.csv", "c,b,N,mu\nSerge,Steel,1,0.20\nSerge,Steel,2,0.20\nSerge,Steel,4,0.20\n");
  clit_run("import friction --mapping map.yaml a.csv --db lab.db", 0);
  add_runs();
  clit_run("fit friction --cloth Serge --body Steel --db lab.db", 0);
  clit_run("report --index --db lab.db --out pages", 0);
  char *page = read_index("pages");
  expect_in(page, "<span class=\"bad\">1 run without valid calibration</span>");
  expect_in(page, "<h2>Calibrations on 20");
  expect_in(page,
            "<td class=\"t\">S &lt;1&gt;</td><td class=\"t\">declared</td><td "
            "class=\"t\">2000-01-01</td><td class=\"t\">2001-01-01</td><td class=\"bad "
            "t\">expired</td><td>1</td><td class=\"bad\">1</td>");
  expect_in(page, "<td class=\"good t\">valid</td><td>1</td><td class=\"note\">0</td>");
  free(page);
}

static void wrong_usage(void **state) {
  (void)state;
  clit_run("report --index --all --db " CB_SOURCE_DIR "/materials.db --out pages", 2);
  clit_put("notes.txt", "mine");
  clit_run("report --index --db none.db --out pages", 1);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(the_reference_has_its_matrix), T(gaps_and_newer_runs_are_seen),
                                     T(verdicts_are_counted), T(calibrations_that_ran_out_are_told),
                                     T(wrong_usage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
