#define _GNU_SOURCE /* ppoll */
/* `rig live`: values in a pipe, without a motion; jogs at a terminal, and everything that ends them.
 * CB_SLOW=1: 500 keys are let go instead of 25. */
#include "daqtest.h"

#include <math.h>
#include <signal.h>

#include "cb_file.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "clitest.h"
#include "daq_emulator.h"
#include "progtest.h"
#include "weighings.h"
#include "wiretap.h"

/* A virtual rig whose time is the clock's, and a tap on the wire to its stage. */
typedef struct bench {
  daq_emulator *e;
  wiretap tap;
  dt_pty terminal; /* the program's, if it has one */
  pid_t pid;
  size_t n;
  char seen[4000000]; /* on that terminal */
} bench;

static void start_rig(bench *b, const char *const pairs[][2], size_t n) {
  char path[400];
  const char *all[8][2] = {{"time_scale: 40", "time_scale: 1"}};
  assert_true(n <= 7);
  for (size_t i = 0; i < n; i++) memcpy(all[i + 1], pairs[i], sizeof all[0]);
  dt_rig_with(cbt_path("played.yaml", path), (const char *const(*)[2])all, n + 1);
  assert_ok(daq_emulator_start(CB_EXE, path, &b->e, err));
  wiretap_open(&b->tap, daq_emulator_stage_port(b->e));
  dt_rig_on(cbt_path("wired.yaml", path), b->tap.host.name, daq_emulator_force_port(b->e),
            (const char *const(*)[2])all, n + 1);
}

static int set_up(void **state) {
  bench *b = calloc(1, sizeof *b);
  assert_non_null(b);
  (void)signal(SIGPIPE, SIG_IGN);
  cbt_folder_set_up(NULL);
  *state = b;
  return 0;
}

static int tear_down(void **state) {
  bench *b = *state;
  wiretap_close(&b->tap);
  daq_emulator_stop(b->e);
  free(b);
  return cbt_folder_tear_down(NULL);
}

/* ---- at a terminal ---- */

#define RIGHT "\033[C"
#define LEFT "\033[D"

/* Reads for so long what is drawn. */
static void watch(bench *b, double seconds) {
  const double until_s = cb_now_monotonic_s() + seconds;
  for (double left_s = seconds; left_s > 0; left_s = until_s - cb_now_monotonic_s()) {
    struct pollfd p = {.fd = b->terminal.master, .events = POLLIN};
    const struct timespec t = {.tv_nsec = (long)(1e9 * fmin(left_s, 0.1))};
    if (ppoll(&p, 1, &t, NULL) <= 0) continue;
    ssize_t n = read(b->terminal.master, b->seen + b->n, sizeof b->seen - 1 - b->n);
    if (n > 0) b->n += (size_t)n;
    b->seen[b->n] = '\0';
  }
}

static void await(bench *b, const char *wanted) {
  const double until_s = cb_now_monotonic_s() + CBT_HANG_S;
  const size_t from = b->n;
  while (!strstr(b->seen + from, wanted)) {
    if (cb_now_monotonic_s() > until_s) fail_msg("'%s' was not drawn, but: %s", wanted, b->seen + from);
    watch(b, 0.02);
  }
}

/* options: NULL, or three words that end with NULL. */
static void start_live_with(bench *b, const char *const *options) {
  const char *words[8] = {"rig", "live", "wired.yaml"};
  for (int i = 0; options && options[i]; i++) words[3 + i] = options[i];
  assert_int_equal(setenv("TERM", "xterm", 1), 0);
  dt_pty_open(&b->terminal);
  b->pid = prog_start_to(words, b->terminal.slave, b->terminal.slave, -1);
  await(b, "any other key stops");
}

static void start_live(bench *b) { start_live_with(b, NULL); }

/* Monotonic time of the press. */
static double press(bench *b, const char *key) {
  const double now_s = cb_now_monotonic_s();
  dt_send(&b->terminal, key);
  return now_s;
}

