/* One run's raw samples -> its point, with its detail; and the detail's document. */
#include "bench_fixture.h"

#include "cb_json.h"
#include "cb_store_correction.h"
#include "lab_friction_parts.h"
#include "lab_record.h"
#include "cb_store_rows_impl.h"
#include "lab_point_parts.h"
#include "storeedit.h"

static char *text_of(const lab_point_detail *d) {
  json_t *doc = lab_point_detail_json(d);
  char *text = cb_json_text(doc);
  json_decref(doc);
  assert_non_null(text);
  return text;
}

/* A pull of the virtual bench whose friction is known. */
static void a_pull(void **state) {
  (void)state;
  bench b;
  char path[400];
  cb_run run;
  cb_friction_point p, stored;
  lab_point_detail d;
  bench_open(&b, cbt_path("pull.db", path), "Twill", "Foam", 5);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "one");
  int64_t id = bench_pull(&b, CB_RUN_PULL, 45, 0.1, 1, -1, 1);
  assert_ok(cb_store_run_get(b.store, id, &run, err));
  assert_ok(lab_point_of_run(b.store, &run, &p, &d, err));
  const cb_friction_law truth = bench_truth(1);
  cb_friction_value v;
  cb_friction_law_eval(&truth, 45 * CB_DEG, run.normal_force_N, &v);
  assert_true(lab_point_is_reduced(&d) && !d.is_cycle);
  assert_near(p.kinetic_N, v.force_N, 3 * BENCH_SCATTER * v.force_N);
  assert_near(p.zero_N, BENCH_ZERO_N, 4 * p.u_zero_N);
  double miu, mmd;
  lab_point_kes(&d, &miu, &mmd);
  assert_near(miu, p.kinetic_N / run.normal_force_N, 0.002);
  assert_true(mmd > 0 && mmd < 0.01);
  /* The record has them with the pair's names. */
  lab_record r;
  assert_ok(lab_record_read(b.store, id, &r, err));
  assert_string_equal(r.cloth, "Twill");
  assert_string_equal(r.body, "Foam");
  assert_near(r.mu, p.kinetic_N / run.normal_force_N, 0);
  assert_near(r.u_mu, hypot(p.u_kinetic_N, r.mu * run.u_normal_force_N) / run.normal_force_N, 1e-12);
  lab_record_clear(&r);
  assert_fails(CB_E_NOTFOUND, "no run 99", lab_record_read(b.store, 99, &r, err));
  lab_record_clear(&r);
  /* The same point and detail are stored. */
  size_t n;
  assert_ok(lab_friction_reduce(b.store, 0, &n, err));
  assert_true(n == 1);
  assert_ok(cb_store_point_of_run(b.store, id, &stored, err));
  assert_near(stored.kinetic_N, p.kinetic_N, 0);
  char *found = text_of(&d), *text = store_text(path, "SELECT result_json FROM point_detail");
  assert_true(d.pull.outcome == FIT_PULL_OK);
  assert_string_equal(text, found);
  free(found);
  free(text);
  lab_point_detail_clear(&d);
  bench_close(&b);
}

/* The bench's chance begins anew, so that its readings come again. */
static void a_repeat(void **state) {
  (void)state;
  bench b;
  char path[400], words[96];
  cb_run run;
  cb_friction_point p;
  lab_point_detail d;
  size_t n;
  bench_open(&b, cbt_path("repeat.db", path), "Twill", "Foam", 5);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "one");
  const cb_rng begin = b.rng;
  (void)bench_pull(&b, CB_RUN_PULL, 45, 0.1, 1, 1, 1);
  (void)bench_pull(&b, CB_RUN_PULL, 45, 0.1, 2, 1, 1);
  b.rng = begin;
  const int64_t again = bench_pull(&b, CB_RUN_PULL, 45, 0.1, 3, 1, 1);
  assert_ok(lab_friction_reduce(b.store, 0, &n, err));
  for (int64_t id = 1; id < again; id++) {
    assert_ok(cb_store_point_of_run(b.store, id, &p, err));
    assert_true(lab_point_validity(&p, words) == FIT_VALID && p.kinetic_N > 0);
  }
  assert_ok(cb_store_point_of_run(b.store, again, &p, err));
  assert_true(lab_point_validity(&p, words) == FIT_INVALID && isnan(p.kinetic_N));
  assert_string_equal(words, "repeats");
  assert_ok(cb_store_run_get(b.store, again, &run, err));
  assert_ok(lab_point_of_run(b.store, &run, &p, &d, err));
  assert_string_equal(d.pull.faults.list[0].what, "those of run 1");
  lab_point_detail_clear(&d);
  bench_close(&b);
}

