/* Decisions with a guard band: ten cases computed by hand, and truths drawn at random: wrong passes come no
 * more often than is stated. */
#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_decision.h"

/* k = 1.95996 for infinite dof, 2.26216 for 9, 12.7062 for 1. P by the tables of the normal distribution: P(Z
 * > 1) = 0.158655, P(Z > 1.5) = 0.066807, P(Z > 2) = 0.022750, P(Z > 3) = 0.001350; of Student's t with one
 * degree P(T > 1) = 1/4, as its distribution function is 1/2 + arctan(t) / pi. */
static void ten_cases_by_hand(void **state) {
  (void)state;
  static const struct {
    double value, u, dof, lower, upper, U, p_outside;
    fit_decision_verdict verdict;
  } c[] = {
      /* 0.25 +- 0.0196 within 0.22 to 0.28, three u from both: 2 x 0.00135 */
      {0.25, 0.01, INFINITY, 0.22, 0.28, 0.0195996, 0.0027, FIT_KEEPS},
      /* 0.26 + 0.0196 = 0.2796 < 0.28: passes; 2 u and 4 u (3.2e-5) away */
      {0.26, 0.01, INFINITY, 0.22, 0.28, 0.0195996, 0.022750 + 3.2e-5, FIT_KEEPS},
      /* 0.265 + 0.0196 = 0.2846 > 0.28: not decided; 1.5 u and 4.5 u (3.4e-6) */
      {0.265, 0.01, INFINITY, 0.22, 0.28, 0.0195996, 0.066807 + 3.4e-6, FIT_UNDECIDED},
      /* on the limit: half of it lies outside */
      {0.28, 0.01, INFINITY, 0.22, 0.28, 0.0195996, 0.5, FIT_UNDECIDED},
      /* 0.29 - 0.0196 = 0.2704 < 0.28: not decided, though outside; 1 - 0.158655 */
      {0.29, 0.01, INFINITY, 0.22, 0.28, 0.0195996, 0.841345, FIT_UNDECIDED},
      /* 0.30 - 0.0196 = 0.2804 > 0.28: fails; 1 - 0.02275 */
      {0.30, 0.01, INFINITY, 0.22, 0.28, 0.0195996, 0.977250, FIT_BREAKS},
      /* 0.19 + 0.0196 = 0.2096 < 0.22: fails; 1 - 0.00135 */
      {0.19, 0.01, INFINITY, 0.22, 0.28, 0.0195996, 0.998650, FIT_BREAKS},
      /* one limit, 1 u below it: 0.27 + 0.0196 > 0.28 */
      {0.27, 0.01, INFINITY, -INFINITY, 0.28, 0.0195996, 0.158655, FIT_UNDECIDED},
      /* ten readings: U = 2.26216 x 0.01; 0.2574 + 0.02262 = 0.28002 > 0.28, where 1.96 would have passed it
       */
      {0.2574, 0.01, 9, 0, 0.28, 0.0226216, NAN, FIT_UNDECIDED},
      /* two readings: U = 12.7 u, no decision 1 u within one limit; 1/4 */
      {0.27, 0.01, 1, -INFINITY, 0.28, 0.127062, 0.25, FIT_UNDECIDED},
  };
  for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
    const fit_decision d = fit_decide(c[i].value, c[i].u, c[i].dof, c[i].lower, c[i].upper);
    assert_near(d.U, c[i].U, 1e-6);
    if (isfinite(c[i].p_outside)) assert_near(d.p_outside, c[i].p_outside, 3e-6);
    assert_int_equal(d.verdict, c[i].verdict);
  }
}

/* (0.28 - 0.22) / (6 x 0.005) = 2; (0.28 - 0.26) / (3 x 0.005) = 4/3; 1 / (9 x 25) + (16/9) / 48 = 0.041481.
 */
static void capability_by_hand(void **state) {
  (void)state;
  double cp, u;
  assert_near(fit_capability(0.26, 0.005, 25, 0.22, 0.28, &cp, &u), 4.0 / 3, 1e-12);
  assert_near(cp, 2, 1e-12);
  assert_near(u, sqrt(0.0414815), 1e-6);
  assert_near(fit_capability(0.26, 0.005, 25, 0.22, INFINITY, &cp, &u), 8.0 / 3, 1e-12);
  assert_true(isnan(cp));
}

/* The verdict on the mean of n readings with sd 0.01 of a truth; *p_outside: as stated. */
static fit_decision_verdict measure(cb_rng *rng, double truth, int n, double *p_outside) {
  double x[10];
  for (int i = 0; i < n; i++) x[i] = truth + 0.01 * cb_rng_normal(rng);
  const fit_decision d = fit_decide(cb_mean(x, (size_t)n), cb_sd(x, (size_t)n) / sqrt(n), n - 1, 0.22, 0.28);
  *p_outside = d.p_outside;
  return d.verdict;
}

/* 200 truths, each measured 1000 times with n readings. None that lies outside is passed in more than 2.5 %,
 * the rate of one on the limit; of all passes, as many are wrong as p_outside says. */
static void wrong_passes_are_as_stated(void **state) {
  (void)state;
  static const int readings[] = {3, 10};
  cb_rng rng;
  cb_rng_init(&rng, 8, 0);
  for (int k = 0; k < 2; k++) {
    int passed = 0, wrong = 0, outside = 0, undecided = 0;
    double stated = 0, worst = 0, p;
    for (int t = 0; t < 200; t++) {
      const double truth = 0.2 + 0.1 * cb_rng_uniform(&rng);
      const bool is_outside = truth < 0.22 || truth > 0.28;
      int of_truth = 0;
      for (int i = 0; i < 1000; i++) {
        const fit_decision_verdict v = measure(&rng, truth, readings[k], &p);
        of_truth += v == FIT_KEEPS;
        undecided += v == FIT_UNDECIDED;
        if (v == FIT_KEEPS) stated += p;
      }
      passed += of_truth;
      if (is_outside) outside += 1000, wrong += of_truth, worst = fmax(worst, of_truth / 1000.0);
    }
    int at_limit = 0;
    for (int i = 0; i < 20000; i++) at_limit += measure(&rng, 0.28, readings[k], &p) == FIT_KEEPS;
    print_message(
        "%d readings: of %d outside %d pass (worst truth %.1f %%); of %d passes %d are wrong, %.0f stated; "
        "on "
        "the limit %.2f %% pass; %.0f %% not decided\n",
        readings[k], outside, wrong, 100 * worst, passed, wrong, stated, at_limit / 200.0,
        undecided / 2000.0);
    assert_true(worst < 0.025 + 4 * sqrt(0.025 * 0.975 / 1000));
    assert_true(at_limit < 20000 * 0.025 + 4 * sqrt(20000 * 0.025) && at_limit > 20000 * 0.02);
    assert_true(wrong <= stated && wrong > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ten_cases_by_hand),
                                     cmocka_unit_test(capability_by_hand),
                                     cmocka_unit_test(wrong_passes_are_as_stated)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