/* As a keyboard does it: once, and after a while again and again. Returns when the last one was sent. */
static double hold(bench *b, const char *key, double first_s, double gap_s, int times) {
  double last_s = press(b, key);
  watch(b, first_s);
  for (int i = 0; i < times; i++) {
    last_s = press(b, key);
    if (i + 1 < times) watch(b, gap_s);
  }
  return last_s;
}

static void go_home(bench *b) {
  (void)hold(b, "h", 0.4, 0.03, 100);
  await(b, "note      home");
  watch(b, 0.5); /* the key is let go */
}

/* Asked by this test, in place of the program, which is gone or asleep. */
static double ask_position_m(bench *b, bool *moves) {
  char reply[256] = "";
  size_t n = 0;
  dt_send(&(dt_pty){.master = b->tap.stage}, "/01 0 77 get pos\n");
  for (const double until_s = cb_now_monotonic_s() + CBT_HANG_S; cb_now_monotonic_s() < until_s;) {
    struct pollfd p = {.fd = b->tap.host.slave, .events = POLLIN};
    if (poll(&p, 1, 20) <= 0) continue;
    ssize_t got = read(b->tap.host.slave, reply + n, 1);
    if (got <= 0 || n + 2 > sizeof reply) break;
    reply[++n] = '\0';
    if (reply[n - 1] != '\n') continue;
    if (strncmp(reply, "@01 0 77 OK ", 12) == 0) {
      *moves = strncmp(reply + 12, "BUSY", 4) == 0;
      return strtod(strrchr(reply, ' '), NULL) * 0.1984375e-6;
    }
    n = 0;
  }
  fail_msg("the stage does not say where it is");
  return NAN;
}

static void expect_rest(bench *b, double within_s, double *x_m) {
  const double until_s = cb_now_monotonic_s() + within_s * cbt_patience();
  bool moves = true;
  while (moves) {
    *x_m = ask_position_m(b, &moves);
    if (moves && cb_now_monotonic_s() > until_s) fail_msg("the stage moves after %g s", within_s);
    cb_sleep_s(0.02);
  }
}

static void leave(bench *b, int code) {
  bool stopped;
  (void)press(b, "q");
  watch(b, 0.3);
  assert_int_equal(prog_end(b->pid), code);
  (void)wiretap_moves(&b->tap, &stopped);
  assert_true(stopped);
  dt_pty_close(&b->terminal);
}

/* ---- keys that are let go ---- */

static size_t stops_of(wiretap *w, double *last_s) {
  pthread_mutex_lock(&w->lock);
  const size_t n = w->stops;
  *last_s = w->stop_s;
  pthread_mutex_unlock(&w->lock);
  return n;
}

/* What the program allowed after the last key, as it says of its n-th stop. NAN: it was held up, and stopped
 * for that. */
static double allowed_s(bench *b, size_t n) {
  char wanted[40];
  const char *at = NULL;
  (void)snprintf(wanted, sizeof wanted, "note      stop %zu: ", n);
  await(b, wanted);
  watch(b, 0.02);
  for (const char *next = b->seen; (next = strstr(next, wanted)); next++) at = next;
  if (at && strncmp(at + strlen(wanted), "this program was held up", 24) == 0) return NAN;
  at = at ? strstr(at, "last key, ") : NULL;
  if (!at) fail_msg("stop %zu was another one: %s", n, b->seen);
  return strtod(at + strlen("last key, "), NULL) * 1e-3;
}

#define LATE_S 0.02

