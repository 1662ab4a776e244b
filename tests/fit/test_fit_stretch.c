/* fit_stretch against tests made of known laws: what comes out is what went in, bands cover, and bad tests
 * end in an outcome. */
#include "cb_stats.h"
#include "cb_stretch_impl.h"

#include "stretchtest.h"

static st_lab lab;

static int fresh(void **state) {
  (void)state;
  lab.n = 0;
  return 0;
}

/* ---- curves ---- */

static void a_straight_line_is_a_straight_line(void **state) {
  (void)state;
  fit_stretch_result r;
  const double p[] = {2000, 0};
  st_strip(&lab, 0, st_cubic, p, 0.05, 40);
  st_fit(&lab, &r);
  assert_int_equal(r.law.n, 1);
  const cb_stretch_direction *d = &r.law.directions[0];
  for (double e = 0; e <= 0.05; e += 0.001) assert_near(cb_stretch_curve(d, e, NULL), 2000 * e, 1e-9);
  assert_near(d->k1_N_per_m, 2000, 1e-6);
  assert_near(d->k3_N_per_m, 0, 1e-2);
  assert_near(d->kes.lt, 1, 1e-9);
  assert_near(d->kes.load_N_per_m, 100, 1e-9);
  assert_near(d->kes.emt, 0.05, 1e-9);
  assert_near(d->kes.wt_J_per_m2, 0.5 * 100 * 0.05, 1e-9);
  assert_true(isnan(d->kes.rt) && isnan(d->kes.u_wt_J_per_m2) && isnan(d->knots[3].sd_N_per_m));
  assert_int_equal(r.n_outliers, 0);
  fit_stretch_clear(&r);
}

/* J-shaped to ten times its first slope: k, lambda, and the law between its knots. */
static void a_cubic_gives_k_and_lambda(void **state) {
  (void)state;
  fit_stretch_result r;
  const double p[] = {100, 1e4};
  st_strip(&lab, 90, st_cubic, p, 0.3, 300);
  st_fit(&lab, &r);
  const cb_stretch_direction *d = &r.law.directions[0];
  /* Local lines lie above a curve that bends: f'' h^2 / 14 with the knots' distance h, here 0.4 e. */
  assert_near(d->k1_N_per_m, p[0], 6e-3 * p[0]);
  assert_near(d->k3_N_per_m, p[1], 1e-3 * p[1]);
  assert_true(d->cubic_misfit_rel < 1e-3);
  for (double e = 0.01; e <= 0.3; e += 0.01)
    assert_near(cb_stretch_curve(d, e, NULL), st_cubic(e, p), 1e-3 * st_cubic(0.3, p));
  /* WT = k1 e^2/2 + k3 e^4/4 */
  assert_near(d->kes.wt_J_per_m2, 100 * 0.045 + 1e4 * 0.0081 / 4, 1e-3 * 24.75);
  fit_stretch_clear(&r);
}

/* Up by k e, down by k e^2 / e_max, to the load and back: RT = (1/3) / (1/2). A second cycle, twice as stiff,
 * does not count. */
static void the_first_cycle_counts(void **state) {
  (void)state;
  fit_stretch_result r;
  st_add(&lab, 0);
  for (int i = 0; i <= 100; i++) st_point(&lab, 0.1 * 0.04 * i / 100, 0.05 * 1000 * 0.04 * i / 100);
  for (int i = 99; i >= 0; i--) st_point(&lab, 0.1 * 0.04 * i / 100, 0.05 * 1000 * 0.04 * i / 100 * i / 100);
  for (int i = 1; i <= 100; i++) st_point(&lab, 0.1 * 0.04 * i / 100, 0.05 * 2000 * 0.04 * i / 100);
  st_fit(&lab, &r);
  assert_int_equal(r.parts[0].cycles, 2);
  assert_int_equal(r.parts[0].n_loading, 101);
  const cb_stretch_kes *k = &r.law.directions[0].kes;
  assert_near(k->rt, 2 / 3.0, 1e-3);
  assert_near(k->rt_load_N_per_m, 40, 1e-9);
  fit_stretch_clear(&r);
}

