/* Every rule of the guard, just inside and just outside. Times are made up: the guard looks at no clock. */
#include "cbtest.h"

#include "daq_guard.h"

static cb_rig a_rig(void) {
  return (cb_rig){.stage = {.microstep_m = 0.2e-6,
                            .limit_min_m = 0.005,
                            .limit_max_m = 0.1,
                            .acceleration_m_per_s2 = 0.5},
                  .force = {.rate_Hz = 1000, .overload_N = 8, .silence_timeout_s = 1},
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
  assert_fails(CB_E_SAFETY, "not a number: the read-out's force channel says nan",
               daq_guard_force(&g, NAN, false, 0, err));
  assert_fails(CB_E_SAFETY, "not a number: the read-out's force channel says -inf",
               daq_guard_force(&g, -INFINITY, false, 0, err));
}

/* The last zero is not the only one: the cell bears what it bears. */
static void walking_zero(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  for (double zero = 1; zero < 4.9; zero += 0.5) {
    daq_guard_set_zero(&g, zero);
    assert_ok(daq_guard_force(&g, zero, false, 0, err));
  }
  assert_ok(daq_guard_force(&g, 4.99, false, 0, err));
  assert_fails(CB_E_SAFETY,
               "overload: 8.02 N from the first zero of the campaign, at most 8 N are allowed: the zero has "
               "gone by 7 N since",
               daq_guard_force(&g, 5.01, false, 0, err));
  /* A resumed campaign goes on from its own. */
  daq_guard_init(&g, &rig, 0);
  daq_guard_set_first_zero(&g, 0);
  daq_guard_set_zero(&g, 3);
  assert_fails(CB_E_SAFETY, "from the first zero of the campaign", daq_guard_force(&g, 4.5, false, 0, err));
  /* A calibration with an offset: before the first zero its own counts. */
  daq_guard_init(&g, &rig, 0);
  daq_guard_set_calibrated_zero(&g, 100);
  assert_ok(daq_guard_force(&g, 103.9, false, 0, err));
  assert_fails(CB_E_SAFETY, "overload: 8.2 N", daq_guard_force(&g, 104.1, false, 0, err));
  daq_guard_set_zero(&g, 103);
  assert_ok(daq_guard_force(&g, 103.9, false, 0, err));
  assert_fails(CB_E_SAFETY, "overload: 8.2 N from the zero of the calibration",
               daq_guard_force(&g, 104.1, false, 0, err));
}

static void frozen(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  for (int i = 0; i < 1000; i++)
    assert_ok(daq_guard_force(&g, 0.5, false, i, err)); /* nobody knows the noise */
  daq_guard_set_still_limit(&g, 10);
  daq_guard_set_still_limit(&g, 0); /* a zero that tells none changes nothing */
  assert_fails(CB_E_SAFETY, "frozen: the read-out sends the same reading, 0.5, for the 1001th time",
               daq_guard_force(&g, 0.5, false, 1000, err));
  assert_ok(daq_guard_force(&g, 0.6, false, 1001, err));
  for (int i = 0; i < 8; i++) assert_ok(daq_guard_force(&g, 0.6, false, 1002 + i, err));
  assert_fails(CB_E_SAFETY, "frozen", daq_guard_force(&g, 0.6, false, 1010, err));
}

/* ---- force rate: 1000 Hz, blocks of 5 readings, medians 20 ms apart ---- */

#define RATE_HZ 1000.0

static daq_guard a_rate_guard(double overload_N_per_s, double rate_Hz) {
  cb_rig rig = a_rig();
  daq_guard g;
  rig.force.rate_Hz = rate_Hz;
  rig.force.overload_N_per_s = overload_N_per_s;
  rig.calibration.slope_N_per_unit = 1;
  daq_guard_init(&g, &rig, 0);
  return g;
}

/* Readings until the guard speaks: their number, 0 if it never does. */
static int readings_until_stop(daq_guard *g, double rate_Hz, int n, double (*force_N)(double t_s),
                               cb_err *err) {
  for (int i = 0; i < n; i++)
    if (daq_guard_force(g, force_N(i / rate_Hz), false, i / rate_Hz, err) != CB_OK) return i + 1;
  return 0;
}

static double ramp_N(double t_s) { return 20 * t_s; }
static double fall_N(double t_s) { return 5 - 20 * t_s; }
static double through_zero_N(double t_s) { return -1 + 20 * t_s; }
/* From rest to a ramp after 0.1 s: the first block with a force in it is the 21st. */
static double late_ramp_N(double t_s) { return fmax(0, 40 * (t_s - 0.1)); }
/* 7 N for one reading of two thousand. */
static double spike_N(double t_s) { return fabs(t_s - 0.777) < 1e-6 ? 7 : 0.5 * sin(t_s); }
static double step_N(double t_s) { return t_s < 0.1 ? 0 : 1; }

static void force_rate(void **state) {
  (void)state;
  cb_err e;
  daq_guard g = a_rate_guard(20 * 1.0001, RATE_HZ);
  assert_int_equal(readings_until_stop(&g, RATE_HZ, 350, ramp_N, &e), 0);
  /* A ramp above the limit: seen as soon as seven blocks of five are full. */
  g = a_rate_guard(20 * 0.9999, RATE_HZ);
  assert_int_equal(readings_until_stop(&g, RATE_HZ, 350, ramp_N, &e), 35);
  assert_string_equal(e.msg, "overload: the force grows by 20 N/s, at most 20 N/s are allowed");
  /* A cell that is let go of is not in danger; one that is pushed through zero is, once it is pushed harder
   * than it was pulled. */
  g = a_rate_guard(10, RATE_HZ);
  assert_int_equal(readings_until_stop(&g, RATE_HZ, 200, fall_N, &e), 0);
  g = a_rate_guard(10, RATE_HZ);
  int n = readings_until_stop(&g, RATE_HZ, 390, through_zero_N, &e);
  /* Medians at t - 20 ms and t: equal magnitudes where the middle is 0.05 s; the newer one is known two
   * blocks later. */
  assert_in_range(n, 65, 75);
  /* From rest: at most seven blocks after the ramp began. */
  g = a_rate_guard(20, RATE_HZ);
  n = readings_until_stop(&g, RATE_HZ, 300, late_ramp_N, &e);
  assert_in_range(n, 101, 135);
  /* 0: not watched. */
  g = a_rate_guard(0, RATE_HZ);
  assert_int_equal(readings_until_stop(&g, RATE_HZ, 350, ramp_N, &e), 0);
}

/* Whatever its height, one bad reading is not a rate: 7 N more within a millisecond, and 10 N/s allowed. */
static void one_bad_reading(void **state) {
  (void)state;
  cb_err e;
  daq_guard g = a_rate_guard(10, RATE_HZ);
  assert_int_equal(readings_until_stop(&g, RATE_HZ, 2000, spike_N, &e), 0);
  /* A step that stays is one: 1 N within 20 ms, as soon as the median of three means has it. */
  g = a_rate_guard(49, RATE_HZ);
  assert_int_equal(readings_until_stop(&g, RATE_HZ, 2000, step_N, &e), 110);
  /* A slow read-out: a block is one reading; the same spike, the same step. */
  g = a_rate_guard(0.5, 80);
  for (int i = 0; i < 100; i++) assert_ok(daq_guard_force(&g, i == 50 ? 7 : 0.5, false, i / 80.0, err));
  assert_ok(daq_guard_force(&g, 0.6, false, 100 / 80.0, err));
  /* 0.1 N over four readings of 12.5 ms: 2 N/s. */
  assert_fails(CB_E_SAFETY, "grows by 2 N/s", daq_guard_force(&g, 0.6, false, 101 / 80.0, err));
}

/* A pause of the host's loses readings: what was before and what comes after are no rate. */
static void rate_begins_anew(void **state) {
  (void)state;
  daq_guard g = a_rate_guard(10, RATE_HZ);
  for (int i = 0; i < 100; i++) assert_ok(daq_guard_force(&g, 0, false, i / RATE_HZ, err));
  for (int i = 0; i < 100; i++) assert_ok(daq_guard_force(&g, 5, false, 0.3 + i / RATE_HZ, err));
  daq_guard_resume(&g, 0.4);
  for (int i = 0; i < 100; i++) assert_ok(daq_guard_force(&g, 0.5, false, 0.4 + i / RATE_HZ, err));
  daq_guard_set_zero(&g, 0.5);
  for (int i = 0; i < 100; i++) assert_ok(daq_guard_force(&g, 0.5, false, 0.5 + i / RATE_HZ, err));
  /* A burst after a pause in which nothing was lost is the stream it was. */
  for (int i = 0; i < 50; i++) assert_ok(daq_guard_force(&g, 0.5, false, 0.65, err));
  for (int i = 0; i < 9; i++) assert_ok(daq_guard_force(&g, 1.5, false, 0.65, err));
  assert_fails(CB_E_SAFETY, "grows by 50 N/s", daq_guard_force(&g, 1.5, false, 0.65, err));
}

static void other_channels(void **state) {
  (void)state;
  assert_ok(daq_guard_finite("excitation", 5, err));
  assert_fails(CB_E_SAFETY, "not a number: the read-out's excitation channel says inf",
               daq_guard_finite("excitation", INFINITY, err));
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
  assert_ok(daq_guard_move(&g, 0, 0.02, 0.05, 0.5, 2, err));
  assert_ok(daq_guard_position(&g, 0.004, true, 2.1, err));
  assert_ok(daq_guard_position(&g, 0.02, false, 2.5, err));
  assert_fails(CB_E_SAFETY, "target 0.000 mm: outside the limits 5.000 to 100.000 mm",
               daq_guard_move(&g, 0.02, 0, 0.05, 0.5, 3, err));
  assert_fails(CB_E_SAFETY, "target 100.100 mm: outside the limits",
               daq_guard_move(&g, 0.02, 0.1001, 0.05, 0.5, 3, err));
  assert_ok(daq_guard_move(&g, 0.02, 0.005, 0.05, 0.5, 3, err));
  assert_ok(daq_guard_position(&g, 0.00499, true, 3.4, err)); /* within the tolerance */
  assert_fails(CB_E_SAFETY, "outside the limits 5.000 to 100.000 mm",
               daq_guard_position(&g, 0.0049, true, 3.5, err));
}

static void disagreeing(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  assert_ok(daq_guard_position(&g, 0.03, false, 0, err));
  assert_fails(CB_E_SAFETY, "nobody told it to", daq_guard_position(&g, 0.03, true, 0, err));
  assert_ok(daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0, err));
  assert_ok(daq_guard_position(&g, 0.03, true, 0.1, err));
  assert_ok(daq_guard_position(&g, 0.04, true, 1, err));
  assert_fails(CB_E_SAFETY, "disagreeing position: 29.900 mm on the way from 30.000 to 50.000",
               daq_guard_position(&g, 0.0299, true, 1.1, err));
  assert_fails(CB_E_SAFETY, "disagreeing position: 50.100 mm",
               daq_guard_position(&g, 0.0501, true, 1.1, err));
  assert_fails(CB_E_SAFETY, "stopped at 45.000 mm, 50.000 mm was its target",
               daq_guard_position(&g, 0.045, false, 1.2, err));
  assert_ok(daq_guard_position(&g, 0.05, false, 2.1, err));
}

