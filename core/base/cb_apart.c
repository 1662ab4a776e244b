#include "cb_apart.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_UP_MS 50

typedef struct report {
  cb_status status;
  cb_err err;
} report;

/* ---- the child ---- */

static bool write_all(int fd, const void *data, size_t n) {
  const char *at = data;
  while (n > 0) {
    ssize_t put = write(fd, at, n);
    if (put < 0 && errno != EINTR) return false;
    at += put > 0 ? put : 0;
    n -= put > 0 ? (size_t)put : 0;
  }
  return true;
}

static void hear_nothing(void) {
  sigset_t all;
  (void)sigfillset(&all);
  (void)sigdelset(&all, SIGTSTP);
  (void)sigprocmask(SIG_SETMASK, &all, NULL);
}

static _Noreturn void be_child(cb_work *work, const void *context, size_t size, int to, pid_t parent) {
  report r = {.err = {""}};
  hear_nothing();
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  void *result = getppid() == parent ? calloc(1, size) : NULL; /* it may have died before prctl */
  if (!result) _exit(1);
  r.status = work(context, result, &r.err);
  (void)fflush(stdout);
  _exit(write_all(to, &r, sizeof r) && write_all(to, result, size) ? 0 : 1);
}

/* ---- the parent ---- */

/* *got: how many of the bytes came before the child closed its end. */
static cb_status read_all(int fd, void *data, size_t n, size_t *got, const cb_stop *stop, cb_err *err) {
  struct pollfd p = {.fd = fd, .events = POLLIN};
  *got = 0;
  while (*got < n) {
    CB_TRY(cb_stop_check(stop, err));
    if (poll(&p, 1, LOOK_UP_MS) <= 0) continue;
    ssize_t more = read(fd, (char *)data + *got, n - *got);
    if (more == 0 || (more < 0 && errno != EINTR)) break;
    *got += more > 0 ? (size_t)more : 0;
  }
  return CB_OK;
}

static cb_status broken(int status, cb_err *err) {
  if (WIFSIGNALED(status))
    return cb_fail(err, CB_E_IO, "broke down: its process was ended by signal %d", WTERMSIG(status));
  return cb_fail(err, CB_E_IO, "broke down: its process ended with exit status %d", WEXITSTATUS(status));
}

static cb_status split_report(const char *bytes, void *result, size_t size, cb_err *err) {
  report r;
  memcpy(&r, bytes, sizeof r);
  memcpy(result, bytes + sizeof r, size);
  if (r.status != CB_OK) cb_err_say(err, "%s", r.err.msg);
  return r.status;
}

static cb_status await_child(pid_t pid, int from, void *result, size_t size, const cb_stop *stop,
                             cb_err *err) {
  size_t n = sizeof(report) + size, got = 0;
  char *bytes = malloc(n);
  int status = 0;
  cb_status st = bytes ? read_all(from, bytes, n, &got, stop, err) : cb_no_memory(err, "a result");
  if (st != CB_OK) (void)kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (st == CB_OK && got < n) st = broken(status, err);
  if (st == CB_OK) st = split_report(bytes, result, size, err);
  free(bytes);
  return st;
}

cb_status cb_apart(cb_work *work, const void *context, void *result, size_t size, const cb_stop *stop,
                   cb_err *err) {
  int ends[2];
  pid_t parent = getpid();
  if (pipe(ends) != 0) return cb_fail(err, CB_E_IO, "no pipe: %s", strerror(errno));
  (void)fflush(NULL); /* what waits is written once */
  pid_t pid = fork();
  if (pid == 0) {
    (void)close(ends[0]);
    be_child(work, context, size, ends[1], parent);
  }
  (void)close(ends[1]);
  cb_status st = pid > 0 ? await_child(pid, ends[0], result, size, stop, err)
                         : cb_fail(err, CB_E_IO, "no process: %s", strerror(errno));
  (void)close(ends[0]);
  return st;
}
