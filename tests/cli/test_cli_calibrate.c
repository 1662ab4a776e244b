/* clothbench calibrate from end to end: a virtual cell whose slope nobody told, a person at a terminal, and
 * every way to be refused. */
#include "daqtest.h"
#include "jsonpage.h"
#include "progtest.h"

#include <jansson.h>
#include <signal.h>
#include <sqlite3.h>

#include "cb_rig.h"
#include "cb_stats.h"
#include "cb_store_rows_impl.h"
#include "cb_time.h"
#include "daq_emulator.h"
#include "doneruns.h"

#define NEW_CELL "--rig '" CB_SOURCE_DIR "/rigs/virtual-new-cell.yaml' "
#define WEIGHTS "--weights '" CB_SOURCE_DIR "/rigs/weights-demo.yaml' "
#define SMALL "run '" CB_SOURCE_DIR "/rigs/campaign-small.yaml' "
#define TRUE_SLOPE 0.78832

static void damage(const char *name, const char *sql) {
  char path[400];
  sqlite3 *h;
  (void)cbt_path(name, path);
  assert_int_equal(sqlite3_open(path, &h), SQLITE_OK);
  assert_int_equal(sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL), SQLITE_OK);
  assert_int_equal(sqlite3_exec(h, sql, NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_close(h), SQLITE_OK);
}

static cb_store *open_store(const char *name) {
  char path[400];
  cb_store *s;
  (void)cbt_path(name, path);
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
  return s;
}

/* The true slope lies within four standard uncertainties of the one found. */
static void expect_slope(const cb_calibration *c, double truth) {
  assert_near(c->slope_N_per_unit / truth, 1, 4 * c->u_rel);
  assert_true(c->u_rel > 2e-5 && c->u_rel < 1e-3);
}

/* Nothing is known; calibrate finds it; then the same run goes, with that calibration. */
static void whole(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, SMALL NEW_CELL "--db a.db");
  assert_int_equal(r.code, 1);
  assert_non_null(strstr(r.err, "there is no calibration of the force channel (cell LC-1, mV/V)"));
  cbt_run(&r, cbt_folder, SMALL NEW_CELL "--db a.db --uncalibrated");
  assert_int_equal(r.code, 1);
  cbt_run(&r, cbt_folder, "calibrate " NEW_CELL WEIGHTS "--db a.db --yes --operator Ada --creep-s 10 --json");
  if (r.code != 0) fail_msg("exit %d: %s", r.code, r.err);
  json_t *doc = jp_document(r.out);
  jp_expect("calibrate", doc);
  assert_near(jp_number(doc, "slope_N_per_unit"), TRUE_SLOPE, 4e-4 * TRUE_SLOPE);
  assert_int_equal(json_array_size(json_object_get(doc, "points")), 2 + 3 * 13 + 4);
  assert_near(jp_number(doc, "resolution_N"), 1e-4 * TRUE_SLOPE, 1e-8);
  json_decref(doc);
  cb_store *s = open_store("a.db");
  cb_calibration c;
  cb_series raw;
  assert_ok(cb_store_calibration_get(s, 1, &c, err));
  expect_slope(&c, TRUE_SLOPE);
  assert_int_equal(c.origin, CB_VIRTUAL);
  assert_string_equal(c.operator_name, "Ada");
  assert_string_equal(c.certificate, "virtual F2 set");
  assert_ok(cb_store_calibration_raw(s, 1, 7, &raw, err));
  assert_true(raw.n > 100);
  assert_near(cb_mean(raw.v, raw.n), 0.05 + 1.4708 / TRUE_SLOPE, 0.01); /* step 7: 150 g */
  cb_series_clear(&raw);
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
  cbt_run(&r, cbt_folder, SMALL NEW_CELL "--db a.db");
  assert_int_equal(r.code, 0);
  cbt_run(&r, cbt_folder, "calibrate --list --db a.db");
  assert_int_equal(strncmp(r.out, "calibration 1    measured  virtual   cell LC-1, 0.788", 52), 0);
  assert_ptr_equal(strchr(r.out, '\n'), r.out + strlen(r.out) - 1);
  cbt_run(&r, cbt_folder, "calibrate --show 1 --db a.db");
  assert_non_null(strstr(r.out, "uncertainty budget at 2.942 N"));
  assert_non_null(strstr(r.out, "regression slope"));
  cbt_run(&r, cbt_folder, "fit friction --cloth 'Demo Twill' --body 'Demo Foam' --details --db a.db");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.out, "  calibration 1 (measured, virtual F2 set): u = 0.0"));
  damage("a.db", "UPDATE calibration_point SET payload = zeroblob(16) WHERE step = 7");
  cbt_run(&r, cbt_folder, "db check --db a.db");
  assert_int_equal(r.code, 1);
  assert_non_null(strstr(r.err, "calibration 1, step 7: the readings are damaged (CRC)"));
}

