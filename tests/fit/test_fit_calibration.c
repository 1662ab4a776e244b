/* Lines against NIST and the GUM, budgets against the GUM, calibrations against numbers worked out by hand
 * and against known truths. */
#include <math.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_calibration.h"
#include "fit_line.h"

/* ---- published lines ---- */

/* NIST StRD Norris (calibration of ozone monitors):
 * https://www.itl.nist.gov/div898/strd/lls/data/Norris.shtml */
static void norris(void **state) {
  (void)state;
  static const double x[] = {0.2, 337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4,
                             0.6, 775.5, 666.9, 338.0, 447.5, 11.6,  556.0, 228.1, 995.8, 887.6, 120.2, 0.3,
                             0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5};
  static const double y[] = {0.1, 338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3,
                             0.1, 778.1, 668.8, 339.3, 448.9, 10.8,  557.7, 228.3, 998.0, 888.8, 119.6, 0.3,
                             0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};
  fit_line_point p[36];
  fit_line l;
  for (int i = 0; i < 36; i++) p[i] = (fit_line_point){.x = x[i], .y = y[i]};
  assert_ok(fit_line_make(p, 36, false, &l, err));
  assert_near(l.intercept, -0.262323073774029, 1e-11);
  assert_near(l.slope, 1.00211681802045, 1e-13);
  assert_near(l.u_intercept, 0.232818234301152, 1e-11);
  assert_near(l.u_slope, 0.429796848199937e-3, 1e-14);
  assert_near(l.sd, 0.884796396144373, 1e-11);
  assert_true(l.dof == 34);
}

/* JCGM 100:2008, H.3: the correction of a thermometer over its temperature less 20 degC; as printed there, to
 * its digits. */
static void thermometer(void **state) {
  (void)state;
  static const double t[] = {21.521, 22.012, 22.512, 23.003, 23.507, 23.999,
                             24.513, 25.002, 25.503, 26.010, 26.511};
  static const double b[] = {-0.171, -0.169, -0.166, -0.159, -0.164, -0.165,
                             -0.156, -0.157, -0.159, -0.161, -0.160};
  fit_line_point p[11];
  fit_line l;
  for (int i = 0; i < 11; i++) p[i] = (fit_line_point){.x = t[i] - 20, .y = b[i]};
  assert_ok(fit_line_make(p, 11, false, &l, err));
  assert_near(l.intercept, -0.1712, 5e-5);
  assert_near(l.u_intercept, 0.0029, 5e-5);
  assert_near(l.slope, 0.00218, 5e-6);
  assert_near(l.u_slope, 0.00067, 5e-6);
  assert_near(l.cov / (l.u_slope * l.u_intercept), -0.930, 5e-4);
  assert_near(l.sd, 0.0035, 5e-5);
}

/* JCGM 100:2008, H.1.6: four components with degrees of freedom and others without; u = 32 nm (1002 nm2),
 * 16.7 of freedom. */
static void end_gauge(void **state) {
  (void)state;
  const fit_budget_entry e[] = {
      {.u_N = 25, .dof = 18}, {.u_N = 9.7, .dof = 25.6}, {.u_N = 2.9, .dof = 50}, {.u_N = 16.6, .dof = 2}};
  fit_budget b = fit_budget_combine(e, 4);
  assert_near(b.u * b.u, 625 + 94.09 + 8.41 + 275.56, 1e-9);
  assert_near(b.dof, 16.7, 0.1);
  assert_near(b.k, 2.11, 0.005); /* t(0.95, 16.7): between 2.12 and 2.11 of table G.2 */
  assert_near(b.U, b.k * b.u, 1e-12);
  const fit_budget_entry known[] = {{.u_N = 3, .dof = INFINITY}, {.u_N = 4, .dof = INFINITY}};
  b = fit_budget_combine(known, 2);
  assert_near(b.u, 5, 1e-12);
  assert_true(isinf(b.dof));
  assert_near(b.k, 1.959964, 1e-6);
}

