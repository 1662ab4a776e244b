/* `sim` with materials by name: what comes out of the database is what the fits put in, it rubs as the law
 * says, nothing that is missing is made up, and a run goes on with no other materials than it began with. */
#include "cb_num.h"
#include "clitest.h"

#define DB " --db lab.db"

static const char cantilevers[] =
    "cloth,specimen,direction_deg,side,overhang_mm,areal_density_g_per_m2\n"
    "Twill,a,0,face,33.0,150\nTwill,b,0,face,33.5,150\nTwill,a,45,face,27.0,150\nTwill,b,45,face,27.5,150\n"
    "Twill,a,90,face,28.0,150\nTwill,b,90,face,28.2,150\n";

static const char strips[] =
    "kind: stretch\nmethod: strip\nsource: invented for a test\ncolumns:\n"
    "  material: {value: Twill}\n  direction: {column: angle, unit: deg}\n  repeat: {column: repeat}\n"
    "  displacement: {column: d, unit: mm}\n  force: {column: f, unit: N, u_rel: 0.01}\n"
    "  length: {value: 100, unit: mm}\n  width: {value: 50, unit: mm}\n";

#define FRICTION(below)                                                                                     \
  "columns: {cloth: cloth, body: body, angle_deg: deg, " below                                              \
  "cart_mass_g: cart, added_mass_g: added, reading: mV, friction_coefficient: mu}\n"                        \
  "calibration: {reading_unit: mV/V, reading: 2.5, mass_g: 200, u_rel: 0.002}\ngravity_m_per_s2: 9.80665\n" \
  "contact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: 5\nkind: kinetic\nsource: "     \
  "invented for a test\n"

/* Rougher along the warp; the lighter the load, the rougher. */
static double rough(double deg, double N) { return 0.45 * pow(N, -0.1) * (1 + 0.2 * cos(2 * deg * CB_DEG)); }

static void write_strips(void) {
  static char csv[20000];
  size_t used = (size_t)snprintf(csv, sizeof csv, "angle,repeat,d,f\n");
  for (int angle = 0; angle <= 90; angle += 45)
    for (int repeat = 1; repeat <= 2; repeat++)
      for (int i = 0; i <= 20; i++) {
        double e = 0.05 * i / 20, k = angle == 45 ? 400 : angle == 0 ? 2000 : 1200;
        used += (size_t)snprintf(csv + used, sizeof csv - used, "%d,%d,%.6f,%.9g\n", angle, repeat, 100 * e,
                                 0.05 * k * (1 + 0.02 * repeat) * (e + 8 * e * e));
      }
  clit_put("strips.csv", csv);
}

static void write_friction(void) {
  static char foam[8000], twill[8000];
  size_t a = (size_t)snprintf(foam, sizeof foam, "cloth,body,deg,cart,added,mV,mu\n");
  size_t b = (size_t)snprintf(twill, sizeof twill, "cloth,body,deg,below,cart,added,mV,mu\n");
  for (int g = 50; g <= 200; g *= 2)
    for (int deg = 0; deg <= 90; deg += 45) {
      double N = g * 9.80665e-3;
      a += (size_t)snprintf(foam + a, sizeof foam - a,
                            "Twill,Foam,%d,0.0,%d,,%.5f\nTwill,Foam,%d,0.0,%d,,%.5f\n", deg, g, rough(deg, N),
                            deg, g, rough(deg, N));
      for (int below = 0; below <= 90; below += 45)
        b += (size_t)snprintf(twill + b, sizeof twill - b, "Twill,Twill,%d,%d,0.0,%d,,%.5f\n", deg, below, g,
                              (rough(deg, N) + rough(below, N)) / 2);
    }
  clit_put("foam.csv", foam);
  clit_put("twill.csv", twill);
}

static int set_up(void **state) {
  (void)cbt_folder_set_up(state);
  clit_put("cantilevers.csv", cantilevers);
  clit_put("strips.yaml", strips);
  clit_put("foam.yaml", FRICTION(""));
  clit_put("twill.yaml", FRICTION("body_angle_deg: below, "));
  write_strips();
  write_friction();
  clit_run("import cantilever --mapping '" CB_SOURCE_DIR "/rigs/import/cantilever.yaml' cantilevers.csv" DB,
           0);
  clit_run("import stretch --mapping strips.yaml strips.csv" DB, 0);
  clit_run("import friction --mapping foam.yaml foam.csv" DB, 0);
  return 0;
}

