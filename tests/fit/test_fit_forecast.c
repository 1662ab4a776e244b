/* The forecast of a pull against closed forms, and against the simulated sled, which integrates it. */
#include "cb_num.h"
#include "cbtest.h"
#include "fit_forecast.h"
#include "fit_forecast_smooth.h"
#include "sim_sled.h"

#define GRAVITY 9.80665

/* 1.5 kg on a cart of 13 g behind 500 N/m, as in the plan that no pull of could slide. */
static fit_forecast_pull heavy_pull(void) {
  return (fit_forecast_pull){.mass_kg = 1.513,
                             .stiffness_N_per_m = 500,
                             .slack_m = 2e-3,
                             .damping_ratio = 0.2,
                             .travel_m = 15e-3,
                             .speed_m_per_s = 10e-3,
                             .acceleration_m_per_s2 = 100,
                             .rate_Hz = 400,
                             .static_N = 8,
                             .kinetic_N = 6};
}

static fit_forecast forecast(const fit_forecast_pull *p) {
  const fit_pull_options opt = fit_pull_options_default();
  return fit_forecast_make(p, &opt);
}

static void test_places(void **state) {
  (void)state;
  fit_forecast_pull p = heavy_pull();
  fit_forecast f = forecast(&p);
  assert_near(f.slips_at_m, 2e-3 + 8.0 / 500, 1e-15); /* 18 mm */
  assert_true(!f.slides && !f.has_plateau && !f.sticks);
  assert_near(f.peak_N, 500 * 13e-3, 1e-12);
  assert_near(f.window_from_m, 8e-3 + 0.3 * (15e-3 - 8e-3), 1e-15); /* taut at 2 mm + 3 N / 500 N/m */
  assert_near(f.window_to_m, 0.95 * 15e-3, 1e-15);
  assert_near(f.travel_wanted_m, 2e-3 + (8 - 0.7 * 3) / 0.3 / 500, 1e-15);
  assert_near(f.stiffness_wanted_N_per_m, (8 - 0.7 * 3) / 0.3 / 13e-3, 1e-9);
  p.travel_m = 19e-3; /* it slides at last, and too late for the plateau */
  f = forecast(&p);
  assert_true(f.slides && !f.has_plateau);
  p.travel_m = 1e-3; /* no link helps */
  f = forecast(&p);
  assert_true(!f.slides && f.peak_N == 0 && isinf(f.stiffness_wanted_N_per_m));
}

/* At the travel, or with the link, that is wanted, the cart breaks away where the window of a taut link
 * begins. A hair more, and there is a peak, and the window begins behind it. */
static void test_remedies(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++)
    for (int side = -1; side <= 1; side += 2) {
      fit_forecast_pull p = heavy_pull();
      const fit_forecast before = forecast(&p);
      if (i == 0)
        p.travel_m = before.travel_wanted_m * (1 + side * 1e-9);
      else
        p.stiffness_N_per_m = before.stiffness_wanted_N_per_m * (1 + side * 1e-9);
      const fit_forecast f = forecast(&p);
      const double behind_m = side < 0 ? 0 : 0.3 * (p.travel_m - f.slips_at_m);
      assert_near(f.window_from_m, f.slips_at_m + behind_m, 1e-9);
      assert_int_equal(f.has_plateau, side > 0);
    }
}

static void test_smooth_factor(void **state) {
  (void)state;
  assert_true(isinf(fit_forecast_smooth_factor(0)));
  assert_true(fit_forecast_smooth_factor(1) == 0 && fit_forecast_smooth_factor(3) == 0);
  /* The limit of Brockley, Cameron and Potter; the next term is of the order of the root of d. */
  for (double d = 1e-6; d < 2e-3; d *= 10)
    assert_near(fit_forecast_smooth_factor(d) * sqrt(4 * CB_PI * d), 1, 2 * sqrt(d));
  for (double d = 0.01; d < 0.98; d += 0.01)
    assert_true(fit_forecast_smooth_factor(d) > fit_forecast_smooth_factor(d + 0.01));
}

/* ---- against the sled ---- */

static cb_friction_law coulomb(double force_N, double normal_N) {
  const double mu = force_N / normal_N;
  cb_friction_law law = {
      .form = CB_FORM_GENERAL, .contact_area_m2 = 0.005, .n_knots = 1, .exponent = 1, .dof = 10};
  law.knots[0] = (cb_friction_knot){.normal_force_N = 1, .f_N = {mu, 0, mu}};
  return law;
}

static void pull_sled(const fit_forecast_pull *p, sim_sled_result *r) {
  const double normal_N = p->mass_kg * GRAVITY;
  const cb_friction_law kinetic = coulomb(p->kinetic_N, normal_N), stat = coulomb(p->static_N, normal_N);
  sim_sled s = sim_sled_default();
  s.mass_kg = p->mass_kg;
  s.gravity_m_per_s2 = GRAVITY;
  s.contact_area_m2 = 0.005;
  s.kinetic_law = &kinetic;
  s.static_law = &stat;
  s.pull = (sim_pull){.stiffness_N_per_m = p->stiffness_N_per_m,
                      .slack_m = p->slack_m,
                      .damping_Ns_per_m = 2 * p->damping_ratio * sqrt(p->stiffness_N_per_m * p->mass_kg),
                      .profile = {0, p->travel_m, p->speed_m_per_s, p->acceleration_m_per_s2}};
  s.duration_s = p->travel_m / p->speed_m_per_s + 2 * p->speed_m_per_s / p->acceleration_m_per_s2;
  s.rate_Hz = 1000;
  assert_ok(sim_sled_run(&s, r, err));
}

