/* Lots of a cloth in one friction law: the difference is found and told, chance is not, the band holds for
 * another lot, and lots that cannot be compared are said to be so. */
#include "cb_num.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_force_budget.h"
#include "fit_friction.h"

#define MOST_RUNS 600
static const double loads[] = {0.5, 1, 2, 4}, angles[] = {0, 45, 90};

typedef struct campaign {
  cb_friction_obs obs[MOST_RUNS];
  fit_lot_of lot[MOST_RUNS];
  size_t n, n_lots;
} campaign;

static double truth_force(double angle_deg, double N) {
  const double s = sin(angle_deg * CB_DEG);
  return (0.2 + 0.02 * s * s) * pow(N, 0.95);
}

static void add(campaign *c, size_t lot, double angle_deg, double N, double factor) {
  c->lot[c->n] = (fit_lot_of)lot;
  c->n_lots = lot + 1 > c->n_lots ? lot + 1 : c->n_lots;
  cb_friction_obs *o = &c->obs[c->n++];
  *o = (cb_friction_obs){.run = {.id = (int64_t)c->n,
                                 .campaign_id = 1 + (int64_t)lot,
                                 .angle_deg = angle_deg,
                                 .normal_force_N = N,
                                 .contact_area_m2 = 0.005,
                                 .direction = 1,
                                 .origin = CB_VIRTUAL},
                         .point = {.id = (int64_t)c->n,
                                   .static_N = NAN,
                                   .u_static_N = NAN,
                                   .kinetic_N = truth_force(angle_deg, N) * factor,
                                   .mu_reported = NAN}};
}

typedef struct hand {
  double run, laying; /* relative standard deviations: run to run, cell of a lot to cell of a lot */
  int repeats;
} hand;

static void measure(campaign *c, size_t lot, double factor, const hand *h, cb_rng *rng) {
  for (int l = 0; l < 4; l++)
    for (int a = 0; a < 3; a++) {
      const double laid = factor * (1 + h->laying * cb_rng_normal(rng));
      for (int i = 0; i < h->repeats; i++)
        add(c, lot, angles[a], loads[l], laid * (1 + h->run * cb_rng_normal(rng)));
    }
}

static const fit_friction_law *fit(const campaign *c) {
  static fit_friction_result r;
  const fit_friction_options opt = {.lot = c->lot, .n_lots = c->n_lots};
  assert_ok(fit_friction(c->obs, c->n, "Cloth", "Body", &opt, &r, err));
  assert_int_equal(r.kinetic.outcome, FIT_FRICTION_OK);
  return &r.kinetic;
}

/* Every lot is as far from the mean as it was made; the law is the mean lot's. */
static void exact_lots_are_found(void **state) {
  (void)state;
  static campaign c;
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  c.n = c.n_lots = 0;
  const hand h = {.run = 1e-7, .repeats = 2};
  const double factors[] = {0.98, 1.0, 1.03};
  for (size_t k = 0; k < 3; k++) measure(&c, k, factors[k], &h, &rng);
  const fit_friction_law *f = fit(&c);
  double mean = 0, var = 0;
  for (int k = 0; k < 3; k++) mean += log(factors[k]) / 3;
  for (int k = 0; k < 3; k++) var += (log(factors[k]) - mean) * (log(factors[k]) - mean) / 2;
  assert_near(f->lots.test.effect, 100 * (1.03 / 0.98 - 1), 1e-4);
  assert_near(f->lots.sd_rel, sqrt(var), 1e-6);
  assert_near(f->lots.dof, 2, 1e-6);
  assert_true(f->lots.test.p_value < 1e-6);
  cb_friction_value v;
  cb_friction_law_eval(&f->law, 0, 1, &v);
  assert_near(v.force_N / (0.2 * exp(mean)), 1, 1e-6);
  assert_near(v.u_force_N / v.force_N, sqrt(var * 4 / 3), 1e-4);
  assert_near(f->law.dof, 2, 1e-3);
}

