/* `sim` with layers: what is told and written, the same for one thread and two, and a resumed run that ends
 * with the same files, byte for byte; no law of a pair is made up. */
#include "clitest.h"

#include "jsonpage.h"

#define SCENE                                                                                              \
  "name: small\n"                                                                                          \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500,\n"        \
  "    shear_N_per_m: 50, bend_warp_uN_m: 20, bend_weft_uN_m: 20, damping_ms: 2}\n"                        \
  "layers:\n"                                                                                              \
  "  - {shape: pillow, length_mm: 100, cell_mm: 30, at_mm: [0, 0, 32], density_kg_per_m3: 30, young_kPa: " \
  "20, poisson: 0.3,\n"                                                                                    \
  "     friction: 0.3, friction_on_bodies: 0.3, case: {vertices: 150}, air: {over_Pa: 20, "                \
  "permeability_mm_per_s: 50}}\n"                                                                          \
  "  - {shape: ball, length_mm: 30, vertices: 60, rigid: true, friction: 0.3, at_mm: [0, 0, 110],\n"       \
  "     motion: [{until_s: 1, velocity_mm_per_s: [0, 0, -900], spin_deg_per_s: [0, 0, 200]}]}\n"           \
  "bodies: [{shape: plane, friction: 0.3}]\n"                                                              \
  "wind_m_per_s: [1, 0, 0]\n"                                                                              \
  "output: {every_ms: 20, obj: true, ply: true, picture: {width_px: 64, height_px: 64}}\n"

static void expect_same_file(const char *a, const char *b) {
  char path[400], *text[2];
  size_t n[2];
  for (int k = 0; k < 2; k++)
    assert_ok(cb_file_read(cbt_path(k ? b : a, path), 1 << 24, &text[k], &n[k], err));
  if (n[0] != n[1] || memcmp(text[0], text[1], n[0]) != 0) fail_msg("%s and %s differ", a, b);
  free(text[0]);
  free(text[1]);
}

static void expect_same(const char *a, const char *b) {
  static const char *const files[] = {
      "checkpoint.sim",  "materials.json",  "values.csv",      "frames.pvd",      "frame_00002.obj",
      "frame_00002.ply", "frame_00002.vtp", "frame_00002.png", "body1_00002.vtp", "body1_00002.ply",
      "body1_00002.obj", "body2_00001.vtp", "body1.pvd"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char name[2][80];
    (void)snprintf(name[0], sizeof name[0], "%s/%s", a, files[i]);
    (void)snprintf(name[1], sizeof name[1], "%s/%s", b, files[i]);
    expect_same_file(name[0], name[1]);
  }
}

static void expect_document(const char *text) {
  json_t *doc = jp_document(text);
  const json_t *three = json_object_get(doc, "layered"),
               *body = json_array_get(json_object_get(three, "bodies"), 0);
  const json_t *air = json_object_get(body, "air"), *closest = json_object_get(three, "closest_points");
  assert_near(jp_number(body, "inside"), 0, 0);
  assert_true(jp_number(body, "least_mm") > 0 && jp_number(body, "tetrahedra") > 0);
  /* What is not in it any more has leaked. */
  assert_near(jp_number(air, "begin_J") - jp_number(air, "end_J"), jp_number(three, "leaked_J"),
              1e-9 * jp_number(air, "begin_J"));
  /* Some steps are divided. */
  double times = jp_number(closest, "points") / jp_number(doc, "vertices");
  assert_true(times >= 40 && times == floor(times));
  json_decref(doc);
}

