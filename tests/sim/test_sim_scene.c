/* Scene files: what they say in SI, what is refused and where; motions; what is held carries the cloth
 * along exactly. */
#include "cbtest.h"

#include "cb_num.h"
#include "sim_play.h"
#include "sim_sheet.h"
#include "sim_scene_impl.h"

#define CLOTH                                                                                  \
  "sheet: {shape: rectangle, length_mm: 100, width_mm: 50, vertices: 40, at_mm: [1, 2, 30]}\n" \
  "material: {areal_density_g_per_m2: 150, thickness_mm: 0.5, stretch_warp_N_per_m: 1000,\n"   \
  "    stretch_weft_N_per_m: 800, shear_N_per_m: 50, bend_warp_uN_m: 20, bend_weft_uN_m: 5,\n" \
  "    damping_ms: 2, drag_per_s: 0.5}\n"

#define REST "time: {duration_s: 1}\n"

static cb_status parse(const char *text, sim_scene *s, cb_err *err) {
  return sim_scene_parse(text, strlen(text), "s.yaml", s, err);
}

static void in_si(void **state) {
  (void)state;
  static sim_scene s;
  assert_ok(parse("name: one\n" CLOTH "bodies:\n"
                  "  - {shape: torus, at_mm: [0, 0, -10], radius_mm: 60, tube_mm: 20, friction: 0.2, "
                  "static_friction: 0.3,\n"
                  "     turned_deg: [90, 0, 0], motion: [{until_s: 1, velocity_mm_per_s: [0, 0, 5]}, "
                  "{until_s: 2, spin_deg_per_s: [0, 0, 180]}]}\n"
                  "  - {shape: plane, axis: [0, 3, 4]}\n"
                  "held: [{box_mm: [-60, -60, 0, 0, 60, 60]}]\n"
                  "time: {duration_s: 0.5, step_ms: 2, scheme: bdf2, iterations: 3}\n"
                  "gravity_m_per_s2: [0, 0, -1.62]\n"
                  "output: {every_ms: 40, png: false, obj: true, probes: [{name: tip, at_mm: [1, 0, 0]}], "
                  "picture: {field_deg: 0}}\n",
                  &s, err));
  assert_string_equal(s.name, "one");
  assert_near(s.sheet[0].length_m, 0.1, 1e-18);
  assert_near(s.sheet[0].at_m[2], 0.03, 1e-18);
  assert_near(s.material.areal_density_kg_per_m2, 0.15, 1e-17);
  /* S_uv = 2 G E_uv */
  assert_near(s.material.shear.stress_N_per_m[1] / s.material.shear.strain[1], 100, 1e-9);
  assert_near(s.material.bending_Nm[0][0], 2e-5, 1e-20);
  assert_near(s.material.bending_Nm[2][2], 5e-6, 1e-19); /* sqrt(20 x 5) / 2 */
  assert_near(s.material.damping_s, 0.002, 1e-18);
  assert_int_equal(s.n_bodies, 2);
  assert_true(s.body[0].shape == SIM_SCENE_TORUS && s.body[1].shape == SIM_SCENE_PLANE);
  assert_near(s.body[0].turned_rad[0], CB_PI / 2, 1e-15);
  assert_near(s.body[1].axis[2], 0.8, 1e-15);
  assert_near(s.body[1].friction.mu_static, 0, 0);
  assert_near(s.gravity_m_per_s2[2], -1.62, 0);
  assert_true(s.scheme == SIM_BDF2 && s.iterations == 3 && s.sheet[0].vertices == 40);
  assert_true(s.obj && !s.png && s.vtp && !s.ply);
  assert_near(s.every_s, 0.04, 1e-17);
  assert_near(s.view.field_rad, 0, 0);
  assert_string_equal(s.probe[0].name, "tip");
  assert_near(sim_motion_at(&s.body[0].motions, 0.99).velocity_m_per_s[2], 0.005, 1e-18);
  assert_near(sim_motion_at(&s.body[0].motions, 1).spin_rad_per_s[2], CB_PI, 1e-15);
  assert_near(sim_motion_at(&s.body[0].motions, 1).velocity_m_per_s[2], 0, 0);
  assert_near(sim_motion_at(&s.body[0].motions, 2).spin_rad_per_s[2], 0, 0);
}

#define NAMED(more, material) \
  "sheet: {shape: disc, radius_mm: 30, vertices: 20}\ncloth: {" more "}\nmaterial: {" material "}\n"
