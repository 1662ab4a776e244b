/* The trapezoid against its closed form. */
#include "cbtest.h"

#include "sim_sled.h"

static double position(const sim_profile *p, double t_s, double *velocity) {
  double breaks[4];
  sim_profile_breaks(p, breaks);
  return sim_profile_at(p, breaks, t_s, velocity);
}

static void test_trapezoid(void **state) {
  (void)state;
  sim_profile p = {.start_s = 0.5, .travel_m = 0.04, .speed_m_per_s = 0.01, .acceleration_m_per_s2 = 0.1};
  double b[4], v;
  assert_ok(sim_profile_check(&p, err));
  sim_profile_breaks(&p, b);
  assert_near(b[1] - b[0], 0.1, 1e-15);
  assert_near(b[3] - b[0], 0.04 / 0.01 + 0.1, 1e-14); /* travel / speed + one ramp */
  assert_near(position(&p, 0.6, &v), 0.0005, 1e-17);
  assert_near(v, 0.01, 1e-16);
  assert_near(position(&p, 1.6, NULL), 0.0005 + 0.01, 1e-16);
  assert_true(position(&p, 0.5, &v) == 0 && v == 0);
  assert_true(position(&p, 100, &v) == 0.04 && v == 0);
}

static void test_triangle_and_sign(void **state) {
  (void)state;
  sim_profile p = {.travel_m = -0.001, .speed_m_per_s = 1, .acceleration_m_per_s2 = 0.1};
  double b[4], v, peak = sqrt(0.001 * 0.1);
  sim_profile_breaks(&p, b);
  assert_near(b[1], peak / 0.1, 1e-15);
  assert_near(b[1], b[2], 1e-15);
  assert_near(position(&p, b[1], &v), -0.0005, 1e-17);
  assert_near(v, -peak, 1e-16);
}

/* The velocity is the derivative of the position everywhere. */
static void test_velocity(void **state) {
  (void)state;
  sim_profile p = {.start_s = 0.1, .travel_m = 0.02, .speed_m_per_s = 0.01, .acceleration_m_per_s2 = 0.02};
  for (double t = 0.05; t < 3; t += 0.0137) {
    double v, h = 1e-6;
    (void)position(&p, t, &v);
    assert_near((position(&p, t + h, NULL) - position(&p, t - h, NULL)) / (2 * h), v, 2e-8);
  }
}

static void test_bad(void **state) {
  (void)state;
  sim_profile p = {.travel_m = 0.02, .speed_m_per_s = 0.01, .acceleration_m_per_s2 = 0};
  assert_fails(CB_E_RANGE, "acceleration = 0", sim_profile_check(&p, err));
  p.acceleration_m_per_s2 = 1;
  p.travel_m = NAN;
  assert_fails(CB_E_NUM, "travel", sim_profile_check(&p, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_trapezoid),
                                     cmocka_unit_test(test_triangle_and_sign),
                                     cmocka_unit_test(test_velocity), cmocka_unit_test(test_bad)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
