/* What an uncertainty may be; Student's factor where GSL gives up. */
#include "cb_uncertainty.h"

#include <math.h>

#include "cb_clock.h"
#include "cb_stats.h"
#include "cbtest.h"

static void uncertainties_and_degrees_of_freedom(void **state) {
  (void)state;
  assert_ok(cb_check_u(0, "u", err));
  assert_fails(CB_E_RANGE, "u = -1e-09: a finite uncertainty >= 0 was wanted", cb_check_u(-1e-9, "u", err));
  assert_fails(CB_E_RANGE, "u = inf", cb_check_u(INFINITY, "u", err));
  assert_fails(CB_E_RANGE, "u = nan", cb_check_u(NAN, "u", err));
  assert_ok(cb_check_dof(INFINITY, "dof", err));
  assert_ok(cb_check_dof(1, "dof", err));
  assert_fails(CB_E_RANGE, "dof = 0.005 degrees of freedom: at least 1 was wanted",
               cb_check_dof(0.005, "dof", err));
  assert_fails(CB_E_RANGE, "dof = nan", cb_check_dof(NAN, "dof", err));
}

/* v v^T is semidefinite of rank 1; with -2 eps on its diagonal it is not. */
static void covariances(void **state) {
  (void)state;
  const double v[3] = {1e-3, -2e2, 5e-7};
  double c[9];
  for (int i = 0; i < 9; i++) c[i] = v[i / 3] * v[i % 3];
  assert_ok(cb_check_covariance(c, 3, "c", err));
  c[8] *= 1 - 1e-6; /* correlations above 1 */
  assert_fails(CB_E_RANGE, "covariance", cb_check_covariance(c, 3, "c", err));
  /* Every pair is possible, the three together are not: correlations 0.9, 0.9, -0.9 (determinant below 0). */
  const double bad[9] = {1, 0.9, 0.9, 0.9, 1, -0.9, 0.9, -0.9, 1},
               good[9] = {1, 0.9, 0.9, 0.9, 1, 0.7, 0.9, 0.7, 1};
  assert_fails(CB_E_RANGE, "not positive semidefinite", cb_check_covariance(bad, 3, "c", err));
  assert_ok(cb_check_covariance(good, 3, "c", err));
  const double skew[4] = {1, 0.5, 0.4, 1}, negative[1] = {-1}, nothing[4] = {0, 0, 0, 3},
               from_nothing[4] = {0, 0.1, 0.1, 3}, unknown[1] = {NAN};
  assert_fails(CB_E_RANGE, "the same both ways", cb_check_covariance(skew, 2, "c", err));
  assert_fails(CB_E_RANGE, "variance 1 is -1", cb_check_covariance(negative, 1, "c", err));
  assert_ok(cb_check_covariance(nothing, 2, "c", err));
  assert_fails(CB_E_RANGE, "covariance 1, 2 is 0.1", cb_check_covariance(from_nothing, 2, "c", err));
  assert_fails(CB_E_NUM, "variance 1 is nan", cb_check_covariance(unknown, 1, "c", err));
}

/* Any product A A^T of rounded numbers passes, whatever its rank. */
static void products_are_covariances(void **state) {
  (void)state;
  unsigned seed = 7;
  for (int round = 0; round < 5000; round++) {
    double a[6][6], c[36] = {0};
    int rank = 1 + round % 6;
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < rank; k++)
        a[i][k] = ((double)((seed = seed * 1664525u + 1013904223u) >> 8) / 8388608.0 - 1) * pow(10, i - 3);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        for (int k = 0; k < rank; k++) c[6 * i + j] += a[i][k] * a[j][k];
    assert_ok(cb_check_covariance(c, 6, "c", err));
  }
}

/* t for one degree of freedom is tan(pi level / 2); in between it falls with the degrees. */
static void student_always_has_an_answer(void **state) {
  (void)state;
  const double levels[] = {0, 0.5, 0.6827, 0.95, 0.99, 0.999};
  for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
    double before = tan(3.14159265358979323846 * levels[k] / 2);
    assert_near(cb_student_t(levels[k], 1), before, 1e-9 * (1 + before));
    for (double dof = 1; dof < 1e9; dof *= 1.07) {
      double t = cb_student_t(levels[k], dof);
      assert_true(isfinite(t) && t >= 0 && t <= before * (1 + 1e-6) + 1e-12);
      before = t;
    }
  }
  assert_true(isinf(cb_student_t(0.95, 0.005)) && isinf(cb_student_t(0.95, 0)) &&
              isinf(cb_student_t(0.95, NAN)) && isinf(cb_student_t(1, 5)));
}

/* Nothing that a file can say of its rate ends the program. */
static void no_rate_breaks_the_clock(void **state) {
  (void)state;
  double t[64];
  for (int i = 0; i < 64; i++) t[i] = i / 100.0;
  const double rates[] = {NAN, -1, 0, 1e-300, 1e-9, 1e7, 1e9, 1e18, 1e300, INFINITY};
  for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
    cb_clock c = {0};
    assert_false(cb_clock_fit(t, 64, rates[k], &c));
  }
}

int main(void) {
  cb_stats_begin();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uncertainties_and_degrees_of_freedom), cmocka_unit_test(covariances),
      cmocka_unit_test(products_are_covariances), cmocka_unit_test(student_always_has_an_answer),
      cmocka_unit_test(no_rate_breaks_the_clock)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
