/* The store: schema, identity, append-only rules, chunks, laws, upgrades, damage. */
#include <sqlite3.h>
#include <sys/stat.h>

#include "../core/cb_schema.h"
#include "cb_store_self_friction.h"
#include "cb_store.h"
#include "cbtest.h"

typedef struct fixture {
  char db[400];
  cb_store *s;
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  cbt_folder_set_up(state);
  (void)cbt_path("lab.db", f->db);
  assert_ok(cb_store_open(f->db, CB_STORE_WRITE, &f->s, err));
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  assert_ok(cb_store_close(f->s, err));
  cbt_folder_tear_down(state);
  free(f);
  return 0;
}

static void exec_raw(const char *db, const char *sql, const char *expect) {
  sqlite3 *h;
  char *msg = NULL;
  assert_int_equal(sqlite3_open(db, &h), SQLITE_OK);
  sqlite3_exec(h, sql, NULL, NULL, &msg);
  if (!expect && msg) fail_msg("%s: %s", sql, msg);
  if (expect && (!msg || !strstr(msg, expect))) fail_msg("%s: '%s' was wanted, got '%s'", sql, expect, msg ? msg : "no error");
  sqlite3_free(msg);
  sqlite3_close(h);
}

/* A campaign with one run of a pair; origin as asked. */
static cb_run make_run(cb_store *s, cb_origin origin) {
  cb_run run = {.kind = CB_RUN_PULL,
                .angle_deg = 45,
                .cart_mass_kg = 0.013,
                .added_mass_kg = 0.1,
                .normal_force_N = 1.108,
                .u_normal_force_N = 0.001,
                .contact_area_m2 = 0.005,
                .speed_m_per_s = 0.01,
                .travel_m = 0.025,
                .direction = -1,
                .repeat = 2,
                .rate_Hz = 200,
                .origin = origin,
                .source = "bench",
                .status = CB_RUN_RUNNING};
  cb_campaign c = {.name = "test",
                   .kind = CB_CAMPAIGN_FRICTION,
                   .plan_text = "plan",
                   .operator_name = "me",
                   .temperature_degC = 20.5,
                   .humidity_percent = NAN,
                   .origin = origin};
  cb_calibration cal = {
      .unit = "mV/V", .slope_N_per_unit = 2, .u_rel = 0.002, .resolution_N = 1e-4, .certificate = "W-1", .valid_from = "2026-01-01"};
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, "Twill", origin, &run.cloth_id, err));
  assert_ok(cb_store_material_ensure(s, CB_BODY, "Foam", origin, &run.body_id, err));
  assert_ok(cb_store_rig_ensure(s, "bench", "name: bench\n", &run.rig_id, err));
  cal.rig_id = run.rig_id;
  assert_ok(cb_store_calibration_ensure(s, &cal, err));
  run.calibration_id = cal.id;
  c.cloth_id = run.cloth_id, c.body_id = run.body_id, c.rig_id = run.rig_id;
  assert_ok(cb_store_campaign_put(s, &c, err));
  run.campaign_id = c.id;
  assert_ok(cb_store_run_put(s, &run, err));
  return run;
}

static void run_round_trip(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_VIRTUAL), back;
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_FAILED, "the link broke", err));
  assert_ok(cb_store_run_get(f->s, run.id, &back, err));
  assert_string_equal(back.uuid, run.uuid);
  assert_int_equal(strlen(back.uuid), 36);
  assert_true(back.angle_deg == 45 && back.direction == -1 && back.repeat == 2 && back.origin == CB_VIRTUAL && back.kind == CB_RUN_PULL);
  assert_true(back.normal_force_N == 1.108 && back.u_normal_force_N == 0.001 && back.contact_area_m2 == 0.005 && back.travel_m == 0.025);
  assert_int_equal(back.status, CB_RUN_FAILED);
  assert_string_equal(back.reason, "the link broke");
  assert_true(back.finished_at[0] != '\0');
  cb_campaign c;
  assert_ok(cb_store_campaign_get(f->s, run.campaign_id, &c, err));
  assert_true(c.temperature_degC == 20.5 && isnan(c.humidity_percent) && c.finished_at[0] == '\0');
  assert_ok(cb_store_campaign_unfinished(f->s, "test", "plan", &c, err));
  assert_ok(cb_store_campaign_finish(f->s, c.id, err));
  assert_fails(CB_E_NOTFOUND, "no unfinished campaign 'test'", cb_store_campaign_unfinished(f->s, "test", "plan", &c, err));
}

