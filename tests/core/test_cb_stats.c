/* Statistics against closed forms and published tables; random numbers against their definition. */
#include "cb_rng.h"
#include "cb_rng_parts.h"
#include "cb_stats.h"
#include "cbtest.h"

/* NIST StRD NumAcc2: 1001 values, certified mean 1.2 and standard deviation 0.1, exact. */
static void nist_numacc2(void **state) {
  (void)state;
  double x[1001];
  x[0] = 1.2;
  for (int i = 1; i < 1001; i++) x[i] = i % 2 ? 1.1 : 1.3;
  assert_near(cb_mean(x, 1001), 1.2, 1e-14);
  assert_near(cb_sd(x, 1001), 0.1, 1e-14);
}

/* NIST StRD NumAcc4: 10000000.2 +- 0.1, certified mean 10000000.2, sd 0.1: the naive sum of squares fails
 * here. */
static void nist_numacc4(void **state) {
  (void)state;
  double x[1001];
  x[0] = 10000000.2;
  for (int i = 1; i < 1001; i++) x[i] = i % 2 ? 10000000.1 : 10000000.3;
  assert_near(cb_mean(x, 1001), 10000000.2, 4e-9);
  assert_near(cb_sd(x, 1001), 0.1, 1e-8);
}

static void medians(void **state) {
  (void)state;
  double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, work[4];
  assert_true(cb_median(odd, 3, work) == 2 && odd[0] == 3);
  assert_true(cb_median(even, 4, work) == 2.5);
}

