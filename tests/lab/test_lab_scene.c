/* `material: NAME` in scenes of all models: each takes of the database what it needs, and says what is not
 * there. */
#include "cb_num.h"
#include "lab_scene.h"
#include "playtest.h"
#include "sim_curtain.h"
#include "twilllaws.h"

static sim_scene scene;
static lab_scene found; /* large */

/* The scene, its laws looked up, and the play of it. */
static cb_status open_named(cb_store *s, const char *text, sim_play **out, cb_err *why) {
  *out = NULL;
  CB_TRY(sim_scene_parse(text, strlen(text), "t.yaml", &scene, why));
  cb_status st = lab_scene_read(s, &scene, &found, why);
  if (st == CB_OK) st = sim_play_new(&scene, out, why);
  if (st != CB_OK) {
    lab_scene_clear(&found);
    sim_scene_clear(&scene);
  }
  return st;
}

static void close_named(sim_play *p) {
  sim_play_free(p);
  lab_scene_clear(&found);
  sim_scene_clear(&scene);
}

#define UPRIGHT                                                                                        \
  "sheet: {shape: rectangle, length_mm: 200, width_mm: 200, cells: 6, turned_deg: [90, 0, 0], at_mm: " \
  "[0, 0, -100]}\nheld: upper-edge\n"

/* 50 times its weight stretches it further than a strip was tested, 4 %, or further than a force that is
 * said to be the limit: 5 N/m, 1.25 % of a weft of 400 N/m. */
static void limits_are_those_of_the_law(void **state) {
  store_fixture *f = *state;
  static const struct {
    const char *more;
    double weft_most;
  } cases[] = {{"", 1.04}, {", limit_N_per_m: 5", 1.0125}};
  tw_put_all(f->s);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[1000];
    sim_play *p;
    (void)snprintf(text, sizeof text,
                   "name: a\nmaterial: Twill\n" UPRIGHT
                   "limited: {method: warp-weft%s}\ngravity_m_per_s2: [0, 0, -500]\n"
                   "time: {duration_s: 0.1, step_ms: 2}\n",
                   cases[k].more);
    assert_ok(open_named(f->s, text, &p, err));
    assert_true(scene.stretch_law == &found.stretch && found.stretch.id > 0);
    play_to_end(p);
    assert_near(sim_play_value(p, "weft_most"), cases[k].weft_most, 6e-4);
    close_named(p);
  }
}

/* A straight law is a constant k: the same as the numbers. */
static void conditions_take_k_and_lambda(void **state) {
  store_fixture *f = *state;
  static const char *const material[] = {
      "Twill",
      "{areal_density_g_per_m2: 200, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 400, shear_N_per_m: "
      "%.10g, bend_warp_uN_m: %.10g, bend_weft_uN_m: %.10g}"};
  double elastic_J[2];
  tw_put_all(f->s);
  for (int k = 0; k < 2; k++) {
    char text[1000], numbers[400];
    sim_play *p;
    const sim_material m = scene.material; /* of the play before */
    (void)snprintf(numbers, sizeof numbers, material[k],
                   k == 0 ? 0 : m.shear.stress_N_per_m[1] / m.shear.strain[1] / 2, 1e6 * m.bending_Nm[0][0],
                   1e6 * m.bending_Nm[1][1]);
    (void)snprintf(text, sizeof text,
                   "name: a\nmaterial: %s\n" UPRIGHT "conditions: {}\ntime: {duration_s: 0.05, step_ms: 5}\n",
                   numbers);
    assert_ok(open_named(f->s, text, &p, err));
    assert_true((scene.stretch_law != NULL) == (k == 0));
    play_to_end(p);
    elastic_J[k] = sim_play_value(p, "elastic_J");
    close_named(p);
  }
  assert_true(elastic_J[0] > 0);
  assert_near(elastic_J[0], elastic_J[1], 1e-3 * elastic_J[1]);
}

#define HANGING                                                                               \
  "name: a\nsheet: {shape: rectangle, length_mm: 300, width_mm: 200}\n"                       \
  "curtain: {columns: 4, nodes: 6, wind: {speed_m_per_s: 5, centre_mm: [100, -300, -150]}}\n" \
  "bodies: [{shape: plane, at_mm: [0, 0, -2000], material: Foam}]\ntime: {duration_s: 0.1, step_ms: 10}\n"

