/* Measured inclines: releases and slides of a sled of known truth, by closed forms, are imported and judged
 * by the law of their pair, which agrees; with friction 15 % off it does not. */
#include <math.h>

#include "cb_num.h"
#include "clitest.h"
#include "jsonpage.h"

#define G CB_STANDARD_GRAVITY_M_PER_S2
#define DB " --db lab.db"

/* Pulls of an orthotropic cloth under Coulomb friction: mu_s 0.5 and 0.4, mu_k 0.4 and 0.3 along warp and
 * weft, with repeats 1 % apart. */
static double mu_static(double deg) { return 0.5 - 0.1 * pow(sin(deg * CB_DEG), 2); }
static double mu_kinetic(double deg) { return 0.4 - 0.1 * pow(sin(deg * CB_DEG), 2); }

static void make_laws(bool with_static) {
  static const double angles[] = {0, 30, 45, 60, 90}, loads[] = {0.5, 1, 2};
  char text[8000];
  size_t used = (size_t)snprintf(text, sizeof text, "deg,N,mu_s,mu_k\n");
  for (size_t a = 0; a < 5; a++)
    for (size_t l = 0; l < 3; l++)
      for (int repeat = -1; repeat <= 1; repeat++) {
        const double off = 1 + 0.01 * repeat;
        used += (size_t)snprintf(text + used, sizeof text - used, "%g,%g,%.5f,%.5f\n", angles[a], loads[l],
                                 off * mu_static(angles[a]), off * mu_kinetic(angles[a]));
      }
  clit_put("pulls.csv", text);
  (void)snprintf(text, sizeof text,
                 "kind: friction\nsource: us\ncolumns:\n  cloth: {value: Twill}\n  body: {value: Steel}\n"
                 "  direction: {column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n"
                 "  friction_coefficient: {column: mu_k, unit: \"1\", u_rel: 0.005}\n%s",
                 with_static ? "  static_coefficient: {column: mu_s, unit: \"1\"}\n" : "");
  clit_put("pulls.yaml", text);
  clit_run("import friction --mapping pulls.yaml pulls.csv" DB, 0);
  clit_run("fit friction" DB, 0);
}

/* A sled of 100 g, at 0, 30 and 90 deg in the cloth. */
static void put_releases(double off) {
  char text[400];
  (void)snprintf(text, sizeof text, "dir,alpha\n0,%.2f\n30,%.2f\n90,%.2f\n90,\n",
                 atan(off * mu_static(0)) / CB_DEG, atan(off * mu_static(30)) / CB_DEG,
                 atan(off * mu_static(90)) / CB_DEG);
  clit_put("release.csv", text);
  clit_put("release.yaml",
           "kind: release\nmethod: tilting plane\nsource: us\ncolumns:\n  cloth: {value: Twill}\n"
           "  body: {value: Steel}\n  direction: {column: dir, unit: deg}\n"
           "  release_angle: {column: alpha, unit: deg}\n  u_angle: {value: 0.2, unit: deg}\n"
           "  mass: {value: 100, unit: g}\n  area: {value: 50, unit: cm2}\n");
  json_t *doc = clit_json("import release --mapping release.yaml release.csv --json" DB, 0, NULL);
  jp_expect("import release", doc);
  assert_true(clit_number(doc, "runs") == 3 && clit_number(doc, "holes") == 1);
  json_decref(doc);
}

static const json_t *quantity(const json_t *doc, const char *name) {
  const json_t *o;
  size_t i;
  json_array_foreach(json_object_get(doc, "quantities"), i,
                     o) if (strcmp(json_string_value(json_object_get(o, "name")), name) == 0) return o;
  fail_msg("no quantity %s", name);
  return NULL;
}

static json_t *judge(int run, int code) {
  char words[200];
  (void)snprintf(words, sizeof words, "validate incline --run %d --json" DB, run);
  json_t *doc = clit_json(words, code, NULL);
  jp_expect("validate incline --run", doc);
  assert_string_equal(json_string_value(json_object_get(doc, "verdict")), code == 0 ? "pass" : "fail");
  return doc;
}

