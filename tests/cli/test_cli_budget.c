/* What the program makes of the rig that a campaign was measured on: the pull line's direction, and what
 * other pairs showed of placement.
 */
#include "cb_store.h"
#include "coverage.h"
#include "jsonpage.h"
#include "vrigtest.h"

#define LAYING 0.02
#define PAIR "--cloth Own --body Foam --angle-deg 45 --normal-force-N 1.01 --db lab.db "

typedef struct lab {
  cb_store *store;
  cb_rng rng;
  int64_t rig_id, calibration_id, body_id;
} lab;

static void open_lab(lab *l, const char *rig_text) {
  char path[400];
  cb_rng_init(&l->rng, 11, 1);
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_WRITE, &l->store, err));
  assert_ok(cb_store_rig_ensure(l->store, "test-bench", rig_text, &l->rig_id, err));
  cb_calibration c = {.rig_id = l->rig_id,
                      .unit = "N",
                      .slope_N_per_unit = 1,
                      .u_rel = 0.003,
                      .certificate = "W",
                      .valid_from = "2026-01-01"};
  assert_ok(cb_store_calibration_ensure(l->store, &c, err));
  assert_ok(cb_store_material_ensure(l->store, CB_BODY, "Foam", CB_VIRTUAL, &l->body_id, err));
  l->calibration_id = c.id;
}

static void put_pull(const lab *l, const cb_friction_obs *o, int64_t cloth_id, int64_t campaign_id) {
  cb_run run = o->run;
  cb_friction_point p = o->point;
  run.id = 0;
  run.kind = CB_RUN_PULL;
  run.status = CB_RUN_RUNNING;
  run.campaign_id = campaign_id, run.cloth_id = cloth_id, run.body_id = l->body_id, run.rig_id = l->rig_id;
  run.calibration_id = l->calibration_id;
  (void)snprintf(run.source, sizeof run.source, "test-bench");
  assert_ok(cb_store_run_put(l->store, &run, err));
  assert_ok(cb_store_run_finish(l->store, run.id, CB_RUN_DONE, "", err));
  p.run_id = run.id;
  assert_ok(cb_store_point_put(l->store, &p, err));
}

/* A campaign from a known law, with a line that rises by x and leads to the side by as much. */
static void measure(lab *l, const char *cloth, const cov_truth *t, const cov_design *d, const cov_errors *e,
                    double x_rad) {
  cb_friction_obs obs[COV_MAX_RUNS];
  cb_campaign c = {.name = "lab",
                   .plan_text = (char[]){"plan"},
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = CB_VIRTUAL};
  int64_t cloth_id;
  size_t n = cov_campaign(t, d, e, &l->rng, obs);
  assert_ok(cb_store_material_ensure(l->store, CB_CLOTH, cloth, CB_VIRTUAL, &cloth_id, err));
  c.cloth_id = cloth_id, c.body_id = l->body_id, c.rig_id = l->rig_id;
  assert_ok(cb_store_campaign_put(l->store, &c, err));
  for (size_t i = 0; i < n; i++) {
    double deg = obs[i].run.angle_deg, N = obs[i].run.normal_force_N;
    obs[i].point.kinetic_N *= cov_truth_pulled(t, deg, N, x_rad, x_rad) / cov_truth_force(t, deg, N);
    put_pull(l, &obs[i], cloth_id, c.id);
  }
}

static json_t *predict(const char *more) {
  static cbt_result r;
  char arguments[300];
  (void)snprintf(arguments, sizeof arguments, "predict friction --json " PAIR "%s", more);
  cbt_run(&r, cbt_folder, arguments);
  if (r.code != 0) fail_msg("%s: exit %d: %s", arguments, r.code, r.err);
  return jp_document(r.out);
}

static double entry_u(const json_t *doc, const char *which, const char *name) {
  const json_t *entries = json_object_get(json_object_get(json_object_get(doc, "budget"), which), "entries");
  for (size_t i = 0; i < json_array_size(entries); i++) {
    const json_t *e = json_array_get(entries, i);
    if (strcmp(json_string_value(json_object_get(e, "name")), name) == 0) return jp_number(e, "u_N");
  }
  return 0;
}