/* Of every release: how long after the end of the allowed time the stop was on the wire. */
static void let_go(void **state) {
  bench *b = *state;
  const char *slow = getenv("CB_SLOW");
  const size_t n = slow && slow[0] ? 500 : 25;
  double late_s[500];
  size_t m = 0;
  cb_rng rng;
  cb_rng_init(&rng, 2026, 49);
  start_rig(b, NULL, 0);
  start_live(b);
  go_home(b);
  dt_send(&b->terminal, "+++"); /* 10 mm/s: away from the limit, which no key passes */
  watch(b, 0.2);
  (void)hold(b, RIGHT, 0.3, 0.03, 50);
  await(b, "last key, ");
  watch(b, 0.5);
  dt_send(&b->terminal, "---");
  watch(b, 0.2);
  const daq_latency before = daq_latency_prefer(); /* nor does a finger */
  double unused;
  const size_t first = stops_of(&b->tap, &unused);
  for (size_t i = 0; i < n; i++) {
    double at_s, before_s;
    const size_t stops = stops_of(&b->tap, &before_s);
    const double gap_s = 0.025 + 0.02 * cb_rng_uniform(&rng);
    const double last_s = hold(b, i % 2 ? LEFT : RIGHT, 0.25 + 0.1 * cb_rng_uniform(&rng), gap_s,
                               4 + (int)(6 * cb_rng_uniform(&rng)));
    while (stops_of(&b->tap, &at_s) == stops) {
      if (cb_now_monotonic_s() > last_s + CBT_HANG_S) fail_msg("release %zu: no stop", i);
      watch(b, 0.005);
    }
    const double patience_s = allowed_s(b, stops_of(&b->tap, &unused) - first + 1);
    b->n = 0;
    if (isnan(patience_s)) watch(b, 0.8);
    if (isnan(patience_s)) continue;
    assert_true(patience_s >= 0.06 && patience_s <= 0.25);
    late_s[m++] = at_s - last_s - patience_s;
  }
  daq_latency_restore(&before);
  leave(b, 0);
  cb_sort(late_s, m);
  print_message("%zu releases: late by %.2f ms (least), %.2f (median), %.2f (95 %%), %.2f (most)\n", m,
                1e3 * late_s[0], 1e3 * late_s[m / 2], 1e3 * late_s[m * 95 / 100], 1e3 * late_s[m - 1]);
  print_message("%zu more stops, as the program was held up\n", n - m);
  assert_true(late_s[0] > -0.001); /* it never stops before */
  assert_true(late_s[m * 95 / 100] <= LATE_S);
  assert_true(late_s[m - 1] <= LATE_S * cbt_patience());
  assert_true((double)(n - m) <= 0.1 * (double)n * cbt_patience()); /* a stop too early harms nothing */
}

/* A press alone is a step, 0.1 s of the speed; what holds must come again. */
static void one_press_is_a_step(void **state) {
  bench *b = *state;
  double x_m, more_m;
  start_rig(b, NULL, 0);
  start_live(b);
  (void)press(b, RIGHT);
  await(b, "the stage must be homed before it is moved: hold h");
  assert_int_equal(wiretap_moves(&b->tap, NULL), 0);
  watch(b, 0.8);
  (void)press(b, "h");
  await(b, "hold h until the stage is home");
  assert_int_equal(wiretap_moves(&b->tap, NULL), 0);
  watch(b, 0.8);
  go_home(b);
  (void)press(b, RIGHT);
  watch(b, 1);
  (void)press(b, "+"); /* 2 mm/s */
  watch(b, 0.1);
  (void)press(b, RIGHT);
  watch(b, 1);
  (void)press(b, LEFT LEFT LEFT LEFT LEFT LEFT LEFT LEFT); /* pasted: one press */
  watch(b, 1);
  assert_int_equal(wiretap_moves(&b->tap, NULL), 4);
  leave(b, 0);
  expect_rest(b, 1, &x_m);
  assert_near(x_m, 0.1e-3, 1e-6);
  cb_sleep_s(0.2);
  expect_rest(b, 1, &more_m);
  assert_near(more_m, x_m, 0);
}

/* Every key but the held one stops it at once. */
static void other_keys_stop(void **state) {
  bench *b = *state;
  static const char *const keys[] = {" ", "x", LEFT, "\033", "\033[A", "\032", "t", "h"};
  start_rig(b, NULL, 0);
  start_live(b);
  go_home(b);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    double at_s;
    const size_t stops = stops_of(&b->tap, &at_s);
    (void)hold(b, RIGHT, 0.3, 0.03, 8);
    const double typed_s = press(b, keys[i]);
    watch(b, 0.3);
    assert_int_equal(stops_of(&b->tap, &at_s), stops + 1);
    /* Esc alone is told from an arrow by what does not follow within 20 ms */
    if (at_s - typed_s > 0.05 * cbt_patience()) fail_msg("key %zu: after %g s", i, at_s - typed_s);
    assert_non_null(strstr(b->seen, "another key"));
    b->n = 0;
    b->seen[0] = '\0';
    watch(b, 0.5);
  }
  (void)hold(b, RIGHT, 0.3, 0.03, 8);
  leave(b, 0); /* q stops it, and waits until it stands */
  const char *last = NULL;
  for (const char *next = b->seen; (next = strstr(next, "stage     ")); next++) last = next;
  assert_non_null(last);
  assert_int_equal(strncmp(last, "stage     at rest", 17), 0);
}

