/* A whole campaign on every kind of stage, by the program: driver against emulator over real terminals, and
 * the truth comes out. */
#include "daqtest.h"

#include <stdarg.h>

#include "cb_num.h"
#include "cb_rig.h"
#include "cb_store.h"
#include "doneruns.h"
#include "fit_pull.h"

/* What a line shows that rises towards the cell: T cos x = F(N - T sin x), by repetition; pushed backward it
 * presses the cart down. */
static double shown_N(const cb_rig *rig, const cb_run *run) {
  double x = rig->virt.line_pitch_deg * CB_DEG, T = 0;
  for (int i = 0; i < 20; i++)
    T = cb_rig_truth_kinetic(&rig->virt.truth, run->angle_deg * CB_DEG,
                             run->normal_force_N - run->direction * T * sin(x), run->speed_m_per_s) /
        cos(x);
  return T;
}

/* The transducer at the cart has seen how far it came: the stage's way less the play, centred before, and the
 * stretch of the link. */
static void check_displacement(const cb_rig *rig, const cb_run *run, const cb_trace *trace) {
  const cb_series *x = &trace->displacement_m, *F = &trace->force_N;
  if (rig->force.driver != CB_FORCE_COMEDI) {
    assert_int_equal(x->n, 0);
    return;
  }
  assert_int_equal(x->n, F->n);
  assert_true(memcmp(x->t_s, F->t_s, x->n * sizeof *x->t_s) == 0); /* one scan, one clock */
  double zero_N = 0, digit_m = 20.0 / 65535 * rig->comedi.channel[1].scale;
  for (size_t i = 0; i < trace->n_rest; i++) zero_N += F->v[i] / (double)trace->n_rest;
  double stretch_m = run->direction * (F->v[F->n - 1] - zero_N) / rig->bench.link_stiffness_N_per_m;
  double way_m = run->direction * (x->v[x->n - 1] - x->v[0]);
  /* The last reading's noise of 2 mN is 4 um of the link; the stage's start is told to a microstep. */
  assert_near(way_m, run->travel_m - rig->bench.link_slack_m - stretch_m, 2 * digit_m + 25e-6);
}

static void check_run(cb_store *store, const cb_rig *rig, const cb_run *run) {
  cb_trace trace;
  fit_pull p;
  fit_pull_options opt = fit_pull_options_default();
  assert_ok(cb_store_trace(store, run, &trace, err));
  assert_ok(fit_pull_reduce(&trace, run->direction, run->travel_m, &opt, &p, err));
  if (p.outcome != FIT_PULL_OK)
    fail_msg("run %d, flags '%s': %s", (int)run->id, run->flags, fit_pull_outcome_text[p.outcome]);
  double wanted = shown_N(rig, run);
  /* Scatter from run to run is 0.5 %: five standard deviations; the noise of a few dozen readings. */
  assert_near(p.kinetic_N, wanted, 0.025 * wanted + 2e-3);
  const cb_series *x = &trace.position_m;
  double end_m = x->v[x->n - 1], way_m = run->direction * (end_m - x->v[0]);
  assert_near(way_m, run->travel_m, 2 * rig->stage.microstep_m + 1e-6);
  assert_true(end_m >= rig->stage.limit_min_m - 1e-6 && end_m <= rig->stage.limit_max_m + 1e-6);
  check_displacement(rig, run, &trace);
  cb_trace_clear(&trace);
}

/* The shipped rig at a pace at which a loaded machine still sees it at rest between two moves, with a line
 * that is not level. Its zero stands still: a machine that stalls for seconds would see it drift. */
static void slow_copy(const char *name, const char *pitch, char path[400]) {
  const char *const change[][2] = {{"time_scale: ", "time_scale: 8 # "},
                                   {"drift_per_s: 0.00002", "drift_per_s: 0"},
                                   {"latency_ms: ", pitch}};
  dt_rig_from(name, cbt_path(name, path), change, pitch ? 3 : 2);
}

static void campaign_on(const char *name, const char *pitch) {
  static cbt_result r;
  char arguments[900], path[400];
  cb_rig rig;
  cb_store *store;
  cb_run *runs;
  size_t again;
  slow_copy(name, pitch, path);
  (void)snprintf(arguments, sizeof arguments, "run '%s/rigs/campaign-small.yaml' --rig '%s' --db %s.db",
                 CB_SOURCE_DIR, path, name);
  cbt_run(&r, cbt_folder, arguments);
  if (r.code != 0) fail_msg("%s: exit %d, %s", name, r.code, r.err);
  assert_ok(cb_rig_load(path, &rig, err));
  (void)snprintf(path, sizeof path, "%s/%s.db", cbt_folder, name);
  assert_ok(cb_store_open(path, CB_STORE_READ, &store, err));
  assert_int_equal(done_runs(store, &runs, &again), 8);
  for (size_t i = 0; i < 8; i++) check_run(store, &rig, &runs[i]);
  at_most_one_flag(runs, 8);
  free(runs);
  assert_ok(cb_store_close(store, err));
  cb_rig_clear(&rig);
}