static void a_curtain_lets_air_through_by_the_law(void **state) {
  store_fixture *f = *state;
  sim_play *p;
  tw_put_all(f->s);
  assert_fails(CB_E_RANGE, "wind: the law of permeability of 'Twill' is not known",
               open_named(f->s, HANGING "material: Twill\n", &p, err));
  assert_ok(open_named(f->s, HANGING "material: {name: Twill, permeability_mm_per_s: 0}\n", &p, err));
  play_steps(p, 1);
  assert_near(sim_play_value(p, "passing"), 0, 0);
  close_named(p);
  tw_put_permeability(f->s);
  assert_ok(open_named(f->s, HANGING "material: Twill\n", &p, err));
  assert_true(scene.body[0].friction.kinetic_law == &found.pair[0].kinetic);
  assert_near(scene.material.thickness_m, 4e-4, 0);
  assert_near(scene.material.areal_density_kg_per_m2, 0.2, 0);
  play_steps(p, 1);
  assert_near(sim_play_value(p, "passing"), sim_curtain_passing(&found.permeability, 5, 1.204), 1e-12);
  close_named(p);
}

/* The law's 0.1 m/s at 100 Pa, exponent 0.8, are 0.1 x 2^0.8 m/s at 200 Pa: the same drops come through as of
 * a cloth that is given that number. */
static void liquid_goes_through_by_the_law(void **state) {
  store_fixture *f = *state;
  double seeped[2];
  tw_put_all(f->s);
  tw_put_permeability(f->s);
  for (int k = 0; k < 2; k++) {
    char text[1200], given[60];
    sim_play *p;
    (void)snprintf(given, sizeof given, "permeability_mm_per_s: %.17g, ", 100 * pow(2, 0.8));
    (void)snprintf(
        text, sizeof text,
        "name: a\nmaterial: {name: Twill, %sthickness_mm: 1, stretch_N_per_m: 1000}\n"
        "sheet: {shape: rectangle, length_mm: 200, width_mm: 200, cells: 5, at_mm: [500, 500, 500]}\n"
        "held: corners\nsplash:\n  spacing_mm: 20\n  viscosity_mm2_per_s: 0.001\n"
        "  liquid: [{from_mm: [440, 440, 520], to_mm: [560, 560, 580], velocity_m_per_s: [0, 0, -1]}]\n"
        "time: {duration_s: 0.15, step_ms: 5}\n",
        k == 0 ? "" : given);
    assert_ok(open_named(f->s, text, &p, err));
    play_to_end(p);
    seeped[k] = sim_play_value(p, "seeped");
    close_named(p);
  }
  assert_true(seeped[0] > 0 && seeped[0] == seeped[1]);
}

static void remeshed_cloth_and_layers(void **state) {
  store_fixture *f = *state;
  sim_play *p;
  tw_put_all(f->s);
  assert_ok(
      open_named(f->s,
                 "name: a\nmaterial: Twill\nsheet: {shape: disc, radius_mm: 60, edge_mm: 25}\n"
                 "held: {part: middle, within_mm: 30}\nremeshed: {}\ntime: {duration_s: 0.1, step_ms: 5}\n",
                 &p, err));
  /* S over E of a straight strip begins with its slope. */
  const sim_material *m = &scene.material;
  assert_near(m->areal_density_kg_per_m2, 0.2, 0);
  assert_near(m->thickness_m, 4e-4, 0);
  assert_near(m->warp.stress_N_per_m[1] / m->warp.strain[1], 500, 0.03 * 500);
  assert_near(m->weft.stress_N_per_m[1] / m->weft.strain[1], 400, 0.03 * 400);
  assert_near(m->bending_Nm[0][0], 1e-5, 1e-20);
  play_steps(p, 2);
  close_named(p);
  static const char layers[] =
      "name: a\nmaterial: Twill\nlayers:\n  - {shape: pillow, length_mm: 100, cell_mm: 30, "
      "density_kg_per_m3: 30, "
      "poisson: 0.3, material: Foam, case: {vertices: 100}, air: {}}\ntime: {duration_s: 0.1, step_ms: 5}\n";
  assert_fails(CB_E_NOTFOUND, "permeability", open_named(f->s, layers, &p, err));
  tw_put_permeability(f->s);
  assert_ok(open_named(f->s, layers, &p, err));
  assert_near(scene.layer[0].young_Pa, 5e4, 0);
  assert_true(scene.layer[0].friction.kinetic_law == &found.layer[0].kinetic);
  assert_true(scene.layer[0].air.law == &found.permeability);
  close_named(p);
}

/* Half of 2HB along the warp, none where nobody measured it. */
static void friction_within_the_cloth(void **state) {
  store_fixture *f = *state;
  sim_play *p;
  tw_put_all(f->s);
  assert_ok(open_named(f->s,
                       "name: a\nmaterial: Twill\nsheet: {shape: disc, radius_mm: 60, vertices: 50}\n"
                       "time: {duration_s: 0.1, step_ms: 5}\n",
                       &p, err));
  assert_true(scene.material.bending_friction_N[0] == 5e-4 && scene.material.bending_friction_N[1] == 0);
  close_named(p);
}

