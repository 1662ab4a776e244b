/* Allan deviation against a published data set and closed forms. */
#include "cb_allan.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"

#define N 20000

static double y[N], sum[N + 1];

/* The 1000-point test suite of NIST SP 1065, section 12.4: n(0) = 1234567890, n(i+1) = 16807 n(i) mod
 * 2147483647, y = n / 2147483647; its table gives the overlapping deviation to seven digits. */
static void nist_suite(void **state) {
  (void)state;
  static const struct {
    size_t m;
    double deviation;
  } table[] = {{1, 2.922319e-01}, {10, 9.159953e-02}, {100, 3.241343e-02}};
  uint64_t n = 1234567890;
  for (int i = 0; i < 1000; i++, n = 16807 * n % 2147483647) y[i] = (double)n / 2147483647.0;
  assert_near(cb_mean(y, 1000), 4.897745e-01, 5e-8);
  cb_allan_sum(y, 1000, sum);
  for (int i = 0; i < 3; i++) {
    cb_allan_point p = cb_allan_at(sum, 1000, 1, table[i].m);
    assert_near(p.deviation, table[i].deviation, i == 0 ? 0.51e-7 : 0.51e-8);
    assert_near(p.tau_s, (double)table[i].m, 0);
  }
}

/* White noise: sd / sqrt(m); the stated uncertainty has to cover the difference. */
static void white_noise(void **state) {
  (void)state;
  cb_rng rng;
  cb_allan_point p[32];
  cb_rng_init(&rng, 5, 1);
  for (int i = 0; i < N; i++) y[i] = 7 + 0.3 * cb_rng_normal(&rng);
  cb_allan_sum(y, N, sum);
  size_t n = cb_allan_octaves(sum, N, 0.01, p, 32);
  assert_int_equal(n, 12); /* 1 ... 2048 <= N / 8 */
  for (size_t k = 0; k < n; k++) {
    assert_near(p[k].tau_s, 0.01 * (double)(1 << k), 1e-12);
    assert_near(p[k].deviation, 0.3 / sqrt((double)(1 << k)), 3 * p[k].u);
    assert_true(p[k].u < 0.25 * p[k].deviation);
  }
  assert_int_equal(cb_allan_octaves(sum, N, 0.01, p, 3), 3);
}

/* y = d t: neighbouring means of length tau differ by d tau, so the deviation is d tau / sqrt(2), for every
 * pair. */
static void drift(void **state) {
  (void)state;
  for (int i = 0; i < 4000; i++) y[i] = 0.02 * 0.5 * i;
  cb_allan_sum(y, 4000, sum);
  for (size_t m = 1; m <= 256; m *= 4) {
    double tau = 0.5 * (double)m;
    assert_near(cb_allan_at(sum, 4000, 0.5, m).deviation, 0.02 * tau / sqrt(2), 1e-9 * tau);
  }
}

/* Random walk of steps s: sigma^2(m) = s^2 (2 m^2 + 1) / (6 m); grows as sqrt(tau). */
static void random_walk(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 11, 2);
  y[0] = 0;
  for (int i = 1; i < N; i++) y[i] = y[i - 1] + 0.1 * cb_rng_normal(&rng);
  cb_allan_sum(y, N, sum);
  for (size_t m = 1; m <= 64; m *= 2) {
    double M = (double)m, wanted = 0.1 * sqrt((2 * M * M + 1) / (6 * M));
    assert_near(cb_allan_at(sum, N, 1, m).deviation / wanted, 1, 3 * sqrt(M / N));
  }
}

static void constant(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++) y[i] = 0.1;
  cb_allan_sum(y, 100, sum);
  assert_near(cb_allan_at(sum, 100, 1, 10).deviation, 0, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nist_suite), cmocka_unit_test(white_noise),
                                     cmocka_unit_test(drift), cmocka_unit_test(random_walk),
                                     cmocka_unit_test(constant)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
