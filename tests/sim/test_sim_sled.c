/* The sled against closed forms: incline, oblique launch, load law, spring pull with stick-slip, energy,
 * order. */
#include "cbtest.h"

#include "cb_num.h"
#include "sim_sled.h"

/* One knot at 1 N: F(theta, N) = form N^exponent, on area_m2. */
static cb_friction_law law_of(double f00, double f01, double f11, double exponent, double area_m2) {
  cb_friction_law law = {.kind = CB_FRICTION_KINETIC,
                         .form = CB_FORM_GENERAL,
                         .contact_area_m2 = area_m2,
                         .n_knots = 1,
                         .exponent = exponent,
                         .dof = 10};
  law.knots[0] = (cb_friction_knot){.normal_force_N = 1, .f_N = {f00, f01, f11}};
  return law;
}

static cb_friction_law coulomb(double mu) { return law_of(mu, 0, mu, 1, 0.005); }

static sim_sled sled_of(const cb_friction_law *kinetic, const cb_friction_law *stat) {
  sim_sled s = sim_sled_default();
  s.mass_kg = 0.1;
  s.gravity_m_per_s2 = 9.8;
  s.contact_area_m2 = 0.005;
  s.kinetic_law = kinetic;
  s.static_law = stat;
  s.rate_Hz = 200;
  return s;
}

static sim_sled_sample last(const sim_sled_result *r) { return r->samples[r->n - 1]; }

static void test_release_angle(void **state) {
  (void)state;
  cb_friction_law kinetic = coulomb(0.3), stat = coulomb(0.4);
  for (int k = 0; k < 2; k++) {
    sim_sled s = sled_of(&kinetic, k ? &stat : NULL);
    double critical = atan(k ? 0.4 : 0.3);
    sim_sled_result r;
    s.incline_rad = critical * (1 - 1e-14);
    assert_ok(sim_sled_run(&s, &r, err));
    assert_true(r.at_rest);
    assert_true(last(&r).x_m == 0 && last(&r).vx_m_per_s == 0); /* exact: no creep */
    sim_sled_result_clear(&r);
    s.incline_rad = critical * (1 + 1e-12);
    assert_ok(sim_sled_run(&s, &r, err));
    assert_false(r.at_rest);
    assert_int_equal(r.n_slips, 1);
    assert_true(r.breakaway_s == 0);
    sim_sled_result_clear(&r);
  }
}

/* s(t) = g (sin a - mu cos a) t^2 / 2; the accelerations for mu = 0.3 and g = 9.8 m/s2 to six decimals. */
static void test_incline_motion(void **state) {
  (void)state;
  static const struct {
    double deg, a;
  } truth[] = {{17.5, 0.142989}, {20, 0.589101}, {30, 2.353885}, {45, 4.850753}};
  cb_friction_law kinetic = coulomb(0.3);
  for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
    sim_sled s = sled_of(&kinetic, NULL);
    s.incline_rad = truth[i].deg * CB_DEG;
    sim_sled_result r;
    assert_ok(sim_sled_run(&s, &r, err));
    assert_int_equal(r.n, 201);
    double a = 9.8 * (sin(s.incline_rad) - 0.3 * cos(s.incline_rad));
    assert_near(2 * last(&r).x_m, truth[i].a, 5e-7);
    for (size_t k = 0; k < r.n; k++)
      assert_near(r.samples[k].x_m, 0.5 * a * r.samples[k].t_s * r.samples[k].t_s, 1e-12);
    assert_near(r.energy.residual_J, 0, 1e-12); /* rounding of 10^4 steps with 0.2 J */
    sim_sled_result_clear(&r);
  }
}

