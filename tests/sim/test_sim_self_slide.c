/* A sheet that slides over another one, held flat, has the friction that was asked for: whatever the mesh,
 * the cloth, the speed, the step and the scheme. */
#include "cbtest.h"
#include "self_slide.h"

#define WITHIN 0.005      /* of Coulomb's friction */
#define WITHIN_FREE 0.002 /* coefficient, where there is none */

/* Steps until the sheet lies, and in all. */
#define SETTLED 15
#define STEPS 60

static const double steps_s[] = {5e-3, 2e-3, 1e-3};

/* Silk, cotton, denim. */
static sim_material cloth_of(int i) {
  static const double areal_density_kg_per_m2[] = {0.06, 0.15, 0.4}, thickness_m[] = {0.2e-3, 0.5e-3, 0.9e-3},
                      stretch_N_per_m[] = {800, 1000, 6000}, bending_Nm[] = {4e-6, 1e-5, 2e-4};
  sim_material m = sim_material_isotropic(areal_density_kg_per_m2[i], stretch_N_per_m[i], bending_Nm[i]);
  m.thickness_m = thickness_m[i];
  return m;
}

static void expect(self_slide how) {
  self_slide_result r;
  assert_ok(self_slide_play(&how, &r, err));
  assert_near(r.mu, how.mu, how.mu > 0 ? WITHIN * how.mu : WITHIN_FREE);
}

static void expect_steps(self_slide how) {
  for (size_t k = 0; k < sizeof steps_s / sizeof *steps_s; k++) {
    how.step_s = steps_s[k];
    how.settle_s = SETTLED * how.step_s;
    if (how.pull_m_per_s2 == 0) how.duration_s = STEPS * how.step_s;
    expect(how);
  }
}

/* At a speed that stays, since the slope is that of the friction. */
static void expect_steady(double mu, int cloth, sim_pattern pattern, sim_cloth_scheme scheme,
                          double m_per_s) {
  expect_steps((self_slide){.pattern = pattern,
                            .side_m = 0.06,
                            .edge_m = {6e-3, m_per_s > 0.5 ? 8e-3 : 6e-3},
                            .seed = 1,
                            .material = cloth_of(cloth),
                            .mu = mu,
                            .m_per_s = m_per_s,
                            .scheme = scheme});
}

static void without_friction(void **state) {
  (void)state;
  expect_steady(0, 1, SIM_PATTERN_IRREGULAR, SIM_BACKWARD_EULER, 0.1);
  expect_steady(0, 0, SIM_PATTERN_RIGHT, SIM_BDF2, 1.0);
}

static void with_little_friction(void **state) {
  (void)state;
  expect_steady(0.1, 2, SIM_PATTERN_IRREGULAR, SIM_BDF2, 1.0);
  expect_steady(0.1, 0, SIM_PATTERN_ALTERNATING, SIM_BACKWARD_EULER, 0.1);
}

static void with_friction(void **state) {
  (void)state;
  expect_steady(0.3, 1, SIM_PATTERN_RIGHT, SIM_BACKWARD_EULER, 1.0);
  expect_steady(0.3, 1, SIM_PATTERN_IRREGULAR, SIM_BDF2, 1.0);
}

static void with_much_friction(void **state) {
  (void)state;
  expect_steady(0.6, 0, SIM_PATTERN_IRREGULAR, SIM_BACKWARD_EULER, 0.1);
  expect_steady(0.6, 2, SIM_PATTERN_EQUILATERAL, SIM_BDF2, 1.0);
}

/* From rest, down a slope: through the slow speeds, up to 1.5 m/s. Large triangles, too. */
static void from_rest(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++)
    expect_steps((self_slide){.pattern = SIM_PATTERN_IRREGULAR,
                              .side_m = 0.06,
                              .edge_m = {k == 0 ? 6e-3 : 20e-3, k == 0 ? 6e-3 : 20e-3},
                              .seed = 3,
                              .material = cloth_of(1),
                              .mu = 0.3,
                              .pull_m_per_s2 = 5,
                              .duration_s = 0.3});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(without_friction),
                                     cmocka_unit_test(with_little_friction), cmocka_unit_test(with_friction),
                                     cmocka_unit_test(with_much_friction), cmocka_unit_test(from_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
