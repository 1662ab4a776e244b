/* The axis of the virtual stage against the closed forms of the trapezoidal profile. */
#include "cbtest.h"
#include "vrig_stage.h"

static const double A = 0.5, V = 0.01; /* m/s2, m/s */

static vrig_stage fresh(double at_m) {
  vrig_stage s;
  vrig_stage_init(&s, 0, 0.1, at_m);
  return s;
}

static double x_at(const vrig_stage *s, double t) {
  double x, v;
  vrig_stage_at(s, t, &x, &v);
  return x;
}

static double v_at(const vrig_stage *s, double t) {
  double x, v;
  vrig_stage_at(s, t, &x, &v);
  return v;
}

/* T = L/v + v/a; after the ramp x = v (t - v/2a). */
static void trapezoid(void **state) {
  (void)state;
  vrig_stage s = fresh(0.02);
  vrig_stage_move(&s, 7, 0.08, V, A);
  double T = 0.06 / V + V / A, ramp = V / A;
  assert_near(s.end_s - 7, T, 1e-12);
  assert_near(v_at(&s, 7 + ramp / 2), V / 2, 1e-14);
  assert_near(x_at(&s, 7 + ramp), 0.02 + V * V / (2 * A), 1e-15);
  assert_near(x_at(&s, 7 + 3), 0.02 + V * (3 - ramp / 2), 1e-14);
  assert_near(v_at(&s, 7 + 3), V, 1e-15);
  assert_near(v_at(&s, 7 + T - ramp / 2), V / 2, 1e-12);
  assert_true(vrig_stage_moving(&s, 7 + T - 1e-6) && !vrig_stage_moving(&s, 7 + T + 1e-6));
  assert_true(x_at(&s, 1e6) == 0.08 && v_at(&s, 1e6) == 0);
}

/* Too short to reach the speed: T = 2 sqrt(L/a), top speed sqrt(a L). */
static void triangle(void **state) {
  (void)state;
  vrig_stage s = fresh(0.05);
  const double L = 1e-4;
  vrig_stage_move(&s, 0, 0.05 - L, V, A);
  assert_near(s.end_s, 2 * sqrt(L / A), 1e-14);
  assert_near(v_at(&s, sqrt(L / A)), -sqrt(A * L), 1e-14);
  assert_true(x_at(&s, 1) == 0.05 - L);
}

/* Braking from speed v takes v/a and v^2/2a. */
static void stop_and_halt(void **state) {
  (void)state;
  vrig_stage s = fresh(0.02);
  vrig_stage_move(&s, 0, 0.08, V, A);
  vrig_stage_stop(&s, 3, A);
  assert_near(s.end_s, 3 + V / A, 1e-14);
  assert_near(s.end_m, 0.02 + V * (3 - V / (2 * A)) + V * V / (2 * A), 1e-14);
  vrig_stage_stop(&s, 100, A);
  assert_false(vrig_stage_moving(&s, 100));
  vrig_stage_move(&s, 200, 0.08, V, A);
  double before = x_at(&s, 201);
  vrig_stage_halt(&s, 201);
  assert_true(x_at(&s, 201) == before && x_at(&s, 300) == before && !vrig_stage_moving(&s, 201));
}

/* A new target in flight: never a jump in place or speed, never more than the acceleration, arrival where
 * told. */
static void new_targets_in_flight(void **state) {
  (void)state;
  const struct {
    double target, speed;
  } next[] = {{0.09, 0.01}, {0.09, 0.002},   {0.09, 0.05},   {0.01, 0.01},
              {0.05, 0.01}, {0.05001, 0.03}, {0.0501, 0.001}};
  for (size_t i = 0; i < sizeof next / sizeof next[0]; i++) {
    vrig_stage s = fresh(0.02);
    vrig_stage_move(&s, 0, 0.08, V, A);
    double t = 3 + V / (2 * A); /* at 0.05 */
    double x = x_at(&s, t), v = v_at(&s, t);
    assert_near(x, 0.05, 1e-14);
    vrig_stage_move(&s, t, next[i].target, next[i].speed, A);
    for (double dt = 1e-4; t < s.end_s + dt; t += dt) {
      double x1 = x_at(&s, t + dt), v1 = v_at(&s, t + dt);
      if (fabs(v1 - v) > A * dt * (1 + 1e-9) + 1e-12)
        fail_msg("case %zu: at %g s the speed jumps from %g to %g", i, t, v, v1);
      if (fabs(x1 - x - 0.5 * dt * (v + v1)) > 0.5 * A * dt * dt)
        fail_msg("case %zu: at %g s the place jumps from %g to %g", i, t, x, x1);
      x = x1;
      v = v1;
    }
    assert_true(x == next[i].target);
  }
}

/* Braking more gently than the way allows would leave the track. */
static void the_track_ends(void **state) {
  (void)state;
  vrig_stage s = fresh(0.09);
  vrig_stage_move(&s, 0, 0.1, 0.05, A);
  double t = s.end_s - 0.05 / A; /* full speed, 2.5 mm before the end */
  assert_near(v_at(&s, t), 0.05, 1e-12);
  vrig_stage_stop(&s, t, A / 100);
  assert_near(s.end_m, 0.1, 1e-12);
  assert_true(s.end_m <= 0.1);
  assert_near(s.end_s - t, 2 * 0.0025 / 0.05, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(trapezoid), cmocka_unit_test(triangle),
                                     cmocka_unit_test(stop_and_halt), cmocka_unit_test(new_targets_in_flight),
                                     cmocka_unit_test(the_track_ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