static void fit_all(void) {
  clit_run("fit bending --cloth Twill" DB, 0);
  clit_run("fit stretch --cloth Twill" DB, 0);
  clit_run("fit friction --cloth Twill --body Foam" DB, 0);
  clit_run("import friction --mapping twill.yaml twill.csv" DB, 0);
  clit_run("fit self-friction --cloth Twill --body Twill" DB, 0);
}

/* A sheet lies on a plane under gravity that is tilted by 40 degrees towards x. */
#define SLOPE 40.0
static void write_scene(const char *name, const char *cloth, const char *material, const char *body,
                        double warp_deg, double duration_s) {
  char text[2000];
  (void)snprintf(text, sizeof text,
                 "name: slope\n"
                 "database: lab.db\n"
                 "sheet: {shape: rectangle, length_mm: 60, width_mm: 60, vertices: 60, warp_deg: %g, at_mm: "
                 "[0, 0, 0.25]}\n"
                 "cloth: {%s}\nmaterial: {%s}\n"
                 "bodies: [{shape: plane, %s}]\n"
                 "gravity_m_per_s2: [%.15g, 0, %.15g]\n"
                 "time: {duration_s: %g, step_ms: 5}\n"
                 "output: {vtp: false, png: false}\n",
                 warp_deg, cloth, material, body, 9.80665 * sin(SLOPE * CB_DEG),
                 -9.80665 * cos(SLOPE * CB_DEG), duration_s);
  clit_put(name, text);
}

static double at(const json_t *doc, const char *list, size_t i) {
  return json_number_value(json_array_get(json_object_get(doc, list), i));
}

/* A sheet that rests on a block presses less than any rig did: all contacts say so, those that stay from step
 * to step as well. */
static void contacts_of_layers_are_told(void **state) {
  (void)state;
  fit_all();
  clit_put(
      "block.yaml",
      "name: block\ndatabase: lab.db\n"
      "sheet: {shape: rectangle, length_mm: 100, width_mm: 100, vertices: 100, at_mm: [0, 0, 12]}\n"
      "material: {name: Twill, thickness_mm: 0.5}\ncloth: {self_collision: false}\n"
      "layers:\n  - {shape: block, size_mm: [200, 200, 50], cells: [4, 4, 1], at_mm: [0, 0, -25],\n"
      "     density_kg_per_m3: 33, young_kPa: 130, poisson: 0.3, material: Foam, friction_on_bodies: 1}\n"
      "bodies: [{shape: plane, at_mm: [0, 0, -50], friction: 1}]\n"
      "time: {duration_s: 0.05, step_ms: 5}\noutput: {vtp: false, png: false}\n");
  json_t *doc = clit_json("sim block.yaml --json", 0, "sim");
  const json_t *layer = json_array_get(json_object_get(json_object_get(doc, "layered"), "bodies"), 0);
  const double contacts = clit_number(layer, "contacts");
  assert_true(contacts > 500);                                       /* 10 steps of 100 vertices */
  assert_true(clit_number(layer, "extrapolated") >= 0.9 * contacts); /* the sheet lies from the second step on
                                                                      */
  json_decref(doc);
  clit_expect("sim block.yaml", 0, "contacts with the layer under a measured law press lighter", "");
  assert_non_null(strstr(clit_last.out, "on bodies in layers"));
}

