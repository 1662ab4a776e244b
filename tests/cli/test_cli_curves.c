/* clothbench import shear and import compression: curves of known figures, and what is wrong with others. */
#include <math.h>

#include "clitest.h"
#include "jsonpage.h"

#define GF_CM2 98.0665
#define DEG (acos(-1) / 180)

/* G = 0.8 gf/cm/deg and 2HG = 1.4 gf/cm at every angle, G 10 % more in the weft. */
static void put_shear(const char *name) {
  static char text[60000];
  size_t n = (size_t)snprintf(text, sizeof text, "fabric;dir;rep;phi;F\n");
  for (int test = 0; test < 4; test++)
    for (int i = 0; i <= 320; i++) {
      const double phi = i <= 80    ? 0.1 * i
                         : i <= 240 ? 0.1 * (160 - i)
                                    : 0.1 * (i - 320),
                   sign = i <= 80 || i > 240 ? 1 : -1, G = test < 2 ? 0.8 : 0.88;
      n += (size_t)snprintf(text + n, sizeof text - n, "Serge;%d;%d;%.1f;%.4f\n", test < 2 ? 0 : 90,
                            1 + test % 2, phi, G * phi + 0.7 * sign);
    }
  clit_put(name, text);
}

#define SHEAR_MAP(u)                                                                   \
  "kind: shear\nmethod: KES-FB1\nsource: us\ncolumns:\n  material: {column: fabric}\n" \
  "  direction: {column: dir, unit: deg}\n  repeat: {column: rep}\n"                   \
  "  shear_angle: {column: phi, unit: deg}\n  force_per_width: {column: F, unit: gf/cm" u "}\n"

static const json_t *section_of(const json_t *doc, const char *title) {
  const json_t *section;
  size_t i;
  json_array_foreach(
      json_object_get(doc, "laws"), i,
      section) if (strcmp(json_string_value(json_object_get(section, "title")), title) == 0) return section;
  fail_msg("no section '%s'", title);
  return NULL;
}

static double value_of(const json_t *section, const char *name, const char *key) {
  const json_t *p;
  size_t i;
  json_array_foreach(
      json_object_get(section, "properties"), i,
      p) if (strcmp(json_string_value(json_object_get(p, "name")), name) == 0) return clit_number(p, key);
  fail_msg("no '%s'", name);
  return NAN;
}

static void shear_curves_have_figures(void **state) {
  (void)state;
  clit_put("map.yaml", SHEAR_MAP(", u_rel: 0.02"));
  put_shear("shear.csv");
  json_t *doc = clit_json("import shear --mapping map.yaml shear.csv --db lab.db --json", 0, NULL);
  jp_expect("import permeability", doc);
  assert_near(clit_number(doc, "tests"), 4, 0);
  assert_near(clit_number(doc, "points"), 4 * 321, 0);
  json_decref(doc);
  clit_expect("import shear --mapping map.yaml shear.csv --db lab.db", 1, "", "would count twice");
  doc = clit_json("db show Serge --db lab.db --json", 0, NULL);
  jp_expect("db show", doc);
  const json_t *warp = section_of(doc, "shear, 0 deg"), *weft = section_of(doc, "shear, 90 deg");
  const double unit = 0.980665;
  assert_near(clit_number(warp, "n"), 2, 0);
  assert_near(value_of(warp, "G", "value"), 0.8 * unit / DEG, 1e-3);
  assert_near(value_of(weft, "G", "value"), 0.88 * unit / DEG, 1e-3);
  assert_near(value_of(warp, "2HG", "value"), 1.4 * unit, 1e-3);
  assert_near(value_of(warp, "2HG5", "value"), 1.4 * unit, 1e-3);
  assert_near(value_of(warp, "2HG", "u"), 0.02 * 1.4 * unit, 1e-4);
  json_decref(doc);
  clit_expect("db show Serge --db lab.db", 0, "shear, 90 deg, KES-FB1, imported", "");
  clit_expect("db show Serge --db lab.db", 0, "2HG5", "");
  clit_run("report --cloth Serge --db lab.db --out report", 0);
  char *page = clit_get("report/cloth-1-serge.html");
  assert_non_null(strstr(page, "<h3>shear, 0 deg</h3>"));
  assert_non_null(strstr(page, "2HG5"));
  free(page);
  clit_run("db check --db lab.db", 0);
}

