/* The acquisition loop against a stage and a read-out that misbehave on purpose: whatever goes wrong, the
 * stage hears "stop". */
#include "daqtest.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>

#include "cb_time.h"
#include "daq_bench.h"
#include "daq_latency.h"

/* ---- a stage and a read-out, played by one thread; simple-minded, and no relation to the virtual rig
 * ---- */

typedef enum misdeed {
  BEHAVES,
  STALLS,       /* busy, but stays */
  RUNS_AWAY,    /* the other way */
  GIVES_UP,     /* idle half way */
  GOES_SILENT,  /* no answer to get pos */
  GOES_DEAF,    /* no answer to anything */
  OVERLOADS,    /* force jumps */
  RAISES_ALARM, /* garbage, then silence of the read-out */
  FORCE_UNPLUGGED,
  STAGE_UNPLUGGED,
  BOTH_UNPLUGGED,
  JERKS,       /* force grows too fast */
  BLOCKS_HOST, /* the program's own thread is held up */
  FILLS_LINE,  /* the stage reads nothing, and the terminal is full */
  PRESSES_ESTOP,
  CUTS_ESTOP, /* its port goes */
  FAULT,      /* warning flag FS */
  CREEPS      /* busy without a command */
} misdeed;

#define MICROSTEP_M 1e-6
#define MISDEED_AT_M 5e-3

typedef struct fake {
  dt_pty stage, force;
  pthread_t thread;
  atomic_bool over, creep;
  atomic_int misdeed, stops;
  _Atomic double misdeed_s, stop_s; /* when it first happened; when stop was heard first after that */
  int last_id;
  _Atomic double at_m;
  double from_m, to_m, speed_m_per_s, began_s;
  bool moving;
  long long settings[4];
} fake;

static const char *const setting_names[4] = {"maxspeed", "accel", "limit.min", "limit.max"};

static pthread_t host; /* the thread that runs the tests, and in them the acquisition loop */
static atomic_int modem_lines;

#define BLOCKED_S 0.6
#define DEAF_S 0.45

static void sleep_in_host(int signal_number) {
  (void)signal_number;
  double until_s = cb_now_monotonic_s() + BLOCKED_S;
  while (cb_now_monotonic_s() < until_s) cb_sleep_s(0.01);
}

static int read_modem_lines(int fd, int *lines) {
  (void)fd;
  *lines = atomic_load(&modem_lines);
  errno = EIO;
  return *lines < 0 ? -1 : 0;
}

static double min_of(double a, double b) { return a < b ? a : b; }

/* Empty lines until the terminal takes no more, nor after it has passed on what it could. A question that
 * slipped in meanwhile gets its answer, so that the host has another one to ask. */
static void fake_fill_line(fake *f) {
  char reply[64];
  if (fcntl(f->stage.slave, F_SETFL, O_RDWR | O_NONBLOCK) != 0) return;
  for (int i = 0; i < 3; i++) {
    while (write(f->stage.slave, "\n\n\n\n\n\n\n\n", 8) > 0) continue;
    cb_sleep_s(0.002);
  }
  (void)snprintf(reply, sizeof reply, "@01 0 %02d OK BUSY -- %.0f\r\n", f->last_id % 98 + 1,
                 f->at_m / MICROSTEP_M);
  if (write(f->stage.master, reply, strlen(reply)) < 0) return;
}

static void fake_begin(fake *f, int deed) {
  if (deed == BLOCKS_HOST) pthread_kill(host, SIGUSR1);
  if (deed == FILLS_LINE) fake_fill_line(f);
  if (deed == PRESSES_ESTOP) atomic_store(&modem_lines, 0);
  if (deed == CUTS_ESTOP) atomic_store(&modem_lines, -1);
}

static void fake_advance(fake *f) {
  double now = cb_now_monotonic_s();
  if (!f->moving) return;
  double way = f->to_m - f->from_m, length = fabs(way),
         done = min_of(f->speed_m_per_s * (now - f->began_s), length);
  int deed = atomic_load(&f->misdeed);
  bool bad = deed != BEHAVES && done > MISDEED_AT_M;
  if (bad && f->misdeed_s == 0) {
    f->misdeed_s = now;
    fake_begin(f, deed);
  }
  if (bad && deed == STALLS) done = MISDEED_AT_M;
  if (bad && deed == RUNS_AWAY) done = -MISDEED_AT_M;
  f->at_m = f->from_m + (way < 0 ? -done : done);
  f->moving = done < length && !(bad && deed == GIVES_UP);
}