static void filters_select(void **state) {
  fixture *f = *state;
  cb_run a = make_run(f->s, CB_VIRTUAL), b = make_run(f->s, CB_VIRTUAL);
  assert_ok(cb_store_run_finish(f->s, b.id, CB_RUN_DONE, "", err));
  cb_run *list;
  size_t n;
  cb_run_filter all = cb_run_filter_all(), done = cb_run_filter_all(), mine = cb_run_filter_all();
  done.status = CB_RUN_DONE;
  mine.campaign_id = a.campaign_id;
  assert_ok(cb_store_runs(f->s, &all, &list, &n, err));
  assert_int_equal(n, 2);
  free(list);
  assert_ok(cb_store_runs(f->s, &done, &list, &n, err));
  assert_true(n == 1 && list[0].id == b.id);
  free(list);
  assert_ok(cb_store_runs(f->s, &mine, &list, &n, err));
  assert_true(n == 1 && list[0].id == a.id);
  free(list);
  assert_ok(cb_store_runs_interrupt(f->s, a.campaign_id, &n, err));
  assert_int_equal(n, 1);
}

static void same_text_is_stored_once(void **state) {
  fixture *f = *state;
  int64_t a, b, c;
  assert_ok(cb_store_rig_ensure(f->s, "r", "x: 1\n", &a, err));
  assert_ok(cb_store_rig_ensure(f->s, "r", "x: 1\n", &b, err));
  assert_ok(cb_store_rig_ensure(f->s, "r", "x: 2\n", &c, err));
  assert_true(a == b && a != c);
  cb_calibration one = {.rig_id = a, .unit = "N", .slope_N_per_unit = 1}, same = one, other = one;
  other.slope_N_per_unit = 1.001;
  assert_ok(cb_store_calibration_ensure(f->s, &one, err));
  assert_ok(cb_store_calibration_ensure(f->s, &same, err));
  assert_ok(cb_store_calibration_ensure(f->s, &other, err));
  assert_true(one.id == same.id && one.id != other.id);
}

static void samples_come_back_bit_exact(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_MEASURED);
  double t[300], v[300];
  for (int i = 0; i < 300; i++) t[i] = i * 0.1 + 1e-9 * i * i, v[i] = sin(i) * 1e-3;
  v[7] = -0.0;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 100, t, v, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 100, 200, t + 100, v + 100, err));
  cb_series s;
  assert_ok(cb_store_samples(f->s, run.id, CB_CHANNEL_FORCE, &s, err));
  assert_int_equal(s.n, 300);
  assert_memory_equal(s.t_s, t, sizeof t);
  assert_memory_equal(s.v, v, sizeof v);
  cb_series_clear(&s);
  cb_store_tally tally;
  assert_ok(cb_store_check(f->s, &tally, err));
  assert_true(tally.n_chunks == 2 && tally.n_tails == 0 && tally.n_samples == 300 && tally.n_runs == 1 && tally.n_channels == 1);
  cb_trace trace;
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  assert_true(trace.force_N.v[5] == 2 * v[5] && trace.position_m.n == 0);
  cb_trace_clear(&trace);
}

static void gaps_and_damage_are_seen(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_MEASURED);
  double t[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, v[10] = {0};
  cb_series s;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_POSITION, 0, 10, t, v, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_POSITION, 11, 10, t, v, err));
  assert_fails(CB_E_DB, "sample 11 follows 9: samples are missing", cb_store_samples(f->s, run.id, CB_CHANNEL_POSITION, &s, err));
  assert_fails(CB_E_DB, "samples are missing", cb_store_check(f->s, NULL, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 10, t, v, err));
  exec_raw(f->db, "DROP TRIGGER sample_chunk_no_update; UPDATE sample_chunk SET payload = zeroblob(160) WHERE channel = 'force'", NULL);
  assert_fails(CB_E_DB, "damaged (CRC)", cb_store_samples(f->s, run.id, CB_CHANNEL_FORCE, &s, err));
}

/* Small batches rest in the tail, a long tail becomes a chunk, a large batch takes the tail with it, the end packs what is left; at
 * every moment all samples can be read. */