/* ---- who does not let go ---- */

static void begin_jog(bench *b, const char *const pairs[][2], size_t n) {
  start_rig(b, pairs, n);
  start_live(b);
  go_home(b);
  (void)hold(b, RIGHT, 0.3, 0.03, 10);
}

/* The terminal's window is closed while a key is held. */
static void terminal_is_gone(void **state) {
  bench *b = *state;
  bool stopped;
  double at_s, x_m;
  begin_jog(b, NULL, 0);
  const double gone_s = cb_now_monotonic_s();
  close(b->terminal.slave);
  close(b->terminal.master);
  assert_int_equal(prog_end(b->pid), 0);
  (void)wiretap_moves(&b->tap, &stopped);
  (void)stops_of(&b->tap, &at_s);
  assert_true(stopped);
  print_message("the terminal is gone: stop after %.1f ms\n", 1e3 * (at_s - gone_s));
  prog_expect("the terminal is gone");
  expect_rest(b, 0.2, &x_m);
}

/* The rig's own: a leg ends after a second. 1 mm/s. */
static void killed(void **state) {
  bench *b = *state;
  double x_m;
  int status;
  bool moves;
  begin_jog(b, NULL, 0);
  kill(b->pid, SIGKILL);
  const double from_m = ask_position_m(b, &moves);
  assert_true(moves);
  assert_int_equal(waitpid(b->pid, &status, 0), b->pid);
  expect_rest(b, 1.2, &x_m);
  print_message("killed: %.3f mm further\n", 1e3 * (x_m - from_m));
  assert_true(x_m - from_m <= 1e-3);
  dt_pty_close(&b->terminal);
}

/* Asleep it hears nothing either; what was typed meanwhile is not followed. */
static void asleep(void **state) {
  bench *b = *state;
  double x_m, later_m;
  bool moves;
  begin_jog(b, NULL, 0);
  kill(b->pid, SIGSTOP);
  const double from_m = ask_position_m(b, &moves);
  assert_true(moves);
  for (int i = 0; i < 50; i++) {
    (void)press(b, RIGHT);
    cb_sleep_s(0.03);
  }
  expect_rest(b, 1, &x_m);
  assert_true(x_m - from_m <= 1e-3);
  const size_t before = wiretap_moves(&b->tap, NULL);
  kill(b->pid, SIGCONT);
  watch(b, 1);
  assert_int_equal(wiretap_moves(&b->tap, NULL), before);
  leave(b, 0);
  expect_rest(b, 0.1, &later_m);
  assert_near(later_m, x_m, 0);
}

static void told_to_end(void **state) {
  bench *b = *state;
  double x_m;
  bool stopped;
  begin_jog(b, NULL, 0);
  kill(b->pid, SIGTERM);
  watch(b, 0.3);
  assert_int_equal(prog_end(b->pid), 0);
  prog_expect("stopped by SIGTERM (Terminated); the stage was told to stop");
  (void)wiretap_moves(&b->tap, &stopped);
  assert_true(stopped);
  expect_rest(b, 0.1, &x_m);
  dt_pty_close(&b->terminal);
}

/* ---- zero and weight ---- */

/* The number behind the text, in what was drawn last. */
static double number_behind(bench *b, const char *text) {
  const char *at = NULL;
  for (const char *next = b->seen; (next = strstr(next, text)); next++) at = next;
  if (!at) fail_msg("'%s' was not drawn", text);
  return strtod(at + strlen(text), NULL);
}

