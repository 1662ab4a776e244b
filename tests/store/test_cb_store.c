/* The store: identity, append-only rules, conditions of a run, imported records, what is refused. */
#include <sys/resource.h>
#include <sys/stat.h>

#include "storetest.h"
#include "cb_store_file.h"
#include "cb_store_query.h"
#include "cb_store_rows_impl.h"

static void run_round_trip(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL), back;
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_FAILED, "the link broke", err));
  assert_ok(cb_store_run_get(f->s, run.id, &back, err));
  assert_string_equal(back.uuid, run.uuid);
  assert_int_equal(strlen(back.uuid), 36);
  assert_true(back.angle_deg == 45 && back.direction == -1 && back.repeat == 2 && back.origin == CB_VIRTUAL &&
              back.kind == CB_RUN_PULL);
  assert_true(back.normal_force_N == 1.108 && back.u_normal_force_N == 0.001 &&
              back.contact_area_m2 == 0.005 && back.travel_m == 0.025);
  assert_int_equal(back.status, CB_RUN_FAILED);
  assert_string_equal(back.reason, "the link broke");
  assert_true(back.finished_at[0] != '\0');
  cb_campaign c;
  assert_ok(cb_store_campaign_get(f->s, run.campaign_id, &c, err));
  assert_true(c.temperature_degC == 20.5 && isnan(c.humidity_percent) && c.finished_at[0] == '\0');
  assert_ok(cb_store_campaign_unfinished(f->s, "test", "plan", &c, err));
  assert_ok(cb_store_campaign_finish(f->s, c.id, err));
  assert_fails(CB_E_NOTFOUND, "no unfinished campaign 'test'",
               cb_store_campaign_unfinished(f->s, "test", "plan", &c, err));
}

static void filters_select(void **state) {
  store_fixture *f = *state;
  cb_run a = store_make_run(f->s, CB_VIRTUAL), b = store_make_run(f->s, CB_VIRTUAL);
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
  store_fixture *f = *state;
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

static void measured_things_cannot_be_changed(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_MEASURED);
  double t = 0, v = 1;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 1, &t, &v, err));
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  store_exec(f->db, "UPDATE sample_chunk SET n = 2", "append-only");
  store_exec(f->db, "DELETE FROM sample_chunk", "append-only");
  store_exec(f->db, "DELETE FROM run", "append-only");
  store_exec(f->db, "UPDATE run SET angle_deg = 1", "");
  store_exec(f->db, "UPDATE calibration SET slope_N_per_unit = 3", "append-only");
  store_exec(f->db,
             "INSERT INTO material(kind, name, composition, weave, source, origin) VALUES('cloth', 'x', '', "
             "'', '', 'guessed')",
             "CHECK");
  assert_fails(CB_E_DB, "run has ended", cb_store_run_finish(f->s, run.id, CB_RUN_FAILED, "", err));
}

static void names_are_listed_when_wrong(void **state) {
  store_fixture *f = *state;
  (void)store_make_run(f->s, CB_VIRTUAL);
  cb_material m;
  assert_fails(CB_E_NOTFOUND, "no cloth named 'Silk'; there are: Twill",
               cb_store_material_find(f->s, CB_CLOTH, "Silk", &m, err));
}

static void other_files_are_refused(void **state) {
  store_fixture *f = *state;
  cb_store *s;
  char path[400];
  (void)cbt_path("other.db", path);
  assert_fails(CB_E_IO, "no such database", cb_store_open(path, CB_STORE_READ, &s, err));
  cbt_write(path,
            "this is a text, long enough to be taken for a file header of something else entirely, is it "
            "not? ........");
  assert_fails(CB_E_DB, "is not a database file", cb_store_open(path, CB_STORE_READ, &s, err));
  assert_null(s);
  unlink(path);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_fails(CB_E_IO, "is a pipe: a regular file was wanted", cb_store_open(path, CB_STORE_READ, &s, err));
  assert_fails(CB_E_IO, "is a pipe: a regular file was wanted", cb_store_open(path, CB_STORE_WRITE, &s, err));
  unlink(path);
  assert_fails(CB_E_IO, "is a device", cb_store_open("/dev/full", CB_STORE_WRITE, &s, err));
  store_exec(path, "CREATE TABLE t(x)", NULL);
  assert_fails(CB_E_DB, "is a database of another program", cb_store_open(path, CB_STORE_WRITE, &s, err));
  store_exec(f->db, "PRAGMA user_version = 99", NULL);
  assert_fails(CB_E_DB, "has schema 99, but this program", cb_store_open(f->db, CB_STORE_READ, &s, err));
  assert_fails(CB_E_DB, "a newer clothbench is wanted", cb_store_open(f->db, CB_STORE_WRITE, &s, err));
}