/* 10 mm/s were ordered: after 1 s it may be 1.25 x 10 + 1 mm on its way, and no more. */
static void too_fast(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  assert_ok(daq_guard_move(&g, 0.03, 0.09, 0.01, 0.5, 5, err));
  assert_ok(daq_guard_position(&g, 0.03 + 0.0134, true, 6, err));
  assert_fails(CB_E_SAFETY,
               "the stage is 13.600 mm on its way, at its speed it could be 10.000 mm (a wrong microstep_um, "
               "or a virtual rig at another "
               "time_scale than the rig file's 1)",
               daq_guard_position(&g, 0.03 + 0.0136, true, 6, err));
}

static void no_calibration(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  assert_ok(daq_guard_ready(&g, err));
  rig.calibration.slope_N_per_unit = 0;
  daq_guard_init(&g, &rig, 0);
  assert_fails(CB_E_SAFETY, "no calibration", daq_guard_ready(&g, err));
}

static void stalled_and_overdue(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  assert_ok(daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0, err));
  assert_ok(daq_guard_position(&g, 0.031, true, 0.1, err));
  assert_ok(daq_guard_position(&g, 0.031, true, 1.05, err));
  assert_fails(CB_E_SAFETY, "stalled", daq_guard_position(&g, 0.031, true, 1.15, err));
  /* It trembles, and goes nowhere. */
  assert_ok(daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0, err));
  for (int i = 1; i <= 10; i++) assert_ok(daq_guard_position(&g, 0.031 - 1e-6 * (i % 2), true, 0.1 * i, err));
  assert_fails(CB_E_SAFETY, "stalled", daq_guard_position(&g, 0.031 - 1e-6, true, 1.25, err));
  /* 0.1 um/s: a microstep of 0.2 um takes 2 s, and three of them are waited for. */
  assert_ok(daq_guard_move(&g, 0.03, 0.05, 1e-7, 0.5, 0, err));
  assert_ok(daq_guard_position(&g, 0.03, true, 5.9, err));
  assert_fails(CB_E_SAFETY, "stalled", daq_guard_position(&g, 0.03, true, 6.1, err));
  /* 20 mm at 10 mm/s with 20 ms of ramps: planned 2.04 s, allowed 2 x 2.04 + 2 s. */
  assert_ok(daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0, err));
  for (int i = 1; i <= 60; i++) assert_ok(daq_guard_position(&g, 0.03 + 1e-6 * i, true, 0.1 * i, err));
  assert_fails(CB_E_SAFETY, "overdue", daq_guard_position(&g, 0.0301, true, 6.1, err));
  daq_guard_home(&g, 0);
  assert_ok(daq_guard_position(&g, 0.03, true, 121, err));
  assert_fails(CB_E_SAFETY, "overdue", daq_guard_position(&g, 0.03, true, 122.5, err));
}