/* The read-out's zero, its noise, and 200 g in air: m g (1 - 1.2 / 8000), read within 5 u. */
static void zero_and_weight(void **state) {
  bench *b = *state;
  start_rig(b, NULL, 0);
  start_live(b);
  (void)press(b, "w");
  await(b, "first t, with nothing on the hook");
  (void)press(b, "t");
  await(b, "the zero was taken");
  watch(b, 0.3);
  assert_near(number_behind(b, "zero      "), 0.05, 5 * 0.002 / sqrt(400) + 3e-4);
  assert_near(number_behind(b, " N, sd "), 0.002, 4e-4);
  assert_ok(daq_emulator_hang_weight(b->e, 0.2, err));
  (void)press(b, "w");
  await(b, "type its mass in g");
  (void)press(b, "200x"); /* no mass */
  await(b, "nothing was read");
  (void)press(b, "w");
  watch(b, 0.1);
  (void)press(b, "200.0\r");
  await(b, "the weight was read");
  watch(b, 0.3);
  const double pulls_N = number_behind(b, "200 g pulls with "), read_N = number_behind(b, "N; read: "),
               u_N = number_behind(b, " u; u ");
  assert_near(pulls_N, 0.2 * 9.80665 * (1 - 1.2 / 8000), 6e-6);
  assert_near(u_N, 0.002 * 1.961, 2e-4);
  assert_near(read_N, pulls_N, 5 * 0.002 / sqrt(400) + 1e-3);
  assert_near(number_behind(b, "off by "), read_N - pulls_N, 1e-5);
  watch(b, 0.3);
  assert_near(number_behind(b, "extremes  "), 0, 0.02);
  (void)press(b, "p");
  await(b, "the extremes begin anew");
  watch(b, 0.3);
  assert_near(number_behind(b, "extremes  "), read_N, 0.02);
  assert_int_equal(wiretap_moves(&b->tap, NULL), 0);
  leave(b, 0);
}

/* Ten looks before read 1 % more: the record of this one ends with its alarm, which a chart shows as well. */
static void a_weight_over_time(void **state) {
  bench *b = *state;
  static const char *const options[] = {"--record", "--db", "a.db", NULL};
  char path[400];
  weighings_put(cbt_path("a.db", path), 10, 99, 1.01);
  start_rig(b, NULL, 0);
  start_live_with(b, options);
  (void)press(b, "t");
  await(b, "the zero was taken");
  assert_ok(daq_emulator_hang_weight(b->e, 0.2, err));
  (void)press(b, "w");
  await(b, "type its mass in g");
  (void)press(b, "200\r");
  await(b, "the weight was read");
  leave(b, 0);
  prog_expect("the control charts of the weight of 200 g on virtual-bench have ");
  clit_expect(
      "chart --weight-g 200 --by campaign --db a.db", 3,
      "the weight of 200 g on virtual-bench, read / true force at 1.961 N: 11 campaigns, 11 runs (virtual)",
      "");
  clit_expect("db ls --db a.db", 0, "due       alarms that 'db note' has not answered: run 11 ", "");
  clit_run("db check --db a.db", 0);
}

/* ---- guard and limits ---- */

/* 200 g on the cart need more than a newton, the cell bears 0.4. */
static void overload_ends_a_jog(void **state) {
  bench *b = *state;
  static const char *const weak[][2] = {{"overload_N: 8", "overload_N: 0.4"}};
  double x_m;
  bool stopped;
  start_rig(b, weak, 1);
  start_live(b);
  go_home(b);
  assert_ok(daq_emulator_load_cart(b->e, 0.2, err));
  (void)press(b, "+");
  (void)hold(b, RIGHT, 0.3, 0.03, 100);
  assert_int_equal(prog_end(b->pid), 1);
  prog_expect("clothbench rig: overload: ");
  (void)wiretap_moves(&b->tap, &stopped);
  assert_true(stopped);
  expect_rest(b, 0.1, &x_m);
  assert_true(x_m > 2e-3 && x_m < 3.5e-3); /* slack 2 mm, then 0.35 N / 500 N/m, and the way of the stop */
  dt_pty_close(&b->terminal);
}