static long long *fake_setting(fake *f, const char *name) {
  for (int i = 0; i < 4; i++)
    if (strncmp(setting_names[i], name, strlen(setting_names[i])) == 0) return &f->settings[i];
  return NULL;
}

/* Bare bytes of the bench's or the watchdog's, without a message id. */
static void fake_hear_stop(fake *f) {
  f->moving = false;
  atomic_fetch_add(&f->stops, 1);
  if (f->misdeed_s > 0 && f->stop_s == 0) f->stop_s = cb_now_monotonic_s();
}

static void fake_obey(fake *f, const char *id, const char *command) {
  char reply[96], data[32] = "0";
  f->last_id = atoi(id);
  bool bad = f->misdeed_s > 0;
  int deed = atomic_load(&f->misdeed);
  long long *set = strncmp(command, "set ", 4) == 0 ? fake_setting(f, command + 4) : NULL;
  if (set) *set = atoll(strrchr(command, ' '));
  if (strcmp(command, "get pos") == 0) {
    if (bad && deed == GOES_SILENT) return;
    (void)snprintf(data, sizeof data, "%.0f", f->at_m / MICROSTEP_M);
  } else if (strncmp(command, "get ", 4) == 0) {
    long long *s = fake_setting(f, command + 4);
    (void)snprintf(data, sizeof data, "%lld", s ? *s : 1);
  } else if (strcmp(command, "stop") == 0) {
    fake_hear_stop(f);
  } else if (strcmp(command, "home") == 0) {
    f->at_m = 0;
  } else if (strncmp(command, "move abs ", 9) == 0) {
    f->from_m = f->at_m;
    f->to_m = atof(command + 9) * MICROSTEP_M;
    f->speed_m_per_s = (double)f->settings[0] / 1.6384 * MICROSTEP_M;
    f->began_s = cb_now_monotonic_s();
    f->moving = true;
  }
  if (bad && deed == GOES_DEAF) return;
  (void)snprintf(reply, sizeof reply, "@01 0 %s OK %s %s %s\r\n", id,
                 f->moving || atomic_load(&f->creep) ? "BUSY" : "IDLE", bad && deed == FAULT ? "FS" : "--",
                 data);
  if (write(f->stage.master, reply, strlen(reply)) < 0) return;
}

static void fake_hear(fake *f, char *line, size_t n) {
  if (n < 8) return;
  line[8] = '\0'; /* "/01 0 II command" */
  fake_obey(f, line + 6, line + 9);
}

static void fake_send_force(fake *f) {
  bool bad = f->misdeed_s > 0;
  int deed = atomic_load(&f->misdeed);
  if (bad && (deed == FORCE_UNPLUGGED || deed == BOTH_UNPLUGGED) && f->force.master >= 0)
    dt_pty_unplug(&f->force);
  if (bad && (deed == STAGE_UNPLUGGED || deed == BOTH_UNPLUGGED) && f->stage.master >= 0)
    dt_pty_unplug(&f->stage);
  if (f->force.master < 0) return;
  const char *line = bad && deed == OVERLOADS      ? "9.0\r\n"
                     : bad && deed == RAISES_ALARM ? "?\r\n"
                     : bad && deed == JERKS        ? "2.5\r\n"
                                                   : "0.5\r\n";
  if (write(f->force.master, line, strlen(line)) < 0) return;
}

static void *fake_main(void *context) {
  fake *f = context;
  char line[128];
  size_t n = 0;
  double next_s = cb_now_monotonic_s();
  daq_latency_prefer(); /* an instrument does not wait for a processor */
  while (!atomic_load(&f->over)) {
    struct pollfd p = {.fd = f->stage.master, .events = POLLIN};
    char c;
    fake_advance(f);
    if (cb_now_monotonic_s() >= next_s) {
      fake_send_force(f);
      next_s += 0.005;
    }
    if (atomic_load(&f->misdeed) == FILLS_LINE && f->misdeed_s > 0 &&
        cb_now_monotonic_s() < f->misdeed_s + DEAF_S)
      p.fd = -1;
    if (poll(&p, 1, 1) <= 0 || read(f->stage.master, &c, 1) != 1) continue;
    if (c != '\n') {
      if (n < sizeof line - 1) line[n++] = c;
      continue;
    }
    line[n] = '\0';
    fake_hear(f, line, n);
    n = 0;
  }
  return NULL;
}