static void a_tail_becomes_chunks(void **state) {
  fixture *f = *state;
  enum { N = 3 * CB_CHUNK_N, SMALL = 1000 };
  static double t[N], v[N];
  static const struct {
    size_t n, chunks, tails; /* appended so far; then there are */
  } wanted[] = {{SMALL, 0, 1}, {CB_CHUNK_N - 1, 0, 2}, {CB_CHUNK_N, 1, 0}, {CB_CHUNK_N + SMALL, 1, 1}, {N - 7, 2, 0}, {N, 2, 1}};
  cb_run run = make_run(f->s, CB_MEASURED);
  size_t done = 0;
  cb_series s;
  cb_store_tally tally;
  for (size_t i = 0; i < N; i++) t[i] = (double)(i * 1000) / 1e6, v[i] = (double)(i * 2654435761u % 65536);
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    size_t n = wanted[i].n - done;
    assert_ok(cb_store_samples_append(f->s, run.id, CB_CHANNEL_FORCE, (int64_t)done, n, t + done, v + done, err));
    done += n;
    assert_ok(cb_store_samples(f->s, run.id, CB_CHANNEL_FORCE, &s, err));
    assert_int_equal(s.n, done);
    assert_memory_equal(s.v, v, done * sizeof *v);
    assert_memory_equal(s.t_s, t, done * sizeof *t);
    cb_series_clear(&s);
    assert_ok(cb_store_check(f->s, &tally, err));
    if (tally.n_chunks != wanted[i].chunks || tally.n_tails != wanted[i].tails)
      fail_msg("step %zu: %zu chunks and %zu tail rows", i, tally.n_chunks, tally.n_tails);
  }
  exec_raw(f->db, "UPDATE sample_tail SET n = 2", "append-only");
  exec_raw(f->db, "DELETE FROM sample_tail", "these samples are not in a chunk yet");
  size_t n;
  assert_ok(cb_store_runs_interrupt(f->s, run.campaign_id, &n, err));
  assert_ok(cb_store_check(f->s, &tally, err));
  assert_true(n == 1 && tally.n_chunks == 3 && tally.n_tails == 0 && tally.n_samples == N);
}

/* A damaged tail cannot be packed; the run can be ended nevertheless, and the check tells. */
static void a_damaged_tail_stays_where_it_is(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_MEASURED);
  double t[3] = {0, 1, 2}, v[3] = {7, 8, 9};
  assert_ok(cb_store_samples_append(f->s, run.id, CB_CHANNEL_FORCE, 0, 3, t, v, err));
  exec_raw(f->db, "DROP TRIGGER sample_tail_no_update; UPDATE sample_tail SET crc32 = crc32 + 1", NULL);
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  assert_fails(CB_E_DB, "damaged (CRC)", cb_store_check(f->s, NULL, err));
}

static void a_check_sees(fixture *f, const char *sql, const char *problem) {
  exec_raw(f->db, sql, NULL);
  assert_fails(CB_E_DB, problem, cb_store_check(f->s, NULL, err));
}

static void the_check_looks_at_times(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_MEASURED);
  double t[4] = {0, 2, 1, 3}, v[4] = {0};
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 2, t, v, err));
  assert_ok(cb_store_check(f->s, NULL, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 2, 2, t + 2, v, err));
  assert_fails(CB_E_DB, "sample 2 at 1 s follows one at 2 s: time goes back", cb_store_check(f->s, NULL, err));
}

static void the_check_looks_at_units_and_origins(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_VIRTUAL);
  cb_run_channel c = {.run_id = run.id, .channel = CB_CHANNEL_FORCE, .c = {0, 1}, .scale = 1};
  assert_ok(cb_store_run_channel_put(f->s, &c, err));
  assert_ok(cb_store_check(f->s, NULL, err));
  a_check_sees(f, "DROP TRIGGER calibration_no_update; UPDATE calibration SET unit = 'furlong'", "calibration 1: 'furlong' is no unit");
  exec_raw(f->db, "UPDATE calibration SET unit = 'N'", NULL);
  a_check_sees(f, "DROP TRIGGER run_channel_no_update; UPDATE run_channel SET scale = 0", "run 1, channel force");
  exec_raw(f->db, "UPDATE run_channel SET scale = 1", NULL);
  a_check_sees(f, "DROP TRIGGER run_conditions_stay; UPDATE run SET origin = 'measured'", "belongs to a virtual campaign: run 1");
}

/* counts -> readings -> newtons: (x - 32768) * 2e-3. */
static void a_trace_goes_through_the_converter(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_MEASURED);
  cb_run_channel c = {
      .run_id = run.id, .channel = CB_CHANNEL_FORCE, .origin = 32768, .c = {0, 2e-3}, .scale = 1, .granted_rate_Hz = 1000, .skew_s = 1e-5};
  double t[20], v[20], x[2] = {0.25, 0.5}, tx[2] = {0, 1};
  cb_trace trace;
  for (int i = 0; i < 20; i++) t[i] = 0.001 * i, v[i] = 32768 + 100 * i;
  assert_ok(cb_store_run_channel_put(f->s, &c, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 20, t, v, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_POSITION, 0, 2, tx, x, err));
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  for (int i = 0; i < 20; i++) {
    assert_near(trace.force_N.v[i], 0.2 * i * 2, 1e-12); /* the calibration of make_run: 2 N per unit */
    assert_near(trace.force_N.t_s[i], 0.001 * i + 1e-5, 1e-12);
  }
  assert_true(trace.position_m.n == 2 && trace.position_m.v[1] == 0.5);
  cb_trace_clear(&trace);
}

