/* Propagation of distributions: intervals of laws whose distribution is known in closed form. */
#include "cb_num.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_monte_carlo.h"

/* 0.5 N at 1 N in every direction, known to u_rel; nothing else is uncertain. */
static cb_friction_law one_knot(double u_rel, double dof) {
  return (cb_friction_law){.cloth = "Cloth",
                           .body = "Body",
                           .contact_area_m2 = 0.005,
                           .n_knots = 1,
                           .knots = {{.normal_force_N = 1, .f_N = {0.5, 0, 0.5}}},
                           .exponent = 1,
                           .u_rel_common = u_rel,
                           .dof = dof};
}

/* The drawn gain is exp(u z): its quantiles are those of z. */
static void lognormal_quantiles(void **state) {
  (void)state;
  const double u = 0.05, z = 1.959963984540054;
  cb_friction_law law = one_knot(u, INFINITY);
  fit_monte_carlo m;
  assert_ok(fit_monte_carlo_force(&law, 0.3, 1, 5, &m, err));
  assert_int_equal(m.outcome, FIT_MC_STABLE);
  assert_true(m.draws >= 2 * FIT_MC_BLOCK && m.draws % FIT_MC_BLOCK == 0);
  /* It says itself how far the ends may be off: two standard deviations, and rarely three. */
  assert_near(m.low_N, 0.5 * exp(-z * u), 2 * m.doubt_N);
  assert_near(m.high_N, 0.5 * exp(z * u), 2 * m.doubt_N);
  assert_near(m.u_N, 0.5 * exp(0.5 * u * u) * sqrt(expm1(u * u)), 5 * 0.5 * u / sqrt(2.0 * (double)m.draws));
  assert_near(m.mean_N, 0.5 * exp(0.5 * u * u), 5 * 0.5 * u / sqrt((double)m.draws));
  /* Skewed to the right: the shortest interval lies lower, and is shorter. */
  assert_true(m.shortest_low_N < m.low_N && m.shortest_high_N < m.high_N);
  assert_true(m.shortest_high_N - m.shortest_low_N <= m.high_N - m.low_N);
  /* u = 0.025 N: half a unit of the second digit is 0.5 mN; the linear ends are off by u^2 z^2 / 2 = 2.4
   * mN. */
  assert_near(m.tolerance_N[1], 0.0005, 1e-15);
  assert_near(m.tolerance_N[0], 0.005, 1e-15);
  assert_near(m.linear_low_N, 0.5 * (1 - z * u), 1e-9);
  assert_int_equal(m.digits, 1);
}

/* Nearly linear: agreement to 2 digits. */
static void small_uncertainties_agree(void **state) {
  (void)state;
  cb_friction_law law = one_knot(0.002, INFINITY);
  fit_monte_carlo m;
  assert_ok(fit_monte_carlo_force(&law, 0, 1, 5, &m, err));
  assert_int_equal(m.outcome, FIT_MC_STABLE);
  assert_int_equal(m.digits, 2);
  assert_true(fmax(m.d_low_N, m.d_high_N) <= m.tolerance_N[1]);
}

/* Student's t with 6 degrees of freedom: wider ends, and a standard deviation larger by sqrt(6 / 4). */
static void few_degrees_of_freedom(void **state) {
  (void)state;
  const double u = 0.002, t = cb_student_t(0.95, 6);
  cb_friction_law law = one_knot(u, 6);
  fit_monte_carlo m;
  assert_ok(fit_monte_carlo_force(&law, 0, 1, 5, &m, err));
  assert_near(m.high_N, 0.5 * exp(t * u), 2 * m.doubt_N);
  assert_near(m.u_N / (0.5 * u), sqrt(1.5), 0.02);
}

static void same_seed_same_bits(void **state) {
  (void)state;
  cb_friction_law law = one_knot(0.0022, 20);
  fit_monte_carlo a, b, c;
  assert_ok(fit_monte_carlo_force(&law, 0, 1, 5, &a, err));
  assert_ok(fit_monte_carlo_force(&law, 0, 1, 5, &b, err));
  assert_ok(fit_monte_carlo_force(&law, 0, 1, 6, &c, err));
  assert_memory_equal(&a.mean_N, &b.mean_N, sizeof a.mean_N);
  assert_memory_equal(&a.shortest_low_N, &b.shortest_low_N, sizeof a.shortest_low_N);
  assert_true(a.mean_N != c.mean_N);
}

static void what_does_not_vary_is_certain(void **state) {
  (void)state;
  cb_friction_law law = one_knot(0, INFINITY), loose = one_knot(0.05, INFINITY);
  fit_monte_carlo m;
  assert_ok(fit_monte_carlo_force(&law, 0, 2, 5, &m, err));
  assert_int_equal(m.outcome, FIT_MC_CERTAIN);
  assert_near(m.low_N, 1, 1e-12);
  assert_near(m.shortest_high_N, 1, 1e-12);
  assert_int_equal(m.digits, 2);
  /* No load, no force. */
  assert_ok(fit_monte_carlo_force(&loose, 0, 0, 5, &m, err));
  assert_int_equal(m.outcome, FIT_MC_CERTAIN);
  assert_near(m.mean_N, 0, 0);
}

/* Heavy tails have no standard deviation to settle: it ends all the same. */
static void it_always_ends(void **state) {
  (void)state;
  cb_friction_law law = one_knot(0.0095, 2);
  fit_monte_carlo m;
  assert_ok(fit_monte_carlo_force(&law, 0, 1, 5, &m, err));
  assert_int_equal(m.outcome, FIT_MC_NOT_STABLE);
  assert_int_equal(m.draws, FIT_MC_BLOCK * FIT_MC_BLOCKS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lognormal_quantiles),           cmocka_unit_test(small_uncertainties_agree),
      cmocka_unit_test(few_degrees_of_freedom),        cmocka_unit_test(same_seed_same_bits),
      cmocka_unit_test(what_does_not_vary_is_certain), cmocka_unit_test(it_always_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
