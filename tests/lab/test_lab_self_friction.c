/* Cloth on cloth as a program calls it: a planted law of two tensors, what is left out, and the document,
 * there and back. */
#include "bench_fixture.h"

#include "cb_json.h"
#include "cb_store_self_friction.h"
#include "cb_law_json.h"
#include "lab_predict.h"
#include "lab_self_friction_parts.h"

/* mu = 0.5 N^-0.1 sqrt(q1 q2), by the product rule. */
static double truth_N(double deg, double below, double N) {
  double q1 = 1 + 0.3 * cos(2 * deg * CB_DEG),
         q2 = 1 - 0.2 * cos(2 * below * CB_DEG) + 0.1 * sin(2 * below * CB_DEG);
  return 0.5 * pow(N, 0.9) * sqrt(q1 * q2);
}

/* A run whose point is known: no samples are needed. */
static void put_point(bench *b, double deg, double below, double N, double speed_m_per_s, double force_N) {
  cb_run run = b->like;
  run.kind = CB_RUN_PULL;
  run.angle_deg = deg, run.body_angle_deg = below, run.normal_force_N = N, run.u_normal_force_N = 1e-4;
  run.direction = 1, run.repeat = 1, run.speed_m_per_s = speed_m_per_s;
  assert_ok(cb_store_run_put(b->store, &run, err));
  assert_ok(cb_store_run_finish(b->store, run.id, CB_RUN_DONE, "", err));
  cb_friction_point p = {.run_id = run.id,
                         .static_N = NAN,
                         .u_static_N = NAN,
                         .kinetic_N = force_N,
                         .u_kinetic_N = 1e-4,
                         .n_eff = 40,
                         .mu_reported = NAN,
                         .method = "test"};
  assert_ok(cb_store_point_put(b->store, &p, err));
}

static bench lab;

static int set_up(void **state) {
  static const double loads_N[] = {0.5, 1, 2};
  char path[400];
  (void)cbt_folder_set_up(state);
  bench_open(&lab, cbt_path("lab.db", path), "Twill", "Silk", 2);
  bench_campaign(&lab, CB_CAMPAIGN_FRICTION, "cloth on cloth");
  for (int l = 0; l < 3; l++)
    for (int c = 0; c <= 90; c += 45)
      for (int d = 0; d <= 90; d += 45) {
        double F = truth_N(c, d, loads_N[l]) * (1 + 0.002 * cb_rng_normal(&lab.rng));
        put_point(&lab, c, d, loads_N[l], 0.01, F);
      }
  put_point(&lab, 0, NAN, 1, 0.01, 0.5); /* the body's angle is not known */
  put_point(&lab, 0, 0, 1, 0.01, NAN);   /* no force */
  put_point(&lab, 0, 0, 1, 0.02, 0.6);   /* another speed */
  return 0;
}

static int tear_down(void **state) {
  bench_close(&lab);
  return cbt_folder_tear_down(state);
}

static void the_planted_law(void **state) {
  (void)state;
  lab_self_friction f;
  assert_ok(lab_self_friction_fit(lab.store, "Twill", "Silk", LAB_ANY_ORIGIN, &f, err));
  assert_int_equal(f.fit.outcome, FIT_SELF_OK);
  assert_true(f.n_points == 27 && f.n_unknown == 1 && f.n_without == 1 && f.n_other_speed == 1 &&
              f.n_reduced == 0);
  const cb_self_friction_law *law = &f.fit.law;
  assert_true(law->form.rule == CB_SELF_PRODUCT && law->exponent_from == CB_SELF_EXPONENT_FITTED);
  const double truth[] = {log(0.5), 0.9, 0.3, 0, -0.2, 0.1}; /* at 1 N */
  for (int i = 1; i < CB_SELF_PARAMETERS; i++)
    assert_near(law->form.p[i], truth[i], 4 * sqrt(law->cov[i][i]));
  for (int c = 10; c <= 90; c += 40)
    for (int d = 20; d <= 110; d += 45) {
      cb_friction_value v;
      cb_self_friction_eval(law, c * CB_DEG, d * CB_DEG, 1.5, &v);
      assert_near(v.force_N, truth_N(c, d, 1.5), 4 * v.u_force_N);
    }
  const lab_surface body = lab_self_friction_surface(law, 1);
  assert_near(body.roughest_deg, 0.5 * atan2(0.1, -0.2) / CB_DEG, 2);
  lab_self_friction_clear(&f);
}