/* Readings that were asked for: the stamps are their times, however uneven. */
static void a_trace_without_a_clock(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_MEASURED);
  double t[20], v[20];
  cb_trace trace;
  for (int i = 0; i < 20; i++) t[i] = 0.01 * i + (i > 7 ? 0.033 : 0), v[i] = i;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 20, t, v, err));
  run.rate_Hz = 0;
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  assert_true(trace.doubt_s == 0 && trace.n_lost == 0);
  assert_memory_equal(trace.force_N.t_s, t, sizeof t);
  cb_trace_clear(&trace);
}

static void measured_things_cannot_be_changed(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_MEASURED);
  double t = 0, v = 1;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 1, &t, &v, err));
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  exec_raw(f->db, "UPDATE sample_chunk SET n = 2", "append-only");
  exec_raw(f->db, "DELETE FROM sample_chunk", "append-only");
  exec_raw(f->db, "DELETE FROM run", "append-only");
  exec_raw(f->db, "UPDATE run SET angle_deg = 1", "");
  exec_raw(f->db, "UPDATE calibration SET slope_N_per_unit = 3", "append-only");
  exec_raw(f->db, "INSERT INTO material(kind, name, composition, weave, source, origin) VALUES('cloth', 'x', '', '', '', 'guessed')",
           "CHECK");
  assert_fails(CB_E_DB, "run has ended", cb_store_run_finish(f->s, run.id, CB_RUN_FAILED, "", err));
}

static cb_friction_law two_knots(void) {
  cb_friction_law law = {.kind = CB_FRICTION_KINETIC,
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
    law.knots[k] = (cb_friction_knot){.normal_force_N = 0.5 + k, .f_N = {0.3 + k * 0.2, 0.01, 0.25 + k * 0.2}};
    for (int i = 0; i < 3; i++) law.knots[k].cov_N2[i][i] = 1e-6 * (i + 1);
    law.knots[k].cov_N2[0][2] = law.knots[k].cov_N2[2][0] = -1e-7;
  }
  return law;
}

static void law_round_trip(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_VIRTUAL);
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  cb_friction_point p = {
      .run_id = run.id, .static_N = NAN, .u_static_N = NAN, .kinetic_N = 0.5, .u_kinetic_N = 0.001, .mu_reported = NAN, .method = "m"};
  assert_ok(cb_store_point_put(f->s, &p, err));
  cb_friction_obs *obs;
  size_t n;
  assert_ok(cb_store_observations(f->s, run.cloth_id, run.body_id, &obs, &n, err));
  assert_true(n == 1 && obs[0].point.kinetic_N == 0.5 && isnan(obs[0].point.static_N) && obs[0].run.id == run.id &&
              obs[0].u_rel_calibration == 0.002);
  free(obs);
  cb_friction_law law = two_knots(), back;
  assert_ok(cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &p.id, 1, "wls/1", "{\"a\":1}", err));
  assert_ok(cb_store_law_find(f->s, "Twill", "Foam", CB_FRICTION_KINETIC, &back, err));
  assert_true(back.id == law.id && back.n_knots == 2 && back.form == CB_FORM_GENERAL && back.origin == CB_VIRTUAL && back.dof == 12);
  assert_memory_equal(back.knots[1].f_N, law.knots[1].f_N, sizeof law.knots[1].f_N);
  assert_memory_equal(back.knots[0].cov_N2, law.knots[0].cov_N2, sizeof law.knots[0].cov_N2);
  assert_true(back.model == CB_MODEL_OFFSET && back.bend == 0.25 && back.offset_N == 0.1 && back.speed_m_per_s == 0.002 &&
              back.n_shared == 2);
  assert_memory_equal(back.shared, law.shared, sizeof law.shared);
  char *method, *json, at[32];
  assert_ok(cb_store_law_info(f->s, law.id, &method, &json, at, err));
  assert_string_equal(json, "{\"a\":1}");
  free(method), free(json);
  size_t newer;
  assert_ok(cb_store_law_stale(f->s, &back, &newer, err));
  assert_int_equal(newer, 0);
  assert_ok(cb_store_point_put(f->s, &p, err));
  assert_ok(cb_store_law_stale(f->s, &back, &newer, err));
  assert_int_equal(newer, 1);
  assert_fails(CB_E_NOTFOUND, "no static friction law of 'Twill' on 'Foam'",
               cb_store_law_find(f->s, "Twill", "Foam", CB_FRICTION_STATIC, &back, err));
  law.knots[1].f_N[1] = 5;
  assert_fails(CB_E_NUM, "must be > 0 in every direction", cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &p.id, 1, "", "", err));
}

