/* Budgets of friction forces: entries against closed forms, sums against the law. */
#include "cb_num.h"
#include "cb_stats.h"
#include "coverage.h"

#include "cbtest.h"
#include "fit_force_budget.h"

typedef struct fitted {
  cb_friction_obs obs[COV_MAX_RUNS];
  size_t n;
  fit_friction_result r;
  fit_force_scatter scatter;
} fitted;

static fitted fit_with_line(size_t design, cb_friction_model model, double pitch_rad, double yaw_rad) {
  static fitted f;
  const cov_truth t = {
      .model = model, .mu = 0.5, .a = 0.1, .b = 0.02, .n = model == CB_MODEL_COULOMB ? 1 : 0.85};
  fit_friction_options opt = {
      .u_angle_rad = cov_usual.angle_rad, .u_pitch_rad = pitch_rad, .u_yaw_rad = yaw_rad};
  cb_rng rng;
  cb_rng_init(&rng, 4, 4);
  f.n = cov_campaign(&t, &cov_designs[design], &cov_usual, &rng, f.obs);
  for (size_t i = 0; i < f.n; i++) {
    f.obs[i].point.u_zero_N = 0.0003; /* of the 0.5 mN that the point states */
    f.obs[i].dof_calibration = 30;
  }
  assert_ok(fit_friction(f.obs, f.n, "Cloth", "Body", &opt, &f.r, err));
  assert_int_equal(f.r.kinetic.outcome, FIT_FRICTION_OK);
  f.scatter = fit_force_scatter_of(f.obs, f.n, &f.r.kinetic, &opt);
  return f;
}

static fitted fit_design(size_t design, cb_friction_model model) {
  return fit_with_line(design, model, 0, 0);
}

static const fit_budget_entry *find(const fit_force_budget *b, const char *name) {
  for (size_t i = 0; i < b->n_entries; i++)
    if (strcmp(b->entry[i].name, name) == 0) return &b->entry[i];
  return NULL;
}

static const fit_budget_entry *need(const fit_force_budget *b, const char *name) {
  const fit_budget_entry *e = find(b, name);
  if (!e) fail_msg("the budget has no '%s'", name);
  return e;
}

/* At, between and outside the loads, in and between the directions: the entries add up to what the law
 * says. */
static void entries_sum_up_to_the_law(void **state) {
  (void)state;
  const double loads[] = {0.05, 0.127, 0.4, 1.01, 2.5, 5};
  for (size_t d = 0; d < COV_DESIGNS; d++)
    for (int m = CB_MODEL_CURVE; m <= CB_MODEL_OFFSET; m++) {
      fitted f = fit_design(d, (cb_friction_model)m);
      for (size_t l = 0; l < 6; l++)
        for (int deg = -75; deg <= 90; deg += 15) {
          cb_friction_value v;
          fit_force_budget with, without;
          cb_friction_law_eval(&f.r.kinetic.law, deg * CB_DEG, loads[l], &v);
          fit_force_budget_law(&f.r.kinetic.law, deg * CB_DEG, loads[l], &f.scatter, &with);
          fit_force_budget_law(&f.r.kinetic.law, deg * CB_DEG, loads[l], NULL, &without);
          assert_near(with.total.u, v.u_force_N, 1e-9 * v.u_force_N);
          assert_near(without.total.u, v.u_force_N, 1e-9 * v.u_force_N);
          assert_near(without.total.dof, v.dof, 1e-6 * v.dof);
          assert_true(with.n_entries <= FIT_FORCE_ENTRIES);
        }
    }
}

