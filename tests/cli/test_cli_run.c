/* clothbench run and clothbench devices: exit codes, both streams, Ctrl-C, a full disk. */
#include "daqtest.h"
#include "jsonpage.h"
#include "progtest.h"

#include <jansson.h>
#include <signal.h>

#include "cb_store.h"
#include "cb_time.h"
#include "daq_emulator.h"

#define VIRTUAL "--rig '" CB_SOURCE_DIR "/rigs/virtual.yaml'"
#define SMALL "run '" CB_SOURCE_DIR "/rigs/campaign-small.yaml' "

static size_t runs_with(const char *db, int status, cb_run **list) {
  char path[400];
  cb_store *s;
  assert_ok(cb_store_open(cbt_path(db, path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  size_t n = dt_runs(s, status, list);
  assert_ok(cb_store_close(s, err));
  return n;
}

static size_t count_runs(const char *db, int status) {
  cb_run *list;
  size_t n = runs_with(db, status, &list);
  free(list);
  return n;
}

static void whole(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db a.db --json");
  assert_int_equal(r.code, 0);
  json_t *doc = jp_document(r.out);
  jp_expect("run", doc);
  assert_int_equal(json_integer_value(json_object_get(doc, "campaign_id")), 1);
  assert_string_equal(json_string_value(json_object_get(doc, "name")), "small");
  assert_string_equal(json_string_value(json_object_get(doc, "origin")), "virtual");
  assert_int_equal(json_integer_value(json_object_get(doc, "runs_done")), 8);
  assert_int_equal(json_integer_value(json_object_get(doc, "runs_failed")), 0);
  assert_true(json_real_value(json_object_get(doc, "seconds")) > 0.1);
  json_decref(doc);
  assert_non_null(strstr(r.err, "clothbench run: campaign 1 'small': 8 runs in "));
  assert_int_equal(count_runs("a.db", CB_RUN_DONE), 8);
  /* Done is done: nothing to resume; without --json nothing on standard output. */
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db a.db --resume");
  assert_int_equal(r.code, 1);
  assert_string_equal(r.out, "");
  assert_string_equal(r.err, "clothbench run: a.db: no unfinished campaign 'small' with exactly this plan\n");
}

/* What cannot be measured is refused before anything moves, by the dry run and by the run alike; what may
 * fail is said. code: of the dry run; 0: only said. */
static const struct {
  const char *rig[2], *masses, *option;
  int code;
  const char *sentence;
} outlooks[] = {
    {{"overload_N: 8", "overload_N: 8"}, "[50, 200]", "", 0, ""},
    {{"overload_N: 8", "overload_N: 8"},
     "[50, 100000]",
     "",
     1,
     "added_masses_g = 100000: must be between 0 and 50000"},
    {{"overload_N: 8", "overload_N: 8"},
     "[50, 20000]",
     "",
     1,
     "the heaviest load presses with 196 N, and force.overload_N = 8 of rig.yaml stops a pull at a friction "
     "coefficient of 0.041"},
    {{"overload_N: 8", "overload_N: 0.1"}, "[50, 200]", "", 1, "friction coefficient of 0.048"},
    {{"overload_N: 8", "overload_N: 0.1"},
     "[50]",
     "",
     0,
     "force.overload_N = 0.1 stops a pull at a friction coefficient of 0.16 under the lightest load (0.618 "
     "N) "
     "and of 0.16 under the heaviest (0.618 N); cloth can have up to 1.5"},
    {{"overload_N: 8", "overload_N: 3"}, "[0, 200]", "", 0, "of 1.4 under the heaviest (2.09 N)"},
    {{"resolution: 0.0001", "resolution: 1"},
     "[50]",
     "",
     1,
     "force.overload_N = 8: less than 10 digits of the reading, 1 N"},
    {{"overload_N: 8", "overload_N: 8\n  capacity_N: 5"},
     "[50]",
     "",
     1,
     "overload_N = 8: the load cell bears capacity_N = 5: at most that was wanted"},
    {{"slope_N_per_unit: 1", "slope_N_per_unit: -1"},
     "[50]",
     "",
     0,
     "rig.yaml: calibration.slope_N_per_unit = -1: a pull then reads as a push, unless the cell's reading "
     "falls "
     "when it is pulled; 'rig check' tests it (polarity)"},
    {{"valid_from: 2026-01-01", "valid_from: 2999-01-01"},
     "[50]",
     "",
     1,
     "the calibration that the rig file declares is valid from 2999-01-01 on, today is "},
    {{"valid_from: 2026-01-01", "valid_from: 2020-01-01, valid_days: 365"},
     "[50]",
     "",
     1,
     "was valid until 2020-12-31"},
    {{"valid_from: 2026-01-01", "valid_from: 2020-01-01, valid_days: 365"}, "[50]", " --uncalibrated", 0, ""},
};

static void outlook(void **state) {
  (void)state;
  static cbt_result r;
  char path[400], plan[300], args[300];
  for (size_t i = 0; i < sizeof outlooks / sizeof outlooks[0]; i++) {
    const char *const edits[][2] = {{outlooks[i].rig[0], outlooks[i].rig[1]}};
    dt_rig_with(cbt_path("rig.yaml", path), edits, 1);
    (void)snprintf(plan, sizeof plan,
                   "name: small\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0]\nadded_masses_g: %s\n"
                   "repeats: 1\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 15\nzero_s: 0.5\n",
                   outlooks[i].masses);
    cbt_write(cbt_path("plan.yaml", path), plan);
    (void)snprintf(args, sizeof args, "run plan.yaml --rig rig.yaml --db outlook.db --dry-run%s",
                   outlooks[i].option);
    cbt_run(&r, cbt_folder, args);
    if (r.code != outlooks[i].code || !strstr(r.err, outlooks[i].sentence) ||
        (!outlooks[i].sentence[0] && r.err[0]))
      fail_msg("%zu: exit %d, %s, wanted: %s", i, r.code, r.err, outlooks[i].sentence);
    assert_int_not_equal(access(cbt_path("outlook.db", path), F_OK), 0); /* a dry run writes nothing */
    if (r.code == 0) continue;
    (void)snprintf(args, sizeof args, "run plan.yaml --rig rig.yaml --db refused.db%s", outlooks[i].option);
    cbt_run(&r, cbt_folder, args);
    if (r.code != 1 || !strstr(r.err, outlooks[i].sentence))
      fail_msg("%zu, run: exit %d, %s", i, r.code, r.err);
    assert_null(strstr(r.err, "the stage was told"));
  }
}

#define BATCH "run '" CB_SOURCE_DIR "/rigs/campaign-batch.yaml' " VIRTUAL

/* --resume makes what is left, whatever ended the first session, and nothing twice. */
static void many_fabrics(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, BATCH " --dry-run --json");
  assert_int_equal(r.code, 0);
  json_t *doc = jp_document(r.out);
  jp_expect("run --dry-run", doc);
  assert_int_equal(json_integer_value(json_object_get(doc, "runs")), 36);
  json_decref(doc);
  cbt_run(&r, cbt_folder, BATCH " --dry-run");
  assert_non_null(strstr(r.out, "   3  Demo Satin, lot B on Demo Foam: 6 runs"));
  cbt_run(&r, cbt_folder, BATCH " --db batch.db --yes");
  for (int i = 0; i < 5 && r.code != 0; i++) cbt_run(&r, cbt_folder, BATCH " --db batch.db --yes --resume");
  if (r.code != 0) fail_msg("%s", r.err);
  assert_int_equal(count_runs("batch.db", CB_RUN_DONE), 36);
  cbt_run(&r, cbt_folder, BATCH " --db batch.db --yes --resume --json");
  assert_int_equal(r.code, 0);
  assert_string_equal(r.out, "{\n  \"campaigns\": []\n}\n");
  assert_non_null(strstr(r.err, "fabric 6 of 6: Demo Twill on Demo Cotton: finished already"));
  assert_int_equal(count_runs("batch.db", CB_RUN_DONE), 36);
}

static void wrong_usage(void **state) {
  (void)state;
  static const struct {
    const char *arguments;
    int code;
    const char *sentence;
  } wrong[] = {
      {"run", 2, "clothbench run: "},
      {SMALL, 2, "clothbench run: --rig is required"},
      {SMALL VIRTUAL " --fast", 2, "clothbench run: unknown option '--fast'"},
      {"run nowhere.yaml " VIRTUAL, 1, "clothbench run: nowhere.yaml: "},
      {SMALL "--rig nowhere.yaml", 1, "clothbench run: nowhere.yaml: "},
      {SMALL VIRTUAL " --db no/such/folder.db", 1, "clothbench run: no/such/folder.db: "},
      {SMALL "--rig real.yaml --db b.db", 2, "standard input is no terminal; --yes goes on without asking"},
      {SMALL "--rig real.yaml --db b.db --yes", 1,
       "clothbench run: port /dev/ttyUSB77: there is no such port"},
      {SMALL VIRTUAL " --db '" CB_SOURCE_DIR "/materials.db'", 1,
       "is the shipped reference database and is never written"},
  };
  char path[400];
  dt_rig_on(cbt_path("real.yaml", path), "/dev/ttyUSB77", "/dev/ttyUSB78", NULL, 0);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    static cbt_result r;
    cbt_run(&r, cbt_folder, wrong[i].arguments);
    if (r.code != wrong[i].code || !strstr(r.err, wrong[i].sentence))
      fail_msg("%s: exit %d, '%s'", wrong[i].arguments, r.code, r.err);
    assert_string_equal(r.out, "");
    /* One sentence. */
    assert_ptr_equal(strchr(r.err, '\n'), r.err + strlen(r.err) - 1);
  }
}

/* ---- signals: rigs/virtual-slow.yaml pulls for a second or so ---- */

/* err: its standard error, -1: the file .err. */
static pid_t start_slow(const char *db, int err) {
  const char *const words[] = {"run",   CB_SOURCE_DIR "/rigs/campaign-small.yaml",
                               "--rig", CB_SOURCE_DIR "/rigs/virtual-slow.yaml",
                               "--db",  db,
                               NULL};
  return prog_start(words, -1, err);
}

/* Until a run is under way. */
static void await_running(const char *db) {
  char path[400];
  double deadline = cb_now_monotonic_s() + CBT_HANG_S;
  (void)cbt_path(db, path);
  while (cb_now_monotonic_s() < deadline) {
    cb_store *s = NULL;
    cb_run *list = NULL;
    cb_run_filter f = cb_run_filter_all();
    size_t n = 0;
    f.status = CB_RUN_RUNNING;
    if (cb_store_open(path, CB_STORE_READ, &s, NULL) == CB_OK &&
        cb_store_runs(s, &f, &list, &n, NULL) == CB_OK)
      free(list);
    (void)cb_store_close(s, NULL);
    if (n > 0) return;
    cb_sleep_s(0.01);
  }
  fail_msg("no run began within %d s", CBT_HANG_S);
}

static void interrupted_by(int number, const char *db, const char *reason) {
  cb_run *runs;
  pid_t pid = start_slow(db, -1);
  await_running(db);
  cb_sleep_s(0.4);
  double began = cb_now_monotonic_s();
  kill(pid, number);
  assert_int_equal(prog_end(pid), 1);
  /* The rest of the pull would take another second. */
  assert_true(cb_now_monotonic_s() - began < 1 * cbt_patience());
  assert_int_equal(runs_with(db, -1, &runs), 1);
  assert_int_equal(runs[0].status, CB_RUN_ABORTED);
  assert_string_equal(runs[0].reason, reason);
  free(runs);
  prog_expect("clothbench run: run at 0 deg with 50 g, repeat 1, forward: ");
  prog_expect(reason);
  prog_expect("--resume goes on with campaign 1\n");
}

static void ctrl_c(void **state) {
  (void)state;
  interrupted_by(SIGINT, "int.db", "stopped by the operator");
}
static void terminated(void **state) {
  (void)state;
  interrupted_by(SIGTERM, "term.db", "stopped by SIGTERM (Terminated)");
}

/* A campaign that is being measured is nobody else's to resume; a killed one is. */
static void resumed_while_running(void **state) {
  (void)state;
  static cbt_result r;
  char wanted[80], path[400], left[420];
  pid_t pid = start_slow("both.db", -1);
  await_running("both.db");
  (void)snprintf(wanted, sizeof wanted, "campaign 1 is being measured by process %ld of ", (long)pid);
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db both.db --resume");
  assert_int_equal(r.code, 1);
  if (!strstr(r.err, wanted)) fail_msg("'%s' was wanted: %s", wanted, r.err);
  assert_int_equal(count_runs("both.db", CB_RUN_INTERRUPTED), 0);
  kill(pid, SIGSTOP); /* it stands still, and lives */
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db both.db --resume");
  assert_int_equal(r.code, 1);
  kill(pid, SIGKILL);
  (void)waitpid(pid, NULL, 0);
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db both.db --resume");
  if (r.code != 0) fail_msg("%s", r.err);
  assert_int_equal(count_runs("both.db", CB_RUN_INTERRUPTED), 1);
  assert_int_equal(count_runs("both.db", CB_RUN_DONE), 8);
  (void)snprintf(left, sizeof left, "%s-running", cbt_path("both.db", path));
  assert_int_not_equal(access(left, F_OK), 0);
}

/* After the Ctrl-C of before: goes on at forty times the pace, since only the rig's clock differs. */
static void resumed(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db int.db");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.err, "campaign 1 'small' of "));
  assert_non_null(strstr(r.err, "is unfinished; this is a new one"));
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db int.db --resume --json");
  assert_int_equal(r.code, 0);
  json_t *doc = jp_document(r.out);
  assert_int_equal(json_integer_value(json_object_get(doc, "campaign_id")), 1);
  assert_int_equal(json_integer_value(json_object_get(doc, "runs_done")), 8);
  json_decref(doc);
  assert_int_equal(count_runs("int.db", CB_RUN_DONE), 16);
  assert_int_equal(count_runs("int.db", CB_RUN_RUNNING), 0);
}

/* ---- a person at a terminal, in front of a rig on two ports ---- */

static const char one_pull[] =
    "name: one\nkind: friction\ncloth: C\nbody: B\nangles_deg: [45]\nadded_masses_g: [50]\nrepeats: "
    "1\ndirections: "
    "forward\nspeed_mm_per_s: 10\n"
    "travel_mm: 10\nzero_s: 0.5\n";

#define PATIENCE_S 10

static pid_t start_at(const dt_pty *terminal, const char *resume) {
  const char *const words[] = {"run", "one.yaml", "--rig", "wired.yaml", "--db", "person.db", resume, NULL};
  return prog_start(words, terminal->slave, -1);
}

static void await_text(const char *wanted) { prog_await(wanted, PATIENCE_S); }

/* Two wrong answers are explained and asked again; Enter leaves a field alone. */
static void answer_questions(const dt_pty *terminal) {
  await_text("asked once; Enter leaves it unrecorded\n");
  await_text("  Temperature of the air at the bench [degC]: ");
  dt_send(terminal, "warm\n");
  await_text("  temperature_degC = 'warm': ");
  dt_send(terminal, " 24.5 \n65\n");
  await_text("  Atmosphere that was aimed at (iso139-standard | iso139-alternative | none): ");
  dt_send(terminal, "tropical\n");
  await_text(
      "  atmosphere = 'tropical': must be one of (iso139-standard | iso139-alternative | none)\n  "
      "Atmosphere");
  dt_send(terminal, "iso139-standard\n\nroll 7\nback\n\n80\n\nby hand\n");
  await_text("24.5 degC is outside 20.0 +- 2.0 degC (ISO 139 standard atmosphere); the campaign says so");
}

static void expect_answers(void) {
  char path[400], preset[32];
  cb_store *s;
  cb_conditions c;
  cb_event *events;
  size_t n;
  bool flagged = false;
  assert_ok(cb_store_open(cbt_path("person.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_conditions_get(s, 1, preset, &c, err));
  assert_string_equal(preset, "custom");
  assert_int_equal(c.atmosphere, CB_ISO139_STANDARD);
  assert_near(c.temperature_degC, 24.5, 0);
  assert_near(c.humidity_percent, 65, 0);
  assert_true(isnan(c.conditioning_h));
  assert_string_equal(c.cloth_lot, "roll 7");
  assert_int_equal(c.cloth_side, CB_SIDE_BACK);
  assert_string_equal(c.body_specimen, "");
  assert_near(c.specimen_area_m2, 80e-4, 1e-15);
  assert_string_equal(c.wash_state, "");
  assert_string_equal(c.note, "by hand");
  assert_ok(cb_store_events(s, 1, &events, &n, err));
  for (size_t i = 0; i < n; i++) flagged = flagged || strcmp(events[i].kind, "atmosphere") == 0;
  assert_true(flagged);
  free(events);
  assert_ok(cb_store_close(s, err));
}

static void person(void **state) {
  (void)state;
  const char *prompt =
      "The stage stands still at 20.0 mm and will not move until you press Enter.\n"
      "Turn the sample to 45 deg (warp to pull).\n"
      "Put 50 g on the cart.\n"
      "Place the cart so that the link is slack and in its middle, then take your hands off.\n"
      "After Enter the stage rests for 0.5 s, then pulls forward (away from home) over 10 mm at 10 mm/s.\n"
      "Press Enter when that is done";
  char path[400];
  daq_emulator *e;
  dt_pty terminal;
  (void)signal(SIGPIPE, SIG_IGN);
  assert_ok(daq_emulator_start(CB_EXE, CB_SOURCE_DIR "/rigs/virtual.yaml", &e, err));
  dt_rig_on(cbt_path("wired.yaml", path), daq_emulator_stage_port(e), daq_emulator_force_port(e), NULL, 0);
  cbt_write(cbt_path("one.yaml", path), one_pull);
  dt_pty_open(&terminal);

  pid_t pid = start_at(&terminal, NULL);
  answer_questions(&terminal);
  await_text("The stage stands still and will not move until you press Enter.\nTake the cart off the link");
  await_text(
      "After Enter the stage homes: it travels to its zero, up to 100 mm away, at its homing speed, up to 50 "
      "mm/s.\nPress Enter");
  dt_send(&terminal, "\n");
  await_text(prompt);
  /* It waits for Enter, and for nothing less. */
  dt_send(&terminal, "yes, just a moment");
  cb_sleep_s(0.2);
  assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
  assert_int_equal(count_runs("person.db", -1), 0);
  assert_ok(daq_emulator_turn_sample(e, 45, err));
  assert_ok(daq_emulator_load_cart(e, 0.05, err));
  dt_send(&terminal, "\n");
  await_text(
      "'yes, just a moment' was typed and is kept nowhere: Enter alone, on an empty line, was wanted; "
      "nothing moves before it.\nPress "
      "Enter");
  /* What is scanned is compared with the campaign, and is no Enter. */
  dt_send(&terminal, "C\t");
  await_text("C is what this campaign measures.\nPress Enter");
  dt_send(&terminal, "4006381333931\n");
  await_text(
      "no cloth, body or specimen of the database has the code '4006381333931': nothing is chosen ('db "
      "alias' "
      "gives a code to a cloth).\nPress Enter");
  dt_send(&terminal, "\t");
  await_text(
      "'' was typed and is kept nowhere: Enter alone, on an empty line, was wanted; nothing moves before "
      "it.\nPress Enter");
  assert_int_equal(count_runs("person.db", -1), 0);
  cb_sleep_s(0.25 * cbt_patience()); /* an empty line right behind would be taken for a part of the other */
  dt_send(&terminal, "\n");
  assert_int_equal(prog_end(pid), 0);
  assert_int_equal(count_runs("person.db", CB_RUN_DONE), 1);
  size_t made = count_runs("person.db", -1); /* a busy computer may have had it made again */
  expect_answers();

  pid = start_at(&terminal, NULL);
  for (int i = 0; i < 10; i++) dt_send(&terminal, "\n");
  await_text("up to 50 mm/s.\nPress Enter");
  dt_send(&terminal, "\n");
  await_text(prompt);
  kill(pid, SIGINT);
  assert_int_equal(prog_end(pid), 1);
  await_text("stopped by the operator");
  assert_int_equal(count_runs("person.db", -1), made);

  /* What was asked once is not asked again. */
  pid = start_at(&terminal, "--resume");
  await_text("the stage homes");
  assert_false(prog_said("Atmosphere"));
  kill(pid, SIGTERM);
  assert_int_equal(prog_end(pid), 1);
  daq_emulator_stop(e);
  dt_pty_close(&terminal);
}

/* The live view on the terminal of standard error: there, drawn in place, and nothing to undo - also after
 * Ctrl-C. */
static void on_a_terminal(void **state) {
  (void)state;
  static char text[400000];
  size_t n = 0;
  int status;
  dt_pty t;
  dt_pty_open(&t);
  assert_int_equal(setenv("TERM", "xterm", 1), 0);
  pid_t pid = start_slow("seen.db", t.slave);
  double deadline = cb_now_monotonic_s() + CBT_HANG_S;
  bool told = false;
  while (waitpid(pid, &status, WNOHANG) == 0 && cb_now_monotonic_s() < deadline) {
    struct pollfd p = {.fd = t.master, .events = POLLIN};
    if (poll(&p, 1, 50) > 0 && n + 1 < sizeof text) {
      ssize_t got = read(t.master, text + n, sizeof text - 1 - n);
      n += got > 0 ? (size_t)got : 0;
    }
    text[n] = '\0';
    if (!told && strstr(text, "forward - pulling")) told = kill(pid, SIGINT) == 0;
  }
  assert_true(told);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
  assert_non_null(strstr(text, "run 1 of 8 (virtual): 0 deg, 50 g, repeat 1 of 1, forward - "));
  assert_non_null(strstr(text, "A\033[J"));
  assert_null(strstr(text, "\033[?"));
  assert_int_equal(count_runs("seen.db", CB_RUN_ABORTED), 1);
  dt_pty_close(&t);
}

/* No file may grow beyond 800 blocks of 512 or 1024 bytes, as the shell has it: full in the middle of a
 * campaign that needs 4 MB. */
static void full_disk(void **state) {
  (void)state;
  char command[1200];
  (void)snprintf(command, sizeof command,
                 "cd '%s' && ulimit -f 1200 && '%s' run '%s/rigs/campaign-demo.yaml' " VIRTUAL
                 " --db full.db >.out 2>.err </dev/null",
                 cbt_folder, CB_EXE, CB_SOURCE_DIR);
  int status = system(command);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
  prog_expect("full.db: ");
  /* Whole, and what was told to be done is done. */
  assert_true(count_runs("full.db", CB_RUN_DONE) > 0);
}

/* The truth of rigs/virtual-d1894.yaml: mu_k = 0.45, mu_s = 0.585, 1 % from specimen to specimen: the mean of
 * five is good to 0.45 %, here doubled; the static peak is found within a sample of its height. */
static void by_a_standard(void **state) {
  (void)state;
  static cbt_result r;
  char path[400];
  /* A computer that stalls for half a second stalls the rig's twenty; what is lost then says nothing about
   * the evaluation. */
  for (int i = 0; i < 5; i++) {
    cbt_run(&r, cbt_folder,
            "run '" CB_SOURCE_DIR "/rigs/campaign-d1894.yaml' --rig '" CB_SOURCE_DIR
            "/rigs/virtual-d1894.yaml' --db film.db");
    if (r.code == 0 && !strstr(r.err, "were lost")) break;
    (void)unlink(cbt_path("film.db", path));
  }
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.err, "clothbench run: 'clothbench fit standard 1' evaluates it by ASTM D1894\n"));
  cbt_run(&r, cbt_folder, "fit standard 1 --db film.db --json");
  assert_int_equal(r.code, 0);
  json_t *doc = jp_document(r.out);
  jp_expect("fit standard", doc);
  json_t *group = json_array_get(json_object_get(doc, "groups"), 0);
  assert_int_equal(json_array_size(json_object_get(doc, "groups")), 1);
  assert_int_equal(json_array_size(json_object_get(group, "specimens")), 5);
  assert_near(json_number_value(json_object_get(json_object_get(group, "kinetic"), "mean")), 0.45, 0.0045);
  assert_near(json_number_value(json_object_get(json_object_get(group, "static"), "mean")), 0.585, 0.008);
  assert_int_equal(json_integer_value(json_object_get(json_object_get(group, "kinetic"), "n")), 5);
  assert_true(json_number_value(json_object_get(json_object_get(group, "kinetic"), "sd")) > 0);
  json_decref(doc);
  cbt_run(&r, cbt_folder, "fit standard 1 --db film.db");
  assert_int_equal(r.code, 0);
  assert_non_null(
      strstr(r.out, "campaign 1 by ASTM D1894: static = initial peak, kinetic = mean over 130 mm"));
  cbt_run(&r, cbt_folder, "fit standard 2 --db film.db");
  assert_int_equal(r.code, 1);
  cbt_run(&r, cbt_folder, "fit standard one --db film.db");
  assert_int_equal(r.code, 2);
}

static void devices(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, "devices --json");
  assert_int_equal(r.code, 0);
  assert_string_equal(r.err, "");
  json_t *doc = jp_document(r.out);
  assert_true(json_is_array(json_object_get(doc, "ports")));
  json_t *port;
  size_t i;
  json_array_foreach(json_object_get(doc, "ports"), i, port) {
    const char *path = json_string_value(json_object_get(port, "path"));
    assert_int_equal(strncmp(path, "/dev/", 5), 0);
    cbt_run(&r, cbt_folder, "devices");
    assert_non_null(strstr(r.out, path));
  }
  assert_true(json_is_array(json_object_get(doc, "boards")));
  json_decref(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole),         cmocka_unit_test(many_fabrics),
                                     cmocka_unit_test(wrong_usage),   cmocka_unit_test(ctrl_c),
                                     cmocka_unit_test(terminated),    cmocka_unit_test(resumed),
                                     cmocka_unit_test(outlook),       cmocka_unit_test(resumed_while_running),
                                     cmocka_unit_test(person),        cmocka_unit_test(full_disk),
                                     cmocka_unit_test(on_a_terminal), cmocka_unit_test(by_a_standard),
                                     cmocka_unit_test(devices)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
