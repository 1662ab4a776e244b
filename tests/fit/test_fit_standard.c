/* Evaluation by a test standard, on traces whose coefficients are known in closed form. */
#include "cbtest.h"
#include "fit_standard.h"

#define NORMAL_N 1.96133 /* 0.2 kg at standard gravity */
#define RATE_HZ 200.0

/* Rest 1 s; slack for 2 mm, rise over 1 mm to the peak, kinetic force with a slope of its own. */
typedef struct pull {
  double static_N, kinetic_N, slope_N_per_m, zero_N, speed_m_per_s, travel_m;
  double teeth_N; /* height of a triangular wave of 0.5 mm about the kinetic force */
  int direction;
} pull;

static pull plain(void) {
  return (pull){.static_N = 0.6 * NORMAL_N,
                .kinetic_N = 0.4 * NORMAL_N,
                .zero_N = 0.05,
                .speed_m_per_s = 0.0025,
                .travel_m = 0.144,
                .direction = 1};
}

static double force_at(const pull *p, double x) {
  if (x <= 0.002) return 0;
  if (x <= 0.003) return p->static_N * (x - 0.002) / 0.001;
  const double phase = fmod(x - 0.003, 5e-4) / 5e-4;
  return p->kinetic_N + p->slope_N_per_m * (x - 0.003) + p->teeth_N * (0.5 - fabs(2 * phase - 1));
}

static fit_standard evaluate(const pull *p, const char *standard) {
  cb_trace t = {0};
  fit_standard r;
  double end_s = 1 + p->travel_m / p->speed_m_per_s + 0.5;
  for (size_t i = 0; (double)i / RATE_HZ < end_s; i++) {
    double time = (double)i / RATE_HZ, x = fmin(fmax(0, time - 1) * p->speed_m_per_s, p->travel_m);
    assert_ok(cb_series_push(&t.force_N, time, p->zero_N + p->direction * force_at(p, x), err));
    assert_ok(cb_series_push(&t.position_m, time, 0.1 + p->direction * x, err));
  }
  assert_ok(fit_standard_pull(&t, p->direction, p->travel_m, NORMAL_N, cb_standard_find(standard), &r, err));
  cb_trace_clear(&t);
  return r;
}

/* One sample is 12.5 um; on the rise that is 0.0125 of the peak. */
#define ONE_SAMPLE_M (0.0025 / RATE_HZ)

static void both_standards(void **state) {
  (void)state;
  const char *const names[] = {"astm-d1894", "iso-8295"};
  const double window_m[] = {0.130, 0.060};
  for (int i = 0; i < 2; i++) {
    pull p = plain();
    for (p.direction = -1; p.direction <= 1; p.direction += 2) {
      fit_standard r = evaluate(&p, names[i]);
      assert_int_equal(r.outcome, FIT_STANDARD_OK);
      assert_near(r.kinetic_mu, 0.4, 1e-12);
      assert_near(r.static_mu, 0.6, 0.6 * 0.0125);
      assert_near(r.breakaway_m, 0.003, 1.01 * ONE_SAMPLE_M);
      assert_near(r.window_from_m, r.breakaway_m + 0.005, 1e-12);
      assert_near(r.window_to_m, r.breakaway_m + window_m[i], 1e-12);
    }
  }
}

/* A force that grows along the way tells where the window lies: the mean is the force in its middle. */
static void window_of_its_own(void **state) {
  (void)state;
  pull p = plain();
  p.slope_N_per_m = 1;
  fit_standard astm = evaluate(&p, "astm-d1894"), iso = evaluate(&p, "iso-8295");
  assert_near(astm.kinetic_mu * NORMAL_N, p.kinetic_N + (0.005 + 0.130) / 2, 2 * ONE_SAMPLE_M);
  assert_near(iso.kinetic_mu * NORMAL_N, p.kinetic_N + (0.005 + 0.060) / 2, 2 * ONE_SAMPLE_M);
}

