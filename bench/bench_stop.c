/* bench_stop [N [FOLDER]]: how long from an overload on the read-out's wire to the stop command on the stage's wire?
 *
 * The product's own loop (daq_bench with guard, recorder and store on a real file) moves a stage on pseudo-terminals. A device thread
 * plays stage and read-out: 1000 readings per second, and after 20 to 40 ms of a move one reading above the limit; it stamps when
 * that line is written and when the stop bytes are there. N times (1000) per condition: quiet machine; a disk that is written and
 * synced all the time; a busy thread for each processor and such a disk. FOLDER (.): where the database and the disk's load go.
 *
 * "bare echo" is what the machine itself takes at the same moments: a byte to another pseudo-terminal, whose reader does nothing but send
 * it back; "longer than the echo" the difference, event by event.
 *
 * The device thread and the echo stand for hardware, which does not wait for a processor: they ask for SCHED_FIFO. Where that is not
 * allowed, what it waits between stamp and wire counts too, and the program says so. PASS: the worst is at most 20 ms. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cb_time.h"
#include "daq_bench.h"

#define LIMIT_S 0.020
#define PERIOD_S 0.001
#define MICROSTEP_M 1e-6
#define SPEED_M_PER_S 0.01
#define TRAVEL_M 0.05
#define N_SPINNERS_MAX 64
#define DISK_BLOCK (1 << 20)
#define DISK_BLOCKS 256

static void give_up(const char *what) {
  (void)fprintf(stderr, "bench_stop: %s\n", what);
  exit(1);
}

static void demand(cb_status st, const cb_err *err) {
  if (st != CB_OK) give_up(err->msg);
}

/* ---- the devices ---- */

typedef struct device {
  int stage, force, echo; /* masters */
  char stage_name[64], force_name[64], echo_name[64];
  pthread_t thread, echo_thread;
  atomic_bool over, armed;                   /* armed: overload some time after the next move */
  _Atomic double overload_s, stop_s, echo_s; /* when it was sent, when it was answered */
  /* the thread's own */
  char line[128];
  size_t n;
  long long settings[4];
  double from_m, to_m, at_m, began_s, next_s, due_s;
  bool moving;
  unsigned random;
} device;

static int open_pty(char name[64]) {
  struct termios t;
  int fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 || tcgetattr(fd, &t) != 0) give_up("no pseudo-terminal");
  cfmakeraw(&t);
  if (tcsetattr(fd, TCSANOW, &t) != 0) give_up("no raw pseudo-terminal");
  (void)snprintf(name, 64, "%s", ptsname(fd));
  return fd;
}

static void advance(device *d) {
  double way_m = d->to_m - d->from_m, done_m = SPEED_M_PER_S * (cb_now_monotonic_s() - d->began_s);
  if (!d->moving) return;
  d->moving = done_m < (way_m < 0 ? -way_m : way_m);
  d->at_m = d->moving ? d->from_m + (way_m < 0 ? -done_m : done_m) : d->to_m;
}

static void begin_move(device *d, double to_m) {
  d->from_m = d->at_m;
  d->to_m = to_m;
  d->began_s = cb_now_monotonic_s();
  d->moving = true;
  d->random = d->random * 1103515245u + 12345u;
  if (atomic_load(&d->armed)) d->due_s = d->began_s + 0.02 + 0.02 * (double)(d->random >> 16) / 65536;
}

