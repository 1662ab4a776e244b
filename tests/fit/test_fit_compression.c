/* Compression: laws from tests whose truth is known and has not the form of a law; coverage over repetitions,
 * inside of the measured pressures and beyond; degenerate tests. */
#include <math.h>
#include <string.h>

#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_compression.h"

enum { PIECES = 10, POINTS = 120 };

/* Thickness of a piece under a pressure. van Wyk (J. Text. Inst. 37, T285, 1946) about a core that is not
 * compressed; a core under hairs that yield at one pressure; a power. */
typedef enum truth { VAN_WYK, HAIRY, POWER, TRUTHS } truth;
typedef struct piece {
  double core_m, soft_m, scale_Pa;
} piece;

static double thickness_of(truth form, const piece *p, double Pa) {
  const double q = Pa / p->scale_Pa;
  if (form == VAN_WYK) return p->core_m + p->soft_m * pow(1 + q, -1.0 / 3);
  if (form == HAIRY) return p->core_m * (1 - 0.03 * log1p(q)) + p->soft_m / (1 + q * sqrt(q));
  return (p->core_m + p->soft_m) * pow(Pa / 1000, -0.09);
}

typedef struct lab {
  cb_material_test test;
  cb_test_point points[PIECES][POINTS];
  fit_compression_test tests[PIECES];
  size_t n;
} lab;

static void measure(lab *l, truth form, const piece *pieces, size_t n, double from_Pa, double to_Pa,
                    double noise_m, cb_rng *rng) {
  l->test = (cb_material_test){.kind = CB_TEST_COMPRESSION, .layers = 1, .y_digit = 1e-6};
  l->n = n;
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < POINTS; k++) {
      const double Pa = from_Pa + (to_Pa - from_Pa) * k / (POINTS - 1);
      l->points[i][k] = (cb_test_point){
          Pa, thickness_of(form, &pieces[i], Pa) + (noise_m > 0 ? noise_m * cb_rng_normal(rng) : 0)};
    }
    l->tests[i] = (fit_compression_test){&l->test, l->points[i], POINTS, i};
  }
}

static fit_compression_result fitted(const lab *l) {
  fit_compression_result r;
  assert_ok(fit_compression(l->tests, l->n, &r, err));
  return r;
}

static const piece mean_piece = {3e-4, 3e-4, 150};

/* Knots are dense enough for each form. */
static void one_clean_curve_is_followed(void **state) {
  (void)state;
  static lab l;
  for (int form = 0; form < TRUTHS; form++) {
    measure(&l, (truth)form, &mean_piece, 1, 40, 5000, 0, NULL);
    const fit_compression_result r = fitted(&l);
    assert_int_equal(r.outcome, FIT_COMPRESSION_OK);
    print_message("form %d: misfit %.2g\n", form, r.misfit);
    assert_true(r.n_pieces == 1 && r.n_tests == 1 && r.sd_assumed && r.misfit < 6e-3);
    assert_ok(cb_compression_law_check(&r.law, err));
    for (double Pa = 45; Pa < 4900; Pa *= 1.21) {
      cb_compression_value v;
      cb_compression_at_pressure(&r.law, Pa, &v);
      assert_near(v.thickness_m / thickness_of((truth)form, &mean_piece, Pa), 1, 0.01);
      assert_true(v.inside_measured_range);
    }
  }
}

static double varied(double x, double sd, cb_rng *rng) { return x * exp(sd * cb_rng_normal(rng)); }

/* Rate of campaigns whose 95 % interval holds the mean of all pieces at a pressure. */
typedef struct tally {
  int inside, all;
  double width; /* sum of ln high / low */
} tally;

static void judge(tally *t, const cb_compression_law *law, double Pa, double truth_m) {
  cb_compression_value v;
  cb_compression_at_pressure(law, Pa, &v);
  const double half = cb_student_t(0.95, v.dof) * v.u_ln;
  t->inside += fabs(log(v.thickness_m / truth_m)) <= half;
  t->width += 2 * half;
  t->all++;
}

static void play(truth form, size_t n, double spread, double from_Pa, double to_Pa, const double *at_Pa,
                 size_t n_at, tally *t) {
  static lab l;
  enum { CAMPAIGNS = 150, MANY = 400 };
  cb_rng rng;
  cb_rng_init(&rng, 11 + (uint64_t)form, n);
  for (int c = 0; c < CAMPAIGNS; c++) {
    piece pieces[MANY];
    for (int i = 0; i < MANY; i++)
      pieces[i] = (piece){varied(mean_piece.core_m, 0.03 * spread, &rng),
                          varied(mean_piece.soft_m, 0.06 * spread, &rng),
                          varied(mean_piece.scale_Pa, 0.15 * spread, &rng)};
    measure(&l, form, pieces, n, from_Pa, to_Pa, 1e-6, &rng);
    const fit_compression_result r = fitted(&l);
    assert_int_equal(r.outcome, FIT_COMPRESSION_OK);
    for (size_t k = 0; k < n_at; k++) {
      double sum = 0;
      for (int i = 0; i < MANY; i++) sum += log(thickness_of(form, &pieces[i], at_Pa[k]));
      judge(t, &r.law, at_Pa[k], exp(sum / MANY));
    }
  }
}