/* Every group has its own zero and drift: they leave the common slope alone, exactly. */
static void groups(void **state) {
  (void)state;
  fit_line_point p[12];
  fit_line l;
  for (int i = 0; i < 12; i++) {
    int g = i / 6, k = i % 6;
    double x = k * k - 3.0 * g, t = 10 * g + k;
    p[i] = (fit_line_point){.group = g, .x = x, .y = 5 * g - 2 + 3 * x + (0.25 + g) * t, .t = t};
  }
  assert_ok(fit_line_make(p, 12, true, &l, err));
  assert_near(l.slope, 3, 1e-12);
  assert_near(l.sd, 0, 1e-12);
  assert_true(l.dof == 12 - 5);
  assert_fails(CB_E_RANGE, "5 points for a line with 5 unknowns: more points are needed",
               fit_line_make(p + 3, 5, true, &l, err));
  for (int i = 0; i < 12; i++) p[i].x = 1;
  assert_fails(CB_E_RANGE, "at one place", fit_line_make(p, 12, false, &l, err));
}

/* ---- calibrations ---- */

#define LOADS 5
#define CYCLES 3
#define POINTS (CYCLES * (2 * LOADS + 1) + 4)

typedef struct truth {
  double sensitivity, zero, drift_per_s;
  double noise_sd;    /* of a mean */
  double bow;         /* reading, at the middle of the range */
  double hysteresis;  /* reading, down less up at the middle */
  double creep;       /* reading, from the first to the second creep point */
  double weights_rel; /* the weights pull so much more than their certificate says */
  double u_force_rel;
} truth;

static double noise(const truth *t, cb_rng *rng) { return rng ? t->noise_sd * cb_rng_normal(rng) : 0; }

static void put(cb_calibration_point *p, size_t *n, const truth *t, cb_rng *rng, int cycle,
                cb_calibration_direction way, int load, double more) {
  double F = 0.5 * load, x = F / (0.5 * LOADS), s = 10.0 * (double)*n;
  double reading = t->zero + t->drift_per_s * s + t->sensitivity * F * (1 + t->weights_rel) +
                   4 * x * (1 - x) * t->bow + more;
  if (way == CB_CAL_DOWN) reading += 4 * x * (1 - x) * t->hysteresis;
  p[*n] = (cb_calibration_point){.step = (int)*n + 1,
                                 .cycle = cycle,
                                 .direction = way,
                                 .mass_kg = F / 9.8,
                                 .force_N = F,
                                 .u_force_N = t->u_force_rel * F,
                                 .reading = reading + noise(t, rng),
                                 .n = 100,
                                 .t_s = s};
  (*n)++;
}

static size_t play(cb_calibration_point p[POINTS], const truth *t, cb_rng *rng) {
  size_t n = 0;
  for (int c = 1; c <= CYCLES; c++) {
    put(p, &n, t, rng, c, CB_CAL_ZERO, 0, 0);
    for (int i = 1; i <= LOADS; i++) put(p, &n, t, rng, c, CB_CAL_UP, i, 0);
    for (int i = LOADS - 1; i >= 1; i--) put(p, &n, t, rng, c, CB_CAL_DOWN, i, 0);
    put(p, &n, t, rng, c, CB_CAL_ZERO, 0, 0);
  }
  put(p, &n, t, rng, CYCLES + 1, CB_CAL_ZERO, 0, 0);
  put(p, &n, t, rng, CYCLES + 1, CB_CAL_CREEP, LOADS, 0);
  put(p, &n, t, rng, CYCLES + 1, CB_CAL_CREEP, LOADS, t->creep);
  put(p, &n, t, rng, CYCLES + 1, CB_CAL_ZERO, 0, 0);
  return n;
}

static fit_calibration_input input(const cb_calibration_point *p, size_t n) {
  return (fit_calibration_input){.points = p,
                                 .n = n,
                                 .resolution = 1e-3,
                                 .k_weights = 2,
                                 .gravity_m_per_s2 = 9.8,
                                 .u_gravity_m_per_s2 = 1e-3,
                                 .air_density_kg_per_m3 = 1.2,
                                 .u_air_density_kg_per_m3 = 0.01,
                                 .weight_density_kg_per_m3 = 8000,
                                 .temperature_coefficient_per_K = 2e-4,
                                 .temperature_range_K = 5};
}

static const fit_budget_entry *entry(const fit_calibration *c, const char *name) {
  for (size_t i = 0; i < c->n_entries; i++)
    if (strcmp(c->entry[i].name, name) == 0) return &c->entry[i];
  fail_msg("no entry '%s'", name);
  return NULL;
}

