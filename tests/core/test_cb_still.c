/* Readings that no longer change, against noise that repeats itself. */
#include "cb_still.h"

#include <math.h>

#include "cb_rng.h"
#include "cbtest.h"

#define N 4000

static double v[N];

/* Noise of so many digits about a level between two of them. */
static void make(double sd_digits, double level, uint64_t seed) {
  cb_rng rng;
  cb_rng_init(&rng, seed, 1);
  for (size_t i = 0; i < N; i++) v[i] = 0.01 * round(level + sd_digits * cb_rng_normal(&rng));
}

/* A limit from 80 readings at rest is not reached in 4000, for any noise and any place between two digits;
 * the next rest may lie elsewhere between them. */
static void noise_never_reaches(void **state) {
  (void)state;
  static const double sds[] = {0.05, 0.2, 0.4, 0.5, 0.6, 0.8, 1, 3, 30};
  size_t limits = 0;
  for (size_t k = 0; k < sizeof sds / sizeof sds[0]; k++)
    for (int i = 0; i < 100; i++) {
      size_t first, longest;
      make(sds[k], 5 + 0.01 * i, (uint64_t)i);
      const size_t limit = cb_still_limit(v, 80);
      if (limit == 0) continue;
      limits++;
      make(sds[k], 5 + 0.37 + 0.01 * i, (uint64_t)i + 1000);
      (void)cb_still_find(v, N, 0, &first, &longest);
      assert_true(longest < limit);
    }
  assert_true(limits >= 300);
}

static void noise_is_seen(void **state) {
  (void)state;
  make(3, 5, 1);
  assert_true(cb_still_limit(v, 80) >= 8 && cb_still_limit(v, 80) <= 20);
  make(0.02, 5, 1); /* all equal */
  assert_int_equal(cb_still_limit(v, 80), 0);
  make(0.1, 5.5, 1); /* two digits, evenly */
  assert_int_equal(cb_still_limit(v, 80), 0);
  assert_int_equal(cb_still_limit(v, 1), 0);
  assert_int_equal(cb_still_limit(v, 0), 0);
}

static void frozen(void **state) {
  (void)state;
  size_t first, longest;
  make(3, 5, 1);
  assert_false(cb_still_find(v, N, 80, &first, &longest));
  for (size_t i = 3000; i < 3040; i++) v[i] = v[2999];
  assert_true(cb_still_find(v, N, 80, &first, &longest));
  assert_int_equal(first, 2999);
  assert_int_equal(longest, 41);
}

/* Where the digit hides the noise at rest, a quarter of the readings is needed. */
static void hidden(void **state) {
  (void)state;
  size_t first, longest;
  make(3, 5, 1);
  for (size_t i = 0; i < 1000; i++) v[i] = 0.05;
  assert_false(cb_still_find(v, N, 1000, &first, &longest));
  for (size_t i = 2000; i < 2500; i++) v[i] = 0.05;
  assert_false(cb_still_find(v, N, 1000, &first, &longest));
  for (size_t i = 2000; i < 2750; i++) v[i] = 0.05;
  assert_true(cb_still_find(v, N, 1000, &first, &longest));
}

/* A gauge that holds each value five times. */
static void held(void **state) {
  (void)state;
  size_t first, longest;
  make(3, 5, 1);
  for (size_t i = 0; i < N; i++) v[i] = v[i - i % 5];
  assert_false(cb_still_find(v, N, 80, &first, &longest));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_never_reaches),
      cmocka_unit_test(noise_is_seen),
      cmocka_unit_test(frozen),
      cmocka_unit_test(hidden),
      cmocka_unit_test(held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
