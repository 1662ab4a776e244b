/* What to measure next: the stages for any state of the runs, and expectations against the closed form of a
 * Gaussian update. */
#include "cb_num.h"
#include "cb_rng.h"
#include "cbtest.h"
#include "fit_plan.h"
#include "fit_plan_round.h"

/* Root mean square of the law's relative standard uncertainty over 12 angles and 9 loads. */
static double u_rel_of(const cb_friction_law *law, double from_N, double to_N) {
  double sum = 0;
  for (int a = 0; a < 12; a++)
    for (int l = 0; l < 9; l++) {
      cb_friction_value v;
      cb_friction_law_eval(law, 15 * a * CB_DEG, from_N * pow(to_N / from_N, l / 8.0), &v);
      sum += v.u_force_N / v.force_N * (v.u_force_N / v.force_N);
    }
  return sqrt(sum / (12 * 9));
}

typedef struct campaign {
  cb_friction_obs obs[256];
  size_t n;
} campaign;

static const double loads[] = {0.23, 0.37, 0.62, 1.1, 2.1, 3.1};

static void add(campaign *c, double angle_deg, double N, double force_N) {
  c->obs[c->n++] = (cb_friction_obs){
      .run = {.id = (int64_t)c->n,
              .campaign_id = 1,
              .angle_deg = angle_deg,
              .normal_force_N = N,
              .contact_area_m2 = 0.005,
              .direction = 1,
              .origin = CB_VIRTUAL},
      .point = {.static_N = NAN, .kinetic_N = force_N, .u_kinetic_N = 0, .mu_reported = NAN},
      .u_rel_calibration = 0.002};
}

static const fit_friction_result *fit(const campaign *c) {
  static fit_friction_result r;
  fit_friction_options opt = {0};
  assert_ok(fit_friction(c->obs, c->n, "Cloth", "Body", &opt, &r, err));
  return &r;
}

static fit_plan_options bench_of(size_t n_angles, double step_deg) {
  fit_plan_options o = {.n_angles = n_angles,
                        .n_loads = 6,
                        .from_N = 0.23,
                        .to_N = 3.1,
                        .max_pulls = 6,
                        .pulls_per_repeat = 1,
                        .pull_s = 10,
                        .turn_s = 60,
                        .weights_s = 30};
  for (size_t i = 0; i < n_angles; i++) o.angles_deg[i] = step_deg * (double)i;
  memcpy(o.loads_N, loads, sizeof loads);
  return o;
}

static fit_plan plan(const campaign *c, const fit_plan_options *o) {
  fit_plan p;
  assert_ok(fit_plan_next(c->obs, c->n, fit(c), o, &p, err));
  return p;
}

/* mu at 0 and 90 degrees, 1 % scatter from a fixed seed. */
static void measure(campaign *c, cb_rng *rng, double angle_deg, double N, double mu0, double mu90,
                    int repeats) {
  double co = cos(angle_deg * CB_DEG), si = sin(angle_deg * CB_DEG);
  for (int k = 0; k < repeats; k++)
    add(c, angle_deg, N, (mu0 * co * co + mu90 * si * si) * pow(N, 0.9) * (1 + 0.01 * cb_rng_normal(rng)));
}

static void compare_directions(campaign *c, cb_rng *rng, double mu0, double mu90) {
  cb_rng_init(rng, 3, 1);
  c->n = 0;
  for (int a = 0; a < 3; a++) measure(c, rng, 45 * a, 1.1, mu0, mu90, 3);
}

/* ---- stages ---- */

static void nothing_known_compares_directions(void **state) {
  (void)state;
  campaign c = {.n = 0};
  fit_plan_options o = bench_of(12, 15);
  fit_plan p = plan(&c, &o);
  assert_int_equal(p.stage, FIT_PLAN_DIRECTIONS);
  assert_int_equal(p.n_cells, 3);
  assert_int_equal(p.repeats, 3);
  for (size_t i = 0; i < 3; i++) {
    assert_near(p.cells[i].angle_deg, 45 * (double)i, 0);
    assert_near(p.cells[i].normal_force_N, 1.1, 0); /* nearest to sqrt(0.23 * 3.1) = 0.84 in ln N */
  }
  assert_true(isnan(p.u_rel) && isnan(p.u_rel_expected) && isnan(p.u_rel_floor));
  assert_near(p.seconds, 3 * (60 + 30 + 3 * 10), 1e-9);
  o.pulls_per_repeat = 2;
  assert_int_equal(plan(&c, &o).repeats, 2); /* three pulls are two ways there and back */
  /* Cut short: the rest of it, under the load where it was begun. */
  o.pulls_per_repeat = 1;
  for (int k = 0; k < 3; k++) add(&c, 0, 2.1, 1 + 0.01 * k);
  add(&c, 45, 2.1, 1);
  p = plan(&c, &o);
  assert_int_equal(p.stage, FIT_PLAN_DIRECTIONS);
  assert_int_equal(p.n_cells, 2);
  assert_near(p.cells[0].angle_deg, 45, 0);
  assert_near(p.cells[1].angle_deg, 90, 0);
  assert_near(p.cells[1].normal_force_N, 2.1, 0);
  /* A bench with one direction compares none. */
  c.n = 0;
  o.n_angles = 1;
  p = plan(&c, &o);
  assert_int_equal(p.n_cells, 1);
  assert_int_equal(p.repeats, 3);
}

