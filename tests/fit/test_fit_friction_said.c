/* What the fit says of direction and load, in virtual campaigns whose truth is known: "linear" and
 * "isotropic" need a test that would have found what matters. */
#include "coverage.h"

#include "cbtest.h"

#define CAMPAIGNS 200

static const cov_design grid = {
    "3 angles x 4 loads x 3", 3, 4, {0, 45, 90}, {0.3, 0.6, 1.2, 2.4}, 3, false, 0, 0};

typedef struct counts {
  int direction[3], load[3]; /* by fit_said */
} counts;

static counts count(const cov_truth *t, double repeat_rel) {
  counts c = {{0}, {0}};
  cov_errors e = cov_usual;
  cb_rng rng;
  cb_rng_init(&rng, 44, 0);
  e.repeat_rel = repeat_rel;
  for (int i = 0; i < CAMPAIGNS; i++) {
    cb_friction_obs obs[COV_MAX_RUNS];
    fit_friction_result r;
    cb_err err;
    const fit_friction_options opt = {.u_angle_rad = e.angle_rad};
    const size_t n = cov_campaign(t, &grid, &e, &rng, obs);
    assert_int_equal(fit_friction(obs, n, "Cloth", "Body", &opt, &r, &err), CB_OK);
    c.direction[r.verdict.direction]++;
    c.load[r.verdict.load]++;
  }
  return c;
}

static const cov_truth plain = {.model = CB_MODEL_POWER, .mu = 0.5, .n = 1};

/* Few campaigns of twenty are wrong by chance: a level of 5 %. Two tests look at the load. */
static void alike_is_said_where_it_is_known(void **state) {
  (void)state;
  const counts c = count(&plain, 0.005);
  assert_true(c.direction[FIT_ALIKE] > 0.88 * CAMPAIGNS && c.load[FIT_ALIKE] > 0.8 * CAMPAIGNS);
}

/* Scatter of 15 %: the same truth, and nobody can know. */
static void alike_is_not_said_where_it_is_not_known(void **state) {
  (void)state;
  const counts c = count(&plain, 0.15);
  assert_int_equal(c.direction[FIT_ALIKE], 0);
  assert_int_equal(c.load[FIT_ALIKE], 0);
  assert_true(c.direction[FIT_NOT_KNOWN] > 0.8 * CAMPAIGNS && c.load[FIT_NOT_KNOWN] > 0.8 * CAMPAIGNS);
}

/* Truths at the limits of what matters, at any scatter: "linear" and "isotropic" are said in 5 % at most,
 * plus three standard deviations of the count. */
static void what_matters_is_hardly_ever_called_alike(void **state) {
  (void)state;
  const double chance = 0.05 * CAMPAIGNS, most = chance + 3 * sqrt(chance);
  cov_truth bent = plain, turned = plain;
  bent.n = 1 - log(1 + FIT_LINEAR_PERCENT / 100) / log(2.4 / 0.3);
  turned.a = FIT_ISOTROPIC_PERCENT / 200; /* cos 2 theta: (1 + a) / (1 - a) is 5 % and more */
  for (double scatter = 0.005; scatter < 0.05; scatter *= 2) {
    const counts b = count(&bent, scatter), t = count(&turned, scatter);
    if (b.load[FIT_ALIKE] > most || t.direction[FIT_ALIKE] > most)
      fail_msg("scatter %g: %d linear, %d isotropic of %d", scatter, b.load[FIT_ALIKE],
               t.direction[FIT_ALIKE], CAMPAIGNS);
  }
}

/* Exponents of 0.9, as cloths have them. */
static void a_usual_cloth_is_not_linear(void **state) {
  (void)state;
  cov_truth t = plain;
  t.n = 0.9;
  const counts c = count(&t, 0.01);
  assert_int_equal(c.load[FIT_DIFFERENT], CAMPAIGNS);
}

/* ---- runs far from the law ---- */

/* Four directions of which the warp and the weft are 6 % above any tensor, and the others 6 % below. Returns
 * how many runs. */
static size_t play_fourth_harmonic(double amplitude, cb_friction_obs obs[COV_MAX_RUNS]) {
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  size_t n = cov_campaign(&plain, &grid, &cov_usual, &rng, obs), more = n;
  for (size_t i = 0; i < n; i++) {
    if (obs[i].run.angle_deg != 45) continue;
    obs[more] = obs[i];
    obs[more].run.id = (int64_t)more + 1;
    obs[more++].run.angle_deg = 135;
  }
  for (size_t i = 0; i < more; i++)
    obs[i].point.kinetic_N *= 1 + amplitude * cos(4 * obs[i].run.angle_deg * CB_DEG);
  return more;
}

static void far_runs_are_listed(void **state) {
  (void)state;
  cb_friction_obs obs[COV_MAX_RUNS];
  fit_friction_result r;
  cb_err err;
  const fit_friction_options opt = {.u_angle_rad = 0};
  size_t n = play_fourth_harmonic(0, obs);
  assert_int_equal(fit_friction(obs, n, "Cloth", "Body", &opt, &r, &err), CB_OK);
  assert_int_equal(r.kinetic.n_far, 0);
  n = play_fourth_harmonic(0.06, obs);
  assert_int_equal(fit_friction(obs, n, "Cloth", "Body", &opt, &r, &err), CB_OK);
  assert_true(r.kinetic.n_far > 0.8 * (double)n);
  for (size_t i = 1; i < FIT_MAX_OUTLIERS; i++)
    assert_true(fabs(r.kinetic.far[i - 1].sigma) >= fabs(r.kinetic.far[i].sigma));
  assert_true(fabs(r.kinetic.far[FIT_MAX_OUTLIERS - 1].sigma) > FIT_FAR_SIGMA);
  assert_int_equal(r.verdict.direction, FIT_DIFFERENT); /* though no tensor sees it */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alike_is_said_where_it_is_known),
      cmocka_unit_test(alike_is_not_said_where_it_is_not_known),
      cmocka_unit_test(what_matters_is_hardly_ever_called_alike),
      cmocka_unit_test(a_usual_cloth_is_not_linear),
      cmocka_unit_test(far_runs_are_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