/* Below the speed the sled stands again and again, above it it never does. */
static void test_border_of_stick_slip(void **state) {
  (void)state;
  static const double ratio[] = {0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8};
  static const double mass_kg[] = {0.05, 0.513}, stiffness_N_per_m[] = {300, 2000};
  for (size_t i = 0; i < 7; i++)
    for (size_t j = 0; j < 4; j++)
      for (int side = -1; side <= 1; side += 2) {
        fit_forecast_pull p = heavy_pull();
        p.damping_ratio = ratio[i];
        p.mass_kg = mass_kg[j % 2];
        p.stiffness_N_per_m = stiffness_N_per_m[j / 2];
        p.static_N = 2.5, p.kinetic_N = 2.0;
        p.travel_m = 0.1;
        p.speed_m_per_s = forecast(&p).smooth_m_per_s * (1 + side * 0.01);
        /* Three swings, and the way on which it stands. */
        p.travel_m = forecast(&p).slips_at_m + 20 * p.speed_m_per_s * sqrt(p.mass_kg / p.stiffness_N_per_m) +
                     4 * (p.static_N - p.kinetic_N) / p.stiffness_N_per_m;
        sim_sled_result r;
        pull_sled(&p, &r);
        assert_int_equal(forecast(&p).sticks, side < 0);
        if ((r.n_slips > 1) != (side < 0))
          fail_msg("d %g, m %g, k %g, v %g: %zu slips", p.damping_ratio, p.mass_kg, p.stiffness_N_per_m,
                   p.speed_m_per_s, r.n_slips);
        sim_sled_result_clear(&r);
      }
}

static void test_smooth_stiffness(void **state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    fit_forecast_pull p = heavy_pull();
    p.speed_m_per_s = 5e-3;
    p.travel_m = 50e-3;
    assert_true(forecast(&p).sticks);
    p.stiffness_N_per_m = forecast(&p).smooth_stiffness_N_per_m * (1 + side * 1e-9);
    assert_int_equal(forecast(&p).sticks, side < 0);
  }
  fit_forecast_pull p = heavy_pull();
  p.static_N = p.kinetic_N; /* nothing to slip by */
  p.damping_ratio = 0;
  const fit_forecast f = forecast(&p);
  assert_true(!f.sticks && f.smooth_m_per_s == 0 && f.smooth_stiffness_N_per_m == 0);
}

static void test_breakaway_and_peak(void **state) {
  (void)state;
  for (double speed = 1e-3; speed < 0.05; speed *= 3) {
    fit_forecast_pull p = heavy_pull();
    p.speed_m_per_s = speed;
    p.travel_m = 25e-3;
    p.damping_ratio = 0;
    sim_sled_result r;
    pull_sled(&p, &r);
    double highest = 0;
    for (size_t i = 0; i < r.n; i++) highest = fmax(highest, r.trace.force_N.v[i]);
    assert_near(r.breakaway_stage_m, forecast(&p).slips_at_m, 1e-9);
    /* The peak lies between two samples of a swing with this curvature. */
    const double wave = p.stiffness_N_per_m / p.mass_kg;
    assert_near(highest, forecast(&p).peak_N, (forecast(&p).peak_N - p.kinetic_N) * wave * 1e-6 + 1e-6);
    sim_sled_result_clear(&r);
  }
}

/* Readings in the window, and their mean, of a sled whose link follows at once: by the place of the stage. */
static void test_window(void **state) {
  (void)state;
  static const double speed[] = {5e-3, 20e-3, 50e-3, 80e-3};
  for (int i = 0; i < 4; i++) {
    fit_forecast_pull p = {.mass_kg = 0.3,
                           .stiffness_N_per_m = 20000,
                           .slack_m = 1e-3,
                           .damping_ratio = 1,
                           .travel_m = 20e-3,
                           .speed_m_per_s = speed[i],
                           .acceleration_m_per_s2 = 0.5,
                           .rate_Hz = 1000,
                           .static_N = 1.6,
                           .kinetic_N = 1.5};
    const fit_forecast f = forecast(&p);
    sim_sled_result r;
    pull_sled(&p, &r);
    double n = 0, sum_N = 0;
    for (size_t k = 0; k < r.trace.force_N.n; k++) {
      const double x_m = cb_series_at(&r.trace.position_m, r.trace.force_N.t_s[k]);
      if (x_m < f.window_from_m || x_m > f.window_to_m) continue;
      n++, sum_N += r.trace.force_N.v[k];
    }
    assert_near(n, f.n_readings, 2);
    assert_near(sum_N / n, 1.5 * (1 - f.brake_error_rel), 0.003 * 1.5 * 0.1 + 1.5 * 0.1 * f.brake_error_rel);
    assert_int_equal(f.brake_error_rel > 0, p.speed_m_per_s > 31.7e-3); /* brakes within the last 1 mm */
    sim_sled_result_clear(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),           cmocka_unit_test(test_remedies),
      cmocka_unit_test(test_smooth_factor),    cmocka_unit_test(test_border_of_stick_slip),
      cmocka_unit_test(test_smooth_stiffness), cmocka_unit_test(test_breakaway_and_peak),
      cmocka_unit_test(test_window),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