static void limits_hold(void **state) {
  bench *b = *state;
  static const char *const narrow[][2] = {{"limit_max_mm: 100", "limit_max_mm: 1"},
                                          {"start_mm: 20", "start_mm: 0.5"}};
  double x_m;
  start_rig(b, narrow, 2);
  start_live(b);
  go_home(b);
  (void)hold(b, LEFT, 0.3, 0.03, 20);
  await(b, "the stage is at its limit");
  assert_int_equal(wiretap_moves(&b->tap, NULL), 1);
  watch(b, 0.5);
  (void)hold(b, RIGHT, 0.3, 0.03, 60);
  await(b, "the stage is at its limit");
  leave(b, 0);
  expect_rest(b, 0.1, &x_m);
  assert_near(x_m, 1e-3, 1e-6);
}

/* ---- values ---- */

/* The row's cells as numbers; NAN: empty. */
static size_t read_row(const char *line, double cell[16]) {
  size_t n = 0;
  for (const char *at = line; n < 16; at++) {
    char *end;
    cell[n] = strtod(at, &end);
    if (end == at) cell[n] = NAN;
    n++;
    at = end;
    if (*at != ',') break;
  }
  return n;
}

/* Noise, digit, zero and rate are what the rig file plays. */
static void table_in_a_pipe(void **state) {
  bench *b = *state;
  double cell[16];
  bool stopped;
  start_rig(b, NULL, 0);
  clit_run("rig live wired.yaml --csv --seconds 3.5", 0);
  clit_says("rig live", "stderr", clit_last.err,
            "clothbench rig: no terminal: one line per second, and no key is read; nothing moves");
  char *line = strtok(clit_last.out, "\n");
  assert_string_equal(line, "t_s,reading,force_N,mean_N,sd_N,digit_N,readings,rate_Hz,position_m");
  size_t rows = 0;
  while ((line = strtok(NULL, "\n"))) {
    rows++;
    assert_int_equal(read_row(line, cell), 9);
    assert_near(cell[3], 0.05, 5 * 0.002 / sqrt(400) + 1e-4); /* the zero, and its drift */
    assert_true(cell[4] > 0.8 * 0.002 && cell[4] < 1.2 * 0.002);
    assert_near(cell[5], 1e-4, 1e-9);
    assert_near(cell[7], 400, 40 * cbt_patience());
  }
  assert_int_equal(rows, 4);
  assert_int_equal(wiretap_moves(&b->tap, &stopped), 0);
}

/* Arrows and homing, typed into a pipe: nobody reads them. */
static void never_moves_from_a_pipe(void **state) {
  bench *b = *state;
  const char *const words[] = {"rig", "live", "wired.yaml", "--seconds", "2", NULL};
  int keys[2];
  start_rig(b, NULL, 0);
  assert_int_equal(pipe(keys), 0);
  pid_t pid = prog_start(words, keys[0], -1);
  close(keys[0]);
  for (int i = 0; i < 40; i++) {
    (void)!write(keys[1], "hhh\033[C\033[C\033[D", 12);
    cb_sleep_s(0.03);
  }
  close(keys[1]);
  assert_int_equal(prog_end(pid), 0);
  assert_int_equal(wiretap_moves(&b->tap, NULL), 0);
}

/* A look is a run that every list shows and nothing is fitted to; one that was killed is closed by the next.
 */
