/* The store: laws of friction, with the runs they rest on. */
#include "cb_store_self_friction.h"
#include "storelaws.h"
#include "storetest.h"

static cb_friction_law two_knots(void) {
  cb_friction_law law = {
      .kind = CB_FRICTION_KINETIC,
      .form = CB_FORM_GENERAL,
      .origin = CB_VIRTUAL,
      .contact_area_m2 = 0.005,
      .n_knots = 2,
      .exponent = 0.9,
      .u_exponent = 0.01,
      .u_rel_common = 0.002,
      .u_rel_model = 0.001,
      .dof = 12,
      .model = CB_MODEL_OFFSET,
      .bend = 0.25,
      .offset_N = 0.1,
      .speed_m_per_s = 0.002,
      .n_shared = 2,
      .shared = {{.source = "load", .f_N = {{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}}, .exponent = {-0.1, 0.1}},
                 {.source = "zero", .f_N = {{1.0 / 3, 0, 1.0 / 3}, {1.0 / 7, 0, 1.0 / 7}}}}};
  for (int k = 0; k < 2; k++) {
    law.knots[k] =
        (cb_friction_knot){.normal_force_N = 0.5 + k, .f_N = {0.3 + k * 0.2, 0.01, 0.25 + k * 0.2}};
    for (int i = 0; i < 3; i++) law.knots[k].cov_N2[i][i] = 1e-6 * (i + 1);
    law.knots[k].cov_N2[0][2] = law.knots[k].cov_N2[2][0] = -1e-7;
  }
  return law;
}

static void law_round_trip(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  cb_friction_point p = {.run_id = run.id,
                         .static_N = NAN,
                         .u_static_N = NAN,
                         .kinetic_N = 0.5,
                         .u_kinetic_N = 0.001,
                         .mu_reported = NAN,
                         .method = "m"};
  assert_ok(cb_store_point_put(f->s, &p, err));
  cb_friction_obs *obs;
  size_t n;
  assert_ok(cb_store_observations(f->s, run.cloth_id, run.body_id, &obs, &n, err));
  assert_true(n == 1 && obs[0].point.kinetic_N == 0.5 && isnan(obs[0].point.static_N) &&
              obs[0].run.id == run.id && obs[0].u_rel_calibration == 0.002);
  free(obs);
  cb_friction_law law = two_knots(), back;
  assert_ok(cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &p.id, 1, "wls/1", "{\"a\":1}", err));
  assert_ok(cb_store_law_find(f->s, "Twill", "Foam", CB_FRICTION_KINETIC, &back, err));
  assert_true(back.id == law.id && back.n_knots == 2 && back.form == CB_FORM_GENERAL &&
              back.origin == CB_VIRTUAL && back.dof == 12);
  assert_memory_equal(back.knots[1].f_N, law.knots[1].f_N, sizeof law.knots[1].f_N);
  assert_memory_equal(back.knots[0].cov_N2, law.knots[0].cov_N2, sizeof law.knots[0].cov_N2);
  assert_true(back.model == CB_MODEL_OFFSET && back.bend == 0.25 && back.offset_N == 0.1 &&
              back.speed_m_per_s == 0.002 && back.n_shared == 2);
  assert_memory_equal(back.shared, law.shared, sizeof law.shared);
  char *method, *json, at[32];
  assert_ok(cb_store_law_info(f->s, law.id, &method, &json, at, err));
  assert_string_equal(json, "{\"a\":1}");
  free(method), free(json);
  assert_int_equal(store_law_stale(f->s, &back), 0);
  assert_ok(cb_store_point_put(f->s, &p, err));
  assert_int_equal(store_law_stale(f->s, &back), 1);
  assert_fails(CB_E_NOTFOUND, "no static friction law of 'Twill' on 'Foam'",
               cb_store_law_find(f->s, "Twill", "Foam", CB_FRICTION_STATIC, &back, err));
  law.knots[1].f_N[1] = 5;
  assert_fails(CB_E_NUM, "must be > 0 in every direction",
               cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &p.id, 1, "", "", err));
}

static int64_t pull_with_body(cb_store *s, const cb_run *like, double body_angle_deg) {
  cb_run run = *like;
  run.body_angle_deg = body_angle_deg;
  run.status = CB_RUN_DONE;
  assert_ok(cb_store_run_put(s, &run, err));
  cb_friction_point p = {.run_id = run.id,
                         .static_N = NAN,
                         .u_static_N = NAN,
                         .kinetic_N = 0.5,
                         .mu_reported = NAN,
                         .method = "m"};
  assert_ok(cb_store_point_put(s, &p, err));
  return p.id;
}

