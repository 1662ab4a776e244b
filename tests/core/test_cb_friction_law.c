/* The law's interpolation against closed forms. */
#include "cb_friction_law_impl.h"
#include "cb_num.h"
#include "cb_rng_parts.h"
#include "cb_stats.h"
#include "cbtest.h"

static cb_friction_law law_of(size_t n, double c00, double c01, double c11, double exponent) {
  cb_friction_law l = {.cloth = "c",
                       .body = "b",
                       .contact_area_m2 = 0.005,
                       .n_knots = n,
                       .exponent = exponent,
                       .dof = INFINITY};
  for (size_t k = 0; k < n; k++) {
    double N = 0.25 * pow(2, (double)k), p = pow(N, exponent);
    l.knots[k] = (cb_friction_knot){.normal_force_N = N, .f_N = {c00 * p, c01 * p, c11 * p}};
  }
  return l;
}

/* A matrix power law M N^n is reproduced everywhere: between, below and above the knots. */
static void power_laws_are_exact(void **state) {
  (void)state;
  cb_friction_law l = law_of(4, 0.6, 0.08, 0.45, 0.87);
  assert_ok(cb_friction_law_check(&l, err));
  for (double N = 0.01; N < 20; N *= 1.3)
    for (int deg = 0; deg < 360; deg += 15) {
      double a = deg * CB_DEG, c = cos(a), s = sin(a),
             truth = (0.6 * c * c + 2 * 0.08 * s * c + 0.45 * s * s) * pow(N, 0.87);
      cb_friction_value v;
      cb_friction_law_eval(&l, a, N, &v);
      assert_near(v.force_N, truth, 1e-13 * truth);
      assert_int_equal(v.inside_measured_range, N >= 0.25 * (1 - 1e-6) && N <= 2 * (1 + 1e-6));
    }
}

static void zero_at_zero_load_and_positive_everywhere(void **state) {
  (void)state;
  cb_friction_law l = law_of(3, 0.5, 0.2, 0.3, 0.8);
  l.knots[1].f_N[1] = -0.2; /* the axes turn between knots */
  assert_ok(cb_friction_law_check(&l, err));
  cb_friction_value v;
  cb_friction_law_eval(&l, 1, 0, &v);
  assert_true(v.force_N == 0 && v.u_force_N == 0);
  for (double N = 1e-6; N < 100; N *= 1.5)
    for (int deg = 0; deg < 180; deg++) {
      cb_friction_law_eval(&l, deg * CB_DEG, N, &v);
      assert_true(v.force_N > 0);
    }
}

static void knots_are_hit_and_joined_continuously(void **state) {
  (void)state;
  cb_friction_law l = law_of(3, 0.5, 0.1, 0.3, 0.8);
  l.knots[1].f_N[0] = 0.31, l.knots[1].f_N[1] = -0.02, l.knots[1].f_N[2] = 0.22;
  for (size_t k = 0; k < 3; k++) {
    double N = l.knots[k].normal_force_N, at[3], below[3], above[3];
    cb_friction_law_matrix(&l, N, at);
    cb_friction_law_matrix(&l, N * (1 - 1e-9), below);
    cb_friction_law_matrix(&l, N * (1 + 1e-9), above);
    for (int i = 0; i < 3; i++) {
      assert_near(at[i], l.knots[k].f_N[i], 1e-15);
      assert_near(below[i], at[i], 1e-8);
      assert_near(above[i], at[i], 1e-8);
    }
  }
}

