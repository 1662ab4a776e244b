/* A whole campaign on every kind of stage, by the program: driver against emulator over real terminals, and
 * the truth comes out. */
#include "daqtest.h"

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

static void check_run(cb_store *store, const cb_rig *rig, const cb_run *run) {
  cb_trace trace;
  fit_pull p;
  fit_pull_options opt = fit_pull_options_default();
  assert_ok(cb_store_trace(store, run, &trace, err));
  assert_ok(fit_pull_reduce(&trace, run->direction, run->travel_m, &opt, &p, err));
  if (p.outcome != FIT_PULL_OK)
    fail_msg("run %d, flags '%s': %s", (int)run->id, run->flags, fit_pull_outcome_text[p.outcome]);
  assert_string_equal(run->flags, "");
  double wanted = shown_N(rig, run);
  /* Scatter from run to run is 0.5 %: five standard deviations; the noise of a few dozen readings. */
  assert_near(p.kinetic_N, wanted, 0.025 * wanted + 2e-3);
  const cb_series *x = &trace.position_m;
  double end_m = x->v[x->n - 1], way_m = run->direction * (end_m - x->v[0]);
  assert_near(way_m, run->travel_m, 2 * rig->stage.microstep_m + 1e-6);
  assert_true(end_m >= rig->stage.limit_min_m - 1e-6 && end_m <= rig->stage.limit_max_m + 1e-6);
  cb_trace_clear(&trace);
}

/* The shipped rig at a pace at which a loaded machine still sees it at rest between two moves, with a line
 * that is not level. */
static void slow_copy(const char *name, const char *pitch, char path[400]) {
  const char *const change[][2] = {{"time_scale: ", "time_scale: 8 # "}, {"latency_ms: ", pitch}};
  dt_rig_from(name, cbt_path(name, path), change, pitch ? 2 : 1);
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

static void esm(void **state) {
  (void)state;
  campaign_on("virtual-esm.yaml", NULL);
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
      cmocka_unit_test_setup_teardown(esm, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_line_that_is_not_level, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