static void a_way_down_alone_is_no_test(void **state) {
  (void)state;
  fit_stretch_result r;
  st_add(&lab, 0);
  for (int i = 50; i >= 0; i--) st_point(&lab, 1e-4 * i, 0.1 * i);
  st_fit(&lab, &r);
  assert_int_equal(r.outcome, FIT_STRETCH_NO_CURVE);
  assert_int_equal(r.parts[0].outcome, FIT_STRETCH_FEW_POINTS);
  fit_stretch_clear(&r);
}

/* ---- slack and pre-tension ---- */

/* 2 mm of slack, in which the read-out shows zero: gauge length 102 mm, and the law counts from there. */
static void slack_is_taken_off(void **state) {
  (void)state;
  fit_stretch_result r;
  st_add(&lab, 0);
  for (int i = 0; i <= 120; i++) {
    double x = 1e-4 * i;
    st_point(&lab, x, x > 0.002 ? 0.05 * 500 * (x - 0.002) / 0.102 : 0);
  }
  st_fit(&lab, &r);
  assert_near(r.parts[0].slack_m, 0.002, 1e-9);
  assert_near(r.parts[0].length_m, 0.102, 1e-9);
  assert_near(cb_stretch_curve(&r.law.directions[0], 0.05, NULL), 25, 1e-6);
  fit_stretch_clear(&r);
}

/* A slack of 1.76 mm on 200 mm, read every so many mm; the first reading shows some force or none. */
static void add_slack_strip(double step_mm, int n, double first_N, double bend) {
  lab.n = 0;
  st_add(&lab, 0);
  lab.tests[0].length_m = 0.2;
  lab.tests[0].y_digit = 0.01;
  for (int i = 0; i < n; i++) {
    const double x = 1e-3 * step_mm * i, e = (x - 0.00176) / 0.20176,
                 force = e > 0 ? 0.05 * (35200 * e + bend * e * e) : 0;
    st_point(&lab, x, i ? cb_round_decimals(force, 2) : first_N);
  }
}

/* The first reading does not decide what is slack: 0.12 N or none, few readings or many, a straight toe or
 * one that bends. The band has the truth, and not more than it needs. */
static void the_first_reading_does_not_decide(void **state) {
  (void)state;
  const double steps[][2] = {{2, 6}, {2, 8}, {1, 10}, {1, 20}, {0.5, 30}, {0.1, 120}},
               first[] = {0, 0.12, 0.3},
               widest[] = {0.15, 0.15, 0.12, 0.12, 0.04, 0.01}; /* u, by the distance of the readings */
  for (size_t k = 0; k < 12; k++)
    for (size_t j = 0; j < 3; j++) {
      fit_stretch_result r;
      cb_stretch_value v;
      const double bend = k < 6 ? 0 : 2e5, truth = (35200 + bend * 0.02) * 0.02;
      add_slack_strip(steps[k % 6][0], (int)steps[k % 6][1], first[j], bend);
      st_fit(&lab, &r);
      cb_stretch_eval(&r.law, 0, 0.02, &v);
      assert_near(r.parts[0].slack_m, 0.00176, 2 * r.parts[0].u_slack_m);
      assert_near(r.parts[0].cut_m, r.parts[0].slack_m, 0);
      assert_near(v.force_N_per_m, truth, cb_student_t(0.95, v.dof) * v.u_N_per_m);
      assert_true(v.u_N_per_m < truth * widest[k % 6]);
      assert_int_equal(r.n_outliers, 0);
      fit_stretch_clear(&r);
    }
}

/* Three repeats that were read at the same places share what no reading tells. */
static void repeats_share_what_is_not_seen(void **state) {
  (void)state;
  fit_stretch_result r;
  cb_stretch_value v;
  add_slack_strip(2, 8, 0, 0);
  for (int k = 1; k < 3; k++) {
    lab.tests[k] = lab.tests[0];
    memcpy(lab.points[k], lab.points[0], sizeof lab.points[0]);
    lab.inputs[k] = (fit_stretch_input){&lab.tests[k], lab.points[k], lab.inputs[0].n};
  }
  lab.n = 3;
  st_fit(&lab, &r);
  cb_stretch_eval(&r.law, 0, 0.02, &v);
  assert_near(v.force_N_per_m, 704, 1);
  assert_near(v.u_N_per_m, 704 / 0.02 * r.parts[0].u_slack_m / r.parts[0].length_m, 1);
  fit_stretch_clear(&r);
}