/* Four cycles of one piece in either direction, of which the first has 12 % more G. */
static void first_cycles_are_named(void **state) {
  (void)state;
  static char text[60000];
  size_t n = (size_t)snprintf(text, sizeof text, "fabric;dir;rep;piece;phi;F\n");
  for (int test = 0; test < 8; test++)
    for (int i = 0; i <= 160; i++) {
      const double phi = 0.2 * (i <= 40    ? i
                                : i <= 120 ? 80 - i
                                           : i - 160),
                   sign = i <= 40 || i > 120 ? 1 : -1, G = (test % 4 == 0 ? 0.9 : 0.8) + 0.004 * (test % 3);
      n += (size_t)snprintf(text + n, sizeof text - n, "Serge;%d;%d;a;%.1f;%.4f\n", test < 4 ? 0 : 90,
                            1 + test % 4, phi, G * phi + 0.7 * sign);
    }
  clit_put("map.yaml", SHEAR_MAP(", u_rel: 0.02") "  specimen: {column: piece}\n");
  clit_put("shear.csv", text);
  clit_run("import shear --mapping map.yaml shear.csv --db lab.db", 0);
  json_t *doc = clit_json("db show Serge --db lab.db --json", 0, NULL);
  const json_t *warp = section_of(doc, "shear, 0 deg");
  const char *said = json_string_value(json_object_get(warp, "said"));
  assert_non_null(
      strstr(said, "the first test of a piece has 12 % more shear stiffness than its repeats (p = "));
  assert_non_null(strstr(said, "one piece at 0 deg: +- has 10 % for how pieces differ"));
  /* 10 % between pieces, half of 12 %, and little else. */
  assert_near(value_of(warp, "G", "u") / value_of(warp, "G", "value"),
              sqrt(0.1 * 0.1 + 0.06 * 0.06 + 0.03 * 0.03), 0.006);
  json_decref(doc);
  clit_expect("db show Serge --db lab.db", 0, "more shear stiffness than its repeats", "");
  clit_run("report --cloth Serge --db lab.db --out report", 0);
  char *page = clit_get("report/cloth-1-serge.html");
  assert_non_null(strstr(page, "more shear stiffness than its repeats"));
  free(page);
}

/* T = 0.4 mm - 0.05 mm ln(P / 50 gf/cm2), back with 0.02 mm. */
static void put_compression(const char *name) {
  static char text[60000];
  size_t n = (size_t)snprintf(text, sizeof text, "fabric,P,T\n");
  for (int i = 0; i <= 1000; i++) {
    const double up = (i <= 500 ? i - 500 : 500 - i) * log(500) / 500, P = 50 * exp(up);
    n += (size_t)snprintf(text + n, sizeof text - n, "Serge,%.6f,%.6f\n", P,
                          0.4 - (i <= 500 ? 0.05 : 0.02) * up);
  }
  clit_put(name, text);
}

#define COMPRESSION_MAP                                                                      \
  "kind: compression\nmethod: KES-FB3\nsource: us\ncolumns:\n  material: {column: fabric}\n" \
  "  pressure: {column: P, unit: gf/cm2}\n  thickness: {column: T, unit: mm, u_rel: 0.01}\n"

static void compression_curves_have_figures(void **state) {
  (void)state;
  clit_put("map.yaml", COMPRESSION_MAP);
  put_compression("fb3.csv");
  clit_expect("import compression --mapping map.yaml fb3.csv --db lab.db", 0,
              "1 compression test with 1001 points", "");
  json_t *doc = clit_json("db show Serge --db lab.db --json", 0, NULL);
  const json_t *fb3 = section_of(doc, "compression");
  const double t0_m = 1e-3 * (0.4 + 0.05 * log(100));
  assert_near(value_of(fb3, "T0", "value"), t0_m, 1e-9);
  assert_near(value_of(fb3, "TM", "value"), 0.4e-3, 1e-9);
  assert_near(value_of(fb3, "WC", "value"), 0.05e-3 * 49.5 * GF_CM2, 1e-5);
  assert_near(value_of(fb3, "LC", "value"), 2 * 0.99 / log(100), 1e-4);
  assert_near(value_of(fb3, "RC", "value"), 0.4, 1e-4);
  /* the cloth had no thickness */
  assert_near(value_of(doc, "thickness", "value"), t0_m, 1e-9);
  assert_near(value_of(doc, "thickness", "u"), 0.01 * t0_m, 1e-7);
  json_decref(doc);
  clit_run("db check --db lab.db", 0);
}

