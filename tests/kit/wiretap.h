/* A tap on the wire to a virtual rig's stage: what the host says is written down and passed on, and so is
 * what the stage answers. For a stage that speaks Zaber's ASCII protocol. */
#ifndef WIRETAP_H
#define WIRETAP_H

#include "daqtest.h"

#include "cb_time.h"

#define WIRETAP_BYTES 4000000

typedef struct wiretap {
  dt_pty host; /* the program opens host.name instead of the stage's port */
  int stage;   /* the stage's port */
  atomic_bool over;
  pthread_t thread;
  pthread_mutex_t lock;
  size_t n, stops;          /* bytes, and how often a stop was among them */
  double stop_s;            /* monotonic: of the last of these */
  char said[WIRETAP_BYTES]; /* by the host, n bytes so far */
} wiretap;

static inline void wiretap_pass(wiretap *w, int from, int to, bool keep) {
  char bytes[513];
  ssize_t n = read(from, bytes, sizeof bytes - 1);
  const double now_s = cb_now_monotonic_s();
  if (n <= 0) return;
  bytes[n] = '\0';
  if (keep) {
    pthread_mutex_lock(&w->lock);
    size_t room = sizeof w->said - 1 - w->n, taken = (size_t)n < room ? (size_t)n : room;
    memcpy(w->said + w->n, bytes, taken);
    w->n += taken;
    bool stop = strstr(bytes, " stop\n");
    w->stops += stop;
    if (stop) w->stop_s = now_s;
    pthread_mutex_unlock(&w->lock);
  }
  for (ssize_t at = 0; at < n;) {
    ssize_t put = write(to, bytes + at, (size_t)(n - at));
    if (put < 0 && errno != EAGAIN && errno != EINTR) return;
    at += put > 0 ? put : 0;
  }
}

static inline void *wiretap_serve(void *context) {
  wiretap *w = context;
  daq_latency_prefer(); /* a wire does not wait for a processor */
  while (!atomic_load(&w->over)) {
    struct pollfd p[2] = {{.fd = w->host.master, .events = POLLIN}, {.fd = w->stage, .events = POLLIN}};
    if (poll(p, 2, 10) <= 0) continue;
    if (p[0].revents & POLLIN) wiretap_pass(w, w->host.master, w->stage, true);
    if (p[1].revents & POLLIN) wiretap_pass(w, w->stage, w->host.master, false);
  }
  return NULL;
}

static inline void wiretap_open(wiretap *w, const char *stage_port) {
  memset(w, 0, sizeof *w);
  dt_pty_open(&w->host);
  w->stage = open(stage_port, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (w->stage < 0) fail_msg("%s: %s", stage_port, strerror(errno));
  assert_int_equal(pthread_mutex_init(&w->lock, NULL), 0);
  assert_int_equal(pthread_create(&w->thread, NULL, wiretap_serve, w), 0);
}

static inline void wiretap_close(wiretap *w) {
  atomic_store(&w->over, true);
  pthread_join(w->thread, NULL);
  pthread_mutex_destroy(&w->lock);
  close(w->stage);
  dt_pty_close(&w->host);
}

/* How often it was told to move or to home. *last_stopped: after the last of them it was told to stop. */
static inline size_t wiretap_moves(wiretap *w, bool *last_stopped) {
  size_t moves = 0;
  bool stopped = true;
  pthread_mutex_lock(&w->lock);
  w->said[w->n] = '\0';
  for (const char *at = w->said; *at; at++) {
    bool move = strncmp(at, "move ", 5) == 0 || strncmp(at, "home", 4) == 0;
    moves += move;
    if (move) stopped = false;
    if (strncmp(at, "stop", 4) == 0) stopped = true;
  }
  pthread_mutex_unlock(&w->lock);
  if (last_stopped) *last_stopped = stopped;
  return moves;
}

#endif
