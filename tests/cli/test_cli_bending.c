/* import, fit and predict of bending as a person meets them: exact exit codes and both streams, for good and
 * bad input. */
#include "cb_num.h"
#include "clitest.h"
#include "fit_elastica.h"

static const char mapping[] = CB_SOURCE_DIR "/rigs/import/cantilever.yaml";
static const char kes_mapping[] = CB_SOURCE_DIR "/rigs/import/kes_fb2.yaml";

#define HEADER "cloth,specimen,direction_deg,side,overhang_mm,areal_density_g_per_m2\n"
static const char table[] = HEADER
    "Poplin,a,0,face,33.0,150\nPoplin,a,0,back,31.5,150\nPoplin,b,0,face,33.5,150\nPoplin,b,0,back,31.5,150\n"
    "Poplin,a,45,face,27.0,150\nPoplin,a,45,back,26.0,150\nPoplin,b,45,face,27.5,150\nPoplin,b,45,back,25.5,"
    "150\n"
    "Poplin,a,90,face,28.0,150\nPoplin,a,90,back,26.5,150\nPoplin,b,90,face,28.0,150\nPoplin,b,90,back,27.0,"
    "150\n";

static void import_table(const char *text) {
  char args[700];
  clit_put("table.csv", text);
  (void)snprintf(args, sizeof args, "import cantilever --mapping '%s' table.csv --db lab.db", mapping);
  clit_expect(args, 0, "imported", "");
}

/* 41.5 degrees: load 8.0042. */
static double by_hand(double overhang_mm) {
  return 0.15 * 9.80665 * pow(1e-3 * overhang_mm, 3) / 8.0041970326;
}

/* The same strips as overhangs at 41.5 degrees, as bending lengths, and as flexural rigidities. */
static void figures_of_the_standards(void **state) {
  (void)state;
  double B[3];
  static const char *const columns[] = {
      "overhang: {column: x, unit: mm}\n  chord_angle: {value: 41.5, unit: deg}",
      "bending_length: {column: x, unit: mm}", "flexural_rigidity: {column: x, unit: uN m}"};
  for (int i = 0; i < 3; i++) {
    char text[400];
    const double a_mm = 33, b_mm = 28, w_N_per_m2 = 0.15 * 9.80665;
    const double x[] = {i == 0   ? a_mm
                        : i == 1 ? a_mm / 2
                                 : 1e-3 * w_N_per_m2 * pow(a_mm / 2, 3),
                        i == 0   ? b_mm
                        : i == 1 ? b_mm / 2
                                 : 1e-3 * w_N_per_m2 * pow(b_mm / 2, 3)};
    (void)snprintf(
        text, sizeof text,
        "kind: cantilever\nsource: us\ncolumns:\n  material: {value: C%d}\n  direction: {column: d, unit: "
        "deg}\n  areal_density: {value: 150, unit: g/m2}\n  %s\n",
        i, columns[i]);
    clit_put("map.yaml", text);
    (void)snprintf(text, sizeof text, "d,x\n0,%.9f\n90,%.9f\n", x[0], x[1]);
    clit_put("figures.csv", text);
    clit_run("import cantilever --mapping map.yaml figures.csv --db figures.db", 0);
    (void)snprintf(text, sizeof text, "fit bending --cloth C%d --db figures.db --json", i);
    json_t *doc = clit_json(text, 0, "fit bending");
    B[i] = clit_number(json_object_get(doc, "law"), "B1_Nm");
    json_decref(doc);
  }
  assert_near(B[0] / by_hand(33), 1, 1e-8);
  assert_near(B[1] / B[0], 1, 1e-8);
  assert_near(B[2] / B[0], 1, 1e-8);
  clit_put("map.yaml",
           "kind: cantilever\nsource: us\ncolumns:\n  material: {value: C}\n  bending_length: {column: x, "
           "unit: mm}\n  chord_angle: {value: 30, unit: deg}\n");
  clit_expect("import cantilever --mapping map.yaml figures.csv --db figures.db", 1, "",
              "a bending length without one");
  clit_put("map.yaml",
           "kind: cantilever\nsource: us\ncolumns:\n  material: {value: C}\n  overhang: {column: x, "
           "unit: mm}\n");
  clit_expect("import cantilever --mapping map.yaml figures.csv --db figures.db", 1, "",
              "an overhang with its 'chord_angle'");
}