static int64_t pull_with_body(cb_store *s, const cb_run *like, double body_angle_deg) {
  cb_run run = *like;
  run.body_angle_deg = body_angle_deg;
  run.status = CB_RUN_DONE;
  assert_ok(cb_store_run_put(s, &run, err));
  cb_friction_point p = {.run_id = run.id, .static_N = NAN, .u_static_N = NAN, .kinetic_N = 0.5, .mu_reported = NAN, .method = "m"};
  assert_ok(cb_store_point_put(s, &p, err));
  return p.id;
}

/* The body's angle stays with the run; a friction law does not grow old by pulls with the body turned. */
static void the_angle_of_the_body(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_VIRTUAL), again;
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_ABORTED, "", err));
  const double angles_deg[] = {45, NAN};
  for (int i = 0; i < 2; i++) {
    int64_t point = pull_with_body(f->s, &run, angles_deg[i]);
    cb_friction_law law = two_knots();
    size_t newer;
    assert_ok(cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &point, 1, "wls/1", "{}", err));
    (void)pull_with_body(f->s, &run, 90 + i);
    assert_ok(cb_store_law_stale(f->s, &law, &newer, err));
    assert_int_equal(newer, 0);
    (void)pull_with_body(f->s, &run, angles_deg[i]);
    assert_ok(cb_store_law_stale(f->s, &law, &newer, err));
    assert_int_equal(newer, 1);
  }
  assert_ok(cb_store_run_get(f->s, run.id + 1, &again, err));
  assert_near(again.body_angle_deg, 45, 0);
  exec_raw(f->db, "UPDATE run SET body_angle_deg = 0", "append-only");
}

static void a_law_of_two_tensors(void **state) {
  fixture *f = *state;
  char texts[2][20] = {"{}", "{\"newer\": 1}"};
  cb_run run = make_run(f->s, CB_VIRTUAL), *runs;
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_ABORTED, "", err));
  int64_t point = pull_with_body(f->s, &run, 45), none = 4711;
  cb_self_friction_row row = {.cloth_id = run.cloth_id, .body_id = run.body_id, .form = "mean", .origin = CB_VIRTUAL, .method = "m"}, *list;
  size_t n;
  for (int i = 0; i < 2; i++) {
    row.result_json = texts[i];
    assert_ok(cb_store_self_friction_put(f->s, &row, &point, 1, err));
  }
  assert_fails(CB_E_DB, "FOREIGN KEY", cb_store_self_friction_put(f->s, &row, &none, 1, err));
  assert_ok(cb_store_self_friction_list(f->s, 0, 0, &list, &n, err));
  assert_int_equal(n, 1);
  assert_true(list[0].cloth_id == run.cloth_id && list[0].body_id == run.body_id && list[0].origin == CB_VIRTUAL);
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
  exec_raw(f->db, "DELETE FROM self_friction_law_input", "append-only");
  row.origin = CB_MEASURED;
  assert_ok(cb_store_self_friction_put(f->s, &row, &point, 1, err));
  assert_fails(CB_E_DB, "self-friction law 3", cb_store_check(f->s, NULL, err));
}

static void a_failed_law_leaves_nothing(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_VIRTUAL);
  cb_friction_law law = two_knots();
  int64_t no_such_point = 4711;
  assert_fails(CB_E_DB, "FOREIGN KEY", cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &no_such_point, 1, "", "", err));
  cb_friction_law *list;
  size_t n;
  assert_ok(cb_store_laws(f->s, &list, &n, err));
  assert_int_equal(n, 0);
  free(list);
}

static void virtual_cannot_pass_as_measured(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_VIRTUAL);
  cb_friction_point p = {.run_id = run.id, .kinetic_N = 0.5, .mu_reported = NAN};
  assert_ok(cb_store_point_put(f->s, &p, err));
  cb_friction_law law = two_knots();
  law.origin = CB_MEASURED;
  assert_ok(cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, &p.id, 1, "", "", err));
  assert_fails(CB_E_DB, "rests on virtual runs", cb_store_check(f->s, NULL, err));
}

static void names_are_listed_when_wrong(void **state) {
  fixture *f = *state;
  (void)make_run(f->s, CB_VIRTUAL);
  cb_material m;
  assert_fails(CB_E_NOTFOUND, "no cloth named 'Silk'; there are: Twill", cb_store_material_find(f->s, CB_CLOTH, "Silk", &m, err));
}

static void other_files_are_refused(void **state) {
  fixture *f = *state;
  cb_store *s;
  char path[400];
  (void)cbt_path("other.db", path);
  assert_fails(CB_E_IO, "no such database", cb_store_open(path, CB_STORE_READ, &s, err));
  cbt_write(path, "this is a text, long enough to be taken for a file header of something else entirely, is it not? ........");
  assert_fails(CB_E_DB, "is not a database file", cb_store_open(path, CB_STORE_READ, &s, err));
  assert_null(s);
  unlink(path);
  exec_raw(path, "CREATE TABLE t(x)", NULL);
  assert_fails(CB_E_DB, "is a database of another program", cb_store_open(path, CB_STORE_WRITE, &s, err));
  exec_raw(f->db, "PRAGMA user_version = 99", NULL);
  assert_fails(CB_E_DB, "has schema 99, but this program", cb_store_open(f->db, CB_STORE_READ, &s, err));
  assert_fails(CB_E_DB, "a newer clothbench is wanted", cb_store_open(f->db, CB_STORE_WRITE, &s, err));
}