static void grbl(void **state) {
  (void)state;
  campaign_on("virtual-grbl.yaml", NULL);
}

static void smc100(void **state) {
  (void)state;
  campaign_on("virtual-smc100.yaml", NULL);
}

static void gcs(void **state) {
  (void)state;
  campaign_on("virtual-gcs.yaml", NULL);
}

static void apt(void **state) {
  (void)state;
  campaign_on("virtual-apt.yaml", NULL);
}

static void lines(void **state) {
  (void)state;
  campaign_on("virtual-lines.yaml", NULL);
}

static void esm(void **state) {
  (void)state;
  campaign_on("virtual-esm.yaml", NULL);
}

static const char *say(const char *format, ...) {
  static cbt_result r;
  char arguments[900];
  va_list ap;
  va_start(ap, format);
  (void)vsnprintf(arguments, sizeof arguments, format, ap);
  va_end(ap);
  cbt_run(&r, cbt_folder, arguments);
  if (r.code != 0) fail_msg("%s: exit %d, %s", arguments, r.code, r.err);
  return r.out;
}

static double number_of(const char *json, const char *key) {
  char quoted[64];
  (void)snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  const char *at = strstr(json, quoted);
  if (!at) fail_msg("no %s in %s", key, json);
  return strtod(at + strlen(quoted), NULL);
}

/* The truth lies within four of the standard uncertainties that the law states, and they are small. */
static void law_holds_truth(const cb_rig *rig, const char *db) {
  const double loads_N[] = {0.61782, 2.0888}, angles_deg[] = {0, 90};
  for (int i = 0; i < 4; i++) {
    double angle = angles_deg[i / 2], N = loads_N[i % 2];
    double truth = cb_rig_truth_kinetic(&rig->virt.truth, angle * CB_DEG, N, 0.01);
    const char *json =
        say("predict friction --cloth 'Demo Twill' --body 'Demo Foam' --angle-deg %g "
            "--normal-force-N %g --db %s --json",
            angle, N, db);
    double u_N = number_of(json, "u_force_N");
    assert_near(number_of(json, "force_N"), truth, 4 * u_N);
    assert_true(u_N > 0 && u_N < 0.01 * truth);
  }
}

/* Force and displacement in one scan of a board: a campaign from start to law. */
static void comedi(void **state) {
  (void)state;
  const char *db = "virtual-comedi.yaml.db";
  char path[400];
  cb_rig rig;
  campaign_on("virtual-comedi.yaml", NULL);
  assert_ok(cb_rig_load(CB_SOURCE_DIR "/rigs/virtual-comedi.yaml", &rig, err));
  (void)say("fit friction --cloth 'Demo Twill' --body 'Demo Foam' --db %s", db);
  law_holds_truth(&rig, db);
  assert_non_null(strstr(say("db check --db %s", db), "whole; integrity"));
  (void)say("export traces --out traces.csv --db %s", db);
  char *csv = cbt_read(cbt_path("traces.csv", path));
  assert_non_null(strstr(csv, ",displacement,"));
  free(csv);
  cb_rig_clear(&rig);
}

/* The guard hears the board: a force above the limit, and a converter at its end far below it. */
static void overload_on_the_board(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *sentence;
  } cases[] = {{"overload_N: 8", "overload_N: 0.6", "N, at most 0.6 N are allowed"},
               {"scale: 1}", "scale: 0.06}", "overload: the read-out raises its alarm at 0."}};
  for (int i = 0; i < 2; i++) {
    static cbt_result r;
    char arguments[900], rig[400], db[400];
    const char *const change[][2] = {{"time_scale: ", "time_scale: 8 # "}, {cases[i].from, cases[i].to}};
    cb_store *store;
    cb_run *runs;
    dt_rig_from("virtual-comedi.yaml", cbt_path("rig.yaml", rig), change, 2);
    (void)snprintf(arguments, sizeof arguments, "run '%s/rigs/campaign-small.yaml' --rig '%s' --db %d.db",
                   CB_SOURCE_DIR, rig, i);
    cbt_run(&r, cbt_folder, arguments);
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, cases[i].sentence));
    (void)snprintf(arguments, sizeof arguments, "%d.db", i);
    assert_ok(cb_store_open(cbt_path(arguments, db), CB_STORE_READ, &store, err));
    assert_int_equal(dt_runs(store, CB_RUN_FAILED, &runs), 1);
    assert_non_null(strstr(runs[0].reason, cases[i].sentence));
    free(runs);
    assert_ok(cb_store_close(store, err));
  }
}

/* 5 degrees are 4 % less forward and 4 % more backward: beyond the tolerance of a run. */
static void a_line_that_is_not_level(void **state) {
  (void)state;
  campaign_on("virtual-grbl.yaml", "line_pitch_deg: 5\n  latency_ms: ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(grbl, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(smc100, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(gcs, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(apt, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(lines, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(esm, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(comedi, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(overload_on_the_board, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_line_that_is_not_level, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
