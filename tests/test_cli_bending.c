/* import, fit and predict of bending as a person meets them: exact exit codes and both streams, for good and bad input. */
#include <jansson.h>

#include "cb_num.h"
#include "cbtest.h"
#include "jsonpage.h"

static cbt_result r;

static void put(const char *name, const char *text) {
  char path[400];
  (void)snprintf(path, sizeof path, "%s/%s", cbt_folder, name);
  cbt_write(path, text);
}

static void expect(const char *args, int code, const char *out, const char *err) {
  cbt_run(&r, cbt_folder, args);
  if (r.code != code) fail_msg("%s: exit %d, %d was wanted: %s", args, r.code, code, r.err);
  if (out[0] ? !strstr(r.out, out) : r.out[0]) fail_msg("%s: stdout is '%s', '%s' was wanted", args, r.out, out);
  if (err[0] ? !strstr(r.err, err) : r.err[0]) fail_msg("%s: stderr is '%s', '%s' was wanted", args, r.err, err);
}

static json_t *expect_json(const char *args) {
  cbt_run(&r, cbt_folder, args);
  if (r.code != 0) fail_msg("%s: exit %d: %s", args, r.code, r.err);
  json_t *doc = json_loads(r.out, 0, NULL);
  if (!doc) fail_msg("%s: not one JSON document: %s", args, r.out);
  return doc;
}

static double number(const json_t *doc, const char *key) {
  const json_t *v = json_object_get(doc, key);
  if (!json_is_number(v)) fail_msg("%s is no number", key);
  return json_number_value(v);
}

static const char mapping[] = CB_SOURCE_DIR "/rigs/import/cantilever.yaml";
static const char kes_mapping[] = CB_SOURCE_DIR "/rigs/import/kes_fb2.yaml";

#define HEADER "cloth,specimen,direction_deg,side,overhang_mm,areal_density_g_per_m2\n"
static const char table[] = HEADER
    "Poplin,a,0,face,33.0,150\nPoplin,a,0,back,31.5,150\nPoplin,b,0,face,33.5,150\nPoplin,b,0,back,31.5,150\n"
    "Poplin,a,45,face,27.0,150\nPoplin,a,45,back,26.0,150\nPoplin,b,45,face,27.5,150\nPoplin,b,45,back,25.5,150\n"
    "Poplin,a,90,face,28.0,150\nPoplin,a,90,back,26.5,150\nPoplin,b,90,face,28.0,150\nPoplin,b,90,back,27.0,150\n";

static void import_table(const char *text) {
  char args[700];
  put("table.csv", text);
  (void)snprintf(args, sizeof args, "import cantilever --mapping '%s' table.csv --db lab.db", mapping);
  expect(args, 0, "imported", "");
}

/* 41.5 degrees: load 8.0042. */
static double by_hand(double overhang_mm) { return 0.15 * 9.80665 * pow(1e-3 * overhang_mm, 3) / 8.0041970326; }