static const cb_rig rig = {
    .stage = {.baud = 115200,
              .device_address = 1,
              .microstep_m = MICROSTEP_M,
              .limit_max_m = 0.1,
              .max_speed_m_per_s = 0.05,
              .acceleration_m_per_s2 = 100,
              .start_m = 0.02,
              .reply_timeout_s = 2}, /* the kernel may keep a pseudo-terminal's bytes beside other programs */
    .force = {.driver = CB_FORCE_LINE,
              .baud = 115200,
              .rate_Hz = 200,
              .overload_N = 8,
              .silence_timeout_s = 0.3,
              .separator = ",",
              .scale = 1},
    .calibration = {.slope_N_per_unit = 1},
};

static const cb_rig_estop contact = {.present = true, .port = "the contact's", .line = CB_LINE_CTS};

typedef struct fixture {
  fake f;
  cb_rig rig;
  daq_bench b;
  cb_stop stop_flag;
  int policy; /* of this thread's scheduling, before */
} fixture;

static int set_up(void **state) {
  fixture *x = calloc(1, sizeof *x);
  assert_non_null(x);
  dt_pty_open(&x->f.stage);
  dt_pty_open(&x->f.force);
  assert_int_equal(pthread_create(&x->f.thread, NULL, fake_main, &x->f), 0);
  host = pthread_self();
  x->rig = rig;
  x->policy = sched_getscheduler(0);
  assert_ok(daq_bench_open(&x->b, &x->rig, x->f.stage.name, x->f.force.name, &x->stop_flag, err));
  assert_ok(daq_bench_home(&x->b, err));
  *state = x;
  return 0;
}

static int tear_down(void **state) {
  fixture *x = *state;
  daq_bench_close(&x->b);
  /* What computes afterwards leaves the processors to others. */
  assert_int_equal(sched_getscheduler(0), x->policy);
  atomic_store(&x->f.over, true);
  pthread_join(x->f.thread, NULL);
  dt_pty_close(&x->f.stage);
  dt_pty_close(&x->f.force);
  free(x);
  return 0;
}

/* ---- tests ---- */

static void behaves(void **state) {
  fixture *x = *state;
  double mean;
  int stops = atomic_load(&x->f.stops);
  double began = cb_now_monotonic_s();
  assert_ok(daq_bench_move(&x->b, 0.015, 0.05, err));
  double took = cb_now_monotonic_s() - began;
  assert_near(x->b.position_m, 0.015, 1e-9);
  assert_true(took >= 0.3 && took < 1 * cbt_patience());
  assert_ok(daq_bench_rest(&x->b, 0.1, &mean, err));
  assert_near(mean, 0.5, 0);
  assert_int_equal(atomic_load(&x->f.stops), stops); /* nobody was stopped who behaves */
}

static void rest_waits_for_readings(void **state) {
  fixture *x = *state;
  double mean;
  assert_ok(daq_bench_resume(&x->b, err));
  double began = cb_now_monotonic_s();
  assert_ok(daq_bench_rest(&x->b, 0, &mean, err));
  /* Five readings at 200 Hz. */
  assert_true(cb_now_monotonic_s() - began > 0.015);
  assert_near(mean, 0.5, 0);
}

static void goes_wrong(fixture *x, misdeed deed, cb_status status, const char *sentence, double within_s) {
  atomic_store(&x->f.misdeed, deed);
  int stops = atomic_load(&x->f.stops);
  assert_fails(status, sentence, daq_bench_move(&x->b, 0.03, 0.05, err));
  /* stop() returned when the stage had confirmed, or would not. */
  assert_true(atomic_load(&x->f.stops) > stops);
  double delay = x->f.stop_s - x->f.misdeed_s;
  print_message("stop %.1f ms after it\n", 1e3 * delay);
  assert_true(delay >= 0 && delay <= within_s * cbt_patience());
}

/* From the first overloaded line to "stop" on the wire; 50 ms is what a machine full of other work may
 * take. */
#define PROMPT_S 0.05