/* SQLite takes these for databases that end with the program, or for files of other names. */
static void names_that_are_no_files_are_refused(void **state) {
  (void)state;
  static const char *const names[] = {"",
                                      ":memory:",
                                      ":memory:?x",
                                      "file::memory:",
                                      "file:lab.db?mode=memory",
                                      "FILE:lab.db",
                                      "file:///tmp/lab.db",
                                      "sqlite://lab.db",
                                      "http://host/lab.db"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    for (int mode = CB_STORE_READ; mode <= CB_STORE_BUILD; mode++) {
      cb_store *s;
      assert_fails(CB_E_ARG, "of a file was wanted", cb_store_open(names[i], (cb_store_mode)mode, &s, err));
      assert_null(s);
    }
  assert_ok(cb_store_check_path("my:lab.db", err));
  assert_ok(cb_store_check_path("./file:lab.db", err));
  assert_ok(cb_store_check_path("a/b://c", err));
}

static void a_copy_has_the_name_of_a_file(void **state) {
  store_fixture *f = *state;
  const cb_backup_options opt = cb_backup_options_default();
  assert_fails(CB_E_ARG, "of a file was wanted", cb_store_backup(f->s, ":memory:", &opt, NULL, err));
  assert_fails(CB_E_ARG, "of a file was wanted", cb_store_backup(f->s, "", &opt, NULL, err));
}

/* Linux lets a program write on to a file that has no name any more. */
static void a_file_that_was_removed_takes_no_more(void **state) {
  store_fixture *f = *state;
  cb_store *s;
  char path[400];
  assert_ok(cb_store_open(cbt_path("gone.db", path), CB_STORE_WRITE, &s, err));
  assert_int_equal(unlink(path), 0);
  assert_fails(CB_E_DB, "was removed or replaced", cb_store_begin(s, err));
  assert_fails(CB_E_DB, "what was written since is lost", cb_store_close(s, err));
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  store_copy(f->db, cbt_path("other.db", path));
  char gone[400];
  assert_int_equal(rename(path, cbt_path("gone.db", gone)), 0);
  assert_fails(CB_E_DB, "was removed or replaced", cb_store_close(s, err));
}

static void a_question_without_end_is_stopped(void **state) {
  store_fixture *f = *state;
  json_t *doc;
  f->s->max_steps = 1000; /* in thousands; the limit itself takes seconds to reach */
  assert_fails(CB_E_TIMEOUT, "the question was stopped after ",
               cb_store_query(f->s,
                              "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                              "SELECT count(*) FROM c",
                              NULL, 0, &doc, err));
  assert_ok(cb_store_query(f->s, "SELECT count(*) FROM run", NULL, 0, &doc, err));
  json_decref(doc);
}

static void a_run_keeps_its_zeros_converters_and_flags(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL), again;
  const cb_run_zero put = {
      .run_id = run.id, .phase = CB_ZERO_AFTER, .mean = 0.05, .sd = 0.002, .n = 400, .t_s = 3.5};
  cb_run_zero got;
  assert_ok(cb_store_run_zero_put(f->s, &put, err));
  assert_ok(cb_store_run_zero_get(f->s, run.id, CB_ZERO_AFTER, &got, err));
  assert_true(got.mean == 0.05 && got.sd == 0.002 && got.n == 400 && got.t_s == 3.5);
  assert_fails(CB_E_NOTFOUND, "the zero before the pull was not taken",
               cb_store_run_zero_get(f->s, run.id, CB_ZERO_BEFORE, &got, err));
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
  assert_true(n == 1 && list[0].channel == CB_CHANNEL_EXCITATION && list[0].granted_rate_Hz == 999 &&
              list[0].raw_max == 65535);
  /* By hand: x = 10: (1 + 0.02 + 3e-4 + 4e-6) * 2 - 1 */
  assert_near(cb_run_channel_value(&list[0], 32778), 1.040608, 1e-12);
  free(list);
  assert_ok(cb_store_run_flag(f->s, run.id, "uncalibrated", err));
  assert_ok(cb_store_run_flag(f->s, run.id, "zero-drift", err));
  assert_ok(cb_store_run_flag(f->s, run.id, "uncalibrated", err));
  assert_ok(cb_store_run_get(f->s, run.id, &again, err));
  assert_string_equal(again.flags, "uncalibrated zero-drift");
}