/* The document, the words and the file of --law-draw agree, and hold what the run itself came to. */
static void laws_are_drawn(void **state) {
  (void)state;
  fit_all();
  write_scene("drawn.yaml", "", "name: Twill, thickness_mm: 0.5", "material: Foam", 90, 0.05);
  clit_expect("sim drawn.yaml --law-draw 6", 1, "", "slope: drawn laws: a probe under 'output' was wanted");
  char *text = clit_get("drawn.yaml"), more[2200];
  (void)snprintf(more, sizeof more, "%.*s{probes: [{name: tip, at_mm: [30, 0, 0]}]}\n",
                 (int)(strstr(text, "output: ") + 8 - text), text);
  free(text);
  clit_put("drawn.yaml", more);
  json_t *doc = clit_json("sim drawn.yaml --law-draw 6 --json", 0, "sim"),
         *draw = json_object_get(doc, "law_draw"), *tip = json_array_get(json_object_get(draw, "probes"), 0);
  const double x_mm = 1e3 * clit_number(json_object_get(doc, "end"), "tip_x_m"),
               low_mm = at(tip, "low_mm", 0), high_mm = at(tip, "high_mm", 0);
  assert_near(clit_number(draw, "draws"), 6, 0);
  assert_int_equal(json_array_size(json_object_get(draw, "drawn")), 3); /* stretch, bending, friction */
  if (!(low_mm < x_mm && x_mm < high_mm)) fail_msg("%g in %g to %g mm", x_mm, low_mm, high_mm);
  json_decref(doc);
  char *rows = clit_get("slope/bands.csv"), *last = rows;
  assert_true(strncmp(rows, "time_s,tip_x_m_low,tip_x_m_high,tip_y_m_low,", 43) == 0);
  int n = 0;
  for (char *row = rows; row[0] && row[1]; row = strchr(row, '\n') + 1, n++) last = row;
  assert_int_equal(n, 1 + 11);
  assert_near(strtod(strchr(last, ',') + 1, NULL), 1e-3 * low_mm, 1e-12);
  free(rows);
  clit_expect("sim drawn.yaml --law-draw 6", 0, "laws drawn 6 times: stretch, bending, friction", "");
  clit_expect("sim drawn.yaml --law-draw 6 --window", 2, "", "--law-draw do not go with it");
  clit_run("sim drawn.yaml", 0); /* whose folder has no bands */
  char path[400];
  assert_int_not_equal(access(cbt_path("slope/bands.csv", path), F_OK), 0);
}

/* Points of a curve against `fit stretch`; D against `predict bending`; the density against what was
 * weighed. */
static void laws_arrive(void **state) {
  (void)state;
  fit_all();
  json_t *fit = clit_json("fit stretch --cloth Twill --json" DB, 0, NULL),
         *bend = clit_json("fit bending --cloth Twill --json" DB, 0, NULL);
  write_scene("all.yaml", "self_material: Twill", "name: Twill, thickness_mm: 0.5", "material: Foam", 0,
              0.01);
  json_t *doc = clit_json("sim all.yaml --json", 0, "sim"), *m = json_object_get(doc, "materials"),
         *cloth = json_object_get(m, "cloth");
  static const char *const axes[] = {"warp", "weft", "shear"};
  assert_near(clit_number(cloth, "areal_density_g_per_m2"), 150, 1e-9);
  for (int k = 0; k < 3; k++) {
    const json_t *want = json_object_get(json_object_get(fit, "green_curves"), axes[k]),
                 *got = json_object_get(cloth, axes[k]);
    size_t n = json_array_size(json_object_get(got, "green_strain"));
    assert_true(n >= 2 && n == json_array_size(want));
    for (size_t i = 0; i < n; i++) {
      const json_t *point = json_array_get(want, i);
      assert_true(at(got, "green_strain", i) == clit_number(point, "strain"));
      assert_true(at(got, "stress_N_per_m", i) == clit_number(point, "stress_N_per_m"));
    }
  }
  const json_t *D = json_object_get(cloth, "bending_Nm"), *law = json_object_get(bend, "law");
  assert_true(json_number_value(json_array_get(json_array_get(D, 0), 0)) == clit_number(law, "B1_Nm"));
  assert_true(json_number_value(json_array_get(json_array_get(D, 1), 1)) == clit_number(law, "B2_Nm"));
  const json_t *body = json_array_get(json_object_get(m, "bodies"), 0), *self = json_object_get(m, "self");
  assert_string_equal(json_string_value(json_object_get(body, "origin")), "imported");
  assert_near(at(body, "measured_Pa", 0), 0.05 * 9.80665 / 0.005, 1e-9);
  assert_near(at(self, "measured_Pa", 1), 0.2 * 9.80665 / 0.005, 1e-9);
  assert_true(clit_number(self, "law_id") > 0 && clit_number(body, "law_kinetic_id") > 0);
  /* All of it rests under 1.1 Pa, where nothing was measured. */
  assert_near(clit_number(json_object_get(doc, "contacts"), "extrapolated_percent"), 100, 0);
  json_decref(doc);
  json_decref(fit);
  json_decref(bend);
  clit_expect("sim all.yaml", 0, "100 % of ", "");
  assert_non_null(strstr(
      clit_last.out,
      "Twill (imported) of lab.db: areal density, warp, weft, shear, bending; of the scene: thickness"));
  assert_non_null(strstr(
      clit_last.out,
      "body 1: Foam, imported, law F1, measured at 98.1 to 392 Pa; no static law: it holds as it slides"));
}