/* The body's angle stays with the run; a friction law does not grow old by pulls with the body turned. */
static void the_angle_of_the_body(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL), again;
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_ABORTED, "", err));
  const double angles_deg[] = {45, NAN};
  for (int i = 0; i < 2; i++) {
    int64_t point = pull_with_body(f->s, &run, angles_deg[i]);
    cb_friction_law law = two_knots();
    assert_ok(cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &point, 1, "wls/1", "{}", err));
    (void)pull_with_body(f->s, &run, 90 + i);
    assert_int_equal(store_law_stale(f->s, &law), 0);
    (void)pull_with_body(f->s, &run, angles_deg[i]);
    assert_int_equal(store_law_stale(f->s, &law), 1);
  }
  assert_ok(cb_store_run_get(f->s, run.id + 1, &again, err));
  assert_near(again.body_angle_deg, 45, 0);
  store_exec(f->db, "UPDATE run SET body_angle_deg = 0", "append-only");
}

static void a_law_of_two_tensors(void **state) {
  store_fixture *f = *state;
  char texts[2][20] = {"{}", "{\"newer\": 1}"};
  cb_run run = store_make_run(f->s, CB_VIRTUAL), *runs;
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_ABORTED, "", err));
  int64_t point = pull_with_body(f->s, &run, 45), none = 4711;
  cb_self_friction_row row = {.cloth_id = run.cloth_id,
                              .body_id = run.body_id,
                              .form = "mean",
                              .origin = CB_VIRTUAL,
                              .method = "m"},
                       *list;
  size_t n;
  for (int i = 0; i < 2; i++) {
    row.result_json = texts[i];
    assert_ok(cb_store_self_friction_put(f->s, &row, &point, 1, err));
  }
  assert_fails(CB_E_DB, "a row that was named is not there",
               cb_store_self_friction_put(f->s, &row, &none, 1, err));
  assert_ok(cb_store_self_friction_list(f->s, 0, 0, &list, &n, err));
  assert_int_equal(n, 1);
  assert_true(list[0].cloth_id == run.cloth_id && list[0].body_id == run.body_id &&
              list[0].origin == CB_VIRTUAL);
  assert_string_equal(list[0].cloth, "Twill");
  assert_string_equal(list[0].body, "Foam");
  assert_string_equal(list[0].form, "mean");
  assert_string_equal(list[0].result_json, "{\"newer\": 1}");
  assert_ok(cb_store_self_friction_runs(f->s, list[0].id, &runs, &n, err));
  assert_true(n == 1 && runs[0].id == run.id + 1);
  free(runs);
  cb_self_friction_rows_free(list, 1);
  assert_ok(cb_store_self_friction_list(f->s, run.body_id, 0, &list, &n, err));
  assert_int_equal(n, 0);
  cb_self_friction_rows_free(list, n);
  store_exec(f->db, "DELETE FROM self_friction_law_input", "append-only");
  row.origin = CB_MEASURED;
  assert_ok(cb_store_self_friction_put(f->s, &row, &point, 1, err));
  assert_fails(CB_E_DB, "law T3", cb_store_check(f->s, NULL, err));
}

/* Of a pair's laws the check reads the old ones, too: a damaged one is no less damaged for a newer one. */
static void old_laws_are_checked(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_ABORTED, "", err));
  const int64_t point = pull_with_body(f->s, &run, 45);
  char *good = store_law_self_friction(), bad[] = "{}";
  cb_self_friction_row row = {
      .cloth_id = run.cloth_id, .body_id = run.body_id, .form = "mean", .origin = CB_VIRTUAL, .method = "m"};
  row.result_json = good;
  assert_ok(cb_store_self_friction_put(f->s, &row, &point, 1, err));
  assert_ok(cb_store_check(f->s, NULL, err));
  row.result_json = bad;
  assert_ok(cb_store_self_friction_put(f->s, &row, &point, 1, err));
  row.result_json = good;
  assert_ok(cb_store_self_friction_put(f->s, &row, &point, 1, err));
  assert_fails(CB_E_DB, "law T2", cb_store_check(f->s, NULL, err));
  free(good);
}

static void a_failed_law_leaves_nothing(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  cb_friction_law law = two_knots();
  int64_t no_such_point = 4711;
  assert_fails(CB_E_DB, "a row that was named is not there",
               cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &no_such_point, 1, "", "", err));
  cb_friction_law *list;
  size_t n;
  assert_ok(cb_store_laws(f->s, &list, &n, err));
  assert_int_equal(n, 0);
  free(list);
}

static void virtual_cannot_pass_as_measured(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  cb_friction_point p = {.run_id = run.id, .kinetic_N = 0.5, .mu_reported = NAN};
  assert_ok(cb_store_point_put(f->s, &p, err));
  cb_friction_law law = two_knots();
  law.origin = CB_MEASURED;
  assert_ok(cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &p.id, 1, "", "", err));
  assert_fails(CB_E_DB, "rests on virtual runs", cb_store_check(f->s, NULL, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {STORE_TEST(law_round_trip),
                                     STORE_TEST(the_angle_of_the_body),
                                     STORE_TEST(a_law_of_two_tensors),
                                     STORE_TEST(old_laws_are_checked),
                                     STORE_TEST(a_failed_law_leaves_nothing),
                                     STORE_TEST(virtual_cannot_pass_as_measured)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
