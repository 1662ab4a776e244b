/* Cloth on cloth as a lab meets it: a campaign on the virtual rig, a foreign table, fit, predict, card; and
 * what cannot be fitted. */
#include "cb_num.h"
#include "clitest.h"

static const char *text(const json_t *doc, const char *key) {
  const char *t = json_string_value(json_object_get(doc, key));
  return t ? t : "";
}

/* ---- a table from elsewhere, without noise but for the digits ---- */

#define MAPPING(below)                                                                                \
  "columns: {cloth: cloth, body: body, angle_deg: deg, " below                                        \
  "cart_mass_g: cart, added_mass_g: added, reading: mV, friction_coefficient: mu}\n"                  \
  "calibration: {reading_unit: mV/V, reading: 2.5, mass_g: 200, u_rel: 0.002}\n"                      \
  "gravity_m_per_s2: 9.81\ncontact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: " \
  "5\nkind: kinetic\nsource: invented\n"

/* Twill on something with directions of its own, product rule: mu = 0.5 N^-0.1 sqrt(q1 q2). */
static double truth(double deg, double below, double N) {
  double q1 = 1 + 0.3 * cos(2 * deg * CB_DEG),
         q2 = 1 - 0.2 * cos(2 * below * CB_DEG) + 0.1 * sin(2 * below * CB_DEG);
  return 0.5 * pow(N, -0.1) * sqrt(q1 * q2);
}

/* n_bodies directions of the body times three of the cloth, under each load. */
static void write_table(const char *name, const char *body, int n_bodies, const double *loads_g,
                        int n_loads) {
  static char csv[20000];
  size_t used = (size_t)snprintf(csv, sizeof csv, "cloth,body,deg,below,cart,added,mV,mu\n");
  for (int l = 0; l < n_loads; l++)
    for (int c = 0; c < 3; c++)
      for (int b = 0; b < n_bodies; b++)
        used += (size_t)snprintf(csv + used, sizeof csv - used, "Twill,%s,%d,%d,0.0,%g,,%.5f\n", body, 45 * c,
                                 45 * b, loads_g[l], truth(45 * c, 45 * b, loads_g[l] * 9.81e-3));
  clit_put(name, csv);
  clit_put("map.yaml", MAPPING("body_angle_deg: below, "));
  clit_put("unknown.yaml", MAPPING(""));
}

static const double loads_g[] = {50, 100, 200}, another_g[] = {75};

static void an_imported_table(void **state) {
  (void)state;
  write_table("t.csv", "Silk", 3, loads_g, 3);
  clit_expect("import friction --mapping map.yaml t.csv --db lab.db", 0, "27 points of 1 pair", "");
  json_t *doc =
      clit_json("fit self-friction --cloth Twill --body Silk --db lab.db --json", 0, "fit self-friction");
  assert_string_equal(text(doc, "rule"), "product");
  assert_string_equal(text(doc, "exponent_from"), "fitted");
  assert_string_equal(text(doc, "origin"), "imported");
  assert_near(jp_number(doc, "exponent"), 0.9, 1e-4);
  assert_near(jp_number(json_object_get(doc, "surface_of_cloth"), "cos2"), 0.3, 1e-4);
  assert_near(jp_number(json_object_get(doc, "surface_of_body"), "sin2"), 0.1, 1e-4);
  assert_near(jp_number(json_object_get(doc, "surface_of_body"), "roughest_deg"),
              0.5 * atan2(0.1, -0.2) / CB_DEG, 0.02);
  json_decref(doc);
  /* Where nobody pulled, and on another area: F_A(N) = A/A0 F(N A0/A). */
  doc = clit_json(
      "predict self-friction --cloth Twill --body Silk --angle-deg 20 --body-angle-deg 110 --normal-force-N "
      "1.5 --db lab.db "
      "--json",
      0, "predict self-friction");
  assert_near(jp_number(doc, "force_N"), 1.5 * truth(20, 110, 1.5), 1e-4);
  assert_true(jp_number(doc, "u_force_N") >= 0.002 * jp_number(doc, "force_N"));
  assert_true(json_is_true(json_object_get(doc, "inside_measured_range")));
  json_decref(doc);
  doc = clit_json(
      "predict self-friction --cloth Twill --body Silk --angle-deg 200 --body-angle-deg -70 --normal-force-N "
      "30 "
      "--area-cm2 100 --db lab.db --json",
      0, "predict self-friction");
  assert_near(jp_number(doc, "force_N"), 30 * truth(20, 110, 15), 1e-2);
  assert_true(json_is_false(json_object_get(doc, "inside_measured_range")));
  json_decref(doc);
  clit_expect(
      "predict self-friction --cloth Twill --body Silk --angle-deg 20 --body-angle-deg 110 --normal-force-N "
      "30 --db lab.db",
      0, "outside the measured loads: carried on by the power law with exponent 0.900", "");
  clit_expect("db show Twill --db lab.db", 0, "friction on Silk, both turned, two tensors, product, imported",
              "");
  clit_expect("db show Silk --db lab.db", 0, "friction under Twill, both turned", "");
  clit_expect("db ls --db lab.db", 0, "Twill on Silk, both turned, two tensors, product, imported", "");
  clit_expect("db check --db lab.db", 0, "whole", "");
}

