#include "daq_emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_time.h"

#define ANSWER_S 10.0 /* wall clock; a loaded machine starts a process slowly */

struct daq_emulator {
  pid_t pid;
  int to, from; /* its stdin and stdout */
  char rx[1024];
  size_t n_rx;
  char stage_port[128], force_port[128];
};

/* ---- lines ---- */

static cb_status ended(cb_err *err) {
  return cb_fail(err, CB_E_DEVICE, "virtual rig: its process has ended");
}

static cb_status read_more(daq_emulator *e, double deadline_s, cb_err *err) {
  struct pollfd p = {.fd = e->from, .events = POLLIN};
  double left_s = deadline_s - cb_now_monotonic_s();
  int rc = left_s > 0 ? poll(&p, 1, (int)ceil(left_s * 1e3)) : 0;
  if (rc < 0 && errno == EINTR) return CB_OK;
  if (rc == 0) return cb_fail(err, CB_E_TIMEOUT, "virtual rig: no answer within %g s", ANSWER_S);
  if (e->n_rx == sizeof e->rx)
    return cb_fail(err, CB_E_DEVICE, "virtual rig: answers with a line longer than %zu bytes", sizeof e->rx);
  ssize_t n = rc < 0 ? 0 : read(e->from, e->rx + e->n_rx, sizeof e->rx - e->n_rx);
  if (n <= 0) return ended(err);
  e->n_rx += (size_t)n;
  return CB_OK;
}

static cb_status read_line(daq_emulator *e, char *line, size_t size, cb_err *err) {
  double deadline_s = cb_now_monotonic_s() + ANSWER_S;
  char *end;
  while (!(end = memchr(e->rx, '\n', e->n_rx))) CB_TRY(read_more(e, deadline_s, err));
  size_t n = (size_t)(end - e->rx);
  (void)snprintf(line, size, "%.*s", (int)n, e->rx);
  e->n_rx -= n + 1;
  memmove(e->rx, end + 1, e->n_rx);
  return CB_OK;
}

static cb_status act(daq_emulator *e, const char *what, double value, cb_err *err) {
  char line[512], action[64];
  const size_t n = (size_t)snprintf(action, sizeof action, "%s=%.17g\n", what, value);
  if (write(e->to, action, n) != (ssize_t)n) return ended(err);
  CB_TRY(read_line(e, line, sizeof line, err));
  if (strcmp(line, "ok") == 0) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "virtual rig: '%.*s': %s", (int)n - 1, action, line);
}

/* ---- the process ---- */

/* In the child: only calls that are safe between fork and exec. */
static void become_emulator(const char *const argv[], int in, int out, pid_t parent) {
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1); /* it died before prctl */
  (void)setpgid(0, 0);
  if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0) _exit(127);
  (void)execv(argv[0], (char *const *)(uintptr_t)(argv + 1));
  _exit(127);
}

static cb_status make_pipe(int ends[2], cb_err *err) {
  if (pipe(ends) != 0) return cb_fail(err, CB_E_IO, "virtual rig: no pipe: %s", strerror(errno));
  for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return CB_OK;
}

static void close_pipe(int ends[2]) {
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0) close(ends[i]);
}

/* argv: the program's path, then its arguments from its name on. */
static cb_status launch(daq_emulator *e, const char *const argv[], cb_err *err) {
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  cb_status st = make_pipe(in, err);
  if (st == CB_OK) st = make_pipe(out, err);
  pid_t parent = getpid();
  if (st == CB_OK) e->pid = fork();
  if (st == CB_OK && e->pid == 0) become_emulator(argv, in[0], out[1], parent);
  if (st == CB_OK && e->pid < 0) st = cb_fail(err, CB_E_IO, "virtual rig: no process: %s", strerror(errno));
  if (st == CB_OK) {
    e->to = in[1];
    e->from = out[0];
    in[1] = out[0] = -1;
  }
  close_pipe(in);
  close_pipe(out);
  return st;
}

static cb_status read_port(daq_emulator *e, const char *what, char port[128], cb_err *err) {
  char line[256];
  size_t n = strlen(what);
  CB_TRY(read_line(e, line, sizeof line, err));
  if (strncmp(line, what, n) != 0 || line[n] != ' ' || strlen(line + n + 1) >= 128)
    return cb_fail(err, CB_E_DEVICE, "virtual rig: says '%.80s', '%s PORT' was wanted", line, what);
  strcpy(port, line + n + 1);
  return CB_OK;
}

static cb_status read_ports(daq_emulator *e, cb_err *err) {
  char line[256];
  CB_TRY(read_port(e, "stage", e->stage_port, err));
  CB_TRY(read_port(e, "force", e->force_port, err));
  CB_TRY(read_line(e, line, sizeof line, err));
  return strcmp(line, "ready") == 0
             ? CB_OK
             : cb_fail(err, CB_E_DEVICE, "virtual rig: says '%.80s', 'ready' was wanted", line);
}

cb_status daq_emulator_start(const char *program, const char *rig_path, daq_emulator **out, cb_err *err) {
  return daq_emulator_play(program, rig_path, NULL, out, err);
}

cb_status daq_emulator_play(const char *program, const char *rig_path, const char *faults, daq_emulator **out,
                            cb_err *err) {
  const char *const argv[] = {program, "clothbench", "rig", "emulate", rig_path, faults ? "--faults" : NULL,
                              faults,  NULL};
  *out = NULL;
  daq_emulator *e = calloc(1, sizeof *e);
  if (!e) return cb_no_memory(err, "virtual rig");
  e->to = e->from = -1;
  e->pid = -1;
  cb_status st = launch(e, argv, err);
  if (st == CB_OK) st = read_ports(e, err);
  if (st == CB_OK)
    *out = e;
  else
    daq_emulator_stop(e);
  return st;
}

/* Asks it to end; after 2 s there is no more asking. SIGCONT, because a suspended process would not hear. */
static void end_process(pid_t pid) {
  double deadline_s = cb_now_monotonic_s() + 2;
  (void)kill(pid, SIGTERM);
  (void)kill(pid, SIGCONT);
  while (waitpid(pid, NULL, WNOHANG) == 0) {
    if (cb_now_monotonic_s() > deadline_s) (void)kill(pid, SIGKILL);
    cb_sleep_s(0.005);
  }
}

void daq_emulator_stop(daq_emulator *e) {
  if (!e) return;
  if (e->to >= 0) close(e->to);
  if (e->from >= 0) close(e->from);
  if (e->pid > 0) end_process(e->pid);
  free(e);
}

const char *daq_emulator_stage_port(const daq_emulator *e) { return e->stage_port; }
const char *daq_emulator_force_port(const daq_emulator *e) { return e->force_port; }

cb_status daq_emulator_turn_sample(daq_emulator *e, double angle_deg, cb_err *err) {
  return act(e, "sample angle_deg", angle_deg, err);
}

cb_status daq_emulator_turn_body(daq_emulator *e, double angle_deg, cb_err *err) {
  return act(e, "body angle_deg", angle_deg, err);
}

cb_status daq_emulator_load_cart(daq_emulator *e, double added_mass_kg, cb_err *err) {
  return act(e, "cart added_mass_kg", added_mass_kg, err);
}

cb_status daq_emulator_hang_weight(daq_emulator *e, double conventional_mass_kg, cb_err *err) {
  return act(e, "weight mass_kg", conventional_mass_kg, err);
}