/* A file as the first schema made it, with one sample in it. */
static void make_schema_1(const char *path) {
  static const char rows[] =
      "INSERT INTO meta VALUES('role', 'lab');"
      "INSERT INTO material VALUES(1, 'cloth', 'C', '', '', NULL, NULL, '', 'virtual'), (2, 'body', 'B', '', '', NULL, NULL, '', "
      "'virtual');"
      "INSERT INTO campaign VALUES(1, 'u1', 'old', 'friction', 1, 2, NULL, '', '', NULL, NULL, 'virtual', '0', '', NULL);"
      "INSERT INTO run VALUES(1, 'u2', 1, 1, 2, NULL, NULL, 'pull', 0, 0.01, 0, 0.1, 0, 0.01, 0, 0.01, 0.02, 1, 1, 100, 'virtual', '', '0',"
      "  '', NULL, 'done', '');"
      /* t = 0.5, v = 0.25; CRC-32 of the 16 bytes */
      "INSERT INTO sample_chunk VALUES(1, 'force', 0, 1, 'tv-f64le', 495952133, x'000000000000e03f000000000000d03f');";
  char identity[96];
  (void)snprintf(identity, sizeof identity, "PRAGMA user_version = 1; PRAGMA application_id = %d;", CB_APPLICATION_ID);
  exec_raw(path, cb_schema_steps[0], NULL);
  exec_raw(path, rows, NULL);
  exec_raw(path, identity, NULL);
}

/* A law from before laws had models: a curve of straight chords that shares nothing. */
static void an_older_law_reads_as_it_was(void **state) {
  (void)state;
  char path[400], identity[96];
  cb_store *s;
  cb_friction_law law;
  int before = cb_schema_version - 1;
  (void)cbt_path("older.db", path);
  while (!strstr(cb_schema_steps[before], "ADD COLUMN model")) before--;
  for (int i = 0; i < before; i++) exec_raw(path, cb_schema_steps[i], NULL);
  exec_raw(
      path,
      "INSERT INTO meta VALUES('role', 'lab');"
      "INSERT INTO material VALUES(1, 'cloth', 'C', '', '', NULL, NULL, '', 'virtual'), (2, 'body', 'B', '', '', NULL, NULL, '',"
      " 'virtual');"
      "INSERT INTO friction_law VALUES(1, 1, 2, 'kinetic', 'isotropic', 'virtual', 0.005, 0.9, 0.01, 0.002, 0.003, 12, 'friction/1',"
      " '{}', '0', '');"
      "INSERT INTO friction_knot VALUES(1, 1, 0.5, 0, 0.5, 1e-6, 0, 0, 1e-6, 0, 1e-6), (1, 4, 1.5, 0, 1.5, 1e-6, 0, 0, 1e-6, 0, 1e-6);",
      NULL);
  (void)snprintf(identity, sizeof identity, "PRAGMA user_version = %d; PRAGMA application_id = %d;", before, CB_APPLICATION_ID);
  exec_raw(path, identity, NULL);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_law_find(s, "C", "B", CB_FRICTION_KINETIC, &law, err));
  assert_true(law.model == CB_MODEL_CURVE && law.bend == 0 && law.offset_N == 0 && isnan(law.speed_m_per_s) && law.n_shared == 0);
  cb_friction_value v;
  cb_friction_law_eval(&law, 0.3, 2, &v);
  assert_near(v.force_N, sqrt(0.5 * 1.5), 1e-12);
  assert_ok(cb_store_close(s, err));
}