static void uncertainty_is_the_sum_of_its_parts(void **state) {
  (void)state;
  cb_friction_law l = law_of(2, 0.5, 0, 0.3, 1);
  l.u_rel_common = 0.003, l.u_rel_model = 0.01, l.u_exponent = 0.02;
  for (int k = 0; k < 2; k++) l.knots[k].cov_N2[0][0] = pow(0.01 * l.knots[k].f_N[0], 2);
  cb_friction_value v;
  cb_friction_law_eval(&l, 0, 0.25, &v);
  assert_near(v.u_force_N / v.force_N, hypot(0.01, 0.003), 1e-12);
  cb_friction_law_eval(&l, 0, sqrt(0.25 * 0.5), &v); /* midway: two halves of independent knots, all of the
                                                        model term */
  assert_near(v.u_force_N / v.force_N, sqrt(0.5 * 1e-4 + 1e-4 + 9e-6), 1e-12);
  /* A factor 10 above the last knot, and as far below the first: as far as the knots are wide, and farther.
   */
  const double growth2 = 1 + log(10) / log(2);
  cb_friction_law_eval(&l, 0, 5, &v);
  assert_near(v.u_force_N / v.force_N, sqrt(1e-4 + 9e-6 + pow(0.02 * log(10), 2) * growth2), 1e-12);
  cb_friction_law_eval(&l, 0, 0.025, &v);
  assert_near(v.u_force_N / v.force_N, sqrt(1e-4 + 9e-6 + pow(0.02 * log(10), 2) * growth2), 1e-12);
  /* With adhesion, the power law of the same slope at the edge is one u away. */
  l.model = CB_MODEL_OFFSET, l.offset_N = 0.1, l.u_exponent = 1e-9;
  cb_friction_law_eval(&l, 90 * CB_DEG, 0.025, &v);
  assert_near(v.u_force_N / v.force_N, hypot(0.003, log(10) * 0.25 / 0.35 - log(0.35 / 0.125)), 1e-7);
  cb_friction_law_eval(&l, 90 * CB_DEG, 0.25, &v);
  assert_near(v.u_force_N / v.force_N, 0.003, 1e-12);
}

/* Traction over pressure: half the area under half the load rubs half as much. */
static void area_scales_as_traction(void **state) {
  (void)state;
  cb_friction_law l = law_of(4, 0.6, 0.08, 0.45, 0.87),
                  half = cb_friction_law_on_area(&l, l.contact_area_m2 / 2);
  l.knots[0].cov_N2[0][0] = 1e-6;
  half = cb_friction_law_on_area(&l, l.contact_area_m2 / 2);
  cb_friction_value a, b;
  cb_friction_law_eval(&l, 0.4, 0.3, &a);
  cb_friction_law_eval(&half, 0.4, 0.15, &b);
  assert_near(b.force_N, a.force_N / 2, 1e-15);
  assert_near(b.u_force_N, a.u_force_N / 2, 1e-15);
}

/* Cutting the contact into parts that share the load changes nothing; the nonlinear law of the whole, applied
 * per part, would. */
static void parts_of_a_contact_rub_as_the_whole(void **state) {
  (void)state;
  cb_friction_law l = law_of(4, 0.6, 0.08, 0.45, 0.8);
  cb_friction_value whole, part;
  cb_friction_law_eval(&l, 0.4, 0.98, &whole);
  for (int n = 2; n < 2000; n *= 7) {
    cb_friction_law of_part = cb_friction_law_on_area(&l, l.contact_area_m2 / n);
    cb_friction_law_eval(&of_part, 0.4, 0.98 / n, &part);
    assert_near(n * part.force_N, whole.force_N, 1e-13);
  }
}

/* F = M (N + N0) is reproduced everywhere, also where there is no load. */
static void offset_laws_are_exact(void **state) {
  (void)state;
  cb_friction_law l = law_of(3, 0, 0, 0, 1), on;
  l.model = CB_MODEL_OFFSET, l.offset_N = 0.2;
  for (size_t k = 0; k < 3; k++) {
    double reach = l.knots[k].normal_force_N + 0.2;
    l.knots[k].f_N[0] = 0.6 * reach, l.knots[k].f_N[1] = 0.08 * reach, l.knots[k].f_N[2] = 0.45 * reach;
  }
  assert_ok(cb_friction_law_check(&l, err));
  on = cb_friction_law_on_area(&l, 2 * l.contact_area_m2);
  for (double N = 0; N < 20; N = N * 1.3 + 0.01) {
    cb_friction_value v;
    double c = cos(0.4), s = sin(0.4), m = 0.6 * c * c + 0.16 * s * c + 0.45 * s * s;
    cb_friction_law_eval(&l, 0.4, N, &v);
    assert_near(v.force_N, m * (N + 0.2), 1e-13 * (1 + N));
    cb_friction_law_eval(&on, 0.4, N, &v); /* adhesion grows with the area */
    assert_near(v.force_N, m * (N + 0.4), 1e-13 * (1 + N));
  }
}

