/* The sliding experiments against closed forms: incline, sled, capstan; on coarse meshes, whose friction is
 * that of fine ones. */
#include <math.h>

#include "cb_num.h"
#include "cbtest.h"
#include "val_capstan.h"
#include "val_incline.h"
#include "val_sled.h"

/* F = form N^exponent on 10 cm2. */
static cb_friction_law law_of(double f00, double f01, double f11, double exponent) {
  return (cb_friction_law){.form = CB_FORM_GENERAL,
                           .contact_area_m2 = 1e-3,
                           .model = CB_MODEL_POWER,
                           .exponent = exponent,
                           .dof = INFINITY,
                           .n_knots = 1,
                           .knots = {{.normal_force_N = 1, .f_N = {f00, f01, f11}}}};
}

static val_incline slope(double angle_deg, double duration_s) {
  val_incline e = val_incline_default();
  e.vertices = 300;
  e.angle_rad = angle_deg * CB_DEG;
  e.duration_s = duration_s;
  return e;
}

static val_incline_result slide(const val_incline *e) {
  val_incline_result r;
  assert_ok(val_incline_run(e, &r, err));
  return r;
}

/* mu = 0.3 holds up to 16.699 degrees: not a bit of creep below. */
static void test_holds_exactly(void **state) {
  (void)state;
  static const double held[] = {0, 10, 16, 16.5, 16.69};
  for (int scheme = 0; scheme < 2; scheme++)
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
      val_incline e = slope(held[i], 0.5);
      e.scheme = (sim_cloth_scheme)scheme;
      val_incline_result r = slide(&e);
      assert_true(r.sticks && r.expected_sticks && r.agrees);
      assert_true(r.largest_m < 1e-12);
    }
  val_incline e = slope(16.71, 0.5);
  val_incline_result r = slide(&e);
  assert_false(r.sticks);
  assert_true(r.agrees);
}

/* g (sin a - mu cos a), and no way across. The solver's tolerance is 1e-6, single precision 1e-7: 1e-4 leaves
 * room. */
static void test_slides_as_newton_says(void **state) {
  (void)state;
  static const double angle[] = {17, 20, 30, 45}, step[] = {0.001, 0.005};
  for (int scheme = 0; scheme < 2; scheme++)
    for (size_t i = 0; i < 4; i++)
      for (size_t h = 0; h < 2; h++) {
        val_incline e = slope(angle[i], 0.2);
        e.scheme = (sim_cloth_scheme)scheme;
        e.dt_s = step[h];
        val_incline_result r = slide(&e);
        double a = CB_STANDARD_GRAVITY_M_PER_S2 * (sin(e.angle_rad) - 0.3 * cos(e.angle_rad));
        assert_near(r.expected_m_per_s2, a, 1e-9);
        assert_near(r.acceleration_m_per_s2, a, 1e-4 * a);
        /* The schemes' own way: backward Euler a h t/2 too far; BDF2 begins with one such step. */
        double more = scheme == SIM_BACKWARD_EULER ? a * step[h] * 0.2 / 2 : r.scheme_m[0];
        assert_near(r.scheme_m[0], more, 1e-9);
        assert_near(r.displacement_m[0], a * 0.02 + more, 1e-4 * a * 0.02);
        assert_near(r.displacement_m[1], 0, 1e-4 * a * 0.02);
        assert_true(r.agrees);
      }
}

/* Anisotropic friction, force against the velocity: from rest straight down whatever the cloth's orientation;
 * a launch bends as the equation of motion says. */
