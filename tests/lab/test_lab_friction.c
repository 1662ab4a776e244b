/* The friction workflow as a program calls it that is not the command line: fit, find, predict, plan on
 * databases with raw traces of known truth; and the documents of laws, there and back bit for bit. */
#include "bench_fixture.h"

#include "cb_json.h"
#include "cb_stats.h"
#include "lab_friction_parts.h"
#include "lab_plan.h"
#include "lab_point.h"
#include "lab_predict.h"
#include "lab_budget_parts.h"

#define CLOTH "Twill"
#define BODY "Foam"

/* base.db: 27 pulls of Twill on Foam, none of them reduced. */
static int set_up(void **state) {
  bench b;
  char path[400];
  (void)cbt_folder_set_up(state);
  bench_open(&b, cbt_path("base.db", path), CLOTH, BODY, 11);
  bench_pulls(&b);
  bench_close(&b);
  return 0;
}

/* A copy of its own for every test. */
static cb_store *open_copy(const char *name, cb_store_mode mode) {
  char command[1000], from[400], to[400];
  cb_store *s;
  (void)snprintf(command, sizeof command, "cp '%s' '%s'", cbt_path("base.db", from), cbt_path(name, to));
  assert_int_equal(system(command), 0);
  assert_ok(cb_store_open(to, mode, &s, err));
  return s;
}

static void assert_in_band(const cb_friction_law *law, double angle_deg, double N) {
  const cb_friction_law truth = bench_truth(1);
  cb_friction_value v, t;
  cb_friction_law_eval(law, angle_deg * CB_DEG, N, &v);
  cb_friction_law_eval(&truth, angle_deg * CB_DEG, N, &t);
  assert_near(v.force_N, t.force_N, cb_student_t(0.99, v.dof) * v.u_force_N);
  assert_true(v.u_force_N < 0.02 * v.force_N);
}

/* ---- the workflow ---- */

