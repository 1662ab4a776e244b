/* `sim` by its exit codes and files: what is written, and that a resumed run ends with the same files, byte
 * for byte. */
#include "cbtest.h"

#include "jsonpage.h"

#define SCENE                                                                                               \
  "name: small\n"                                                                                           \
  "sheet: {shape: disc, radius_mm: 60, vertices: 80, at_mm: [0, 0, 30]}\n"                                  \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, "          \
  "shear_N_per_m: 50,\n"                                                                                    \
  "    bend_warp_uN_m: 20, bend_weft_uN_m: 20, damping_ms: 2}\n"                                            \
  "bodies: [{shape: sphere, radius_mm: 28, friction: 0.3, motion: [{until_s: 0.03, spin_deg_per_s: [0, 0, " \
  "300]}]}, {shape: plane}]\n"                                                                              \
  "output: {every_ms: 20, checkpoint_every_ms: 25, obj: true, ply: true, picture: {width_px: 64, "          \
  "height_px: 64},\n"                                                                                       \
  "  probes: [{name: rim, at_mm: [60, 0, 30]}]}\n"

static void expect_same(const char *a, const char *b) {
  char path[400], *text[2];
  size_t n[2];
  const char *name[] = {a, b};
  for (int i = 0; i < 2; i++) assert_ok(cb_file_read(cbt_path(name[i], path), 1 << 24, &text[i], &n[i], err));
  if (n[0] != n[1] || memcmp(text[0], text[1], n[0]) != 0) fail_msg("%s and %s differ", a, b);
  free(text[0]);
  free(text[1]);
}

/* What is not accounted for is what the sums say. */
static void expect_ledger(const json_t *energy) {
  static const char *const sources[] = {"kinetic_J", "stretch_J",  "bending_J",
                                        "gravity_J", "friction_J", "damping_J"};
  const json_t *end = json_object_get(energy, "end"), *begin = json_object_get(energy, "begin");
  double change = jp_number(begin, "supports_J") - jp_number(end, "supports_J");
  for (size_t k = 0; k < sizeof sources / sizeof sources[0]; k++)
    change += jp_number(end, sources[k]) - jp_number(begin, sources[k]);
  assert_near(jp_number(energy, "unaccounted_J"), change, 1e-12);
  assert_true(jp_number(begin, "kinetic_J") == 0 &&
              jp_number(end, "gravity_J") < jp_number(begin, "gravity_J"));
}

static void expect_convergence(const json_t *doc) {
  const json_t *c = json_object_get(doc, "convergence"), *rms = json_object_get(c, "rms"),
               *probe = json_array_get(json_object_get(c, "probes"), 0);
  assert_true(json_is_null(json_object_get(doc, "convergence_missing")));
  assert_near(jp_number(c, "steps"), 10, 0);
  assert_true(jp_number(c, "vertices") < 30);
  assert_true(jp_number(rms, "end_mm") > 0 && jp_number(rms, "most_mm") >= jp_number(rms, "end_mm"));
  assert_near(jp_number(rms, "bound_mm"), jp_number(c, "factor") * jp_number(rms, "most_mm"), 1e-12);
  assert_string_equal(json_string_value(json_object_get(probe, "name")), "rim");
  assert_true(jp_number(probe, "bound_mm") >= 0.5 * jp_number(rms, "bound_mm"));
}