/* With the parabola's slope at every knot, a parabola in ln F over ln N on even knots is reproduced between
 * inner knots; with none of it, the chord. */
static void bend_is_the_share_of_the_parabola(void **state) {
  (void)state;
  cb_friction_law l = law_of(5, 1, 0, 1, 0.9);
  for (size_t k = 0; k < 5; k++) {
    double x = log(l.knots[k].normal_force_N);
    l.knots[k].f_N[0] = l.knots[k].f_N[2] = exp(0.9 * x - 0.1 * x * x);
  }
  for (double w = 0.1; w < 1; w += 0.2) {
    double a = log(l.knots[1].normal_force_N), b = log(l.knots[2].normal_force_N), x = a + w * (b - a);
    double curve = 0.9 * x - 0.1 * x * x,
           chord = (1 - w) * (0.9 * a - 0.1 * a * a) + w * (0.9 * b - 0.1 * b * b);
    for (int step = 0; step <= 2; step++) {
      double f[3];
      l.bend = 0.5 * step;
      cb_friction_law_matrix(&l, exp(x), f);
      assert_near(log(f[0]), chord + l.bend * (curve - chord), 1e-12);
      assert_near(f[2], f[0], 1e-13);
    }
  }
}

/* What two knots share goes through the middle unabated, what each has for itself does not. */
static void shared_parts_add_up(void **state) {
  (void)state;
  cb_friction_law l = law_of(2, 0.5, 0, 0.3, 1);
  cb_friction_value v;
  double cov[3][3];
  l.n_shared = 1;
  for (size_t k = 0; k < 2; k++) l.shared[0].f_N[k][0] = 0.02 * l.knots[k].f_N[0];
  l.shared[0].exponent[0] = -0.01, l.shared[0].exponent[1] = 0.03;
  for (double N = 0.25; N <= 0.5; N += 0.05) {
    cb_friction_law_eval(&l, 0, N, &v);
    assert_near(v.u_force_N / v.force_N, 0.02, 1e-12);
  }
  cb_friction_law_eval(&l, 0, 0.5 * exp(1), &v);
  assert_near(v.u_force_N / v.force_N, 0.05, 1e-12);
  cb_friction_law_eval(&l, 0, 0.25 * exp(-1), &v);
  assert_near(v.u_force_N / v.force_N, 0.03, 1e-12);
  cb_friction_law_eval(&l, 90 * CB_DEG, 0.3, &v);
  assert_near(v.u_force_N, 0, 1e-15);
  cb_friction_law_knot_cov(&l, 1, cov);
  assert_near(cov[0][0], pow(0.02 * l.knots[1].f_N[0], 2), 1e-18);
  assert_near(cov[2][2], 0, 0);
}

/* ---- draws ---- */

static cb_friction_law uncertain(double dof) {
  cb_friction_law l = law_of(4, 0.6, 0.08, 0.45, 0.87);
  l.bend = 0.5, l.dof = dof;
  l.u_rel_common = 0.004, l.u_rel_model = 0.006, l.u_exponent = 0.02;
  l.n_shared = 2;
  for (size_t k = 0; k < 4; k++) {
    cb_friction_knot *q = &l.knots[k];
    for (int i = 0; i < 3; i++) q->cov_N2[i][i] = pow(0.01 * q->f_N[0], 2);
    q->cov_N2[0][2] = q->cov_N2[2][0] = 0.5 * q->cov_N2[0][0];
    for (int i = 0; i < 3; i++) l.shared[0].f_N[k][i] = 0.008 * q->f_N[i];
    l.shared[1].f_N[k][1] = 0.005 * q->f_N[0];
  }
  l.shared[0].exponent[0] = 0.01, l.shared[0].exponent[1] = -0.02;
  return l;
}

#define DRAWS 4000

/* The spread of what is drawn is the uncertainty of what is evaluated: at, between and outside the knots, in
 * three directions. */
