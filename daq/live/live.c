#include "live.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cb_time.h"
#include "live_screen.h"

#define TAKE_PERIOD_S 0.02 /* the ring is emptied more often than it is drawn, so that it may be small */
#define DRAW_PERIOD_S 0.1

struct live {
  live_ring ring;
  pthread_t thread;
  atomic_bool stop;
  pthread_mutex_t screen; /* state, terminal and pause; the measuring thread takes it only around prompts */
  pthread_mutex_t judged; /* verdict alone: held for a copy, never for a screen */
  live_verdict verdict;
  live_state state;
  live_terminal terminal;
  bool paused;
  double paused_at_s, pauses_s;
};

/* ---- what the terminal can do ---- */

static bool says_utf8(void) {
  /* In the order in which POSIX looks (XBD 8.2). */
  const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (int i = 0; i < 3; i++) {
    const char *v = getenv(names[i]);
    if (!v || !v[0]) continue;
    const char *codeset = strchr(v, '.');
    return codeset && (strncasecmp(codeset, ".utf-8", 6) == 0 || strncasecmp(codeset, ".utf8", 5) == 0);
  }
  return false;
}

live_options live_options_of(int fd) {
  const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR"); /* no-color.org: set and not empty */
  bool able = isatty(fd) && term && term[0] && strcmp(term, "dumb") != 0;
  return (live_options){.terminal = able ? fd : -1, .utf8 = says_utf8(), .color = !(no_color && no_color[0])};
}

/* ---- the measuring thread ---- */

void live_sample(live *v, live_channel channel, double value) {
  const live_event e = {.channel = channel, .value = value};
  if (v) (void)live_ring_push(&v->ring, &e);
}

void live_say(live *v, const live_moment *moment) {
  const live_event e = {.is_moment = true, .moment = *moment};
  if (v) (void)live_ring_push(&v->ring, &e);
}

void live_judge(live *v, const live_verdict *verdict) {
  if (!v) return;
  pthread_mutex_lock(&v->judged);
  v->verdict = *verdict;
  pthread_mutex_unlock(&v->judged);
}

/* ---- the viewer's thread; the mutex is held ---- */

static double now_s(const live *v) {
  return (v->paused ? v->paused_at_s : cb_now_monotonic_s()) - v->pauses_s;
}

static void take_all(live *v) {
  live_event e;
  while (live_ring_take(&v->ring, &e)) live_state_take(&v->state, &e, now_s(v));
  pthread_mutex_lock(&v->judged);
  v->state.verdict = v->verdict;
  pthread_mutex_unlock(&v->judged);
}

static void draw_view(live *v) {
  if (v->paused || !v->state.begun) return;
  live_terminal_draw(&v->terminal, &v->state, now_s(v));
}

static void *view(void *context) {
  live *v = context;
  double next_s = 0;
  while (!atomic_load(&v->stop)) {
    pthread_mutex_lock(&v->screen);
    take_all(v);
    if (cb_now_monotonic_s() >= next_s) {
      draw_view(v);
      next_s = cb_now_monotonic_s() + DRAW_PERIOD_S;
    }
    pthread_mutex_unlock(&v->screen);
    cb_sleep_s(TAKE_PERIOD_S);
  }
  return NULL;
}

/* ---- the rest ---- */

cb_status live_start(const live_plan *plan, const live_options *options, live **out, cb_err *err) {
  live *v = calloc(1, sizeof *v);
  *out = NULL;
  if (!v) return cb_no_memory(err, "the live view");
  live_state_init(&v->state, plan);
  v->terminal.fd = options->terminal;
  v->terminal.utf8 = options->utf8;
  v->terminal.color = options->color;
  pthread_mutex_init(&v->screen, NULL);
  pthread_mutex_init(&v->judged, NULL);
  if (pthread_create(&v->thread, NULL, view, v) == 0) {
    *out = v;
    return CB_OK;
  }
  pthread_mutex_destroy(&v->screen);
  pthread_mutex_destroy(&v->judged);
  free(v);
  return cb_fail(err, CB_E_IO, "no thread for the live view");
}

void live_pause(live *v) {
  if (!v) return;
  pthread_mutex_lock(&v->screen);
  take_all(v);
  draw_view(v);
  live_terminal_leave(&v->terminal);
  v->paused_at_s = cb_now_monotonic_s();
  v->paused = true;
  pthread_mutex_unlock(&v->screen);
}

void live_resume(live *v) {
  if (!v) return;
  pthread_mutex_lock(&v->screen);
  v->pauses_s += cb_now_monotonic_s() - v->paused_at_s;
  v->paused = false;
  pthread_mutex_unlock(&v->screen);
}

void live_stop(live *v) {
  if (!v) return;
  atomic_store(&v->stop, true);
  pthread_join(v->thread, NULL);
  take_all(v);
  v->paused = false;
  draw_view(v);
  pthread_mutex_destroy(&v->screen);
  pthread_mutex_destroy(&v->judged);
  free(v);
}