static void one_call_finds_the_planted_law(void **state) {
  (void)state;
  cb_store *s = open_copy("fit.db", CB_STORE_WRITE);
  lab_friction f, again;
  cb_friction_law law;
  assert_ok(lab_friction_fit(s, CLOTH, BODY, &(lab_selection){.origin = LAB_ANY_ORIGIN}, &f, err));
  assert_int_equal(f.kinetic.fit.outcome, FIT_FRICTION_OK);
  assert_true(f.n_reduced == 27 && f.n_runs == 27 && f.n_other_body == 0 && !f.mixes_origins);
  for (int angle = 0; angle <= 90; angle += 15)
    for (double N = 0.7; N < 2; N += 0.4) assert_in_band(&f.kinetic.fit.law, angle, N);
  for (int k = 0; k < 3; k++)
    assert_true(f.stat.fit.law.knots[k].f_N[0] > 1.2 * f.kinetic.fit.law.knots[k].f_N[0]);
  /* What it rests on. */
  assert_true(f.sources.n_calibrations == 1 && f.sources.n_flags == 0 && f.sources.n_without_force == 0);
  assert_string_equal(f.sources.calibrations[0].certificate, "F-2026-7 <weights>");
  assert_true(f.pooled.n == 1 && f.pooled.campaigns[0].n_runs == 27);
  /* It is stored, and found again, and a second fit finds the same. */
  assert_ok(lab_friction_law_find(s, CLOTH, BODY, CB_FRICTION_KINETIC, &law, NULL, err));
  assert_true(law.id > 0 && law.id == f.kinetic.fit.law.id);
  assert_ok(lab_friction_fit(s, CLOTH, BODY, &(lab_selection){.origin = CB_VIRTUAL}, &again, err));
  assert_true(again.n_reduced == 0 && again.kinetic.fit.law.id > law.id);
  assert_memory_equal(again.kinetic.fit.law.knots, f.kinetic.fit.law.knots, sizeof law.knots);
  lab_friction_clear(&again);
  lab_friction_clear(&f);
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

/* Where no law is stored one is fitted in memory, of points that are computed on the way: a database that may
 * not be written will do. */
static void prediction_only_reads(void **state) {
  (void)state;
  cb_store *s = open_copy("read.db", CB_STORE_READ);
  const cb_friction_law truth = bench_truth(1);
  lab_question q = {.cloth = CLOTH,
                    .body = BODY,
                    .kind = CB_FRICTION_KINETIC,
                    .angle_deg = 30 + 180 * 1e6,
                    .normal_force_N = 1.5,
                    .wants_budget = true,
                    .wants_draws = true,
                    .seed = 1};
  lab_answer a;
  cb_friction_value t;
  assert_ok(lab_friction_predict(s, &q, &a, err));
  cb_friction_law_eval(&truth, 30 * CB_DEG, 1.5, &t);
  assert_true(a.law.id == 0 && a.pooled.n == 1);
  assert_near(a.value.force_N, t.force_N, a.u95_force_N);
  assert_near(a.mu, a.value.force_N / 1.5, 0);
  assert_near(a.u95_force_N, cb_student_t(0.95, a.value.dof) * a.value.u_force_N, 0);
  /* The budget is of this force, entry by entry; the nearest run lies at 45 degrees. */
  assert_near(a.budget.predicted.total.u, a.value.u_force_N, 1e-12);
  assert_true(a.budget.has_run && a.budget.predicted.n_entries > 3);
  assert_near(a.budget.run.angle_rad, 45 * CB_DEG, 1e-12);
  assert_near(a.draws.mean_N, a.value.force_N, a.value.u_force_N / 10);
  lab_answer_clear(&a);
  /* On twice the area the same pressure has twice the load and the force. */
  q = (lab_question){.cloth = CLOTH,
                     .body = BODY,
                     .kind = CB_FRICTION_KINETIC,
                     .angle_deg = 30,
                     .normal_force_N = 3,
                     .contact_area_m2 = 0.01};
  assert_ok(lab_friction_predict(s, &q, &a, err));
  assert_near(a.value.force_N, 2 * t.force_N, a.u95_force_N);
  lab_answer_clear(&a);
  q.body = "Nowhere";
  assert_fails(CB_E_NOTFOUND, "Nowhere", lab_friction_predict(s, &q, &a, err));
  lab_answer_clear(&a);
  assert_ok(cb_store_close(s, err));
}

/* A run that is newer than the law. */
static void newer_runs_count(void **state) {
  (void)state;
  cb_store *s = open_copy("new.db", CB_STORE_WRITE);
  bench b;
  char path[400];
  lab_friction f;
  cb_friction_law law;
  assert_ok(lab_friction_fit(s, CLOTH, BODY, &(lab_selection){.origin = LAB_ANY_ORIGIN}, &f, err));
  lab_friction_clear(&f);
  assert_ok(cb_store_close(s, err));
  bench_open(&b, cbt_path("new.db", path), CLOTH, BODY, 12);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "more");
  (void)bench_pull(&b, CB_RUN_PULL, 45, 0.3, 1, 1, 1);
  assert_ok(lab_friction_reduce(b.store, b.like.campaign_id, NULL, err));
  lab_pooled pooled;
  assert_ok(lab_friction_law_find(b.store, CLOTH, BODY, CB_FRICTION_KINETIC, &law, &pooled, err));
  assert_true(law.id == 0 && law.n_knots == 4);
  assert_true(pooled.n == 2 && pooled.campaigns[1].n_runs == 1);
  lab_pooled_clear(&pooled);
  bench_close(&b);
}

