#include "daq_watchdog.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cb_time.h"

#define AGAIN_S 0.1

struct daq_watchdog {
  const daq_transport *port;
  double limit_s;
  char stop_text[32];
  pthread_t thread;
  int wake[2]; /* a pipe: something changed. A byte in it is enough, a full one too */
  atomic_bool over, armed;
  _Atomic double beat_s; /* monotonic */
};

/* ---- the thread ---- */

/* Until something changed or the time has come; INFINITY: until something changed. */
static void sleep_until(daq_watchdog *w, double due_s) {
  struct pollfd p = {.fd = w->wake[0], .events = POLLIN};
  char bytes[64];
  double left_s = due_s - cb_now_monotonic_s();
  int timeout_ms = !isfinite(left_s) ? -1 : left_s > 0 ? (int)ceil(left_s * 1e3) : 0;
  if (poll(&p, 1, timeout_ms) > 0) (void)!read(w->wake[0], bytes, sizeof bytes);
}

static void *watchdog_main(void *context) {
  daq_watchdog *w = context;
  double told_s = -INFINITY;
  while (!atomic_load(&w->over)) {
    double now_s = cb_now_monotonic_s(), due_s = INFINITY;
    if (atomic_load(&w->armed)) {
      due_s = fmax(atomic_load(&w->beat_s) + w->limit_s, told_s + AGAIN_S);
      if (now_s > due_s) {
        daq_transport_shout(w->port, w->stop_text);
        told_s = now_s;
        due_s = now_s + AGAIN_S;
      }
    }
    sleep_until(w, due_s);
  }
  return NULL;
}

/* ---- what the loop calls ---- */

static void wake(daq_watchdog *w) { (void)!write(w->wake[1], "", 1); }

static void free_watchdog(daq_watchdog *w) {
  for (int i = 0; i < 2; i++)
    if (w->wake[i] >= 0) close(w->wake[i]);
  free(w);
}

static bool make_pipe(int fd[2]) {
  if (pipe(fd) != 0) {
    fd[0] = fd[1] = -1;
    return false;
  }
  for (int i = 0; i < 2; i++)
    if (fcntl(fd[i], F_SETFL, O_NONBLOCK) != 0 || fcntl(fd[i], F_SETFD, FD_CLOEXEC) != 0) return false;
  return true;
}

cb_status daq_watchdog_start(const daq_transport *port, const char *stop_text, double limit_s,
                             daq_watchdog **out, cb_err *err) {
  *out = NULL;
  daq_watchdog *w = calloc(1, sizeof *w);
  if (!w) return cb_no_memory(err, "the watchdog");
  w->port = port;
  w->limit_s = limit_s;
  (void)snprintf(w->stop_text, sizeof w->stop_text, "%s", stop_text);
  if (!make_pipe(w->wake) || pthread_create(&w->thread, NULL, watchdog_main, w) != 0) {
    free_watchdog(w);
    return cb_fail(err, CB_E_NOMEM, "no pipe or no thread for the watchdog");
  }
  *out = w;
  return CB_OK;
}

void daq_watchdog_stop(daq_watchdog *w) {
  if (!w) return;
  atomic_store(&w->over, true);
  wake(w);
  pthread_join(w->thread, NULL);
  free_watchdog(w);
}

void daq_watchdog_arm(daq_watchdog *w) {
  atomic_store(&w->beat_s, cb_now_monotonic_s());
  atomic_store(&w->armed, true);
  wake(w);
}

void daq_watchdog_disarm(daq_watchdog *w) { atomic_store(&w->armed, false); }

cb_status daq_watchdog_beat(daq_watchdog *w, cb_err *err) {
  double now_s = cb_now_monotonic_s(), pause_s = now_s - atomic_load(&w->beat_s);
  if (atomic_load(&w->armed) && pause_s > w->limit_s)
    return cb_fail(err, CB_E_SAFETY,
                   "watchdog: the acquisition loop did not run for %.3g s, at most %g s are allowed", pause_s,
                   w->limit_s);
  atomic_store(&w->beat_s, now_s);
  return CB_OK;
}
