/* `validate export` and `export material --prove`: the proof of a cloth in a program. A script of the shell
 * stands for a program that is twice too soft. */
#include "clitest.h"

#define CLOTH "--areal-mass-g-m2 150 --stretch-N-m 1000 --shear-N-m 40 --bend-N-m 1e-5 --mu 0.4"

static void a_proof_has_its_rows_and_its_passport(void **state) {
  (void)state;
  json_t *doc = clit_json("validate export " CLOTH " --meshes-mm 12.5,25 --experiments strip,fall --json", 0,
                          "validate export");
  assert_int_equal(json_array_size(json_object_get(doc, "passport")), 2);
  assert_int_equal(json_array_size(json_object_get(doc, "rows")), 2 * (3 + 1 + 3));
  const json_t *coarse = json_array_get(json_object_get(doc, "passport"), 1);
  assert_true(clit_number(coarse, "edge_mm") == 25);
  assert_true(fabs(clit_number(coarse, "stretch") - 0.989) < 0.002);
  json_decref(doc);
}

/* Elongations of a strip, w g L^2 / (2 E), with the number it was told, and then double that. */
static const char soft[] =
    "cd \"$1\" || exit 1\n"
    "flat=$(tr -d ' \\n' <case.json)\n"
    "number() { printf %s \"$flat\" | sed \"s/.*\\\"$1\\\":\\[*\\([-0-9.e+]*\\).*/\\1/\"; }\n"
    "for k in 0 1 2; do\n"
    "  awk -v w=$(number areal_density_kg_per_m2) -v E=$(number stretch_warp_N_per_m) -v g=$(number "
    "gravity_m_per_s2) \\\n"
    "    '$1 == \"v\" {printf \"v %.12g %.12g %.12g\\n\", $2 + 2 * w * g / E * (0.1 * $2 - $2 * $2 / 2), $3, "
    "$4}' cloth.obj >out_$k.obj\n"
    "done\n";

static void the_passport_makes_a_soft_program_right(void **state) {
  (void)state;
  clit_put("soft", soft);
  json_t *doc = clit_json("validate export " CLOTH
                          " --meshes-mm 20 --experiments strip --engine 'sh soft {folder}' --json",
                          0, "validate export");
  const json_t *row = json_array_get(json_object_get(doc, "passport"), 0);
  assert_true(fabs(clit_number(row, "stretch") - 2) < 1e-6);
  assert_true(clit_number(row, "strip_off_percent") < 1e-3);
  const json_t *first = json_array_get(json_object_get(doc, "rows"), 0);
  assert_true(fabs(clit_number(first, "found") - 500) < 1e-3);
  assert_true(clit_number(first, "wanted") == 1000);
  json_decref(doc);
}

/* Two directions are told as their mean. What the program is told after that stands in the file. */
static void a_file_carries_what_makes_it_right(void **state) {
  (void)state;
  clit_put("soft", soft);
  clit_expect(
      "export material 'Petrak M1, polyester twill' --format newton --prove --meshes-mm 20 --engine 'sh soft "
      "{folder}' "
      "--out m1.json --db '" CB_SOURCE_DIR "/materials.db'",
      0, "", "m1.json: not in this file: direction");
  char *text = clit_get("m1.json");
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  const json_t *mesh = json_array_get(json_object_get(doc, "meshes"), 0);
  const double stretch = (477.22 + 458.62) / 2; /* the card's secants of warp and weft [N/m] */
  assert_true(clit_number(mesh, "strip_off") < 1e-4);
  assert_true(fabs(clit_number(json_object_get(mesh, "add_cloth_mesh"), "tri_ke") / stretch - 1) < 1e-4);
  assert_string_equal(json_string_value(json_object_get(doc, "proved_in")), "sh soft {folder}");
  json_decref(doc);
  free(text);
}

/* A strip that is not proportional cannot be made right. */
static void a_program_that_stays_off_is_a_negative_verdict(void **state) {
  (void)state;
  clit_run("validate export " CLOTH " --meshes-mm 10 --experiments cantilever", 3);
  clit_says("validate export", "stdout", clit_last.out, "passport: what to type over what was measured");
}

static void files_of_the_experiments_are_kept(void **state) {
  (void)state;
  char path[400];
  clit_put("soft", soft);
  clit_run("validate export " CLOTH
           " --meshes-mm 20 --experiments strip --engine 'sh soft {folder}' --keep kept",
           0);
  char *text = clit_get("kept/strip-0.01-20mm/case.json");
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  assert_string_equal(json_string_value(json_object_get(doc, "format")), "clothbench-experiment");
  assert_int_equal(json_array_size(json_object_get(doc, "pinned_vertices")), 6);
  json_decref(doc);
  free(text);
  assert_int_equal(access(cbt_path("kept/strip-0.01-20mm-calibrated/out_2.obj", path), F_OK), 0);
}

/* Also where this program plays: so a new driver has files to begin with. */
static void files_of_this_program_are_kept(void **state) {
  (void)state;
  char path[400];
  clit_run("validate export " CLOTH " --meshes-mm 20 --experiments fall --keep own", 0);
  assert_int_equal(access(cbt_path("own/fall-1-20mm/case.json", path), F_OK), 0);
  assert_int_equal(access(cbt_path("own/fall-1-20mm/cloth.obj", path), F_OK), 0);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  clit_expect("validate export " CLOTH " --meshes-mm 40", 2, "", "edges of 1 to 25 mm");
  clit_expect("validate export " CLOTH " --engine maya", 2, "",
              "'maya': clothbench, blender, mujoco, newton, pybullet, or a command");
  clit_expect(
      "validate export " CLOTH " --experiments strip,cantilevr", 2, "",
      "'cantilevr': cantilever, strip, shear, fall, slope, drift, layers, capstan, pinch or tablecloth was "
      "wanted; did you mean "
      "'cantilever'?");
  clit_expect("validate export --cloth Batiste --mu 0.3", 2, "", "either --cloth NAME");
  clit_expect("validate export " CLOTH " --db lab.db", 2, "", "either --cloth NAME");
  clit_expect("validate export", 2, "", "either --cloth NAME or");
  clit_expect("validate export --cloth Nobody --db nothing.db", 1, "", "nothing.db");
  clit_expect("export material X --format clo --prove --out x.csv", 2, "",
              "--prove belongs to --format blender");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_proof_has_its_rows_and_its_passport),
      cmocka_unit_test(the_passport_makes_a_soft_program_right),
      cmocka_unit_test(a_file_carries_what_makes_it_right),
      cmocka_unit_test(a_program_that_stays_off_is_a_negative_verdict),
      cmocka_unit_test(files_of_the_experiments_are_kept),
      cmocka_unit_test(files_of_this_program_are_kept),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
