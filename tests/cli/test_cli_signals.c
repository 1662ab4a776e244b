/* Signals and limits of the system against a campaign that runs: the stage is stopped on its wire and stands,
 * the run's row says why, the database is whole. CB_SLOW=1: every real-time signal, instead of the first, one
 * in the middle and the last. */
#include "wiretap.h"

#include "progtest.h"

#include <signal.h>
#include <sys/resource.h>

#include "cb_stop.h"
#include "cb_signals.h"
#include "daq_emulator.h"
#include "lab_watch.h"

/* ---- the table ---- */

/* What may end a program by default (signal(7)), but SIGKILL and what only a broken program earns. */
static bool ends_a_sound_program(int number) {
  static const int not_these[] = {SIGKILL,  SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG,
                                  SIGWINCH, SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGABRT, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof not_these / sizeof not_these[0]; i++)
    if (number == not_these[i]) return false;
  return number < 32 || number >= SIGRTMIN; /* 32 and 33 are the threads' own */
}

/* In a child: its exit code, or -1 where a signal ended it. */
static int in_child(int (*act)(int), int number) {
  int status;
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    int null = open("/dev/null", O_WRONLY);
    _exit(dup2(null, 2) == 2 ? act(number) : 125);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* 1: ignored; 2: it is a wish to stop, however often it comes. */
static int hear(int number) {
  cb_signals_begin();
  const cb_stop *stop = cb_signals_listen();
  for (int i = 0; i < 3; i++)
    if (raise(number) != 0) return 125;
  return cb_stop_wanted(stop) ? 2 : 1;
}

static int hear_once(int number) {
  cb_signals_begin();
  const cb_stop *stop = cb_signals_listen_once("words\n");
  if (raise(number) != 0 || !cb_stop_wanted(stop)) return 125;
  return raise(number) == 0 ? 2 : 125;
}

static int stay_ignored(int number) {
  (void)signal(number, SIG_IGN);
  cb_signals_begin();
  const cb_stop *stop = cb_signals_listen();
  return raise(number) == 0 && !cb_stop_wanted(stop) ? 1 : 125;
}

static void table(void **state) {
  (void)state;
  int tried = 0;
  for (int number = 1; number <= SIGRTMAX; number++) {
    if (!ends_a_sound_program(number)) continue;
    bool ignored = number == SIGPIPE || number == SIGXFSZ;
    int got = in_child(hear, number);
    if (got != (ignored ? 1 : 2)) fail_msg("signal %d: %d", number, got);
    if (!ignored && in_child(hear_once, number) != -1)
      fail_msg("signal %d: its second one does not end a command that computes", number);
    if (in_child(stay_ignored, number) != 1) fail_msg("signal %d: was ignored, and is heard", number);
    tried++;
  }
  assert_int_equal(tried, 15 + SIGRTMAX - SIGRTMIN + 1);
}

static void reasons(void **state) {
  (void)state;
  cb_stop stop = CB_STOP_NOT;
  assert_ok(cb_stop_check(&stop, err));
  assert_ok(cb_stop_check(NULL, err));
  atomic_store(&stop, CB_STOP_OPERATOR);
  assert_fails(CB_E_STOPPED, "stopped by the operator", cb_stop_check(&stop, err));
  atomic_store(&stop, CB_STOP_SIGNAL + SIGXCPU);
  assert_fails(CB_E_STOPPED, "stopped by SIGXCPU (CPU time limit exceeded)", cb_stop_check(&stop, err));
  atomic_store(&stop, CB_STOP_SIGNAL + SIGRTMAX);
  assert_fails(CB_E_STOPPED, "stopped by signal 64", cb_stop_check(&stop, err));
}

/* The soft limit of processor time [s] that is left of one whose both ends are `s`. */
static int soft_end(int s) {
  struct rlimit l = {.rlim_cur = (rlim_t)s, .rlim_max = (rlim_t)s};
  if (setrlimit(RLIMIT_CPU, &l) != 0) return 125;
  cb_signals_begin();
  return getrlimit(RLIMIT_CPU, &l) == 0 ? (int)l.rlim_cur : 125;
}

static void processor_time(void **state) {
  (void)state;
  assert_int_equal(in_child(soft_end, 60), 55);
  assert_int_equal(in_child(soft_end, 4), 2);
  assert_int_equal(in_child(soft_end, 1), 1);
}

/* ---- a campaign on a wire ---- */

static const char long_pull[] =
    "name: long\nkind: friction\ncloth: C\nbody: B\nangles_deg: [45]\nadded_masses_g: [50]\nrepeats: "
    "1\ndirections: forward\n"
    "speed_mm_per_s: 10\ntravel_mm: 60\nzero_s: 0.5\n";

typedef struct bench {
  daq_emulator *e;
  wiretap tap;
} bench;

/* Pulls take 0.75 s of the wall clock. */
static const char *const pace[][2] = {{"time_scale: 40", "time_scale: 8"}};

static int set_up(void **state) {
  char path[400];
  bench *b = calloc(1, sizeof *b);
  assert_non_null(b);
  (void)signal(SIGPIPE, SIG_IGN);
  cbt_folder_set_up(NULL);
  dt_rig_with(cbt_path("played.yaml", path), pace, 1);
  assert_ok(daq_emulator_start(CB_EXE, path, &b->e, err));
  cbt_write(cbt_path("long.yaml", path), long_pull);
  *state = b;
  return 0;
}

static int tear_down(void **state) {
  bench *b = *state;
  daq_emulator_stop(b->e);
  free(b);
  return cbt_folder_tear_down(NULL);
}

static pid_t begin_in(bench *b) {
  char path[400];
  const char *const words[] = {"run", "long.yaml", "--rig", "wired.yaml", "--db", "a.db", "--yes", NULL};
  wiretap_open(&b->tap, daq_emulator_stage_port(b->e));
  dt_rig_on(cbt_path("wired.yaml", path), b->tap.host.name, daq_emulator_force_port(b->e), pace, 1);
  return prog_start(words, -1, -1);
}

/* In a new database. */
static pid_t begin(bench *b) {
  char path[400];
  (void)unlink(cbt_path("a.db", path));
  return begin_in(b);
}

/* Homing, to the begin, the pull. */
#define PULLING 3

static void await_pull(bench *b) {
  double deadline_s = cb_now_monotonic_s() + CBT_HANG_S;
  while (wiretap_moves(&b->tap, NULL) < PULLING) {
    if (cb_now_monotonic_s() > deadline_s) fail_msg("no pull began; the program says: %s", prog_words());
    cb_sleep_s(0.005);
  }
  cb_sleep_s(0.1);
}

static void ask_position(int port, char answer[128]) {
  size_t n = 0;
  double deadline_s = cb_now_monotonic_s() + CBT_HANG_S;
  memset(answer, 0, 128);
  (void)tcflush(port, TCIFLUSH);
  assert_int_equal(write(port, "/1 get pos\n", 11), 11);
  while (!strchr(answer, '\n') && n + 1 < 128) {
    ssize_t got = read(port, answer + n, 127 - n);
    n += got > 0 ? (size_t)got : 0;
    if (cb_now_monotonic_s() > deadline_s) fail_msg("the stage does not answer");
    if (got <= 0) cb_sleep_s(0.002);
  }
}

#define PULL_ENDS_MM 80

/* After the last move it was told to stop, and it stands. Returns where [mm]. */
static double expect_stopped(bench *b) {
  char first[128], second[128];
  bool stopped;
  double microsteps;
  (void)wiretap_moves(&b->tap, &stopped);
  wiretap_close(&b->tap);
  assert_true(stopped);
  int port = open(daq_emulator_stage_port(b->e), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  assert_true(port >= 0);
  ask_position(port, first);
  cb_sleep_s(0.05);
  ask_position(port, second);
  close(port);
  assert_non_null(strstr(first, " IDLE "));
  assert_string_equal(first, second);
  assert_int_equal(sscanf(strrchr(first, ' '), "%lf", &microsteps), 1);
  return microsteps * 0.1984375e-3;
}

static void expect_row(cb_run_status status, const char *reason) {
  char path[400];
  cb_store *s;
  cb_run *runs;
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  assert_int_equal(dt_runs(s, -1, &runs), 1);
  assert_int_equal(runs[0].status, status);
  assert_string_equal(runs[0].reason, reason);
  free(runs);
  assert_ok(cb_store_close(s, err));
}

static json_t *watched(void) {
  char path[400];
  cb_store *s;
  json_t *doc;
  lab_verdicts verdicts = {.n = 0};
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_ok(lab_watch_json(s, &verdicts, &doc, err));
  lab_verdicts_clear(&verdicts);
  assert_ok(cb_store_close(s, err));
  return doc;
}

static void stopped_by(bench *b, int number) {
  cb_stop stop = number == SIGINT ? CB_STOP_OPERATOR : CB_STOP_SIGNAL + number;
  cb_err reason;
  int status;
  pid_t pid = begin(b);
  await_pull(b);
  kill(pid, number);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  if (WIFSIGNALED(status)) print_message("signal %d ends the program\n", number);
  assert_true(expect_stopped(b) < PULL_ENDS_MM - 1);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
  assert_int_equal(cb_stop_check(&stop, &reason), CB_E_STOPPED);
  expect_row(CB_RUN_ABORTED, reason.msg);
  prog_expect(reason.msg);
  prog_expect("the stage was told to stop; 0 runs were stored, --resume goes on with campaign 1\n");
  json_t *doc = watched();
  const json_t *campaign = json_object_get(doc, "campaign");
  assert_non_null(json_string_value(json_object_get(campaign, "broken_off")));
  assert_true(json_is_null(json_object_get(campaign, "stage")));
  json_decref(doc);
}

static void every_signal(void **state) {
  static const int named[] = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGUSR1, SIGUSR2,  SIGALRM,
                              SIGXCPU, SIGPROF, SIGVTALRM, SIGIO,   SIGPWR,  SIGSTKFLT};
  const char *slow = getenv("CB_SLOW");
  int stride = slow && slow[0] ? 1 : (SIGRTMAX - SIGRTMIN) / 2;
  for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) stopped_by(*state, named[i]);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number += stride) stopped_by(*state, number);
}