#define NUMBERS                                                                                       \
  "areal_density_g_per_m2: 150, stretch_warp_N_per_m: 1, stretch_weft_N_per_m: 1, shear_N_per_m: 1, " \
  "bend_warp_uN_m: 1, bend_weft_uN_m: 1"

/* What a name is to tell: all that no number tells. */
static void what_a_name_is_to_tell(void **state) {
  (void)state;
  static sim_scene s;
  assert_ok(parse("name: a\ndatabase: lab.db\n" NAMED(
                      "self_material: Twill, rest_curvature_per_m: [1, 2, 3], rest_shape: as-made, ",
                      "name: Twill, shear_N_per_m: 20, thickness_mm: 0, damping_ms: 4") REST
                  "bodies: [{shape: plane, material: Foam}, {shape: plane}]\n",
                  &s, err));
  assert_true(sim_scene_laws(&s));
  assert_string_equal(s.database, "lab.db");
  assert_string_equal(s.cloth, "Twill");
  assert_string_equal(s.self_material, "Twill");
  assert_string_equal(s.body[0].material, "Foam");
  assert_string_equal(s.body[1].material, "");
  assert_true(s.wants.areal_density && s.wants.warp && s.wants.weft && s.wants.bending && !s.wants.shear &&
              !s.wants.thickness);
  assert_near(s.material.thickness_m, 0, 0);
  assert_near(s.material.damping_s, 0.004, 1e-18);
  assert_near(s.material.shear.stress_N_per_m[1], 40, 1e-12);
  assert_true(s.rest == SIM_SCENE_AS_MADE && s.rest_curvature_per_m[0] == 1 &&
              s.rest_curvature_per_m[2] == 3);
  assert_ok(parse("name: a\n" NAMED("", NUMBERS) REST, &s, err));
  assert_false(sim_scene_laws(&s));
  assert_near(s.material.thickness_m, 5e-4, 1e-18);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"name: a b\n" CLOTH REST, "s.yaml:1: name = 'a b': letters, digits"},
      {"name: a\n" REST, "no material: it was wanted"},
      {"name: a\n" CLOTH "time: {duration_s: 1, step_ms: 0}\n", "step_ms"},
      {"name: a\n" CLOTH "time: {duration_s: 0.001, step_ms: 5}\n",
       "s.yaml:6: step_ms = 5: longer than the duration"},
      {"name: a\n" CLOTH REST "bodies: [{shape: sphere}]\n", "s.yaml:7: a sphere needs radius_mm"},
      {"name: a\n" CLOTH REST "bodies: [{shape: torus, radius_mm: 5, tube_mm: 6}]\n",
       "a torus needs tube_mm, less than radius_mm"},
      {"name: a\n" CLOTH REST "bodies: [{shape: cube}]\n", "shape"},
      {"name: a\n" CLOTH REST "bodies: [{shape: plane, friction: 0.3, static_friction: 0.2}]\n",
       "static_friction = 0.2: must be at least"},
      {"name: a\n" CLOTH REST "bodies: [{shape: plane, axis: [0, 0, 0]}]\n", "axis: a direction was wanted"},
      {"name: a\n" CLOTH REST "bodies: [{shape: plane, at_mm: [0, 0]}]\n",
       "at_mm: 2 numbers: three were wanted"},
      {"name: a\n" CLOTH REST "bodies: {shape: plane}\n", "bodies: a list was wanted"},
      {"name: a\n" CLOTH REST "held: [{box_mm: [0, 0, 0, 1, 1]}]\n", "box_mm: 5 numbers"},
      {"name: a\n" CLOTH REST "held: [{box_mm: [0, 0, 2, 1, 1, 1]}]\n", "box_mm: from 2 to 1 mm"},
      {"name: a\n" CLOTH REST
       "held: [{box_mm: [0, 0, 0, 1, 1, 1], motion: [{until_s: 1, spin_deg_per_s: [0, 0, 1]}]}]\n",
       "what is held cannot turn"},
      {"name: a\n" CLOTH REST "bodies: [{shape: plane, motion: [{until_s: 1}, {until_s: 1}]}]\n",
       "until_s = 1: must be later"},
      {"name: a\n" CLOTH REST "output: {probes: [{name: 'a,b', at_mm: [0, 0, 0]}]}\n", "name = 'a,b'"},
      {"name: a\n" CLOTH REST "wind: 3\n", "wind"},
      {"name: a\n" NAMED("", "areal_density_g_per_m2: 150") REST,
       "s.yaml:4: material: no stretch_warp_N_per_m, or stretch_N_per_m: it was wanted, or `name`"},
      {"name: a\n" NAMED("", NUMBERS ", assumed: {thickness_mm: 1}") REST, "assumed: `name` was wanted"},
      {"name: a\n" NAMED("", "name: Twill, assumed: {damping_ms: 1}") REST, "damping_ms"},
      {"name: a\n" NAMED("", "name: Twill, bend_warp_uN_m: 3") REST,
       "bend_warp_uN_m and bend_weft_uN_m go together"},
      {"name: a\n" NAMED("self_friction: 0, self_material: T, ", "name: Twill") REST,
       "self_friction or self_material was wanted, not both"},
      {"name: a\n" NAMED("self_material: T, ", NUMBERS) REST, "self_material = 'T': `material` needs a name"},
      {"name: a\n" NAMED("", NUMBERS) REST "bodies: [{shape: plane, material: Foam}]\n",
       "material = 'Foam': the cloth's `material` needs a name"},
      {"name: a\n" NAMED("", "name: Twill") REST "bodies: [{shape: plane, material: Foam, friction: 0}]\n",
       "material or friction was wanted, not both"},
      {"name: a\n" CLOTH REST "held: hem\n", "held: 'hem': corners, upper-corners"},
      {"name: a\n" CLOTH REST "held: {}\n", "held: part or box_mm was wanted, one of them"},
      {"name: a\n" CLOTH REST "held: {part: corners, sheet: 2}\n", "held: sheet = 2: there are 1"},
      {"name: a\n" CLOTH REST "held: top\n", "'top': sheet 1, of shape 'rectangle', has no such part"},
      {"name: a\n" NAMED("", NUMBERS ", stretch_N_per_m: 1") REST, "was wanted, not both"},
      {"name: a\n" NAMED("", NUMBERS ", bend_uN_m: 1") REST, "was wanted, not both"},
      {"name: a\nsheet: {shape: shirt}\nmaterial: {" NUMBERS "}\n" REST,
       "shape = 'shirt': a 'cloth' scene takes no such sheet"},
      {"name: a\nsheet: {shape: disc, radius_mm: 9, cells: 4}\nmaterial: {" NUMBERS "}\n" REST,
       "sheet: cells"},
      {"name: a\nsheet: {shape: rectangle, length_mm: 9, width_mm: 9, cells: 4, vertices: 9}\nmaterial: "
       "{" NUMBERS "}\n" REST,
       "one of vertices, cells and edge_mm"},
      {"name: a\nsheet: {shape: rectangle, length_mm: 9, width_mm: 9, slack: 0.1}\nmaterial: {" NUMBERS
       "}\n" REST,
       "slack: a 'cloth' scene takes none"},
      {"name: a\n" NAMED("rest_shape: round, ", NUMBERS) REST, "rest_shape"},
      {"name: a\n" NAMED("rest_curvature_per_m: [1, 2], ", NUMBERS) REST,
       "rest_curvature_per_m: 2 numbers: three were wanted"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static sim_scene s;
    cb_err err = {""};
    cb_status st = parse(cases[i].text, &s, &err);
    if (st == CB_OK || !strstr(err.msg, cases[i].says) || strncmp(err.msg, "s.yaml", 6) != 0)
      fail_msg("case %zu: %d '%s', without '%s'", i, st, err.msg, cases[i].says);
  }
}