static void draws_spread_as_the_uncertainty_says(void **state) {
  (void)state;
  static double f[DRAWS], work[DRAWS];
  const double at[] = {0.05, 0.25, 0.35, 0.5, 1.4, 2, 8};
  cb_friction_law l = uncertain(INFINITY), one;
  cb_friction_value v;
  for (size_t i = 0; i < 7; i++)
    for (int deg = 0; deg <= 90; deg += 45) {
      cb_rng rng;
      cb_rng_init(&rng, 11, 1);
      for (int k = 0; k < DRAWS; k++) {
        cb_friction_law_draw(&l, &rng, &one);
        cb_friction_law_eval(&one, deg * CB_DEG, at[i], &v);
        assert_true(v.u_force_N == 0);
        f[k] = v.force_N;
      }
      cb_friction_law_eval(&l, deg * CB_DEG, at[i], &v);
      /* Standard deviations of 4000 draws are good to 1.1 %; four of them, and the 2 % by which directions
       * that do not commute differ. */
      assert_near(cb_sd(f, DRAWS), v.u_force_N, 0.065 * v.u_force_N);
      assert_near(cb_median(f, DRAWS, work), v.force_N, 0.1 * v.u_force_N);
    }
}

static void draws_of_few_degrees_of_freedom_are_t(void **state) {
  (void)state;
  cb_friction_law l = uncertain(4), one;
  cb_friction_value v, drawn;
  cb_rng rng;
  int inside = 0;
  cb_rng_init(&rng, 5, 1);
  cb_friction_law_eval(&l, 0, 1, &v);
  for (int k = 0; k < DRAWS; k++) {
    cb_friction_law_draw(&l, &rng, &one);
    cb_friction_law_eval(&one, 0, 1, &drawn);
    inside += fabs(drawn.force_N - v.force_N) <= cb_student_t(0.95, 4) * v.u_force_N;
  }
  assert_near(inside / (double)DRAWS, 0.95, 4 * sqrt(0.95 * 0.05 / DRAWS));
}

/* However uncertain the law, whatever is drawn rubs in every direction. */
static void every_draw_is_a_law(void **state) {
  (void)state;
  cb_friction_law l = uncertain(3), one;
  cb_rng rng;
  cb_rng_init(&rng, 6, 1);
  for (size_t k = 0; k < 4; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) l.knots[k].cov_N2[i][j] *= 2500; /* 50 % */
  for (int k = 0; k < DRAWS; k++) {
    cb_friction_law_draw(&l, &rng, &one);
    assert_ok(cb_friction_law_check(&one, err));
    for (double N = 0.01; N < 20; N *= 2.7) {
      double f[3];
      cb_friction_law_matrix(&one, N, f);
      assert_true(0.5 * (f[0] + f[2]) - hypot(0.5 * (f[0] - f[2]), f[1]) > -1e-12 * (f[0] + f[2]));
    }
  }
}

static void chi2_has_its_moments(void **state) {
  (void)state;
  const double dof[] = {0.7, 2, 9.5, 200};
  cb_rng rng;
  cb_rng_init(&rng, 9, 9);
  for (int i = 0; i < 4; i++) {
    double sum = 0, square = 0, n = 40000;
    for (int k = 0; k < 40000; k++) {
      double x = cb_rng_chi2(&rng, dof[i]);
      sum += x, square += x * x;
    }
    double var = square / n - sum * sum / n / n;
    assert_near(sum / n, dof[i], 4 * sqrt(2 * dof[i] / n));
    assert_near(var, 2 * dof[i], 2 * dof[i] * 4 * sqrt((2 + 12 / dof[i]) / n));
  }
}

static void impossible_laws_are_refused(void **state) {
  (void)state;
  cb_friction_law l = law_of(3, 0.5, 0.1, 0.3, 0.8), bad;
  bad = l, bad.n_knots = 0;
  assert_fails(CB_E_RANGE, "0 knots", cb_friction_law_check(&bad, err));
  bad = l, bad.knots[2].normal_force_N = 0.1;
  assert_fails(CB_E_RANGE, "must be > 0 and ascend", cb_friction_law_check(&bad, err));
  bad = l, bad.knots[0].f_N[1] = 0.9;
  assert_fails(CB_E_NUM, "must be > 0 in every direction", cb_friction_law_check(&bad, err));
  bad = l, bad.knots[0].f_N[0] = NAN;
  assert_fails(CB_E_NUM, "must be > 0 in every direction", cb_friction_law_check(&bad, err));
  bad = l, bad.offset_N = -1;
  assert_fails(CB_E_RANGE, "offset_N -1", cb_friction_law_check(&bad, err));
  bad = l, bad.n_shared = CB_LAW_MAX_SHARED + 1;
  assert_fails(CB_E_RANGE, "16 shared parts", cb_friction_law_check(&bad, err));
  bad = l, bad.exponent = 0;
  assert_fails(CB_E_RANGE, "exponent 0", cb_friction_law_check(&bad, err));
}

