/* A campaign by its test standard: coefficients of known pulls, what departs from the standard, and the
 * document, there and back. */
#include "bench_fixture.h"

#include "cb_json.h"
#include "lab_standard_impl.h"

#define CART_KG 0.2
#define NORMAL_N (CART_KG * CB_STANDARD_GRAVITY_M_PER_S2)
#define RATE_HZ 200.0
#define SPEED_M_PER_S 0.0025
#define TRAVEL_M 0.08

/* Rest for 1 s, a rise over 1 mm to the peak, then a force that is constant: mu_static and mu_kinetic are the
 * truth. */
static int64_t put_pull(bench *b, double angle_deg, int repeat, double mu_static, double mu_kinetic) {
  enum { N = 6800 };
  static double t[N], f[N], x[N];
  cb_run run = b->like;
  run.kind = CB_RUN_PULL;
  run.cart_mass_kg = CART_KG, run.normal_force_N = NORMAL_N, run.u_normal_force_N = 1e-4;
  run.speed_m_per_s = SPEED_M_PER_S, run.travel_m = TRAVEL_M, run.rate_Hz = RATE_HZ;
  run.angle_deg = angle_deg, run.repeat = repeat, run.direction = 1;
  for (int i = 0; i < N; i++) {
    t[i] = i / RATE_HZ;
    x[i] = fmin(fmax(0, t[i] - 1) * SPEED_M_PER_S, TRAVEL_M);
    f[i] = x[i] <= 0.001 ? mu_static * NORMAL_N * x[i] / 0.001 : mu_kinetic * NORMAL_N;
  }
  assert_ok(cb_store_run_put(b->store, &run, err));
  assert_ok(cb_store_chunk_put(b->store, run.id, CB_CHANNEL_FORCE, 0, N, t, f, err));
  assert_ok(cb_store_chunk_put(b->store, run.id, CB_CHANNEL_POSITION, 0, N, t, x, err));
  assert_ok(cb_store_run_finish(b->store, run.id, CB_RUN_DONE, "", err));
  return run.id;
}

/* Three specimens along warp, two along weft, by ISO 8295, which wants three; and a campaign without a
 * preset. */
static bench lab;

static int set_up(void **state) {
  static const double kinetic[] = {0.38, 0.40, 0.42};
  const cb_conditions c = cb_conditions_unknown();
  char path[400];
  (void)cbt_folder_set_up(state);
  bench_open(&lab, cbt_path("lab.db", path), "Film", "Sled", 1);
  bench_campaign(&lab, CB_CAMPAIGN_FRICTION, "iso");
  assert_ok(cb_store_conditions_put(lab.store, lab.like.campaign_id, "iso-8295", &c, err));
  for (int k = 0; k < 3; k++) (void)put_pull(&lab, 0, k + 1, 0.6, kinetic[k]);
  for (int k = 0; k < 2; k++) (void)put_pull(&lab, 90, k + 1, 0.5, 0.3);
  bench_campaign(&lab, CB_CAMPAIGN_FRICTION, "plain");
  (void)put_pull(&lab, 0, 1, 0.6, 0.4);
  bench_campaign(&lab, CB_CAMPAIGN_FRICTION, "kes");
  assert_ok(cb_store_conditions_put(lab.store, lab.like.campaign_id, "kes-fb4", &c, err));
  for (int k = 0; k < 3; k++) (void)put_pull(&lab, 0, k + 1, 0.6, 0.20 + 0.05 * k);
  return 0;
}

static int tear_down(void **state) {
  bench_close(&lab);
  return cbt_folder_tear_down(state);
}

static void known_coefficients(void **state) {
  (void)state;
  lab_standard e;
  assert_ok(lab_standard_evaluate(lab.store, 1, &e, err));
  assert_string_equal(e.standard, "iso-8295");
  assert_string_equal(e.title, "ISO 8295");
  assert_true(e.campaign_id == 1 && e.decimals == 2 && e.window_mm == 60 && e.n_groups == 2);
  const lab_standard_group *warp = &e.groups[0], *weft = &e.groups[1];
  assert_true(warp->angle_deg == 0 && warp->n == 3 && warp->direction == 1 &&
              warp->normal_force_N == NORMAL_N);
  assert_near(warp->kinetic.mean, 0.40, 1e-12);
  assert_near(warp->kinetic.sd, 0.02, 1e-12);
  /* a reading may miss the peak; two decimals */
  assert_near(warp->stat.mean, 0.6, 0.6 * SPEED_M_PER_S / RATE_HZ / 0.001 + 0.005);
  for (size_t i = 0; i < 3; i++) {
    assert_true(warp->specimens[i].specimen == (int)i + 1 && warp->specimens[i].outcome == FIT_STANDARD_OK);
    assert_near(warp->specimens[i].kinetic_mu, 0.38 + 0.02 * (double)i, 1e-9);
  }
  assert_true(weft->angle_deg == 90 && weft->n == 2 && weft->kinetic.n == 2);
  assert_near(weft->kinetic.mean, 0.3, 1e-12);
  assert_true(e.n_deviations == 1);
  assert_string_equal(e.deviations[0], "2 specimens at 90 deg, ISO 8295 says at least 3");
  lab_standard_clear(&e);
}