/* Told to stop, it may stand wherever its path goes, and nowhere else; the next move has its target again. */
static void halted(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  daq_guard_init(&g, &rig, 0);
  assert_ok(daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0, err));
  daq_guard_halt(&g, 0.5);
  assert_fails(CB_E_SAFETY, "disagreeing", daq_guard_position(&g, 0.0299, true, 0.5, err));
  assert_ok(daq_guard_position(&g, 0.035, true, 0.5, err));
  assert_fails(CB_E_SAFETY, "overdue", daq_guard_position(&g, 0.0351, true, 2.6, err));
  assert_ok(daq_guard_position(&g, 0.035, false, 0.6, err));
  assert_ok(daq_guard_move(&g, 0.035, 0.05, 0.01, 0.5, 1, err));
  assert_fails(CB_E_SAFETY, "was its target", daq_guard_position(&g, 0.04, false, 2, err));
}

static void fast_rig(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_guard g;
  rig.virt = (cb_rig_virtual){.present = true, .time_scale = 40};
  daq_guard_init(&g, &rig, 0);
  assert_ok(daq_guard_move(&g, 0.03, 0.05, 0.01, 0.5, 0, err));
  assert_near(g.due_s, 2 * 2.04 / 40 + 2, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(overload),        cmocka_unit_test(walking_zero),
                                     cmocka_unit_test(frozen),          cmocka_unit_test(force_rate),
                                     cmocka_unit_test(one_bad_reading), cmocka_unit_test(rate_begins_anew),
                                     cmocka_unit_test(other_channels),  cmocka_unit_test(lost_stream),
                                     cmocka_unit_test(limits),          cmocka_unit_test(disagreeing),
                                     cmocka_unit_test(too_fast),        cmocka_unit_test(stalled_and_overdue),
                                     cmocka_unit_test(halted),          cmocka_unit_test(fast_rig),
                                     cmocka_unit_test(no_calibration)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