/* Sums of squares are the uncertainty of eval; sums of products at two knots are the covariance of
 * knot_cov. */
static void effects_are_the_uncertainty(void **state) {
  (void)state;
  cb_friction_law l = law_of(4, 0.6, 0.08, 0.45, 0.87);
  l.bend = 0.5, l.u_rel_common = 0.003, l.u_rel_model = 0.004, l.u_exponent = 0.05, l.n_shared = 2;
  for (size_t k = 0; k < 4; k++) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) l.knots[k].cov_N2[i][j] = (i == j ? 1e-4 : 2e-5) * (double)(k + 1);
    for (int i = 0; i < 3; i++)
      l.shared[0].f_N[k][i] = 0.002 * (i + 1), l.shared[1].f_N[k][i] = 0.001 * (double)k;
  }
  l.shared[0].exponent[0] = 0.02, l.shared[1].exponent[1] = -0.03;
  double a[CB_LAW_MAX_EFFECTS], b[CB_LAW_MAX_EFFECTS];
  for (double N = 0.05; N < 20; N *= 1.17)
    for (int deg = 0; deg < 180; deg += 15) {
      cb_friction_value v;
      double sum = 0;
      size_t n = cb_friction_law_effects(&l, deg * CB_DEG, N, a);
      assert_int_equal(n, 4 * 4 + 2 + 3);
      for (size_t i = 0; i < n; i++) sum += a[i] * a[i];
      cb_friction_law_eval(&l, deg * CB_DEG, N, &v);
      assert_near(sqrt(sum), v.u_force_N / v.force_N, 1e-14);
    }
  /* f00 and f11 of one knot: directions 0 and 90 degrees. */
  double cov[3][3], sum = 0;
  const cb_friction_knot *k = &l.knots[2];
  size_t n = cb_friction_law_effects(&l, 0, k->normal_force_N, a);
  (void)cb_friction_law_effects(&l, 90 * CB_DEG, k->normal_force_N, b);
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  cb_friction_law_knot_cov(&l, 2, cov);
  assert_near(sum * k->f_N[0] * k->f_N[2], cov[0][2], 1e-15);
}

/* Shares of the interpolation's uncertainty go with the squares of the widths, and their mean is u_rel_model.
 */
static void wide_intervals_are_less_sure(void **state) {
  (void)state;
  cb_friction_law l = {.n_knots = 3, .u_rel_model = 0.01};
  for (size_t k = 0; k < 3; k++) l.knots[k].normal_force_N = k == 0 ? 0.1 : k == 1 ? 0.4 : 0.8;
  const double a = cb_friction_law_u_between(&l, 0), b = cb_friction_law_u_between(&l, 1);
  assert_near(a / b, 4, 1e-12); /* ln 4 is twice ln 2 */
  assert_near(0.5 * (a + b), 0.01, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(effects_are_the_uncertainty),
                                     cmocka_unit_test(wide_intervals_are_less_sure),
                                     cmocka_unit_test(power_laws_are_exact),
                                     cmocka_unit_test(zero_at_zero_load_and_positive_everywhere),
                                     cmocka_unit_test(knots_are_hit_and_joined_continuously),
                                     cmocka_unit_test(uncertainty_is_the_sum_of_its_parts),
                                     cmocka_unit_test(area_scales_as_traction),
                                     cmocka_unit_test(parts_of_a_contact_rub_as_the_whole),
                                     cmocka_unit_test(offset_laws_are_exact),
                                     cmocka_unit_test(bend_is_the_share_of_the_parabola),
                                     cmocka_unit_test(shared_parts_add_up),
                                     cmocka_unit_test(draws_spread_as_the_uncertainty_says),
                                     cmocka_unit_test(draws_of_few_degrees_of_freedom_are_t),
                                     cmocka_unit_test(every_draw_is_a_law),
                                     cmocka_unit_test(chi2_has_its_moments),
                                     cmocka_unit_test(impossible_laws_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