static void overload(void **state) {
  goes_wrong(*state, OVERLOADS, CB_E_SAFETY, "overload: 9 N, at most 8 N", PROMPT_S);
}
/* The silence time-out of 0.3 s, and as much again. */
static void lost_stream(void **state) {
  fixture *x = *state;
  goes_wrong(x, RAISES_ALARM, CB_E_SAFETY, "lost stream", 0.6);
  assert_true(x->b.force.n_unreadable > 10); /* lines came, but no reading */
}
static void force_unplugged(void **state) {
  goes_wrong(*state, FORCE_UNPLUGGED, CB_E_DEVICE, "the device was disconnected", PROMPT_S);
}
static void runs_away(void **state) {
  goes_wrong(*state, RUNS_AWAY, CB_E_SAFETY, "outside the limits", PROMPT_S);
}
static void gives_up(void **state) {
  goes_wrong(*state, GIVES_UP, CB_E_SAFETY, "30.000 mm was its target", PROMPT_S);
}
static void stalls(void **state) { goes_wrong(*state, STALLS, CB_E_SAFETY, "stalled", 1.3); }
/* Asked three times, all within the reply time-out of 0.2 s; and as much again. */
static void goes_silent(void **state) {
  fixture *x = *state;
  x->rig.stage.reply_timeout_s = 0.2;
  goes_wrong(x, GOES_SILENT, CB_E_TIMEOUT, "no answer to 'get pos'", 0.4);
}
static void fault(void **state) {
  goes_wrong(*state, FAULT, CB_E_DEVICE, "the fault FS (stalled and stopped)", PROMPT_S);
}

static void jerks(void **state) {
  fixture *x = *state;
  x->b.guard.overload_N_per_s = 50;
  /* 2 N more from one reading to the next, 20 ms between the medians. */
  goes_wrong(x, JERKS, CB_E_SAFETY, "the force grows by 100 N/s, at most 50 N/s", PROMPT_S);
}

/* Both the stage's and the force's descriptors hang up: the run is over at once, and nothing spins. */
static void unplugged(fixture *x, misdeed deed, const char *sentence) {
  struct timespec before, after;
  atomic_store(&x->f.misdeed, deed);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
  assert_fails(CB_E_DEVICE, sentence, daq_bench_move(&x->b, 0.03, 0.05, err));
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
  double took_s = cb_now_monotonic_s() - x->f.misdeed_s;
  double cpu_s = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
  print_message("over %.1f ms after it, %.1f ms of CPU\n", 1e3 * took_s, 1e3 * cpu_s);
  assert_true(took_s < 1 * cbt_patience());
  assert_true(cpu_s < 0.1);
}
static void stage_unplugged(void **state) {
  fixture *x = *state;
  char text[DAQ_HALT_TEXT];
  unplugged(x, STAGE_UNPLUGGED, "the device was disconnected");
  assert_false(daq_bench_halt(&x->b, text));
  assert_true(x->b.may_move);
  assert_non_null(strstr(text, "the stage could not be told to stop and may still move"));
}

static void unplugged_at_rest(void **state) {
  fixture *x = *state;
  char text[DAQ_HALT_TEXT];
  double mean;
  assert_ok(daq_bench_move(&x->b, 0.015, 0.05, err));
  dt_pty_unplug(&x->f.stage);
  assert_fails(CB_E_DEVICE, "the device was disconnected", daq_bench_rest(&x->b, 0.5, &mean, err));
  assert_false(daq_bench_halt(&x->b, text));
  assert_false(x->b.may_move);
  assert_non_null(strstr(text, "the stage could not be told to stop; it stood still when it last answered"));
}

/* The cable is in, and the stage says nothing to anything. */
static void deaf(void **state) {
  fixture *x = *state;
  char text[DAQ_HALT_TEXT];
  x->rig.stage.reply_timeout_s = 0.2;
  goes_wrong(x, GOES_DEAF, CB_E_TIMEOUT, "no answer to 'get pos'", 0.4);
  assert_false(daq_bench_halt(&x->b, text));
  assert_non_null(strstr(text, "the stage did not confirm the stop and may still move"));
}

static void halted(void **state) {
  fixture *x = *state;
  char text[DAQ_HALT_TEXT];
  goes_wrong(x, OVERLOADS, CB_E_SAFETY, "overload: 9 N, at most 8 N", PROMPT_S);
  assert_true(daq_bench_halt(&x->b, text));
  assert_string_equal(text, "the stage was told to stop");
}
static void both_unplugged(void **state) { unplugged(*state, BOTH_UNPLUGGED, "the device was disconnected"); }

/* The loop's own thread is held up for 0.6 s: the watchdog's bytes come while it is. */
static void blocked_loop(void **state) {
  struct sigaction action = {.sa_handler = sleep_in_host};
  assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
  goes_wrong(*state, BLOCKS_HOST, CB_E_SAFETY, "watchdog: the acquisition loop did not run for 0.6",
             BLOCKED_S - 0.05);
  fixture *x = *state;
  assert_true(x->f.stop_s - x->f.misdeed_s > DAQ_WATCHDOG_S - 0.05); /* its last beat was up to a turn
                                                                        earlier */
}