/* Nothing is wrong with the campaign: it goes on to its end. */
static void ignored(void **state) {
  bench *b = *state;
  pid_t pid = begin(b);
  await_pull(b);
  kill(pid, SIGPIPE);
  kill(pid, SIGXFSZ);
  if (prog_end(pid) != 0) fail_msg("%s", prog_words());
  wiretap_close(&b->tap);
  expect_row(CB_RUN_DONE, "");
}

/* Nobody could tell the stage, and so nobody says that it was told: neither the program nor the page. */
static void unplugged(void **state) {
  bench *b = *state;
  char wanted[300];
  pid_t pid = begin(b);
  await_pull(b);
  (void)snprintf(wanted, sizeof wanted,
                 "clothbench run: the stage could not be told to stop and may still move: look at it before "
                 "anything else (port %s: the device was disconnected); 0 runs were stored, --resume goes on "
                 "with campaign 1\n",
                 b->tap.host.name);
  wiretap_close(&b->tap);
  assert_int_equal(prog_end(pid), 1);
  prog_expect(wanted);
  assert_false(prog_said("was told to stop"));
  json_t *doc = watched();
  const json_t *campaign = json_object_get(doc, "campaign");
  const char *why = json_string_value(json_object_get(campaign, "broken_off")),
             *stage = json_string_value(json_object_get(campaign, "stage"));
  assert_true(json_is_null(json_object_get(campaign, "measured_by")));
  assert_non_null(why);
  assert_non_null(strstr(why, ": the device was disconnected"));
  assert_non_null(stage);
  assert_non_null(strstr(stage, "the stage could not be told to stop and may still move"));
  json_decref(doc);
}