static void directions_decide_the_sweep(void **state) {
  (void)state;
  campaign c;
  cb_rng rng;
  fit_plan_options o = bench_of(12, 15);
  compare_directions(&c, &rng, 0.5, 0.5);
  fit_plan p = plan(&c, &o);
  assert_int_equal(p.stage, FIT_PLAN_SWEEP);
  assert_int_equal(p.n_cells, 5);
  assert_int_equal(p.repeats, 1);
  for (size_t i = 0; i < 5; i++) {
    assert_near(p.cells[i].angle_deg, 0, 0);
    assert_near(p.cells[i].normal_force_N, loads[i < 3 ? i : i + 1], 0);
    assert_true(p.cells[i].u_rel <= (i ? p.cells[i - 1].u_rel : p.u_rel));
  }
  assert_near(p.seconds, 60 + 5 * (30 + 10), 1e-9);
  compare_directions(&c, &rng, 0.6, 0.45);
  p = plan(&c, &o);
  assert_int_equal(p.stage, FIT_PLAN_SWEEP);
  assert_int_equal(p.n_cells, 15);
  /* What is done of the sweep is not asked for again. */
  measure(&c, &rng, 90, 3.1, 0.6, 0.45, 1);
  assert_int_equal(plan(&c, &o).n_cells, 14);
}

static void sweep(campaign *c, cb_rng *rng, double mu0, double mu90) {
  compare_directions(c, rng, mu0, mu90);
  for (int a = 0; a < 3; a++)
    for (int l = 0; l < 6; l++)
      if (l != 3) measure(c, rng, 45 * a, loads[l], mu0, mu90, 1);
}

static void then_what_helps_until_it_is_enough(void **state) {
  (void)state;
  campaign c;
  cb_rng rng;
  fit_plan_options o = bench_of(12, 15);
  sweep(&c, &rng, 0.6, 0.45);
  fit_plan p = plan(&c, &o), again = plan(&c, &o);
  assert_int_equal(p.stage, FIT_PLAN_REFINE);
  assert_memory_equal(&p, &again, sizeof p);
  assert_true(p.n_cells >= 1 && p.n_cells * p.repeats <= 6);
  assert_near(p.u_rel_floor, 0.002, 1e-15); /* the calibration: these loads are exact */
  assert_true(p.u_rel_floor < p.u_rel_expected && p.u_rel_expected < p.u_rel);
  assert_near(p.u_rel, u_rel_of(&fit(&c)->kinetic.law, 0.23, 3.1), 1e-14);
  /* The round ends where the target is met. */
  fit_plan_options near = o;
  near.target_rel = p.cells[0].u_rel;
  fit_plan stopped = plan(&c, &near);
  assert_true(stopped.u_rel_expected <= near.target_rel);
  assert_true(stopped.n_cells == 1 || stopped.cells[stopped.n_cells - 2].u_rel > near.target_rel);
  near.target_rel = p.u_rel * 1.001;
  fit_plan enough = plan(&c, &near);
  assert_int_equal(enough.stage, FIT_PLAN_ENOUGH);
  assert_int_equal(enough.n_cells, 0);
  near.target_rel = 0.0015; /* below the calibration's 0.2 % */
  assert_int_equal(plan(&c, &near).stage, FIT_PLAN_FLOOR);
}

static void no_law_is_said(void **state) {
  (void)state;
  campaign c = {.n = 0};
  fit_plan_options o = bench_of(3, 45);
  for (int i = 0; i < 9; i++) add(&c, 45 * (i / 3), 1.1, 0);
  fit_plan p = plan(&c, &o);
  assert_int_equal(p.stage, FIT_PLAN_NO_LAW);
  assert_int_equal(p.n_cells, 0);
}

/* ---- time ---- */