static void an_older_file_is_upgraded(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  (void)cbt_path("old.db", path);
  make_schema_1(path);
  assert_fails(CB_E_DB, "has schema 1, this program needs", cb_store_open(path, CB_STORE_READ, &s, err));
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  cb_series x;
  cb_run old;
  assert_ok(cb_store_run_get(s, 1, &old, err));
  assert_true(isnan(old.body_angle_deg));
  assert_ok(cb_store_samples(s, 1, CB_CHANNEL_FORCE, &x, err));
  assert_true(x.n == 1 && x.t_s[0] == 0.5 && x.v[0] == 0.25);
  cb_series_clear(&x);
  exec_raw(path, "DELETE FROM sample_chunk", "append-only");
  exec_raw(path, "INSERT INTO sample_tail VALUES(1, 1, 'speed', 0, 1, 'tv-f64le', 495952133, x'000000000000e03f000000000000d03f')", NULL);
  exec_raw(path, "DELETE FROM sample_tail", "not in a chunk yet");
  cb_validation v = {.experiment = "slide", .run_id = 1, .pass = true, .worst_en = 0.4, .result_json = (char *)(uintptr_t) "{}"}, *list;
  size_t n;
  assert_ok(cb_store_validation_put(s, &v, err));
  assert_ok(cb_store_validations(s, 0, &list, &n, err));
  assert_true(n == 1 && list[0].pass && list[0].worst_en == 0.4);
  assert_string_equal(list[0].result_json, "{}");
  cb_validations_free(list, n);
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

static void a_run_keeps_its_zeros_converters_and_flags(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_VIRTUAL), again;
  const cb_run_zero put = {.run_id = run.id, .phase = CB_ZERO_AFTER, .mean = 0.05, .sd = 0.002, .n = 400, .t_s = 3.5};
  cb_run_zero got;
  assert_ok(cb_store_run_zero_put(f->s, &put, err));
  assert_ok(cb_store_run_zero_get(f->s, run.id, CB_ZERO_AFTER, &got, err));
  assert_true(got.mean == 0.05 && got.sd == 0.002 && got.n == 400 && got.t_s == 3.5);
  assert_fails(CB_E_NOTFOUND, "the zero before the pull was not taken", cb_store_run_zero_get(f->s, run.id, CB_ZERO_BEFORE, &got, err));
  const cb_run_channel c = {.run_id = run.id,
                            .channel = CB_CHANNEL_EXCITATION,
                            .device = "board",
                            .conversion = "hard calibration",
                            .origin = 32768,
                            .c = {1, 2e-3, 3e-6, 4e-9},
                            .scale = 2,
                            .offset = -1,
                            .granted_rate_Hz = 999,
                            .raw_max = 65535};
  cb_run_channel *list;
  size_t n;
  assert_ok(cb_store_run_channel_put(f->s, &c, err));
  assert_ok(cb_store_run_channels(f->s, run.id, &list, &n, err));
  assert_true(n == 1 && list[0].channel == CB_CHANNEL_EXCITATION && list[0].granted_rate_Hz == 999 && list[0].raw_max == 65535);
  /* By hand: x = 10: (1 + 0.02 + 3e-4 + 4e-6) * 2 - 1 */
  assert_near(cb_run_channel_value(&list[0], 32778), 1.040608, 1e-12);
  free(list);
  assert_ok(cb_store_run_flag(f->s, run.id, "uncalibrated", err));
  assert_ok(cb_store_run_flag(f->s, run.id, "zero-drift", err));
  assert_ok(cb_store_run_flag(f->s, run.id, "uncalibrated", err));
  assert_ok(cb_store_run_get(f->s, run.id, &again, err));
  assert_string_equal(again.flags, "uncalibrated zero-drift");
}

/* A record from elsewhere: the zero was told, the stage tells its speed by a clock of its own, strokes are labelled. */
static void an_imported_record(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_IMPORTED);
  const double t[] = {0, 1, 2}, volts[] = {1, 2, 3}, rpm[] = {0, 60, 60};
  const cb_run_channel force = {.run_id = run.id, .channel = CB_CHANNEL_FORCE, .c = {0, -10}, .scale = 1},
                       speed = {.run_id = run.id,
                                .channel = CB_CHANNEL_SPEED,
                                .c = {0, 0.01},
                                .scale = 1,
                                .clock_offset_s = 0.25,
                                .u_clock_offset_s = 0.001};
  const cb_run_zero zero = {.run_id = run.id, .phase = CB_ZERO_BEFORE, .mean = -3, .sd = 0.5, .n = 1};
  const cb_run_stroke back = {.run_id = run.id, .first = 2, .n = 1, .direction = -1},
                      there = {.run_id = run.id, .first = 0, .n = 2, .direction = 1};
  cb_run_stroke *strokes;
  size_t n;
  cb_trace trace;
  assert_ok(cb_store_run_channel_put(f->s, &force, err));
  assert_ok(cb_store_run_channel_put(f->s, &speed, err));
  assert_ok(cb_store_run_zero_put(f->s, &zero, err));
  assert_ok(cb_store_run_stroke_put(f->s, &back, err));
  assert_ok(cb_store_run_stroke_put(f->s, &there, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 3, t, volts, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_SPEED, 0, 3, t, rpm, err));
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  cb_calibration cal;
  assert_ok(cb_store_calibration_get(f->s, run.calibration_id, &cal, err));
  assert_near(trace.force_N.v[2], -30 * cal.slope_N_per_unit, 1e-12);
  /* 0.6 m/s after a second: 0.3 m by then, 0.9 m a second later. */
  assert_true(trace.position_m.n == 3 && trace.position_m.v[0] == 0);
  assert_near(trace.position_m.v[1], 0.3, 1e-12);
  assert_near(trace.position_m.v[2], 0.9, 1e-12);
  assert_near(trace.position_m.t_s[2], 2.25, 0);
  assert_near(trace.doubt_s, 0.002, 1e-15);
  assert_true(trace.force_N.t_s[2] == 2 && trace.zero_given && trace.zero_N == -3 && trace.u_zero_N == 0.5 && trace.n_rest == 0);
  cb_trace_clear(&trace);
  assert_ok(cb_store_run_strokes(f->s, run.id, &strokes, &n, err));
  assert_true(n == 2 && strokes[0].direction == 1 && strokes[1].first == 2 && strokes[1].n == 1 && strokes[1].direction == -1);
  free(strokes);
  run.rate_Hz = 0; /* the record tells no times */
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  assert_true(isinf(trace.doubt_s));
  cb_trace_clear(&trace);
  assert_ok(cb_store_check(f->s, NULL, err));
}

