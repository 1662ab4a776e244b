/* clothbench run and clothbench devices: exit codes, both streams, Ctrl-C, a full disk. */
#include "daqtest.h"

#include <jansson.h>
#include <signal.h>

#include "cb_store.h"
#include "cb_time.h"
#include "daq_emulator.h"

#define VIRTUAL "--rig '" CB_SOURCE_DIR "/rigs/virtual.yaml'"
#define SMALL "run '" CB_SOURCE_DIR "/rigs/campaign-small.yaml' "

static char folder[256];

static int set_up(void **state) {
  (void)state;
  cbt_scratch(folder);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  cbt_remove(folder);
  return 0;
}

static size_t runs_with(const char *db, int status, cb_run **list) {
  char path[400];
  cb_store *s;
  cb_run_filter f = cb_run_filter_all();
  size_t n;
  f.status = status;
  (void)snprintf(path, sizeof path, "%s/%s", folder, db);
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_runs(s, &f, list, &n, err));
  assert_ok(cb_store_close(s, err));
  return n;
}

static size_t count_runs(const char *db, int status) {
  cb_run *list;
  size_t n = runs_with(db, status, &list);
  free(list);
  return n;
}

static json_t *only_document(const char *text) {
  json_error_t e;
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &e);
  if (!doc) fail_msg("no JSON: %s in '%s'", e.text, text);
  return doc;
}

static void whole(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, folder, SMALL VIRTUAL " --db a.db --json");
  assert_int_equal(r.code, 0);
  json_t *doc = only_document(r.out);
  assert_int_equal(json_object_size(doc), 6);
  assert_int_equal(json_integer_value(json_object_get(doc, "campaign_id")), 1);
  assert_string_equal(json_string_value(json_object_get(doc, "name")), "small");
  assert_string_equal(json_string_value(json_object_get(doc, "origin")), "virtual");
  assert_int_equal(json_integer_value(json_object_get(doc, "runs_done")), 8);
  assert_int_equal(json_integer_value(json_object_get(doc, "runs_failed")), 0);
  assert_true(json_real_value(json_object_get(doc, "seconds")) > 0.1);
  json_decref(doc);
  assert_int_equal(strncmp(r.err, "clothbench run: campaign 1 'small': 8 runs in ", 46), 0);
  assert_int_equal(count_runs("a.db", CB_RUN_DONE), 8);
  /* Done is done: nothing to resume; without --json nothing on standard output. */
  cbt_run(&r, folder, SMALL VIRTUAL " --db a.db --resume");
  assert_int_equal(r.code, 1);
  assert_string_equal(r.out, "");
  assert_string_equal(r.err, "clothbench run: a.db: no unfinished campaign 'small' with exactly this plan\n");
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
      {SMALL "--rig real.yaml --db b.db --yes", 1, "clothbench run: port /dev/ttyUSB77: there is no such port"},
      {SMALL VIRTUAL " --db '" CB_SOURCE_DIR "/materials.db'", 1, "is the shipped reference database and is never written"},
  };
  static const char *const real[][2] = {{"port: virtual", "port: /dev/ttyUSB77"}, {"port: virtual", "port: /dev/ttyUSB78"}};
  char path[300];
  (void)snprintf(path, sizeof path, "%s/real.yaml", folder);
  dt_rig_with(path, real, 2);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    static cbt_result r;
    cbt_run(&r, folder, wrong[i].arguments);
    if (r.code != wrong[i].code || !strstr(r.err, wrong[i].sentence)) fail_msg("%s: exit %d, '%s'", wrong[i].arguments, r.code, r.err);
    assert_string_equal(r.out, "");
    /* One sentence. */
    assert_ptr_equal(strchr(r.err, '\n'), r.err + strlen(r.err) - 1);
  }
}

/* ---- signals: rigs/virtual-slow.yaml pulls for a second or so ---- */

static pid_t start(const char *db) {
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid > 0) return pid;
  if (chdir(folder) != 0) _exit(126);
  int null = open("/dev/null", O_RDWR), err = open(".err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  execl(CB_EXE, "clothbench", "run", CB_SOURCE_DIR "/rigs/campaign-small.yaml", "--rig", CB_SOURCE_DIR "/rigs/virtual-slow.yaml", "--db",
        db, (char *)NULL);
  _exit(127);
}