static void plays_and_resumes(void **state) {
  (void)state;
  cbt_result r;
  clit_put("whole.yaml", SCENE "time: {duration_s: 0.04, step_ms: 2}\n");
  clit_put("half.yaml", SCENE "time: {duration_s: 0.02, step_ms: 2}\n");
  (void)setenv("OMP_NUM_THREADS", "1", 1);
  cbt_run(&r, cbt_folder, "sim whole.yaml --json");
  if (r.code != 0) fail_msg("exit code %d: %s", r.code, r.err);
  jp_expect_text("sim", r.out);
  expect_document(r.out);
  cbt_run(&r, cbt_folder, "sim half.yaml --out parts");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.out, "layer 2: prescribed motion"));
  (void)setenv("OMP_NUM_THREADS", "2", 1);
  cbt_run(&r, cbt_folder, "sim whole.yaml --out parts --resume");
  if (r.code != 0) fail_msg("exit code %d: %s", r.code, r.err);
  expect_same("small", "parts");
  (void)unsetenv("OMP_NUM_THREADS");
}

#define NAMED                                                                                                \
  "name: n\ndatabase: '" CB_SOURCE_DIR                                                                       \
  "/materials.db'\n"                                                                                         \
  "sheet: {shape: rectangle, length_mm: 60, width_mm: 60, vertices: 60, at_mm: [0, 0, 40]}\n"                \
  "material: {name: Tango Red Jet Set, thickness_mm: 0.5, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: " \
  "500,\n"                                                                                                   \
  "    shear_N_per_m: 50, bend_warp_uN_m: 20, bend_weft_uN_m: 20}\n"                                         \
  "time: {duration_s: 0.01}\n"                                                                               \
  "output: {png: false, vtp: false}\n"

static void laws(void **state) {
  (void)state;
  cbt_result r;
  clit_put(
      "foam.yaml", NAMED
      "layers: [{shape: block, size_mm: [100, 100, 20], density_kg_per_m3: 20, young_kPa: 50, poisson: 0.3,"
      " material: Plastic Foam}]\n");
  cbt_run(&r, cbt_folder, "sim foam.yaml --json");
  if (r.code != 0) fail_msg("exit code %d: %s", r.code, r.err);
  jp_expect_text("sim", r.out);
  json_t *doc = jp_document(r.out);
  const json_t *layer = json_array_get(json_object_get(json_object_get(doc, "materials"), "layers"), 0);
  assert_string_equal(json_string_value(json_object_get(layer, "material")), "Plastic Foam");
  assert_true(jp_number(layer, "law_kinetic_id") > 0);
  json_decref(doc);
  static const struct {
    const char *layer, *says;
  } cases[] = {
      {"density_kg_per_m3: 20, young_kPa: 50, poisson: 0.3, material: Marble",
       "layer 1, which has no number `friction`"},
      {"density_kg_per_m3: 20, young_kPa: 50, poisson: 0.3, friction: 0.3, air: {}",
       "has no law of permeability"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[2000];
    (void)snprintf(text, sizeof text, NAMED "layers: [{shape: block, size_mm: [100, 100, 20], %s}]\n",
                   cases[i].layer);
    clit_put("no.yaml", text);
    cbt_run(&r, cbt_folder, "sim no.yaml");
    if (r.code != 1 || !strstr(r.err, cases[i].says))
      fail_msg("case %zu: %d '%s', without '%s'", i, r.code, r.err, cases[i].says);
    assert_string_equal(r.out, "");
  }
}

/* A soft block on a shelf of the database, whose own numbers go before what that knows. */
#define SOFT(more)                                                                                 \
  "name: soft\n"                                                                                   \
  "database: lab.db\n"                                                                             \
  "sheet: {shape: rectangle, length_mm: 60, width_mm: 60, vertices: 60, at_mm: [0, 0, 40]}\n"      \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, " \
  "shear_N_per_m: 50, bend_warp_uN_m: 20,\n"                                                       \
  "    bend_weft_uN_m: 20}\n"                                                                      \
  "layers: [{shape: block, size_mm: [100, 100, 20], material: Foam, " more                         \
  "}]\ntime: {duration_s: 0.01}\noutput: {png: false, vtp: false}\n"