#define FIRST 46 /* the pulls are 45 runs */

static void releases_of_the_law_agree(void **state) {
  (void)state;
  static const double deg[] = {0, 30, 90};
  make_laws(true);
  put_releases(1);
  for (int i = 0; i < 3; i++) {
    json_t *doc = judge(FIRST + i, 0);
    const json_t *q = quantity(doc, "release_angle");
    assert_near(clit_number(q, "predicted"), atan(mu_static(deg[i])) / CB_DEG, 0.1);
    assert_near(clit_number(q, "measured"), atan(mu_static(deg[i])) / CB_DEG, 0.006);
    assert_true(clit_number(q, "u_measured") >= 0.2 && clit_number(q, "u_measured") < 0.6);
    assert_string_equal(json_string_value(json_object_get(doc, "law_kind")), "static");
    json_decref(doc);
  }
  clit_run("db check" DB, 0);
  clit_expect("db show Twill" DB, 0, "verdict on a predicted incline", "");
  clit_run("fit friction" DB, 0);
  clit_expect("validate slide" DB, 1, "", "no finished slide");
  clit_expect("validate slide --run 46" DB, 1, "", "'validate incline --run 46'");
  clit_expect("validate incline --run 1" DB, 1, "", "is level");
  clit_expect("import release --mapping release.yaml release.csv" DB, 1, "", "this very file");
  clit_run("report" DB " --out report", 0);
}

/* A release of a virtual instrument stays virtual; a table cannot claim that this program measured it. */
static void a_mapping_says_where_it_comes_from(void **state) {
  (void)state;
  const char *const origins[] = {"virtual", "measured"};
  for (int i = 0; i < 2; i++) {
    char text[500];
    (void)snprintf(text, sizeof text,
                   "kind: release\nsource: us\ncolumns:\n  origin: {value: %s}\n  cloth: {value: Twill}\n"
                   "  body: {value: Steel}\n  release_angle: {column: a, unit: deg}\n"
                   "  mass: {value: 1, unit: g}\n",
                   origins[i]);
    clit_put("m.yaml", text);
    clit_put("t.csv", "a\n20\n");
    if (i == 1)
      clit_expect("import release --mapping m.yaml t.csv" DB, 1, "", "one of imported, virtual, simulated");
    json_t *doc = i == 0 ? clit_json("import release --mapping m.yaml t.csv --json" DB, 0, NULL) : NULL;
    if (doc) assert_string_equal(json_string_value(json_object_get(doc, "origin")), "virtual");
    json_decref(doc);
  }
  clit_run("db check" DB, 0);
}

static void releases_15_percent_off_fail(void **state) {
  (void)state;
  make_laws(true);
  put_releases(1.15);
  for (int i = 0; i < 3; i++) json_decref(judge(FIRST + i, 3));
}

static void no_static_law(void **state) {
  (void)state;
  make_laws(false);
  put_releases(1);
  clit_expect("validate incline --run 46" DB, 1, "", "no static friction law of 'Twill' on 'Steel'");
}

/* ---- slides ---- */