static cb_friction_point fitted_point(bench *b, int64_t run_id) {
  cb_friction_obs *obs;
  cb_friction_point p = {.run_id = 0};
  size_t n;
  assert_ok(lab_friction_observations(b->store, b->like.cloth_id, b->like.body_id, &obs, &n, err));
  for (size_t i = 0; i < n; i++)
    if (obs[i].run.id == run_id) p = obs[i].point;
  assert_true(p.run_id == run_id);
  free(obs);
  return p;
}

static void say_verdict(bench *b, int64_t run_id, cb_verdict v) {
  cb_correction c = {.run_id = run_id,
                     .kind = CB_CORRECTION_AMEND,
                     .field = "verdict",
                     .value = v,
                     .reason = "the film shows it",
                     .operator_name = "Mia"};
  assert_ok(cb_store_correction_put(b->store, &c, err));
}

/* The readings that came again have the force of the first time, once a person says that they count. */
static void a_person_overrules(void **state) {
  (void)state;
  bench b;
  char path[400], words[96];
  cb_friction_point stored;
  bench_open(&b, cbt_path("overruled.db", path), "Twill", "Foam", 5);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "one");
  const cb_rng begin = b.rng;
  const int64_t first = bench_pull(&b, CB_RUN_PULL, 45, 0.1, 1, 1, 1);
  b.rng = begin;
  const int64_t again = bench_pull(&b, CB_RUN_PULL, 45, 0.1, 2, 1, 1);
  assert_ok(lab_friction_reduce(b.store, 0, NULL, err));
  const double force_N = fitted_point(&b, first).kinetic_N;
  assert_true(isnan(fitted_point(&b, again).kinetic_N));
  say_verdict(&b, again, CB_VERDICT_VALID);
  cb_friction_point p = fitted_point(&b, again);
  assert_true(p.kinetic_N == force_N && lab_point_validity(&p, words) == FIT_VALID);
  say_verdict(&b, again, CB_VERDICT_DOUBTFUL);
  p = fitted_point(&b, again);
  assert_true(p.kinetic_N == force_N && lab_point_validity(&p, words) == FIT_DOUBTFUL);
  say_verdict(&b, again, CB_VERDICT_FOUND);
  assert_true(isnan(fitted_point(&b, again).kinetic_N));
  say_verdict(&b, first, CB_VERDICT_INVALID);
  p = fitted_point(&b, first);
  assert_true(isnan(p.kinetic_N) && lab_point_validity(&p, words) == FIT_INVALID);
  /* What is stored stays. */
  assert_ok(cb_store_point_of_run(b.store, first, &stored, err));
  assert_true(stored.kinetic_N == force_N);
  bench_close(&b);
}

static void put_old_point(bench *b, int64_t run_id) {
  cb_friction_point p = {.run_id = run_id,
                         .static_N = NAN,
                         .u_static_N = NAN,
                         .kinetic_N = 0.1,
                         .u_kinetic_N = 0.01,
                         .mu_reported = NAN,
                         .method = "pull/6 moving=5e-05m"};
  assert_ok(cb_store_point_put(b->store, &p, err));
}

