/* The authors' verdict rules on tables small enough to reckon by hand, and the tests beside them against
 * closed forms. */
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_friction.h"

typedef struct table {
  cb_friction_obs obs[64];
  size_t n;
} table;

/* One run with a coefficient as printed (decimals >= 0) or measured (decimals < 0). */
static void add(table *t, int64_t campaign, double angle_deg, double N, double mu, int decimals) {
  t->obs[t->n++] = (cb_friction_obs){.run = {.id = (int64_t)t->n,
                                             .campaign_id = campaign,
                                             .angle_deg = angle_deg,
                                             .normal_force_N = N,
                                             .contact_area_m2 = 0.005,
                                             .direction = 1,
                                             .origin = CB_IMPORTED},
                                     .point = {.static_N = NAN,
                                               .u_static_N = NAN,
                                               .kinetic_N = mu * N,
                                               .u_kinetic_N = 3e-4 * N,
                                               .mu_reported = decimals < 0 ? NAN : mu,
                                               .mu_reported_decimals = decimals}};
}

static fit_verdict verdict(const table *t) {
  fit_friction_result r;
  fit_friction_options opt = {0};
  assert_ok(fit_friction(t->obs, t->n, "C", "B", &opt, &r, err));
  return r.verdict;
}

/* 0.5613.. rounds to 0.561, 0.4985 stands between: printed means are compared, not exact ones. */
static void printed_means_are_rounded_before_comparison(void **state) {
  (void)state;
  const double mu[2][3] = {{0.565, 0.560, 0.559}, {0.502, 0.498, 0.499}};
  table printed = {.n = 0}, measured = {.n = 0};
  for (int a = 0; a < 2; a++)
    for (int k = 0; k < 3; k++) {
      add(&printed, 1, 90 * a, 1, mu[a][k], 3);
      add(&measured, 1, 90 * a, 1, mu[a][k], -1);
    }
  double exact[2] = {(0.565 + 0.560 + 0.559) / 3, (0.502 + 0.498 + 0.499) / 3};
  fit_verdict v = verdict(&printed);
  assert_near(v.anisotropy_percent, 100 * (0.561 / 0.500 - 1), 1e-9);
  assert_false(v.isotropic);
  assert_near(v.angles[0].mean_mu, exact[0], 1e-15);
  assert_near(v.angles[0].sd_mu,
              sqrt((pow(0.565 - exact[0], 2) + pow(0.560 - exact[0], 2) + pow(0.559 - exact[0], 2)) / 2),
              1e-15);
  assert_near(verdict(&measured).anisotropy_percent, 100 * (exact[0] / exact[1] - 1), 1e-9);
}

static void five_percent_is_still_isotropic(void **state) {
  (void)state;
  table t = {.n = 0};
  for (int k = 0; k < 2; k++) {
    add(&t, 1, 0, 1, 0.420, 3);
    add(&t, 1, 90, 1, 0.400, 3);
  }
  fit_verdict v = verdict(&t);
  assert_near(v.anisotropy_percent, 5, 1e-9);
  t.n = 0;
  for (int k = 0; k < 2; k++) {
    add(&t, 1, 0, 1, 0.421, 3);
    add(&t, 1, 90, 1, 0.400, 3);
  }
  assert_false(verdict(&t).isotropic);
}

/* Another campaign at the same load belongs to another day: it must not change the fixed-load figures, nor
 * they the sweep. */
static void campaigns_are_kept_apart(void **state) {
  (void)state;
  table t = {.n = 0};
  for (int k = 0; k < 3; k++) {
    add(&t, 1, 0, 1, 0.500, 3);
    add(&t, 1, 90, 1, 0.480, 3);
  }
  const double N[4] = {0.1, 0.3, 1, 3}, mu[4] = {0.60, 0.55, 0.52, 0.50};
  for (int l = 0; l < 4; l++) add(&t, 2, 0, N[l], mu[l], 3);
  fit_verdict v = verdict(&t);
  assert_near(v.angles[0].mean_mu, 0.500, 1e-15);
  assert_int_equal(v.angles[0].n, 3);
  assert_near(v.fixed_load_N, 1, 1e-12);
  assert_near(v.angles[0].nonlinearity_percent, 20, 1e-9);
  assert_int_equal(v.angles[0].n_loads, 4);
  assert_true(isnan(v.angles[1].nonlinearity_percent));
  assert_false(v.linear);
}

/* Directions measured in one campaign each suffice only together; so do three loads. */
static void campaigns_are_pooled_where_none_suffices(void **state) {
  (void)state;
  table t = {.n = 0};
  for (int k = 0; k < 2; k++) {
    add(&t, 1, 0, 1, 0.50, -1);
    add(&t, 2, 90, 1, 0.40, -1);
  }
  add(&t, 3, 0, 2, 0.49, -1);
  add(&t, 4, 0, 3, 0.48, -1);
  fit_verdict v = verdict(&t);
  assert_near(v.anisotropy_percent, 25, 1e-9);
  assert_near(v.nonlinearity_percent, 100 * (0.50 / 0.48 - 1), 1e-9);
  assert_true(v.linear);
}

static void one_direction_says_nothing(void **state) {
  (void)state;
  table t = {.n = 0};
  add(&t, 1, 45, 1, 0.5, 3);
  add(&t, 1, 45, 2, 0.5, 3);
  fit_verdict v = verdict(&t);
  assert_true(isnan(v.anisotropy_percent) && isnan(v.nonlinearity_percent));
  assert_true(isnan(v.angles[0].sd_mu));
  assert_false(v.isotropy.done);
}

/* Two directions at one load: the F test is the square of Student's two-sample t in ln F, here in closed
 * form. */
static void direction_test_matches_student(void **state) {
  (void)state;
  const double mu[2][4] = {{0.500, 0.504, 0.498, 0.502}, {0.507, 0.511, 0.505, 0.509}};
  table t = {.n = 0};
  for (int a = 0; a < 2; a++)
    for (int k = 0; k < 4; k++) add(&t, 1, 90 * a, 1, mu[a][k], -1);
  fit_verdict v = verdict(&t);
  double mean[2] = {0}, within = 0;
  for (int a = 0; a < 2; a++) {
    mean[a] = cb_mean(mu[a], 4);
    for (int k = 0; k < 4; k++) within += pow(mu[a][k] / mean[a] - 1, 2);
  }
  double t2 = pow(log(mean[0] / mean[1]), 2) / (within / 6 * (1.0 / 4 + 1.0 / 4));
  assert_true(v.isotropy.done);
  assert_near(v.isotropy.dof1, 1, 0);
  assert_near(v.isotropy.dof2, 6, 0);
  /* The cells' weights differ by their forces' point uncertainty only: equal to 1e-3. */
  assert_near(v.isotropy.statistic, t2, 1e-3 * t2);
  assert_near(v.isotropy.p_value, cb_t_p_two_sided(sqrt(t2), 6), 1e-3 * v.isotropy.p_value + 1e-9);
  assert_near(v.isotropy.effect, 100 * (mean[1] / mean[0] - 1), 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(printed_means_are_rounded_before_comparison),
      cmocka_unit_test(five_percent_is_still_isotropic),
      cmocka_unit_test(campaigns_are_kept_apart),
      cmocka_unit_test(campaigns_are_pooled_where_none_suffices),
      cmocka_unit_test(one_direction_says_nothing),
      cmocka_unit_test(direction_test_matches_student),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