static void elasticity(void **state) {
  (void)state;
  clit_run("import elasticity Foam --density-kg-per-m3 24 --young-kPa 60 --source x --db lab.db", 0);
  clit_put("soft.yaml", SOFT("friction: 0.3, poisson: 0.25, density_kg_per_m3: 30"));
  json_t *doc = clit_json("sim soft.yaml --json", 0, "sim");
  const json_t *layer = json_array_get(json_object_get(json_object_get(doc, "materials"), "layers"), 0);
  const json_t *elastic = json_object_get(layer, "elastic"), *from = json_object_get(elastic, "from");
  assert_true(clit_number(elastic, "density_kg_per_m3") == 30 && clit_number(elastic, "young_kPa") == 60);
  assert_true(clit_number(elastic, "poisson") == 0.25 && clit_number(elastic, "law_id") == 1);
  assert_string_equal(json_string_value(json_object_get(from, "density")), "scene");
  assert_string_equal(json_string_value(json_object_get(from, "young")), "database");
  assert_string_equal(json_string_value(json_object_get(elastic, "origin")), "imported");
  json_decref(doc);
  clit_expect("sim soft.yaml", 0, "layer 1: Foam, imported, law E1: Young's modulus\n", "");
  clit_put("none.yaml", SOFT("friction: 0.3"));
  clit_expect("sim none.yaml", 1, "",
              "clothbench sim: lab.db: the law of elasticity of 'Foam' does not tell poisson: layer 1 wanted "
              "it, or a number `poisson`\n");
  clit_expect("sim none.yaml --db '" CB_SOURCE_DIR "/materials.db'", 1, "",
              "layer 1, which has no number `density_kg_per_m3`: ");
}

/* Of a row of values.csv at a time: the n-th cell. */
static double cell_at(const char *file, double time_s, int cell) {
  char *text = clit_get(file), *row = strchr(text, '\n') + 1;
  while (*row && strtod(row, NULL) < time_s - 1e-9) row = strchr(row, '\n') + 1;
  for (int k = 1; k < cell; k++) row = strchr(row, ',') + 1;
  double v = strtod(row, NULL);
  free(text);
  return v;
}

/* A body without cloth: it slides as Newton and Coulomb say, for one thread and two, and a resumed run ends
 * with the same file. */
static void a_body_alone(void **state) {
  (void)state;
#define BLOCK                                                                                               \
  "name: alone\nlayers:\n  - {shape: block, size_mm: [200, 100, 50], cells: [4, 2, 2], at_mm: [0, 0, 25], " \
  "density_kg_per_m3: 100,\n"                                                                               \
  "     young_kPa: 20, poisson: 0.3, damping_ms: 5, friction_on_bodies: 0.3}\nbodies: [{shape: plane, "     \
  "friction: 0}]\n"                                                                                         \
  "gravity_m_per_s2: [5, 0, -8]\noutput: {picture: {width_px: 64, height_px: 64}}\n"
  clit_put("whole.yaml", BLOCK "time: {duration_s: 0.4, step_ms: 1}\n");
  clit_put("half.yaml", BLOCK "time: {duration_s: 0.2, step_ms: 1}\n");
  (void)setenv("OMP_NUM_THREADS", "1", 1);
  json_t *doc = clit_json("sim whole.yaml --json", 0, "sim");
  assert_true(json_is_null(json_object_get(json_object_get(doc, "materials"), "cloth")));
  assert_true(clit_number(doc, "vertices") == 0);
  json_decref(doc);
  const double wanted = 5 - 0.3 * 8,
               got = (cell_at("alone/values.csv", 0.4, 18) - cell_at("alone/values.csv", 0.2, 18)) / 0.2;
  assert_near(got, wanted, 1e-3 * wanted);
  clit_expect("sim half.yaml --out parts", 0, "layer 1: 96 tetrahedra, ", "");
  (void)setenv("OMP_NUM_THREADS", "2", 1);
  clit_run("sim whole.yaml --out parts --resume", 0);
  (void)unsetenv("OMP_NUM_THREADS");
  static const char *const files[] = {"values.csv", "checkpoint.sim", "frame_00001.png", "body1_00001.vtp"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char name[2][80];
    (void)snprintf(name[0], sizeof name[0], "alone/%s", files[i]);
    (void)snprintf(name[1], sizeof name[1], "parts/%s", files[i]);
    expect_same_file(name[0], name[1]);
  }
}

