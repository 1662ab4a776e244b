/* Server-sent events (HTML standard, section 9.2): a client that follows something gets its state, again
 * whenever it has changed, and a beat where it has not. Between them its connection is suspended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "serve_impl.h"

#define BEAT_S 1.0
#define PIECE 8192 /* bytes that MHD takes at once */
#define BEGIN "retry: 1000\ndata: "
#define END "\n\n"
#define BEAT "event: beat\ndata: 0\n\n" /* a comment would not reach the page */

struct serve_stream {
  serve_streams *all;
  serve_stream *next;
  const serve_request *q;
  bool sleeps;
  char *state;     /* the newest that was told, as an event; NULL: none */
  const char *now; /* the event that is being sent, or was sent last: state or BEAT */
  size_t n, sent;  /* bytes of it */
  double at_s;
};

static void set_event(serve_stream *f, const char *event) {
  f->now = event;
  f->n = strlen(event);
  f->sent = 0;
  f->at_s = cb_now_monotonic_s();
}

static bool is_told(const serve_stream *f, const serve_answer *a) {
  return f->state && strlen(f->state) == sizeof BEGIN - 1 + a->n + sizeof END - 1 &&
         memcmp(f->state + sizeof BEGIN - 1, a->text, a->n) == 0;
}

/* Finds what is sent next; false: nothing. Without memory the client waits. */
static bool find_event(serve_stream *f, const serve_answer *a) {
  char *state = NULL;
  if (a->status == MHD_HTTP_OK && !is_told(f, a)) state = malloc(sizeof BEGIN + a->n + sizeof END);
  if (state) {
    (void)sprintf(state, BEGIN "%.*s" END, (int)a->n, a->text);
    free(f->state);
    f->state = state;
  }
  const bool beats = cb_now_monotonic_s() - f->at_s >= BEAT_S;
  if (state || beats) set_event(f, state ? state : BEAT);
  return state || beats;
}

static bool ask_event(serve_stream *f) {
  serve_answer a;
  serve_ask(f->q, &a);
  return find_event(f, &a);
}

/* Nothing to send. The lock keeps a waker from coming before the sleep. */
static ssize_t sleep_until_woken(serve_stream *f) {
  pthread_mutex_lock(&f->all->lock);
  const bool closing = f->all->closing;
  f->sleeps = !closing;
  if (!closing) MHD_suspend_connection(serve_connection(f->q));
  pthread_mutex_unlock(&f->all->lock);
  return closing ? MHD_CONTENT_READER_END_OF_STREAM : 0;
}

/* MHD_ContentReaderCallback: the client has taken what was sent before. */
static ssize_t send_more(void *context, uint64_t position, char *out, size_t most) {
  serve_stream *f = context;
  (void)position;
  if (f->sent == f->n && !ask_event(f)) return sleep_until_woken(f);
  if (f->sent == 0) serve_crowd_note(serve_connection(f->q));
  const size_t left = f->n - f->sent, n = left < most ? left : most;
  memcpy(out, f->now + f->sent, n);
  f->sent += n;
  return (ssize_t)n;
}

serve_stream *serve_stream_begin(serve_streams *all, serve_request *q, const serve_answer *a,
                                 struct MHD_Response **out) {
  serve_stream *f = calloc(1, sizeof *f);
  *out = f ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PIECE, send_more, f, NULL) : NULL;
  if (!*out) {
    free(f);
    return NULL;
  }
  f->all = all;
  f->q = q;
  (void)find_event(f, a);
  pthread_mutex_lock(&all->lock);
  f->next = all->first;
  all->first = f;
  pthread_mutex_unlock(&all->lock);
  return f;
}

void serve_stream_end(serve_stream *f) {
  if (!f) return;
  pthread_mutex_lock(&f->all->lock);
  serve_stream **at = &f->all->first;
  while (*at != f) at = &(*at)->next;
  *at = f->next;
  pthread_mutex_unlock(&f->all->lock);
  free(f->state);
  free(f);
}

void serve_streams_wake(serve_streams *all, bool closing) {
  pthread_mutex_lock(&all->lock);
  all->closing = all->closing || closing;
  for (serve_stream *f = all->first; f; f = f->next) {
    if (f->sleeps) MHD_resume_connection(serve_connection(f->q));
    f->sleeps = false;
  }
  pthread_mutex_unlock(&all->lock);
}