/* A triangular wave of height h about the mean: MIU is the mean, MMD the mean distance from it, h / 4. By
 * hand: 40 whole waves in the window of 20 mm, 0.4 +- 0.1 of the normal force: MIU 0.4, MMD 0.05. */
static void surface_of_teeth(void **state) {
  (void)state;
  pull p = plain();
  p.static_N = p.kinetic_N;
  p.teeth_N = 0.2 * NORMAL_N;
  for (p.direction = -1; p.direction <= 1; p.direction += 2) {
    const fit_standard r = evaluate(&p, "kes-fb4");
    assert_int_equal(r.outcome, FIT_STANDARD_OK);
    assert_true(isnan(r.static_mu));
    assert_near(r.window_to_m - r.window_from_m, 0.020, 1e-12);
    assert_near(r.kinetic_mu, 0.4, 2e-4);
    assert_near(r.deviation_mu, 0.05, 2e-4);
  }
}

static void without_a_peak(void **state) {
  (void)state;
  pull p = plain();
  p.static_N = p.kinetic_N;
  fit_standard r = evaluate(&p, "astm-d1894");
  assert_int_equal(r.outcome, FIT_STANDARD_OK);
  assert_true(isnan(r.static_mu));
  assert_near(r.kinetic_mu, 0.4, 1e-12);
  assert_near(r.breakaway_m, 0.003, 1.01 * ONE_SAMPLE_M);
}

static void too_short(void **state) {
  (void)state;
  pull p = plain();
  p.travel_m = 0.1329; /* 130 mm of sliding would need 133 */
  fit_standard r = evaluate(&p, "astm-d1894");
  assert_int_equal(r.outcome, FIT_STANDARD_TOO_SHORT);
  assert_true(isnan(r.kinetic_mu));
  assert_near(r.static_mu, 0.6, 0.6 * 0.0125);
  p.travel_m = 0.1331;
  assert_int_equal(evaluate(&p, "astm-d1894").outcome, FIT_STANDARD_OK);
}

static void never_moved(void **state) {
  (void)state;
  cb_trace t = {0};
  fit_standard r;
  for (int i = 0; i < 100; i++) {
    assert_ok(cb_series_push(&t.force_N, i * 0.01, 0.05, err));
    assert_ok(cb_series_push(&t.position_m, i * 0.01, 0.1, err));
  }
  assert_ok(fit_standard_pull(&t, 1, 0.144, NORMAL_N, cb_standard_find("iso-8295"), &r, err));
  assert_int_equal(r.outcome, FIT_STANDARD_NO_PULL);
  assert_true(isnan(r.static_mu) && isnan(r.kinetic_mu));
  t.force_N.v[7] = NAN;
  assert_fails(CB_E_NUM, "force: sample 7",
               fit_standard_pull(&t, 1, 0.144, NORMAL_N, cb_standard_find("iso-8295"), &r, err));
  cb_trace_clear(&t);
}

static void specimens(void **state) {
  (void)state;
  /* Mean 0.3, squares 2 x 0.1^2 + 2 x 0.05^2 = 0.025, over n - 1 = 4: sd = 0.0790569. */
  const double mu[] = {0.2, 0.25, NAN, 0.3, 0.35, 0.4};
  fit_standard_summary s = fit_standard_summarise(mu, 6, 3);
  assert_int_equal(s.n, 5);
  assert_near(s.mean, 0.3, 1e-15);
  assert_near(s.sd, 0.079, 1e-15);
  s = fit_standard_summarise(mu, 6, 2);
  assert_near(s.sd, 0.08, 1e-15);
  s = fit_standard_summarise(mu, 1, 3);
  assert_near(s.mean, 0.2, 0);
  assert_true(isnan(s.sd));
  s = fit_standard_summarise(mu + 2, 1, 3);
  assert_int_equal(s.n, 0);
  assert_true(isnan(s.mean));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_standards),   cmocka_unit_test(window_of_its_own),
                                     cmocka_unit_test(surface_of_teeth), cmocka_unit_test(without_a_peak),
                                     cmocka_unit_test(too_short),        cmocka_unit_test(never_moved),
                                     cmocka_unit_test(specimens)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