static void details_of_a_point(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_VIRTUAL);
  cb_friction_point p = {.run_id = run.id, .kinetic_N = 0.5, .mu_reported = NAN};
  char *text;
  assert_ok(cb_store_point_put(f->s, &p, err));
  assert_ok(cb_store_point_detail(f->s, p.id, &text, err));
  assert_string_equal(text, "");
  free(text);
  assert_ok(cb_store_point_detail_put(f->s, p.id, "{\"verdict\": \"flat\"}", err));
  assert_fails(CB_E_DB, "UNIQUE", cb_store_point_detail_put(f->s, p.id, "{}", err));
  assert_ok(cb_store_point_detail(f->s, p.id, &text, err));
  assert_string_equal(text, "{\"verdict\": \"flat\"}");
  free(text);
}

/* What a board counted becomes a force by its converter first and the calibration (2 N per unit) then. */
static void counts_become_newtons(void **state) {
  fixture *f = *state;
  cb_run run = make_run(f->s, CB_MEASURED);
  const double t[] = {0, 0.001, 0.002}, counts[] = {32768, 32778, 0};
  const cb_run_channel c = {.run_id = run.id, .channel = CB_CHANNEL_FORCE, .origin = 32768, .c = {0.5, 1e-3}, .scale = 10, .offset = 0.25};
  cb_trace trace;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 3, t, counts, err));
  assert_ok(cb_store_run_channel_put(f->s, &c, err));
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  assert_near(trace.force_N.v[0], 2 * (10 * 0.5 + 0.25), 1e-12);
  assert_near(trace.force_N.v[1], 2 * (10 * 0.51 + 0.25), 1e-12);
  assert_near(trace.force_N.v[2], 2 * (10 * (0.5 - 32.768) + 0.25), 1e-9);
  cb_trace_clear(&trace);
}

static void a_reference_is_never_written(void **state) {
  (void)state;
  cb_store *s;
  char path[400];
  (void)cbt_path("reference.db", path);
  assert_ok(cb_store_open(path, CB_STORE_BUILD, &s, err));
  assert_true(cb_store_is_reference(s));
  assert_ok(cb_store_close(s, err));
  assert_fails(CB_E_DB, "is the shipped reference database", cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
  assert_ok(cb_store_close(s, err));
}

static void nothing_is_left_where_nothing_can_be_written(void **state) {
  (void)state;
  cb_store *s;
  char path[400];
  (void)cbt_path("no/such/folder.db", path);
  assert_fails(CB_E_DB, "cannot be opened", cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_int_equal(access(path, F_OK), -1);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      T(run_round_trip),
      T(filters_select),
      T(same_text_is_stored_once),
      T(samples_come_back_bit_exact),
      T(gaps_and_damage_are_seen),
      T(a_tail_becomes_chunks),
      T(a_damaged_tail_stays_where_it_is),
      T(the_check_looks_at_times),
      T(the_check_looks_at_units_and_origins),
      T(a_trace_goes_through_the_converter),
      T(a_trace_without_a_clock),
      T(measured_things_cannot_be_changed),
      T(law_round_trip),
      T(the_angle_of_the_body),
      T(a_law_of_two_tensors),
      T(a_failed_law_leaves_nothing),
      T(virtual_cannot_pass_as_measured),
      T(names_are_listed_when_wrong),
      T(other_files_are_refused),
      T(an_older_law_reads_as_it_was),
      T(an_older_file_is_upgraded),
      T(a_run_keeps_its_zeros_converters_and_flags),
      T(an_imported_record),
      T(details_of_a_point),
      T(counts_become_newtons),
      T(a_reference_is_never_written),
      T(nothing_is_left_where_nothing_can_be_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