/* A pull of an earlier version is judged again where its readings are at hand, also in memory. */
static void what_was_not_judged_is_judged_again(void **state) {
  (void)state;
  bench b;
  char path[400];
  size_t n;
  bench_open(&b, cbt_path("old.db", path), "Twill", "Foam", 5);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "one");
  const int64_t whole = bench_pull(&b, CB_RUN_PULL, 45, 0.1, 1, 1, 1);
  cb_run bare = b.like;
  bare.normal_force_N = 1, bare.direction = 1, bare.repeat = 2;
  assert_ok(cb_store_run_put(b.store, &bare, err));
  assert_ok(cb_store_run_finish(b.store, bare.id, CB_RUN_DONE, "", err));
  put_old_point(&b, whole);
  put_old_point(&b, bare.id);
  cb_friction_point p = fitted_point(&b, whole);
  assert_true(!lab_point_is_unjudged(&p) && p.kinetic_N > 0.2);
  assert_ok(lab_friction_reduce(b.store, 0, &n, err));
  assert_int_equal(n, 1);
  assert_true(fitted_point(&b, whole).kinetic_N == p.kinetic_N);
  p = fitted_point(&b, bare.id);
  assert_true(lab_point_is_unjudged(&p) && p.kinetic_N == 0.1);
  assert_ok(lab_friction_reduce(b.store, 0, &n, err));
  assert_int_equal(n, 0);
  bench_close(&b);
}

/* Zeros before and after tell of a drift. */
static void a_drift(void **state) {
  (void)state;
  bench b;
  char path[400];
  cb_run run;
  double drift_N;
  bench_open(&b, cbt_path("drift.db", path), "Twill", "Foam", 6);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "one");
  run = b.like;
  run.normal_force_N = 1, run.direction = 1, run.repeat = 1;
  assert_ok(cb_store_run_put(b.store, &run, err));
  assert_ok(lab_point_zero_drift(b.store, &run, &drift_N, err));
  assert_near(drift_N, 0, 0);
  cb_run_zero z = {.run_id = run.id, .phase = CB_ZERO_BEFORE, .mean = 0.05, .sd = 0.001, .n = 50, .t_s = 0.2};
  assert_ok(cb_store_run_zero_put(b.store, &z, err));
  assert_ok(lab_point_zero_drift(b.store, &run, &drift_N, err));
  assert_near(drift_N, 0, 0);
  z.phase = CB_ZERO_AFTER, z.mean = 0.0625;
  assert_ok(cb_store_run_zero_put(b.store, &z, err));
  assert_ok(lab_point_zero_drift(b.store, &run, &drift_N, err));
  assert_near(drift_N, 0.0125, 1e-15);
  bench_close(&b);
}

/* A stage that never moved. */
static void what_cannot_be_reduced(void **state) {
  (void)state;
  enum { N = 400 };
  static double t[N], f[N], x[N];
  bench b;
  char path[400];
  cb_friction_point p;
  lab_point_detail d;
  bench_open(&b, cbt_path("rest.db", path), "Twill", "Foam", 7);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "one");
  cb_run run = b.like;
  run.normal_force_N = 1, run.direction = 1, run.repeat = 1;
  for (int i = 0; i < N; i++) t[i] = i / 200.0, f[i] = 0.05 + 1e-3 * cb_rng_normal(&b.rng), x[i] = 0.02;
  assert_ok(cb_store_run_put(b.store, &run, err));
  assert_ok(cb_store_chunk_put(b.store, run.id, CB_CHANNEL_FORCE, 0, N, t, f, err));
  assert_ok(cb_store_chunk_put(b.store, run.id, CB_CHANNEL_POSITION, 0, N, t, x, err));
  assert_ok(cb_store_run_finish(b.store, run.id, CB_RUN_DONE, "", err));
  assert_ok(lab_point_of_run(b.store, &run, &p, &d, err));
  assert_true(isnan(p.kinetic_N) && !lab_point_is_reduced(&d) && d.pull.outcome == FIT_PULL_NO_MOTION);
  assert_non_null(strstr(p.method, "the stage never moved"));
  char *text = text_of(&d);
  assert_string_equal(text,
                      "{\"validity\":null,\"faults\":[],\"outcome\":\"the stage never "
                      "moved\",\"plateau\":null,\"cycle\":null,\"strokes\":[]}");
  free(text);
  assert_ok(lab_point_of_run(b.store, &run, &p, NULL, err));
  bench_close(&b);
}

/* ---- to and fro ---- */