/* The law, what it predicts, and what it cannot; a scene of the cloth takes it. */
static void compression_becomes_a_law(void **state) {
  (void)state;
  clit_put("map.yaml", COMPRESSION_MAP);
  put_compression("fb3.csv");
  clit_expect("fit compression --db lab.db", 1, "", "there are no tests of compression");
  clit_run("import compression --mapping map.yaml fb3.csv --db lab.db", 0);
  clit_expect("predict compression --cloth Serge --pressure-Pa 1000 --db lab.db", 1, "",
              "'clothbench fit compression' makes one");
  json_t *doc = clit_json("fit compression --cloth Serge --db lab.db --json", 0, NULL);
  jp_expect("fit compression", doc);
  json_decref(doc);
  clit_expect("fit compression --db lab.db", 0, "Serge: 1 piece, 1 test", "");
  doc = clit_json("predict compression --cloth Serge --pressure-Pa 1000 --layers 3 --db lab.db --json", 0,
                  NULL);
  jp_expect("predict compression", doc);
  const double truth_m = 3e-3 * (0.4 - 0.05 * log(1000 / (50 * GF_CM2)));
  assert_near(clit_number(doc, "thickness_m") / truth_m, 1, 3e-3);
  assert_true(clit_number(doc, "low_m") < truth_m && clit_number(doc, "piece_high_m") > truth_m);
  assert_true(clit_number(doc, "u_thickness_m") > 0.01 * truth_m); /* the mapping says so of all readings */
  json_decref(doc);
  clit_expect("predict compression --cloth Serge --thickness-mm 0.45 --db lab.db", 0, "1 layer of Serge", "");
  clit_expect("predict compression --cloth Serge --pressure-Pa 1 --db lab.db", 0, "outside the measured", "");
  clit_expect("predict compression --cloth Serge --thickness-mm 5 --db lab.db", 1, "",
              "no pressure near them presses 1 layer to that");
  clit_expect("predict compression --cloth Serge --db lab.db", 2, "", "--pressure-Pa or --thickness-mm");
  clit_expect("predict compression --cloth Serge --pressure-Pa 9 --layers 1.5 --db lab.db", 2, "",
              "--layers = 1.5: a whole number was wanted");
  clit_expect("db show Serge --db lab.db", 0, "compression, knots, imported", "");
  clit_run("report --cloth Serge --db lab.db --out report", 0);
  char *page = clit_get("report/cloth-1-serge.html");
  assert_non_null(strstr(page, "cloth-1-serge-compression.csv"));
  free(page);
  clit_run("db check --db lab.db", 0);
}

/* A thickness that is known stays. */
static void a_known_thickness_stays(void **state) {
  (void)state;
  clit_put("map.yaml", COMPRESSION_MAP);
  put_compression("fb3.csv");
  clit_run("material set Serge --thickness-mm 0.5 --source us --db lab.db", 0);
  clit_run("import compression --mapping map.yaml fb3.csv --db lab.db", 0);
  json_t *doc = clit_json("db show Serge --db lab.db --json", 0, NULL);
  assert_near(value_of(doc, "thickness", "value"), 5e-4, 1e-12);
  json_decref(doc);
}

/* Forces instead of force per width and of pressure. */
static void forces_are_divided(void **state) {
  (void)state;
  clit_put(
      "map.yaml",
      "kind: shear\nsource: us\ncolumns:\n  material: {value: X}\n  shear_angle: {column: a, unit: deg}\n"
      "  force: {column: F, unit: N}\n  width: {value: 20, unit: cm}\n");
  clit_put("f.csv", "a,F\n0,0\n0.5,1\n1,2\n1.5,3\n2,4\n2.5,5\n");
  clit_run("import shear --mapping map.yaml f.csv --db lab.db", 0);
  json_t *doc = clit_json("db show X --db lab.db --json", 0, NULL);
  assert_near(value_of(section_of(doc, "shear"), "G", "value"), 10 / DEG, 1e-9);
  json_decref(doc);
  clit_put("map2.yaml",
           "kind: compression\nsource: us\ncolumns:\n  material: {value: Y}\n"
           "  thickness: {column: T, unit: mm}\n  force: {column: F, unit: gf}\n"
           "  area: {value: 2, unit: cm2}\n");
  clit_put("c.csv", "T,F\n1.0,0.5\n0.9,1\n0.6,50\n0.5,100\n");
  clit_run("import compression --mapping map2.yaml c.csv --db lab.db", 0);
  doc = clit_json("db show Y --db lab.db --json", 0, NULL);
  assert_near(value_of(section_of(doc, "compression"), "T0", "value"), 0.9e-3, 1e-12);
  assert_near(value_of(section_of(doc, "compression"), "WC", "value"),
              GF_CM2 * 1e-3 * (0.3 * 25.5 / 2 + 0.1 * 75 / 2), 1e-9);
  json_decref(doc);
}

