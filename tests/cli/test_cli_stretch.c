/* import, fit and predict stretch as a person meets them: exact exit codes and both streams; the stored law
 * is the fitted one, bit for bit.
 */
#include "cb_store.h"
#include "cb_store_file.h"
#include "cb_store_material_test.h"
#include "clitest.h"
#include "stretchtest.h"

#define DB " --db lab.db"
#define CLOTH " --cloth Twill" DB

static const char mapping[] =
    "kind: stretch\nmethod: strip\nsource: invented for a test\ncolumns:\n"
    "  material: {value: Twill}\n  direction: {column: angle, unit: deg}\n  repeat: {column: repeat}\n"
    "  displacement: {column: d, unit: mm}\n  force: {column: f, unit: N, u_rel: 0.01}\n"
    "  length: {value: 100, unit: mm}\n  width: {value: 50, unit: mm}\n";

static st_lab lab;

static double sheet(double e, const double *p) { return p[0] * e + p[1] * e * e; }

/* Up and down, two repeats in three directions, one reading off. */
static void write_table(const double *angles, size_t n) {
  char path[300];
  (void)snprintf(path, sizeof path, "%s/table.csv", cbt_folder);
  FILE *f = fopen(path, "w");
  fprintf(f, "angle,repeat,d,f\n");
  for (size_t k = 0; k < n; k++)
    for (int repeat = 1; repeat <= 2; repeat++)
      for (int i = 0; i <= 38; i++) {
        int step = i <= 19 ? i : 38 - i;
        double e = 0.05 * step / 19, soft = angles[k] == 45 ? 0.2 : 1 + angles[k] / 90,
               p[] = {2000 * soft * (1 + 0.05 * repeat), 1e4};
        double force =
            0.05 * sheet(e, p) * (i > 19 ? e / 0.05 : 1) + (k == 0 && repeat == 2 && i == 9 ? 3 : 0);
        fprintf(f, "%g,%d,%.17g,%.17g\n", angles[k], repeat, 100 * e, force);
      }
  assert_int_equal(fclose(f), 0);
}

static int import_three(void **state) {
  (void)cbt_folder_set_up(state);
  clit_put("map.yaml", mapping);
  write_table((double[]){0, 45, 90}, 3);
  clit_expect("import stretch --mapping map.yaml table.csv" DB, 0, "6 stretch tests with 234 points", "");
  return 0;
}

static int import_two(void **state) {
  (void)cbt_folder_set_up(state);
  clit_put("map.yaml", mapping);
  write_table((double[]){0, 90}, 2);
  clit_expect("import stretch --mapping map.yaml table.csv" DB, 0, "4 stretch tests", "");
  return 0;
}

static void fit_and_predict(void **state) {
  (void)state;
  json_t *doc = clit_json("fit stretch --json" CLOTH, 0, "fit stretch");
  const json_t *warp = json_array_get(json_object_get(doc, "directions"), 0),
               *outliers = json_object_get(doc, "outliers");
  assert_int_equal(json_array_size(json_object_get(doc, "directions")), 3);
  assert_int_equal(clit_number(warp, "n_tests"), 2);
  clit_expect("db ls" DB, 0, ", 6 tests\nlaw       S1    stretch       Twill, ", "");
  json_t *list = clit_json("db ls --json" DB, 0, "db ls"),
         *law = json_array_get(json_object_get(list, "laws"), 0);
  assert_string_equal(json_string_value(json_object_get(law, "law")), "stretch");
  assert_int_equal(clit_number(law, "tests"), 6);
  json_decref(list);
  /* (k/3 + q e/4) / (k/2 + q e/3) */
  assert_near(clit_number(json_object_get(warp, "kes"), "rt"), 0.678, 0.005);
  assert_int_equal(json_array_size(outliers), 1);
  assert_int_equal(clit_number(json_array_get(outliers, 0), "point"), 10);
  assert_int_equal(clit_number(json_array_get(outliers, 0), "test_id"), 2);
  assert_near(clit_number(doc, "u_force_rel"), 0.01, 0);
  json_decref(doc);
  doc = clit_json("predict stretch --angle-deg 45 --strain 0.02 --json" CLOTH, 0, "predict stretch");
  /* Factors 1.05 and 1.1 of a straight stiffness of 400 N/m, and 1e4 e^2. */
  assert_near(clit_number(doc, "force_N_per_m"), 400 * 1.075 * 0.02 + 1e4 * 0.0004, 0.05);
  assert_string_equal(json_string_value(json_object_get(doc, "basis")), "curve");
  /* one degree of freedom */
  assert_true(clit_number(doc, "sd_N_per_m") > 0 &&
              clit_number(doc, "u95_N_per_m") > 12 * clit_number(doc, "u_N_per_m"));
  json_decref(doc);
  doc = clit_json("predict stretch --angle-deg=-30 --strain 0.02 --json" CLOTH, 0, NULL);
  assert_string_equal(json_string_value(json_object_get(doc, "basis")), "form");
  assert_true(clit_number(doc, "u_form_N_per_m") > 0);
  json_decref(doc);
}