/* "/01 0 II command", or the bare "/01 stop". */
static void obey(device *d) {
  static const char *const names[] = {"maxspeed", "accel", "limit.min", "limit.max"};
  char reply[96];
  const char *command = d->n > 9 ? d->line + 9 : "";
  long long value = 1;
  for (int i = 0; i < 4; i++) {
    if (strncmp(command + 4, names[i], strlen(names[i])) != 0) continue;
    if (command[0] == 's') d->settings[i] = atoll(strrchr(command, ' '));
    value = d->settings[i];
  }
  if (strcmp(command, "get pos") == 0) value = (long long)(d->at_m / MICROSTEP_M);
  if (strcmp(command, "home") == 0) d->at_m = 0;
  if (strncmp(command, "move abs ", 9) == 0) begin_move(d, atof(command + 9) * MICROSTEP_M);
  if (strstr(d->line, "stop")) {
    if (atomic_load(&d->stop_s) == 0 && atomic_load(&d->overload_s) > 0) atomic_store(&d->stop_s, cb_now_monotonic_s());
    d->moving = false;
    if (d->n < 9) return;
  }
  int n = snprintf(reply, sizeof reply, "@01 0 %.2s OK %s -- %lld\r\n", d->line + 6, d->moving ? "BUSY" : "IDLE", value);
  if (write(d->stage, reply, (size_t)n) != n) give_up("the stage's line is full");
}

static void listen(device *d) {
  char c;
  while (read(d->stage, &c, 1) == 1) {
    if (c != '\n' && d->n < sizeof d->line - 1) {
      d->line[d->n++] = c;
      continue;
    }
    d->line[d->n] = '\0';
    advance(d);
    obey(d);
    d->n = 0;
  }
}

static void send_force(device *d, double now_s) {
  bool overload = d->due_s > 0 && now_s >= d->due_s;
  char line[32];
  int n = snprintf(line, sizeof line, "%.4f\r\n", overload ? 9.0 : 0.5 + 1e-4 * (double)(d->random % 7));
  if (overload) {
    d->due_s = 0;
    atomic_store(&d->armed, false);
    if (write(d->echo, "x", 1) != 1) give_up("the echo's line is full");
    atomic_store(&d->overload_s, cb_now_monotonic_s());
  }
  if (write(d->force, line, (size_t)n) < 0 && errno != EAGAIN) give_up("the read-out's line is gone");
}

static void play_hardware(void) {
  if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}) != 0)
    puts("no permission for SCHED_FIFO: what the devices wait for a processor counts too");
}

static void hear_echo(device *d) {
  char c;
  while (read(d->echo, &c, 1) == 1) atomic_store(&d->echo_s, cb_now_monotonic_s());
}

static void *device_main(void *context) {
  device *d = context;
  play_hardware();
  d->next_s = cb_now_monotonic_s();
  while (!atomic_load(&d->over)) {
    struct pollfd p[2] = {{.fd = d->stage, .events = POLLIN}, {.fd = d->echo, .events = POLLIN}};
    struct timespec wait = {0, 0};
    double now_s = cb_now_monotonic_s();
    if (now_s >= d->next_s) {
      send_force(d, now_s);
      d->next_s += PERIOD_S;
    } else {
      wait.tv_nsec = (long)(1e9 * (d->next_s - now_s));
    }
    if (ppoll(p, 2, &wait, NULL) <= 0) continue;
    listen(d);
    hear_echo(d);
  }
  return NULL;
}

/* Ends with the program. */
static void *echo_main(void *context) {
  device *d = context;
  char c;
  play_hardware();
  int fd = open(d->echo_name, O_RDWR | O_NOCTTY);
  while (fd >= 0 && read(fd, &c, 1) == 1)
    if (write(fd, &c, 1) != 1) break;
  give_up("the echo has ended");
  return NULL;
}

/* ---- load ---- */

static atomic_bool load_over;

static void *spin(void *context) {
  (void)context;
  while (!atomic_load(&load_over)) continue;
  return NULL;
}

static void *load_disk(void *path) {
  static char block[DISK_BLOCK];
  while (!atomic_load(&load_over)) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) give_up("cannot write the disk's load");
    for (int i = 0; i < DISK_BLOCKS && !atomic_load(&load_over); i++) {
      memset(block, i, sizeof block);
      if (write(fd, block, sizeof block) < 0 || (i % 16 == 15 && fsync(fd) != 0)) give_up("cannot write the disk's load");
    }
    close(fd);
  }
  (void)unlink(path);
  return NULL;
}