static size_t directions_in(const fit_plan *p) {
  size_t n = 0;
  for (size_t i = 0; i < p->n_cells; i++) {
    bool before = false;
    for (size_t k = 0; k < i; k++) before = before || p->cells[k].angle_deg == p->cells[i].angle_deg;
    n += before ? 0 : 1;
  }
  return n;
}

static void dear_handling_makes_more_pulls_of_it(void **state) {
  (void)state;
  campaign c;
  cb_rng rng;
  fit_plan_options o = bench_of(12, 15);
  sweep(&c, &rng, 0.6, 0.45);
  o.turn_s = 0, o.weights_s = 0;
  fit_plan free_handling = plan(&c, &o);
  assert_int_equal(free_handling.repeats, 1);
  assert_near(free_handling.seconds, 60, 1e-9);
  o.turn_s = 3600;
  fit_plan dear = plan(&c, &o);
  assert_true(directions_in(&dear) < directions_in(&free_handling));
}

/* ---- expectations against closed forms ---- */

/* What m more pulls add to a cell of n: the precision of its mean, whose laying they share. */
static double worth(double place, double s, double n, double m) {
  return 1 / (1 / (place * place + s * s / (n + m)) - 1 / (place * place + s * s / n));
}

/* One source of relative size a, the same everywhere: a run with variance v leaves a^2 v / (a^2 + v). */
static void one_source_is_bayes(void **state) {
  (void)state;
  const double a = 0.02, s = 0.01, place = 0.004, common = 0.003;
  fit_friction_result r = {
      .kinetic = {.outcome = FIT_FRICTION_OK, .scatter_rel = s, .placement_rel = place, .scatter_dof = 2},
      .verdict = {.n_angles = 1, .angles = {{.n = 3}}, .isotropic = true}};
  r.kinetic.law = (cb_friction_law){
      .contact_area_m2 = 0.005, .n_knots = 1, .exponent = 1, .dof = 9, .n_shared = 1, .u_rel_common = common};
  r.kinetic.law.knots[0] = (cb_friction_knot){.normal_force_N = 1, .f_N = {0.5, 0, 0.5}};
  r.kinetic.law.shared[0] = (cb_friction_shared){.source = "parameters", .f_N = {{0.5 * a, 0, 0.5 * a}}};
  campaign c = {.n = 0};
  add(&c, 0, 1, 0.5);
  fit_plan_options o = {.n_angles = 1,
                        .n_loads = 1,
                        .loads_N = {1},
                        .from_N = 0.5,
                        .to_N = 2,
                        .max_pulls = 3,
                        .pulls_per_repeat = 1,
                        .pull_s = 1};
  fit_plan p;
  assert_ok(fit_plan_next(c.obs, c.n, &r, &o, &p, err));
  assert_int_equal(p.stage, FIT_PLAN_REFINE);
  assert_int_equal(p.repeats, 1); /* nothing but the pull costs time: the first is worth most */
  double v = worth(place, s, 1, 1);
  assert_near(p.u_rel, sqrt(a * a + common * common), 1e-15);
  assert_near(p.u_rel_floor, common, 1e-15);
  assert_near(p.u_rel_expected, sqrt(a * a * v / (a * a + v) + common * common), 1e-12);
  /* Weights that take longer than pulls: all three pulls in one laying. */
  o.weights_s = 100;
  assert_ok(fit_plan_next(c.obs, c.n, &r, &o, &p, err));
  assert_int_equal(p.repeats, 3);
  v = worth(place, s, 1, 3);
  assert_near(p.u_rel_expected, sqrt(a * a * v / (a * a + v) + common * common), 1e-12);
  /* What the bench shares no run can tell. */
  strcpy(r.kinetic.law.shared[0].source, "load");
  assert_ok(fit_plan_next(c.obs, c.n, &r, &o, &p, err));
  assert_int_equal(p.stage, FIT_PLAN_FLOOR);
  assert_int_equal(p.n_cells, 0);
  assert_near(p.u_rel_floor, p.u_rel, 1e-15);
}

/* Gauss-Jordan, positive definite. */
static void invert(size_t n, double m[8][8]) {
  for (size_t k = 0; k < n; k++) {
    double pivot = m[k][k];
    m[k][k] = 1;
    for (size_t j = 0; j < n; j++) m[k][j] /= pivot;
    for (size_t i = 0; i < n; i++) {
      double factor = m[i][k];
      if (i == k) continue;
      m[i][k] = 0;
      for (size_t j = 0; j < n; j++) m[i][j] -= factor * m[k][j];
    }
  }
}

