/* Scenes of a cloth that is remeshed. */
#include "playtest.h"

#include "cb_num.h"
#include "sim_picture_draw.h"

static const char whole[] = PLAY_REMESHED
    "sheet: {shape: disc, radius_mm: 100, edge_mm: 25}\nheld: {part: middle, within_mm: 50}\n"
    "remeshed: {waves: 5, wave_mm: 2, every_steps: 5, edge_min_mm: 5, edge_max_mm: 30, change_m_per_s: 0}\n"
    "time: {duration_s: 0.2, step_ms: 10}\n";

#define SCENE(sheet, section) PLAY_REMESHED sheet "remeshed: {" section "}\ntime: {duration_s: 1}\n"
#define SECTION(section) SCENE("sheet: {shape: disc, radius_mm: 150, edge_mm: 12}\n", section)

static void test_refused(void **state) {
  (void)state;
  refused(SCENE("sheet: {shape: rectangle, length_mm: 300, width_mm: 300, edge_mm: 12}\nheld: {part: middle, "
                "within_mm: 50}\n",
                ""),
          "a disc was wanted");
  refused(
      SCENE("sheet: {shape: disc, radius_mm: 50, edge_mm: 12}\nheld: {part: middle, within_mm: 50}\n", ""),
      "less than the sheet's radius_mm");
  refused(SCENE("sheet: {shape: disc, radius_mm: 50}\nheld: {box_mm: [0, 0, 0, 1, 1, 1]}\n", ""),
          "does not hold that");
  refused(SECTION("edge_min_mm: 50, edge_max_mm: 10"), "largest edge");
  refused(SECTION("near_mm: 10"), "edge at a body");
  refused(SECTION("aspect: 0.5"), "aspect");
}

/* It falls over the table's edge and is refined on the way: by values and by what is drawn. */
static void test_play(void **state) {
  (void)state;
  sim_play *s;
  sim_drawn drawn[SIM_PLAY_SURFACES];
  assert_ok(parse_play(whole, &s, err));
  const double vertices = sim_play_value(s, "vertices"), lowest_m = sim_play_value(s, "lowest_m");
  play_to_end(s);
  assert_true(sim_play_value(s, "vertices") > 1.5 * vertices);
  assert_true(sim_play_value(s, "remeshings") >= 1);
  const double end_m = sim_play_value(s, "lowest_m");
  assert_true(end_m < lowest_m - 0.02 && end_m > -0.051); /* down, no farther than the cloth reaches */
  assert_int_equal(sim_play_surfaces(s, drawn), 1);
  assert_true(drawn[0].edges && drawn[0].n_vertices == (int)sim_play_value(s, "vertices") &&
              drawn[0].n_triangles == (int)sim_play_value(s, "triangles"));
  free_play(s);
}

/* Hung by two corners and remeshed again and again: no triangle is ever beyond its limits by 0.1 %, and the
 * finer mesh shows folds that the first one does not. */
static void test_limited(void **state) {
  (void)state;
  static const char text[] =
      "name: a\nsheet: {shape: rectangle, length_mm: 1000, width_mm: 1000, edge_mm: 100, pattern: "
      "equilateral, "
      "turned_deg: [90, 0, 0], at_mm: [0, 0, -500]}\nheld: upper-corners\n"
      "material: {areal_density_g_per_m2: 150, thickness_mm: 0, stretch_N_per_m: 200, bend_uN_m: 100, "
      "drag_per_s: 5}\n"
      "remeshed: {every_steps: %d, edge_min_mm: 35, edge_max_mm: 110, turn_deg: 12, locking: 0, "
      "change_m_per_s: 0, compression: 0,\n"
      "  limited: {method: mapped, warp_ratio: [0.95, 1.05], weft_ratio: [0.99, 1.01]}}\n"
      "time: {duration_s: 3, step_ms: 5}\n";
  double wrinkles_per_m[2];
  for (int k = 0; k < 2; k++) {
    char scene[sizeof text + 16];
    sim_play *s;
    double worst = 0, stretched = 0;
    (void)snprintf(scene, sizeof scene, text, k == 0 ? 1000000 : 20);
    assert_ok(parse_play(scene, &s, err));
    assert_int_equal(sim_play_steps(s), 600);
    while (sim_play_done(s) < 600) {
      assert_ok(sim_play_step(s, NULL, err));
      worst = fmax(worst, sim_play_value(s, "excess"));
      stretched = fmax(stretched, sim_play_value(s, "weft_most"));
    }
    assert_true(worst <= 1e-3);
    assert_true(stretched > 1.0099); /* they are limits that act */
    assert_true(k == 0 || sim_play_value(s, "remeshings") >= 20);
    wrinkles_per_m[k] = sim_play_value(s, "wrinkles_per_m");
    print_message("%g remeshings, %g vertices: excess %.2g, wrinkles %.2f 1/m\n",
                  sim_play_value(s, "remeshings"), sim_play_value(s, "vertices"), worst, wrinkles_per_m[k]);
    free_play(s);
  }
  assert_true(wrinkles_per_m[1] > 1.2 * wrinkles_per_m[0]);
}

/* A body that moves carries the cloth along: the cloth is told where it is. */
static void test_body_moves(void **state) {
  (void)state;
  sim_play *s;
  assert_ok(parse_play(
      PLAY_REMESHED
      "sheet: {shape: rectangle, length_mm: 100, width_mm: 100, edge_mm: 12, at_mm: [0, 0, 0.25]}\n"
      "remeshed: {}\n"
      "bodies: [{shape: plane, friction: 0.5, motion: [{until_s: 1, velocity_mm_per_s: [0, 0, 50]}]}]\n"
      "time: {duration_s: 0.2, step_ms: 10}\n",
      &s, err));
  play_to_end(s);
  assert_near(sim_play_value(s, "lowest_m"), 0.05 * 0.2 + 0.00025, 1e-6);
  free_play(s);
}

/* A square of two triangles from above, with and without lines: dark along the diagonal, elsewhere the
 * same. */
static void test_lines(void **state) {
  (void)state;
  enum { SIZE = 64 };
  static unsigned char plain[3 * SIZE * SIZE], lined[3 * SIZE * SIZE];
  const double x[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const int triangle[2][3] = {{0, 1, 2}, {0, 2, 3}};
  sim_drawn d = {
      .n_vertices = 4, .n_triangles = 2, .position_m = x, .triangle = triangle, .face = {0.5F, 0.5F, 0.5F}};
  sim_view v = {
      .width_px = SIZE, .height_px = SIZE, .azimuth_rad = -90 * CB_DEG, .elevation_rad = 90 * CB_DEG};
  assert_ok(sim_picture_draw(&v, &d, 1, plain, err));
  d.edges = true;
  assert_ok(sim_picture_draw(&v, &d, 1, lined, err));
  const int on = 3 * ((SIZE / 2 - 1) * SIZE + SIZE / 2), off = 3 * (SIZE / 4 * SIZE + SIZE / 2);
  assert_true(lined[on] < 0.8 * plain[on]);
  assert_int_equal(lined[off], plain[off]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused), cmocka_unit_test(test_play),
                                     cmocka_unit_test(test_limited), cmocka_unit_test(test_body_moves),
                                     cmocka_unit_test(test_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