/* Everything held: the cloth goes where it is led, whichever scheme, and stops with it. */
static void what_is_held_is_carried(void **state) {
  (void)state;
  static const char *const schemes[] = {"backward-euler", "bdf2"};
  for (int k = 0; k < 2; k++) {
    static sim_scene s;
    char text[2000];
    sim_play *p;
    (void)snprintf(text, sizeof text,
                   "name: carried\n" CLOTH
                   "held: [{box_mm: [-100, -100, 0, 100, 100, 100], motion: [{until_s: 0.1, "
                   "velocity_mm_per_s: [10, 0, 20]}]}]\n"
                   "time: {duration_s: 0.3, step_ms: 10, scheme: %s}\n",
                   schemes[k]);
    assert_ok(parse(text, &s, err));
    assert_ok(sim_play_new(&s, &p, err));
    assert_int_equal(sim_play_steps(p), 30);
    for (int i = 0; i < 30; i++) assert_ok(sim_play_step(p, NULL, err));
    assert_int_equal(sim_play_done(p), 30);
    const sim_mesh *m = sim_play_mesh(p);
    /* With BDF2 a grip that stops suddenly runs on by v h (1/3 + 1/9 + ...) = v h / 2. */
    double way = k == 0 ? 0.1 : 0.1 + 0.01 / 2;
    for (int i = 0; i < m->n_vertices; i++) {
      assert_near(sim_cloth_position(sim_play_cloth(p))[i][0] - m->position_m[i][0], 0.01 * way, 1e-9);
      assert_near(sim_cloth_position(sim_play_cloth(p))[i][2] - m->position_m[i][2], 0.02 * way, 1e-9);
    }
    sim_play_free(p);
  }
}

