/* What a page says of its origins, and where a probe may look: as a person meets them. */
#include "clitest.h"

static const char strips[] =
    "kind: stretch\nsource: lab\ncolumns:\n  material: {value: A}\n  direction: {column: d, unit: deg}\n"
    "  strain: {column: e, unit: \"1\"}\n  force_per_width: {column: f, unit: N/m}\n"
    "  width: {value: 50, unit: mm}\n  length: {value: 200, unit: mm}\n";

static void put_page(const char *air_origin, const char *db) {
  char text[500], args[200];
  (void)snprintf(text, sizeof text,
                 "kind: permeability\nsource: lab\ncolumns:\n  material: {value: A}\n  origin: {value: %s}\n"
                 "  pressure: {column: p, unit: Pa}\n  velocity: {column: v, unit: mm/s}\n",
                 air_origin);
  clit_put("air.yaml", text);
  clit_put("air.csv", "p,v\n50,10\n100,20\n200,41\n");
  (void)snprintf(args, sizeof args, "import permeability --mapping air.yaml air.csv --db %s", db);
  clit_run(args, 0);
  (void)snprintf(args, sizeof args, "fit permeability --db %s", db);
  clit_run(args, 0);
}

/* One virtual item does not make a page virtual. */
static void origins_are_said_per_item(void **state) {
  (void)state;
  clit_put("strips.yaml", strips);
  clit_put("strips.csv", "d,e,f\n0,0,0\n0,.01,10\n0,.02,20\n0,.04,41\n");
  put_page("virtual", "all.db");
  clit_run("report --cloth A --db all.db --out all", 0);
  char *page = clit_get("all/cloth-1-a.html");
  assert_non_null(strstr(page, "<b>VIRTUAL DATA.</b> Nothing on this page was measured"));
  free(page);
  clit_run("import stretch --mapping strips.yaml strips.csv --db all.db", 0);
  clit_run("fit stretch --cloth A --db all.db", 0);
  clit_run("report --cloth A --db all.db --out mixed", 0);
  page = clit_get("mixed/cloth-1-a.html");
  assert_null(strstr(page, "Nothing on this page was measured"));
  assert_non_null(strstr(page, "Not measured on real cloth: permeability (virtual). All else is measured"));
  free(page);
  put_page("imported", "real.db");
  clit_run("report --cloth A --db real.db --out real", 0);
  page = clit_get("real/cloth-1-a.html");
  assert_null(strstr(page, "class=\"banner\""));
  free(page);
}

static void a_probe_looks_at_a_surface(void **state) {
  (void)state;
  static const char scene[] =
      "name: far\nsheet: {shape: rectangle, length_mm: 400, width_mm: 300, vertices: 100, at_mm: [0, 0, "
      "500]}\n"
      "material: {areal_density_g_per_m2: 150, thickness_mm: 1, stretch_warp_N_per_m: 1000, "
      "stretch_weft_N_per_m: "
      "800, shear_N_per_m: 60, bend_warp_uN_m: 20, bend_weft_uN_m: 10}\n"
      "time: {duration_s: 0.01, step_ms: 5}\noutput: {every_ms: 10, png: false, probes: [{name: tip, at_mm: "
      "[%s]}]}\n";
  char text[1000];
  (void)snprintf(text, sizeof text, scene, "2400, 0, 500");
  clit_put("far.yaml", text);
  clit_expect(
      "sim far.yaml --out far", 1, "",
      "probe 'tip': at_mm [2400, 0, 500] is 2200 mm from the nearest surface, which is 500 mm across");
  (void)snprintf(text, sizeof text, scene, "190, 10, 520");
  clit_put("near.yaml", text);
  clit_run("sim near.yaml --out near", 0);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(origins_are_said_per_item), T(a_probe_looks_at_a_surface)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