static void cantilevers(void **state) {
  (void)state;
  import_table(table);
  json_t *doc = expect_json("fit bending --cloth Poplin --db lab.db --json");
  assert_string_equal(r.err, "");
  jp_expect("fit bending", doc);
  const json_t *law = json_object_get(doc, "law"), *warp = json_array_get(json_object_get(doc, "directions"), 0);
  double B1 = number(law, "B1_Nm"), want = (by_hand(33.0) + by_hand(33.5) + 2 * by_hand(31.5)) / 4;
  assert_near(B1 / want, 1, 1e-8);
  assert_near(number(warp, "face_Nm"), (by_hand(33.0) + by_hand(33.5)) / 2, 1e-13);
  assert_near(number(warp, "back_Nm"), by_hand(31.5), 1e-13);
  assert_int_equal(number(doc, "specimens"), 6);
  json_t *said =
      expect_json("predict bending --cloth Poplin --angle-deg 180 --db lab.db --overhang-mm 32.4 --areal-density-g-per-m2 150 --json");
  jp_expect("predict bending", said);
  /* What the store holds is what was printed, to the last bit. */
  assert_true(number(said, "B_Nm") == B1);
  assert_near(number(said, "chord_angle_deg"), 41.5, 0.5);
  assert_true(number(said, "u_chord_angle_deg") > 0.1 && number(said, "u_chord_angle_deg") < 2);
  assert_string_equal(json_string_value(json_object_get(said, "origin")), "imported");
  json_decref(said);
  json_decref(doc);
  expect("fit bending --cloth Poplin --db lab.db", 0, "form orthotropic", "");
  expect("predict bending --cloth Poplin --angle-deg 30 --db lab.db", 0, "uN m (95 %", "");
  expect("predict bending --cloth Poplin --angle-deg 30 --curvature-per-m 500 --db lab.db", 0, "outside the measured curvatures", "");
  expect("predict bending --cloth Poplin --angle-deg 0 --overhang-mm 30 --db lab.db", 1, "", "--areal-density-g-per-m2 was wanted");
  expect("predict bending --cloth Poplin --angle-deg 0 --overhang-mm 5000 --areal-density-g-per-m2 150 --db lab.db", 1, "",
         "straight down");
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
  put("kes.csv", text);
  free(text);
  (void)snprintf(args, sizeof args, "import bending-moment --mapping '%s' kes.csv --db lab.db", kes_mapping);
  expect(args, 0, "1 bending-moment test with 201 points", "");
  json_t *doc = expect_json("fit bending --cloth Denim --db lab.db --json");
  jp_expect("fit bending", doc);
  const json_t *warp = json_array_get(json_object_get(doc, "directions"), 0);
  assert_near(number(warp, "B_Nm"), 0.05 * 9.80665e-5, 1e-12);
  assert_near(number(warp, "width_N"), 0.04 * 9.80665e-3, 1e-10);
  json_decref(doc);
  expect("predict bending --cloth Denim --angle-deg 0 --db lab.db", 0, "4.903 uN m", "");
}

static void what_goes_wrong_is_told(void **state) {
  char args[700];
  (void)state;
  import_table(HEADER "Silk,a,0,face,20,\n");
  expect("fit bending --cloth Silk --db lab.db", 3, "", "a cantilever without areal density");
  expect("fit bending --cloth Silk --db lab.db --json", 3, "\"left_out\"", "--areal-density-g-per-m2 tells it");
  expect("fit bending --cloth Silk --areal-density-g-per-m2 60 --db lab.db", 0, "1 specimen", "");
  expect("fit bending --cloth Wool --db lab.db", 1, "", "no cloth named 'Wool'");
  expect("fit bending --cloth Silk --test bending-moment --db lab.db", 1, "", "no bending-moment tests of 'Silk'");
  expect("fit bending --cloth Silk --test drape --db lab.db", 2, "", "cantilever or bending-moment was wanted");
  expect("fit bending --cloth Silk --origin lies --db lab.db", 2, "", "measured, imported, virtual or simulated was wanted");
  expect("fit bending --cloth Silk --u-rel-areal-density 2 --db lab.db", 2, "", "--u-rel-areal-density");
  expect("predict bending --cloth Silk --db lab.db", 2, "", "--angle-deg is required");
  put("bad.csv", HEADER "Silk,b,0,up,20,60\n");
  (void)snprintf(args, sizeof args, "import cantilever --mapping '%s' bad.csv --db lab.db", mapping);
  expect(args, 1, "", "bad.csv:2: side 'up': face or back");
  put("kes.csv", "cloth,specimen,direction_deg,K_per_cm,M_gf_cm_per_cm\nSilk,1,0,0,0\nSilk,1,0,1,1\n");
  (void)snprintf(args, sizeof args, "import bending-moment --mapping '%s' kes.csv --db lab.db", kes_mapping);
  expect(args, 0, "imported", "");
  expect("fit bending --cloth Silk --db lab.db", 1, "", "--test cantilever or bending-moment");
  expect("fit bending --cloth Silk --test bending-moment --db lab.db", 3, "", "does not cover curvatures");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(cantilevers, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(kes_curves, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(what_goes_wrong_is_told, cbt_folder_set_up, cbt_folder_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