/* Strips along warp and weft, and shear: a law with a curve at 45 degrees, which says where it is from. */
static void shear_makes_the_bias(void **state) {
  (void)state;
  static char text[20000];
  size_t n = (size_t)snprintf(text, sizeof text, "dir,d,F\n");
  for (int dir = 0; dir <= 90; dir += 90)
    for (int i = 0; i <= 100; i++)
      n += (size_t)snprintf(text + n, sizeof text - n, "%d,%.2f,%.4f\n", dir, 0.1 * i,
                            (dir ? 500 : 1000) * 0.05 * 1e-3 * i);
  clit_put("strips.csv", text);
  clit_put("strips.yaml",
           "kind: stretch\nsource: us\ncolumns:\n  material: {value: Serge}\n"
           "  direction: {column: dir, unit: deg}\n  displacement: {column: d, unit: mm}\n"
           "  force: {column: F, unit: N}\n  width: {value: 50, unit: mm}\n"
           "  length: {value: 100, unit: mm}\n");
  clit_put("map.yaml", SHEAR_MAP(", u_rel: 0.02"));
  put_shear("shear.csv");
  clit_run("import stretch --mapping strips.yaml strips.csv --db lab.db", 0);
  clit_expect("db missing --db lab.db", 0, "shear", "");
  clit_expect(
      "db missing --db lab.db", 0,
      "known: areal density of 0, thickness of 0, stretch along the warp of 0, stretch along the weft of 0, "
      "shear of 0, bending of 0, permeability of 0, friction of 0; all of it of 0\n",
      "");
  clit_run("import shear --mapping map.yaml shear.csv --db lab.db", 0);
  clit_expect("fit stretch --cloth Serge --db lab.db", 0, "45 deg, from warp, weft and G of 4 shear tests",
              "");
  clit_expect("fit stretch --cloth Serge --db lab.db", 0, "no strip was tested near 45 deg: 1/E45 =", "");
  json_t *doc = clit_json("fit stretch --cloth Serge --db lab.db --json", 0, NULL);
  jp_expect("fit stretch", doc);
  const json_t *shear = json_object_get(doc, "shear");
  const double G = 0.84 * 0.980665 / DEG, u = 0.04 * 0.980665 / DEG / sqrt(3); /* 0.8, 0.8, 0.88, 0.88 */
  assert_near(clit_number(shear, "tests"), 4, 0);
  assert_near(clit_number(shear, "G_N_per_m"), G, 1e-3);
  assert_near(clit_number(shear, "u_G_N_per_m"), hypot(u, 0.02 * G), 1e-3);
  assert_string_equal(json_string_value(json_object_get(doc, "form")), "tensor");
  json_decref(doc);
  doc = clit_json("predict stretch --cloth Serge --angle-deg 45 --strain 0.05 --db lab.db --json", 0, NULL);
  assert_near(clit_number(doc, "force_N_per_m"), 0.05 * 4 / (1e-3 + 2e-3 + 1 / G), 1e-3);
  json_decref(doc);
  doc = clit_json("db show Serge --db lab.db --json", 0, NULL);
  assert_near(clit_number(section_of(doc, "stretch"), "n"), 6, 0); /* two strips, four shear tests */
  json_decref(doc);
  clit_run("db check --db lab.db", 0);
}