/* fit friction takes the body's angle that most runs have, says so, and is not old because of the others. */
static void one_angle_of_the_body_at_a_time(void **state) {
  (void)state;
  write_table("t.csv", "Silk", 3, loads_g, 3);
  clit_expect("import friction --mapping map.yaml t.csv --db lab.db", 0, "27 points", "");
  write_table("u.csv", "Silk", 1, another_g, 1);
  clit_expect("import friction --mapping map.yaml u.csv --db lab.db", 0, "3 points", "");
  json_t *doc = clit_json("fit friction --cloth Twill --body Silk --db lab.db --json", 0, "fit friction");
  assert_non_null(strstr(clit_last.err,
                         "18 runs are left out: the law is that of the body at 0 deg; 'clothbench fit "
                         "self-friction' takes all"));
  assert_near(jp_number(doc, "body_angle_deg"), 0, 0);
  assert_int_equal(json_array_size(json_object_get(doc, "f00")), 4);
  assert_near(jp_number(json_array_get(json_object_get(doc, "f00"), 0), "force_N"),
              0.4905 * truth(0, 0, 0.4905), 2e-4);
  json_decref(doc);
  clit_expect("predict friction --cloth Twill --body Silk --angle-deg 0 --normal-force-N 1 --db lab.db", 0,
              "Twill on Silk", "");
}

/* One load: the exponent is assumed, or that of the pair's friction law. The two faces are not alike, and the
 * test of one tensor finds it.
 */
static void one_load(void **state) {
  (void)state;
  write_table("t.csv", "Twill", 3, loads_g, 1);
  clit_expect("import friction --mapping map.yaml t.csv --db lab.db", 0, "9 points", "");
  json_t *doc =
      clit_json("fit self-friction --cloth Twill --body Twill --db lab.db --json", 0, "fit self-friction");
  assert_string_equal(text(doc, "exponent_from"), "assumed");
  assert_true(jp_number(doc, "exponent") == 1 && jp_number(doc, "u_exponent") == 0.14 &&
              json_is_true(json_object_get(doc, "same_cloth")));
  assert_true(jp_number(json_object_get(doc, "one_tensor"), "p_value") < 1e-3);
  json_decref(doc);
  write_table("u.csv", "Twill", 3, loads_g, 3);
  clit_expect("import friction --mapping unknown.yaml u.csv --db lab.db", 0, "27 points", "");
  cbt_run(&clit_last, cbt_folder, "fit friction --cloth Twill --body Twill --db lab.db");
  assert_int_equal(clit_last.code, 0);
  assert_non_null(strstr(clit_last.err,
                         "9 runs are left out: the law is that of the body at an angle that is not known"));
  doc = clit_json("fit self-friction --cloth Twill --body Twill --db lab.db --json", 0, "fit self-friction");
  assert_string_equal(text(doc, "exponent_from"), "pair");
  assert_near(jp_number(doc, "exponent"), 0.9, 0.02);
  assert_int_equal((int)jp_number(doc, "runs_without_body_angle"), 27);
  json_decref(doc);
}

