/* Steps of many lengths: BDF2 stays of second order, a state that is given back is the same, a scene that
 * divides its steps goes on to the bit from a checkpoint. */
#include <math.h>
#include <string.h>

#include "cbtest.h"
#include "sim_cloth.h"
#include "sim_mesh.h"
#include "sim_play.h"

#define G 9.80665

/* Falls through drag: v = g/d (1 - exp(-d t)). Steps in the pattern 1, 1/2, 1/2, 2, 1. */
static double fall_error(sim_cloth_scheme scheme, double h) {
  static const double pattern[] = {1, 0.5, 0.5, 2, 1};
  const sim_rectangle r = {
      .length_m = 0.1, .width_m = 0.1, .pattern = SIM_PATTERN_RIGHT, .about_vertices = 9};
  sim_material m = sim_material_isotropic(0.2, 500, 1e-5);
  sim_mesh mesh;
  sim_cloth *c;
  m.drag_per_s = 4;
  assert_ok(sim_mesh_rectangle(&r, &mesh, err));
  sim_cloth_setup s = sim_cloth_setup_default(&mesh, &m);
  s.scheme = scheme;
  s.solve_tolerance = 1e-7;
  assert_ok(sim_cloth_new(&s, &c, err));
  for (int k = 0; sim_cloth_time(c) < 0.5 - h / 4; k++)
    assert_ok(sim_cloth_step(c, h * pattern[k % 5], NULL, err));
  double t = sim_cloth_time(c), d = m.drag_per_s, z = -G / d * (t - (1 - exp(-d * t)) / d),
         error = sim_cloth_position(c)[4][2] - z;
  assert_near(t, 0.5, 1e-9);
  sim_cloth_free(c);
  sim_mesh_clear(&mesh);
  return fabs(error);
}

static void test_order_with_uneven_steps(void **state) {
  (void)state;
  double second[3], first[3];
  for (int k = 0; k < 3; k++) {
    second[k] = fall_error(SIM_BDF2, 0.02 / (1 << k));
    first[k] = fall_error(SIM_BACKWARD_EULER, 0.02 / (1 << k));
  }
  print_message("bdf2 %.3g %.3g %.3g m, backward Euler %.3g %.3g %.3g m\n", second[0], second[1], second[2],
                first[0], first[1], first[2]);
  for (int k = 1; k < 3; k++) {
    assert_near(log2(second[k - 1] / second[k]), 2, 0.25);
    assert_near(log2(first[k - 1] / first[k]), 1, 0.1);
  }
}

static const char scene_text[] =
    "name: a\n"
    "sheet: {shape: rectangle, length_mm: 200, width_mm: 200, vertices: 150, at_mm: [0, 0, 20]}\n"
    "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 800, stretch_weft_N_per_m: 800, "
    "shear_N_per_m: 200,\n"
    "             bend_warp_uN_m: 5, bend_weft_uN_m: 5, thickness_mm: 1}\n"
    "bodies:\n"
    "  - {shape: sphere, radius_mm: 40, at_mm: [0, 0, -30], friction: 0.3}\n"
    "  - {shape: plane, at_mm: [0, 0, -60], friction: 0.3}\n"
    "time: {duration_s: 0.32, step_ms: 20, scheme: bdf2, adaptive: true}\n";

static sim_play *play_new(sim_scene *scene) {
  sim_play *p;
  assert_ok(sim_scene_parse(scene_text, sizeof scene_text - 1, "a.yaml", scene, err));
  assert_ok(sim_play_new(scene, &p, err));
  return p;
}

static void test_divides_and_resumes(void **state) {
  (void)state;
  static sim_scene scene[2];
  char path[400];
  int parts = 0, refused = 0;
  sim_play *through = play_new(&scene[0]), *second = play_new(&scene[1]);
  const size_t bytes = (size_t)sim_play_mesh(through)->n_vertices * sizeof(double[3]);
  for (int k = 0; k < 16; k++) {
    sim_step_report r;
    if (k == 9) assert_ok(sim_play_save(through, cbt_path("half.sim", path), err));
    assert_ok(sim_play_step(through, &r, err));
    assert_int_equal(sim_play_done(through), k + 1);
    assert_near(sim_cloth_time(sim_play_cloth(through)), 0.02 * (k + 1), 1e-12);
    parts += r.steps;
    refused += r.refused;
  }
  print_message("16 steps in %d parts, %d taken back\n", parts, refused);
  assert_true(refused > 0 && parts > 16 && parts < 16 * 16);
  assert_ok(sim_play_load(second, path, err));
  for (int k = 9; k < 16; k++) assert_ok(sim_play_step(second, NULL, err));
  assert_memory_equal(sim_cloth_position(sim_play_cloth(through)), sim_cloth_position(sim_play_cloth(second)),
                      bytes);
  assert_memory_equal(sim_cloth_velocity(sim_play_cloth(through)), sim_cloth_velocity(sim_play_cloth(second)),
                      bytes);
  sim_cloth_energies a, b;
  sim_cloth_energy(sim_play_cloth(through), &a);
  sim_cloth_energy(sim_play_cloth(second), &b);
  assert_memory_equal(&a, &b, sizeof a); /* what was taken back is in no ledger */
  sim_play_free(through);
  sim_play_free(second);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_with_uneven_steps),
      cmocka_unit_test_setup_teardown(test_divides_and_resumes, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