/* A force opposite to v never deflects: the track is straight down, with a(alpha) = g sin - F(alpha)/m. */
static void test_anisotropic_from_rest(void **state) {
  (void)state;
  cb_friction_law kinetic = law_of(0.5, 0.05, 0.3, 1, 0.005);
  for (int deg = 0; deg < 180; deg += 15) {
    sim_sled s = sled_of(&kinetic, NULL);
    s.incline_rad = 40 * CB_DEG;
    s.downhill_rad = deg * CB_DEG;
    sim_sled_result r;
    assert_ok(sim_sled_run(&s, &r, err));
    double c = cos(s.downhill_rad), w = sin(s.downhill_rad), N = 0.1 * 9.8 * cos(s.incline_rad);
    double a =
        9.8 * sin(s.incline_rad) - cb_friction_quadratic(kinetic.knots[0].f_N, s.downhill_rad) * N / 0.1;
    assert_near(last(&r).x_m * c + last(&r).y_m * w, 0.5 * a, 1e-11);
    assert_near(last(&r).x_m * w - last(&r).y_m * c, 0, 1e-12);
    sim_sled_result_clear(&r);
  }
}

/* v' = g sin(a) e - F(direction of v)/m v/|v| by itself, in polar form of v: independent of the sled's own
 * equations. */
static void reference_path(double g_t, const double f_per_m[3], double t_end, double v0, double phi0,
                           double out[2]) {
  size_t n = 400000;
  double h = t_end / (double)n, y[4] = {0, 0, v0, phi0};
  for (size_t i = 0; i < n; i++) {
    double k[4][4], z[4];
    for (int j = 0; j < 4; j++) {
      double w = j == 0 ? 0 : j == 3 ? h : h / 2;
      for (int q = 0; q < 4; q++) z[q] = y[q] + (j ? w * k[j - 1][q] : 0);
      k[j][0] = z[2] * cos(z[3]);
      k[j][1] = z[2] * sin(z[3]);
      k[j][2] = g_t * cos(z[3]) - cb_friction_quadratic(f_per_m, z[3]);
      k[j][3] = -g_t * sin(z[3]) / z[2];
    }
    for (int q = 0; q < 4; q++) y[q] += h / 6 * (k[0][q] + 2 * k[1][q] + 2 * k[2][q] + k[3][q]);
  }
  out[0] = y[0];
  out[1] = y[1];
}

static void test_oblique_launch(void **state) {
  (void)state;
  cb_friction_law kinetic = law_of(0.5, 0.03, 0.3, 1, 0.005);
  sim_sled s = sled_of(&kinetic, NULL);
  s.incline_rad = 25 * CB_DEG; /* downhill along the warp */
  s.velocity_m_per_s[0] = cos(70 * CB_DEG);
  s.velocity_m_per_s[1] = sin(70 * CB_DEG);
  s.duration_s = 0.3;
  sim_sled_result r;
  assert_ok(sim_sled_run(&s, &r, err));
  double f[3], N_per_m = 9.8 * cos(s.incline_rad), truth[2];
  for (int i = 0; i < 3; i++) f[i] = kinetic.knots[0].f_N[i] * N_per_m;
  reference_path(9.8 * sin(s.incline_rad), f, 0.3, 1, 70 * CB_DEG, truth);
  assert_near(last(&r).x_m, truth[0], 1e-10);
  assert_near(last(&r).y_m, truth[1], 1e-10);
  assert_near(r.energy.residual_J, 0, 1e-10);
  sim_sled_result_clear(&r);
}