/* Somebody who holds Ctrl-C down, and a supervisor that loses its patience. */
static void again_and_again(void **state) {
  bench *b = *state;
  static const int numbers[] = {SIGINT, SIGTERM, SIGQUIT, SIGINT, SIGHUP};
  int status;
  pid_t pid = begin(b);
  await_pull(b);
  for (int i = 0; waitpid(pid, &status, WNOHANG) == 0; i++) {
    kill(pid, numbers[i % 5]);
    cb_sleep_s(0.0005);
  }
  assert_true(expect_stopped(b) < PULL_ENDS_MM - 1);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
}

/* ulimit -f: no file may grow beyond this. The log of a database that is there already has less at the begin
 * of the pull, and what it writes brings it beyond. */
#define FILE_BYTES 150000

static void file_size_limit(void **state) {
  bench *b = *state;
  char path[400];
  cb_store *s;
  struct rlimit before, l;
  static cbt_result r;
  cbt_run(&r, cbt_folder, "db init --db a.db");
  assert_int_equal(r.code, 0);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  l = (struct rlimit){.rlim_cur = FILE_BYTES, .rlim_max = before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &l), 0);
  pid_t pid = begin_in(b);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(prog_end(pid), 1);
  assert_true(wiretap_moves(&b->tap, NULL) >= 2); /* it was under way */
  (void)expect_stopped(b);
  prog_expect("clothbench run: run at 45 deg with 50 g, repeat 1, forward: a.db: ");
  prog_expect(
      "clothbench run: the stage was told to stop; 0 runs were stored, --resume goes on with campaign 1\n");
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

int main(void) {
#define AT_THE_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table),    cmocka_unit_test(reasons),    cmocka_unit_test(processor_time),
      AT_THE_BENCH(every_signal), AT_THE_BENCH(ignored),        AT_THE_BENCH(again_and_again),
      AT_THE_BENCH(unplugged),    AT_THE_BENCH(file_size_limit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