static void what_cannot_be_fitted(void **state) {
  (void)state;
  cb_store *s = open_copy("none.db", CB_STORE_WRITE);
  lab_friction f;
  int64_t id;
  assert_ok(cb_store_material_ensure(s, CB_BODY, "Glass", CB_VIRTUAL, &id, err));
  assert_fails(CB_E_NOTFOUND, "no cloth named 'Tweed'",
               lab_friction_fit(s, "Tweed", BODY, &(lab_selection){.origin = LAB_ANY_ORIGIN}, &f, err));
  lab_friction_clear(&f);
  /* What was done before it failed is said. */
  assert_fails(CB_E_NOTFOUND, "no finished runs of 'Twill' on 'Glass'",
               lab_friction_fit(s, CLOTH, "Glass", &(lab_selection){.origin = LAB_ANY_ORIGIN}, &f, err));
  assert_true(f.n_reduced == 27 && f.n_runs == 0);
  lab_friction_clear(&f);
  assert_fails(CB_E_NOTFOUND, "no finished measured runs",
               lab_friction_fit(s, CLOTH, BODY, &(lab_selection){.origin = CB_MEASURED}, &f, err));
  lab_friction_clear(&f);
  assert_ok(cb_store_close(s, err));
}

/* Real and virtual runs of one pair: no law comes of both. */
static void origins_do_not_mix(void **state) {
  (void)state;
  cb_store *s = open_copy("mixed.db", CB_STORE_WRITE);
  bench b;
  char path[400];
  lab_friction f;
  assert_ok(cb_store_close(s, err));
  bench_open(&b, cbt_path("mixed.db", path), CLOTH, BODY, 13);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "real");
  b.like.origin = CB_MEASURED;
  for (int k = 1; k <= 3; k++) (void)bench_pull(&b, CB_RUN_PULL, 45, 0.1, k, 1, 1);
  assert_fails(CB_E_RANGE, CLOTH " on " BODY,
               lab_friction_fit(b.store, CLOTH, BODY, &(lab_selection){.origin = LAB_ANY_ORIGIN}, &f, err));
  assert_true(f.mixes_origins && f.n_runs == 30);
  lab_friction_clear(&f);
  assert_ok(lab_friction_fit(b.store, CLOTH, BODY, &(lab_selection){.origin = CB_MEASURED}, &f, err));
  assert_true(f.n_runs == 3 && f.kinetic.fit.law.origin == CB_MEASURED);
  lab_friction_clear(&f);
  bench_close(&b);
}

static void count_pair(void *context, const lab_friction *f) {
  size_t *n = context;
  assert_string_equal(f->cloth, CLOTH);
  *n += f->n_runs;
}

static void every_pair(void **state) {
  (void)state;
  cb_store *s = open_copy("all.db", CB_STORE_WRITE);
  size_t n_laws, n_runs = 0;
  int64_t id;
  assert_ok(cb_store_material_ensure(s, CB_BODY, "Glass", CB_VIRTUAL, &id, err)); /* without runs: not met */
  assert_ok(lab_friction_fit_all(s, LAB_ANY_ORIGIN, count_pair, &n_runs, &n_laws, err));
  assert_true(n_laws == 1 && n_runs == 27);
  assert_ok(lab_friction_fit_all(s, CB_MEASURED, count_pair, &n_runs, &n_laws, err));
  assert_true(n_laws == 0 && n_runs == 27);
  assert_ok(cb_store_close(s, err));
}

static void a_plan_follows(void **state) {
  (void)state;
  cb_store *s = open_copy("plan.db", CB_STORE_READ);
  const lab_plan_pair pair = {CLOTH, BODY, 0, false}, real = {CLOTH, BODY, 0, true},
                      turned = {CLOTH, BODY, 90, false}, unknown = {CLOTH, "Glass", 0, false};
  const fit_plan_options opt = {.n_angles = 3,
                                .angles_deg = {0, 45, 90},
                                .n_loads = 2,
                                .loads_N = {0.6, 2},
                                .from_N = 0.6,
                                .to_N = 2,
                                .target_rel = 0.5,
                                .max_pulls = 6,
                                .pulls_per_repeat = 1,
                                .pull_s = 5,
                                .turn_s = 60,
                                .weights_s = 30};
  fit_plan plan;
  size_t n;
  assert_ok(lab_plan_next(s, &pair, &opt, &plan, &n, err));
  assert_true(n == 27 && plan.stage == FIT_PLAN_ENOUGH && plan.u_rel < 0.02);
  /* Nothing that is real, nothing with the body turned, nothing of this pair, nothing at all. */
  assert_ok(lab_plan_next(s, &turned, &opt, &plan, &n, err));
  assert_true(n == 0 && plan.stage == FIT_PLAN_DIRECTIONS);
  assert_ok(lab_plan_next(s, &real, &opt, &plan, &n, err));
  assert_true(n == 0 && plan.stage == FIT_PLAN_DIRECTIONS);
  assert_ok(lab_plan_next(s, &unknown, &opt, &plan, &n, err));
  assert_true(n == 0 && plan.stage == FIT_PLAN_DIRECTIONS);
  assert_ok(lab_plan_next(NULL, &pair, &opt, &plan, &n, err));
  assert_true(n == 0 && plan.stage == FIT_PLAN_DIRECTIONS);
  assert_ok(cb_store_close(s, err));
}