/* Relative covariance of two forces, without what a bench shares: the calibration is the last source. */
static double covariance(const cb_friction_law *law, double a1, double N1, double a2, double N2) {
  double x[CB_LAW_MAX_EFFECTS], y[CB_LAW_MAX_EFFECTS], sum = 0;
  size_t n = cb_friction_law_effects(law, a1 * CB_DEG, N1, x);
  (void)cb_friction_law_effects(law, a2 * CB_DEG, N2, y);
  for (size_t i = 0; i + 1 < n; i++) sum += x[i] * y[i];
  return sum;
}

/* All cells of a round at once, by the covariance of a conditional normal: K_rr - K_rc (K_cc + V)^-1 K_cr. */
static void a_round_is_conditioning(void **state) {
  (void)state;
  campaign c;
  cb_rng rng;
  fit_plan_options o = bench_of(12, 15);
  o.turn_s = o.weights_s = 0;
  sweep(&c, &rng, 0.6, 0.45);
  const fit_friction_result *r = fit(&c);
  const cb_friction_law *law = &r->kinetic.law;
  fit_plan p = plan(&c, &o);
  assert_true(p.n_cells >= 4 && p.n_cells <= 8);
  double place = r->kinetic.placement_rel > 0 ? r->kinetic.placement_rel : r->kinetic.scatter_rel,
         s = r->kinetic.scatter_rel;
  double k[8][8], mean = 0;
  for (size_t i = 0; i < p.n_cells; i++) {
    double done = 0, m = (double)p.repeats;
    for (size_t j = 0; j < c.n; j++)
      done += c.obs[j].run.angle_deg == p.cells[i].angle_deg &&
              c.obs[j].run.normal_force_N == p.cells[i].normal_force_N;
    double v = done > 0 ? worth(place, s, done, m) : place * place + s * s / m;
    for (size_t j = 0; j < p.n_cells; j++)
      k[i][j] = (i == j ? v : 0) + covariance(law, p.cells[i].angle_deg, p.cells[i].normal_force_N,
                                              p.cells[j].angle_deg, p.cells[j].normal_force_N);
  }
  invert(p.n_cells, k);
  for (int a = 0; a < 12; a++)
    for (int l = 0; l < 9; l++) {
      double angle = 15 * a, N = 0.23 * pow(3.1 / 0.23, l / 8.0), x[8],
             var = covariance(law, angle, N, angle, N);
      for (size_t i = 0; i < p.n_cells; i++)
        x[i] = covariance(law, angle, N, p.cells[i].angle_deg, p.cells[i].normal_force_N);
      for (size_t i = 0; i < p.n_cells; i++)
        for (size_t j = 0; j < p.n_cells; j++) var -= x[i] * k[i][j] * x[j];
      mean += (var + law->u_rel_common * law->u_rel_common) / (12 * 9);
    }
  assert_near(p.u_rel_expected, sqrt(mean), 1e-9 * sqrt(mean));
}

/* ---- options that make no sense ---- */

static void options_are_checked(void **state) {
  (void)state;
  campaign c = {.n = 0};
  const fit_friction_result *r = fit(&c);
  fit_plan p;
  fit_plan_options o = bench_of(12, 15);
  o.n_angles = 0;
  assert_fails(CB_E_RANGE, "0 angles and 6 loads", fit_plan_next(c.obs, 0, r, &o, &p, err));
  o = bench_of(12, 15);
  o.angles_deg[3] = NAN;
  assert_fails(CB_E_NUM, "angle nan", fit_plan_next(c.obs, 0, r, &o, &p, err));
  o = bench_of(12, 15);
  o.loads_N[5] = 0;
  assert_fails(CB_E_RANGE, "load 0 N", fit_plan_next(c.obs, 0, r, &o, &p, err));
  o = bench_of(12, 15);
  o.to_N = 0.1;
  assert_fails(CB_E_RANGE, "from 0.23 to 0.1 N", fit_plan_next(c.obs, 0, r, &o, &p, err));
  o = bench_of(12, 15);
  o.max_pulls = 0;
  assert_fails(CB_E_RANGE, "0 pulls of a round", fit_plan_next(c.obs, 0, r, &o, &p, err));
  o = bench_of(12, 15);
  o.pull_s = 0;
  assert_fails(CB_E_RANGE, "0 s for a pull", fit_plan_next(c.obs, 0, r, &o, &p, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_known_compares_directions),
                                     cmocka_unit_test(directions_decide_the_sweep),
                                     cmocka_unit_test(then_what_helps_until_it_is_enough),
                                     cmocka_unit_test(no_law_is_said),
                                     cmocka_unit_test(dear_handling_makes_more_pulls_of_it),
                                     cmocka_unit_test(one_source_is_bayes),
                                     cmocka_unit_test(a_round_is_conditioning),
                                     cmocka_unit_test(options_are_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
