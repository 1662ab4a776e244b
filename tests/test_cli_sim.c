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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(plays_and_resumes, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(what_fails, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
