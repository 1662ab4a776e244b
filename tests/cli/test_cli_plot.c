/* clothbench plot from whatever the database holds: imported points without a law, laws without points,
 * nothing. */
#include "cbtest.h"

static int set_up(void **state) {
  char path[400];
  cbt_folder_set_up(state);
  cbt_write(cbt_path("t.csv", path),
            "cloth,body,angle_deg,cart_mass_g,added_mass_g,s_mV_per_V,mu\n"
            "Twill,Foam,45,3.0,10,0.113,0.699\nTwill,Foam,45,3.0,100,0.679,0.530\nTwill,Foam,45,3.0,300,1."
            "701,0.451\n");
  return 0;
}

static void expect(const char *arguments, int code, const char *err) {
  static cbt_result r;
  cbt_run(&r, cbt_folder, arguments);
  if (r.code != code) fail_msg("clothbench %s: exit %d, %d was wanted: %s", arguments, r.code, code, r.err);
  if (!strstr(r.err, err)) fail_msg("clothbench %s: '%s' was wanted, got '%s'", arguments, err, r.err);
}

static void assert_is_svg_with(const char *name, const char *text) {
  char path[400], *svg = cbt_read(cbt_path(name, path));
  assert_non_null(strstr(svg, "<svg"));
  assert_non_null(strstr(svg, text));
  free(svg);
}

static void points_without_a_law(void **state) {
  (void)state;
  expect("import friction --mapping " CB_SOURCE_DIR "/rigs/import/chen2013_loads.yaml t.csv --db lab.db", 0,
         "");
  expect("plot e --db lab.db --out e.svg", 0,
         "clothbench plot: Twill on Foam has no law of kinetic friction yet, only points are drawn: "
         "'clothbench fit friction --cloth "
         "\"Twill\" --body \"Foam\"' makes one\n");
  assert_is_svg_with("e.svg", "Twill on Foam");
  assert_is_svg_with("e.svg", ", no law fitted");
  expect("plot a --db lab.db --out a.svg", 1, "lab.db holds neither force traces nor laws");
  expect("report --db lab.db --out r", 0, "");
}

static void laws_without_points(void **state) {
  (void)state;
  expect("export material \"Royal Target\" --format json --out royal.json --db " CB_SOURCE_DIR
         "/materials.db",
         0, "");
  expect("import material royal.json --format json --db laws.db", 0, "");
  expect("plot e --db laws.db --out e.svg", 0, "");
  assert_is_svg_with("e.svg", "law and 95 % band");
}

static void one_run(void **state) {
  (void)state;
  expect("import friction --mapping " CB_SOURCE_DIR "/rigs/import/chen2013_loads.yaml t.csv --db lab.db", 0,
         "");
  expect("plot run 1 --db lab.db --out r.svg", 1, "lab.db: run 1 has no samples of force and position");
  expect("plot run 99 --db lab.db --out r.svg", 1, "lab.db: no run 99");
  expect("plot run first --db lab.db --out r.svg", 2, "run = 'first': must be a whole number");
  expect("plot run --db lab.db --out r.svg", 2, "no figure 'run'; there are:");
}

static void nothing(void **state) {
  (void)state;
  expect("db init --db lab.db", 0, "");
  expect("plot e --db lab.db --out e.svg", 1, "lab.db holds no pair measured at two loads or more");
  expect("plot q --db lab.db --out e.svg", 2, "no figure 'q'");
  expect("plot e --db " CB_SOURCE_DIR "/materials.db --out e.bmp", 1,
         "e.bmp: the name of a figure must end in .svg, .pdf, .png or .csv");
  expect("report --db lab.db --out r", 1, "lab.db: there are no campaigns");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(points_without_a_law), T(laws_without_points), T(one_run), T(nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