static void verdict(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder,
          "calibrate " NEW_CELL WEIGHTS "--db v.db --window-s 0.5 --creep-s 0 --require-percent 0.001");
  assert_int_equal(r.code, 3);
  assert_non_null(strstr(r.err, "the expanded uncertainty at full scale is "));
  assert_non_null(strstr(r.err, "at most 0.001 % was required"));
}

/* ---- zeros around every pull ---- */

static void drifting_zero(void **state) {
  (void)state;
  static cbt_result r;
  static const char *const fast[][2] = {{"drift_per_s: 0.00002", "drift_per_s: 0.01"}};
  char path[400];
  cb_run *runs;
  size_t n, again;
  (void)cbt_path("fast.yaml", path);
  dt_rig_with(path, fast, 1);
  cbt_run(&r, cbt_folder, SMALL "--rig fast.yaml --db z.db");
  assert_int_equal(r.code, 0);
  cb_store *s = open_store("z.db");
  cb_event *events;
  assert_int_equal(done_runs(s, &runs, &again), 8);
  for (size_t i = 0; i < 8; i++) {
    cb_run_zero before, after;
    assert_non_null(strstr(runs[i].flags, "zero-drift"));
    assert_ok(cb_store_run_zero_get(s, runs[i].id, CB_ZERO_BEFORE, &before, err));
    assert_ok(cb_store_run_zero_get(s, runs[i].id, CB_ZERO_AFTER, &after, err));
    /* The drift is known, and so are the times: 3 s, give or take what a busy host adds, 5 ms of whose clock
     * are 0.2 s of the rig's. The noise of the two means is 0.3 mN at most, 1 % of the drift. */
    double wanted = 0.01 * (after.t_s - before.t_s);
    assert_near(after.mean - before.mean, wanted, 0.1 * wanted);
    assert_true(before.sd > 0.001);
    if (!(before.n >= 100 && after.n >= 100 && before.t_s >= 0 && after.t_s > 2))
      fail_msg("a zero of %zu readings at %g s, then of %zu at %g s", before.n, before.t_s, after.n,
               after.t_s);
  }
  int64_t first = runs[0].id;
  free(runs);
  assert_ok(cb_store_events(s, 1, &events, &n, err));
  size_t said = 0;
  for (size_t i = 0; i < n; i++) said += strcmp(events[i].kind, "zero-drift") == 0;
  assert_int_equal(said, 8);
  free(events);
  assert_ok(cb_store_close(s, err));
  cbt_run(&r, cbt_folder, "fit friction --cloth 'Demo Twill' --body 'Demo Foam' --db z.db");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.out, "  8 runs are flagged 'zero-drift'\n"));
  cbt_run(&r, cbt_folder, "db ls --db z.db");
  (void)snprintf(path, sizeof path, ", %zu flagged\n", 8 + again);
  assert_non_null(strstr(r.out, path));
  /* Half of it, rectangular, is in every point. */
  s = open_store("z.db");
  cb_friction_point p;
  assert_ok(cb_store_point_of_run(s, first, &p, err));
  assert_true(p.u_kinetic_N > 0.5 * 0.01 * 2 / sqrt(3) && p.u_zero_N > 0.5 * 0.01 * 2 / sqrt(3));
  assert_ok(cb_store_close(s, err));
}