/* Friction above the slope's pull: the sled stops, its last direction is straight downhill, and it stays. */
static void test_oblique_stop(void **state) {
  (void)state;
  cb_friction_law kinetic = law_of(0.6, 0, 0.6, 1, 0.005);
  sim_sled s = sled_of(&kinetic, NULL);
  s.incline_rad = 20 * CB_DEG;
  s.velocity_m_per_s[0] = 0.5;
  s.velocity_m_per_s[1] = 0.5;
  sim_sled_result r;
  assert_ok(sim_sled_run(&s, &r, err));
  assert_true(r.at_rest && last(&r).vx_m_per_s == 0 && last(&r).vy_m_per_s == 0);
  assert_true(last(&r).x_m == r.samples[r.n - 20].x_m);
  /* Isotropic: |v|(1 + cos)^(...) has no elementary end point; the energy balance does not need one. */
  assert_near(r.energy.residual_J, 0, 1e-9);
  /* On the level the way is v^2 / 2 mu g, straight. */
  sim_sled_result_clear(&r);
  s.incline_rad = 0;
  assert_ok(sim_sled_run(&s, &r, err));
  double way = 0.5 / (2 * 0.6 * 9.8);
  assert_near(last(&r).x_m, way / sqrt(2), 1e-14);
  assert_near(last(&r).y_m, way / sqrt(2), 1e-14);
  sim_sled_result_clear(&r);
}

/* tau = c p^n: holds iff m g sin <= A c (m g cos / A)^n; with n < 1 a lighter sled holds on a steeper
 * slope. */
static double critical_angle(double mass, double area, double c, double n) {
  double lo = 0, hi = CB_PI / 2;
  for (int i = 0; i < 100; i++) {
    double a = 0.5 * (lo + hi), F = area / 0.005 * c * pow(mass * 9.8 * cos(a) * 0.005 / area, n);
    if (mass * 9.8 * sin(a) <= F)
      lo = a;
    else
      hi = a;
  }
  return lo;
}

static void test_load_law(void **state) {
  (void)state;
  cb_friction_law kinetic = law_of(0.5, 0, 0.5, 0.8, 0.005);
  double before = 0;
  for (double mass = 0.4; mass > 0.01; mass /= 2) {
    sim_sled s = sled_of(&kinetic, NULL);
    s.mass_kg = mass;
    s.contact_area_m2 = 0.002;
    double critical = critical_angle(mass, 0.002, 0.5, 0.8);
    sim_sled_result r;
    s.incline_rad = critical * (1 - 1e-9);
    assert_ok(sim_sled_run(&s, &r, err));
    assert_true(r.at_rest);
    sim_sled_result_clear(&r);
    s.incline_rad = critical * (1 + 1e-9);
    assert_ok(sim_sled_run(&s, &r, err));
    assert_false(r.at_rest);
    sim_sled_result_clear(&r);
    assert_true(critical > before);
    before = critical;
  }
}

/* ---- pulled by a spring ---- */

#define PULL_K 500.0
#define PULL_V 0.01
#define F_S 0.5
#define F_K 0.4

/* Forces of F_S and F_K at a weight of 0.98 N. */
static sim_sled pulled(const cb_friction_law *kinetic, const cb_friction_law *stat) {
  sim_sled s = sled_of(kinetic, stat);
  s.pull = (sim_pull){.stiffness_N_per_m = PULL_K,
                      .slack_m = 0.002,
                      .profile = {.travel_m = 0.04, .speed_m_per_s = PULL_V, .acceleration_m_per_s2 = 1e9}};
  s.duration_s = 3;
  s.rate_Hz = 5000;
  return s;
}

static void test_pull_breakaway(void **state) {
  (void)state;
  cb_friction_law kinetic = coulomb(F_K / 0.98), stat = coulomb(F_S / 0.98);
  for (int direction = -1; direction <= 1; direction += 2) {
    sim_sled s = pulled(&kinetic, &stat);
    s.pull.profile.travel_m *= direction;
    s.pull.angle_rad = 30 * CB_DEG;
    sim_sled_result r;
    assert_ok(sim_sled_run(&s, &r, err));
    /* Acceleration so large that the ramp takes 1e-11 s. */
    assert_near(r.breakaway_s, (0.002 + F_S / PULL_K) / PULL_V, 1e-9);
    assert_near(r.breakaway_stage_m, 0.002 + F_S / PULL_K, 1e-11);
    double peak = 0;
    for (size_t i = 0; i < r.trace.force_N.n; i++) peak = fmax(peak, direction * r.trace.force_N.v[i]);
    /* The stage goes on while the sled gathers speed: the peak stands above F_s by inertia, F_k +
     * ((F_s-F_k)^2 + V^2 k m)^1/2. */
    assert_near(peak, F_K + hypot(F_S - F_K, PULL_V * sqrt(PULL_K * 0.1)), 2e-5);
    assert_near(cb_series_at(&r.trace.force_N, r.breakaway_s), direction * F_S, PULL_K * PULL_V / s.rate_Hz);
    assert_near(r.trace.position_m.v[r.n - 1], direction * PULL_V * 3, 1e-12);
    sim_sled_result_clear(&r);
  }
}