static void entries_of_a_prediction(void **state) {
  (void)state;
  fitted f = fit_design(0, CB_MODEL_POWER);
  const cb_friction_law *law = &f.r.kinetic.law;
  fit_force_budget b;
  fit_force_budget_law(law, 20 * CB_DEG, 0.7, &f.scatter, &b);
  const fit_budget_entry *load = need(&b, "normal force"), *gain = need(&b, "calibration, in proportion");
  /* F = c N^n: dF/dN = n F / N; the cart's uncertainty is the same under every load. */
  assert_int_equal(law->model, CB_MODEL_POWER);
  assert_near(load->sensitivity, law->exponent * b.force_N / 0.7, 1e-6);
  assert_near(load->value, cov_usual.load_N, 0.2 * cov_usual.load_N); /* between the loads it is
                                                                         interpolated */
  assert_near(gain->u_N, cov_usual.gain_rel * b.force_N, 1e-12);
  assert_near(gain->dof, 30, 0);
  assert_near(need(&b, "calibration, floor")->u_N, cov_usual.floor_N, 0.1 * cov_usual.floor_N);
  /* One run scatters by 1 %, and the law averages 54 of them. */
  const fit_budget_entry *repeat = need(&b, "repeatability");
  assert_near(repeat->value, f.r.kinetic.scatter_rel, 0);
  assert_true(repeat->u_N < 0.5 * repeat->value * b.force_N && repeat->type == 'A');
  assert_near(need(&b, "zero")->value, 0.0003, 1e-15);
  assert_near(need(&b, "plateau")->value, 0.0004, 1e-12);
  assert_near(need(&b, "angle")->value, cov_usual.angle_rad, 0);
  assert_null(find(&b, "outside the loads"));
  cb_friction_law farther = *law;
  farther.u_exponent = 0.05;
  const double far = log(7 / 2.97);
  fit_force_budget_law(&farther, 20 * CB_DEG, 7, &f.scatter, &b);
  assert_near(need(&b, "outside the loads")->u_N, far * sqrt(1 + far / log(2.97 / 0.127)) * 0.05 * b.force_N,
              1e-5 * b.force_N);
}

/* Three directions at six loads tell placement from scatter; one sweep does not. */
static void what_is_missing_is_said(void **state) {
  (void)state;
  const char *missing[FIT_NOT_ASSESSED];
  fitted full = fit_design(0, CB_MODEL_POWER), sweep = fit_design(3, CB_MODEL_POWER);
  assert_int_equal(fit_force_not_assessed(&full.r.kinetic.law, NULL, missing), 1);
  assert_non_null(strstr(missing[0], "alignment"));
  assert_int_equal(fit_force_not_assessed(&full.r.kinetic.law, &full.scatter, missing), 1);
  assert_int_equal(fit_force_not_assessed(&sweep.r.kinetic.law, &sweep.scatter, missing), 2);
  assert_non_null(strstr(missing[1], "placement"));
}

static void entries_of_a_run(void **state) {
  (void)state;
  fitted f = fit_design(0, CB_MODEL_POWER);
  cb_friction_obs run = f.obs[0];
  fit_force_budget b;
  const cb_friction_law *law = &f.r.kinetic.law;
  run.run.angle_deg = 30;
  run.point = (cb_friction_point){
      .kinetic_N = 0.4, .u_kinetic_N = 0.0005, .u_zero_N = 0.0003, .kinetic_sd_N = 1e-5, .n_eff = 41};
  run.run.normal_force_N = 1;
  f.scatter.place_rel = 0.02, f.scatter.place_dof = 8;
  fit_force_budget_run(law, &run, &f.scatter, 0.002, &b);
  const double f3[3] = {law->knots[0].f_N[0], law->knots[0].f_N[1], law->knots[0].f_N[2]};
  double at1 = pow(1 / law->knots[0].normal_force_N, law->exponent);
  double turn = at1 * ((f3[2] - f3[0]) * sin(60 * CB_DEG) + 2 * f3[1] * cos(60 * CB_DEG)), force[3];
  cb_friction_law_matrix(law, 1, force);
  assert_near(need(&b, "repeatability")->u_N, f.r.kinetic.scatter_rel * 0.4, 1e-12);
  assert_near(need(&b, "placement")->u_N, 0.008, 1e-12);
  assert_near(need(&b, "zero")->u_N, 0.0003, 1e-12);
  assert_near(need(&b, "plateau")->u_N, 0.0004, 1e-12);
  assert_near(need(&b, "plateau")->dof, 40, 0);
  assert_near(need(&b, "resolution")->u_N, 0.001 / sqrt(3), 1e-12);
  assert_near(need(&b, "angle")->u_N, fabs(turn) * cov_usual.angle_rad, 1e-9);
  assert_near(need(&b, "calibration, in proportion")->u_N, cov_usual.gain_rel * 0.4, 1e-12);
  assert_near(need(&b, "calibration, floor")->u_N, cov_usual.floor_N, 1e-12);
  assert_near(need(&b, "normal force")->u_N,
              law->exponent * cb_friction_quadratic(force, 30 * CB_DEG) * cov_usual.load_N, 1e-9);
  double var = 0;
  for (size_t i = 0; i < b.n_entries; i++) var += b.entry[i].u_N * b.entry[i].u_N;
  assert_near(b.total.u, sqrt(var), 1e-12);
  assert_near(b.total.U, cb_student_t(0.95, b.total.dof) * b.total.u, 1e-12);
  /* Noise that stirs the digit already shows it. */
  run.point.kinetic_sd_N = 0.003;
  fit_force_budget_run(law, &run, &f.scatter, 0.002, &b);
  assert_near(need(&b, "resolution")->u_N, 0, 0);
}

