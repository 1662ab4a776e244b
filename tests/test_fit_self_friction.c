/* Cloth on cloth: exact recovery of both tensors, coverage, and data that cannot tell. */
#include "cb_num.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_self_friction.h"

static const double directions[] = {0, 45, 90, 135};

static double truth(fit_self_rule rule, const double p[5], double d1, double d2) {
  double q1 = 1 + p[1] * cos(2 * d1 * CB_DEG) + p[2] * sin(2 * d1 * CB_DEG),
         q2 = 1 + p[3] * cos(2 * d2 * CB_DEG) + p[4] * sin(2 * d2 * CB_DEG);
  return p[0] * (rule == FIT_SELF_MEAN ? 0.5 * (q1 + q2) : sqrt(q1 * q2));
}

static size_t pull_all(fit_self_obs *obs, fit_self_rule rule, const double p[5], double scatter, cb_rng *rng) {
  size_t n = 0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++, n++)
      obs[n] = (fit_self_obs){.angle_rad = {directions[i] * CB_DEG, directions[k] * CB_DEG},
                              .normal_force_N = 2,
                              .force_N = 2 * truth(rule, p, directions[i], directions[k]) * exp(scatter * cb_rng_normal(rng))};
  return n;
}

static void both_tensors_and_the_rule_are_found(void **state) {
  (void)state;
  const double p[5] = {0.5, 0.3, -0.1, -0.2, 0.25};
  fit_self_obs obs[16];
  fit_self_friction f;
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  for (int rule = 0; rule < 2; rule++) {
    size_t n = pull_all(obs, (fit_self_rule)rule, p, 0, &rng);
    assert_ok(fit_self_friction_fit(obs, n, false, &f, err));
    assert_int_equal(f.outcome, FIT_SELF_OK);
    assert_int_equal(f.rule, rule);
    for (int i = 0; i < 5; i++) assert_near(f.p[i], p[i], 1e-9);
    assert_true(f.other_rms_rel > 1e-3);
    assert_near(fit_self_friction_mu(&f, 0.3, 1.1, NULL), truth((fit_self_rule)rule, p, 0.3 / CB_DEG, 1.1 / CB_DEG), 1e-9);
  }
}

static void one_cloth_has_one_tensor(void **state) {
  (void)state;
  const double p[5] = {0.4, 0.2, 0.05, 0.2, 0.05};
  fit_self_obs obs[16];
  fit_self_friction f;
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  size_t n = pull_all(obs, FIT_SELF_MEAN, p, 0, &rng);
  assert_ok(fit_self_friction_fit(obs, n, true, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_OK);
  for (int i = 0; i < 5; i++) assert_near(f.p[i], p[i], 1e-9);
  assert_near(f.dof, 13, 0);
}

static void the_band_covers(void **state) {
  (void)state;
  const double p[5] = {0.5, 0.1, 0.02, -0.08, 0.03};
  double inside = 0, all = 0;
  cb_rng rng;
  cb_rng_init(&rng, 7, 3);
  for (int i = 0; i < 500; i++) {
    fit_self_obs obs[16];
    fit_self_friction f;
    size_t n = pull_all(obs, FIT_SELF_MEAN, p, 0.02, &rng);
    assert_ok(fit_self_friction_fit(obs, n, false, &f, err));
    for (int d = 0; d < 180; d += 36) {
      double u, mu = fit_self_friction_mu(&f, d * CB_DEG, 2.5 * d * CB_DEG, &u);
      inside += fabs(mu - truth(FIT_SELF_MEAN, p, d, 2.5 * d)) <= cb_student_t(0.95, f.dof) * u;
      all++;
    }
  }
  assert_true(inside / all > 0.93 && inside / all < 0.97);
}

static void data_that_cannot_tell_say_so(void **state) {
  (void)state;
  const double p[5] = {0.5, 0.3, -0.1, -0.2, 0.25};
  fit_self_obs obs[16], together[8];
  fit_self_friction f;
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  (void)pull_all(obs, FIT_SELF_MEAN, p, 0.01, &rng);
  assert_ok(fit_self_friction_fit(obs, 0, false, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_TOO_FEW);
  assert_ok(fit_self_friction_fit(obs, 5, false, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_TOO_FEW);
  for (int i = 0; i < 8; i++) together[i] = obs[5 * (i % 4)]; /* both always turned alike */
  assert_ok(fit_self_friction_fit(together, 8, false, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_NOT_TOLD);
  obs[3].force_N = NAN;
  assert_fails(CB_E_RANGE, "pull 3: force nan", fit_self_friction_fit(obs, 16, false, &f, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_tensors_and_the_rule_are_found), cmocka_unit_test(one_cloth_has_one_tensor),
                                     cmocka_unit_test(the_band_covers), cmocka_unit_test(data_that_cannot_tell_say_so)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
