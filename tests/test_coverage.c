/* The 95 % bands of the friction law over virtual campaigns with every error of the budget; bench_coverage
 * does the same a thousand times.
 */
#include "coverage.h"

#include "cbtest.h"

#define CAMPAIGNS 150

typedef struct share {
  double inside, cells;
} share;

static void count_in(share *s, const cov_tally *t, cov_place p) {
  s->inside += t->inside[p], s->cells += t->cells[p];
}

static double of(const share *s) { return s->cells > 0 ? s->inside / s->cells : 0.95; }

/* Cells of one campaign share their errors: to be safe a campaign counts as one trial. */
static double binomial_sd(double p) { return sqrt(p * (1 - p) / CAMPAIGNS); }

/* Directions and loads that were measured, and loads between those. Elsewhere the band rests on what pairs
 * are like in general: it must hold, and may be wider than it had to be. */
static void one_law(const cov_design *d, cb_friction_model m, share *all) {
  cov_tally t;
  share known = {0}, assumed = {0};
  assert_int_equal(cov_run(m, d, &cov_usual, CAMPAIGNS, 7, &t), 0);
  count_in(&known, &t, COV_MEASURED), count_in(&known, &t, COV_BETWEEN);
  count_in(&assumed, &t, COV_OTHER_ANGLES), count_in(&assumed, &t, COV_BOTH);
  all->inside += known.inside, all->cells += known.cells;
  if (of(&known) < 0.93 - 2 * binomial_sd(0.93) || of(&known) > 0.97 + 2 * binomial_sd(0.97) ||
      of(&assumed) < 0.93 - 2 * binomial_sd(0.93))
    fail_msg("%s, %s: the bands hold %.1f %% of the truth, %.1f %% in other directions", d->name,
             cb_friction_model_names[m], 100 * of(&known), 100 * of(&assumed));
}

static void every_design_keeps_its_promise(void **state) {
  (void)state;
  share all = {0};
  for (size_t d = 0; d < COV_DESIGNS; d++)
    for (int m = CB_MODEL_CURVE; m <= CB_MODEL_OFFSET; m++)
      one_law(&cov_designs[d], (cb_friction_model)m, &all);
  print_message("%.2f %% of %g cells\n", 100 * of(&all), all.cells);
  assert_true(of(&all) > 0.94 && of(&all) < 0.97);
}

/* The counter itself: a gain that the budget does not know must be seen to fail. */
static void understated_errors_are_found(void **state) {
  (void)state;
  cov_tally t;
  cov_design d = cov_designs[0];
  d.place_rel = 0;
  cov_errors e = cov_usual;
  assert_int_equal(cov_run(CB_MODEL_COULOMB, &d, &e, CAMPAIGNS, 7, &t), 0);
  double honest = t.inside[COV_MEASURED] / t.cells[COV_MEASURED];
  e.hidden_gain_rel = 0.02;
  assert_int_equal(cov_run(CB_MODEL_COULOMB, &d, &e, CAMPAIGNS, 7, &t), 0);
  assert_true(t.inside[COV_MEASURED] / t.cells[COV_MEASURED] < 0.7 && honest > 0.9);
}

/* A line that is level within 1.5 degrees, and straight within 3: every run of a campaign is wrong by the
 * same. */
static void a_line_known_to_a_degree(void **state) {
  (void)state;
  cov_errors e = cov_usual;
  e.pitch_rad = 1.5 * CB_DEG, e.yaw_rad = 3 * CB_DEG;
  for (int m = CB_MODEL_CURVE; m <= CB_MODEL_OFFSET; m++) {
    cov_tally t;
    assert_int_equal(cov_run((cb_friction_model)m, &cov_designs[0], &e, CAMPAIGNS, 7, &t), 0);
    for (cov_place p = COV_MEASURED; p <= COV_BETWEEN; p++) {
      double held = t.inside[p] / t.cells[p];
      if (held < 0.93 - 2 * binomial_sd(0.93) || held > 0.97 + 2 * binomial_sd(0.97))
        fail_msg("%s: the bands hold %.1f %%", cb_friction_model_names[m], 100 * held);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_design_keeps_its_promise),
      cmocka_unit_test(understated_errors_are_found),
      cmocka_unit_test(a_line_known_to_a_degree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
