/* The moment of a cloth that is bent for the first time, from laws of slopes and of moments. */
#include "cb_bending_loading.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "csvtest.h"

#define WEIGHT (0.15 * CB_STANDARD_GRAVITY_M_PER_S2)

static cb_bending_law law_of(cb_bending_reading reading, double warp, double weft, double curvature) {
  return (cb_bending_law){.form = CB_BENDING_PEIRCE,
                          .B_is = reading,
                          .B_Nm = {warp, sqrt(warp * weft), weft},
                          .dof = INFINITY,
                          .curvature_per_m = curvature,
                          .curvature_min_per_m = curvature / 2,
                          .curvature_max_per_m = curvature * 2,
                          .width_N = {NAN, NAN},
                          .u_width_N = {NAN, NAN}};
}

static double moment_of(const cb_bending_loading *l, int direction, double curvature_per_m) {
  return l->B_Nm[direction] * curvature_per_m +
         l->friction_N[direction] * fmin(fmax(curvature_per_m / l->onset_per_m, -1), 1);
}

/* ---- the prior ---- */

/* The four wovens of Matsudaira, Masuda, Wada, Yokura (J. Text. Eng. 61(6):69, 2015, table 1; KES-FB2, gf
 * cm2/cm and gf cm/cm) lie within the 95 % of the prior, at any areal mass of apparel. */
static void published_loops_are_within(void **state) {
  (void)state;
  static const double B[] = {0.118, 0.067, 0.077, 0.019}, width[] = {0.124, 0.033, 0.029, 0.007};
  double product = 1;
  for (int i = 0; i < 4; i++) {
    for (double mass = 0.1; mass < 0.25; mass += 0.02) {
      cb_bending_prior p =
          cb_bending_prior_at(cbrt(B[i] * 9.80665e-5 / (mass * CB_STANDARD_GRAVITY_M_PER_S2)));
      assert_true(fabs(log(100 * width[i] / B[i] / p.width_over_B_per_m)) < 2 * p.u_ln_width);
    }
    product *= 100 * width[i] / B[i];
  }
  assert_near(sqrt(sqrt(product)), 51.8, 0.05); /* the loops' geometric mean: docs/method/bending.md */
}

static void between_rows_and_beyond(void **state) {
  (void)state;
  cb_bending_prior p = cb_bending_prior_at(sqrt(0.0100 * 0.0133)), limp = cb_bending_prior_at(0.001),
                   stiff = cb_bending_prior_at(1);
  assert_near(p.width_over_B_per_m, sqrt(66 * 95), 1e-9);
  assert_near(cb_bending_prior_at(0.0159).width_over_B_per_m, 119, 1e-9);
  assert_true(limp.width_over_B_per_m == 66 && limp.onset_per_m == 50);
  assert_near(stiff.width_over_B_per_m, 143, 1e-9);
}

/* One strip of the data set: M = a K + b K^2. */
typedef struct strip {
  double length_m; /* of the moment at 1 / c */
  double slope_length_m, ratio_per_m;
} strip;

static int by_length(const void *a, const void *b) {
  const strip *p = a, *q = b;
  return (p->length_m > q->length_m) - (p->length_m < q->length_m);
}

static int by_value(const void *a, const void *b) {
  const double *p = a, *q = b;
  return (*p > *q) - (*p < *q);
}