/* ---- documents ---- */

static char *text_of(json_t *doc) {
  char *text = cb_json_text(doc);
  assert_non_null(text);
  json_decref(doc);
  return text;
}

/* Text -> struct -> text. */
static void assert_there_and_back(const char *text, cb_friction_kind kind) {
  lab_friction f = {.body_angle_deg = NAN};
  assert_ok(lab_friction_verdicts_read(text, kind, &f, err));
  char *again = text_of(lab_friction_verdicts_json(&f, kind));
  assert_string_equal(again, text);
  free(again);
  lab_friction_clear(&f);
}

static void assert_laws_there_and_back(cb_store *s, size_t wanted) {
  cb_friction_law *laws;
  size_t n;
  assert_ok(cb_store_laws(s, &laws, &n, err));
  assert_true(n == wanted);
  for (size_t i = 0; i < n; i++) {
    char *method, *text, created[32];
    assert_ok(cb_store_law_info(s, laws[i].id, &method, &text, created, err));
    assert_there_and_back(text, laws[i].kind);
    free(method);
    free(text);
  }
  free(laws);
}

/* The shipped laws, and both kinds of one that was fitted here. */
static void stored_verdicts_there_and_back(void **state) {
  (void)state;
  cb_store *s;
  lab_friction f;
  assert_ok(cb_store_open(CB_SOURCE_DIR "/materials.db", CB_STORE_READ, &s, err));
  assert_laws_there_and_back(s, 50);
  assert_ok(cb_store_close(s, err));
  s = open_copy("docs.db", CB_STORE_WRITE);
  assert_ok(lab_friction_fit(s, CLOTH, BODY, &(lab_selection){.origin = LAB_ANY_ORIGIN}, &f, err));
  lab_friction_clear(&f);
  assert_laws_there_and_back(s, 2);
  assert_ok(cb_store_close(s, err));
}