/* ---- one sentence each ---- */

static void refused(void **state) {
  (void)state;
  static const char *const nameless[][2] = {{"unit: N", "unit: N"}},
                           *const heavy[][2] = {{"unit: N", "cell: LC-7\n  unit: N"},
                                                {"overload_N: 8", "overload_N: 2"}},
                           *const noisy[][2] = {{"unit: N", "cell: LC-7\n  unit: N"},
                                                {"noise_sd: 0.002", "noise_sd: 0.05"}},
                           *const deaf[][2] = {{"unit: N", "cell: LC-7\n  unit: N"},
                                               {"seed: 1", "slope_N_per_unit: 1e6"}},
                           *const real[][2] = {{"port: virtual", "port: /dev/ttyUSB77"},
                                               {"port: virtual", "port: /dev/ttyUSB78"}};
  char path[400];
  const struct {
    const char *name;
    const char *const (*pairs)[2];
    size_t n;
  } rigs[] = {{"nameless", nameless, 1},
              {"heavy", heavy, 2},
              {"noisy", noisy, 2},
              {"deaf", deaf, 2},
              {"real", real, 2}};
  for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; i++) {
    (void)snprintf(path, sizeof path, "%s/%s.yaml", cbt_folder, rigs[i].name);
    dt_rig_with(path, rigs[i].pairs, rigs[i].n);
  }
  static const struct {
    const char *arguments;
    int code;
    const char *sentence;
  } wrong[] = {
      {"calibrate", 2, "--rig and --weights are required"},
      {"calibrate " NEW_CELL WEIGHTS "--cycles 2", 2, "--cycles"},
      {"calibrate " NEW_CELL WEIGHTS "--cycles 3.5", 2, "--cycles = 3.5: a whole number was wanted"},
      {"calibrate " NEW_CELL "--weights no.yaml --db b.db", 1, "no.yaml: "},
      {"calibrate " NEW_CELL WEIGHTS "--db '" CB_SOURCE_DIR "/materials.db'", 1,
       "is the shipped reference database and is never written"},
      {"calibrate --rig nameless.yaml " WEIGHTS "--db b.db", 1, "nameless.yaml: force.cell is not said"},
      {"calibrate --rig heavy.yaml " WEIGHTS "--db b.db", 1,
       "the largest load of 300 g pulls with 2.942 N: force.overload_N of the rig"},
      {"calibrate --rig noisy.yaml " WEIGHTS "--db b.db --stable-within-s 5", 1,
       "the reading is not stable after 5 s: it scatters by 0.0"},
      {"calibrate --rig deaf.yaml " WEIGHTS "--db b.db", 1, "does the weight hang freely on the cell?"},
      {"calibrate --rig real.yaml " WEIGHTS "--db b.db --yes", 2,
       "--yes: only a virtual rig hangs its weights by itself"},
      {"calibrate --rig real.yaml " WEIGHTS "--db b.db", 2,
       "somebody must hang the weights, but standard input is no terminal"},
      {"calibrate --show 9 --db b.db", 1, "b.db: no calibration 9"},
      {"calibrate --show x --db b.db", 2, "--show = 'x'"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    static cbt_result r;
    cbt_run(&r, cbt_folder, wrong[i].arguments);
    if (r.code != wrong[i].code || !strstr(r.err, wrong[i].sentence))
      fail_msg("%s: exit %d, '%s'", wrong[i].arguments, r.code, r.err);
    assert_string_equal(r.out, "");
  }
  cb_store *s = open_store("b.db");
  cb_calibration *list;
  size_t n;
  assert_ok(cb_store_calibrations(s, &list, &n, err));
  assert_int_equal(n, 0);
  free(list);
  assert_ok(cb_store_close(s, err));
}

/* ---- a person at a terminal ---- */