static double median_of(const strip *s, size_t n, double (*value)(const strip *)) {
  double x[512];
  for (size_t i = 0; i < n; i++) x[i] = value(&s[i]);
  qsort(x, n, sizeof *x, by_value);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

static double ratio_of(const strip *s) { return s->ratio_per_m; }
static double slope_length_of(const strip *s) { return s->slope_length_m; }

/* The moment a K + b K^2 at 1 / c has the bending length c itself. Its tangent at 100 1/m is what KES-FB2
 * calls B. */
static strip read_strip(double areal_density, double a, double b) {
  const double weight = areal_density * CB_STANDARD_GRAVITY_M_PER_S2, B = a + 200 * b;
  double c = cbrt(a / weight);
  for (int i = 0; i < 100; i++) c = 0.5 * (c + cbrt(fmax(a + b / c, 1e-12) / weight));
  return (strip){c, cbrt(fmax(B, 1e-12) / weight), B > 0 ? -2e4 * b / B : 1e4};
}

static bool is_new(const cb_csv *csv, size_t row) {
  for (size_t i = 0; i < row; i++) {
    bool same = true;
    for (size_t k = 0; k < 7; k++) same = same && csvt_number_at(csv, i, k) == csvt_number_at(csv, row, k);
    if (same) return false;
  }
  return true;
}

/* The table is what the 251 fabrics say, by quarters of the bending length of the moment at 1 / c. */
static void the_table_is_the_datas(void **state) {
  (void)state;
  static const double length_m[] = {0.0100, 0.0133, 0.0159, 0.0199};
  const char *path = CBT_DATA "/bending_618/dataset.csv";
  if (cbt_absent(path)) return;
  cb_csv *csv = csvt_load(path);
  strip s[512];
  size_t n = 0;
  for (size_t row = 0; row < cb_csv_rows(csv); row++)
    for (size_t k = 1; k <= 2 && is_new(csv, row); k++)
      s[n++] = read_strip(csvt_number_at(csv, row, 0), 1e-9 * csvt_number_at(csv, row, k),
                          1e-12 * csvt_number_at(csv, row, k + 3));
  cb_csv_free(csv);
  assert_int_equal(n, 502);
  qsort(s, n, sizeof *s, by_length);
  for (int q = 0; q < 4; q++) {
    const strip *part = s + 125 * q;
    size_t count = q < 3 ? 125 : n - 375;
    cb_bending_prior p = cb_bending_prior_at(length_m[q]);
    double read = median_of(part, count, ratio_of);
    print_message("%.1f mm: 2HB / B %.1f 1/m\n", 1e3 * median_of(part, count, slope_length_of), read);
    assert_near(read, p.width_over_B_per_m, 0.02 * p.width_over_B_per_m);
    assert_near(median_of(part, count, slope_length_of), length_m[q], 0.01 * length_m[q]);
  }
}

/* ---- laws ---- */

static void a_slope_stays_a_slope(void **state) {
  (void)state;
  cb_bending_law law = law_of(CB_BENDING_SLOPE, 4e-6, 3e-6, 100);
  cb_bending_loading l;
  cb_bending_loading_of(&law, WEIGHT, NULL, &l);
  cb_bending_prior p = cb_bending_prior_at(cbrt(sqrt(12e-12) / WEIGHT));
  assert_near(l.B_Nm[0], 4e-6, 1e-18);
  assert_near(l.friction_N[1], 0.5 * 3e-6 * p.width_over_B_per_m, 1e-12);
  assert_true(!l.measured && l.known_at_per_m == 0 && l.onset_per_m == p.onset_per_m &&
              l.u_ln_friction == p.u_ln_width);
  law.width_N[0] = 2e-4, law.width_N[1] = 1e-4, law.u_width_N[0] = 4e-5;
  cb_bending_loading_of(&law, WEIGHT, NULL, &l);
  assert_true(l.measured && l.friction_N[0] == 1e-4 && l.friction_N[1] == 0.5e-4);
  assert_near(l.u_ln_friction, 0.2, 1e-12);
  cb_bending_loading_of(&law, WEIGHT, (const double[2]){6e-4, 0}, &l);
  assert_true(l.measured && l.friction_N[0] == 3e-4 && l.friction_N[1] == 0);
  /* loading, its onset and back */
  assert_near(moment_of(&l, 0, 200), 200 * 4e-6 + 3e-4, 1e-15);
  assert_near(moment_of(&l, 0, -l.onset_per_m / 2), -l.onset_per_m * 2e-6 - 1.5e-4, 1e-15);
}

/* Whatever divides it, the moment at the law's curvature is the law's. */
static void a_moment_stays_a_moment(void **state) {
  (void)state;
  static const double exponent[] = {0, -0.3, -0.85, 0.2}, curvature[] = {20, 40, 80, 40};
  for (int i = 0; i < 4; i++) {
    cb_bending_law law = law_of(CB_BENDING_SECANT, 6e-6, 4e-6, curvature[i]);
    cb_bending_loading l;
    law.exponent = exponent[i], law.u_exponent = 0.1;
    cb_bending_loading_of(&law, WEIGHT, NULL, &l);
    assert_near(moment_of(&l, 0, curvature[i]), 6e-6 * curvature[i], 1e-12);
    assert_near(moment_of(&l, 1, curvature[i]), 4e-6 * curvature[i], 1e-12);
    assert_true(l.B_Nm[0] > 0 && l.friction_N[0] > 0 && l.known_at_per_m == curvature[i]);
    assert_true(l.measured == (exponent[i] < 0));
    /* the tangent of a power law: M ~ K^(1 + e) */
    if (exponent[i] < 0) assert_near(l.B_Nm[0], (1 + exponent[i]) * 6e-6, 1e-15);
  }
  cb_bending_law law = law_of(CB_BENDING_SECANT, 6e-6, 4e-6, 60);
  cb_bending_loading l;
  cb_bending_loading_of(&law, WEIGHT, (const double[2]){2e-4, 0}, &l);
  assert_near(moment_of(&l, 0, 60), 60 * 6e-6, 1e-12);
  assert_true(l.measured && l.friction_N[0] == 1e-4 && l.B_Nm[1] == 4e-6);
}

/* Where the slope was read off the moment by the prior, the prior reads the friction off the slope. */
static void both_readings_meet(void **state) {
  (void)state;
  cb_bending_law moment = law_of(CB_BENDING_SECANT, 6e-6, 6e-6, 60), slope;
  cb_bending_loading from_moment, from_slope;
  cb_bending_loading_of(&moment, WEIGHT, NULL, &from_moment);
  slope = law_of(CB_BENDING_SLOPE, from_moment.B_Nm[0], from_moment.B_Nm[1], 100);
  cb_bending_loading_of(&slope, WEIGHT, NULL, &from_slope);
  assert_near(from_slope.friction_N[0], from_moment.friction_N[0], 1e-9 * from_slope.friction_N[0]);
  assert_near(from_slope.onset_per_m, from_moment.onset_per_m, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_loops_are_within), cmocka_unit_test(between_rows_and_beyond),
      cmocka_unit_test(the_table_is_the_datas),     cmocka_unit_test(a_slope_stays_a_slope),
      cmocka_unit_test(a_moment_stays_a_moment),    cmocka_unit_test(both_readings_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
