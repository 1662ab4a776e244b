/* First pulls that differ from the rest: sound campaigns are hardly ever named, conditioned ones are;
 * friction and stretch. (The knits: tests/whole/test_stretch_data.c.) */
#include "coverage.h"
#include "cbtest.h"
#include "fit_first.h"
#include "stretchtest.h"

#define CAMPAIGNS 1000

/* Of so many campaigns whose first pulls are higher by that share, how many are named? */
static int named(const cov_design *d, double higher) {
  cb_rng rng;
  int n_named = 0;
  cb_rng_init(&rng, 30, 11);
  for (int k = 0; k < CAMPAIGNS; k++) {
    cb_friction_obs obs[COV_MAX_RUNS];
    fit_friction_result r;
    const fit_friction_options opt = {.u_angle_rad = cov_usual.angle_rad};
    const cov_truth t = cov_truth_draw((cb_friction_model)(k % (CB_MODEL_OFFSET + 1)), &rng);
    const size_t n = cov_campaign(&t, d, &cov_usual, &rng, obs);
    for (size_t i = 0; i < n; i++)
      if (obs[i].run.repeat == 1) obs[i].point.kinetic_N *= 1 + higher;
    assert_ok(fit_friction(obs, n, "Cloth", "Body", &opt, &r, err));
    n_named += r.verdict.first.done && r.verdict.first.p_value < FIT_FIRST_P;
  }
  return n_named;
}

/* Runs scatter by 1 %; 18 cells of three, and 3 cells of three. */
static void sound_pairs_are_not_named(void **state) {
  (void)state;
  for (int d = 0; d < 2; d++) {
    const cov_design *design = &cov_designs[d ? 2 : 0];
    const int sound = named(design, 0), two = named(design, 0.02), five = named(design, 0.05),
              ten = named(design, 0.1);
    print_message(
        "%-24s named of %d: %d sound, %d with first pulls 2 %% higher, %d with 5 %%, %d with 10 %%\n",
        design->name, CAMPAIGNS, sound, two, five, ten);
    assert_true(sound <= CAMPAIGNS / 100);
    assert_true(ten >= 0.99 * CAMPAIGNS && ten >= five && five > two);
    if (d == 0) assert_true(two > 0.95 * CAMPAIGNS);
  }
}

/* The band of a pair that is named reaches the first pulls and the rest. */
static void the_band_holds_both(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 31, 11);
  for (int k = 0; k < 20; k++) {
    cb_friction_obs obs[COV_MAX_RUNS];
    fit_friction_result r;
    cb_friction_value v;
    const fit_friction_options opt = {.u_angle_rad = cov_usual.angle_rad};
    const cov_truth t = cov_truth_draw(CB_MODEL_COULOMB, &rng);
    const size_t n = cov_campaign(&t, &cov_designs[0], &cov_usual, &rng, obs);
    for (size_t i = 0; i < n; i++)
      if (obs[i].run.repeat == 1) obs[i].point.kinetic_N *= 1.06;
    assert_ok(fit_friction(obs, n, "Cloth", "Body", &opt, &r, err));
    assert_near(r.verdict.first.effect, 6, 1.5);
    cb_friction_law_eval(&r.kinetic.law, 45 * CB_DEG, 1.01, &v);
    const double reach = cb_student_t(0.95, v.dof) * v.u_force_N, truth = cov_truth_force(&t, 45, 1.01);
    assert_true(fabs(truth - v.force_N) < reach && fabs(1.06 * truth - v.force_N) < reach);
  }
}

/* Two directions, four pulls each, 2.5 % of scatter between them, as the knits' repeats have. */
static int named_stretch(double higher) {
  static st_lab lab;
  cb_rng rng;
  int n_named = 0;
  cb_rng_init(&rng, 33, 11);
  for (int k = 0; k < CAMPAIGNS; k++) {
    fit_stretch_result r;
    lab.n = 0;
    for (int i = 0; i < 8; i++) {
      const double times = (1 + 0.025 * cb_rng_normal(&rng)) * (i % 4 == 0 ? 1 + higher : 1),
                   p[2] = {100 * times, 300 * times};
      st_strip(&lab, i < 4 ? 0 : 90, st_cubic, p, 0.5, 20);
    }
    st_fit(&lab, &r);
    assert_true(r.first.done && r.first.dof2 == 5);
    n_named += r.first.p_value < FIT_FIRST_TEST_P;
    fit_stretch_clear(&r);
  }
  return n_named;
}

static void sound_strips_are_not_named(void **state) {
  (void)state;
  const int sound = named_stretch(0), two = named_stretch(0.02), five = named_stretch(0.05),
            ten = named_stretch(0.1);
  print_message("2 directions x 4 pulls: named of %d: %d sound, %d with 2 %%, %d with 5 %%, %d with 10 %%\n",
                CAMPAIGNS, sound, two, five, ten);
  assert_true(sound <= CAMPAIGNS / 100 && two > sound && five > two && ten > 0.65 * CAMPAIGNS);
}