/* A curve that bends from the first reading on hangs nowhere slack. */
static void a_bent_toe_is_no_slack(void **state) {
  (void)state;
  fit_stretch_result r;
  const double e[] = {0, 0.01, 0.02, 0.04, 0.08};
  st_add(&lab, 0);
  lab.tests[0].y_digit = 0.1 * 0.05;
  for (int i = 0; i < 5; i++) st_point(&lab, 0.1 * e[i], 0.05 * (1000 * e[i] + 4000 * e[i] * e[i]));
  st_fit(&lab, &r);
  assert_near(r.parts[0].slack_m, 0, 1e-9);
  assert_near(cb_stretch_curve(&r.law.directions[0], 0.02, NULL), 21.6, 0.2);
  fit_stretch_clear(&r);
}

static void the_raw_origin_can_be_chosen(void **state) {
  (void)state;
  fit_stretch_result r;
  fit_stretch_options opt = fit_stretch_options_default();
  add_slack_strip(0.5, 30, 0.12, 0);
  opt.raw_origin = true;
  assert_ok(fit_stretch(lab.inputs, lab.n, &opt, &r, err));
  assert_near(r.parts[0].slack_m, 0, 0);
  assert_near(r.parts[0].u_slack_m, 0, 0);
  assert_near(r.parts[0].length_m, 0.2, 0);
  /* At 2 %, 4 mm: 2.24 mm of them stretch. */
  assert_near(cb_stretch_curve(&r.law.directions[0], 0.02, NULL), 35200 * 2.24 / 201.76, 5);
  fit_stretch_clear(&r);
}

/* The first point already bears a force: the strain it had is added. */
static void pre_tension_is_extrapolated(void **state) {
  (void)state;
  fit_stretch_result r;
  st_add(&lab, 0);
  for (int i = 0; i <= 100; i++) {
    double x = 4e-5 * i;
    st_point(&lab, x, 0.05 * 500 * (x + 1e-4) / (0.1 - 1e-4));
  }
  st_fit(&lab, &r);
  assert_near(r.parts[0].slack_m, -1e-4, 1e-12);
  assert_near(cb_stretch_curve(&r.law.directions[0], 0.02, NULL), 10, 1e-9);
  fit_stretch_clear(&r);
}

/* ISO 13934-1 counts from a pre-tension: so do strain and force where it is given. */
static void pre_tension_can_be_chosen(void **state) {
  (void)state;
  fit_stretch_result r;
  const double p[] = {1000, 0};
  fit_stretch_options opt = fit_stretch_options_default();
  st_strip(&lab, 0, st_cubic, p, 0.05, 100);
  opt.pretension_N_per_m = 10.25; /* at 1.025 %, between two points */
  assert_ok(fit_stretch(lab.inputs, lab.n, &opt, &r, err));
  assert_near(r.parts[0].slack_m, 0.001025, 1e-12);
  assert_near(cb_stretch_curve(&r.law.directions[0], 0.02, NULL), 1000 * 0.02 * 0.101025 / 0.1, 1e-6);
  fit_stretch_clear(&r);
}

static void layers_share_the_force(void **state) {
  (void)state;
  fit_stretch_result r;
  const double p[] = {1000, 0};
  st_strip(&lab, 0, st_cubic, p, 0.05, 50);
  lab.tests[0].layers = 4;
  st_fit(&lab, &r);
  assert_near(cb_stretch_curve(&r.law.directions[0], 0.02, NULL), 5, 1e-9);
  fit_stretch_clear(&r);
}

/* ---- outliers ---- */