/* Undamped: while slipping the spring swings about F_k with amplitude ((F_s-F_k)^2 + (k V / w)^2)^1/2; the
 * sled stops when the spring has fallen by 2 (F_s - F_k). Stick lasts 2 (F_s-F_k)/kV, slip 2 (pi -
 * atan((F_s-F_k) w / k V)) / w. */
static void test_stick_slip(void **state) {
  (void)state;
  cb_friction_law kinetic = coulomb(F_K / 0.98), stat = coulomb(F_S / 0.98);
  sim_sled s = pulled(&kinetic, &stat);
  sim_sled_result r;
  assert_ok(sim_sled_run(&s, &r, err));
  double w = sqrt(PULL_K / 0.1), drop = F_S - F_K;
  double period = 2 * drop / (PULL_K * PULL_V) + 2 * (CB_PI - atan(drop * w / (PULL_K * PULL_V))) / w;
  double low = F_K - hypot(drop, PULL_K * PULL_V / w), least = 1;
  double from = r.breakaway_s;
  size_t cycles = (size_t)((3 - from) / period), a = (size_t)(from * s.rate_Hz);
  for (size_t i = a; i < r.n; i++) least = fmin(least, r.trace.force_N.v[i]);
  assert_near(least, low, 1e-5); /* at a minimum between samples: k V w dt^2 / 8 ~ 1e-6 */
  assert_in_range(r.n_slips, cycles, cycles + 1);
  /* The first sample at rest again: F_s - 2 (F_s - F_k), plus at most one sample of loading. */
  size_t stop = a + 2;
  while (r.samples[stop].vx_m_per_s > 0) stop++;
  assert_near(r.trace.force_N.v[stop], F_S - 2 * drop, PULL_K * PULL_V / s.rate_Hz);
  /* 20 periods later the force is what it was. */
  for (double t = from + 0.01; t < from + 0.01 + period; t += period / 7)
    assert_near(cb_series_at(&r.trace.force_N, t), cb_series_at(&r.trace.force_N, t + 20 * period), 1e-4);
  assert_near(r.energy.residual_J, 0, 1e-9);
  sim_sled_result_clear(&r);
}

static void test_plateau(void **state) {
  (void)state;
  cb_friction_law kinetic = coulomb(F_K / 0.98), stat = coulomb(F_S / 0.98);
  sim_sled s = pulled(&kinetic, &stat);
  s.pull.damping_Ns_per_m = 15; /* about critical: the swing dies out */
  sim_sled_result r;
  assert_ok(sim_sled_run(&s, &r, err));
  assert_near(r.trace.force_N.v[r.n - 1], F_K, F_K * 1e-12);
  assert_near(last(&r).vx_m_per_s, PULL_V, 1e-12);
  assert_int_equal(r.n_slips, 1);
  /* Energy: what the stage put in is rubbed off but for what still moves and stretches. */
  assert_true(r.energy.stage_J > 0 && r.energy.friction_J > 0 && r.energy.damping_J > 0);
  assert_near(r.energy.residual_J, 0, 1e-10);
  sim_sled_result_clear(&r);
}

