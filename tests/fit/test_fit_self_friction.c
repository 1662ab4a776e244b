/* Cloth on cloth: exact recovery of both tensors, the rule and the exponent; coverage, also where the rule is
 * in doubt; data that cannot tell; and the law's own arithmetic. Truth is written out here once more, by
 * angles. */
#include "cb_num.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_self_friction.h"

#define MOST 48

static const double directions[] = {0, 45, 90, 135};
static const fit_self_options two_cloths = {.exponent = 0.95,
                                            .u_exponent = 0.02,
                                            .exponent_from = CB_SELF_EXPONENT_PAIR},
                              one_cloth = {.same = true,
                                           .exponent = 1,
                                           .u_exponent = 0.14,
                                           .exponent_from = CB_SELF_EXPONENT_ASSUMED};

/* Force at 1 N, exponent, both tensors. */
typedef struct truth {
  cb_self_rule rule;
  double F1, n, a1, b1, a2, b2;
} truth;

static double force(const truth *t, double d1, double d2, double N) {
  double q1 = 1 + t->a1 * cos(2 * d1 * CB_DEG) + t->b1 * sin(2 * d1 * CB_DEG),
         q2 = 1 + t->a2 * cos(2 * d2 * CB_DEG) + t->b2 * sin(2 * d2 * CB_DEG);
  return t->F1 * pow(N, t->n) * (t->rule == CB_SELF_MEAN ? 0.5 * (q1 + q2) : sqrt(q1 * q2));
}

/* Every direction of one on every direction of the other, under each of the loads. */
static size_t pull_all(fit_self_obs *obs, const truth *t, const double *loads_N, size_t n_loads,
                       double scatter, cb_rng *rng) {
  size_t n = 0;
  for (size_t l = 0; l < n_loads; l++)
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 4; k++, n++)
        obs[n] = (fit_self_obs){.angle_rad = {directions[i] * CB_DEG, directions[k] * CB_DEG},
                                .normal_force_N = loads_N[l],
                                .force_N = force(t, directions[i], directions[k], loads_N[l]) *
                                           exp(scatter * cb_rng_normal(rng))};
  return n;
}

/* What the fit leaves to its caller. */
static void complete(cb_self_friction_law *law) {
  law->contact_area_m2 = 0.005;
  law->speed_m_per_s = 0.01;
}

static void both_tensors_the_rule_and_the_exponent_are_found(void **state) {
  (void)state;
  const double loads_N[] = {0.5, 1, 4};
  fit_self_obs obs[MOST];
  fit_self_friction f;
  cb_friction_value v;
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  for (int rule = 0; rule < 2; rule++) {
    const truth t = {(cb_self_rule)rule, 0.5, 0.9, 0.3, -0.1, -0.2, 0.25};
    size_t n = pull_all(obs, &t, loads_N, 3, 0, &rng);
    assert_ok(fit_self_friction_fit(obs, n, &two_cloths, &f, err));
    assert_int_equal(f.outcome, FIT_SELF_OK);
    assert_int_equal(f.law.form.rule, rule);
    assert_int_equal(f.law.exponent_from, CB_SELF_EXPONENT_FITTED);
    const double wanted[CB_SELF_PARAMETERS] = {
        log(force(&t, 0, 0, f.law.reference_N) / (rule ? sqrt(1.3 * 0.8) : 1.05)),
        0.9,
        0.3,
        -0.1,
        -0.2,
        0.25};
    for (int i = 0; i < CB_SELF_PARAMETERS; i++) assert_near(f.law.form.p[i], wanted[i], 1e-9);
    assert_near(f.law.reference_N, cbrt(2), 1e-12);
    assert_true(f.other_rms_rel > 1e-3);
    assert_true(f.law.other_weight < 1e-6);
    assert_true(isnan(f.one_tensor_p));
    complete(&f.law);
    assert_ok(cb_self_friction_law_check(&f.law, err));
    cb_self_friction_eval(&f.law, 0.3, 1.1, 2.5, &v);
    assert_near(v.force_N, force(&t, 0.3 / CB_DEG, 1.1 / CB_DEG, 2.5), 1e-9);
    assert_true(v.inside_measured_range);
  }
}