static void outliers_are_named_and_do_not_count(void **state) {
  (void)state;
  fit_stretch_result r;
  cb_rng rng;
  const size_t bad[] = {40, 81, 82, 150};
  const double p[] = {100, 1e4};
  cb_rng_init(&rng, 7, 0);
  st_strip(&lab, 0, st_cubic, p, 0.3, 200);
  for (size_t i = 0; i < lab.inputs[0].n; i++) lab.points[0][i].y += 0.02 * cb_rng_normal(&rng);
  for (size_t i = 0; i < 4; i++) lab.points[0][bad[i]].y += i % 2 ? -1.5 : 1.2;
  st_fit(&lab, &r);
  assert_int_equal(r.n_outliers, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(r.outliers[i].point, bad[i]);
    assert_near(r.outliers[i].residual_N, i % 2 ? -1.5 : 1.2, 0.1);
    assert_true(r.outliers[i].times > 5);
  }
  assert_near(r.parts[0].scatter_N_per_m, 0.02 / 0.05, 0.1);
  const cb_stretch_direction *d = &r.law.directions[0];
  for (double e = 0.02; e < 0.3; e += 0.01)
    assert_near(cb_stretch_curve(d, e, NULL), st_cubic(e, p), 4 * cb_stretch_curve_u(d, e) + 0.3);
  fit_stretch_clear(&r);
}

/* ---- repeats ---- */

/* Specimens differ by 8 % in stiffness: nominal 95 % intervals of the mean and of the next specimen, over
 * 1000 made campaigns of four. */
static void bands_cover(void **state) {
  (void)state;
  const int campaigns = 1000;
  int mean_hits[3] = {0}, next_hits[3] = {0};
  for (int c = 0; c < campaigns; c++) {
    fit_stretch_result r;
    cb_rng rng;
    lab.n = 0;
    cb_rng_init(&rng, 100 + (uint64_t)c, 0);
    for (int k = 0; k < 4; k++) {
      double factor = 1 + 0.08 * cb_rng_normal(&rng), p[] = {100 * factor, 1e4 * factor};
      st_strip(&lab, 0, st_cubic, p, 0.3, 60);
      for (size_t i = 0; i < lab.inputs[k].n; i++) lab.points[k][i].y += 0.01 * cb_rng_normal(&rng);
    }
    st_fit(&lab, &r);
    double next = 1 + 0.08 * cb_rng_normal(&rng);
    for (int j = 0; j < 3; j++) {
      const double at[] = {0.1, 0.2, 0.28}, p[] = {100, 1e4};
      cb_stretch_value v;
      cb_stretch_eval(&r.law, 0, at[j], &v);
      double t = cb_student_t(0.95, v.dof), truth = st_cubic(at[j], p);
      mean_hits[j] += fabs(v.force_N_per_m - truth) <= t * v.u_N_per_m;
      next_hits[j] += fabs(v.force_N_per_m - next * truth) <= t * hypot(v.u_N_per_m, v.sd_N_per_m);
    }
    fit_stretch_clear(&r);
  }
  for (int j = 0; j < 3; j++) {
    print_message("covered: mean %.1f %%, next specimen %.1f %%\n", 100.0 * mean_hits[j] / campaigns,
                  100.0 * next_hits[j] / campaigns);
    assert_in_range(mean_hits[j], 930, 970);
    assert_in_range(next_hits[j], 930, 970);
  }
}

/* One specimen tears early: the mean has no step there, and goes to what most of them reach. */
static void a_short_test_leaves_no_step(void **state) {
  (void)state;
  fit_stretch_result r;
  for (int k = 0; k < 4; k++) {
    const double p[] = {1000 + 100.0 * k, 0};
    st_strip(&lab, 0, st_cubic, p, k == 3 ? 0.02 : 0.05 - 0.001 * k, 50);
  }
  st_fit(&lab, &r);
  const cb_stretch_direction *d = &r.law.directions[0];
  assert_near(cb_stretch_strain_max(d), 0.048, 1e-9);
  for (size_t k = 1; k < d->n_knots; k++) {
    double rise = (d->knots[k].force_N_per_m - d->knots[k - 1].force_N_per_m) /
                  (d->knots[k].strain - d->knots[k - 1].strain);
    assert_true(rise > 1090 && rise < 1160);
    assert_true(d->knots[k].sd_N_per_m > 0);
    size_t alive = d->knots[k].strain <= 0.02 ? 4 : 3;
    assert_near(d->knots[k].u_N_per_m, d->knots[k].sd_N_per_m / sqrt((double)alive),
                1e-12 * d->knots[k].sd_N_per_m);
  }
  assert_near(d->dof, 3, 0);
  fit_stretch_clear(&r);
}

/* ---- directions ---- */

