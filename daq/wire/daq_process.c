#include "daq_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_time.h"

#define END_S 2.0

extern char **environ;

typedef struct process {
  pid_t pid;
  bool killed;
} process;

/* In a group of its own: Ctrl-C is for the host alone, and a kill for all that the command started. Signals
 * are as a new program expects them. fd: its standard input and output; -1: no input. */
static int start(const char *const *argv, int fd, pid_t *pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int failed = posix_spawn_file_actions_init(&files);
  if (failed) return failed;
  failed = posix_spawnattr_init(&attributes);
  if (!failed && fd < 0) failed = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  for (int i = 0; !failed && fd >= 0 && i < 2; i++) failed = posix_spawn_file_actions_adddup2(&files, fd, i);
  if (!failed)
    failed = posix_spawnattr_setflags(&attributes,
                                      POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (!failed) failed = posix_spawnattr_setpgroup(&attributes, 0);
  if (!failed) failed = posix_spawnattr_setsigmask(&attributes, &none);
  if (!failed) failed = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!failed) failed = posix_spawnp(pid, argv[0], &files, &attributes, (char **)(uintptr_t)argv, environ);
  (void)posix_spawnattr_destroy(&attributes);
  (void)posix_spawn_file_actions_destroy(&files);
  return failed;
}

static int start_shell(const char *command, int fd, pid_t *pid) {
  return start((const char *const[]){"/bin/sh", "-c", command, NULL}, fd, pid);
}

/* Its exit code; false: it was killed after limit_s, or by a signal. What it started ends with it. Its number
 * is given back last: until then no other group can have it. */
static bool await_end(pid_t pid, double limit_s, int *code) {
  const double deadline_s = cb_now_monotonic_s() + limit_s;
  siginfo_t ended = {.si_pid = 0};
  int status = 0;
  while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0) {
    if (cb_now_monotonic_s() > deadline_s) (void)kill(-pid, SIGKILL);
    cb_sleep_s(0.002);
  }
  (void)kill(-pid, SIGKILL);
  (void)waitpid(pid, &status, 0);
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return WIFEXITED(status);
}

/* The transport is closed, so the program's input has ended. */
static void end_process(void *context) {
  process *p = context;
  int code;
  (void)await_end(p->pid, END_S, &code);
  free(p);
}

cb_status daq_process_open(const char *command, daq_transport **out, cb_err *err) {
  int ends[2];
  *out = NULL;
  process *p = calloc(1, sizeof *p);
  if (!p) return cb_no_memory(err, "process '%s'", command);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    free(p);
    return cb_fail(err, CB_E_IO, "process '%s': no socket: %s", command, strerror(errno));
  }
  const int failed = start_shell(command, ends[1], &p->pid);
  close(ends[1]);
  if (!failed)
    return daq_transport_adopt(ends[0], command, "its process has ended", end_process, p, out, err);
  close(ends[0]);
  free(p);
  return cb_fail(err, CB_E_IO, "process '%s': cannot be started: %s", command, strerror(failed));
}

void daq_process_kill(const daq_transport *t) {
  process *p = daq_transport_context(t);
  if (!p->killed) (void)kill(-p->pid, SIGKILL);
  p->killed = true;
}

bool daq_process_killed(const daq_transport *t) {
  return ((const process *)daq_transport_context(t))->killed;
}

cb_status daq_process_run(const char *command, double limit_s, cb_err *err) {
  pid_t pid;
  int code;
  const double began_s = cb_now_monotonic_s();
  const int failed = start_shell(command, -1, &pid);
  if (failed) return cb_fail(err, CB_E_IO, "'%s': cannot be started: %s", command, strerror(failed));
  if (await_end(pid, limit_s, &code) && code == 0) return CB_OK;
  if (cb_now_monotonic_s() - began_s >= limit_s)
    return cb_fail(err, CB_E_TIMEOUT, "'%s': was killed, as it did not end within %g s", command, limit_s);
  return cb_fail(err, CB_E_DEVICE, "'%s': exit code %d, 0 was wanted", command, code);
}

cb_status daq_process_send(const char *const *argv, const char *name, double look_s, cb_err *err) {
  pid_t pid, ended;
  int code = 0;
  const int failed = start(argv, -1, &pid);
  if (failed) return cb_fail(err, CB_E_IO, "'%s': cannot be started: %s", name, strerror(failed));
  const double until_s = cb_now_monotonic_s() + look_s;
  while ((ended = waitpid(pid, &code, WNOHANG)) == 0 && cb_now_monotonic_s() < until_s) cb_sleep_s(0.002);
  if (ended != pid || (WIFEXITED(code) && WEXITSTATUS(code) == 0)) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "'%s': exit code %d, 0 was wanted", name,
                 WIFEXITED(code) ? WEXITSTATUS(code) : -1);
}