static void record_is_a_look(void **state) {
  bench *b = *state;
  const char *const words[] = {"rig", "live", "wired.yaml", "--record", "--db", "a.db", NULL};
  cb_trace trace;
  cb_run run;
  cb_store *s;
  char path[400];
  start_rig(b, NULL, 0);
  b->pid = prog_start_to(words, -1, -1, -1);
  cb_sleep_s(0.7 * cbt_patience());
  assert_int_equal(kill(b->pid, SIGKILL), 0);
  assert_int_equal(waitpid(b->pid, NULL, 0), b->pid);
  clit_expect("rig live wired.yaml --record --db a.db --operator Ada --seconds 1", 0, "N", "a.db: run 2\n");
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_run_get(s, 1, &run, err));
  assert_int_equal(run.status, CB_RUN_INTERRUPTED);
  assert_ok(cb_store_run_get(s, 2, &run, err));
  assert_true(run.kind == CB_RUN_LOOK && run.status == CB_RUN_DONE && run.origin == CB_VIRTUAL);
  assert_true(run.cloth_id == 0 && isnan(run.normal_force_N));
  assert_ok(cb_store_trace(s, &run, &trace, err));
  assert_near((double)trace.force_N.n, 400, 60 * cbt_patience());
  assert_true(trace.position_m.n > 20);
  cb_trace_clear(&trace);
  assert_ok(cb_store_close(s, err));
  clit_expect("db query \"runs looks done\" --db a.db", 0, "look", "");
  clit_expect("db ls runs --db a.db", 0, "look", "");
  clit_expect("db show 2 --db a.db", 0, "  operator       Ada\n", "");
  clit_expect("db show 2 --db a.db", 0, "run 2      look, done\n", "");
  clit_expect("db query \"SELECT count(*) AS n FROM v_mu\" --db a.db", 0, "\n0\n", "");
  clit_expect("fit trace --run 2 --db a.db", 1, "", "run 2 is a look of 'rig live'");
  clit_expect("validate slide --run 2 --db a.db", 1, "", "run 2 is a look of 'rig live'");
  clit_expect("fit friction --db a.db", 3, "", "no finished runs of any pair");
  clit_run("plot run 2 --db a.db --out look.csv", 0);
  clit_run("report --db a.db --out pages", 0);
  clit_run("db check --db a.db", 0);
}

/* Without a calibration: the read-out's unit. */
static void without_newtons(void **state) {
  bench *b = *state;
  static const char *const none[][2] = {
      {"calibration: {slope_N_per_unit: 1, u_rel: 0.002, resolution: 0.0001, certificate: \"virtual\", "
       "valid_from: 2026-01-01}\n",
       ""},
      {"unit: N", "unit: mV/V"},
      {"  seed: 1\n", "  seed: 1\n  slope_N_per_unit: 1\n"}};
  start_rig(b, none, 3);
  clit_expect("rig live wired.yaml --seconds 0.5", 0, " mV/V (", "nothing moves");
  clit_expect("rig live wired.yaml --seconds 0.5 --csv", 0, ",,,,,", "nothing moves");
}

/* The first one has the ports. */
static void one_at_a_time(void **state) {
  bench *b = *state;
  const char *const words[] = {"rig", "live", "wired.yaml", NULL};
  char path[400];
  start_rig(b, NULL, 0);
  int out = open(cbt_path("lines", path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  pid_t pid = prog_start_to(words, -1, out, -1);
  for (int i = 0; lseek(out, 0, SEEK_END) <= 0 && i < 1000; i++) cb_sleep_s(0.01);
  cbt_run(&clit_last, cbt_folder, "rig live wired.yaml --seconds 1");
  assert_int_equal(clit_last.code, 1);
  clit_says("the second one", "stderr", clit_last.err, "in use");
  kill(pid, SIGTERM);
  assert_int_equal(prog_end(pid), 0);
  close(out);
}

static void wrong_usage(void **state) {
  (void)state;
  clit_expect("rig live", 2, "", "rig live RIG.yaml");
  clit_expect("rig live none.yaml", 1, "", "none.yaml");
  clit_expect("rig live a.yaml --seconds 0", 2, "", "--seconds");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(table_in_a_pipe),
      TEST(never_moves_from_a_pipe),
      TEST(record_is_a_look),
      TEST(without_newtons),
      TEST(one_at_a_time),
      TEST(one_press_is_a_step),
      TEST(let_go),
      TEST(other_keys_stop),
      TEST(terminal_is_gone),
      TEST(killed),
      TEST(asleep),
      TEST(told_to_end),
      TEST(zero_and_weight),
      TEST(a_weight_over_time),
      TEST(overload_ends_a_jog),
      TEST(limits_hold),
      cmocka_unit_test_setup_teardown(wrong_usage, cbt_folder_set_up, cbt_folder_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