/* The middle of what was sorted, to the bit, whatever the order and however many are equal. */
static void medians_are_those_of_sorted_readings(void **state) {
  (void)state;
  enum { MOST = 3000 };
  static double x[MOST], sorted[MOST], work[MOST];
  for (size_t n = 1; n < MOST; n += n < 70 ? 1 : 97)
    for (int order = 0; order < 5; order++) {
      cb_rng rng;
      cb_rng_init(&rng, n, (uint64_t)order);
      for (size_t i = 0; i < n; i++) {
        const double k = (double)i, noise = cb_rng_normal(&rng);
        x[i] = (const double[]){noise, round(2 * noise), k, -k, fabs(k - (double)(n / 2))}[order];
      }
      memcpy(sorted, x, n * sizeof *x);
      cb_sort(sorted, n);
      assert_true(cb_median(x, n, work) == (sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
    }
}

/* Tables of Student's t and F (e.g. Abramowitz & Stegun 26.10, 26.9). */
static void quantiles(void **state) {
  (void)state;
  assert_near(cb_student_t(0.95, 1), 12.7062, 5e-5);
  assert_near(cb_student_t(0.95, 10), 2.2281, 5e-5);
  assert_near(cb_student_t(0.99, 5), 4.0321, 5e-5);
  assert_near(cb_student_t(0.95, INFINITY), 1.959964, 5e-7);
  assert_near(cb_t_p_two_sided(2.2281, 10), 0.05, 1e-5);
  assert_near(cb_f_p_upper(4.9646, 1, 10), 0.05, 1e-5);
  assert_near(cb_f_p_upper(3.0984, 3, 20), 0.05, 1e-5);
}

/* White noise: u = s/sqrt(n). AR(1) with coefficient a: tau = (1+a)/(1-a), u = sd sqrt(tau/n) (e.g. Priestley
 * 1981). */
static void uncertainty_of_a_correlated_mean(void **state) {
  (void)state;
  enum { n = 20000 };
  static double x[n];
  const double coefficients[] = {0, 0.5, 0.9};
  for (int c = 0; c < 3; c++) {
    cb_rng rng;
    cb_rng_init(&rng, 7, (uint64_t)c);
    double a = coefficients[c], v = 0;
    for (int i = 0; i < n; i++) x[i] = v = a * v + sqrt(1 - a * a) * cb_rng_normal(&rng);
    double n_eff, u = cb_mean_uncertainty(x, n, &n_eff), tau = (1 + a) / (1 - a);
    /* The estimate of tau itself scatters by about sqrt(2 (2 M + 1) / n) with window M of some tau: 10 %
     * covers 3 sigma. */
    assert_near(u / sqrt(tau / n), 1, 0.10);
    assert_near(n_eff * tau / n, 1, 0.20);
  }
  double constant[3] = {2, 2, 2}, n_eff;
  assert_true(cb_mean_uncertainty(constant, 3, &n_eff) == 0 && n_eff == 3);
  assert_true(cb_mean_uncertainty(constant, 1, &n_eff) == 0);
}

/* Short and long series of AR(1) noise: how often the truth lies within the stated 95 % (Student's t, n_eff -
 * 1). With fewer than some 20 independent readings no series tells its own correlation well, and the interval
 * is somewhat too short. */
static void coverage_of_a_correlated_mean(void **state) {
  (void)state;
  static double x[20000];
  static const struct {
    double a;
    int n, repeats;
    double least, most;
  } cases[] = {{0, 200, 1000, 0.935, 0.975}, {0.5, 200, 1000, 0.92, 0.965}, {0.8, 200, 1000, 0.915, 0.96},
               {0.8, 500, 1000, 0.93, 0.97}, {0.95, 2000, 400, 0.91, 0.97}, {0.99, 20000, 60, 0.85, 1}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    double a = cases[c].a, tau = (1 + a) / (1 - a), n_eff, u2 = 0;
    int n = cases[c].n, inside = 0;
    for (int r = 0; r < cases[c].repeats; r++) {
      cb_rng rng;
      cb_rng_init(&rng, (uint64_t)r + 1, c);
      double v = cb_rng_normal(&rng);
      for (int i = 0; i < n; i++, v = a * v + sqrt(1 - a * a) * cb_rng_normal(&rng)) x[i] = v;
      double u = cb_mean_uncertainty(x, (size_t)n, &n_eff);
      inside += fabs(cb_mean(x, (size_t)n)) < cb_student_t(0.95, fmax(1, n_eff - 1)) * u;
      u2 += u * u / cases[c].repeats;
    }
    /* The truth includes the ends of the series: var(mean) = (tau - 2 a (1 - a^n) / (n (1 - a)^2)) / n. */
    double truth = sqrt((tau - 2 * a * (1 - pow(a, n)) / (n * (1 - a) * (1 - a))) / n);
    assert_near(sqrt(u2) / truth, 1.04, 0.09);
    double share = (double)inside / cases[c].repeats;
    if (share < cases[c].least || share > cases[c].most) fail_msg("a = %g, n = %d: %.3f inside", a, n, share);
  }
}

/* A million readings that only rise are correlated over all of it: that must not take the square of a million
 * steps. */
static void a_million_readings(void **state) {
  (void)state;
  enum { n = 1000000 };
  double *x = malloc(n * sizeof *x), n_eff;
  assert_non_null(x);
  for (int i = 0; i < n; i++) x[i] = 1e-6 * i;
  double u = cb_mean_uncertainty(x, n, &n_eff);
  assert_true(n_eff >= 1 && n_eff < 10 && u > 0.1 && u < 0.29);
  cb_rng rng;
  cb_rng_init(&rng, 3, 3);
  for (int i = 0; i < n; i++) x[i] = cb_rng_normal(&rng);
  assert_near(cb_mean_uncertainty(x, n, NULL) / 1e-3, 1, 0.05);
  free(x);
}

static void random_numbers(void **state) {
  (void)state;
  cb_rng a, b, c;
  cb_rng_init(&a, 1, 0), cb_rng_init(&b, 1, 0), cb_rng_init(&c, 1, 1);
  int same = 0;
  double sum = 0, sum2 = 0, sum4 = 0;
  for (int i = 0; i < 200000; i++) {
    uint64_t x = cb_rng_u64(&a);
    assert_true(x == cb_rng_u64(&b));
    same += x == cb_rng_u64(&c);
  }
  assert_int_equal(same, 0);
  for (int i = 0; i < 200000; i++) {
    double u = cb_rng_uniform(&a), z = cb_rng_normal(&b);
    assert_true(u >= 0 && u < 1);
    sum += z, sum2 += z * z, sum4 += z * z * z * z;
  }
  /* Five standard errors of the moments of a normal. */
  assert_near(sum / 200000, 0, 5 / sqrt(200000.0));
  assert_near(sum2 / 200000, 1, 5 * sqrt(2 / 200000.0));
  assert_near(sum4 / 200000, 3, 5 * sqrt(96 / 200000.0));
}

/* xoshiro256++ of the state {1, 2, 3, 4}: the first outputs, worked out by hand from the definition. */
static void the_generator_is_the_published_one(void **state) {
  (void)state;
  cb_rng r = {.s = {1, 2, 3, 4}};
  /* rotl(1 + 4, 23) + 1 = 5 * 2^23 + 1 */
  assert_true(cb_rng_u64(&r) == 41943041u);
  /* State is now {7, 0, 262146, 6 * 2^45}; rotl(7 + 6 * 2^45, 23) + 7 = 7 * 2^23 + 6 * 2^(68-64) + 7. */
  assert_true(cb_rng_u64(&r) == 58720359u);
}

/* NIST StRD, linear regression, data set Norris (36 observations, certified to 15 digits). */
static void nist_norris(void **state) {
  (void)state;
  static const double y[] = {0.1, 338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3,
                             0.1, 778.1, 668.8, 339.3, 448.9, 10.8,  557.7, 228.3, 998.0, 888.8, 119.6, 0.3,
                             0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};
  static const double x[] = {0.2, 337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4,
                             0.6, 775.5, 666.9, 338.0, 447.5, 11.6,  556.0, 228.1, 995.8, 887.6, 120.2, 0.3,
                             0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5};
  cb_line l = cb_line_fit(x, y, 36);
  assert_near(l.slope, 1.00211681802045, 1e-14);
  assert_near(l.intercept, -0.262323073774029, 1e-12);
  assert_near(l.u_slope, 0.429796848199937E-03, 1e-15);
  assert_near(l.u_intercept, 0.232818234301152, 1e-13);
  assert_near(l.residual_sd, 0.884796396144373, 1e-13);
  double u, root = cb_line_root(&l, &u);
  assert_near(l.intercept + l.slope * root, 0, 1e-13);
  /* Shifting x to the root leaves the uncertainty of the height there, divided by the slope. */
  double shifted[36];
  for (int i = 0; i < 36; i++) shifted[i] = x[i] - root;
  assert_near(u, cb_line_fit(shifted, y, 36).u_intercept / l.slope, 1e-13);
  assert_true(isinf(cb_line_fit(x, y, 2).u_slope));
}

static void a_matrix_times_its_inverse_is_one(void **state) {
  (void)state;
  double m[3][3] = {{4, 1, -2}, {1, 9, 3}, {-2, 3, 16}}, flat[3][3] = {{1, 2, 3}, {2, 4, 6}, {3, 6, 10}};
  double inverse[3][3];
  assert_true(cb_invert_3x3(m, 1e-6, inverse));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      assert_near(m[i][0] * inverse[0][j] + m[i][1] * inverse[1][j] + m[i][2] * inverse[2][j], i == j, 1e-14);
  assert_false(cb_invert_3x3(flat, 0, inverse));
}

/* Without estimated variance, one degree of freedom is the normal deviate: (z_0.975 + z_power)^2, the other
 * tail aside. Two and three are in tables of noncentral chi squared (Haynam, Govindarajulu, Leone 1962: 15.44
 * and 17.17). */
static void what_a_test_would_find(void **state) {
  (void)state;
  const double z = cb_normal_quantile(0.975) + cb_normal_quantile(0.95);
  assert_near(cb_f_noncentrality(0.05, 0.95, 1, INFINITY), z * z, 1e-3);
  assert_near(cb_f_noncentrality(0.05, 0.95, 2, INFINITY), 15.44, 0.006);
  assert_near(cb_f_noncentrality(0.05, 0.95, 3, INFINITY), 17.17, 0.006);
  assert_true(isinf(cb_f_noncentrality(0.05, 0.95, 1, 0)));
}

/* The same by drawing: t = (delta + z) / sqrt(chi2 / 5), of which 80 % lie outside of the quantile. */
static void what_a_test_of_few_runs_would_find(void **state) {
  (void)state;
  const double delta = sqrt(cb_f_noncentrality(0.05, 0.8, 1, 5)), limit = cb_student_t(0.95, 5);
  const int draws = 40000;
  cb_rng rng;
  int found = 0;
  cb_rng_init(&rng, 3, 0);
  for (int i = 0; i < draws; i++) {
    double chi2 = 0;
    for (int k = 0; k < 5; k++) {
      const double z = cb_rng_normal(&rng);
      chi2 += z * z / 5;
    }
    found += fabs((delta + cb_rng_normal(&rng)) / sqrt(chi2)) > limit;
  }
  assert_near((double)found / draws, 0.8, 4 * sqrt(0.8 * 0.2 / draws));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nist_numacc2),
                                     cmocka_unit_test(nist_numacc4),
                                     cmocka_unit_test(medians),
                                     cmocka_unit_test(medians_are_those_of_sorted_readings),
                                     cmocka_unit_test(quantiles),
                                     cmocka_unit_test(what_a_test_would_find),
                                     cmocka_unit_test(what_a_test_of_few_runs_would_find),
                                     cmocka_unit_test(uncertainty_of_a_correlated_mean),
                                     cmocka_unit_test(coverage_of_a_correlated_mean),
                                     cmocka_unit_test(a_million_readings),
                                     cmocka_unit_test(random_numbers),
                                     cmocka_unit_test(the_generator_is_the_published_one),
                                     cmocka_unit_test(nist_norris),
                                     cmocka_unit_test(a_matrix_times_its_inverse_is_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