/* Down 30 degrees along the weft from 0.1 m/s, every 20 ms for 0.6 s, to the tenth of a millimetre. */
static void put_records(double off) {
  char text[4000];
  size_t used = (size_t)snprintf(text, sizeof text, "piece;t;s\n");
  for (int piece = 0; piece < 2; piece++)
    for (int i = 0; i <= 30; i++) {
      const double t = 0.02 * i, mu = off * mu_kinetic(90),
                   b = G * (sin(30 * CB_DEG) - mu * cos(30 * CB_DEG));
      used += (size_t)snprintf(text + used, sizeof text - used, "A;%.3f;%.1f\n", 5 + t,
                               1e3 * (0.02 + 0.1 * t + 0.5 * b * t * t));
    }
  clit_put("slide.csv", text);
  clit_put("slide.yaml",
           "kind: incline\nsource: us\ncolumns:\n  cloth: {value: Twill}\n  body: {value: Steel}\n"
           "  direction: {value: 90, unit: deg}\n  incline: {value: 30, unit: deg}\n"
           "  u_angle: {value: 0.1, unit: deg}\n  mass: {value: 120, unit: g}\n"
           "  time: {column: t, unit: s}\n  distance: {column: s, unit: mm}\n");
  json_t *doc = clit_json("import incline --mapping slide.yaml slide.csv --json" DB, 0, NULL);
  jp_expect("import release", doc);
  assert_true(clit_number(doc, "runs") == 2 && clit_number(doc, "first_run_id") == 46);
  json_decref(doc);
}

static void slides_of_the_law_agree(void **state) {
  (void)state;
  make_laws(false);
  put_records(1);
  json_t *doc = judge(FIRST + 1, 0);
  const double b = G * (0.5 - 0.3 * cos(30 * CB_DEG));
  assert_near(clit_number(quantity(doc, "acceleration"), "predicted"), b, 0.02);
  assert_near(clit_number(quantity(doc, "acceleration"), "measured"), b, 0.002);
  assert_true(clit_number(quantity(doc, "distance_rms_difference"), "measured") < 2e-3);
  assert_string_equal(json_string_value(json_object_get(doc, "law_kind")), "kinetic");
  json_decref(doc);
  clit_run("db check" DB, 0);
}

static void slides_15_percent_off_fail(void **state) {
  (void)state;
  make_laws(false);
  put_records(1.15);
  json_t *doc = judge(FIRST, 3);
  assert_true(fabs(clit_number(quantity(doc, "acceleration"), "E_n")) > 1);
  assert_true(fabs(clit_number(quantity(doc, "distance_rms_difference"), "E_n")) > 1);
  json_decref(doc);
}

static void put_means(const char *columns, const char *table) {
  char text[600];
  (void)snprintf(
      text, sizeof text,
      "kind: incline\nsource: us\ncolumns:\n  cloth: {value: Twill}\n  body: {value: Steel}\n"
      "  incline: {value: 30, unit: deg, u_rel: 0.004}\n  areal_mass: {value: 20, unit: kg/m2}\n%s",
      columns);
  clit_put("mean.yaml", text);
  clit_put("mean.csv", table);
  clit_run("import incline --mapping mean.yaml mean.csv" DB, 0);
}

static void a_mean_acceleration_and_a_stopwatch(void **state) {
  (void)state;
  char row[100];
  const double b = G * (0.5 - 0.4 * cos(30 * CB_DEG));
  make_laws(false);
  (void)snprintf(row, sizeof row, "b\n%.3f\n", b);
  put_means("  acceleration: {column: b, unit: m/s2}\n", row);
  json_t *doc = judge(FIRST, 0);
  assert_near(clit_number(quantity(doc, "acceleration"), "measured"), b, 0.001);
  assert_near(clit_number(quantity(doc, "acceleration"), "predicted"), b, 0.02);
  assert_near(clit_number(doc, "mass_g"), 100, 1e-9); /* on 50 cm2 */
  assert_int_equal(json_array_size(json_object_get(doc, "not_compared")), 2);
  json_decref(doc);
  (void)snprintf(row, sizeof row, "s,t\n800,%.3f\n", sqrt(2 * 0.8 / b));
  put_means("  distance: {column: s, unit: mm}\n  time: {column: t, unit: s, u_rel: 0.01}\n", row);
  doc = judge(FIRST + 1, 0);
  assert_near(clit_number(quantity(doc, "acceleration"), "measured"), b, 0.01);
  assert_true(clit_number(quantity(doc, "acceleration"), "u_measured") > 0.02 * b);
  json_decref(doc);
}