/* ---- one condition ---- */

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool print_distribution(const char *name, double *delay_s, int n) {
  qsort(delay_s, (size_t)n, sizeof *delay_s, by_size);
  double worst_s = delay_s[n - 1];
  printf("%-22s %6d %9.3f %9.3f %9.3f %9.3f %9.3f   %s\n", name, n, 1e3 * delay_s[0], 1e3 * delay_s[n / 2], 1e3 * delay_s[n * 9 / 10],
         1e3 * delay_s[n * 99 / 100], 1e3 * worst_s, worst_s <= LIMIT_S ? "yes" : "no");
  (void)fflush(stdout);
  return worst_s <= LIMIT_S;
}

static double measure_once(daq_bench *b, device *d, double *echo_s) {
  cb_err err = {""};
  atomic_store(&d->overload_s, 0);
  atomic_store(&d->stop_s, 0);
  atomic_store(&d->echo_s, 0);
  atomic_store(&d->armed, true);
  demand(daq_bench_resume(b, &err), &err);
  if (daq_bench_move(b, TRAVEL_M, SPEED_M_PER_S, &err) != CB_E_SAFETY || !strstr(err.msg, "overload")) give_up(err.msg);
  double delay_s = atomic_load(&d->stop_s) - atomic_load(&d->overload_s);
  if (delay_s < 0) give_up("a stop without an overload");
  while (atomic_load(&d->echo_s) == 0) cb_sleep_s(0.001);
  *echo_s = atomic_load(&d->echo_s) - atomic_load(&d->overload_s);
  return delay_s;
}

static bool measure(const char *name, daq_bench *b, device *d, int n) {
  double *delay_s = calloc((size_t)n, sizeof *delay_s), *echo_s = calloc((size_t)n, sizeof *echo_s);
  double *own_s = calloc((size_t)n, sizeof *own_s);
  if (!delay_s || !echo_s || !own_s) give_up("no memory");
  for (int i = 0; i < n; i++) {
    cb_err err = {""};
    /* Back from where it was stopped. */
    if (i > 0) demand(daq_bench_home(b, &err), &err);
    delay_s[i] = measure_once(b, d, &echo_s[i]);
    own_s[i] = delay_s[i] - echo_s[i];
  }
  bool pass = print_distribution(name, delay_s, n);
  (void)print_distribution("  bare echo", echo_s, n);
  (void)print_distribution("  longer than the echo", own_s, n);
  free(own_s);
  free(delay_s);
  free(echo_s);
  return pass;
}

static int processors(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > N_SPINNERS_MAX ? N_SPINNERS_MAX : (int)n;
}

static bool measure_loaded(const char *name, daq_bench *b, device *d, int n, int spinners, char *disk_path) {
  pthread_t threads[N_SPINNERS_MAX + 1];
  atomic_store(&load_over, false);
  for (int i = 0; i < spinners; i++)
    if (pthread_create(&threads[i], NULL, spin, NULL) != 0) give_up("no thread");
  if (pthread_create(&threads[spinners], NULL, load_disk, disk_path) != 0) give_up("no thread");
  cb_sleep_s(1);
  bool pass = measure(name, b, d, n);
  atomic_store(&load_over, true);
  for (int i = 0; i <= spinners; i++) pthread_join(threads[i], NULL);
  return pass;
}

/* ---- the bench and its database ---- */

static const cb_rig rig = {
    .stage = {.baud = 115200,
              .device_address = 1,
              .microstep_m = MICROSTEP_M,
              .limit_max_m = 0.1,
              .max_speed_m_per_s = 0.05,
              .acceleration_m_per_s2 = 100,
              .reply_timeout_s = 0.5},
    .force = {.driver = CB_FORCE_LINE,
              .baud = 115200,
              .rate_Hz = 1 / PERIOD_S,
              .overload_N = 8,
              .silence_timeout_s = 1,
              .separator = ",",
              .scale = 1},
    .calibration = {.slope_N_per_unit = 1},
};