static double on_tensor(double e, const double *p) {
  double c = cos(p[3] * CB_DEG), s = sin(p[3] * CB_DEG);
  return e / (p[0] * pow(c, 4) + p[2] * c * c * s * s + p[1] * pow(s, 4));
}
static double on_strip(double e, const double *p) {
  double c = cos(p[3] * CB_DEG), s = sin(p[3] * CB_DEG),
         y = sqrt(p[0]) * c * c + sqrt(p[2]) * fabs(c * s) + sqrt(p[1]) * s * s;
  return e / (y * y);
}

static void add_sheet(st_law *f, const double *angles, size_t n) {
  for (size_t i = 0; i < n; i++) {
    double p[] = {1e-4, 3e-4, 2e-3, angles[i]};
    st_strip(&lab, angles[i], f, p, 0.05, 40);
  }
}

static void the_form_that_fits_is_chosen(void **state) {
  (void)state;
  fit_stretch_result r;
  const double angles[] = {90, 15, 135, 0, -75}; /* any order; 135 is 45, -75 is 75 */
  for (int strip = 0; strip < 2; strip++) {
    lab.n = 0;
    add_sheet(strip ? on_strip : on_tensor, angles, 5);
    st_fit(&lab, &r);
    assert_int_equal(r.law.n, 5);
    assert_true(r.law.form_tested);
    assert_int_equal(r.law.form, strip ? CB_STRETCH_STRIP : CB_STRETCH_TENSOR);
    cb_stretch_value v;
    double p[] = {1e-4, 3e-4, 2e-3, 30};
    cb_stretch_eval(&r.law, 30, 0.03, &v);
    assert_near(v.force_N_per_m, (strip ? on_strip : on_tensor)(0.03, p), 1e-6);
    assert_near(r.tensor.strain, 0.02, 0);
    fit_stretch_clear(&r);
  }
}

/* With three directions the shape decides: 50 mm x 100 mm strips at 45 degrees hold no yarn at both ends, 200
 * mm wide ones do. */
static void with_three_the_shape_decides(void **state) {
  (void)state;
  const double angles[] = {0, 45, 90};
  for (int wide = 0; wide < 2; wide++) {
    fit_stretch_result r;
    lab.n = 0;
    add_sheet(on_tensor, angles, 3);
    for (size_t i = 0; wide && i < 3; i++) lab.tests[i].width_m = 0.2;
    st_fit(&lab, &r);
    assert_false(r.law.form_tested);
    assert_int_equal(r.law.form, wide ? CB_STRETCH_TENSOR : CB_STRETCH_STRIP);
    fit_stretch_clear(&r);
  }
}

/* ---- what says nothing ---- */

static void expect_part(fit_stretch_part_outcome wanted) {
  fit_stretch_result r;
  st_fit(&lab, &r);
  assert_int_equal(r.outcome, FIT_STRETCH_NO_CURVE);
  assert_int_equal(r.parts[0].outcome, wanted);
  assert_true(fit_stretch_part_outcome_text[wanted] && fit_stretch_outcome_text[r.outcome]);
  fit_stretch_clear(&r);
  lab.n = 0;
}

/* G makes the strip at 45 degrees where there is none, by the orthotropic sheet, whose G comes back. */
static void shear_stands_in_for_the_bias(void **state) {
  (void)state;
  const double warp[] = {1000, 0}, weft[] = {500, 0};
  fit_stretch_options opt = fit_stretch_options_default();
  fit_stretch_result r;
  st_strip(&lab, 0, st_cubic, warp, 0.1, 100);
  st_strip(&lab, 90, st_cubic, weft, 0.2, 100);
  opt.shear_N_per_m = 40, opt.u_shear_N_per_m = 2, opt.shear_dof = 3, opt.shear_tests = 4;
  assert_ok(fit_stretch(lab.inputs, lab.n, &opt, &r, err));
  assert_ok(cb_stretch_law_check(&r.law, err));
  assert_true(r.shear_used && r.law.n == 3 && r.law.form == CB_STRETCH_TENSOR && !r.law.form_tested);
  const cb_stretch_direction *d = cb_stretch_find(&r.law, 45);
  const double E45 = 4 / (1 / 1000.0 + 1 / 500.0 + 1 / 40.0);
  assert_near(cb_stretch_strain_max(d), 0.1, 1e-9);
  assert_near(cb_stretch_curve(d, 0.05, NULL) / 0.05, E45, 1e-6);
  assert_near(d->k1_N_per_m, E45, 1e-5);
  assert_near(cb_stretch_shear_modulus(&r.tensor, 0), 40, 1e-5);
  /* the readings have no scatter: u is that of G alone, less as G's compliance is a part of the sum */
  assert_near(d->knots[8].u_N_per_m / d->knots[8].force_N_per_m, 0.05 * (1 / 40.0) * E45 / 4, 1e-6);
  assert_near(d->dof, 3, 0);
  assert_int_equal(d->n_tests, 4);
  fit_stretch_clear(&r);
  /* A strip near 45 degrees says more than G; without weft there is no sheet. */
  st_strip(&lab, 50, st_cubic, weft, 0.1, 100);
  assert_ok(fit_stretch(lab.inputs, lab.n, &opt, &r, err));
  assert_true(!r.shear_used && r.law.n == 3 && r.law.directions[1].angle_deg == 50);
  fit_stretch_clear(&r);
  assert_ok(fit_stretch(lab.inputs, 1, &opt, &r, err));
  assert_true(!r.shear_used && r.law.n == 1);
  fit_stretch_clear(&r);
}