/* From rest: v = (g sin a - F(g cos a w A0) / (w A0)) t, F the pair's law in the direction that slides, at
 * the weight on its own area. */
static void slides_as_the_law_says(void **state) {
  (void)state;
  fit_all();
  for (int k = 0; k < 2; k++) {
    double angle_deg = k == 0 ? 0 : 90, mass_kg = 0.15 * 0.005, t_s = 0.2;
    char command[300];
    write_scene("slope.yaml", "self_collision: false", "name: Twill, thickness_mm: 0.5", "material: Foam",
                -angle_deg, t_s);
    clit_run("sim slope.yaml", 0);
    char *rows = clit_get("slope/values.csv"), *last = rows;
    for (char *row = rows; row[0] && row[1]; row = strchr(row, '\n') + 1) last = row;
    for (int comma = 0; comma < 11; comma++) last = strchr(last, ',') + 1; /* time, ledger, place */
    double speed_m_per_s = strtod(last, NULL);
    free(rows);
    (void)snprintf(
        command, sizeof command,
        "predict friction --cloth Twill --body Foam --angle-deg %g --normal-force-N %.15g --json" DB,
        angle_deg, mass_kg * 9.80665 * cos(SLOPE * CB_DEG));
    json_t *said = clit_json(command, 0, NULL);
    double a = 9.80665 * sin(SLOPE * CB_DEG) - clit_number(said, "force_N") / mass_kg;
    json_decref(said);
    /* The solver's tolerance is 1e-3 of a residual that is next to nothing for a sheet that moves as a
     * whole. */
    assert_near(speed_m_per_s, fmax(a, 0) * t_s, 1e-5);
    assert_true(k == 0 || speed_m_per_s > 0.01);
  }
}

static void expect_refused(const char *cloth, const char *material, const char *body, const char *sentence) {
  write_scene("bad.yaml", cloth, material, body, 0, 0.01);
  clit_expect("sim bad.yaml", 1, "", sentence);
}

/* One sentence each: what is missing, of what, and which command makes it. */
static void what_is_missing_is_said(void **state) {
  (void)state;
#define NUMBERS                                                                                  \
  "stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, shear_N_per_m: 50, bend_warp_uN_m: 5, " \
  "bend_weft_uN_m: 5"
  expect_refused("", "name: Tweed", "friction: 0", "lab.db: no cloth named 'Tweed'; there are: Twill");
  expect_refused("", "name: Twill", "friction: 0",
                 "lab.db: the thickness of 'Twill' is not known: thickness_mm was wanted in the scene");
  expect_refused("", "name: Twill, thickness_mm: 0.5", "friction: 0",
                 "lab.db: 'Twill' has no law of stretch: 'clothbench fit stretch' makes one");
  clit_run("fit stretch --cloth Twill" DB, 0);
  expect_refused("", "name: Twill, thickness_mm: 0.5", "friction: 0",
                 "lab.db: 'Twill' has no law of bending: 'clothbench fit bending' makes one");
  expect_refused("", "name: Twill, thickness_mm: 0.5, " NUMBERS, "material: Glass",
                 "lab.db: no body named 'Glass'");
  expect_refused(
      "self_material: Foam", "name: Twill, thickness_mm: 0.5, " NUMBERS, "friction: 0",
      "lab.db: no law of self-friction of 'Twill' on 'Foam': 'clothbench fit self-friction' makes one");
  /* Points without a law: fitted here and now, which the document says. */
  write_scene("now.yaml", "", "name: Twill, thickness_mm: 0.5, " NUMBERS, "material: Foam", 0, 0.01);
  json_t *doc = clit_json("sim now.yaml --json", 0, NULL);
  const json_t *body = json_array_get(json_object_get(json_object_get(doc, "materials"), "bodies"), 0);
  assert_true(json_is_true(json_object_get(body, "fitted_now")) &&
              json_is_null(json_object_get(body, "law_kinetic_id")));
  json_decref(doc);
  clit_expect("sim now.yaml --db nothing.db", 1, "", "nothing.db");
}