/* A record from elsewhere: the zero was told, the stage tells its speed by a clock of its own, strokes are
 * labelled. */
static void an_imported_record(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_IMPORTED);
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
  assert_true(trace.force_N.t_s[2] == 2 && trace.zero_given && trace.zero_N == -3 && trace.u_zero_N == 0.5 &&
              trace.n_rest == 0);
  cb_trace_clear(&trace);
  assert_ok(cb_store_run_strokes(f->s, run.id, &strokes, &n, err));
  assert_true(n == 2 && strokes[0].direction == 1 && strokes[1].first == 2 && strokes[1].n == 1 &&
              strokes[1].direction == -1);
  free(strokes);
  run.rate_Hz = 0; /* the record tells no times */
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  assert_true(isinf(trace.doubt_s));
  cb_trace_clear(&trace);
  assert_ok(cb_store_check(f->s, NULL, err));
}

static void details_of_a_point(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  cb_friction_point p = {.run_id = run.id, .kinetic_N = 0.5, .mu_reported = NAN};
  assert_ok(cb_store_point_put(f->s, &p, err));
  assert_ok(cb_store_point_detail_put(f->s, p.id, "{\"verdict\": \"flat\"}", err));
  assert_fails(CB_E_DB, "UNIQUE", cb_store_point_detail_put(f->s, p.id, "{}", err));
  char *text = store_text(f->db, "SELECT result_json FROM point_detail");
  assert_string_equal(text, "{\"verdict\": \"flat\"}");
  free(text);
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

/* Too few files that may be open are no read-only folder. */
static void files_run_out(void **state) {
  store_fixture *f = *state;
  struct rlimit before, few;
  int said = 0;
  cb_store *s;
  cb_err e;
  assert_ok(cb_store_close(f->s, err));
  f->s = NULL;
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  for (rlim_t n = 3; n < 10; n++) {
    few = (struct rlimit){n, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int mode = CB_STORE_READ; mode <= CB_STORE_WRITE; mode++) {
      cb_status st = cb_store_open(f->db, (cb_store_mode)mode, &s, &e);
      if (st == CB_OK) assert_ok(cb_store_close(s, err));
      if (st != CB_OK && !strstr(e.msg, "Too many open files")) fail_msg("%d files: %s", (int)n, e.msg);
      said += st != CB_OK;
    }
  }
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
  assert_true(said > 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {STORE_TEST(run_round_trip),
                                     STORE_TEST(filters_select),
                                     STORE_TEST(same_text_is_stored_once),
                                     STORE_TEST(measured_things_cannot_be_changed),
                                     STORE_TEST(names_are_listed_when_wrong),
                                     STORE_TEST(other_files_are_refused),
                                     STORE_TEST(a_question_without_end_is_stopped),
                                     STORE_TEST(names_that_are_no_files_are_refused),
                                     STORE_TEST(a_copy_has_the_name_of_a_file),
                                     STORE_TEST(a_file_that_was_removed_takes_no_more),
                                     STORE_TEST(a_run_keeps_its_zeros_converters_and_flags),
                                     STORE_TEST(an_imported_record),
                                     STORE_TEST(details_of_a_point),
                                     STORE_TEST(a_reference_is_never_written),
                                     STORE_TEST(files_run_out),
                                     STORE_TEST(nothing_is_left_where_nothing_can_be_written)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