static void bands_hold_the_mean(void **state) {
  (void)state;
  static const double at_Pa[] = {50, 120, 300, 1000, 2500, 4900};
  static const size_t pieces[] = {1, 2, 3, 5, 10};
  for (size_t i = 0; i < 5; i++) {
    tally t = {0, 0, 0};
    for (int form = 0; form < TRUTHS; form++) play((truth)form, pieces[i], 1, 40, 5000, at_Pa, 6, &t);
    const double rate = 100.0 * t.inside / t.all;
    print_message("%zu pieces: %.1f %% of %d inside, mean width %.1f %%\n", pieces[i], rate, t.all,
                  100 * t.width / t.all);
    assert_true(rate >= 93 && (pieces[i] < 4 || rate <= 98));
  }
}

/* Pieces that differ twice as much as the guess for few pieces has it: from four pieces on their own scatter
 * counts. */
static void bands_follow_the_scatter(void **state) {
  (void)state;
  static const double at_Pa[] = {50, 120, 300, 1000, 2500, 4900};
  static const size_t pieces[] = {1, 2, 3, 4, 5, 10};
  for (size_t i = 0; i < 6; i++) {
    tally t = {0, 0, 0};
    for (int form = 0; form < TRUTHS; form++) play((truth)form, pieces[i], 2, 40, 5000, at_Pa, 6, &t);
    const double rate = 100.0 * t.inside / t.all;
    print_message("%zu pieces, twice the scatter: %.1f %% of %d inside, mean width %.1f %%\n", pieces[i],
                  rate, t.all, 100 * t.width / t.all);
    assert_true(pieces[i] < 4 || rate >= 93);
  }
}

/* Measured from 200 to 2000 Pa only. */
static void bands_hold_beyond_the_ends(void **state) {
  (void)state;
  static const double far_Pa[] = {20, 50, 100, 5000, 10000};
  for (size_t k = 0; k < 5; k++) {
    tally t = {0, 0, 0};
    for (int form = 0; form < TRUTHS; form++) play((truth)form, 5, 1, 200, 2000, &far_Pa[k], 1, &t);
    const double rate = 100.0 * t.inside / t.all;
    print_message("%g Pa: %.1f %% of %d inside, mean width %.1f %%\n", far_Pa[k], rate, t.all,
                  100 * t.width / t.all);
    assert_true(rate >= 93);
  }
}

static void a_piece_counts_once(void **state) {
  (void)state;
  static lab l;
  const piece two[] = {mean_piece, mean_piece, {3.3e-4, 3.3e-4, 150}};
  measure(&l, VAN_WYK, two, 3, 40, 5000, 0, NULL);
  l.tests[1].piece = 0;
  const fit_compression_result r = fitted(&l);
  cb_compression_value v;
  cb_compression_at_pressure(&r.law, 1000, &v);
  assert_true(r.n_pieces == 2 && r.n_tests == 3);
  assert_near(v.thickness_m / (sqrt(1.1) * thickness_of(VAN_WYK, &mean_piece, 1000)), 1, 2e-3);
}

static void layers_and_calibrations_count(void **state) {
  (void)state;
  static lab l;
  measure(&l, VAN_WYK, &mean_piece, 1, 40, 5000, 0, NULL);
  l.test.layers = 2, l.test.u_x_rel = 0.02, l.test.u_y_rel = 0.01;
  const fit_compression_result r = fitted(&l);
  cb_compression_value v;
  cb_compression_at_pressure(&r.law, 1000, &v);
  assert_near(v.thickness_m / (0.5 * thickness_of(VAN_WYK, &mean_piece, 1000)), 1, 2e-3);
  assert_true(r.law.u_pressure_rel == 0.02 && r.law.u_thickness_rel == 0.01);
}

static void what_makes_no_law_says_why(void **state) {
  (void)state;
  static lab l;
  const piece two[] = {mean_piece, mean_piece};
  l.n = 0;
  assert_int_equal(fitted(&l).outcome, FIT_COMPRESSION_NO_CURVE);
  measure(&l, VAN_WYK, two, 1, 1000, 1001, 0, NULL);
  assert_int_equal(fitted(&l).outcome, FIT_COMPRESSION_NO_CURVE);
  measure(&l, VAN_WYK, two, 2, 40, 500, 0, NULL);
  for (int k = 0; k < POINTS; k++) l.points[1][k].x *= 20;
  assert_int_equal(fitted(&l).outcome, FIT_COMPRESSION_NO_COMMON);
  measure(&l, VAN_WYK, two, 1, 40, 5000, 0, NULL);
  for (int k = 0; k < POINTS; k++) l.points[0][k].y = 1e-3 - l.points[0][k].y;
  assert_int_equal(fitted(&l).outcome, FIT_COMPRESSION_NOT_THINNER);
  l.points[0][7].y = INFINITY;
  fit_compression_result r;
  assert_fails(CB_E_NUM, "point 8 is (", fit_compression(l.tests, 1, &r, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_clean_curve_is_followed), cmocka_unit_test(bands_hold_the_mean),
      cmocka_unit_test(bands_follow_the_scatter),    cmocka_unit_test(bands_hold_beyond_the_ends),
      cmocka_unit_test(a_piece_counts_once),         cmocka_unit_test(layers_and_calibrations_count),
      cmocka_unit_test(what_makes_no_law_says_why)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