/* Until a run is under way. */
static void await_running(const char *db) {
  char path[400];
  double deadline = cb_now_monotonic_s() + 10;
  (void)snprintf(path, sizeof path, "%s/%s", folder, db);
  while (cb_now_monotonic_s() < deadline) {
    cb_store *s = NULL;
    cb_run *list = NULL;
    cb_run_filter f = cb_run_filter_all();
    size_t n = 0;
    f.status = CB_RUN_RUNNING;
    if (cb_store_open(path, CB_STORE_READ, &s, NULL) == CB_OK && cb_store_runs(s, &f, &list, &n, NULL) == CB_OK) free(list);
    (void)cb_store_close(s, NULL);
    if (n > 0) return;
    cb_sleep_s(0.01);
  }
  fail_msg("no run began within 10 s");
}

static void interrupted_by(int number, const char *db) {
  cb_run *runs;
  int status;
  static char text[8192];
  char path[400];
  pid_t pid = start(db);
  await_running(db);
  cb_sleep_s(0.4);
  double began = cb_now_monotonic_s();
  kill(pid, number);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  /* The rest of the pull would take another second. */
  assert_true(cb_now_monotonic_s() - began < 1);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
  assert_int_equal(runs_with(db, -1, &runs), 1);
  assert_int_equal(runs[0].status, CB_RUN_ABORTED);
  assert_string_equal(runs[0].reason, "stopped by the operator");
  free(runs);
  (void)snprintf(path, sizeof path, "%s/.err", folder);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  assert_non_null(strstr(text, "clothbench run: run at 0 deg with 50 g, repeat 1, forward: stopped by the operator\n"));
  assert_non_null(strstr(text, "--resume goes on with campaign 1\n"));
}

static void ctrl_c(void **state) {
  (void)state;
  interrupted_by(SIGINT, "int.db");
}
static void terminated(void **state) {
  (void)state;
  interrupted_by(SIGTERM, "term.db");
}

/* After the Ctrl-C of before: goes on at forty times the pace, since only the rig's clock differs. */
static void resumed(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, folder, SMALL VIRTUAL " --db int.db");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.err, "campaign 1 'small' of "));
  assert_non_null(strstr(r.err, "is unfinished; this is a new one"));
  cbt_run(&r, folder, SMALL VIRTUAL " --db int.db --resume --json");
  assert_int_equal(r.code, 0);
  json_t *doc = only_document(r.out);
  assert_int_equal(json_integer_value(json_object_get(doc, "campaign_id")), 1);
  assert_int_equal(json_integer_value(json_object_get(doc, "runs_done")), 8);
  json_decref(doc);
  assert_int_equal(count_runs("int.db", CB_RUN_DONE), 16);
  assert_int_equal(count_runs("int.db", CB_RUN_RUNNING), 0);
}

/* ---- a person at a terminal, in front of a rig on two ports ---- */

static const char one_pull[] =
    "name: one\nkind: friction\ncloth: C\nbody: B\nangles_deg: [45]\nadded_masses_g: [50]\nrepeats: 1\ndirections: "
    "forward\nspeed_mm_per_s: 10\n"
    "travel_mm: 10\nzero_s: 0.5\n";

static pid_t start_at(const dt_pty *terminal) {
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid > 0) return pid;
  if (chdir(folder) != 0) _exit(126);
  int null = open("/dev/null", O_RDWR), err = open(".err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (dup2(terminal->slave, 0) < 0 || dup2(null, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  execl(CB_EXE, "clothbench", "run", "one.yaml", "--rig", "wired.yaml", "--db", "person.db", (char *)NULL);
  _exit(127);
}

