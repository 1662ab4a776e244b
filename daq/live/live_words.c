/* A few lines of text on a terminal, drawn by a thread of their own. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "live_screen.h"

#define DRAW_PERIOD_S 0.1

struct live_words {
  pthread_t thread;
  atomic_bool stop;
  pthread_mutex_t lock; /* of text: held for a copy, never for a screen */
  char text[LIVE_WORDS_SIZE];
  live_terminal terminal;
};

static void draw_words(live_words *w) {
  char text[LIVE_WORDS_SIZE];
  pthread_mutex_lock(&w->lock);
  memcpy(text, w->text, sizeof text);
  pthread_mutex_unlock(&w->lock);
  if (text[0]) live_terminal_words(&w->terminal, text);
}

static void *show_words(void *context) {
  live_words *w = context;
  while (!atomic_load(&w->stop)) {
    draw_words(w);
    cb_sleep_s(DRAW_PERIOD_S);
  }
  return NULL;
}

cb_status live_words_start(const live_options *options, live_words **out, cb_err *err) {
  live_words *w = calloc(1, sizeof *w);
  *out = NULL;
  if (!w) return cb_no_memory(err, "the live view");
  w->terminal.fd = options->terminal;
  pthread_mutex_init(&w->lock, NULL);
  if (pthread_create(&w->thread, NULL, show_words, w) == 0) {
    *out = w;
    return CB_OK;
  }
  pthread_mutex_destroy(&w->lock);
  free(w);
  return cb_fail(err, CB_E_IO, "no thread for the live view");
}

void live_words_say(live_words *w, const char *text) {
  if (!w || pthread_mutex_trylock(&w->lock) != 0) return;
  (void)snprintf(w->text, sizeof w->text, "%s", text);
  pthread_mutex_unlock(&w->lock);
}

void live_words_stop(live_words *w) {
  if (!w) return;
  atomic_store(&w->stop, true);
  pthread_join(w->thread, NULL);
  draw_words(w);
  pthread_mutex_destroy(&w->lock);
  free(w);
}