/* The strain at a force is the one that has the force. */
static void predict_strain_at_a_force(void **state) {
  (void)state;
  clit_expect("fit stretch" CLOTH, 0, "Twill, stretch, imported", "");
  json_t *doc = clit_json("predict stretch --angle-deg 20 --force-N-per-m 25 --json" CLOTH, 0, NULL);
  assert_near(clit_number(doc, "force_N_per_m"), 25, 1e-9);
  assert_near(clit_number(doc, "u_strain"), clit_number(doc, "u_N_per_m") / clit_number(doc, "slope_N_per_m"),
              1e-12);
  json_decref(doc);
  clit_expect("predict stretch --angle-deg 20 --strain 0.02" CLOTH, 0,
              "from other directions by the form 'strip'", "");
  clit_expect("predict stretch --angle-deg 0 --strain 0.08" CLOTH, 0, "outside the measured strains", "");
  clit_expect("predict stretch --angle-deg 0 --force-N-per-m 1e6" CLOTH, 3, "", "is not reached");
}

/* What the program wrote and read back gives the numbers of the law in memory, to the last bit. */
static void a_stored_law_is_the_fitted_one(void **state) {
  (void)state;
  char path[300], args[200];
  cb_store *s;
  cb_material_test *tests;
  size_t n;
  fit_stretch_result fitted;
  clit_expect("fit stretch" CLOTH, 0, "Twill", "");
  (void)snprintf(path, sizeof path, "%s/lab.db", cbt_folder);
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
  assert_ok(cb_store_tests(s, 0, CB_TEST_STRETCH, &tests, &n, err));
  cb_test_point *points[6];
  assert_int_equal(n, 6);
  lab.n = n;
  for (size_t i = 0; i < n; i++) {
    assert_ok(cb_store_test_points(s, &tests[i], &points[i], &lab.inputs[i].n, err));
    lab.inputs[i].test = &tests[i], lab.inputs[i].points = points[i];
  }
  st_fit(&lab, &fitted);
  for (double angle = 0; angle <= 90; angle += 22.5) {
    cb_stretch_value v;
    cb_stretch_eval(&fitted.law, angle, 0.0317, &v);
    (void)snprintf(args, sizeof args, "predict stretch --angle-deg %g --strain 0.0317 --json" CLOTH, angle);
    json_t *doc = clit_json(args, 0, NULL);
    assert_true(clit_number(doc, "force_N_per_m") == v.force_N_per_m &&
                clit_number(doc, "u_N_per_m") == v.u_N_per_m);
    assert_true(clit_number(doc, "sd_N_per_m") == v.sd_N_per_m && clit_number(doc, "dof") == v.dof);
    json_decref(doc);
  }
  fit_stretch_clear(&fitted);
  for (size_t i = 0; i < n; i++) free(points[i]);
  free(tests);
  assert_ok(cb_store_close(s, err));
}

