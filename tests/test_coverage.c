/* The 95 % bands of the friction law over virtual campaigns with every error of the budget; bench_coverage does the same a thousand times.
 */
#include "coverage.h"

#include "cbtest.h"

#define CAMPAIGNS 150

static const cov_place inner[] = {COV_MEASURED, COV_BETWEEN, COV_OTHER_ANGLES, COV_BOTH};

/* Cells of one campaign share their errors: to be safe a campaign counts as one trial. */
static double binomial_sd(double p) { return sqrt(p * (1 - p) / CAMPAIGNS); }

static void inside_the_loads(const cov_design *d) {
  for (int m = CB_MODEL_CURVE; m <= CB_MODEL_OFFSET; m++) {
    cov_tally t;
    double in = 0, cells = 0;
    assert_int_equal(cov_run((cb_friction_model)m, d, &cov_usual, CAMPAIGNS, 7, &t), 0);
    for (size_t p = 0; p < sizeof inner / sizeof inner[0]; p++) in += t.inside[inner[p]], cells += t.cells[inner[p]];
    print_message("%s, %s: %.1f %% of %g cells\n", d->name, cb_friction_model_names[m], 100 * in / cells, cells);
    if (in / cells < 0.93 - 2 * binomial_sd(0.93) || in / cells > 0.97 + 2 * binomial_sd(0.97))
      fail_msg("%s, %s: the bands hold %.1f %% of the truth", d->name, cb_friction_model_names[m], 100 * in / cells);
  }
}

static void every_design_keeps_its_promise(void **state) {
  (void)state;
  for (size_t d = 0; d < COV_DESIGNS; d++) inside_the_loads(&cov_designs[d]);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_design_keeps_its_promise),
      cmocka_unit_test(understated_errors_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