/* A table of Wang et al. has curves, too; a strip law without 45 degrees has no shear. */
static void other_laws_of_stretch(void **state) {
  (void)state;
  clit_put("flat.json",
           "{\"density\": 0.25, \"stretching\": [[100, 10, 90, 40], [120, 10, 90, 40], [120, 10, 90, 40], "
           "[120, 10, 90, 40], [120, 10, 90, "
           "40], [120, 10, 90, 40]],\n"
           " \"bending\": [[24e-6, 24e-6, 24e-6, 24e-6, 24e-6], [24e-6, 24e-6, 24e-6, 24e-6, 24e-6], [24e-6, "
           "24e-6, 24e-6, 24e-6, 24e-6]]}\n");
  clit_run("import material flat.json --format arcsim --name Flat" DB, 0);
  write_scene("flat.yaml", "", "name: Flat, thickness_mm: 0.5", "friction: 0", 0, 0.01);
  json_t *doc = clit_json("sim flat.yaml --json", 0, NULL);
  const json_t *cloth = json_object_get(json_object_get(doc, "materials"), "cloth"),
               *warp = json_object_get(cloth, "warp");
  assert_near(clit_number(cloth, "areal_density_g_per_m2"), 250, 1e-9);
  /* k11 = 2 c11: 200 N/m at no stretch, 240 from 1 + 1/6 on; half-way there 220. */
  double e = 0.5 * (pow(1 + 1 / 12.0, 2) - 1);
  assert_near(at(warp, "green_strain", 4), e, 1e-15);
  assert_near(at(warp, "stress_N_per_m", 4), 220 * e, 1e-10);
  assert_near(at(json_object_get(cloth, "shear"), "stress_N_per_m", 4), 40 * e, 1e-10); /* k33 E/2 = c33 E */
  assert_near(json_number_value(json_array_get(json_array_get(json_object_get(cloth, "bending_Nm"), 0), 0)),
              6e-6, 1e-15);
  json_decref(doc);
}

#define OTHER \
  "slope/materials.json: the run began with other materials than the scene has now: the same were wanted"
static void a_run_keeps_its_materials(void **state) {
  (void)state;
  fit_all();
  write_scene("a.yaml", "self_collision: false", "name: Twill, thickness_mm: 0.5", "material: Foam", 0, 0.05);
  clit_run("sim a.yaml", 0);
  write_scene("a.yaml", "self_collision: false", "name: Twill, thickness_mm: 0.5", "material: Foam", 0, 0.1);
  clit_expect("sim a.yaml --resume", 0, "from step 10 on", "");
  /* Another scene's bodies, and another law of the same one. */
  write_scene("a.yaml", "self_collision: false", "name: Twill, thickness_mm: 0.5", "friction: 0.2", 0, 0.1);
  clit_expect("sim a.yaml --resume", 1, "", OTHER);
  write_scene("a.yaml", "self_collision: false", "name: Twill, thickness_mm: 0.5", "material: Foam", 0, 0.1);
  clit_expect("sim a.yaml --resume", 0, "0 steps to 0.1 s from step 20 on", "");
  clit_put("more.csv",
           "cloth,body,deg,cart,added,mV,mu\nTwill,Foam,0,0.0,75,,0.61000\nTwill,Foam,90,0.0,75,,0.41000\n");
  clit_run("import friction --mapping foam.yaml more.csv" DB, 0);
  clit_expect("sim a.yaml --resume", 1, "", OTHER);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {TEST(contacts_of_layers_are_told),
                                     TEST(laws_arrive),
                                     TEST(laws_are_drawn),
                                     TEST(slides_as_the_law_says),
                                     TEST(what_is_missing_is_said),
                                     TEST(other_laws_of_stretch),
                                     TEST(a_run_keeps_its_materials)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
