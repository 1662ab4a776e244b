/* The depth of wrinkles: known waves on a flat and on a bent sheet, and a bent sheet without waves. */
#include "cb_num.h"
#include "cbtest.h"
#include "sim_mesh.h"
#include "sim_vec.h"
#include "sim_scene_limits.h"

/* A sheet of 0.3 m x 0.2 m, bent to a cylinder of radius_m (0: flat) whose axis is y, with waves of that
 * height and length along x. */
static double depth_m(double radius_m, double high_m, double wave_m) {
  sim_mesh m;
  const sim_rectangle r = {
      .length_m = 0.3, .width_m = 0.2, .pattern = SIM_PATTERN_IRREGULAR, .edge_m = 0.003};
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  for (int i = 0; i < m.n_vertices; i++) {
    double *x = m.position_m[i];
    const double s = x[0], wave = high_m * sin(2 * CB_PI * s / wave_m);
    const double angle = radius_m > 0 ? s / radius_m : 0;
    x[0] = radius_m > 0 ? (radius_m + wave) * sin(angle) : s;
    x[2] = radius_m > 0 ? (radius_m + wave) * cos(angle) : wave;
  }
  const double out = sim_wrinkle_depth_m(&m, (const sim_vec3 *)m.position_m);
  sim_mesh_clear(&m);
  return out;
}

static double wanted_m(double high_m, double wave_m) {
  const double q = pow(SIM_WRINKLE_M / wave_m, 4);
  return high_m / sqrt(2) * q / (1 + q);
}

static void test_waves(void **state) {
  (void)state;
  static const double wave_m[] = {0.025, 0.05, 0.1};
  for (int k = 0; k < 3; k++)
    for (int bent = 0; bent < 2; bent++) {
      const double wanted = wanted_m(0.0005, wave_m[k]), is = depth_m(0.1 * bent, 0.0005, wave_m[k]);
      print_message("wave of %g mm, %s: %g mm, wanted %g\n", 1e3 * wave_m[k], bent ? "bent" : "flat",
                    1e3 * is, 1e3 * wanted);
      assert_near(is, wanted, 0.06 * wanted + (bent ? 1.5e-5 : 1e-6));
    }
}

/* Twice the waves, twice the depth; no waves, hardly any. */
static void test_shape(void **state) {
  (void)state;
  assert_near(depth_m(0, 0.001, 0.03), 2 * depth_m(0, 0.0005, 0.03), 2e-5);
  assert_true(depth_m(0, 0, 1) < 1e-9);
  assert_true(depth_m(0.1, 0, 1) < 3e-5); /* what is left of the ends; 0.01 mm without them */
  assert_true(depth_m(0.05, 0, 1) < 8e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_waves), cmocka_unit_test(test_shape)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