static bool is_missing(const json_t *doc, const char *word) {
  const json_t *list = json_object_get(json_object_get(doc, "budget"), "not_assessed");
  for (size_t i = 0; i < json_array_size(list); i++)
    if (strstr(json_string_value(json_array_get(list, i)), word)) return true;
  return false;
}

/* Repeats of one laying at one load hide what a laying changes; three other pairs on the same rig know it. */
static void other_pairs_know_placement(void **state) {
  (void)state;
  lab l;
  const cov_truth t = {.model = CB_MODEL_POWER, .mu = 0.5, .a = 0.05, .n = 0.9};
  cov_errors e = cov_usual;
  cov_design full = cov_designs[1], one = cov_designs[2];
  full.place_rel = one.place_rel = LAYING;
  open_lab(&l, vrt_text);
  measure(&l, "Own", &t, &one, &e, 0);
  json_t *alone = predict("--budget");
  assert_true(is_missing(alone, "placement:"));
  assert_near(entry_u(alone, "predicted", "placement"), 0, 0);
  for (int i = 0; i < 3; i++) measure(&l, (const char *[]){"First", "Second", "Third"}[i], &t, &full, &e, 0);
  json_t *known = predict("--budget");
  assert_false(is_missing(known, "placement:"));
  /* 24 degrees of freedom know a standard deviation to 15 %; two and a half of them. */
  assert_near(entry_u(known, "run", "placement"), LAYING * jp_number(known, "force_N"),
              0.4 * LAYING * jp_number(known, "force_N"));
  assert_true(jp_number(known, "u_force_N") > 1.5 * jp_number(alone, "u_force_N"));
  json_decref(alone);
  json_decref(known);
  assert_ok(cb_store_close(l.store, err));
}

/* A line that rises by 1 degree, on a rig that says it is level within 1 degree: the band holds the truth;
 * where the rig does not say, the budget does. Scatter far below the 0.8 % at stake. */
static void a_line_off_by_a_degree(void **state) {
  (void)state;
  static const char *const line[][2] = {
      {"u_angle_deg: 0.5", "u_angle_deg: 0.5, u_line_pitch_deg: 1, u_line_yaw_deg: 1"}};
  for (int stated = 0; stated < 2; stated++) {
    lab l;
    char *text = cbt_replace(vrt_text, line, stated ? 1 : 0), path[400];
    const cov_truth t = {.model = CB_MODEL_COULOMB, .mu = 0.5, .a = 0.05, .n = 1};
    const cov_errors e = {.repeat_rel = 0.001, .zero_N = 0.0001};
    open_lab(&l, text);
    free(text);
    measure(&l, "Own", &t, &cov_designs[0], &e, 1 * CB_DEG);
    json_t *doc = predict("--budget");
    double F = jp_number(doc, "force_N"), truth = cov_truth_force(&t, 45, 1.01), away = fabs(F - truth);
    assert_true(away > 0.007 * truth);
    assert_int_equal(is_missing(doc, "alignment"), !stated);
    if (stated) {
      assert_true(away <= jp_number(doc, "u95_force_N"));
      assert_near(entry_u(doc, "predicted", "alignment"), F * F / 1.01 * CB_DEG,
                  0.02 * F * F / 1.01 * CB_DEG);
      assert_near(entry_u(doc, "run", "alignment"), F * F / 1.01 * CB_DEG, 0.2 * F * F / 1.01 * CB_DEG);
    } else {
      assert_true(away > jp_number(doc, "u95_force_N"));
    }
    json_decref(doc);
    assert_ok(cb_store_close(l.store, err));
    assert_int_equal(unlink(cbt_path("lab.db", path)), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(other_pairs_know_placement, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_line_off_by_a_degree, cbt_folder_set_up, cbt_folder_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