/* T cos x = F(N - T sin x), in closed form for Coulomb's law: what 1 degree does to mu N / (cos x + mu sin
 * x), against the entries of a run and of the law; and the sums with them. */
static void alignment_has_entries(void **state) {
  (void)state;
  const double x = 1 * CB_DEG, y = 2 * CB_DEG;
  const char *missing[FIT_NOT_ASSESSED];
  fitted f = fit_with_line(2, CB_MODEL_COULOMB, x, y); /* one load: on it the law is Coulomb's */
  const cb_friction_law *law = &f.r.kinetic.law;
  for (int deg = 0; deg <= 90; deg += 45) {
    fit_force_budget b, r;
    cb_friction_value v;
    cb_friction_obs run = f.obs[0];
    cb_friction_law_eval(law, deg * CB_DEG, 1.01, &v);
    fit_force_budget_law(law, deg * CB_DEG, 1.01, &f.scatter, &b);
    run.run.angle_deg = deg, run.run.normal_force_N = 1.01, run.point.kinetic_N = v.force_N;
    fit_force_budget_run(law, &run, &f.scatter, 0.0001, &r);
    double mu = v.force_N / 1.01, up = 1 / (cos(x) + mu * sin(x)), down = 1 / (cos(x) - mu * sin(x));
    assert_near(need(&r, "alignment")->u_N, 0.5 * (down - up) * v.force_N, 2e-3 * mu * x * v.force_N);
    /* The square of the matrix for the square of the force: second order in an anisotropy of 10 %. */
    assert_near(need(&b, "alignment")->u_N, need(&r, "alignment")->u_N, 0.015 * need(&r, "alignment")->u_N);
    /* Means of x^4 and y^4 are 3 u^4; what both ways show of x^2 is known from the closed form. */
    double pitch = 0.5 * (up + down) - 1, yaw = 1 / cos(y) - 1,
           second = sqrt(3 * (pitch * pitch + yaw * yaw)) * v.force_N;
    assert_near(need(&r, "alignment, second order")->u_N, second, 5e-3 * second);
    assert_near(need(&b, "alignment, second order")->u_N, second, 0.05 * second);
    assert_near(b.total.u, v.u_force_N, 1e-9 * v.u_force_N);
  }
  for (size_t i = fit_force_not_assessed(law, &f.scatter, missing); i-- > 0;)
    assert_null(strstr(missing[i], "alignment"));
}

/* What a line does to every run, repeats do not average out. */
static void alignment_is_shared(void **state) {
  (void)state;
  const double x = 1 * CB_DEG;
  for (size_t d = 0; d < COV_DESIGNS; d++)
    for (int m = CB_MODEL_CURVE; m <= CB_MODEL_OFFSET; m++) {
      fitted f = fit_with_line(d, (cb_friction_model)m, x, x);
      const cb_friction_law *law = &f.r.kinetic.law;
      for (double N = 0.08; N < 6; N *= 1.7) {
        fit_force_budget b;
        cb_friction_value v;
        cb_friction_law_eval(law, 45 * CB_DEG, N, &v);
        fit_force_budget_law(law, 45 * CB_DEG, N, &f.scatter, &b);
        double slope = law->exponent * v.force_N / (N + law->offset_N);
        /* Between the knots the effect is interpolated; outside it goes on linearly in ln N. */
        assert_near(need(&b, "alignment")->u_N, slope * x * v.force_N, 0.06 * slope * x * v.force_N);
        assert_near(b.total.u, v.u_force_N, 1e-9 * v.u_force_N);
      }
    }
}

static void no_load_has_no_budget(void **state) {
  (void)state;
  fitted f = fit_design(0, CB_MODEL_POWER);
  fit_force_budget b;
  fit_force_budget_law(&f.r.kinetic.law, 0, 0, &f.scatter, &b);
  assert_near(b.force_N, 0, 0);
  assert_near(b.total.u, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries_sum_up_to_the_law), cmocka_unit_test(entries_of_a_prediction),
      cmocka_unit_test(what_is_missing_is_said),   cmocka_unit_test(entries_of_a_run),
      cmocka_unit_test(no_load_has_no_budget),     cmocka_unit_test(alignment_has_entries),
      cmocka_unit_test(alignment_is_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