static void what_cannot_be_fitted(void **state) {
  (void)state;
  write_table("t.csv", "Silk", 1, loads_g, 3);
  clit_expect("import friction --mapping map.yaml t.csv --db lab.db", 0, "9 points", "");
  clit_expect("fit self-friction --cloth Twill --body Silk --db lab.db", 3, "",
              "Twill on Silk: angles and loads do not tell the two cloths apart; no law was stored");
  clit_expect("fit self-friction --cloth Twill --body Silk --db lab.db --json", 3,
              "\"outcome\": \"angles and loads do not", "no law was stored");
  clit_expect("fit self-friction --cloth Twill --body Silk --origin virtual --db lab.db", 1, "",
              "there are no finished virtual runs of 'Twill' on 'Silk' with the body's angle known: "
              "body_angles_deg in a campaign file");
  clit_expect("fit self-friction --cloth Twill --db lab.db", 2, "", "--body");
  clit_expect("fit self-friction --cloth Twill --body Silk --origin guessed --db lab.db", 2, "",
              "measured, imported, virtual or simulated");
  clit_expect(
      "predict self-friction --cloth Twill --body Silk --angle-deg 0 --body-angle-deg 0 --normal-force-N 1 "
      "--db lab.db",
      1, "", "no law of self-friction of 'Twill' on 'Silk': 'clothbench fit self-friction' makes one");
}

/* ---- a campaign on the virtual rig, whose body has the cloth's own tensor ---- */

static void a_campaign(void **state) {
  (void)state;
  clit_expect("run " CB_SOURCE_DIR "/rigs/campaign-cloth.yaml --rig " CB_SOURCE_DIR
              "/rigs/virtual-cloth.yaml --db lab.db",
              0, "", "36 runs in");
  json_t *doc = clit_json("fit self-friction --cloth 'Demo Twill' --body 'Demo Twill' --db lab.db --json", 0,
                          "fit self-friction");
  assert_true(json_is_true(json_object_get(doc, "same_cloth")));
  assert_string_equal(text(doc, "scatter_between"), "cells");
  /* Scatter 0.5 % a cell: six standard uncertainties about the rig's truth. */
  const json_t *s = json_object_get(doc, "surface_of_cloth");
  assert_near(jp_number(s, "cos2"), 1.0 / 7, 6 * jp_number(s, "u_cos2"));
  assert_near(jp_number(s, "sin2"), 0.02 / 0.525, 6 * jp_number(s, "u_sin2"));
  assert_near(jp_number(doc, "exponent"), 0.9, 6 * jp_number(doc, "u_exponent"));
  assert_true(jp_number(doc, "rms_rel") < 0.015 && jp_number(s, "u_cos2") < 0.01);
  json_decref(doc);
  doc = clit_json(
      "predict self-friction --cloth 'Demo Twill' --body 'Demo Twill' --angle-deg 90 --body-angle-deg 0 "
      "--normal-force-N 1 "
      "--db lab.db --json",
      0, "predict self-friction");
  assert_near(jp_number(doc, "force_N"), 0.525, 6 * jp_number(doc, "u_force_N"));
  json_decref(doc);
  clit_expect("db show 1 --db lab.db", 0, "90 deg on 45 deg, load", "");
  json_decref(clit_json("db show 'Demo Twill' --db lab.db --json", 0, "db show"));
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(an_imported_table), T(one_angle_of_the_body_at_a_time), T(one_load),
                                     T(what_cannot_be_fitted), T(a_campaign)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