/* The curve of a cloth that is named reaches the first pulls and the rest. */
static void the_curve_holds_both(void **state) {
  (void)state;
  static st_lab lab;
  cb_rng rng;
  int n_named = 0;
  cb_rng_init(&rng, 34, 11);
  for (int k = 0; k < 100; k++) {
    fit_stretch_result r;
    lab.n = 0;
    for (int i = 0; i < 16; i++) {
      const double times = (1 + 0.01 * cb_rng_normal(&rng)) * (i % 4 == 0 ? 1.1 : 1),
                   p[2] = {100 * times, 300 * times};
      st_strip(&lab, i < 8 ? 0 : 90, st_cubic, p, 0.5, 20);
      lab.tests[i].specimen[0] = (char)('a' + i / 4);
    }
    st_fit(&lab, &r);
    n_named += fit_first_half(&r.first) > 0;
    for (int d = 0; d < 2 && fit_first_half(&r.first) > 0; d++) {
      const cb_stretch_direction *c = &r.law.directions[d];
      const cb_stretch_knot *end = &c->knots[c->n_knots - 1];
      const double reach = cb_student_t(0.95, c->dof) * end->u_N_per_m, truth = 100 * 0.5 + 300 * 0.125;
      assert_true(fabs(truth - end->force_N_per_m) < reach && fabs(1.1 * truth - end->force_N_per_m) < reach);
    }
    fit_stretch_clear(&r);
  }
  assert_int_equal(n_named, 100);
}

/* Values of pieces that are tested again and again, scattered by 2.5 %: rigidity, shear stiffness. */
static int named_values(int pieces, int tests, double higher, cb_rng *rng) {
  cb_material_test t[16] = {{.direction_deg = 0}};
  fit_first_value v[16];
  int n_named = 0;
  for (int k = 0; k < CAMPAIGNS; k++) {
    for (int i = 0; i < pieces * tests; i++) {
      t[i] =
          (cb_material_test){.specimen = {(char)('a' + i / tests)}, .direction_deg = i / tests % 2 ? 90 : 0};
      v[i] = (fit_first_value){
          &t[i], 0,
          (1 + 0.1 * (i / tests)) * (1 + 0.025 * cb_rng_normal(rng)) * (i % tests == 0 ? 1 + higher : 1)};
    }
    const fit_test r = fit_first(v, (size_t)(pieces * tests));
    assert_true(r.done && r.dof2 == pieces * (tests - 1) - 1);
    n_named += fit_first_half(&r) > 0;
  }
  return n_named;
}

static void sound_pieces_are_not_named(void **state) {
  (void)state;
  static const int designs[3][2] = {{1, 4}, {2, 4}, {4, 4}};
  cb_rng rng;
  cb_rng_init(&rng, 35, 11);
  for (int d = 0; d < 3; d++) {
    const int pieces = designs[d][0], tests = designs[d][1], sound = named_values(pieces, tests, 0, &rng),
              five = named_values(pieces, tests, 0.05, &rng), ten = named_values(pieces, tests, 0.1, &rng);
    print_message("%d pieces x %d tests: named of %d: %d sound, %d with 5 %%, %d with 10 %%\n", pieces, tests,
                  CAMPAIGNS, sound, five, ten);
    /* Binomial: 10 expected, sd 3.1. */
    assert_true(sound <= 20 && ten > five && five > sound);
    if (pieces == 4) assert_true(ten > 0.95 * CAMPAIGNS);
  }
}

/* What has no value, another group or another direction repeats nothing. */
static void what_repeats_nothing(void **state) {
  (void)state;
  cb_material_test t[4] = {
      {.direction_deg = 0}, {.direction_deg = 90}, {.direction_deg = 0}, {.direction_deg = 0}};
  fit_first_value v[4] = {{&t[0], 0, 1}, {&t[1], 0, 2}, {&t[2], 1, 3}, {&t[3], 0, NAN}};
  assert_false(fit_first(v, 4).done);
  assert_false(fit_first(v, 0).done);
  v[3].value = 1, v[2] = (fit_first_value){&t[2], 0, 1}; /* three alike */
  const fit_test r = fit_first(v, 4);
  assert_true(r.done && r.dof2 == 1 && r.effect == 0 && r.p_value == 1);
}

/* A piece that was tested once in every direction has no first test. */
static void a_piece_is_not_pulled_again(void **state) {
  (void)state;
  static st_lab lab;
  static const double p[2] = {100, 300};
  fit_stretch_result r;
  lab.n = 0;
  for (int i = 0; i < 4; i++) {
    st_strip(&lab, i < 2 ? 0 : 90, st_cubic, p, 0.5, 20);
    lab.tests[i].specimen[0] = (char)('a' + i);
  }
  st_fit(&lab, &r);
  assert_false(r.first.done);
  fit_stretch_clear(&r);
}

/* One pull of a cell has no first one. */
static void without_repeats_nothing_is_tested(void **state) {
  (void)state;
  cb_rng rng;
  cb_friction_obs obs[COV_MAX_RUNS];
  fit_friction_result r;
  cov_design d = cov_designs[0];
  d.repeats = 1;
  cb_rng_init(&rng, 32, 11);
  const cov_truth t = cov_truth_draw(CB_MODEL_COULOMB, &rng);
  const size_t n = cov_campaign(&t, &d, &cov_usual, &rng, obs);
  assert_ok(fit_friction(obs, n, "Cloth", "Body", &(fit_friction_options){0}, &r, err));
  assert_false(r.verdict.first.done);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sound_pairs_are_not_named),   cmocka_unit_test(the_band_holds_both),
      cmocka_unit_test(sound_strips_are_not_named),  cmocka_unit_test(the_curve_holds_both),
      cmocka_unit_test(sound_pieces_are_not_named),  cmocka_unit_test(what_repeats_nothing),
      cmocka_unit_test(a_piece_is_not_pulled_again), cmocka_unit_test(without_repeats_nothing_is_tested)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