/* ---- malformed tables ---- */

static void malformed_tables_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *kind, *columns, *table, *says;
  } bad[] = {
      {"release", "  release_angle: {column: a, unit: deg}\n", "a\n20\n", "one of 'mass' and 'areal_mass'"},
      {"release", "  mass: {value: 1, unit: g}\n", "a\n20\n", "release_angle"},
      {"release", "  release_angle: {column: a, unit: deg}\n  mass: {value: 1, unit: g}\n", "a\n95\n",
       "release_angle = 1.65"},
      {"release", "  release_angle: {column: a, unit: deg}\n  mass: {value: 1, unit: g}\n", "a\n\"\"\n",
       "nothing but holes in 1 row"},
      {"release", "  release_angle: {column: a, unit: deg}\n  mass: {column: m, unit: g}\n", "a,m\n20,\n",
       "t.csv:2: the mass is empty"},
      {"incline", "  incline: {column: a, unit: deg}\n  mass: {value: 1, unit: g}\n", "a\n20\n",
       "either 'acceleration', or 'time' and 'distance'"},
      {"incline",
       "  incline: {column: a, unit: deg}\n  mass: {value: 1, unit: g}\n  time: {column: t, unit: s}\n"
       "  acceleration: {value: 1, unit: m/s2}\n",
       "a,t\n20,1\n", "either 'acceleration', or 'time' and 'distance'"},
      {"incline",
       "  incline: {column: a, unit: deg}\n  mass: {value: 1, unit: g}\n"
       "  acceleration: {column: b, unit: m/s2}\n",
       "a,b\n20,4\n", "t.csv:2: an acceleration of 4 m/s2 on a slope of 20 deg"},
      {"incline",
       "  incline: {value: 20, unit: deg}\n  mass: {value: 1, unit: g}\n  time: {column: t, unit: s}\n"
       "  distance: {column: s, unit: m}\n  repeat: {value: 1}\n",
       "t,s\n0,0\n1,0.1\n0.5,0.2\n2,1\n3,2\n", "t.csv:4: time = 0.5 s after 1 s"},
      {"incline",
       "  incline: {value: 20, unit: deg}\n  mass: {value: 1, unit: g}\n  time: {column: t, unit: s}\n"
       "  distance: {column: s, unit: m}\n",
       "t,s\n0,0\n1,0.1\n2,0.2\n", "t.csv:2: the slide that begins here: 3 distances over 2 s"},
      {"incline",
       "  incline: {value: 20, unit: deg}\n  mass: {value: 1, unit: g}\n  time: {column: t, unit: s}\n"
       "  distance: {column: s, unit: m}\n",
       "t,s\n0,0\n0,0\n1,0.1\n1,0.2\n", "at 2 times"},
      {"incline",
       "  incline: {value: 20, unit: deg}\n  mass: {value: 1, unit: g}\n  time: {column: t, unit: s}\n"
       "  distance: {column: s, unit: m}\n",
       "t,s\n0,0\n", "a distance and a time > 0 from rest"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char mapping[600], words[200];
    (void)snprintf(mapping, sizeof mapping,
                   "kind: %s\nsource: us\ncolumns:\n  cloth: {value: c}\n  body: {value: b}\n%s", bad[i].kind,
                   bad[i].columns);
    clit_put("m.yaml", mapping);
    clit_put("t.csv", bad[i].table);
    (void)snprintf(words, sizeof words, "import %s --mapping m.yaml t.csv" DB, bad[i].kind);
    clit_expect(words, 1, "", bad[i].says);
  }
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {
      T(releases_of_the_law_agree),
      T(a_mapping_says_where_it_comes_from),
      T(releases_15_percent_off_fail),
      T(no_static_law),
      T(slides_of_the_law_agree),
      T(slides_15_percent_off_fail),
      T(a_mean_acceleration_and_a_stopwatch),
      T(malformed_tables_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
