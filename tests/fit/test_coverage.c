/* The 95 % bands of the friction law over virtual campaigns with every error of the budget; bench_coverage
 * does the same a thousand times.
 */
#include "coverage_outside.h"

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
  share known = {0}, assumed = {0}, outside = {0};
  assert_int_equal(cov_run(m, d, &cov_usual, CAMPAIGNS, 7, &t), 0);
  count_in(&known, &t, COV_MEASURED), count_in(&known, &t, COV_BETWEEN);
  count_in(&assumed, &t, COV_OTHER_ANGLES), count_in(&assumed, &t, COV_BOTH);
  count_in(&outside, &t, COV_OUTSIDE);
  all->inside += known.inside, all->cells += known.cells;
  if (of(&known) < 0.93 - 2 * binomial_sd(0.93) || of(&known) > 0.97 + 2 * binomial_sd(0.97) ||
      of(&assumed) < 0.93 - 2 * binomial_sd(0.93) || of(&outside) < 0.93 - 2 * binomial_sd(0.93))
    fail_msg(
        "%s, %s: the bands hold %.1f %% of the truth, %.1f %% in other directions, %.1f %% outside the loads",
        d->name, cb_friction_model_names[m], 100 * of(&known), 100 * of(&assumed), 100 * of(&outside));
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

/* Truths that no law of the fit can say, at and between the measured loads. Where the departure has two
 * values, as of backward pulls, a band that reaches both holds nearly all. Wear is told where a campaign
 * comes back to its cells; of cells that are measured one after the other it is not
 * (docs/method/coverage-outside.md). */
static void truths_outside_of_the_form(void **state) {
  (void)state;
  for (size_t g = 0; g < COV_GRIDS; g++)
    for (int kind = 0; kind < COV_OUTSIDES; kind++) {
      cov_tally t;
      if ((kind >= COV_WEAR) == (cov_grids[g].order == COV_CELLS)) continue; /* the others know no order */
      const size_t refused = cov_run_strange((cov_outside)kind, &cov_grids[g], CAMPAIGNS, 7, &t);
      const double inside = t.inside[COV_MEASURED] + t.inside[COV_BETWEEN],
                   cells = t.cells[COV_MEASURED] + t.cells[COV_BETWEEN];
      if (refused > 0 || inside / cells < 0.93 - 2 * binomial_sd(0.93))
        fail_msg("%s, %s: the bands hold %.1f %% of the truth, %zu refused", cov_grids[g].name,
                 cov_outside_names[kind], 100 * inside / cells, refused);
    }
}

/* What a fit without the tests of lack, senses and wear held: less than half of the truth. The words name it.
 */
static void what_is_unlike_is_said(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  const cov_grid *g = &cov_grids[COV_GRIDS - 1];
  for (int kind = COV_BACKWARD; kind <= COV_WEAR_MUCH; kind += COV_WEAR_MUCH - COV_BACKWARD) {
    cb_friction_obs obs[COV_GRID_RUNS];
    fit_friction_result r;
    cb_err err;
    const fit_friction_options opt = {.u_angle_rad = cov_usual.angle_rad};
    cov_strange t = cov_strange_draw((cov_outside)kind, &rng);
    t.backward = kind == COV_BACKWARD ? 0.05 : 0;
    t.wear = kind == COV_BACKWARD ? 0 : 0.005;
    const size_t n = cov_grid_play(&t, g, &cov_usual, &rng, obs);
    assert_int_equal(fit_friction(obs, n, "Cloth", "Body", &opt, &r, &err), CB_OK);
    if (kind == COV_BACKWARD) assert_near(r.verdict.symmetry.effect, -5, 1);
    assert_int_equal(r.verdict.wear.test.p_value < FIT_WEAR_P, kind == COV_WEAR_MUCH);
    if (kind == COV_WEAR_MUCH) /* 71 steps of 0.5 % */
      assert_near(r.verdict.wear.test.effect, 0.5 * 71, 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_design_keeps_its_promise), cmocka_unit_test(understated_errors_are_found),
      cmocka_unit_test(a_line_known_to_a_degree),       cmocka_unit_test(truths_outside_of_the_form),
      cmocka_unit_test(what_is_unlike_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