/* Fewest runs by hand: two cells, two lots, one of them measured three times in the first. Expected figures
 * by the formulae of unbalanced analysis of variance. */
static void unbalanced_lots_are_least_squares(void **state) {
  (void)state;
  static campaign c;
  c.n = c.n_lots = 0;
  const double e[2][2][3] = {{{0.01, -0.01, 0.03}, {0.05, 0.05, 0}}, {{-0.02, 0, 0}, {0.02, 0.04, 0}}};
  const int n[2][2] = {{3, 1}, {1, 2}};
  for (size_t cell = 0; cell < 2; cell++)
    for (size_t lot = 0; lot < 2; lot++)
      for (int i = 0; i < n[cell][lot]; i++) add(&c, lot, 0, 1 + (double)cell, exp(e[cell][lot][i]));
  /* Differences of the lots in the cells: 0.04 with weight 3/4, 0.05 with weight 2/3. */
  const double w = 3.0 / 4 + 2.0 / 3, b = (0.04 * 3 / 4 + 0.05 * 2 / 3) / w;
  const double lots = w * b * b, interaction = 0.75 * pow(0.04 - b, 2) + 2.0 / 3 * pow(0.05 - b, 2);
  const double within = 0.0008 + 0.0002, error = (interaction + within) / 4;
  const fit_friction_law *f = fit(&c);
  assert_true(f->lots.test.done);
  assert_near(f->lots.test.dof2, 4, 1e-12);
  assert_near(f->lots.test.statistic, lots / error, 1e-9);
  assert_near(f->lots.test.effect, 100 * expm1(b), 1e-9);
  assert_near(f->lots.sd_rel, sqrt(lots / (2 * w)), 1e-9);
}

static void lots_without_a_common_cell_are_not_compared(void **state) {
  (void)state;
  static campaign c;
  c.n = c.n_lots = 0;
  for (int l = 0; l < 4; l++)
    for (int i = 0; i < 3; i++) {
      add(&c, 0, 0, loads[l], 1 + 0.01 * i);
      add(&c, 1, 90, loads[l], 1 - 0.01 * i);
    }
  const fit_friction_law *f = fit(&c);
  assert_int_equal(f->lots.n, 2);
  assert_false(f->lots.test.done);
  assert_true(f->lots.sd_rel == 0);
  for (size_t i = 0; i < f->law.n_shared; i++) assert_string_not_equal(f->law.shared[i].source, "lots");
}

static double rate_of_equal_lots(const hand *h, size_t n_lots, int n) {
  static campaign c;
  int found = 0;
  cb_rng rng;
  cb_rng_init(&rng, 11, n_lots);
  for (int i = 0; i < n; i++) {
    c.n = c.n_lots = 0;
    for (size_t k = 0; k < n_lots; k++) measure(&c, k, 1, h, &rng);
    found += fit(&c)->lots.test.p_value < FIT_LOTS_P;
  }
  return (double)found / n;
}

static void chance_is_not_announced(void **state) {
  (void)state;
  const hand hands[] = {{0.015, 0, 3}, {0.015, 0.02, 3}, {0.03, 0.01, 2}, {0.01, 0.03, 5}};
  for (int k = 0; k < 4; k++)
    for (size_t lots = 2; lots <= 5; lots += 3) {
      const double rate = rate_of_equal_lots(&hands[k], lots, 400);
      print_message("%zu equal lots, runs %g %%, layings %g %%: said to differ in %.2f %% of 400\n", lots,
                    100 * hands[k].run, 100 * hands[k].laying, 100 * rate);
      assert_true(rate < 0.035); /* 1 %: 14 of 400 would come once in 10^5 */
    }
}

typedef struct coverage {
  double told, inside, width; /* shares; mean half width */
} coverage;