static void cantilevers(void **state) {
  (void)state;
  import_table(table);
  json_t *doc = clit_json("fit bending --cloth Poplin --db lab.db --json", 0, "fit bending");
  assert_string_equal(clit_last.err, "");
  const json_t *law = json_object_get(doc, "law"),
               *warp = json_array_get(json_object_get(doc, "directions"), 0);
  double B1 = clit_number(law, "B1_Nm"), want = (by_hand(33.0) + by_hand(33.5) + 2 * by_hand(31.5)) / 4;
  assert_near(B1 / want, 1, 1e-8);
  assert_near(clit_number(warp, "face_Nm"), (by_hand(33.0) + by_hand(33.5)) / 2, 1e-13);
  assert_near(clit_number(warp, "back_Nm"), by_hand(31.5), 1e-13);
  assert_int_equal(clit_number(doc, "specimens"), 6);
  json_t *said = clit_json(
      "predict bending --cloth Poplin --angle-deg 180 --db lab.db --overhang-mm 32.4 "
      "--areal-mass-g-m2 150 --json",
      0, "predict bending");
  /* What the store holds is what was printed, to the last bit. */
  assert_true(clit_number(said, "B_Nm") == B1);
  assert_near(clit_number(said, "chord_angle_deg"), 41.5, 0.5);
  assert_true(clit_number(said, "u_chord_angle_deg") > 0.1 && clit_number(said, "u_chord_angle_deg") < 2);
  assert_string_equal(json_string_value(json_object_get(said, "origin")), "imported");
  /* A strip that hangs is as stiff as it is at its own curvature. */
  fit_elastica strip = fit_elastica_of_load(0.15 * CB_STANDARD_GRAVITY_M_PER_S2 * pow(0.0324, 3) / B1);
  assert_near(clit_number(said, "curvature_per_m"), sqrt(strip.square_curvature) / 0.0324, 1e-9);
  json_decref(said);
  json_decref(doc);
  clit_expect("fit bending --cloth Poplin --db lab.db", 0, "form orthotropic", "");
  clit_expect("predict bending --cloth Poplin --angle-deg 30 --db lab.db", 0, "uN m (95 %", "");
  clit_expect("predict bending --cloth Poplin --angle-deg 30 --curvature-per-m 500 --db lab.db", 0,
              "outside the measured curvatures", "");
  clit_expect("predict bending --cloth Poplin --angle-deg 0 --overhang-mm 30 --db lab.db", 1, "",
              "--areal-mass-g-m2 was wanted");
  clit_expect(
      "predict bending --cloth Poplin --angle-deg 0 --overhang-mm 5000 --areal-mass-g-m2 150 --db "
      "lab.db",
      1, "", "straight down");
}

/* 0 -> 2.5 -> -2.5 -> 0 1/cm; B = 0.05 gf cm2/cm, 2HB = 0.04 gf cm/cm. */
static void kes_curves(void **state) {
  char *text = malloc(20000), args[700];
  (void)state;
  assert_non_null(text);
  size_t n = (size_t)snprintf(text, 20000, "cloth,specimen,direction_deg,K_per_cm,M_gf_cm_per_cm\n");
  for (int i = 0; i <= 200; i++) {
    double K = i <= 50 ? 0.05 * i : i <= 150 ? 2.5 - 0.05 * (i - 50) : -2.5 + 0.05 * (i - 150);
    double M = 0.05 * K + (i <= 50 || i > 150 ? 0.02 : -0.02);
    n += (size_t)snprintf(text + n, 20000 - n, "Denim,1,0,%.4f,%.6f\n", K, M);
  }
  clit_put("kes.csv", text);
  free(text);
  (void)snprintf(args, sizeof args, "import bending-moment --mapping '%s' kes.csv --db lab.db", kes_mapping);
  clit_expect(args, 0, "1 bending-moment test with 201 points", "");
  json_t *doc = clit_json("fit bending --cloth Denim --db lab.db --json", 0, "fit bending");
  const json_t *warp = json_array_get(json_object_get(doc, "directions"), 0);
  assert_near(clit_number(warp, "B_Nm"), 0.05 * 9.80665e-5, 1e-12);
  assert_near(clit_number(warp, "width_N"), 0.04 * 9.80665e-3, 1e-10);
  json_decref(doc);
  clit_expect("predict bending --cloth Denim --angle-deg 0 --db lab.db", 0, "4.9 +- 2.1 uN m (95 %)", "");
}

static void what_goes_wrong_is_told(void **state) {
  char args[700];
  (void)state;
  import_table(HEADER "Silk,a,0,face,20,\n");
  clit_expect("fit bending --cloth Silk --db lab.db", 3, "", "a cantilever without areal density");
  clit_expect("fit bending --cloth Silk --db lab.db --json", 3, "\"left_out\"", "--areal-mass-g-m2 tells it");
  clit_expect("fit bending --cloth Silk --areal-mass-g-m2 60 --db lab.db", 0, "1 specimen", "");
  clit_expect("fit bending --cloth Wool --db lab.db", 1, "", "no cloth named 'Wool'");
  clit_expect("fit bending --cloth Silk --test bending-moment --db lab.db", 1, "",
              "no bending-moment tests of 'Silk'");
  clit_expect("fit bending --cloth Silk --test drape --db lab.db", 2, "",
              "cantilever, bending-moment or buckling was wanted");
  clit_expect("fit bending --cloth Silk --origin lies --db lab.db", 2, "",
              "measured, imported, virtual or simulated was wanted");
  clit_expect("fit bending --cloth Silk --u-rel-areal-density 2 --db lab.db", 2, "", "--u-rel-areal-density");
  clit_expect("predict bending --cloth Silk --db lab.db", 2, "", "--angle-deg is required");
  clit_put("bad.csv", HEADER "Silk,b,0,up,20,60\n");
  (void)snprintf(args, sizeof args, "import cantilever --mapping '%s' bad.csv --db lab.db", mapping);
  clit_expect(args, 1, "", "bad.csv:2: side 'up': face or back");
  clit_put("kes.csv", "cloth,specimen,direction_deg,K_per_cm,M_gf_cm_per_cm\nSilk,1,0,0,0\nSilk,1,0,1,1\n");
  (void)snprintf(args, sizeof args, "import bending-moment --mapping '%s' kes.csv --db lab.db", kes_mapping);
  clit_expect(args, 0, "imported", "");
  clit_expect("fit bending --cloth Silk --db lab.db", 1, "", "--test cantilever, bending-moment or buckling");
  clit_expect("fit bending --cloth Silk --test bending-moment --db lab.db", 3, "",
              "does not cover curvatures");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(figures_of_the_standards, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(cantilevers, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(kes_curves, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(what_goes_wrong_is_told, cbt_folder_set_up, cbt_folder_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