/* MIU of each specimen is its kinetic coefficient; a force without waves has no MMD. */
static void surface_without_waves(void **state) {
  (void)state;
  lab_standard e;
  assert_ok(lab_standard_evaluate(lab.store, 3, &e, err));
  assert_true(e.surface && e.decimals == 4 && e.n_groups == 1 && e.n_deviations == 0);
  assert_near(e.speed_mm_per_min, 60e3 * SPEED_M_PER_S, 1e-9);
  const lab_standard_group *g = &e.groups[0];
  assert_true(g->n == 3 && g->stat.n == 0 && g->deviation.n == 3);
  assert_near(g->kinetic.mean, 0.25, 1e-12);
  assert_near(g->kinetic.sd, 0.05, 1e-12);
  assert_near(g->deviation.mean, 0, 1e-12);
  lab_standard_clear(&e);
}

static void is_stored_and_read(void **state) {
  (void)state;
  lab_standard e, got;
  assert_fails(CB_E_NOTFOUND, "was not evaluated", lab_standard_stored(lab.store, 1, &got, err));
  lab_standard_clear(&got);
  assert_ok(lab_standard_fit(lab.store, 1, &e, err));
  assert_ok(lab_standard_stored(lab.store, 1, &got, err));
  json_t *a = lab_standard_json(&e), *b = lab_standard_json(&got);
  char *text[] = {cb_json_text(a), cb_json_text(b)};
  assert_string_equal(text[0], text[1]);
  assert_memory_equal(got.groups[0].specimens, e.groups[0].specimens, 3 * sizeof *e.groups[0].specimens);
  assert_memory_equal(&got.groups[1].kinetic, &e.groups[1].kinetic, sizeof e.groups[1].kinetic);
  assert_string_equal(got.deviations[0], e.deviations[0]);
  for (int i = 0; i < 2; i++) free(text[i]);
  json_decref(a);
  json_decref(b);
  lab_standard_clear(&e);
  lab_standard_clear(&got);
}

static void what_has_no_evaluation(void **state) {
  (void)state;
  lab_standard e;
  assert_fails(CB_E_NOTFOUND, "'preset: custom', which has no evaluation",
               lab_standard_fit(lab.store, 2, &e, err));
  lab_standard_clear(&e);
  assert_fails(CB_E_NOTFOUND, "no campaign 77", lab_standard_evaluate(lab.store, 77, &e, err));
  lab_standard_clear(&e);
}

static void older_and_damaged_documents(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } bad[] = {
      {"", "no JSON document"},
      {"{\"decimals\":99}", "decimals = 99"},
      {"{\"title\":3}", "title: a text"},
      {"{\"groups\":{}}", "groups: a list"},
      {"{\"groups\":[{\"specimens\":[{\"outcome\":\"odd\"}]}]}", "outcome: one of its words"},
      {"{\"groups\":[{\"static\":{\"n\":-2}}]}", "n: a count"},
      {"{\"groups\":[{},{\"specimens\":[7]}]}", "an object with the key run_id"},
      {"{\"deviations\":[null]}", "deviations: a text"},
  };
  lab_standard e;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_fails(CB_E_DB, bad[i].why, lab_standard_read(bad[i].text, &e, err));
    lab_standard_clear(&e);
  }
  assert_ok(lab_standard_read("{\"groups\":[{\"static\":null}]}", &e, err));
  assert_true(e.n_groups == 1 && e.groups[0].n == 0 && isnan(e.groups[0].stat.mean) && isnan(e.window_mm) &&
              e.n_deviations == 0);
  assert_string_equal(e.title, "");
  lab_standard_clear(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_coefficients), cmocka_unit_test(surface_without_waves),
      cmocka_unit_test(is_stored_and_read), cmocka_unit_test(what_has_no_evaluation),
      cmocka_unit_test(older_and_damaged_documents)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