/* A sound cell: everything but the declared uncertainties is zero, and the budget is a sum that fits on a
 * sheet of paper. */
static void sound_cell(void **state) {
  (void)state;
  cb_calibration_point p[POINTS];
  fit_calibration c;
  const truth t = {.sensitivity = -1.25, .zero = 0.3, .drift_per_s = 1e-4, .u_force_rel = 3e-5};
  size_t n = play(p, &t, NULL);
  const fit_calibration_input in = input(p, n);
  assert_ok(fit_calibration_make(&in, &c, err));
  assert_near(c.slope_N_per_unit, -0.8, 1e-12);
  assert_near(c.full_scale_N, 2.5, 0);
  assert_true(c.cycles == 3 && c.loads == 5);
  assert_near(c.nonlinearity_N, 0, 1e-12);
  assert_near(c.hysteresis_N, 0, 1e-12);
  assert_near(c.repeatability_N, 0, 1e-12);
  assert_true(c.repeatability_dof == 2 * (LOADS + LOADS - 1));
  assert_near(c.zero_return_N, 1e-4 * 100 * 0.8, 1e-12); /* drift over the 100 s of a cycle */
  assert_near(c.creep_N, 0, 1e-12);
  assert_near(c.creep_s, 10, 1e-12);
  assert_near(entry(&c, "weights")->u_N, 3e-5 * 2.5, 1e-12);
  assert_near(entry(&c, "weights")->value, 2 * 3e-5 * 2.5, 1e-12);
  assert_near(entry(&c, "local gravity")->u_N, 2.5 * 1e-3 / 9.8, 1e-12);
  assert_near(entry(&c, "air density")->u_N, 2.5 * 0.01 / 7998.8, 1e-12);
  assert_near(entry(&c, "temperature")->u_N, 2.5 * 2e-4 * 5 / sqrt(3), 1e-12);
  assert_near(entry(&c, "zero return")->u_N, 0.5 * 0.008 / sqrt(3), 1e-12);
  assert_near(entry(&c, "resolution")->u_N, 0.5e-3 * 0.8 / sqrt(3), 1e-12);
  double rel2 = pow(3e-5, 2) + pow(1e-3 / 9.8, 2) + pow(0.01 / 7998.8, 2) + pow(1e-3, 2) / 3,
         floor2 = pow(0.004, 2) / 3 + pow(4e-4, 2) / 3;
  assert_near(c.u_rel, sqrt(rel2), 1e-12);
  assert_near(c.u_floor_N, sqrt(floor2), 1e-12);
  assert_near(c.at_full_scale.u, sqrt(rel2 * 6.25 + floor2), 1e-12);
  assert_near(c.at_full_scale.k, 1.959964, 1e-5);
}

/* Faults of known size come out with that size. */
static void faulty_cell(void **state) {
  (void)state;
  cb_calibration_point p[POINTS];
  fit_calibration c;
  const truth t = {.sensitivity = 2, .zero = -1, .hysteresis = 0.004, .creep = 0.01};
  size_t n = play(p, &t, NULL);
  const fit_calibration_input in = input(p, n);
  assert_ok(fit_calibration_make(&in, &c, err));
  /* Largest at 2 and 3 of 5 loads: 4 x 0.4 x 0.6 of the middle; in newton, by the slope that the bow has bent
   * a little. */
  assert_near(c.hysteresis_N, 0.96 * 0.004 * c.slope_N_per_unit, 1e-12);
  assert_near(c.creep_N, 0.01 * c.slope_N_per_unit, 1e-12);
  assert_near(entry(&c, "hysteresis")->u_N, 0.5 * c.hysteresis_N / sqrt(3), 1e-12);
  assert_near(entry(&c, "creep")->u_N, c.creep_N / sqrt(3), 1e-12);
  const truth bowed = {.sensitivity = 2, .bow = 0.01};
  n = play(p, &bowed, NULL);
  const fit_calibration_input again = input(p, n);
  assert_ok(fit_calibration_make(&again, &c, err));
  double worst = 0;
  for (int i = 1; i <= LOADS; i++) {
    double F = 0.5 * i, x = i / (double)LOADS;
    worst = fmax(worst, fabs((2 * F + 4 * x * (1 - x) * 0.01) * c.slope_N_per_unit - F));
  }
  assert_near(c.nonlinearity_N, worst, 1e-12);
  assert_true(worst > 0.003);
}