/* m/s2, from the mean velocity at 0.2 and 0.4 s. */
static double acceleration(const char *probes) {
  char path[400], *text;
  size_t n;
  double at[2][2] = {{0, 0}, {0, 0}};
  assert_ok(cb_file_read(cbt_path(probes, path), 1 << 24, &text, &n, err));
  for (char *row = strchr(text, '\n') + 1; *row; row = strchr(row, '\n') + 1) {
    char *cell = row;
    double time_s = strtod(row, NULL);
    for (int k = 0; k < 11; k++) cell = strchr(cell, ',') + 1; /* time, ledger, mean place */
    if (time_s < 0.2 + 1e-9) memcpy(at[0], (const double[2]){time_s, strtod(cell, NULL)}, sizeof at[0]);
    memcpy(at[1], (const double[2]){time_s, strtod(cell, NULL)}, sizeof at[1]);
  }
  free(text);
  return (at[1][1] - at[0][1]) / (at[1][0] - at[0][0]);
}

/* A sheet on a tilted block of foam: gravity less the law's force at the sheet's own pressure, along warp and
 * weft. */
static void slides_as_the_law_says(void **state) {
  (void)state;
  static const double along = 6.30, across = 7.51, areal = 0.113, area = 50e-4;
  for (int deg = 0; deg <= 90; deg += 90) {
    char text[2000], command[300];
    cbt_result r;
    (void)snprintf(text, sizeof text,
                   "name: slide%d\ndatabase: '" CB_SOURCE_DIR
                   "/materials.db'\n"
                   "sheet: {shape: rectangle, length_mm: 100, width_mm: 100, vertices: 150, warp_deg: %d, "
                   "at_mm: [-150, 0, 11]}\n"
                   "cloth: {self_collision: false}\n"
                   "material: {name: Tango Red Jet Set, thickness_mm: 0.5, stretch_warp_N_per_m: 500, "
                   "stretch_weft_N_per_m: 500,\n"
                   "    shear_N_per_m: 50, bend_warp_uN_m: 20, bend_weft_uN_m: 20}\n"
                   "layers: [{shape: block, size_mm: [800, 300, 100], at_mm: [0, 0, -50], rigid: true, "
                   "material: Plastic Foam}]\n"
                   "gravity_m_per_s2: [6.30, 0, -7.51]\n"
                   "time: {duration_s: 0.4}\n"
                   "output: {png: false, vtp: false}\n",
                   deg, deg);
    clit_put("slide.yaml", text);
    cbt_run(&r, cbt_folder, "sim slide.yaml");
    if (r.code != 0) fail_msg("exit code %d: %s", r.code, r.err);
    (void)snprintf(command, sizeof command,
                   "predict friction --db '" CB_SOURCE_DIR
                   "/materials.db' --cloth 'Tango Red Jet Set' --body 'Plastic Foam'"
                   " --angle-deg %d --normal-force-N %.9g --area-cm2 50 --json",
                   deg, areal * area * across);
    cbt_run(&r, cbt_folder, command);
    assert_int_equal(r.code, 0);
    json_t *doc = jp_document(r.out);
    double wanted = along - jp_number(doc, "force_N") / (areal * area);
    (void)snprintf(command, sizeof command, "slide%d/values.csv", deg);
    assert_near(acceleration(command), wanted, 0.01 * wanted);
    json_decref(doc);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(elasticity, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_body_alone, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(plays_and_resumes, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(slides_as_the_law_says, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(laws, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