/* The stage takes nothing and the terminal is full: the loop sticks in its question, and the watchdog makes
 * room for the stop. */
static void full_line(void **state) {
  fixture *x = *state;
  goes_wrong(x, FILLS_LINE, CB_E_SAFETY, "watchdog: the acquisition loop did not run for 0.",
             DEAF_S + PROMPT_S);
}

static void use_contact(fixture *x) {
  atomic_store(&modem_lines, TIOCM_CTS);
  x->b.estop = (daq_estop){.rig = &contact, .fd = -1, .read_lines = read_modem_lines};
}

static void estop_pressed(void **state) {
  fixture *x = *state;
  use_contact(x);
  goes_wrong(x, PRESSES_ESTOP, CB_E_SAFETY, "e-stop: line CTS of port the contact's is off", PROMPT_S);
  /* Nothing moves before it is released. */
  double was_m = x->f.at_m;
  atomic_store(&x->f.misdeed, BEHAVES);
  assert_fails(CB_E_SAFETY, "e-stop: line CTS", daq_bench_home(&x->b, err));
  assert_fails(CB_E_SAFETY, "e-stop: line CTS", daq_bench_move(&x->b, 0.03, 0.05, err));
  assert_near(x->f.at_m, was_m, 0);
  atomic_store(&modem_lines, TIOCM_CTS);
  assert_ok(daq_bench_move(&x->b, 0.03, 0.05, err));
}

static void estop_cut(void **state) {
  fixture *x = *state;
  use_contact(x);
  goes_wrong(x, CUTS_ESTOP, CB_E_SAFETY,
             "e-stop: port the contact's tells nothing about its line CTS: Input/output error", PROMPT_S);
}

static void creeps(void **state) {
  fixture *x = *state;
  double mean;
  int stops = atomic_load(&x->f.stops);
  atomic_store(&x->f.creep, true);
  assert_fails(CB_E_SAFETY, "nobody told it to", daq_bench_rest(&x->b, 0.5, &mean, err));
  assert_true(atomic_load(&x->f.stops) > stops);
  atomic_store(&x->f.creep, false);
}

static void *raise_flag(void *context) {
  cb_sleep_s(0.1);
  atomic_store((cb_stop *)context, CB_STOP_OPERATOR);
  return NULL;
}

static void operator_stops(void **state) {
  fixture *x = *state;
  pthread_t thread;
  int stops = atomic_load(&x->f.stops);
  assert_int_equal(pthread_create(&thread, NULL, raise_flag, &x->stop_flag), 0);
  double began = cb_now_monotonic_s();
  assert_fails(CB_E_STOPPED, "stopped by the operator", daq_bench_move(&x->b, 0.05, 0.05, err));
  assert_true(cb_now_monotonic_s() - began < fmin(0.9, 0.5 * cbt_patience())); /* the move would take 1 s */
  pthread_join(thread, NULL);
  assert_true(atomic_load(&x->f.stops) > stops);
}

static void outside_the_limits(void **state) {
  fixture *x = *state;
  assert_fails(CB_E_SAFETY, "target -1.000 mm: outside the limits", daq_bench_move(&x->b, -0.001, 0.05, err));
  assert_near(x->f.at_m, 0, 0);
}

static void without_calibration(void **state) {
  fixture *x = *state;
  x->b.guard.slope_N_per_unit = 0;
  assert_fails(CB_E_SAFETY, "no calibration", daq_bench_move(&x->b, 0.03, 0.05, err));
  assert_near(x->f.at_m, 0, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(behaves),
                                     TEST(rest_waits_for_readings),
                                     TEST(overload),
                                     TEST(lost_stream),
                                     TEST(force_unplugged),
                                     TEST(runs_away),
                                     TEST(gives_up),
                                     TEST(stalls),
                                     TEST(goes_silent),
                                     TEST(fault),
                                     TEST(creeps),
                                     TEST(operator_stops),
                                     TEST(outside_the_limits),
                                     TEST(without_calibration),
                                     TEST(jerks),
                                     TEST(stage_unplugged),
                                     TEST(unplugged_at_rest),
                                     TEST(deaf),
                                     TEST(halted),
                                     TEST(both_unplugged),
                                     TEST(blocked_loop),
                                     TEST(full_line),
                                     TEST(estop_pressed),
                                     TEST(estop_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
