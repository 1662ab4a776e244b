/* Every rule of the guard, just inside and just outside. Times are made up: the guard looks at no clock. */
#include "cbtest.h"

#include "daq_guard.h"

static cb_rig a_rig(void) {
  return (cb_rig){.stage = {.microstep_m = 0.2e-6, .limit_min_m = 0.005, .limit_max_m = 0.1, .acceleration_m_per_s2 = 0.5},
                  .force = {.overload_N = 8, .silence_timeout_s = 1},
                  .calibration = {.slope_N_per_unit = 2}};
}

static void overload(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  assert_ok(daq_guard_force(&g, 4, false, 0, err));
  assert_fails(CB_E_SAFETY, "overload: 8.02 N, at most 8 N", daq_guard_force(&g, 4.01, false, 0, err));
  assert_fails(CB_E_SAFETY, "overload: -8.02 N", daq_guard_force(&g, -4.01, false, 0, err));
  daq_guard_set_zero(&g, 1);
  assert_ok(daq_guard_force(&g, 5, false, 0, err));
  assert_fails(CB_E_SAFETY, "overload", daq_guard_force(&g, -3.01, false, 0, err));
  assert_fails(CB_E_SAFETY, "the read-out raises its alarm", daq_guard_force(&g, 1, true, 0, err));
}

static void lost_stream(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 10);
  assert_ok(daq_guard_silence(&g, 11, err));
  assert_fails(CB_E_SAFETY, "lost stream", daq_guard_silence(&g, 11.01, err));
  assert_ok(daq_guard_force(&g, 0, false, 11.5, err));
  assert_ok(daq_guard_silence(&g, 12.4, err));
}

static void limits(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  daq_guard_home(&g, 0);
  /* Where it homes may lie outside the limits: it may come from there, but not go back. */
  assert_ok(daq_guard_position(&g, 0.001, true, 1, err));
  assert_ok(daq_guard_position(&g, 0, false, 2, err));
  daq_guard_move(&g, 0, 0.02, 0.05, 0.5, 2);
  assert_ok(daq_guard_position(&g, 0.004, true, 2.1, err));
  assert_ok(daq_guard_position(&g, 0.02, false, 2.5, err));
  daq_guard_move(&g, 0.02, 0, 0.05, 0.5, 3);
  assert_ok(daq_guard_position(&g, 0.00499, true, 3.1, err)); /* within the tolerance */
  assert_fails(CB_E_SAFETY, "outside the limits 5.000 to 100.000 mm", daq_guard_position(&g, 0.0049, true, 3.2, err));
}

static void disagreeing(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  assert_ok(daq_guard_position(&g, 0.03, false, 0, err));
  assert_fails(CB_E_SAFETY, "nobody told it to", daq_guard_position(&g, 0.03, true, 0, err));
  daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0);
  assert_ok(daq_guard_position(&g, 0.03, true, 0.1, err));
  assert_ok(daq_guard_position(&g, 0.04, true, 1, err));
  assert_fails(CB_E_SAFETY, "disagreeing position: 29.900 mm on the way from 30.000 to 50.000",
               daq_guard_position(&g, 0.0299, true, 1.1, err));
  assert_fails(CB_E_SAFETY, "disagreeing position: 50.100 mm", daq_guard_position(&g, 0.0501, true, 1.1, err));
  assert_fails(CB_E_SAFETY, "stopped at 45.000 mm, 50.000 mm was its target", daq_guard_position(&g, 0.045, false, 1.2, err));
  assert_ok(daq_guard_position(&g, 0.05, false, 2.1, err));
}

static void stalled_and_overdue(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0);
  assert_ok(daq_guard_position(&g, 0.031, true, 0.1, err));
  assert_ok(daq_guard_position(&g, 0.031, true, 1.05, err));
  assert_fails(CB_E_SAFETY, "stalled", daq_guard_position(&g, 0.031, true, 1.15, err));
  /* 20 mm at 10 mm/s with 20 ms of ramps: planned 2.04 s, allowed 2 x 2.04 + 2 s. */
  daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0);
  for (int i = 1; i <= 60; i++) assert_ok(daq_guard_position(&g, 0.03 + 1e-6 * i, true, 0.1 * i, err));
  assert_fails(CB_E_SAFETY, "overdue", daq_guard_position(&g, 0.0301, true, 6.1, err));
  daq_guard_home(&g, 0);
  assert_ok(daq_guard_position(&g, 0.03, true, 121, err));
  assert_fails(CB_E_SAFETY, "overdue", daq_guard_position(&g, 0.03, true, 122.5, err));
}

static void fast_rig(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  rig.virt = (cb_rig_virtual){.present = true, .time_scale = 40};
  daq_guard_init(&g, &rig, 0);
  daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0);
  assert_near(g.due_s, 2 * 2.04 / 40 + 2, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(overload),    cmocka_unit_test(lost_stream),         cmocka_unit_test(limits),
                                     cmocka_unit_test(disagreeing), cmocka_unit_test(stalled_and_overdue), cmocka_unit_test(fast_rig)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