static void test_anisotropic_paths(void **state) {
  (void)state;
  cb_friction_law law = law_of(0.5, 0.05, 0.3, 1);
  for (int turned = 0; turned < 180; turned += 45) {
    val_incline e = slope(35, 0.2);
    e.friction = (sim_friction){.kinetic_law = &law};
    e.turned_rad = turned * CB_DEG;
    val_incline_result r = slide(&e);
    double c = cos(e.turned_rad), s = sin(e.turned_rad), mu = 0.5 * c * c + 0.1 * c * s + 0.3 * s * s;
    double a = CB_STANDARD_GRAVITY_M_PER_S2 * (sin(e.angle_rad) - mu * cos(e.angle_rad));
    assert_near(r.acceleration_m_per_s2, a, 1e-4 * a);
    assert_near(r.displacement_m[1], 0, 1e-4 * r.displacement_m[0]);
  }
  for (int scheme = 0; scheme < 2; scheme++)
    for (int k = 0; k < 2; k++) {
      val_incline e = slope(k == 0 ? 25 : 5, 0.4); /* goes on; comes to rest */
      e.friction = (sim_friction){.kinetic_law = &law};
      e.turned_rad = 30 * CB_DEG;
      e.launch_m_per_s = 1;
      e.launch_rad = 70 * CB_DEG;
      e.scheme = (sim_cloth_scheme)scheme;
      val_incline_result r = slide(&e);
      assert_true(r.agrees);
      assert_true(fabs(r.displacement_m[1]) > 0.1);
      if (scheme == SIM_BDF2) /* second order: 5 ms are near the exact path without any correction */
        for (int d = 0; d < 2; d++) assert_near(r.displacement_m[d], r.expected_m[d], 2e-3 * r.way_m);
    }
}

/* tau = c p^n per area: rho g sin(a) = c (rho g cos(a))^n, and the same on a mesh four times finer. */
static void test_load_law_releases_by_areal_mass(void **state) {
  (void)state;
  cb_friction_law law = law_of(0.4, 0, 0.4, 0.8);
  double before = CB_PI;
  for (int k = 0; k < 3; k++) {
    val_incline e = slope(0, 0.1);
    val_release r[2];
    double rho = e.material.areal_density_kg_per_m2 = 0.05 * pow(3, k);
    e.friction = (sim_friction){.kinetic_law = &law};
    for (int fine = 0; fine < 2; fine++) {
      e.vertices = fine ? 400 : 100;
      assert_ok(val_incline_release(&e, 0.02 * CB_DEG, &r[fine], err));
      assert_true(r[fine].agrees);
    }
    double a = r[0].expected_rad, p = rho * CB_STANDARD_GRAVITY_M_PER_S2;
    assert_near(p * sin(a), 0.4 * pow(p * cos(a) * 1e-3, 0.8) / 1e-3, 1e-9 * p);
    assert_near(r[0].angle_rad, a, 0.02 * CB_DEG);
    assert_near(r[1].angle_rad, r[0].angle_rad, 0.02 * CB_DEG);
    assert_true(r[0].angle_rad < before);
    before = r[0].angle_rad;
  }
}

static void test_incline_refuses(void **state) {
  (void)state;
  val_incline_result r;
  val_incline e = slope(90, 1);
  assert_fails(CB_E_RANGE, "incline: angle = 90 deg", val_incline_run(&e, &r, err));
  e = slope(20, 1);
  e.dt_s = 2;
  assert_fails(CB_E_RANGE, "incline: steps of 2 s over 1 s", val_incline_run(&e, &r, err));
  e = slope(20, 1);
  e.vertices = 3;
  assert_fails(CB_E_RANGE, "incline: vertices = 3", val_incline_run(&e, &r, err));
}

/* The peak is sampled every k V dt = 0.5 mN, 0.07 % of it; critical damping lets it not overshoot. */
static void test_sled_gives_friction_back(void **state) {
  (void)state;
  val_sled e = val_sled_default();
  val_sled_result r;
  e.vertices = 50;
  assert_ok(val_sled_run(&e, &r, err));
  assert_int_equal(r.pull.outcome, FIT_PULL_OK);
  assert_true(r.agrees && r.peak_expected);
  assert_near(r.mu_static, 0.35, 0.35 * 1e-3);
  assert_near(r.mu_kinetic, 0.3, 0.3 * 1e-4);
  val_sled_result_clear(&r);
}

/* Across the warp, under a law of the load; no peak where there is none to see; nothing moves where the
 * spring is too short. */