static void await_text(const char *wanted) {
  char path[400];
  double deadline = cb_now_monotonic_s() + 10;
  (void)snprintf(path, sizeof path, "%s/.err", folder);
  while (cb_now_monotonic_s() < deadline) {
    char *text = NULL;
    size_t n;
    bool found = cb_file_read(path, 8192, &text, &n, NULL) == CB_OK && strstr(text, wanted);
    free(text);
    if (found) return;
    cb_sleep_s(0.01);
  }
  fail_msg("'%s' was not said within 10 s", wanted);
}

static int end_of(pid_t pid) {
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void person(void **state) {
  (void)state;
  const char *prompt =
      "Turn the sample to 45 deg (warp to pull). Put 50 g on the cart and place it so that the link is slack and in its middle. Press "
      "Enter";
  char path[400], stage[160], force[160];
  daq_emulator *e;
  dt_pty terminal;
  (void)signal(SIGPIPE, SIG_IGN);
  assert_ok(daq_emulator_start(CB_EXE, CB_SOURCE_DIR "/rigs/virtual.yaml", &e, err));
  (void)snprintf(stage, sizeof stage, "port: %s", daq_emulator_stage_port(e));
  (void)snprintf(force, sizeof force, "port: %s", daq_emulator_force_port(e));
  const char *const wired[][2] = {{"port: virtual", stage}, {"port: virtual", force}};
  (void)snprintf(path, sizeof path, "%s/wired.yaml", folder);
  dt_rig_with(path, wired, 2);
  (void)snprintf(path, sizeof path, "%s/one.yaml", folder);
  cbt_write(path, one_pull);
  dt_pty_open(&terminal);

  pid_t pid = start_at(&terminal);
  await_text("The stage will home: take the cart off the link and keep its way free. Press Enter");
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
  assert_int_equal(end_of(pid), 0);
  assert_int_equal(count_runs("person.db", CB_RUN_DONE), 1);

  (void)snprintf(path, sizeof path, "%s/.err", folder);
  assert_int_equal(unlink(path), 0);
  pid = start_at(&terminal);
  await_text("The stage will home");
  dt_send(&terminal, "\n");
  await_text(prompt);
  kill(pid, SIGINT);
  assert_int_equal(end_of(pid), 1);
  await_text("stopped by the operator");
  assert_int_equal(count_runs("person.db", -1), 1);
  daq_emulator_stop(e);
  dt_pty_close(&terminal);
}

/* No file may grow beyond 800 blocks of 512 or 1024 bytes, as the shell has it: full in the middle of a campaign that needs 4 MB. */
static void full_disk(void **state) {
  (void)state;
  char command[1200];
  (void)snprintf(command, sizeof command,
                 "cd '%s' && trap '' XFSZ && ulimit -f 800 && '%s' run '%s/rigs/campaign-demo.yaml' " VIRTUAL
                 " --db full.db >.out 2>.err </dev/null",
                 folder, CB_EXE, CB_SOURCE_DIR);
  int status = system(command);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
  (void)snprintf(command, sizeof command, "%s/.err", folder);
  char *text;
  size_t n;
  assert_ok(cb_file_read(command, 8192, &text, &n, err));
  assert_non_null(strstr(text, "full.db: "));
  free(text);
  /* Whole, and what was told to be done is done. */
  assert_true(count_runs("full.db", CB_RUN_DONE) > 0);
}

static void devices(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, folder, "devices --json");
  assert_int_equal(r.code, 0);
  assert_string_equal(r.err, "");
  json_t *doc = only_document(r.out);
  assert_true(json_is_array(json_object_get(doc, "ports")));
  json_t *port;
  size_t i;
  json_array_foreach(json_object_get(doc, "ports"), i, port) {
    const char *path = json_string_value(json_object_get(port, "path"));
    assert_int_equal(strncmp(path, "/dev/", 5), 0);
    cbt_run(&r, folder, "devices");
    assert_non_null(strstr(r.out, path));
  }
  assert_true(json_is_array(json_object_get(doc, "boards")));
  json_decref(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole),      cmocka_unit_test(wrong_usage), cmocka_unit_test(ctrl_c),
                                     cmocka_unit_test(terminated), cmocka_unit_test(resumed),     cmocka_unit_test(person),
                                     cmocka_unit_test(full_disk),  cmocka_unit_test(devices)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