#define BUT(cloth)                                                                                         \
  "name: a\nmaterial: {name: " cloth                                                                       \
  ", assumed: {areal_density_g_per_m2: 77, thickness_mm: 1, stretch_N_per_m: 90,\n"                        \
  "  bend_uN_m: 3}}\nsheet: {shape: disc, radius_mm: 60, vertices: 50}\ntime: {duration_s: 0.1, step_ms: " \
  "5}\n"

/* Numbers that a scene assumes hold where the database has none, and only there. */
static void what_is_assumed(void **state) {
  store_fixture *f = *state;
  sim_play *p;
  const sim_material *m = &scene.material;
  tw_put_all(f->s);
  (void)ll_cloth(f->s, "Silk");
  assert_ok(open_named(f->s, BUT("Silk"), &p, err));
  assert_near(m->areal_density_kg_per_m2, 0.077, 1e-17);
  assert_near(m->thickness_m, 1e-3, 1e-18);
  assert_near(sim_curve_slope(&m->warp), 90, 1e-9);
  assert_near(m->bending_Nm[0][0], 3e-6, 1e-20);
  assert_true(scene.isotropic && !found.from.areal_density && !found.from.warp && !found.from.bending);
  close_named(p);
  assert_ok(open_named(f->s, BUT("Twill"), &p, err));
  assert_near(m->areal_density_kg_per_m2, 0.2, 0);
  assert_near(m->thickness_m, 4e-4, 0);
  assert_near(m->weft.stress_N_per_m[1] / m->weft.strain[1], 400, 0.03 * 400);
  assert_near(m->bending_Nm[0][0], 1e-5, 1e-20);
  assert_true(!scene.isotropic && found.from.thickness && found.from.shear && found.from.bending);
  close_named(p);
  assert_fails(CB_E_NOTFOUND, "thickness of 'Silk'",
               open_named(f->s,
                          "name: a\nmaterial: {name: Silk, assumed: {areal_density_g_per_m2: 77}}\n" UPRIGHT
                          "time: {duration_s: 1}\n",
                          &p, err));
}

/* The air of another cloth. */
static void air_through_another_cloth(void **state) {
  store_fixture *f = *state;
  sim_play *p;
  static const char text[] =
      "name: a\nmaterial: {name: Silk, permeability_of: Twill, areal_density_g_per_m2: 77, thickness_mm: 1,\n"
      "  stretch_N_per_m: 90, bend_uN_m: 3}\nlayers:\n  - {shape: pillow, length_mm: 100, cell_mm: 30,\n"
      "     density_kg_per_m3: 30, young_kPa: 50, poisson: 0.3, friction: 0.3, case: {vertices: 100}, air: "
      "{}}\n"
      "time: {duration_s: 0.1, step_ms: 5}\n";
  tw_put_all(f->s);
  (void)ll_cloth(f->s, "Silk");
  assert_fails(CB_E_NOTFOUND, "Twill", open_named(f->s, text, &p, err));
  tw_put_permeability(f->s);
  assert_ok(open_named(f->s, text, &p, err));
  assert_true(scene.layer[0].air.law == &found.permeability && found.permeability.id > 0);
  assert_string_equal(found.permeability.material, "Twill");
  close_named(p);
}

static void what_is_not_there(void **state) {
  store_fixture *f = *state;
  sim_play *p;
  (void)ll_cloth(f->s, "Silk");
  assert_fails(CB_E_NOTFOUND, "areal density of 'Silk'",
               open_named(f->s, "name: a\nmaterial: Silk\n" UPRIGHT "conditions: {}\ntime: {duration_s: 1}\n",
                          &p, err));
  assert_fails(CB_E_NOTFOUND, "Silk",
               open_named(f->s,
                          "name: a\nmaterial: {name: Silk, areal_density_g_per_m2: 100}\n" UPRIGHT
                          "conditions: {}\ntime: {duration_s: 1}\n",
                          &p, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      STORE_TEST(limits_are_those_of_the_law),
      STORE_TEST(conditions_take_k_and_lambda),
      STORE_TEST(a_curtain_lets_air_through_by_the_law),
      STORE_TEST(liquid_goes_through_by_the_law),
      STORE_TEST(remeshed_cloth_and_layers),
      STORE_TEST(friction_within_the_cloth),
      STORE_TEST(what_is_assumed),
      STORE_TEST(air_through_another_cloth),
      STORE_TEST(what_is_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
