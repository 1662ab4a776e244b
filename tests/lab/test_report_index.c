/* The index of a database: every pair with its coefficient or its gap, every cloth with what is known of it.
 */
#include <math.h>

#include "cb_permeability_law.h"
#include "cb_plus_minus.h"
#include "cb_stats.h"
#include "cb_store_query.h"
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

/* ---- the page and the view v_material ---- */

#define DOF(name)                                                                                        \
  ", (SELECT v.dof FROM law_number v JOIN material_law l ON l.id = v.law_id JOIN material_now k ON "     \
  "k.id = l.material_id JOIN material_now i ON i.id = k.is_id WHERE i.name = m.name AND v.name = '" name \
  "' ORDER BY l.id DESC LIMIT 1)"
static const char cloths[] =
    "SELECT areal_density_g_per_m2, u_areal_density_g_per_m2, NULL, thickness_mm, u_thickness_mm, NULL, "
    "stretch_warp_N_per_m, u_stretch_warp_N_per_m" DOF("stretch_warp_N_per_m")
    ", stretch_weft_N_per_m, u_stretch_weft_N_per_m" DOF("stretch_weft_N_per_m")
    ", bending_warp_uNm, u_bending_warp_uNm" DOF("bending_warp_Nm")
    ", bending_weft_uNm, u_bending_weft_uNm" DOF("bending_weft_Nm")
    ", air_mm_per_s, u_air_mm_per_s" DOF("air_m_per_s") ", drape_coefficient, n_drapes"
    " FROM v_material m WHERE kind = 'cloth' ORDER BY name";

static double cell_of(const json_t *row, size_t i) {
  const json_t *v = json_array_get(row, i);
  return json_is_number(v) ? json_number_value(v) : NAN;
}

/* As the page has them: value, u and degrees of freedom of six; 95 % of mass and thickness is twice u. */
static void write_cells(const json_t *row, char out[800]) {
  char text[CB_PLUS_MINUS];
  size_t n = 0;
  for (size_t i = 0; i < 18; i += 3) {
    const double value = cell_of(row, i), u = cell_of(row, i + 1), dof = cell_of(row, i + 2);
    const double U = i < 6 ? 2 * u : cb_student_t(0.95, dof) * u;
    n += (size_t)snprintf(out + n, 800 - n, "<td>%s</td>",
                          isnan(value) ? "\u2013" : cb_plus_minus(value, U, " \u00b1 ", text));
  }
  const double v = cell_of(row, 18), f = cb_permeability_factor(cell_of(row, 19) / v, cell_of(row, 20));
  n += (size_t)snprintf(out + n, 800 - n, isnan(v) ? "<td>\u2013</td>" : "<td>%.3g (%.3g \u2026 %.3g)</td>",
                        v, v / f, v * f);
  (void)snprintf(out + n, 800 - n,
                 isnan(cell_of(row, 21)) ? "<td>\u2013</td></tr>" : "<td>%.3f (%.0f)</td></tr>",
                 cell_of(row, 21), cell_of(row, 22));
}

static void compare_with_view(const char *db, size_t wanted) {
  char path[400], args[500], cells[800];
  cb_store *s;
  json_t *doc, *row;
  size_t i;
  (void)snprintf(path, sizeof path, "%s", db);
  if (db[0] != '/') (void)cbt_path(db, path);
  (void)snprintf(args, sizeof args, "report --index --db %s --out pages", path);
  clit_run(args, 0);
  char *page = read_index("pages"), *at = strstr(page, "<h2>Cloths</h2>");
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
  assert_ok(cb_store_query(s, cloths, NULL, 0, &doc, err));
  json_array_foreach(json_object_get(doc, "rows"), i, row) {
    at = at ? strstr(at, "<tr><td class=\"t\">") : NULL;
    at = at ? strstr(at, "</td>") : NULL;
    write_cells(row, cells);
    if (!at || strncmp(at + 5, cells, strlen(cells)) != 0)
      fail_msg("row %zu: the page has '%.300s', the view '%s'", i, at, cells);
  }
  assert_int_equal(i, wanted);
  json_decref(doc);
  assert_ok(cb_store_close(s, err));
  free(page);
}

/* Of the reference, and of a file where two names mean one cloth: its newest laws, its drapes and its tests
 * are those of both. */
static void the_view_of_materials_has_the_same_numbers(void **state) {
  (void)state;
  compare_with_view(CB_SOURCE_DIR "/materials.db", 103);
  clit_run("db merge " CB_SOURCE_DIR "/materials.db --db lab.db", 0);
  clit_run("db alias 'Petrak M1, polyester twill' 'Petrak M2, polyester plain' --reason r --db lab.db", 0);
  clit_run("db alias 'Flannel (W4)' 'Acrylic rib' --reason r --db lab.db", 0);
  compare_with_view("lab.db", 101);
}

static void wrong_usage(void **state) {
  (void)state;
  clit_run("report --index --all --db " CB_SOURCE_DIR "/materials.db --out pages", 2);
  clit_put("notes.txt", "mine");
  clit_run("report --index --db none.db --out pages", 1);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(the_reference_has_its_matrix),
                                     T(gaps_and_newer_runs_are_seen),
                                     T(verdicts_are_counted),
                                     T(calibrations_that_ran_out_are_told),
                                     T(the_view_of_materials_has_the_same_numbers),
                                     T(wrong_usage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
