/* The section `curtain` of a scene: what the file says comes through, what it says wrongly is refused, a hand
 * does as its path tells. */
#include "playtest.h"
#include "sim_play_parts.h"

#define SCENE(section) \
  PLAY_CURTAIN(1500, 1000) "curtain: {" section "}\ntime: {duration_s: 0.5, step_ms: 10}\n"

static void test_refused(void **state) {
  (void)state;
  refused(SCENE("wide: 3"), "wide");
  refused(SCENE("columns: 1"), "columns");
  refused(SCENE("segments: 17"), "segments");
  refused(SCENE("hung_width_mm: 1001"), "spacing");
  refused(SCENE("down: [0, 0, 0]"), "down = [0, 0, 0]");
  refused(SCENE("top_mm: [1, 2]"), "top_mm");
  refused(SCENE("nodes: 1001"), "nodes");
  refused(SCENE("air: {edge: 0.5}"), "damping of edges");
  refused(SCENE("wind: {direction: [0, 0, 0]}"), "direction = [0, 0, 0]");
  refused(
      "name: a\nsheet: {shape: rectangle, length_mm: 1500, width_mm: 1000}\n"
      "material: {areal_density_g_per_m2: 150, permeability_exponent: 0.4}\ncurtain: {}\n"
      "time: {duration_s: 1}\n",
      "permeability_exponent");
  refused(
      "name: a\nsheet: {shape: rectangle, length_mm: 1500, width_mm: 1000, at_mm: [1, 0, 0]}\n"
      "material: {areal_density_g_per_m2: 150}\ncurtain: {}\ntime: {duration_s: 1}\n",
      "hangs from top_mm");
  refused(PLAY_CURTAIN(1500, 1000) "held: upper-edge\ncurtain: {}\ntime: {duration_s: 1}\n",
          "a 'curtain' scene does not hold that");
  refused(SCENE("drag: {column: 3, node: 4}"), "path");
  refused(SCENE("drag: {column: 20, node: 4, path: [{time_s: 0, at_mm: [0, 0, 0]}, {time_s: 1, at_mm: [0, 0, "
                "0]}]}"),
          "column 20");
  refused(SCENE("drag: {column: 3, node: 4, path: [{time_s: 0, at_mm: [0, 0, 0]}]}"), "at least 2");
  refused(
      SCENE(
          "drag: {column: 3, node: 4, path: [{time_s: 1, at_mm: [0, 0, 0]}, {time_s: 1, at_mm: [0, 0, 0]}]}"),
      "later than the 1 s");
}

/* 3 x 4 nodes, folds of 6; hung half as wide as it is. */
static void test_made(void **state) {
  (void)state;
  static const char text[] =
      PLAY_CURTAIN(300, 200)
      "curtain:\n  {columns: 3, nodes: 4, segments: 6, hung_width_mm: 100, top_mm: [10, 20, 500]}\n"
      "time: {duration_s: 0.1, step_ms: 10}\n";
  sim_play *s;
  sim_drawn d[SIM_PLAY_SURFACES];
  assert_ok(parse_play(text, &s, err));
  assert_int_equal(sim_play_surfaces(s, d), 1);
  assert_int_equal(d[0].n_vertices, 13 * 4);
  assert_int_equal(d[0].n_triangles, 2 * 12 * 3);
  assert_near(d[0].position_m[12][0] - d[0].position_m[0][0], 0.1, 1e-15);
  assert_near(d[0].position_m[0][1], 0.02, 0);
  play_steps(s, 10);
  assert_near(sim_play_value(s, "kinetic_J"), 0, 1e-20); /* it hangs where it hung */
  assert_near(sim_play_value(s, "lowest_m"), 0.2, 1e-12);
  assert_true(sim_play_value(s, "stretch") == 1);
  free_play(s);
}

/* What passes a cloth of 2000 mm/s at 200 Pa under Darcy's law in a wind of 5 m/s: R p V = rho/2 V^2 (1 -
 * p^2), R = 100 Pa s/m. */
static void test_wind(void **state) {
  (void)state;
  sim_play *s;
  assert_ok(
      parse_play("name: a\nsheet: {shape: rectangle, length_mm: 1500, width_mm: 1000}\n"
                 "material: {areal_density_g_per_m2: 150, thickness_mm: 2, permeability_mm_per_s: 2000}\n"
                 "curtain: {wind: {speed_m_per_s: 5, centre_mm: [500, -300, -700], direction: [0, 3, 0]}, "
                 "air: {density_kg_per_m3: 1.2}}\ntime: {duration_s: 0.5, step_ms: 10}\n",
                 &s, err));
  play_steps(s, 50);
  assert_near(sim_play_value(s, "passing"), 1.2 * 5 / (100 + sqrt(1e4 + 36)), 1e-12);
  assert_true(sim_play_value(s, "kinetic_J") > 1e-3);
  free_play(s);
}

/* The hand holds the hem's node 0.1 m off at its path's end, and has let go of it soon after. */
static void test_hand(void **state) {
  (void)state;
  static const char text[] =
      PLAY_CURTAIN(500, 50)
      "curtain:\n  columns: 2\n  nodes: 11\n  drag:\n    column: 0\n    node: 10\n"
      "    stiffness_N_per_m: 1000\n    path:\n      - {time_s: 0.1, at_mm: [0, 0, -500]}\n      - {time_s: "
      "0.5, at_mm: [0, 200, -400]}\n"
      "      - {time_s: 1.5, at_mm: [0, 200, -400]}\ntime: {duration_s: 3, step_ms: 10}\n";
  sim_play *s;
  sim_drawn d[SIM_PLAY_SURFACES];
  const double wanted[3] = {0, 0.2, -0.4};
  assert_ok(parse_play(text, &s, err));
  play_steps(s, 148);
  (void)sim_play_surfaces(s, d);
  for (int k = 0; k < 3; k++) assert_near(d[0].position_m[20][k], wanted[k], 1e-3);
  play_to_end(s);
  (void)sim_play_surfaces(s, d);
  assert_true(d[0].position_m[20][1] < 0.1 && d[0].position_m[20][2] < -0.45);
  free_play(s);
}

static void test_scenes(void **state) {
  (void)state;
  static const char *const names[] = {"flag", "curtain", "curtain_drag"};
  for (int i = 0; i < 3; i++) {
    char path[400];
    sim_play *s;
    (void)snprintf(path, sizeof path, "%s/scenes/%s.yaml", CB_SOURCE_DIR, names[i]);
    char *text = cbt_read(path);
    assert_ok(parse_play(text, &s, err));
    free(text);
    assert_string_equal(sim_play_scene(s)->name, names[i]);
    play_steps(s, 120);
    assert_true(sim_play_value(s, "kinetic_J") > 0 && sim_play_value(s, "stretch") < 1.2);
    free_play(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused), cmocka_unit_test(test_made),
                                     cmocka_unit_test(test_wind), cmocka_unit_test(test_hand),
                                     cmocka_unit_test(test_scenes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