/* spread: standard deviation of the lots' logarithms; fixed: the first two are 2^1/2 spread apart, always. */
static coverage cover(size_t n_lots, double spread, bool fixed, int n) {
  static campaign c;
  const hand h = {0.015, 0.005, 3};
  coverage r = {0};
  cb_rng rng;
  cb_rng_init(&rng, 5, n_lots);
  for (int i = 0; i < n; i++) {
    c.n = c.n_lots = 0;
    for (size_t k = 0; k < n_lots; k++) {
      const double b = fixed ? (k == 0 ? -1 : 1) * spread / sqrt(2) : spread * cb_rng_normal(&rng);
      measure(&c, k, exp(b), &h, &rng);
    }
    const double third = exp(spread * cb_rng_normal(&rng));
    const fit_friction_law *f = fit(&c);
    cb_friction_value v;
    cb_friction_law_eval(&f->law, 45 * CB_DEG, 1, &v);
    const double U = cb_student_t(0.95, v.dof) * v.u_force_N;
    r.inside += fabs(v.force_N - third * truth_force(45, 1)) <= U ? 1.0 / n : 0;
    r.told += f->lots.test.p_value < FIT_LOTS_P ? 1.0 / n : 0;
    r.width += U / v.force_N / n;
  }
  return r;
}

static void the_band_holds_for_another_lot(void **state) {
  (void)state;
  const double spread = 0.04 / sqrt(2); /* two lots differ by 4 %, root mean square */
  for (size_t lots = 2; lots <= 8; lots *= 2) {
    const coverage r = cover(lots, spread, false, 400);
    print_message("%zu lots of a population: told %.0f %%, another lot inside %.1f %%, band +-%.1f %%\n",
                  lots, 100 * r.told, 100 * r.inside, 100 * r.width);
    assert_true(r.inside >= 0.92 && r.inside <= 0.98);
  }
  const coverage two = cover(2, spread, true, 200);
  print_message("2 lots 4 %% apart: told %.0f %%, another lot inside %.1f %%, band +-%.1f %%\n",
                100 * two.told, 100 * two.inside, 100 * two.width);
  assert_true(two.told > 0.98);
}

/* The budget of a force names the lots, and adds up to the law's uncertainty with the runs and without. */
static void the_budget_has_the_lots(void **state) {
  (void)state;
  static campaign c;
  cb_rng rng;
  cb_rng_init(&rng, 3, 0);
  c.n = c.n_lots = 0;
  const hand h = {0.015, 0, 3};
  for (size_t k = 0; k < 3; k++) measure(&c, k, 1 + 0.03 * (double)k, &h, &rng);
  const fit_friction_law *f = fit(&c);
  const fit_friction_options opt = {.lot = c.lot, .n_lots = c.n_lots};
  const fit_force_scatter s = fit_force_scatter_of(c.obs, c.n, f, &opt);
  cb_friction_value v;
  cb_friction_law_eval(&f->law, 0.5, 1.4, &v);
  for (int with = 0; with < 2; with++) {
    fit_force_budget b;
    const fit_budget_entry *lots = NULL;
    fit_force_budget_law(&f->law, 0.5, 1.4, with ? &s : NULL, &b);
    for (size_t i = 0; i < b.n_entries; i++)
      if (strcmp(b.entry[i].name, "lots") == 0) lots = &b.entry[i];
    assert_non_null(lots);
    assert_near(lots->value, f->lots.sd_rel * sqrt(4.0 / 3), 1e-12);
    if (with) assert_near(lots->dof, 2, 1e-12);
    assert_near(b.total.u / v.u_force_N, 1, 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_lots_are_found),
      cmocka_unit_test(unbalanced_lots_are_least_squares),
      cmocka_unit_test(lots_without_a_common_cell_are_not_compared),
      cmocka_unit_test(chance_is_not_announced),
      cmocka_unit_test(the_band_holds_for_another_lot),
      cmocka_unit_test(the_budget_has_the_lots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
