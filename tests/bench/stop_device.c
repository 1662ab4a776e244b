#include "stop_device.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <termios.h>

#include "bench_lab.h"

static int open_pty(char name[64]) {
  struct termios t;
  int fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 || tcgetattr(fd, &t) != 0)
    lab_die("no pseudo-terminal");
  cfmakeraw(&t);
  if (tcsetattr(fd, TCSANOW, &t) != 0) lab_die("no raw pseudo-terminal");
  (void)snprintf(name, 64, "%s", ptsname(fd));
  return fd;
}

static void advance(stop_device *d) {
  double way_m = d->to_m - d->from_m, done_m = STOP_SPEED_M_PER_S * (cb_now_monotonic_s() - d->began_s);
  if (!d->moving) return;
  d->moving = done_m < (way_m < 0 ? -way_m : way_m);
  d->at_m = d->moving ? d->from_m + (way_m < 0 ? -done_m : done_m) : d->to_m;
}

static void begin_move(stop_device *d, double to_m) {
  d->from_m = d->at_m;
  d->to_m = to_m;
  d->began_s = cb_now_monotonic_s();
  d->moving = true;
  d->random = d->random * 1103515245u + 12345u;
  if (atomic_load(&d->armed)) d->due_s = d->began_s + 0.02 + 0.02 * (double)(d->random >> 16) / 65536;
}

/* "/01 0 II command", or the bare "/01 stop". */
static void obey(stop_device *d) {
  static const char *const names[] = {"maxspeed", "accel", "limit.min", "limit.max"};
  char reply[96];
  const char *command = d->n > 9 ? d->line + 9 : "";
  long long value = 1;
  for (int i = 0; i < 4; i++) {
    if (strncmp(command + 4, names[i], strlen(names[i])) != 0) continue;
    if (command[0] == 's') d->settings[i] = atoll(strrchr(command, ' '));
    value = d->settings[i];
  }
  if (strcmp(command, "get pos") == 0) value = (long long)(d->at_m / STOP_MICROSTEP_M);
  if (strcmp(command, "home") == 0) d->at_m = 0;
  if (strncmp(command, "move abs ", 9) == 0) begin_move(d, atof(command + 9) * STOP_MICROSTEP_M);
  if (strstr(d->line, "stop")) {
    if (atomic_load(&d->stop_s) == 0 && atomic_load(&d->overload_s) > 0)
      atomic_store(&d->stop_s, cb_now_monotonic_s());
    d->moving = false;
    if (d->n < 9) return;
  }
  int n = snprintf(reply, sizeof reply, "@01 0 %.2s OK %s -- %lld\r\n", d->line + 6,
                   d->moving ? "BUSY" : "IDLE", value);
  if (write(d->stage, reply, (size_t)n) != n) lab_die("the stage's line is full");
}

static void listen(stop_device *d) {
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

/* A line; or a scan of the board of a virtual rig (daq_board_wire.h): its number, force and displacement at
 * +-10 V. */
static int write_reading(stop_device *d, double force_N, char line[32]) {
  if (!d->board) return snprintf(line, 32, "%.4f\r\n", force_N);
  const uint16_t words[] = {d->scan++, (uint16_t)((force_N + 10) / 20 * 65535), 32768};
  for (int i = 0; i < 3; i++) {
    line[2 * i] = (char)(words[i] & 255);
    line[2 * i + 1] = (char)(words[i] >> 8);
  }
  return d->scans ? 6 : 0;
}

/* The order of an acquisition. */
static void listen_board(stop_device *d) {
  static const char answer[] = "scans 1000000 65535 -10:10 -10:10\n";
  char c;
  while (d->board && read(d->force, &c, 1) == 1) {
    if (c != '\n') continue;
    if (write(d->force, answer, sizeof answer - 1) < 0) lab_die("the board's line is full");
    d->scans = true;
    d->scan = 0;
  }
}

static void send_force(stop_device *d, double now_s) {
  bool overload = d->due_s > 0 && now_s >= d->due_s;
  char line[32];
  listen_board(d);
  int n = write_reading(d, overload ? 9.0 : 0.5 + 1e-4 * (double)(d->random % 7), line);
  if (overload) {
    d->due_s = 0;
    atomic_store(&d->armed, false);
    if (write(d->echo, "x", 1) != 1) lab_die("the echo's line is full");
    atomic_store(&d->overload_s, cb_now_monotonic_s());
  }
  if (write(d->force, line, (size_t)n) < 0 && errno != EAGAIN) lab_die("the read-out's line is gone");
}

static void play_hardware(void) {
  if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}) != 0)
    puts("no permission for SCHED_FIFO: what the devices wait for a processor counts too");
}

static void hear_echo(stop_device *d) {
  char c;
  while (read(d->echo, &c, 1) == 1) atomic_store(&d->echo_s, cb_now_monotonic_s());
}

static void *device_main(void *context) {
  stop_device *d = context;
  play_hardware();
  d->next_s = cb_now_monotonic_s();
  while (!atomic_load(&d->over)) {
    struct pollfd p[2] = {{.fd = d->stage, .events = POLLIN}, {.fd = d->echo, .events = POLLIN}};
    struct timespec wait = {0, 0};
    double now_s = cb_now_monotonic_s();
    if (now_s >= d->next_s) {
      send_force(d, now_s);
      d->next_s += STOP_PERIOD_S;
    } else {
      wait.tv_nsec = (long)(1e9 * (d->next_s - now_s));
    }
    if (ppoll(p, 2, &wait, NULL) <= 0) continue;
    listen(d);
    hear_echo(d);
  }
  return NULL;
}

static void *echo_main(void *context) {
  stop_device *d = context;
  char c;
  play_hardware();
  int fd = open(d->echo_name, O_RDWR | O_NOCTTY);
  while (fd >= 0 && read(fd, &c, 1) == 1)
    if (write(fd, &c, 1) != 1) break;
  lab_die("the echo has ended");
  return NULL;
}

void stop_device_start(stop_device *d) {
  d->stage = open_pty(d->stage_name);
  d->force = open_pty(d->force_name);
  d->echo = open_pty(d->echo_name);
  if (pthread_create(&d->echo_thread, NULL, echo_main, d) != 0 ||
      pthread_create(&d->thread, NULL, device_main, d) != 0)
    lab_die("no thread");
}

void stop_device_end(stop_device *d) {
  atomic_store(&d->over, true);
  pthread_join(d->thread, NULL);
}