static void is_stored_and_read(void **state) {
  (void)state;
  lab_self_friction f, got;
  cb_self_friction_law law;
  assert_ok(lab_self_friction_fit(lab.store, "Twill", "Silk", CB_VIRTUAL, &f, err));
  assert_ok(lab_self_friction_stored(lab.store, "Twill", "Silk", &got, err));
  json_t *a = lab_self_friction_json(&f), *b = lab_self_friction_json(&got);
  char *text[] = {cb_json_text(a), cb_json_text(b)};
  assert_string_equal(text[0], text[1]);
  assert_true(got.n_points == 27 && got.fit.n_cells == f.fit.n_cells && got.fit.by_cells == f.fit.by_cells);
  assert_near(got.fit.rms_rel, f.fit.rms_rel, 0);
  assert_memory_equal(&got.fit.law.form, &f.fit.law.form, sizeof law.form);
  assert_memory_equal(got.fit.law.cov, f.fit.law.cov, sizeof law.cov);
  assert_true(got.pooled.n == 1 && got.pooled.campaigns[0].n_runs == 27);
  assert_ok(lab_self_friction_law_find(lab.store, "Twill", "Silk", &law, err));
  assert_true(law.id == got.fit.law.id && law.id > 0);
  for (int i = 0; i < 2; i++) free(text[i]);
  json_decref(a);
  json_decref(b);
  lab_self_friction_clear(&f);
  lab_self_friction_clear(&got);
}

static void a_force_is_predicted(void **state) {
  (void)state;
  lab_self_question q = {"Twill", "Silk", 20 + 180 * 1e6, 110 - 360, 1.5, 0};
  lab_self_answer a;
  assert_ok(lab_self_friction_predict(lab.store, &q, &a, err));
  assert_near(a.value.force_N, truth_N(20, 110, 1.5), a.u95_force_N);
  assert_near(a.mu, a.value.force_N / 1.5, 0);
  q.contact_area_m2 = 0.01, q.normal_force_N = 3;
  assert_ok(lab_self_friction_predict(lab.store, &q, &a, err));
  assert_near(a.value.force_N, 2 * truth_N(20, 110, 1.5), a.u95_force_N);
  q.cloth = "Wool";
  assert_fails(CB_E_NOTFOUND, "Wool", lab_self_friction_predict(lab.store, &q, &a, err));
}

/* A row with the law's own text, and what else a document of an older program has, or a damaged one. */
static cb_status read_with(const cb_self_friction_law *law, const char *more, lab_self_friction *out,
                           cb_err *err) {
  cb_self_friction_row row = {.id = 4, .cloth = "Twill", .body = "Silk", .origin = CB_VIRTUAL};
  json_t *doc = json_loads(more, 0, NULL);
  assert_non_null(doc);
  assert_int_equal(json_object_set_new(doc, "law", cb_self_friction_json(law)), 0);
  row.result_json = cb_json_text(doc);
  json_decref(doc);
  cb_status st = lab_self_friction_read(&row, out, err);
  free(row.result_json);
  return st;
}

static void older_and_damaged_documents(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } bad[] = {{"{\"points\":1.5}", "law T4 of self-friction: points: a count"},
             {"{\"one_tensor\":3}", "one_tensor: an object"},
             {"{\"scatter_between\":\"rooms\"}", "scatter_between: one of its words"},
             {"{\"other_rule\":\"sum\"}", "other_rule: one of its words"},
             {"{\"pooled\":[{\"what\":\"weather\"}]}", "what: one of its words"}};
  cb_self_friction_law law;
  lab_self_friction f;
  assert_ok(lab_self_friction_law_find(lab.store, "Twill", "Silk", &law, err));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_fails(CB_E_DB, bad[i].why, read_with(&law, bad[i].text, &f, err));
    lab_self_friction_clear(&f);
  }
  assert_ok(read_with(&law, "{}", &f, err));
  assert_true(f.n_points == 0 && isnan(f.fit.rms_rel) && isnan(f.fit.one_tensor_p) && f.pooled.n == 0);
  lab_self_friction_clear(&f);
  cb_self_friction_row none = {.id = 5, .result_json = (char[]){"{\"law\":7}"}};
  assert_fails(CB_E_PARSE, "law T5 is no law of self-friction", lab_self_friction_read(&none, &f, err));
  lab_self_friction_clear(&f);
}

static void what_cannot_be_fitted(void **state) {
  (void)state;
  lab_self_friction f;
  assert_fails(CB_E_NOTFOUND, "no body named 'Wool'",
               lab_self_friction_fit(lab.store, "Twill", "Wool", LAB_ANY_ORIGIN, &f, err));
  lab_self_friction_clear(&f);
  assert_fails(CB_E_NOTFOUND, "no finished imported runs",
               lab_self_friction_fit(lab.store, "Twill", "Silk", CB_IMPORTED, &f, err));
  lab_self_friction_clear(&f);
  /* Another area, in a later campaign: one law has one. */
  bench_campaign(&lab, CB_CAMPAIGN_FRICTION, "larger");
  lab.like.contact_area_m2 = 0.01;
  put_point(&lab, 0, 0, 1, 0.01, 0.5);
  assert_fails(CB_E_RANGE, "50 and 100 cm2: one contact area",
               lab_self_friction_fit(lab.store, "Twill", "Silk", LAB_ANY_ORIGIN, &f, err));
  lab_self_friction_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_planted_law), cmocka_unit_test(is_stored_and_read),
                                     cmocka_unit_test(a_force_is_predicted),
                                     cmocka_unit_test(older_and_damaged_documents),
                                     cmocka_unit_test(what_cannot_be_fitted)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