/* Every member that the document has, with numbers that 17 digits tell apart. */
static lab_friction make_full(void) {
  static lab_pooled_campaign campaigns[3] = {
      {.id = 3, .name = "first \"week\"", .n_runs = 5, .says = {"roll 7", "face", "", "a"}},
      {.id = 9, .name = "second", .n_runs = 1, .says = {"roll 8", "", "", "a"}},
      {.id = 12, .name = "third", .n_runs = 2, .says = {"roll 7", "back", "", ""}}};
  lab_friction f = {
      .body_angle_deg = 33.3, .has_tests = true, .pooled = {3, campaigns, {true, true, false, false}}};
  for (int i = 0; i < LAB_FRICTION_TESTS; i++) {
    fit_test *t = (fit_test *)((char *)&f.verdict + lab_friction_tests[i].offset);
    *t = (fit_test){true, 1.0 / 3 + i, i % 2, 7.1, 1e-300, -0.1 * i};
  }
  f.verdict.fixed_load_N = 1.1, f.verdict.anisotropy_percent = 0.1 + 0.2,
  f.verdict.nonlinearity_percent = 7.0 / 3, f.verdict.linear = true;
  f.verdict.n_angles = 2;
  f.verdict.angles[0] = (fit_angle){-30, 3, 0.1, NAN, 0, 2, 0, 3, 4, 1, NAN, NAN, NAN, NAN};
  f.verdict.angles[1] = (fit_angle){.angle_deg = 0,
                                    .n = 2,
                                    .mean_mu = 0.3,
                                    .sd_mu = 1e-17,
                                    .campaign_id = 3,
                                    .sweep_campaign_id = 9,
                                    .n_sweep = 4,
                                    .nonlinearity_percent = 7.0 / 3,
                                    .power_N = 0.7,
                                    .exponent = 0.9,
                                    .r2 = 0.99};
  f.speed = (fit_speed){6,
                        0.01,
                        1e-4,
                        0.2,
                        -1.5,
                        0.3,
                        {true, -5, 0, 20, 1e-4, -1.5},
                        {0.9, 1.3, 0.07, 1e-3, {true, 8, 3, 12, 2e-3, 0.4}}};
  f.kinetic.fit = (fit_friction_law){.n_points = 8,
                                     .rmse_N = 1e-3,
                                     .scatter_rel = 0.01,
                                     .scatter_dof = 1.0 / 7,
                                     .placement_rel = 0.002,
                                     .placement_dof = 3,
                                     .scatter_basis = FIT_FROM_RESIDUALS,
                                     .exponent_basis = FIT_ASSUMED,
                                     .n_candidates = 2,
                                     .n_outliers = 1,
                                     .n_doubtful = 1,
                                     .falling = {true, 9, 1, 4, 0.004, 3.5}};
  f.kinetic.fit.candidates[0] = (fit_candidate){CB_MODEL_OFFSET, CB_FORM_GENERAL, 5, 1.5, 11, 0, 0.9};
  f.kinetic.fit.candidates[1] = (fit_candidate){CB_MODEL_CURVE, CB_FORM_ISOTROPIC, 2, INFINITY, 12, 1, 0.1};
  f.kinetic.outliers[0] = (lab_outlier){{0, 5.5, -40, 1e-9}, 17, 45, 2.02};
  f.kinetic.doubtful[0] = (lab_outlier){{0, 4.5, 30, 1e-4}, 18, 90, 0.1};
  return f;
}

static void everything_there_and_back(void **state) {
  (void)state;
  lab_friction f = make_full(), got = {.body_angle_deg = NAN};
  char *text = text_of(lab_friction_verdicts_json(&f, CB_FRICTION_KINETIC));
  assert_there_and_back(text, CB_FRICTION_KINETIC);
  assert_ok(lab_friction_verdicts_read(text, CB_FRICTION_KINETIC, &got, err));
  /* Struct -> text -> struct. */
  assert_true(got.kinetic.fit.n_candidates == 2 && isnan(got.kinetic.fit.candidates[1].chi2));
  assert_memory_equal(&got.kinetic.fit.candidates[0], &f.kinetic.fit.candidates[0],
                      sizeof f.kinetic.fit.candidates[0]);
  assert_memory_equal(&got.kinetic.outliers, &f.kinetic.outliers, sizeof f.kinetic.outliers);
  assert_memory_equal(&got.kinetic.doubtful, &f.kinetic.doubtful, sizeof f.kinetic.doubtful);
  assert_memory_equal(&got.speed, &f.speed, sizeof f.speed);
  assert_memory_equal(&got.verdict.isotropy, &f.verdict.isotropy, sizeof f.verdict.isotropy);
  assert_memory_equal(&got.verdict.drift, &f.verdict.drift, sizeof f.verdict.drift);
  assert_true(got.verdict.n_angles == 2 && got.verdict.angles[0].angle_deg == -30 &&
              got.verdict.angles[0].n_elsewhere == 2);
  assert_true(isnan(got.verdict.angles[0].nonlinearity_percent) &&
              got.verdict.angles[1].sweep_campaign_id == 9);
  assert_true(got.verdict.linear && !got.verdict.isotropic && got.body_angle_deg == 33.3 && got.has_tests);
  assert_true(got.kinetic.fit.scatter_basis == FIT_FROM_RESIDUALS &&
              got.kinetic.fit.direction_basis == FIT_FROM_REPEATS);
  free(text);
  /* Of the campaigns what they say where they differ. */
  assert_true(got.pooled.n == 3 && got.pooled.differs[LAB_CLOTH_LOT] &&
              !got.pooled.differs[LAB_BODY_SPECIMEN]);
  assert_true(lab_pooled_runs(&got.pooled, LAB_CLOTH_LOT, 0) == 7 &&
              lab_pooled_runs(&got.pooled, LAB_CLOTH_LOT, 1) == 1);
  assert_true(lab_pooled_runs(&got.pooled, LAB_CLOTH_LOT, 2) == 0);
  assert_string_equal(got.pooled.campaigns[0].name, "first \"week\"");
  assert_string_equal(got.pooled.campaigns[1].says[LAB_CLOTH_SIDE], "");
  lab_friction_clear(&got);
}

