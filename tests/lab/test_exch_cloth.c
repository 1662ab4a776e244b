/* What Blender and CLO get: their numbers turned back into a cloth's by rules written down independently of
 * the exporter. */
#include "cbtest.h"
#include "exch_cloth_impl.h"

#include <jansson.h>

static exch_cloth sheet(void) {
  return (exch_cloth){.name = "Twill",
                      .basis = "invented",
                      .areal_density_kg_per_m2 = {0.2, 0.001},
                      .thickness_m = {0.0004, NAN},
                      .stretch_warp_N_per_m = {900, 9},
                      .stretch_weft_N_per_m = {700, 7},
                      .shear_N_per_m = {41, 2},
                      .bending_warp_N_m = {1.95e-6, 1e-8},
                      .bending_weft_N_m = {0.61e-6, 1e-8},
                      .bending_bias_N_m = {NAN, NAN},
                      .friction = {0.45, 0.01},
                      .friction_with = "Foam"};
}

/* ---- Blender: energies and moments of one cell of a square grid, spring by spring ---- */

/* Twice the energy per area of a cell that is stretched by ex, ey and sheared by gamma: two edges belong to a
 * cell, and two diagonals, which do not resist compression. */
static double cell_energy(double tension, double shear, double h, double ex, double ey, double gamma) {
  double k = tension / h, kd = shear / h;
  double d1 = fmax(0, ex + ey + gamma) / 2 * sqrt(2) * h, d2 = fmax(0, ex + ey - gamma) / 2 * sqrt(2) * h;
  return (k * ex * ex * h * h + k * ey * ey * h * h + kd * d1 * d1 + kd * d2 * d2) / (h * h);
}

static void blenders_springs_have_the_cloths_stiffness(void **state) {
  (void)state;
  exch_cloth s = sheet();
  exch_blender b = exch_blender_of(&s);
  for (double h = 0.002; h < 0.1; h *= 3) {
    /* A strip under tension narrows until its energy is least: Young's modulus is what is left, the mean of
     * warp and weft. */
    double least = INFINITY, ex = 1e-3;
    for (int i = -2000; i <= 2000; i++)
      least = fmin(least, cell_energy(b.tension_N_per_m * h, b.shear_N_per_m * h, h, ex, i * 1e-3 * ex, 0));
    assert_near(least / (ex * ex), 800, 0.01);
    assert_near(cell_energy(b.tension_N_per_m * h, b.shear_N_per_m * h, h, 0, 0, 1e-3) / 1e-6, 41, 1e-6);
  }
  assert_near(b.areal_density_kg_per_m2, 0.2, 0);
}

/* Weight and drag of a flat sheet balance: w g = rho c v^2 / 2. */
static void a_sheet_falls_through_blenders_air_as_a_plate(void **state) {
  (void)state;
  exch_cloth s = sheet();
  const double v = exch_blender_of(&s).fall_m_per_s;
  assert_near(1.204 * 1.17 * v * v / 2, 0.2 * 9.80665, 1e-12);
}

static void without_shear_only_the_yarns_carry(void **state) {
  (void)state;
  exch_cloth s = sheet();
  s.shear_N_per_m.value = s.stretch_weft_N_per_m.value = NAN;
  exch_blender b = exch_blender_of(&s);
  assert_near(b.tension_N_per_m, 900, 1e-9);
  assert_true(isnan(b.shear_N_per_m));
}

static char *blender_text(const exch_cloth *s, const exch_passport *p) {
  char *text;
  assert_ok(exch_blender_write(s, p, &text, err));
  return text;
}

static void has(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("no '%s' in %s", part, text);
}

static void the_preset_says_what_it_sets_and_what_it_cannot(void **state) {
  (void)state;
  exch_cloth s = sheet();
  char *text = blender_text(&s, NULL);
  has(text, "\nimport bpy\n");
  has(text, "\nareal_density = 0.2  # kg/m2\n");
  has(text, "\nshear = 82  # N/m,");
  has(text, "\nbending = 1.28e-06  # N m\n");
  has(text, "# friction is the collider's: on Foam, object.collision.cloth_friction = 45\n");
  has(text, "# By definition only");
  free(text);
  s.areal_density_kg_per_m2.value = s.friction.value = NAN;
  text = blender_text(&s, NULL);
  has(text, "\nareal_density = None  # not known\n");
  assert_null(strstr(text, "nan"));
  assert_null(strstr(text, "cloth_friction"));
  free(text);
}