static void test_sled_with_laws(void **state) {
  (void)state;
  cb_friction_law kinetic = law_of(0.5, 0.05, 0.3, 0.9);
  val_sled e = val_sled_default();
  val_sled_result r;
  e.vertices = 50;
  e.load_kg = 0.05;
  e.profile.travel_m = 0.012;
  e.friction = (sim_friction){.kinetic_law = &kinetic};
  e.angle_rad = 60 * CB_DEG;
  assert_ok(val_sled_run(&e, &r, err));
  double area = 0.0635 * 0.0635, f = 0.5 * 0.25 + 0.1 * sqrt(3) / 4 + 0.3 * 0.75;
  double expected_N = area / 1e-3 * f * pow(r.normal_N * 1e-3 / area, 0.9);
  assert_near(r.pull.kinetic_N, expected_N, 1e-4 * expected_N);
  assert_true(isnan(r.pull.static_N) && !r.peak_expected && r.agrees);
  assert_near(r.across_m, 0, 1e-6);
  val_sled_result_clear(&r);
  e.profile.travel_m = 0.001; /* 0.1 N: not enough */
  assert_ok(val_sled_run(&e, &r, err));
  assert_false(r.agrees);
  val_sled_result_clear(&r);
}

static void test_capstan(void **state) {
  (void)state;
  val_capstan e = val_capstan_default();
  val_capstan_result r;
  e.cells_across = 3;
  e.wrap_rad = CB_PI / 2;
  assert_ok(val_capstan_run(&e, &r, err));
  /* Normals that lag by V dt/R = 4e-4, and a corner every 6.7 mm. */
  assert_near(r.discretisation, 4e-4 * 1.09 * CB_PI / 2 + 0.3 * CB_PI / 2 * pow(20.0 / 3 / 50, 2) * 1.09 / 12,
              5e-5);
  /* The strip's own motion takes 6e-4 of T1 off both tensions. */
  assert_near(r.expected_ratio, exp(0.3 * CB_PI / 2), 1e-3);
  assert_true(r.agrees);
  assert_int_equal(r.sliding, r.touching);
}

/* The drum turns under a belt that is held: nothing moves but the drum, so no tension is lost to it. */
static void test_drum_under_a_belt(void **state) {
  (void)state;
  val_capstan e = val_capstan_default();
  val_capstan_result r;
  e.cells_across = 3;
  e.wrap_rad = CB_PI / 2;
  e.drum = true;
  assert_ok(val_capstan_run(&e, &r, err));
  assert_near(r.expected_ratio, exp(0.3 * CB_PI / 2), 1e-9);
  assert_true(r.agrees);
  assert_int_equal(r.sliding, r.touching);
}

/* Without friction nothing is lost. */
static void test_frictionless_capstan(void **state) {
  (void)state;
  val_capstan e = val_capstan_default();
  val_capstan_result r;
  e.cells_across = 3;
  e.friction = (sim_friction){.mu_kinetic = 0};
  assert_ok(val_capstan_run(&e, &r, err));
  /* The normals lag by V dt / R = 4e-4. */
  assert_near(r.ratio, 1, 2 * 4e-4 * CB_PI);
}

/* Howell's power law: the reference itself against its closed form. */
static void test_capstan_reference(void **state) {
  (void)state;
  cb_friction_law law = law_of(0.2, 0, 0.2, 0.8);
  val_capstan e = val_capstan_default();
  val_capstan_result r;
  e.cells_across = 3;
  e.wrap_rad = CB_PI / 2;
  e.friction = (sim_friction){.kinetic_law = &law};
  assert_ok(val_capstan_run(&e, &r, err));
  /* Per area c p^n with c = 0.2 A^(n-1). */
  double n = 0.8, c = 0.2 * pow(1e-3, n - 1),
         t = pow(pow(2, 1 - n) + (1 - n) * c * pow(0.05, 1 - n) * e.wrap_rad, 1 / (1 - n));
  assert_near(r.expected_ratio, t / 2, 1e-3 * t / 2);
  assert_true(r.agrees);
  e.tension_N_per_m = 500;
  assert_fails(CB_E_RANGE, "capstan: the tight end would be strained", val_capstan_run(&e, &r, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_holds_exactly),     cmocka_unit_test(test_slides_as_newton_says),
      cmocka_unit_test(test_anisotropic_paths), cmocka_unit_test(test_load_law_releases_by_areal_mass),
      cmocka_unit_test(test_incline_refuses),   cmocka_unit_test(test_sled_gives_friction_back),
      cmocka_unit_test(test_sled_with_laws),    cmocka_unit_test(test_capstan),
      cmocka_unit_test(test_drum_under_a_belt), cmocka_unit_test(test_frictionless_capstan),
      cmocka_unit_test(test_capstan_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