/* Files of before a key was written down, laws that came without their fit. */
static void older_documents_are_read(void **state) {
  (void)state;
  lab_friction f = {.kinetic.fit.law.n_knots = 4};
  assert_ok(lab_friction_verdicts_read("{}", CB_FRICTION_KINETIC, &f, err));
  assert_true(f.kinetic.fit.law.n_knots == 4 && f.kinetic.fit.n_points == 0 && isnan(f.kinetic.fit.rmse_N) &&
              !f.has_tests);
  assert_true(f.kinetic.fit.scatter_basis == FIT_ASSUMED && f.pooled.n == 0 &&
              isnan(f.verdict.anisotropy_percent));
  assert_ok(
      lab_friction_verdicts_read("{\"tests\":{\"drift\":{\"p_value\":0.5,\"dof2\":3}},\"speed\":null,"
                                 "\"scatter\":null,\"mean_mu\":{\"45\":{\"mean\":0.5}},"
                                 "\"unheard\":[1]}",
                                 CB_FRICTION_KINETIC, &f, err));
  assert_true(f.has_tests && f.verdict.drift.done && f.verdict.drift.dof1 == 0 && !f.verdict.form.done);
  assert_true(f.verdict.n_angles == 1 && f.verdict.angles[0].n == 0 && f.verdict.angles[0].mean_mu == 0.5);
  lab_friction_clear(&f);
}

static void damaged_documents_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } bad[] = {
      {"", "no JSON document"},
      {"[]", "no JSON document"},
      {"{\"points\":8", "no JSON document"},
      {"{\"points\":-1}", "points: a count"},
      {"{\"points\":\"8\"}", "points: a count"},
      {"{\"rmse_N\":\"small\"}", "rmse_N: a number"},
      {"{\"isotropic\":1}", "isotropic: true or false"},
      {"{\"scatter\":[]}", "scatter: an object"},
      {"{\"scatter\":{\"basis\":\"guessed\"}}", "basis: one of its words"},
      {"{\"candidates\":{}}", "candidates: a list"},
      {"{\"candidates\":[1]}", "an object with the key model"},
      {"{\"candidates\":[{\"model\":\"cubic\"}]}", "model: one of its words"},
      {"{\"outliers\":[{},{},{},{},{},{},{},{},{}]}", "outliers: a list of 8"},
      {"{\"mean_mu\":{\"warp\":{}}}", "'warp': an angle"},
      {"{\"power_law\":{\"45\":7}}", "an object with the key force_N"},
      {"{\"tests\":{\"drift\":\"none\"}}", "drift: an object"},
      {"{\"campaigns\":[{\"campaign_id\":1}]}", "campaigns[0]: a campaign_id of its own and runs"},
      {"{\"campaigns\":[{\"campaign_id\":1,\"runs\":2},{\"campaign_id\":1,\"runs\":2}]}",
       "campaigns[1]: a campaign_id of its own"},
      {"{\"pooled\":[{\"what\":\"cloth_lot\",\"values\":[{\"value\":\"a\",\"campaign_ids\":[1]}]}]}",
       "not among the campaigns"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    lab_friction f = {.kinetic.fit.law.n_knots = 4};
    assert_fails(CB_E_DB, bad[i].why, lab_friction_verdicts_read(bad[i].text, CB_FRICTION_KINETIC, &f, err));
    assert_true(f.kinetic.fit.law.n_knots == 4 && f.kinetic.fit.n_candidates == 0 &&
                f.verdict.n_angles == 0 && f.pooled.n == 0);
    lab_friction_clear(&f);
  }
}