static void the_preset_carries_its_passport(void **state) {
  (void)state;
  exch_cloth s = sheet();
  const exch_passport p = {
      "Blender 9.9\nopen('ran')", "2026-11-27", 2, {{0.005, 1, 0.95, 0.9, 2, 0.01, 0.02}, {0.01, 1.1}}};
  char *text = blender_text(&s, &p);
  has(text, "# Proved in Blender 9.9\\x0aopen('ran'), 2026-11-27\n");
  has(text, "    (0.005, 1, 0.95, 0.9, 2),  # 1, 2\n");
  has(text, "cloth_friction = 45 times the factor");
  free(text);
}

/* ---- CLO ---- */

static void the_bending_slider_runs_through_its_steps(void **state) {
  (void)state;
  static const double steps[][2] = {{-1, 0},       {0, 0},     {50, 5},     {100, 10},
                                    {950, 27},     {3250, 50}, {18250, 65}, {198250, 83},
                                    {1698250, 98}, {2e6, 100}, {1e9, 100}};
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
    assert_near(exch_clo_bending_slider(steps[i][0]), steps[i][1], 1e-12);
}

/* M1 of Petrak et al. 2025: 41000 g/s2 of shear, 1950 and 610 g mm2/s2 of bending. */
static void the_table_is_in_clos_units(void **state) {
  (void)state;
  exch_cloth s = sheet();
  char *text;
  assert_ok(exch_clo_table_write(&s, &text, err));
  assert_non_null(strstr(text, "\nShear,fHK,g/s2,41000,2e+03,,\n"));
  assert_non_null(strstr(text, "\nBending-Warp,fBvK,g mm2/s2,1950,10,37.0,\n"));
  assert_non_null(strstr(text, "\nBending-Weft,fBuK,g mm2/s2,610,10,20.2,\n"));
  assert_non_null(strstr(text, "\nBending-Bias,fBhK,g mm2/s2,,,,not known\n"));
  assert_non_null(strstr(text, "\nDensity,fDensity,g/m2,200,1,,\n"));
  assert_non_null(strstr(text, "\nThickness,fThickness,mm,0.4,,,\n"));
  free(text);
  s.stretch_warp_N_per_m.value = 20000;
  assert_ok(exch_clo_table_write(&s, &text, err));
  assert_non_null(strstr(text, "\nStretch-Warp,fSvK,g/s2,20000000,9e+03,,above CLO's range\n"));
  free(text);
}

static double physical(const json_t *doc, const char *key) {
  return json_number_value(json_object_get(json_object_get(doc, "mapPhysical"), key));
}

static void the_fabric_file_has_clos_keys(void **state) {
  (void)state;
  exch_cloth s = sheet();
  s.stretch_warp_N_per_m.value = 20000;
  char *text;
  assert_ok(exch_clo_jfab_write(&s, &text, err));
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  free(text);
  assert_non_null(doc);
  assert_string_equal(json_string_value(json_object_get(doc, "qsFabricName")), "Twill");
  assert_near(physical(doc, "fSuK"), 700000, 1e-6);
  assert_near(physical(doc, "fSvK"), 1e7, 0); /* its largest */
  assert_near(physical(doc, "fBvK"), 1950, 1e-9);
  assert_near(physical(doc, "fDensity"), 2e-4, 1e-18);
  assert_near(physical(doc, "fThickness"), 0.4, 1e-15);
  assert_null(json_object_get(json_object_get(doc, "mapPhysical"), "fBhK"));
  json_decref(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blenders_springs_have_the_cloths_stiffness),
      cmocka_unit_test(a_sheet_falls_through_blenders_air_as_a_plate),
      cmocka_unit_test(without_shear_only_the_yarns_carry),
      cmocka_unit_test(the_preset_says_what_it_sets_and_what_it_cannot),
      cmocka_unit_test(the_preset_carries_its_passport),
      cmocka_unit_test(the_bending_slider_runs_through_its_steps),
      cmocka_unit_test(the_table_is_in_clos_units),
      cmocka_unit_test(the_fabric_file_has_clos_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