/* The mappings that are shipped; one specimen has no figures. */
static void shipped_mappings_read_a_table(void **state) {
  (void)state;
  clit_put("f.csv",
           "cloth,specimen,direction_deg,phi_deg,F_gf_per_cm\nX,a,0,0,0\nX,a,0,0.5,1\n"
           "X,a,0,1.5,3\nX,a,0,2.5,5\nX,b,0,0,0\nX,b,0,0.5,1\n");
  clit_expect("import shear --mapping " CB_SOURCE_DIR "/rigs/import/kes_fb1_shear.yaml f.csv --db lab.db", 0,
              "2 shear tests with 6 points", "test 2, of 'X', has no figures");
  clit_expect("db show X --db lab.db", 0, "shear, 0 deg, KES-FB1, 1 left out, imported", "");
  clit_put("c.csv", "cloth,specimen,P_gf_per_cm2,T_mm\nX,a,0.5,1.0\nX,a,50,0.6\nX,a,0.5,0.8\n");
  clit_expect("import compression --mapping " CB_SOURCE_DIR "/rigs/import/kes_fb3.yaml c.csv --db lab.db", 0,
              "1 compression test with 3 points", "");
  json_t *doc = clit_json("db show X --db lab.db --json", 0, NULL);
  const json_t *fb3 = section_of(doc, "compression");
  assert_near(value_of(fb3, "LC", "value"), 50.5 / 50, 1e-12); /* a straight line, but for what lies below P0
                                                                */
  assert_near(value_of(fb3, "RC", "value"), 0.5, 1e-12);
  json_decref(doc);
}

static void bad_tables_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *kind, *columns, *table, *says;
  } bad[] = {
      {"shear", "  shear_angle: {column: a, unit: deg}\n", "a\n1\n",
       "gives 0 of the columns force_per_width, force"},
      {"shear", "  shear_angle: {column: a, unit: deg}\n  force: {column: F, unit: N}\n", "a,F\n1,1\n",
       "a force without its width"},
      {"shear", "  shear_angle: {column: a, unit: mm}\n  force_per_width: {column: F, unit: N/m}\n",
       "a,F\n1,1\n", "mm"},
      {"shear", "  shear_angle: {column: a, unit: deg}\n  force_per_width: {column: F, unit: N/m}\n",
       "a,F\n1,1\n95,2\n", "t.csv:3: shear_angle = 1.65"},
      {"shear", "  shear_angle: {column: a, unit: deg}\n  force_per_width: {column: F, unit: N/m}\n",
       "a,F\n1,x\n", "t.csv:2"},
      {"shear", "  shear_angle: {column: a, unit: deg}\n  force_per_width: {column: F, unit: N/m}\n",
       "a,F\n1,NA\n", "nothing but holes in 1 row"},
      {"compression", "  pressure: {column: a, unit: gf/cm2}\n", "a\n1\n", "thickness"},
      {"compression", "  thickness: {column: a, unit: mm}\n  force: {column: F, unit: N}\n", "a,F\n1,1\n",
       "a force without its area"},
      {"compression", "  thickness: {column: a, unit: mm}\n  pressure: {column: F, unit: Pa}\n",
       "a,F\n-1,1\n", "t.csv:2: thickness = -0.001"},
  };
  cbt_result *r = malloc(sizeof *r);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char text[400], arguments[100];
    (void)snprintf(text, sizeof text, "kind: %s\nsource: us\ncolumns:\n  material: {value: X}\n%s",
                   bad[i].kind, bad[i].columns);
    clit_put("map.yaml", text);
    clit_put("t.csv", bad[i].table);
    (void)snprintf(arguments, sizeof arguments, "import %s --mapping map.yaml t.csv --db no.db", bad[i].kind);
    cbt_run(r, cbt_folder, arguments);
    if (r->code != 1 || !strstr(r->err, bad[i].says)) fail_msg("'%s' lacks '%s'", r->err, bad[i].says);
  }
  free(r);
}

/* It is kept, as every test is, but somebody should know. */
static void a_curve_without_figures_is_told(void **state) {
  (void)state;
  clit_put(
      "map.yaml",
      "kind: shear\nsource: us\ncolumns:\n  material: {value: X}\n  shear_angle: {column: a, unit: deg}\n"
      "  force_per_width: {column: F, unit: N/m}\n");
  clit_put("t.csv", "a,F\n0,0\n0.5,1\n1,2\n");
  clit_expect("import shear --mapping map.yaml t.csv --db lab.db", 0, "1 shear test with 3 points",
              "test 1, of 'X', has no figures: the curve does not reach over 0.5 to 2.5 degrees");
  json_t *doc = clit_json("db show X --db lab.db --json", 0, NULL);
  assert_int_equal(json_array_size(json_object_get(doc, "laws")), 0);
  json_decref(doc);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {
      T(shear_curves_have_figures),      T(first_cycles_are_named),        T(compression_curves_have_figures),
      T(a_known_thickness_stays),        T(compression_becomes_a_law),     T(forces_are_divided),
      T(bad_tables_are_refused),         T(shipped_mappings_read_a_table), T(shear_makes_the_bias),
      T(a_curve_without_figures_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