static void one_cloth_has_one_tensor(void **state) {
  (void)state;
  const truth t = {CB_SELF_MEAN, 0.4, 1, 0.2, 0.05, 0.2, 0.05};
  const double load_N = 2;
  fit_self_obs obs[MOST];
  fit_self_friction f;
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  size_t n = pull_all(obs, &t, &load_N, 1, 0, &rng);
  assert_ok(fit_self_friction_fit(obs, n, &one_cloth, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_OK);
  const double wanted[CB_SELF_PARAMETERS] = {log(0.8), 1, 0.2, 0.05, 0.2, 0.05};
  for (int i = 0; i < CB_SELF_PARAMETERS; i++) assert_near(f.law.form.p[i], wanted[i], 1e-9);
  assert_near(f.law.dof, 13, 0);
  assert_int_equal(f.law.exponent_from, CB_SELF_EXPONENT_ASSUMED);
  assert_near(f.law.cov[1][1], 0.14 * 0.14, 1e-15);
}

/* Share of 95 % bands that hold the truth, at directions that were measured and not, at and between the
 * loads. */
static double coverage(const truth *t, const fit_self_options *opt, const double *loads_N, size_t n_loads,
                       double scatter, uint64_t seed) {
  double inside = 0, all = 0;
  cb_rng rng;
  cb_rng_init(&rng, seed, 3);
  for (int i = 0; i < 1000; i++) {
    fit_self_obs obs[MOST];
    fit_self_friction f;
    size_t n = pull_all(obs, t, loads_N, n_loads, scatter, &rng);
    assert_ok(fit_self_friction_fit(obs, n, opt, &f, err));
    assert_int_equal(f.outcome, FIT_SELF_OK);
    for (int d = 0; d < 180; d += 36) {
      double N = loads_N[0] * (n_loads > 1 ? 1 + d / 60.0 : 1);
      cb_friction_value v;
      cb_self_friction_eval(&f.law, d * CB_DEG, 2.5 * d * CB_DEG, N, &v);
      inside += fabs(v.force_N - force(t, d, 2.5 * d, N)) <= cb_student_t(0.95, v.dof) * v.u_force_N;
      all++;
    }
  }
  print_message("coverage %.4f\n", inside / all);
  return inside / all;
}

static void the_band_covers(void **state) {
  (void)state;
  const double loads_N[] = {0.5, 1, 4}, load_N = 2;
  const truth two = {CB_SELF_MEAN, 0.5, 0.92, 0.1, 0.02, -0.08, 0.03},
              one = {CB_SELF_PRODUCT, 0.5, 1, 0.12, 0.04, 0.12, 0.04},
              strong = {CB_SELF_PRODUCT, 0.5, 1, 0.5, 0.1, -0.4, 0.2};
  const struct {
    const truth *t;
    const fit_self_options *opt;
    const double *loads_N;
    size_t n;
  } cases[] = {{&two, &two_cloths, loads_N, 3},
               {&one, &one_cloth, &load_N, 1},
               {&strong, &two_cloths, loads_N, 2},
               {&strong, &two_cloths, &load_N, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double c = coverage(cases[i].t, cases[i].opt, cases[i].loads_N, cases[i].n, 0.02, 7 + i);
    assert_true(c > 0.93 && c < 0.97);
  }
}

/* Repeats of one laying share most of its scatter: they must not be taken for independent pulls. */
static void repeats_in_one_laying_are_no_news(void **state) {
  (void)state;
  const truth t = {CB_SELF_MEAN, 0.5, 1, 0.1, 0.02, -0.08, 0.03};
  const double load_N = 2;
  double inside = 0, all = 0;
  cb_rng rng;
  cb_rng_init(&rng, 3, 9);
  for (int i = 0; i < 1000; i++) {
    fit_self_obs obs[MOST];
    fit_self_friction f;
    for (size_t r = 0; r < 3; r++) (void)pull_all(obs + 16 * r, &t, &load_N, 1, 0, &rng);
    for (int cell = 0; cell < 16; cell++) {
      double laying = exp(0.02 * cb_rng_normal(&rng));
      for (int r = 0; r < 3; r++) obs[16 * r + cell].force_N *= laying * exp(0.01 * cb_rng_normal(&rng));
    }
    assert_ok(fit_self_friction_fit(obs, MOST, &two_cloths, &f, err));
    assert_int_equal(f.n_cells, 16);
    assert_true(f.by_cells);
    assert_near(f.law.dof, 11, 0);
    for (int d = 0; d < 180; d += 36) {
      cb_friction_value v;
      cb_self_friction_eval(&f.law, d * CB_DEG, 2.5 * d * CB_DEG, 2, &v);
      inside += fabs(v.force_N - force(&t, d, 2.5 * d, 2)) <= cb_student_t(0.95, v.dof) * v.u_force_N;
      all++;
    }
  }
  print_message("coverage %.4f\n", inside / all);
  assert_true(inside / all > 0.93 && inside / all < 0.97);
}

/* Weak scatter, the least directions: the rules agree where pulls were made and differ between; the band must
 * hold both. */
static void a_rule_in_doubt_widens_the_band(void **state) {
  (void)state;
  const truth t = {CB_SELF_MEAN, 0.5, 1, 0.4, 0, -0.3, 0};
  const double pairs[][2] = {{0, 0}, {45, 0}, {90, 0}, {0, 45}, {0, 90}, {45, 0}, {0, 45}, {0, 0}};
  fit_self_obs obs[8];
  fit_self_friction f;
  cb_friction_value v;
  cb_rng rng;
  cb_rng_init(&rng, 5, 5);
  for (int i = 0; i < 8; i++)
    obs[i] = (fit_self_obs){{pairs[i][0] * CB_DEG, pairs[i][1] * CB_DEG},
                            1,
                            force(&t, pairs[i][0], pairs[i][1], 1) * exp(0.02 * cb_rng_normal(&rng))};
  assert_ok(fit_self_friction_fit(obs, 8, &two_cloths, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_OK);
  assert_true(f.law.other_weight > 0.01);
  complete(&f.law);
  cb_self_friction_eval(&f.law, 90 * CB_DEG, 90 * CB_DEG, 1, &v);
  double with = v.u_force_N;
  f.law.other_weight = 0;
  cb_self_friction_eval(&f.law, 90 * CB_DEG, 90 * CB_DEG, 1, &v);
  assert_true(with > v.u_force_N);
}

/* The least directions, twice or four times each: 95 % bands in all directions, most of them far from any
 * pull, where the rules differ. */
static double coverage_of_the_least(const truth *t, int repeats, uint64_t seed) {
  const double pairs[][2] = {{0, 0}, {45, 0}, {90, 0}, {0, 45}, {0, 90}};
  double inside = 0, all = 0;
  cb_rng rng;
  cb_rng_init(&rng, seed, 9);
  for (int i = 0; i < 400; i++) {
    fit_self_obs obs[20];
    fit_self_friction f;
    size_t n = 0;
    for (int k = 0; k < 5 * repeats; k++, n++) {
      const double *d = pairs[k % 5];
      obs[n] = (fit_self_obs){
          {d[0] * CB_DEG, d[1] * CB_DEG}, 1, force(t, d[0], d[1], 1) * exp(0.01 * cb_rng_normal(&rng))};
    }
    assert_ok(fit_self_friction_fit(obs, n, &two_cloths, &f, err));
    assert_int_equal(f.outcome, FIT_SELF_OK);
    assert_true(!f.by_cells && f.n_cells == 5);
    for (int d = 0; d < 16; d++, all++) {
      cb_friction_value v;
      cb_self_friction_eval(&f.law, directions[d / 4] * CB_DEG, directions[d % 4] * CB_DEG, 1, &v);
      inside += fabs(v.force_N - force(t, directions[d / 4], directions[d % 4], 1)) <=
                cb_student_t(0.95, v.dof) * v.u_force_N;
    }
  }
  print_message("coverage of the least: %.4f\n", inside / all);
  return inside / all;
}

static void the_least_directions_cover(void **state) {
  (void)state;
  for (int rule = 0; rule < 2; rule++)
    for (int strong = 0; strong < 2; strong++)
      for (int repeats = 2; repeats <= 4; repeats += 2) {
        double a = strong ? 0.4 : 0.15;
        const truth t = {(cb_self_rule)rule, 0.5, 1, a, 0.05, -0.7 * a, 0.03};
        double c = coverage_of_the_least(&t, repeats, 4 + (uint64_t)rule);
        assert_true(c > 0.93 && c < 0.98);
      }
}

/* Back on face: 5 % of p values below 5 % where one tensor is true, nearly all where it is not. */
static void one_tensor_is_tested(void **state) {
  (void)state;
  const truth face = {CB_SELF_MEAN, 0.5, 1, 0.12, 0.04, 0.12, 0.04},
              back = {CB_SELF_MEAN, 0.5, 1, 0.12, 0.04, -0.02, 0};
  const double load_N = 2;
  int low[2] = {0};
  cb_rng rng;
  cb_rng_init(&rng, 11, 2);
  for (int i = 0; i < 1000; i++)
    for (int k = 0; k < 2; k++) {
      fit_self_obs obs[MOST];
      fit_self_friction f;
      size_t n = pull_all(obs, k ? &back : &face, &load_N, 1, 0.02, &rng);
      assert_ok(fit_self_friction_fit(obs, n, &one_cloth, &f, err));
      low[k] += f.one_tensor_p < 0.05;
    }
  print_message("p < 0.05: %d and %d of 1000\n", low[0], low[1]);
  assert_true(low[0] > 30 && low[0] < 70);
  assert_true(low[1] > 950);
}

static void data_that_cannot_tell_say_so(void **state) {
  (void)state;
  const truth t = {CB_SELF_MEAN, 0.5, 1, 0.3, -0.1, -0.2, 0.25};
  const double load_N = 2;
  fit_self_obs obs[MOST], some[8];
  fit_self_friction f;
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  (void)pull_all(obs, &t, &load_N, 1, 0.01, &rng);
  assert_ok(fit_self_friction_fit(obs, 0, &two_cloths, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_TOO_FEW);
  assert_ok(fit_self_friction_fit(obs, 5, &two_cloths, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_TOO_FEW);
  for (int i = 0; i < 8; i++) some[i] = obs[5 * (i % 4)]; /* both always turned alike */
  assert_ok(fit_self_friction_fit(some, 8, &two_cloths, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_NOT_TOLD);
  for (int i = 0; i < 8; i++)
    some[i] = obs[3], some[i].normal_force_N = 1 + i; /* one direction, many loads */
  assert_ok(fit_self_friction_fit(some, 8, &two_cloths, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_NOT_TOLD);
  for (int i = 0; i < 16; i++)
    obs[i].force_N *= i % 4 == 2 ? 1e-4 : 1; /* no friction at all in one direction */
  assert_ok(fit_self_friction_fit(obs, 16, &two_cloths, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_NO_TENSOR);
  obs[3].force_N = NAN;
  assert_fails(CB_E_RANGE, "pull 3: force nan", fit_self_friction_fit(obs, 16, &two_cloths, &f, err));
}

static void a_force_that_falls_with_the_load_is_none(void **state) {
  (void)state;
  const truth t = {CB_SELF_MEAN, 0.5, -0.5, 0.1, 0, 0.1, 0};
  const double loads_N[] = {1, 4};
  fit_self_obs obs[MOST];
  fit_self_friction f;
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  size_t n = pull_all(obs, &t, loads_N, 2, 0.01, &rng);
  assert_ok(fit_self_friction_fit(obs, n, &two_cloths, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_NO_LOAD);
}

static void constant_forces_are_two_round_tensors(void **state) {
  (void)state;
  const truth t = {CB_SELF_MEAN, 0.5, 1, 0, 0, 0, 0};
  const double load_N = 2;
  fit_self_obs obs[MOST];
  fit_self_friction f;
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  size_t n = pull_all(obs, &t, &load_N, 1, 0, &rng);
  assert_ok(fit_self_friction_fit(obs, n, &two_cloths, &f, err));
  assert_int_equal(f.outcome, FIT_SELF_OK);
  for (int i = 2; i < CB_SELF_PARAMETERS; i++) assert_near(f.law.form.p[i], 0, 1e-12);
  complete(&f.law);
  assert_ok(cb_self_friction_law_check(&f.law, err));
}

/* ---- the law ---- */

static cb_self_friction_law a_law(cb_self_rule rule) {
  cb_self_friction_law law = {.form = {rule, {log(0.6), 0.9, 0.3, -0.1, -0.2, 0.25}},
                              .dof = 10,
                              .reference_N = 1,
                              .min_N = 0.5,
                              .max_N = 4,
                              .contact_area_m2 = 0.005,
                              .speed_m_per_s = 0.01};
  for (int i = 0; i < CB_SELF_PARAMETERS; i++) law.cov[i][i] = 1e-4 * (i + 1);
  return law;
}

/* The simulator's way and the other one, and another area: traction over pressure is the same. */
static void vectors_angles_and_areas(void **state) {
  (void)state;
  for (int rule = 0; rule < 2; rule++) {
    cb_self_friction_law law = a_law((cb_self_rule)rule), half = cb_self_friction_law_on_area(&law, 0.0025);
    const truth t = {(cb_self_rule)rule, 0.6, 0.9, 0.3, -0.1, -0.2, 0.25};
    assert_ok(cb_self_friction_law_check(&half, err));
    for (int d = 0; d < 360; d += 30) {
      double u[2] = {cos(d * CB_DEG), sin(d * CB_DEG)}, w[2] = {cos(0.7 * d * CB_DEG), sin(0.7 * d * CB_DEG)};
      cb_friction_value v, on_half;
      cb_self_friction_eval(&law, d * CB_DEG, 0.7 * d * CB_DEG, 3, &v);
      cb_self_friction_eval(&half, d * CB_DEG, 0.7 * d * CB_DEG, 1.5, &on_half);
      assert_near(cb_self_friction_force_N(&law, u, w, 3), force(&t, d, 0.7 * d, 3), 1e-12);
      assert_near(v.force_N, force(&t, d, 0.7 * d, 3), 1e-12);
      assert_near(on_half.force_N, 0.5 * v.force_N, 1e-12);
      assert_near(on_half.u_force_N, 0.5 * v.u_force_N, 1e-12);
    }
    assert_near(cb_self_friction_force_N(&law, (double[]){1, 0}, (double[]){1, 0}, 0), 0, 0);
  }
}

/* d ln F by the parameters against differences, with one of them uncertain at a time. */
static void uncertainty_is_the_gradient(void **state) {
  (void)state;
  for (int rule = 0; rule < 2; rule++)
    for (int i = 0; i < CB_SELF_PARAMETERS; i++) {
      cb_self_friction_law law = a_law((cb_self_rule)rule), moved = law;
      cb_friction_value v, w;
      memset(law.cov, 0, sizeof law.cov);
      law.cov[i][i] = 1e-12;
      moved.form.p[i] += 1e-6;
      cb_self_friction_eval(&law, 0.4, 1.3, 3, &v);
      cb_self_friction_eval(&moved, 0.4, 1.3, 3, &w);
      assert_near(v.u_force_N, fabs(w.force_N - v.force_N), 1e-5 * v.u_force_N + 1e-12);
      assert_near(v.dof, 10, 1e-9);
      law.u_rel_common = 0.01;
      law.u_floor_N = 0.002;
      cb_self_friction_eval(&law, 0.4, 1.3, 3, &v);
      assert_near(v.u_force_N, hypot(0.01 * v.force_N, 0.002), 1e-6);
    }
}

static void a_law_that_is_none(void **state) {
  (void)state;
  cb_self_friction_law law = a_law(CB_SELF_MEAN);
  law.form.p[2] = 1;
  assert_fails(CB_E_NUM, "amplitudes below 1 were wanted", cb_self_friction_law_check(&law, err));
  law = a_law(CB_SELF_MEAN);
  law.form.p[1] = 0;
  assert_fails(CB_E_NUM, "exponent 0", cb_self_friction_law_check(&law, err));
  law = a_law(CB_SELF_MEAN);
  law.contact_area_m2 = NAN;
  assert_fails(CB_E_RANGE, "area nan m2", cb_self_friction_law_check(&law, err));
  law = a_law(CB_SELF_MEAN);
  law.cov[2][3] = NAN;
  assert_fails(CB_E_NUM, "covariance 3, 4 is nan", cb_self_friction_law_check(&law, err));
  law = a_law(CB_SELF_MEAN);
  law.dof = 0;
  assert_fails(CB_E_RANGE, "dof = 0 degrees of freedom", cb_self_friction_law_check(&law, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_tensors_the_rule_and_the_exponent_are_found),
      cmocka_unit_test(one_cloth_has_one_tensor),
      cmocka_unit_test(the_band_covers),
      cmocka_unit_test(repeats_in_one_laying_are_no_news),
      cmocka_unit_test(the_least_directions_cover),
      cmocka_unit_test(a_rule_in_doubt_widens_the_band),
      cmocka_unit_test(one_tensor_is_tested),
      cmocka_unit_test(data_that_cannot_tell_say_so),
      cmocka_unit_test(a_force_that_falls_with_the_load_is_none),
      cmocka_unit_test(constant_forces_are_two_round_tensors),
      cmocka_unit_test(vectors_angles_and_areas),
      cmocka_unit_test(uncertainty_is_the_gradient),
      cmocka_unit_test(a_law_that_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