static void degenerate_tests_end_in_an_outcome(void **state) {
  (void)state;
  const double p[] = {1000, 0};
  fit_stretch_result r;
  st_fit(&lab, &r); /* no test at all */
  assert_int_equal(r.outcome, FIT_STRETCH_NO_CURVE);
  fit_stretch_clear(&r);
  st_add(&lab, 0);
  expect_part(FIT_STRETCH_FEW_POINTS);
  st_add(&lab, 0), st_point(&lab, 0, 1);
  expect_part(FIT_STRETCH_FEW_POINTS);
  st_strip(&lab, NAN, st_cubic, p, 0.05, 20);
  expect_part(FIT_STRETCH_NO_DIRECTION);
  st_strip(&lab, 0, st_cubic, p, 0.05, 20), lab.tests[0].width_m = 0;
  expect_part(FIT_STRETCH_NO_SIZE);
  st_add(&lab, 0);
  for (int i = 0; i < 20; i++) st_point(&lab, 1e-4 * i, 0);
  expect_part(FIT_STRETCH_NO_FORCE);
  st_add(&lab, 0);
  for (int i = 0; i < 20; i++) st_point(&lab, 1e-4 * i, 3);
  expect_part(FIT_STRETCH_NO_RISE);
  st_add(&lab, 0);
  for (int i = 0; i < 20; i++) st_point(&lab, 1e-4 * i, 3 - 0.1 * i);
  expect_part(FIT_STRETCH_NO_RISE);
  st_add(&lab, 0);
  for (int i = 0; i < 20; i++) st_point(&lab, 0.001, i); /* all in one place */
  expect_part(FIT_STRETCH_NO_EXTENSION);
}

static void contradictory_points_are_averaged(void **state) {
  (void)state;
  fit_stretch_result r;
  st_add(&lab, 0);
  for (int i = 0; i <= 20; i++)
    for (int k = -1; k <= 1; k += 2) st_point(&lab, 2e-4 * i, 0.05 * 1000 * 2e-3 * i * (1 + 0.1 * k));
  st_fit(&lab, &r);
  assert_int_equal(r.outcome, FIT_STRETCH_OK);
  assert_near(cb_stretch_curve(&r.law.directions[0], 0.03, NULL), 30, 1);
  fit_stretch_clear(&r);
}

static void three_points_are_enough(void **state) {
  (void)state;
  fit_stretch_result r;
  const double p[] = {1000, 0};
  st_strip(&lab, 0, st_cubic, p, 0.04, 2);
  st_fit(&lab, &r);
  assert_int_equal(r.outcome, FIT_STRETCH_OK);
  assert_near(cb_stretch_curve(&r.law.directions[0], 0.03, NULL), 30, 1e-6);
  fit_stretch_clear(&r);
}

static void more_directions_than_there_is_room_for(void **state) {
  (void)state;
  fit_stretch_result r;
  const double p[] = {1000, 0};
  for (int i = 0; i <= CB_STRETCH_MAX_DIRECTIONS; i++) st_strip(&lab, 5.0 * i, st_cubic, p, 0.05, 20);
  st_fit(&lab, &r);
  assert_int_equal(r.outcome, FIT_STRETCH_MANY_DIRECTIONS);
  fit_stretch_clear(&r);
}