static void budget_entries_there_and_back(void **state) {
  (void)state;
  const fit_budget_entry e[] = {{"weights", "N", 'B', "normal", 0.1, 2, 1.0 / 3, 0.1 / 6, INFINITY, true},
                                {"scatter", "", 'A', "Student", 1e-3, 1, 1, 1e-3, 7.5, false}};
  fit_budget_entry got[3];
  json_t *list = lab_budget_entries_json(e, 2);
  assert_true(lab_budget_entries_read(list, got, 3) == 2);
  for (int i = 0; i < 2; i++) {
    assert_string_equal(got[i].name, e[i].name);
    assert_string_equal(got[i].unit, e[i].unit);
    assert_string_equal(got[i].distribution, e[i].distribution);
    assert_true(got[i].type == e[i].type && got[i].in_proportion == e[i].in_proportion &&
                got[i].dof == e[i].dof);
    assert_true(got[i].value == e[i].value && got[i].divisor == e[i].divisor &&
                got[i].sensitivity == e[i].sensitivity);
    assert_true(got[i].u_N == e[i].u_N);
  }
  assert_true(lab_budget_entries_read(list, got, 1) == 1 && lab_budget_entries_read(NULL, got, 3) == 0);
  json_decref(list);
}

/* What is read from a database that only holds laws. */
static void stored_laws_are_read(void **state) {
  (void)state;
  cb_store *s;
  lab_friction f;
  cb_friction_law *laws;
  size_t n;
  assert_ok(cb_store_open(CB_SOURCE_DIR "/materials.db", CB_STORE_READ, &s, err));
  assert_ok(cb_store_laws(s, &laws, &n, err));
  assert_ok(lab_friction_stored(s, laws[0].cloth, laws[0].body, &f, err));
  assert_true(f.kinetic.fit.law.id == laws[0].id && f.kinetic.fit.n_points > 0 && f.n_runs == 0 &&
              isnan(f.body_angle_deg));
  assert_true(f.kinetic.has_far && isfinite(f.verdict.found_exponent) && f.kinetic.fit.lack.done);
  assert_true(f.stat.fit.outcome == FIT_FRICTION_NO_DATA);
  json_t *doc = lab_friction_json(&f);
  assert_true(json_is_null(json_object_get(doc, "static")) && !json_object_get(doc, "calibrations"));
  json_decref(doc);
  lab_friction_clear(&f);
  assert_fails(CB_E_NOTFOUND, "no body named 'Glass'",
               lab_friction_stored(s, laws[0].cloth, "Glass", &f, err));
  lab_friction_clear(&f);
  free(laws);
  assert_ok(cb_store_close(s, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_call_finds_the_planted_law),
      cmocka_unit_test(prediction_only_reads),
      cmocka_unit_test(newer_runs_count),
      cmocka_unit_test(what_cannot_be_fitted),
      cmocka_unit_test(origins_do_not_mix),
      cmocka_unit_test(every_pair),
      cmocka_unit_test(a_plan_follows),
      cmocka_unit_test(stored_verdicts_there_and_back),
      cmocka_unit_test(everything_there_and_back),
      cmocka_unit_test(older_documents_are_read),
      cmocka_unit_test(damaged_documents_are_refused),
      cmocka_unit_test(budget_entries_there_and_back),
      cmocka_unit_test(stored_laws_are_read),
  };
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
