/* A case in a process of its own. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_array.h"
#include "cb_time.h"
#include "swp_run_impl.h"

#define MOST_BYTES (64u << 20) /* that a case may print */

/* ---- in the child ---- */

static void hear_all(void) {
  sigset_t none;
  (void)sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void be_child(const swp_work *work, swp_command *command, const int ends[4], pid_t parent) {
  (void)setpgid(0, 0); /* Ctrl-C is the parent's */
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* it may have died before prctl */
  const int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(ends[1], STDOUT_FILENO) < 0 ||
      dup2(ends[3], STDERR_FILENO) < 0)
    _exit(1);
  for (int i = 0; i < 4; i++) (void)close(ends[i]);
  hear_all();
  const int code = work->play(command->argc, command->argv);
  (void)fflush(stdout);
  (void)fflush(stderr);
  _exit(code);
}

/* ---- in the parent ---- */

static void close_both(const int ends[2]) {
  (void)close(ends[0]);
  (void)close(ends[1]);
}

static cb_status make_pipes(int ends[4], cb_err *err) {
  if (pipe(ends) != 0) return cb_fail(err, CB_E_IO, "no pipe: %s", strerror(errno));
  if (pipe(ends + 2) == 0) return CB_OK;
  const int why = errno;
  close_both(ends);
  return cb_fail(err, CB_E_IO, "no pipe: %s", strerror(why));
}

static cb_status fork_child(const swp_work *work, swp_command *command, swp_child *out, cb_err *err) {
  int ends[4];
  const pid_t parent = getpid();
  CB_TRY(make_pipes(ends, err));
  (void)fflush(NULL); /* what waits is written once */
  const pid_t pid = fork();
  if (pid == 0) be_child(work, command, ends, parent);
  (void)close(ends[1]);
  (void)close(ends[3]);
  if (pid < 0) {
    const int why = errno;
    (void)close(ends[0]);
    (void)close(ends[2]);
    return cb_fail(err, CB_E_IO, "no process: %s", strerror(why));
  }
  (void)setpgid(pid, pid); /* whoever of both is first */
  out->pid = pid;
  out->out.fd = ends[0];
  out->err.fd = ends[2];
  return CB_OK;
}

cb_status swp_child_start(const swp_work *work, int index, swp_child *out, cb_err *err) {
  swp_command command;
  *out = (swp_child){.index = index, .since_s = cb_now_monotonic_s(), .out.fd = -1, .err.fd = -1};
  CB_TRY(swp_folder_make(work, index, out->folder, err));
  CB_TRY(swp_command_make(work->plan, index, out->folder, &command, err));
  const cb_status st = fork_child(work, &command, out, err);
  swp_command_clear(&command);
  return st;
}

cb_status swp_pipe_read(swp_pipe *p, cb_err *err) {
  char *grown = cb_array_grow(p->text, &p->room, p->n + 65536 + 1, 1);
  if (!grown || p->n > MOST_BYTES) {
    if (grown) p->text = grown;
    return cb_fail(err, CB_E_NOMEM, "a case prints more than %u MB", MOST_BYTES >> 20);
  }
  p->text = grown;
  const ssize_t more = read(p->fd, p->text + p->n, 65536);
  if (more < 0 && errno == EINTR) return CB_OK;
  if (more <= 0) {
    (void)close(p->fd);
    p->fd = -1;
  }
  p->n += more > 0 ? (size_t)more : 0;
  p->text[p->n] = '\0';
  return CB_OK;
}

static void clear(const swp_work *work, swp_child *c) {
  if (c->out.fd >= 0) (void)close(c->out.fd);
  if (c->err.fd >= 0) (void)close(c->err.fd);
  free(c->out.text);
  free(c->err.text);
  swp_folder_end(work, c->folder);
  *c = (swp_child){.pid = 0};
}

void swp_child_end(const swp_work *work, swp_child *c, int *status, swp_outcome *outcome) {
  *status = 0;
  while (waitpid(c->pid, status, 0) < 0 && errno == EINTR) continue;
  *outcome = (swp_outcome){.index = c->index, .seconds = cb_now_monotonic_s() - c->since_s};
  swp_outcome_read(work->plan, *status, c->out.text ? c->out.text : "", c->err.text ? c->err.text : "",
                   outcome);
  clear(work, c);
}

void swp_child_kill(const swp_work *work, swp_child *c) {
  if (c->pid > 0) {
    (void)kill(c->pid, SIGKILL);
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) continue;
  }
  if (c->pid > 0 || c->folder[0]) clear(work, c);
}