static void what_is_no_number_is_an_error(void **state) {
  (void)state;
  fit_stretch_result r;
  const double p[] = {1000, 0};
  fit_stretch_options opt = fit_stretch_options_default();
  st_strip(&lab, 0, st_cubic, p, 0.05, 20);
  lab.points[0][7].y = NAN;
  assert_fails(CB_E_NUM, "point 8", fit_stretch(lab.inputs, lab.n, &opt, &r, err));
  lab.points[0][7].y = 1;
  st_strip(&lab, 90, st_cubic, p, 0.05, 20);
  lab.tests[1].origin = CB_MEASURED;
  assert_fails(CB_E_RANGE, "stretch test 2: virtual and measured data together",
               fit_stretch(lab.inputs, lab.n, &opt, &r, err));
}

/* A million points, noisy, end; and the same bits come twice. */
/* A law of what others measured and we did is no better than theirs. */
static void the_weakest_origin_is_the_law_s(void **state) {
  (void)state;
  fit_stretch_result r;
  const double p[] = {1000, 0};
  st_strip(&lab, 0, st_cubic, p, 0.05, 20);
  st_strip(&lab, 0, st_cubic, p, 0.05, 20);
  st_strip(&lab, 0, st_cubic, p, 0.05, 20);
  lab.tests[0].origin = lab.tests[2].origin = CB_MEASURED;
  lab.tests[1].origin = CB_IMPORTED;
  st_fit(&lab, &r);
  assert_int_equal(r.law.origin, CB_IMPORTED);
  fit_stretch_clear(&r);
}

static void a_million_points_end(void **state) {
  (void)state;
  const size_t n = 1000000;
  cb_test_point *points = malloc(n * sizeof *points);
  cb_rng rng;
  fit_stretch_result a, b;
  fit_stretch_options opt = fit_stretch_options_default();
  cb_rng_init(&rng, 3, 0);
  for (size_t i = 0; i < n; i++) {
    double e = 0.1 * (double)i / (double)n;
    points[i] = (cb_test_point){0.1 * e, 0.05 * (100 * e + 1e5 * e * e * e) + 0.05 * cb_rng_normal(&rng)};
  }
  fit_stretch_input *in = st_add(&lab, 0);
  in->points = points, in->n = n;
  assert_ok(fit_stretch(lab.inputs, 1, &opt, &a, err));
  assert_ok(fit_stretch(lab.inputs, 1, &opt, &b, err));
  assert_memory_equal(&a.law.directions[0].knots, &b.law.directions[0].knots,
                      sizeof a.law.directions[0].knots);
  assert_near(cb_stretch_curve(&a.law.directions[0], 0.08, NULL), 8 + 51.2, 0.5);
  fit_stretch_clear(&a);
  fit_stretch_clear(&b);
  free(points);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup(f, fresh)
  const struct CMUnitTest tests[] = {
      TEST(a_straight_line_is_a_straight_line),
      TEST(the_weakest_origin_is_the_law_s),
      TEST(a_cubic_gives_k_and_lambda),
      TEST(the_first_cycle_counts),
      TEST(a_way_down_alone_is_no_test),
      TEST(slack_is_taken_off),
      TEST(the_first_reading_does_not_decide),
      TEST(repeats_share_what_is_not_seen),
      TEST(a_bent_toe_is_no_slack),
      TEST(the_raw_origin_can_be_chosen),
      TEST(pre_tension_is_extrapolated),
      TEST(pre_tension_can_be_chosen),
      TEST(layers_share_the_force),
      TEST(outliers_are_named_and_do_not_count),
      TEST(bands_cover),
      TEST(a_short_test_leaves_no_step),
      TEST(the_form_that_fits_is_chosen),
      TEST(with_three_the_shape_decides),
      TEST(shear_stands_in_for_the_bias),
      TEST(degenerate_tests_end_in_an_outcome),
      TEST(contradictory_points_are_averaged),
      TEST(three_points_are_enough),
      TEST(more_directions_than_there_is_room_for),
      TEST(what_is_no_number_is_an_error),
      TEST(a_million_points_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