static pid_t start_at(const dt_pty *terminal) {
  static const char *const words[] = {
      "calibrate", "--rig",     "wired.yaml", "--weights", CB_SOURCE_DIR "/rigs/weights-demo.yaml",
      "--db",      "person.db", "--window-s", "0.5",       "--creep-s",
      "0",         NULL};
  return prog_start(words, terminal->slave, -1);
}

#define PROMPT "Press Enter when that is done (Ctrl-C stops): "

/* The text after the last prompt but `asked`; NULL: the program has ended. Caller frees. */
static char *next_prompt(pid_t pid, size_t asked, int *status) {
  double deadline = cb_now_monotonic_s() + CBT_HANG_S;
  while (cb_now_monotonic_s() < deadline) {
    char *at, *line;
    size_t found = 0;
    if (waitpid(pid, status, WNOHANG) == pid) return NULL;
    char *text = prog_words();
    if (text)
      for (at = line = text; (at = strstr(at, PROMPT)); at += strlen(PROMPT), line = at)
        if (found++ == asked) {
          char *copy = strndup(line, (size_t)(at - line));
          free(text);
          return copy;
        }
    free(text);
    cb_sleep_s(0.005);
  }
  fail_msg("no prompt %zu within %d s", asked + 1, CBT_HANG_S);
  return NULL;
}

/* Does what it is told, `stop_after` prompts long; returns the exit code. */
static int play_person(daq_emulator *e, const dt_pty *terminal, size_t stop_after, size_t *asked) {
  int status;
  char *text;
  pid_t pid = start_at(terminal);
  for (*asked = 0; (text = next_prompt(pid, *asked, &status)); (*asked)++) {
    double grams = 0;
    char *hang = strstr(text, "Hang ");
    if (hang && sscanf(hang, "Hang %lf g", &grams) != 1) fail_msg("what? %s", text);
    if (!hang && !strstr(text, "Take ")) fail_msg("what? %s", text);
    free(text);
    assert_ok(daq_emulator_hang_weight(e, grams * 1e-3, err));
    if (*asked == stop_after)
      kill(pid, SIGINT);
    else
      dt_send(terminal, "\n");
  }
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void person(void **state) {
  (void)state;
  char path[400];
  daq_emulator *e;
  dt_pty terminal;
  size_t asked, n;
  cb_calibration *list;
  (void)signal(SIGPIPE, SIG_IGN);
  (void)cbt_path("played.yaml", path);
  static const char *const two[][2] = {{"seed: 1", "seed: 3\n  slope_N_per_unit: -2.5"}};
  dt_rig_with(path, two, 1);
  assert_ok(daq_emulator_start(CB_EXE, path, &e, err));
  static const char *const cell[][2] = {{"unit: N", "cell: LC-9\n  unit: N"}};
  dt_rig_on(cbt_path("wired.yaml", path), daq_emulator_stage_port(e), daq_emulator_force_port(e), cell, 1);
  dt_pty_open(&terminal);
  /* Ctrl-C in the middle leaves nothing. */
  assert_int_equal(play_person(e, &terminal, 9, &asked), 1);
  cb_store *s = open_store("person.db");
  assert_ok(cb_store_calibrations(s, &list, &n, err));
  assert_int_equal(n, 0);
  free(list);
  assert_ok(cb_store_close(s, err));
  /* The declared slope of 1 is wrong by far, and that does not matter. One prompt per change: preload 3,
   * every cycle 12. */
  assert_int_equal(play_person(e, &terminal, 1000, &asked), 0);
  assert_int_equal(asked, 3 + 3 * 12);
  s = open_store("person.db");
  assert_ok(cb_store_calibrations(s, &list, &n, err));
  assert_int_equal(n, 1);
  expect_slope(&list[0], -2.5);
  assert_string_equal(list[0].cell, "LC-9");
  free(list);
  assert_ok(cb_store_close(s, err));
  daq_emulator_stop(e);
  dt_pty_close(&terminal);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole), cmocka_unit_test(verdict),
                                     cmocka_unit_test(drifting_zero), cmocka_unit_test(refused),
                                     cmocka_unit_test(person)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