/* Of a sheet of 5 x 9 vertices, turned and moved: which are held, by its own coordinates. */
static void parts_of_a_sheet(void **state) {
  (void)state;
  static const struct {
    const char *held;
    int n; /* vertices that are held */
  } cases[] = {{"corners", 4},
               {"upper-corners", 2},
               {"[lower-corners, left-corners]", 3},
               {"right-corners", 2},
               {"upper-edge", 9},
               {"lower-edge", 9},
               {"[left-edge, right-edge]", 10},
               {"middle", 1},
               {"{part: middle, within_mm: 10}", 5},
               {"{part: corners, within_mm: 10}", 12},
               {"{part: upper-edge, within_mm: 10, sheet: 1}", 18}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    static sim_scene s;
    char text[1000];
    sim_mesh m;
    bool *held;
    int n = 0;
    (void)snprintf(
        text, sizeof text,
        "name: a\nmaterial: {areal_density_g_per_m2: 150, stretch_N_per_m: 1, bend_uN_m: 1}\n"
        "sheet: {shape: rectangle, length_mm: 80, width_mm: 40, cells: 4, at_mm: [1000, 200, -30],\n"
        "  turned_deg: [40, 50, 60]}\nheld: %s\n" REST,
        cases[k].held);
    assert_ok(parse(text, &s, err));
    assert_ok(sim_sheet_make(&s.sheet[0], 0, &m, err));
    assert_int_equal(m.n_vertices, 45);
    assert_ok(sim_sheet_held(&s, &m, &held, err));
    for (int i = 0; i < m.n_vertices; i++) {
      double p[3];
      sim_sheet_local(&s.sheet[0], m.position_m[i], p);
      n += held[i];
      assert_true(fabs(p[0]) < 0.0401 && fabs(p[1]) < 0.0201 && fabs(p[2]) < 1e-12);
      if (held[i] && strncmp(cases[k].held, "upper", 5) == 0) assert_true(p[1] > 0.0199);
    }
    if (n != cases[k].n) fail_msg("%s: %d vertices, %d were wanted", cases[k].held, n, cases[k].n);
    free(held);
    sim_mesh_clear(&m);
  }
}

static void what_does_not_play(void **state) {
  (void)state;
  static sim_scene s;
  sim_play *p;
  assert_ok(parse("name: a\n" CLOTH REST "held: [{box_mm: [500, 0, 0, 600, 1, 1]}]\n", &s, err));
  assert_fails(CB_E_RANGE, "a: held 1: it holds no vertex", sim_play_new(&s, &p, err));
  assert_ok(parse("name: a\n" CLOTH REST "bodies: [{shape: mesh, file: /nowhere/b.obj}]\n", &s, err));
  assert_fails(CB_E_RANGE, "a: body 1: /nowhere/b.obj: cannot be opened", sim_play_new(&s, &p, err));
  /* What was named is never taken for 0. */
  assert_ok(parse("name: a\n" NAMED("self_material: T, ", NUMBERS ", name: Twill") REST
                  "bodies: [{shape: plane, material: Foam}]\n",
                  &s, err));
  assert_fails(CB_E_RANGE, "a: cloth 'Twill': its laws were not looked up", sim_play_new(&s, &p, err));
  s.wants = (sim_scene_wants){false};
  assert_fails(CB_E_RANGE, "a: cloth: its law of friction on 'T' was not looked up",
               sim_play_new(&s, &p, err));
  s.self_material[0] = '\0';
  assert_fails(CB_E_RANGE, "a: body 1: the law of friction of 'Foam' was not looked up",
               sim_play_new(&s, &p, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_si),
                                     cmocka_unit_test(what_a_name_is_to_tell),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(what_is_held_is_carried),
                                     cmocka_unit_test(parts_of_a_sheet),
                                     cmocka_unit_test(what_does_not_play)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