static void plays_and_resumes(void **state) {
  (void)state;
  cbt_result r;
  char path[400];
  cbt_write(cbt_path("whole.yaml", path), SCENE "time: {duration_s: 0.1, step_ms: 5}\n");
  cbt_write(cbt_path("half.yaml", path), SCENE "time: {duration_s: 0.05, step_ms: 5}\n");
  cbt_run(&r, cbt_folder, "sim whole.yaml --json");
  if (r.code != 0) fail_msg("exit code %d: %s", r.code, r.err);
  assert_string_equal(r.err, "");
  jp_expect_text("sim", r.out);
  json_t *doc = jp_document(r.out);
  assert_near(jp_number(doc, "steps"), 20, 0);
  assert_near(jp_number(doc, "frames"), 6, 0);
  assert_near(jp_number(doc, "time_s"), 0.1, 1e-12);
  assert_true(jp_number(json_object_get(doc, "contacts"), "sum") > 0);
  assert_near(jp_number(json_object_get(doc, "contacts"), "by_law"), 0, 0);
  expect_ledger(json_object_get(doc, "energy"));
  expect_convergence(doc);
  json_decref(doc);
  cbt_run(&r, cbt_folder, "sim half.yaml --out parts");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.out, "\nconverged to "));
  assert_non_null(strstr(r.out, ", probe rim "));
  assert_non_null(strstr(r.out, "4 frames, values.csv, materials.json and checkpoint.sim in parts/"));
  cbt_run(&r, cbt_folder, "sim whole.yaml --out parts --resume");
  if (r.code != 0) fail_msg("exit code %d: %s", r.code, r.err);
  assert_non_null(strstr(r.out, "10 steps to 0.1 s from step 10 on"));
  assert_non_null(strstr(r.out, "\nconvergence is not known: the run was resumed\n"));
  static const char *const files[] = {
      "checkpoint.sim",  "materials.json",  "values.csv",      "frames.pvd",      "frame_00005.obj",
      "frame_00005.ply", "frame_00005.vtp", "frame_00005.png", "frame_00004.vtp", "frame_00000.vtp"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char a[80], b[80];
    (void)snprintf(a, sizeof a, "small/%s", files[i]);
    (void)snprintf(b, sizeof b, "parts/%s", files[i]);
    expect_same(a, b);
  }
}

static void what_fails(void **state) {
  (void)state;
  cbt_result r;
  char path[400];
  cbt_write(cbt_path("bad.yaml", path), SCENE "time: {duration_s: 0.1, steps_ms: 5}\n");
  cbt_run(&r, cbt_folder, "sim bad.yaml");
  assert_int_equal(r.code, 1);
  assert_non_null(strstr(r.err, "bad.yaml:8: unknown key 'steps_ms'"));
  assert_string_equal(r.out, "");
  cbt_write(cbt_path("good.yaml", path), SCENE "time: {duration_s: 0.1, step_ms: 5}\n");
  cbt_run(&r, cbt_folder, "sim good.yaml --out fresh --resume");
  assert_int_equal(r.code, 1);
  assert_non_null(strstr(r.err, "fresh/checkpoint.sim: cannot be opened"));
  cbt_run(&r, cbt_folder, "sim");
  assert_int_equal(r.code, 2);
  cbt_run(&r, cbt_folder, "sim nothing.yaml");
  assert_int_equal(r.code, 1);
}

static void expect_run(const char *words, int code, const char *says) {
  cbt_result r;
  cbt_run(&r, cbt_folder, words);
  if (r.code != code || !strstr(r.err, says)) fail_msg("%s: exit code %d: '%s'", words, r.code, r.err);
}

static void expect_there(const char *name, bool there) {
  char path[400];
  if ((access(cbt_path(name, path), F_OK) == 0) != there) fail_msg("%s: %s", name, there ? "gone" : "there");
}

static void expect_text(const char *name, const char *text) {
  char path[400], *got = cbt_read(cbt_path(name, path));
  assert_string_equal(got, text);
  free(got);
}

/* A run renews a run of the same scene as a whole, and touches no other file. */
static void a_folder_belongs_to_one_scene(void **state) {
  (void)state;
  char path[400];
  cbt_write(cbt_path("long.yaml", path), SCENE "time: {duration_s: 0.1, step_ms: 5}\n");
  cbt_write(cbt_path("short.yaml", path), SCENE "time: {duration_s: 0.02, step_ms: 5}\n");
  expect_run("sim long.yaml --out run --quiet", 0, "");
  expect_there("run/frame_00005.vtp", true);
  expect_there("run/frame_00000.png", false); /* nobody asked for more than the last one */
  expect_there("run/frame_00004.png", false);
  expect_there("run/frame_00005.png", true);
  cbt_write(cbt_path("run/frame_notes.txt", path), "mine");
  cbt_write(cbt_path("run/frame_00001.csv", path), "mine, too");
  expect_run("sim short.yaml --out run --quiet", 0, "");
  static const char *const gone[] = {"run/frame_00002.vtp", "run/frame_00005.vtp", "run/frame_00005.obj",
                                     "run/frame_00005.ply", "run/frame_00005.png"};
  for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) expect_there(gone[i], false);
  expect_there("run/frame_00001.vtp", true);
  expect_text("run/frame_notes.txt", "mine");
  expect_text("run/frame_00001.csv", "mine, too");
  char *other = cbt_replace(SCENE "time: {duration_s: 0.02, step_ms: 5}\n",
                            (const char *const[][2]){{"name: small", "name: other"}}, 1);
  cbt_write(cbt_path("other.yaml", path), other);
  free(other);
  expect_run("sim other.yaml --out run --quiet", 1,
             "run: holds a run of the scene 'small', this is 'other': another folder was wanted");
  expect_there("run/frame_00001.vtp", true);
}

