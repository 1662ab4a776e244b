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
                      .friction_least = 0.4,
                      .friction_most = 0.6,
                      .static_over_kinetic = NAN,
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

/* ---- engines: energies of one cell of edge h, by rules of their sources ---- */

static json_t *json_of(exch_proved_writer *write, const exch_cloth *s, const exch_passport *p) {
  char *text;
  assert_ok(write(s, p, &text, err));
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  free(text);
  assert_non_null(doc);
  return doc;
}

static double of_mesh(const json_t *doc, size_t i, const char *call, const char *key) {
  const json_t *mesh = json_array_get(json_object_get(doc, "meshes"), i);
  return json_number_value(json_object_get(call ? json_object_get(mesh, call) : mesh, key));
}

/* mu (|E|^2) + lambda (tr E)^2 / 2 of a strip that narrows freely is K E^2 / 2; hinges a distance h apart
 * turn by h kappa. */
static void newtons_membrane_and_hinges_are_the_cloths(void **state) {
  (void)state;
  const exch_cloth s = sheet();
  json_t *doc = json_of(exch_newton_write, &s, NULL);
  for (size_t i = 0; i < 2; i++) {
    const double h = of_mesh(doc, i, NULL, "edge_m"), mu = of_mesh(doc, i, "add_cloth_mesh", "tri_ke"),
                 lambda = of_mesh(doc, i, "add_cloth_mesh", "tri_ka"),
                 hinge = of_mesh(doc, i, "add_cloth_mesh", "edge_ke");
    assert_near(h, i == 0 ? 0.005 : 0.01, 1e-12);
    assert_near(mu * (3 * lambda + 2 * mu) / (lambda + mu), lambda == 0 ? 800 : NAN, 1e-9);
    const double kappa = 3, per_hinge = hinge * h * kappa * h * kappa * h / 2;
    assert_near(per_hinge / (h * h), 1.28e-6 * kappa * kappa / 2, 1e-15);
  }
  assert_near(of_mesh(doc, 0, "add_cloth_mesh", "density"), 0.2, 0);
  assert_near(of_mesh(doc, 0, NULL, "friction"), 0.45, 0);
  assert_true(json_is_null(json_object_get(doc, "proved_in")));
  const json_t *lost = json_object_get(doc, "lost");
  assert_near(json_number_value(json_object_get(lost, "stretch_of_warp_over_mean_less_1")), 0.125, 1e-12);
  assert_near(json_number_value(json_object_get(lost, "friction_most")), 0.6, 0);
  json_decref(doc);
}

/* Springs of one stiffness along two edges and one diagonal a cell; the diagonals alternate. */
static void pybullets_springs_have_the_cloths_stretch(void **state) {
  (void)state;
  const exch_cloth s = sheet();
  json_t *doc = json_of(exch_pybullet_write, &s, NULL);
  const double k = of_mesh(doc, 0, "loadSoftBody", "springElasticStiffness"), ex = 1e-3, h = 0.005;
  double least = INFINITY;
  for (int i = -2000; i <= 2000; i++) {
    const double ey = i * 1e-3 * ex, diagonal = (ex + ey) / 2 * sqrt(2) * h;
    least = fmin(least, k * (ex * ex * h * h + ey * ey * h * h + diagonal * diagonal) / (h * h));
  }
  assert_near(least / (ex * ex), 800, 0.01);
  json_decref(doc);
}

static void a_passport_scales_what_is_typed(void **state) {
  (void)state;
  const exch_cloth s = sheet();
  const exch_passport p = {
      "Newton 9\nx", "2026-11-30", 2, {{0.004, 1.5, 1, 2, 3, 0.01, 0.02, NAN}, {0.01, 1, 1, 1, 1}}};
  json_t *doc = json_of(exch_newton_write, &s, &p);
  assert_string_equal(json_string_value(json_object_get(doc, "proved_in")), "Newton 9\\x0ax");
  assert_near(of_mesh(doc, 0, "add_cloth_mesh", "tri_ke"), 600, 1e-9);
  assert_near(of_mesh(doc, 0, "add_cloth_mesh", "edge_ke"), 2 * 1.28e-6 / 0.004, 1e-15);
  assert_near(of_mesh(doc, 0, NULL, "friction"), 1.35, 1e-12);
  assert_near(of_mesh(doc, 0, NULL, "cantilever_off"), 0.01, 0);
  json_decref(doc);
}

static double after(const char *text, const char *part) {
  const char *at = strstr(text, part);
  if (!at) fail_msg("no '%s' in %s", part, text);
  return strtod(at + strlen(part), NULL);
}

static void mujocos_plate_is_the_cloth(void **state) {
  (void)state;
  exch_cloth s = sheet();
  (void)snprintf(s.name, sizeof s.name, "A \"<&\n");
  char *text;
  assert_ok(exch_mujoco_write(&s, NULL, &text, err));
  const double young = after(text, " young=\""), t = after(text, " thickness=\"");
  assert_near(young * t, 800, 0.01);
  assert_near(young * t * t * t / 12, 1.28e-6, 1e-11);
  assert_near(after(text, " mass=\""), 0.2 * 0.2 * 0.2, 1e-8);
  has(text, "<text name=\"cloth\" data=\"A &quot;&lt;&amp;\\x0a\"/>");
  has(text, "not proved");
  has(text, " friction=\"0.45 0 0\"");
  free(text);
  s.bending_warp_N_m.value = s.bending_weft_N_m.value = NAN;
  assert_fails(CB_E_NOTFOUND, "bending of 'A", exch_mujoco_write(&s, NULL, &text, err));
}

/* w mu (|w_u| - 1)^2 / 2 and w lambda (w_u . w_v)^2 / 2; a hinge of length e has k = 1.28e-5 bend w e^2 / A.
 */
static void ppfs_shell_is_the_cloth(void **state) {
  (void)state;
  const exch_cloth s = sheet();
  char *text;
  assert_ok(exch_ppf_write(&s, NULL, &text, err));
  const double E = after(text, "shell_young_modulus = "), nu = after(text, "shell_poisson_ratio = "),
               w = after(text, "shell_density = ");
  assert_near(w * E / (2 * (1 + nu)), 800, 0.01);
  assert_near(w * E * nu / ((1 + nu) * (1 - 2 * nu)), 41, 0.001);
  assert_near(1.28e-5 * after(text, "\nbend = ") * w, 1.28e-6, 1e-11);
  has(text, "[\"Twill\"]\n");
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
      cmocka_unit_test(newtons_membrane_and_hinges_are_the_cloths),
      cmocka_unit_test(pybullets_springs_have_the_cloths_stretch),
      cmocka_unit_test(a_passport_scales_what_is_typed),
      cmocka_unit_test(mujocos_plate_is_the_cloth),
      cmocka_unit_test(ppfs_shell_is_the_cloth),
      cmocka_unit_test(the_bending_slider_runs_through_its_steps),
      cmocka_unit_test(the_table_is_in_clos_units),
      cmocka_unit_test(the_fabric_file_has_clos_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