static void without_the_bias_nothing_between_is_known(void **state) {
  (void)state;
  clit_expect("fit stretch" CLOTH, 0, "other directions: not known", "");
  clit_expect("predict stretch --angle-deg 30 --strain 0.02" CLOTH, 3, "", "no three directions tell");
  clit_expect("predict stretch --angle-deg 90 --strain 0.02" CLOTH, 0, "one test differs from another", "");
}

/* The two numbers give the measured curve back, to the misfit that they tell. */
static void particles_pull_as_the_cloth(void **state) {
  (void)state;
  clit_run("fit stretch" CLOTH, 0);
  json_t *doc = clit_json("predict particles --cell-mm 10 --json" CLOTH, 0, "predict particles"), *row;
  const double area = clit_number(doc, "triangle_area_m2"), strain = 0.02;
  size_t i;
  assert_near(area, 5e-5, 1e-12);
  assert_int_equal(json_array_size(json_object_get(doc, "directions")), 2);
  json_array_foreach(json_object_get(doc, "directions"), i, row) {
    char words[200];
    (void)snprintf(words, sizeof words, "predict stretch --angle-deg %d --strain 0.02 --json" CLOTH,
                   (int)(90 * i));
    json_t *curve = clit_json(words, 0, NULL);
    const double measured = clit_number(curve, "force_N_per_m");
    const double k = clit_number(row, "k_N_per_m"), lambda = clit_number(row, "lambda_N_per_m3");
    const double largest = k * 0.05 + lambda * area * pow(0.05, 3); /* at the last strain that was tested */
    assert_near(k * strain + lambda * area * pow(strain, 3), measured,
                3 * clit_number(row, "cubic_misfit_rel") * largest); /* the misfit is an rms */
    json_decref(curve);
  }
  json_decref(doc);
  clit_expect("predict particles" CLOTH, 2, "", "--cell-mm is required");
  clit_expect("predict particles --cell-mm 0" CLOTH, 2, "", "--cell-mm = 0: must be");
}

/* What is cut is said and drawn, and --raw-origin cuts nothing. */
static void slack_is_said(void **state) {
  (void)state;
  clit_put("map.yaml", mapping);
  char table[1500] = "angle,repeat,d,f\n";
  for (int i = 0; i <= 20; i++)
    (void)snprintf(table + strlen(table), sizeof table - strlen(table), "0,1,%g,%.2f\n", 0.5 * i,
                   i == 0 ? 0.12 : fmax(0, 5 * (0.5 * i - 1.3)));
  clit_put("slack.csv", table);
  clit_run("import stretch --mapping map.yaml slack.csv --db slack.db", 0);
  clit_expect("fit stretch --cloth Twill --db slack.db", 0,
              "  test 1: strain 0 is 1.30 +- 0.17 mm (95 %) behind the first reading: slack is cut\n"
              "  --raw-origin counts strain from the first reading",
              "");
  clit_run("plot stretch --cloth Twill --out p.csv --db slack.db", 0);
  char *drawn = clit_get("p.csv");
  assert_non_null(strstr(drawn, "-1.28331")); /* the first reading, in % of 101.3 mm */
  assert_non_null(strstr(drawn, "strain 0, 95 %"));
  free(drawn);
  clit_expect("fit stretch --cloth Twill --raw-origin --pretension-N-per-m 5 --db slack.db", 2, "",
              "one of them was wanted");
  clit_run("fit stretch --cloth Twill --raw-origin --db slack.db", 0);
  assert_null(strstr(clit_last.out, "slack is cut"));
}