/* Errors against a step 16 times finer fall by 16 per halving, across breakaway, slip and link contact. */
static double end_of_pull(double step_s, double damping) {
  cb_friction_law kinetic = coulomb(F_K / 0.98), stat = coulomb(F_S / 0.98);
  sim_sled s = pulled(&kinetic, &stat);
  s.pull.damping_Ns_per_m = damping;
  s.pull.profile.acceleration_m_per_s2 = 0.5;
  s.duration_s = 0.45;
  s.rate_Hz = 20;
  s.step_s = step_s;
  sim_sled_result r;
  assert_ok(sim_sled_run(&s, &r, err));
  double x = last(&r).x_m;
  assert_true(r.n_slips >= 1 && last(&r).vx_m_per_s > 0);
  sim_sled_result_clear(&r);
  return x;
}

static void test_order(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    double c = k ? 3 : 0, best = end_of_pull(1.0 / 20 / 512, c);
    double coarse = fabs(end_of_pull(1.0 / 20 / 16, c) - best),
           fine = fabs(end_of_pull(1.0 / 20 / 32, c) - best);
    double order = log2(coarse / fine);
    if (!(order > 3.7 && order < 4.6))
      fail_msg("damping %g: order %g (errors %g, %g)", c, order, coarse, fine);
  }
}

static void test_same_bits(void **state) {
  (void)state;
  cb_friction_law kinetic = law_of(0.4, 0.03, 0.3, 0.9, 0.005), stat = law_of(0.5, 0.03, 0.4, 0.9, 0.005);
  sim_sled s = pulled(&kinetic, &stat);
  s.rate_Hz = 200;
  s.pull.angle_rad = 0.6;
  sim_sled_result a, b;
  assert_ok(sim_sled_run(&s, &a, err));
  assert_ok(sim_sled_run(&s, &b, err));
  assert_int_equal(a.n, b.n);
  assert_memory_equal(a.samples, b.samples, a.n * sizeof *a.samples);
  assert_memory_equal(a.trace.force_N.v, b.trace.force_N.v, a.n * sizeof(double));
  sim_sled_result_clear(&a);
  sim_sled_result_clear(&b);
}

static void test_bad_input(void **state) {
  (void)state;
  cb_friction_law kinetic = coulomb(0.3);
  sim_sled s = sled_of(&kinetic, NULL);
  sim_sled_result r;
  s.mass_kg = 0;
  assert_fails(CB_E_RANGE, "mass = 0 kg: must be > 0", sim_sled_run(&s, &r, err));
  s = sled_of(&kinetic, NULL);
  s.velocity_m_per_s[1] = NAN;
  assert_fails(CB_E_NUM, "velocity", sim_sled_run(&s, &r, err));
  s = sled_of(&kinetic, NULL);
  s.incline_rad = CB_PI / 2;
  assert_fails(CB_E_RANGE, "must be >= 0 and < 90", sim_sled_run(&s, &r, err));
  s = pulled(&kinetic, NULL);
  s.pull.profile.speed_m_per_s = 0;
  assert_fails(CB_E_RANGE, "speed = 0 m/s", sim_sled_run(&s, &r, err));
  s = pulled(&kinetic, NULL);
  s.pull.stiffness_N_per_m = 1e7; /* (k/m)^1/2 = 1e4 / s */
  assert_fails(CB_E_RANGE, "time step = 0.0001 s: must be <= 5e-05 s", sim_sled_run(&s, &r, err));
  s = pulled(&kinetic, NULL);
  s.pull.damping_Ns_per_m = 1000;
  assert_fails(CB_E_RANGE, "must be <= 5e-05 s", sim_sled_run(&s, &r, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_release_angle),
      cmocka_unit_test(test_incline_motion),
      cmocka_unit_test(test_anisotropic_from_rest),
      cmocka_unit_test(test_oblique_launch),
      cmocka_unit_test(test_oblique_stop),
      cmocka_unit_test(test_load_law),
      cmocka_unit_test(test_pull_breakaway),
      cmocka_unit_test(test_stick_slip),
      cmocka_unit_test(test_plateau),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