static void refused(void **state) {
  (void)state;
  cb_calibration_point p[POINTS];
  fit_calibration c;
  const truth t = {.sensitivity = 2}, deaf = {.noise_sd = 1};
  cb_rng rng;
  size_t n = play(p, &t, NULL);
  fit_calibration_input in = input(p, n);
  in.n = 22;
  assert_fails(CB_E_RANGE, "2 cycles: at least 3 are needed", fit_calibration_make(&in, &c, err));
  in.n = 30;
  assert_fails(CB_E_RANGE, "cycle 3: must begin and end with a zero", fit_calibration_make(&in, &c, err));
  in.n = n;
  p[4].reading = NAN;
  assert_fails(CB_E_NUM, "step 5: nan is no number", fit_calibration_make(&in, &c, err));
  cb_rng_init(&rng, 3, 1);
  (void)play(p, &deaf, &rng);
  assert_fails(CB_E_RANGE, "the readings do not follow the loads", fit_calibration_make(&in, &c, err));
  (void)play(p, &t, NULL);
  for (size_t i = 0; i < n; i++)
    if (p[i].direction != CB_CAL_CREEP) p[i].force_N = fmin(p[i].force_N, 2);
  assert_fails(CB_E_RANGE, "4 loads: at least 5 and zero are needed", fit_calibration_make(&in, &c, err));
}

/* ---- does the stated interval hold the truth as often as it says? ---- */

#define SEEDS 4000

typedef struct coverage {
  double regression, slope; /* fractions of seeds */
} coverage;

/* Weights and gravity are drawn as their certificates say, readings are noisy; the stated interval is that of
 * the force at full scale, less the entries that describe the runs to come and no error of the slope
 * (temperature, creep). */
static coverage cover(bool with_weights) {
  coverage v = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    cb_rng rng;
    cb_calibration_point p[POINTS];
    fit_calibration c;
    truth t = {.sensitivity = 1.2685,
               .zero = 0.05,
               .drift_per_s = 2e-5,
               .noise_sd = 1e-4,
               .u_force_rel = with_weights ? 5e-5 : 0};
    cb_rng_init(&rng, seed, 7);
    double gravity = with_weights ? 1e-3 / 9.8 : 0;
    t.weights_rel = t.u_force_rel * cb_rng_normal(&rng) + gravity * cb_rng_normal(&rng);
    size_t n = play(p, &t, &rng);
    fit_calibration_input in = input(p, n);
    in.temperature_range_K = 0;
    in.u_air_density_kg_per_m3 = 0;
    if (!with_weights) in.u_gravity_m_per_s2 = 0;
    assert_ok(fit_calibration_make(&in, &c, err));
    double off_N = fabs(c.slope_N_per_unit * t.sensitivity - 1) * c.full_scale_N;
    fit_budget_entry slope[3] = {*entry(&c, "regression slope"), *entry(&c, "weights"),
                                 *entry(&c, "local gravity")};
    v.regression += fabs(c.line.slope - t.sensitivity) <= cb_student_t(0.95, c.line.dof) * c.line.u_slope
                        ? 1.0 / SEEDS
                        : 0;
    v.slope += off_N <= fit_budget_combine(slope, 3).U ? 1.0 / SEEDS : 0;
  }
  return v;
}

/* A binomial share of 4000 has a standard deviation of 0.34 %: four of them. */
static void coverage_of_the_interval(void **state) {
  (void)state;
  coverage noise_only = cover(false), all = cover(true);
  print_message(
      "of %d seeds the 95 %% interval holds the true slope in %.1f %% (noise alone), %.1f %% (noise, "
      "weights, gravity)\n",
      SEEDS, 100 * noise_only.regression, 100 * all.slope);
  assert_near(noise_only.regression, 0.95, 0.014);
  assert_near(noise_only.slope, 0.95, 0.014);
  assert_near(all.slope, 0.95, 0.014);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(norris),     cmocka_unit_test(thermometer),
      cmocka_unit_test(end_gauge),  cmocka_unit_test(groups),
      cmocka_unit_test(sound_cell), cmocka_unit_test(faulty_cell),
      cmocka_unit_test(refused),    cmocka_unit_test(coverage_of_the_interval)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