/* A file with the name of a frame that no run made. */
static void a_foreign_file_is_not_replaced(void **state) {
  (void)state;
  static const char *const names[] = {"frame_00000.vtp", "frame_00017.png", "frames.pvd",     "values.csv",
                                      "materials.json",  "view.html",       "body1_00000.vtp"};
  char path[400], name[64], words[200];
  cbt_write(cbt_path("short.yaml", path), SCENE "time: {duration_s: 0.02, step_ms: 5}\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    (void)snprintf(words, sizeof words, "mkdir -p '%s/f%zu'", cbt_folder, i);
    assert_int_equal(system(words), 0);
    (void)snprintf(name, sizeof name, "f%zu/%s", i, names[i]);
    cbt_write(cbt_path(name, path), "precious");
    (void)snprintf(words, sizeof words, "sim short.yaml --out f%zu --quiet", i);
    expect_run(words, 1, "exists, and no run of this scene made it: another folder was wanted");
    expect_text(name, "precious");
    (void)snprintf(words, sizeof words, "[ \"$(ls '%s/f%zu')\" = %s ]", cbt_folder, i, names[i]);
    assert_int_equal(system(words), 0);
  }
}

#define CLOSING                                                                                        \
  "name: closed\n"                                                                                     \
  "sheet: {shape: rectangle, length_mm: 20, width_mm: 40, vertices: 60, turned_deg: [90, 0, 0]}\n"     \
  "material: {areal_density_g_per_m2: 200, thickness_mm: 0.5, stretch_N_per_m: 1000, bend_uN_m: 20}\n" \
  "time: {duration_s: 0.03, step_ms: 2}\n"                                                             \
  "output: {png: false, vtp: false}\n"                                                                 \
  "bodies:\n"                                                                                          \
  "  - {shape: plane, axis: [0, 1, 0], at_mm: [0, -2, 0]}\n"                                           \
  "  - {shape: plane, axis: [0, -1, 0], at_mm: [0, 2, 0], motion: [{until_s: 0.02, velocity_mm_per_s: "

/* Planes that close in on each other altogether leave the cloth inside of both: 0.2 mm, half of what they
 * overlap. With 0.4 mm between them it is outside. */
static void inside_at_the_end(void **state) {
  (void)state;
  cbt_result r;
  char path[400];
  cbt_write(cbt_path("closed.yaml", path), CLOSING "[0, -220, 0]}]}\n");
  cbt_run(&r, cbt_folder, "sim closed.yaml");
  assert_int_equal(r.code, 3);
  if (!strstr(r.err,
              "sim: closed: at the end 60 vertices of the cloth are inside body 1 (plane), the deepest "
              "by 0.2 mm; 60 vertices of the cloth are inside body 2 (plane), the deepest by 0.2 mm\n"))
    fail_msg("%s", r.err);
  cbt_write(cbt_path("open.yaml", path), CLOSING "[0, -180, 0]}]}\n");
  cbt_run(&r, cbt_folder, "sim open.yaml");
  assert_int_equal(r.code, 0);
  assert_string_equal(r.err, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(plays_and_resumes, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(inside_at_the_end, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(what_fails, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_folder_belongs_to_one_scene, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_foreign_file_is_not_replaced, cbt_folder_set_up,
                                      cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
