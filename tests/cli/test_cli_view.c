/* The pages that commands leave: of a run, of a stopped and resumed run, afterwards, and of a drape. */
#include "cbtest.h"

#define SCENE                                                                                      \
  "name: small\n"                                                                                  \
  "sheet: {shape: disc, radius_mm: 60, vertices: 80, at_mm: [0, 0, 30]}\n"                         \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, " \
  "shear_N_per_m: 50,\n"                                                                           \
  "    bend_warp_uN_m: 20, bend_weft_uN_m: 20, damping_ms: 2}\n"                                   \
  "bodies: [{shape: sphere, radius_mm: 28, friction: 0.3}, {shape: plane}]\n"                      \
  "output: {every_ms: 20, checkpoint_every_ms: 25, png: false, vtp: false,\n"                      \
  "  probes: [{name: rim, at_mm: [60, 0, 30]}]}\n"

static char *read_text(const char *name, size_t *n) {
  char path[400], *text;
  assert_ok(cb_file_read(cbt_path(name, path), 1 << 26, &text, n, err));
  return text;
}

static void expect_same(const char *a, const char *b) {
  size_t n[2];
  char *text[2] = {read_text(a, &n[0]), read_text(b, &n[1])};
  if (n[0] != n[1] || memcmp(text[0], text[1], n[0]) != 0) fail_msg("%s and %s differ", a, b);
  free(text[0]);
  free(text[1]);
}

static void expect_in(const char *name, const char *words) {
  size_t n;
  char *text = read_text(name, &n);
  if (!strstr(text, words)) fail_msg("%s lacks '%s'", name, words);
  free(text);
}

static void run_well(cbt_result *r, const char *command) {
  cbt_run(r, cbt_folder, command);
  if (r->code != 0) fail_msg("%s: exit code %d: %s", command, r->code, r->err);
}

/* A run in two parts has the same frames and the same page. */
static void leaves_a_page(void **state) {
  (void)state;
  cbt_result r;
  char path[400];
  cbt_write(cbt_path("whole.yaml", path), SCENE "time: {duration_s: 0.1, step_ms: 5}\n");
  cbt_write(cbt_path("half.yaml", path), SCENE "time: {duration_s: 0.05, step_ms: 5}\n");
  run_well(&r, "sim whole.yaml");
  assert_non_null(strstr(r.out, "to watch them in a browser: small/view.html\n"));
  expect_in("small/view.html", "\"times\":[0.0,0.02,");
  expect_in("small/view.html", "\"name\":\"mean curvature\",\"unit\":\"1/m\"");
  expect_in("small/view.html", "\"name\":\"rim\"");
  run_well(&r, "sim half.yaml --out parts");
  run_well(&r, "sim whole.yaml --out parts --resume");
  expect_same("small/frames.show", "parts/frames.show");
  expect_same("small/view.html", "parts/view.html");
}

static void exports_a_page(void **state) {
  (void)state;
  cbt_result r;
  run_well(&r, "export view small --out again.html");
  assert_string_equal(r.out, "again.html\n");
  expect_same("small/view.html", "again.html");
  run_well(&r, "export view small --out both.html --against parts");
  expect_in("both.html", "\"name\":\"distance to parts\",\"unit\":\"m\",\"low\":0.0,\"high\":0.0");
  cbt_run(&r, cbt_folder, "export view nowhere --out none.html");
  assert_int_equal(r.code, 1);
  assert_string_equal(r.out, "");
  assert_string_equal(
      r.err, "clothbench export: nowhere/frames.show: cannot be opened: a file of frames was wanted\n");
  cbt_run(&r, cbt_folder, "export view small --out -");
  assert_int_equal(r.code, 2);
}

/* A flat disc of 22 cm is its own shadow. */
static void write_disc(const char *path) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  (void)fprintf(f, "v 0 0 0\n");
  for (int i = 0; i < 72; i++)
    (void)fprintf(f, "v %.6f %.6f 0\n", 0.11 * cos(i * M_PI / 36), 0.11 * sin(i * M_PI / 36));
  for (int i = 0; i < 72; i++) (void)fprintf(f, "f 1 %d %d\n", i + 2, (i + 1) % 72 + 2);
  assert_int_equal(fclose(f), 0);
}

#define CLOTH                                                                                           \
  "validate drape --areal-mass-g-m2 150 --stretch-warp-N-m 1000 --stretch-weft-N-m 800 --shear-N-m 30 " \
  "--bend-warp-N-m 1e-5 --bend-weft-N-m 8e-6 --seeds 1 --vertices 400 --view drape.html"

static void shows_a_drape(void **state) {
  (void)state;
  cbt_result r;
  char path[400];
  write_disc(cbt_path("disc.obj", path));
  run_well(&r, CLOTH);
  expect_in("drape.html", "\"name\":\"predicted shadow\"");
  run_well(&r, CLOTH " --scan disc.obj");
  expect_in("drape.html", "\"name\":\"measured shadow\"");
  expect_in("drape.html", "\"name\":\"distance to disc.obj\"");
  expect_in("drape.html", "\"look\":\"top\"");
  assert_int_not_equal(access(cbt_path("drape.html.tmp-frames", path), F_OK), 0);
  cbt_run(&r, cbt_folder, CLOTH " --scan nowhere.obj");
  assert_int_equal(r.code, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_a_page),
      cmocka_unit_test(exports_a_page),
      cmocka_unit_test(shows_a_drape),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