/* A record with strokes, one of which has no window. Every number has 17 digits. */
static lab_point_detail make_cycle(cb_rng *rng) {
  lab_point_detail d = {.normal_force_N = 10, .is_cycle = true};
  fit_cycle *c = &d.cycle;
  c->n_strokes = 5, c->n_used[0] = c->n_used[1] = 2;
  c->strokes = calloc(5, sizeof *c->strokes);
  c->zero_drift_N = cb_rng_normal(rng), c->u_zero_drift_N = cb_rng_uniform(rng),
  c->friction_drift_N = c->u_friction_drift_N = NAN;
  for (size_t k = 0; k < 5; k++) {
    fit_cycle_stroke *s = &c->strokes[k];
    if (k == 2) continue;
    s->window = (fit_stroke){k % 2 ? -1 : 1, 100 * k, 50};
    s->plateau = (fit_plateau){.verdict = (fit_plateau_verdict)(k % 4),
                               .n = 50,
                               .n_eff = 7.7,
                               .mean_N = cb_rng_uniform(rng),
                               .slope_N_per_m = NAN,
                               .slope_t = NAN,
                               .slope_p = NAN,
                               .step_N = -1,
                               .slope_rel = cb_rng_normal(rng),
                               .path_mean_N = cb_rng_uniform(rng),
                               .path_deviation_N = cb_rng_uniform(rng)};
    s->plateau.stick_slip = (fit_stick_slip){.outcome = FIT_STICK_SLIP_REGULAR,
                                             .n_peaks = 9,
                                             .amplitude_N = cb_rng_uniform(rng),
                                             .peaks_per_m = 1e4 * cb_rng_uniform(rng),
                                             .u_peaks_per_m = cb_rng_uniform(rng)};
  }
  return d;
}

static double real_of(const json_t *o, const char *key) {
  const json_t *v = json_object_get(o, key);
  assert_non_null(v);
  return json_is_null(v) ? NAN : json_number_value(v);
}

static void assert_same_cycle(const json_t *doc, const lab_point_detail *d) {
  double miu, mmd;
  lab_point_kes(d, &miu, &mmd);
  const json_t *cycle = json_object_get(doc, "cycle"), *strokes = json_object_get(doc, "strokes"),
               *third = json_array_get(strokes, 2), *last = json_array_get(strokes, 3);
  assert_true(real_of(cycle, "miu") == miu && real_of(cycle, "mmd") == mmd);
  assert_true(json_is_null(json_object_get(doc, "plateau")) && json_array_size(strokes) == 4 &&
              real_of(third, "first_reading") == 300 && isnan(real_of(cycle, "friction_drift_N")));
  assert_true(real_of(cycle, "zero_drift_N") == d->cycle.zero_drift_N);
  assert_true(real_of(json_array_get(strokes, 0), "last_reading") == 49 &&
              real_of(last, "path_mean_N") == d->cycle.strokes[4].plateau.path_mean_N);
  assert_true(real_of(json_object_get(last, "stick_slip"), "peaks_per_mm") ==
              1e-3 * d->cycle.strokes[4].plateau.stick_slip.peaks_per_m);
}

/* The document keeps every bit, and leaves out the stroke without a window. */
static void a_cycle_as_a_document(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 3, 3);
  for (int i = 0; i < 200; i++) {
    lab_point_detail d = make_cycle(&rng);
    char *text = text_of(&d);
    json_t *doc = json_loads(text, 0, NULL);
    assert_same_cycle(doc, &d);
    json_decref(doc);
    lab_point_detail_clear(&d);
    free(text);
  }
  lab_point_detail one_way = {.is_cycle = true, .cycle.outcome = FIT_CYCLE_ONE_WAY};
  assert_false(lab_point_is_reduced(&one_way));
  char *text = text_of(&one_way);
  assert_string_equal(text,
                      "{\"validity\":null,\"faults\":[],\"outcome\":\"all strokes go the same "
                      "way\",\"plateau\":null,\"cycle\":null,\"strokes\":[]}");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pull),
      cmocka_unit_test(a_repeat),
      cmocka_unit_test(what_was_not_judged_is_judged_again),
      cmocka_unit_test(a_person_overrules),
      cmocka_unit_test(a_drift),
      cmocka_unit_test(what_cannot_be_reduced),
      cmocka_unit_test(a_cycle_as_a_document),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