/* A run to record into. */
static int64_t begin_run(cb_store *store, int64_t *campaign_id) {
  cb_err err = {""};
  cb_campaign c = {.kind = CB_CAMPAIGN_FRICTION, .name = "bench", .plan_text = (char *)"-", .origin = CB_VIRTUAL};
  cb_run run = {.kind = CB_RUN_PULL,
                .cart_mass_kg = 0.1,
                .contact_area_m2 = 0.005,
                .speed_m_per_s = SPEED_M_PER_S,
                .travel_m = TRAVEL_M,
                .direction = 1,
                .repeat = 1,
                .rate_Hz = 1 / PERIOD_S,
                .normal_force_N = 1,
                .origin = CB_VIRTUAL,
                .status = CB_RUN_RUNNING};
  cb_calibration cal = {.slope_N_per_unit = 1, .unit = "N"};
  demand(cb_store_material_ensure(store, CB_CLOTH, "C", CB_VIRTUAL, &c.cloth_id, &err), &err);
  demand(cb_store_material_ensure(store, CB_BODY, "B", CB_VIRTUAL, &c.body_id, &err), &err);
  demand(cb_store_rig_ensure(store, "bench", "-", &c.rig_id, &err), &err);
  cal.rig_id = c.rig_id;
  demand(cb_store_calibration_ensure(store, &cal, &err), &err);
  demand(cb_store_campaign_put(store, &c, &err), &err);
  run.campaign_id = *campaign_id = c.id;
  run.cloth_id = c.cloth_id;
  run.body_id = c.body_id;
  run.rig_id = c.rig_id;
  run.calibration_id = cal.id;
  (void)snprintf(run.source, sizeof run.source, "bench");
  demand(cb_store_run_put(store, &run, &err), &err);
  return run.id;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  const char *folder = argc > 2 ? argv[2] : ".";
  char db[512], disk[512];
  cb_err err = {""};
  static device d;
  atomic_bool stop_flag = false;
  cb_store *store;
  daq_recorder *recorder;
  daq_bench b;
  int64_t campaign_id;
  (void)snprintf(db, sizeof db, "%s/bench_stop.db", folder);
  (void)snprintf(disk, sizeof disk, "%s/bench_stop.load", folder);
  (void)unlink(db);
  d.stage = open_pty(d.stage_name);
  d.force = open_pty(d.force_name);
  d.echo = open_pty(d.echo_name);
  if (n < 1 || pthread_create(&d.echo_thread, NULL, echo_main, &d) != 0 || pthread_create(&d.thread, NULL, device_main, &d) != 0)
    give_up("usage: bench_stop [N [FOLDER]]");
  demand(cb_store_open(db, CB_STORE_WRITE, &store, &err), &err);
  int64_t run_id = begin_run(store, &campaign_id);
  demand(daq_bench_open(&b, &rig, d.stage_name, d.force_name, &stop_flag, &err), &err);
  demand(daq_bench_home(&b, &err), &err);
  demand(daq_recorder_start(store, campaign_id, run_id, 1 / PERIOD_S, &recorder, &err), &err);
  daq_bench_record(&b, recorder);
  printf("overload to stop, ms           n       min    median       p90       p99     worst   worst <= %g\n", 1e3 * LIMIT_S);
  bool pass = measure("quiet", &b, &d, n);
  pass &= measure_loaded("disk", &b, &d, n, 0, disk);
  pass &= measure_loaded("disk, all processors busy", &b, &d, n, processors(), disk);
  daq_bench_record(&b, NULL);
  demand(daq_recorder_stop(recorder, &err), &err);
  daq_bench_close(&b);
  atomic_store(&d.over, true);
  pthread_join(d.thread, NULL);
  demand(cb_store_close(store, &err), &err);
  (void)unlink(db);
  printf("%s\n", pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
