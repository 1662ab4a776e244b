/* Balanced points: the strata that they promise, a known integral, and bits that never change. */
#include "cb_sobol.h"

#include <math.h>

#include "cb_stats.h"
#include "cbtest.h"

#define N 256

/* Every block of 2^k points has one in each part of every axis. */
static void each_part_of_an_axis_holds_one(void **state) {
  (void)state;
  for (uint32_t size = 2; size <= N; size *= 2)
    for (uint32_t from = 0; from < 4 * size; from += size)
      for (int d = 0; d < CB_SOBOL_DIMENSIONS; d++) {
        int count[N] = {0};
        for (uint32_t i = from; i < from + size; i++) {
          double x = cb_sobol(i, d, 7);
          assert_true(x > 0 && x < 1);
          count[(int)(x * size)]++;
        }
        for (uint32_t k = 0; k < size; k++) assert_int_equal(count[k], 1);
      }
}

/* The first two axes are a net: of 256 points one lies in each of 16 x 16 squares, and in each of 4 x 64
 * rectangles. */
static void two_axes_are_a_net(void **state) {
  (void)state;
  int square[16][16] = {{0}}, wide[4][64] = {{0}};
  for (uint32_t i = 0; i < N; i++) {
    double x = cb_sobol(i, 0, 3), y = cb_sobol(i, 1, 3);
    square[(int)(16 * x)][(int)(16 * y)]++;
    wide[(int)(4 * x)][(int)(64 * y)]++;
  }
  for (int i = 0; i < N; i++) {
    assert_int_equal(square[i / 16][i % 16], 1);
    assert_int_equal(wide[i / 64][i % 64], 1);
  }
}

/* The product of 2 x has the mean 1 over the cube of eight axes. Independent points would leave 0.10 of
 * 4096 (sqrt((4/3)^8 - 1) / 64 = 0.047, twice). */
static void all_axes_together(void **state) {
  (void)state;
  double mean = 0;
  for (uint32_t i = 0; i < 4096; i++) {
    double product = 1;
    for (int d = 0; d < 8; d++) product *= 2 * cb_sobol(i, d, 1);
    mean += product / 4096;
  }
  print_message("mean of the product: %.4f of 1\n", mean);
  assert_near(mean, 1, 0.02);
}

/* Two axes are uncorrelated. Independent points would leave 1 / sqrt(4096) = 0.016. */
static void axes_are_independent(void **state) {
  (void)state;
  double worst = 0;
  for (int a = 0; a < CB_SOBOL_DIMENSIONS; a++)
    for (int b = 0; b < a; b++) {
      double mean = 0;
      for (uint32_t i = 0; i < 4096; i++)
        mean += 12 * (cb_sobol(i, a, 1) - 0.5) * (cb_sobol(i, b, 1) - 0.5) / 4096;
      worst = fmax(worst, fabs(mean));
    }
  print_message("largest correlation of two of %d axes: %.5f\n", CB_SOBOL_DIMENSIONS, worst);
  assert_true(worst < 0.003);
}

/* Normal quantiles of balanced points: mean and standard deviation over 16 of every axis. Independent ones
 * would be off by 0.25 and 0.18. */
static void sixteen_normal_numbers(void **state) {
  (void)state;
  for (int d = 0; d < CB_SOBOL_DIMENSIONS; d++) {
    double mean = 0, square = 0;
    for (uint32_t i = 0; i < 16; i++) {
      double z = cb_normal_quantile(cb_sobol(i, d, 1));
      mean += z / 16, square += z * z / 16;
    }
    assert_near(mean, 0, 0.1);
    assert_near(sqrt(square), 1, 0.2);
  }
}

static void quantiles(void **state) {
  (void)state;
  assert_near(cb_normal_quantile(0.5), 0, 1e-15);
  assert_near(cb_normal_quantile(0.975), 1.959963984540054, 1e-12);
  assert_near(cb_normal_quantile(0.0013498980316300933), -3, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_part_of_an_axis_holds_one),
      cmocka_unit_test(two_axes_are_a_net),
      cmocka_unit_test(all_axes_together),
      cmocka_unit_test(axes_are_independent),
      cmocka_unit_test(sixteen_normal_numbers),
      cmocka_unit_test(quantiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