static void wrong_usage_is_said(void **state) {
  (void)state;
  clit_expect("predict stretch --angle-deg 0 --strain 0.02" CLOTH, 1, "", "'Twill' has no law of stretch");
  clit_expect("fit stretch --cloth Denim" DB, 1, "", "Denim");
  clit_expect("fit stretch --origin virtual" CLOTH, 1, "", "no virtual stretch tests of 'Twill'");
  clit_expect("fit stretch --origin dreamt" CLOTH, 2, "",
              "measured, imported, virtual or simulated was wanted");
  clit_expect("predict stretch --angle-deg 0" CLOTH, 2, "", "either --strain or --force-N-per-m");
  clit_expect("predict stretch --angle-deg 0 --strain 0.1 --force-N-per-m 3" CLOTH, 2, "",
              "either --strain or --force-N-per-m");
  clit_expect("fit stretch --pretension-N-per-m 1e5" CLOTH, 3, "",
              "no test shows a force that grows with extension; no law was stored");
}

/* Strips do not show Poisson's ratio: the shear modulus that other programs get is that of 0, and its u
 * reaches that of 0.5. */
static void an_exported_shear_modulus_knows_its_assumption(void **state) {
  (void)state;
  json_t *doc = clit_json("fit stretch --json" CLOTH, 0, NULL);
  const json_t *m = json_object_get(json_object_get(doc, "moduli"), "tensor");
  clit_expect("export material Twill --format clo --out clo.csv" DB, 0, "", "clo.csv");
  char *text = clit_get("clo.csv"), *at = strstr(text, "\nShear,fHK,g/s2,"), *end;
  assert_non_null(at);
  double g = 1e-3 * strtod(at + strlen("\nShear,fHK,g/s2,"), &end), u = 1e-3 * strtod(end + 1, NULL);
  assert_near(g, clit_number(m, "g12_N_per_m_if_nu12_0"), 1e-6 * g);
  double least = 1 / clit_number(m, "g12_N_per_m_if_nu12_0.5") - 1 / g,
         cross = clit_number(m, "u_cross_m_per_N");
  assert_near(u, g * g * hypot(least / sqrt(3), cross), 1e-2 * u);
  free(text);
  json_decref(doc);
}

/* What turns a strain into a way, and a force per width into a force, may be missing in a row: that row is a
 * hole, not a force of 0. */
static void a_row_without_its_width_is_a_hole(void **state) {
  (void)state;
  char path[300];
  (void)snprintf(path, sizeof path, "%s/map.yaml", cbt_folder);
  cbt_write(
      path,
      "kind: stretch\nsource: invented for a test\ncolumns:\n"
      "  material: {value: Twill}\n  direction: {value: 0, unit: deg}\n  strain: {column: e, unit: '%'}\n"
      "  force_per_width: {column: f, unit: N/m}\n  width: {column: w, unit: mm}\n  length: {column: l, "
      "unit: mm}\n");
  clit_put("table.csv", "e,f,w,l\n0,0,,100\n0,0,50,\n0,0,50,100\n1,10,50,100\n2,20,50,100\n3,30,50,100\n");
  clit_expect("import stretch --mapping map.yaml table.csv" DB, 0, "1 stretch test with 4 points",
              "2 holes were skipped");
  clit_expect("fit stretch" CLOTH, 0, "to 3.0 %", "");
  clit_expect("predict stretch --angle-deg 0 --strain 0.02" CLOTH, 0, "force 20 +- 43 N/m (95 %)", "");
}

int main(void) {
#define THREE(f) cmocka_unit_test_setup_teardown(f, import_three, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {
      THREE(fit_and_predict),
      THREE(predict_strain_at_a_force),
      THREE(a_stored_law_is_the_fitted_one),
      cmocka_unit_test_setup_teardown(without_the_bias_nothing_between_is_known, import_two,
                                      cbt_folder_tear_down),
      THREE(an_exported_shear_modulus_knows_its_assumption),
      THREE(particles_pull_as_the_cloth),
      THREE(wrong_usage_is_said),
      cmocka_unit_test_setup_teardown(slack_is_said, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_row_without_its_width_is_a_hole, cbt_folder_set_up,
                                      cbt_folder_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
