#include "daq_recorder.h"
#include "cb_plural.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PERIOD_NS 100000000L
#define RING_S 2.0      /* of samples that may wait for the disk */
#define MAX_RATE_HZ 1e8 /* beyond that it is no rate of a sampler */

/* One writer, one reader. Both counts only grow; an index into the ring is its count modulo the capacity, a
 * power of two. What lies between them belongs to the reader, the rest to the writer. */
typedef struct ring {
  atomic_size_t written, taken;
} ring;

typedef struct sample_ring {
  ring at;
  double *t_s, *v; /* pages that were never used take no memory */
} sample_ring;

typedef struct event_row {
  double t_s;
  char kind[32], text[256];
} event_row;

struct daq_recorder {
  cb_store *store;
  int64_t campaign_id, run_id;
  size_t capacity; /* of each sample ring */
  sample_ring channel[CB_N_CHANNELS];
  ring events_at;
  event_row events[DAQ_RECORDER_EVENTS];
  bool overflowed;    /* the pushing thread's own: after a gap nothing may follow */
  atomic_bool failed; /* then status and reason are the writer's last words */
  cb_status status;
  cb_err reason;
  pthread_t writer;
  pthread_mutex_t lock; /* only for the end */
  pthread_cond_t wake;
  bool stopping;
};

/* ---- rings ---- */

static size_t waiting(ring *q, memory_order of_writer) {
  return atomic_load_explicit(&q->written, of_writer) - atomic_load_explicit(&q->taken, memory_order_relaxed);
}

static size_t room(ring *q, size_t capacity) {
  size_t written = atomic_load_explicit(&q->written, memory_order_relaxed);
  return capacity - (written - atomic_load_explicit(&q->taken, memory_order_acquire));
}

static void advance(atomic_size_t *count, size_t n) {
  atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + n, memory_order_release);
}

/* ---- writer ---- */

/* What waits in a ring is one piece, or two where it goes over the end. */
static cb_status write_samples(daq_recorder *r, int c, size_t n, cb_err *err) {
  sample_ring *q = &r->channel[c];
  size_t first = atomic_load_explicit(&q->at.taken, memory_order_relaxed);
  for (size_t done = 0, part; done < n; done += part) {
    size_t i = (first + done) & (r->capacity - 1);
    part = n - done < r->capacity - i ? n - done : r->capacity - i;
    CB_TRY(cb_store_samples_append(r->store, r->run_id, (cb_channel)c, (int64_t)(first + done), part,
                                   q->t_s + i, q->v + i, err));
  }
  return CB_OK;
}

static cb_status write_events(daq_recorder *r, size_t n, cb_err *err) {
  size_t first = atomic_load_explicit(&r->events_at.taken, memory_order_relaxed);
  for (size_t i = 0; i < n; i++) {
    const event_row *e = &r->events[(first + i) % DAQ_RECORDER_EVENTS];
    CB_TRY(cb_store_event_put(r->store, r->campaign_id, r->run_id, e->t_s, e->kind, e->text, err));
  }
  return CB_OK;
}

static cb_status write_rows(daq_recorder *r, const size_t *n, size_t n_events, cb_err *err) {
  for (int c = 0; c < CB_N_CHANNELS; c++) CB_TRY(write_samples(r, c, n[c], err));
  return write_events(r, n_events, err);
}

/* One transaction with all that waits; only then the rings give up the room. */
static cb_status write_waiting(daq_recorder *r, cb_err *err) {
  size_t n[CB_N_CHANNELS], n_events = waiting(&r->events_at, memory_order_acquire), all = n_events;
  for (int c = 0; c < CB_N_CHANNELS; c++) all += n[c] = waiting(&r->channel[c].at, memory_order_acquire);
  if (all == 0) return CB_OK;
  CB_TRY(cb_store_begin(r->store, err));
  cb_status st = write_rows(r, n, n_events, err);
  if (st == CB_OK) st = cb_store_commit(r->store, err);
  if (st != CB_OK) {
    cb_store_rollback(r->store);
    return st;
  }
  for (int c = 0; c < CB_N_CHANNELS; c++) advance(&r->channel[c].at.taken, n[c]);
  advance(&r->events_at.taken, n_events);
  return CB_OK;
}

/* Sleeps until the next transaction is due; true when it is the last. */
static bool await_turn(daq_recorder *r) {
  struct timespec due;
  clock_gettime(CLOCK_MONOTONIC, &due);
  due.tv_nsec += PERIOD_NS;
  due.tv_sec += due.tv_nsec / 1000000000L;
  due.tv_nsec %= 1000000000L;
  int rc = 0;
  pthread_mutex_lock(&r->lock);
  while (!r->stopping && rc == 0) rc = pthread_cond_timedwait(&r->wake, &r->lock, &due);
  bool last = r->stopping;
  pthread_mutex_unlock(&r->lock);
  return last;
}

static void *writer_main(void *context) {
  daq_recorder *r = context;
  for (bool last = false; !last && r->status == CB_OK;) {
    last = await_turn(r);
    r->status = write_waiting(r, &r->reason);
  }
  if (r->status != CB_OK) atomic_store(&r->failed, true);
  return NULL;
}

/* ---- start and stop ---- */

static void free_recorder(daq_recorder *r) {
  for (int c = 0; c < CB_N_CHANNELS; c++) {
    free(r->channel[c].t_s);
    free(r->channel[c].v);
  }
  pthread_cond_destroy(&r->wake);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

static void init_locks(daq_recorder *r) {
  pthread_condattr_t a;
  pthread_condattr_init(&a);
  pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
  pthread_cond_init(&r->wake, &a);
  pthread_condattr_destroy(&a);
  pthread_mutex_init(&r->lock, NULL);
}

static bool make_rings(daq_recorder *r, double rate_Hz) {
  bool ok = true;
  r->capacity = DAQ_RECORDER_SAMPLES;
  while ((double)r->capacity < RING_S * fmin(rate_Hz, MAX_RATE_HZ)) r->capacity *= 2;
  for (int c = 0; c < CB_N_CHANNELS; c++) {
    sample_ring *q = &r->channel[c];
    q->t_s = malloc(r->capacity * sizeof *q->t_s);
    q->v = malloc(r->capacity * sizeof *q->v);
    ok = ok && q->t_s && q->v;
  }
  return ok;
}

cb_status daq_recorder_start(cb_store *store, int64_t campaign_id, int64_t run_id, double rate_Hz,
                             daq_recorder **out, cb_err *err) {
  *out = NULL;
  daq_recorder *r = calloc(1, sizeof *r);
  if (!r) return cb_no_memory(err, "a recorder");
  r->store = store;
  r->campaign_id = campaign_id;
  r->run_id = run_id;
  r->status = CB_OK;
  init_locks(r);
  if (!make_rings(r, rate_Hz) || pthread_create(&r->writer, NULL, writer_main, r) != 0) {
    free_recorder(r);
    return cb_fail(err, CB_E_NOMEM, "out of memory or threads for a recorder of %g samples per second",
                   rate_Hz);
  }
  *out = r;
  return CB_OK;
}

cb_status daq_recorder_stop(daq_recorder *r, cb_err *err) {
  if (!r) return CB_OK;
  pthread_mutex_lock(&r->lock);
  r->stopping = true;
  pthread_cond_signal(&r->wake);
  pthread_mutex_unlock(&r->lock);
  pthread_join(r->writer, NULL);
  cb_status st = r->status == CB_OK ? CB_OK : cb_fail(err, r->status, "%s", r->reason.msg);
  free_recorder(r);
  return st;
}

/* ---- push ---- */

static cb_status fail_full(daq_recorder *r, cb_channel channel, cb_err *err) {
  r->overflowed = true;
  return cb_fail(err, CB_E_IO,
                 "%s: the disk does not keep up: %zu sample%s of the %s channel are waiting for it",
                 cb_store_path(r->store), r->capacity, CB_S(r->capacity), cb_channel_names[channel]);
}

static cb_status check_writer(daq_recorder *r, cb_err *err) {
  return atomic_load_explicit(&r->failed, memory_order_acquire) ? cb_fail(err, r->status, "%s", r->reason.msg)
                                                                : CB_OK;
}

static double whole_us(double t_s) { return rint(t_s * 1e6) / 1e6; }

cb_status daq_recorder_push_block(daq_recorder *r, cb_channel channel, double t_s, const double *v, size_t n,
                                  cb_err *err) {
  sample_ring *q = &r->channel[channel];
  double stamp_s = whole_us(t_s);
  CB_TRY(check_writer(r, err));
  if (r->overflowed || room(&q->at, r->capacity) < n) return fail_full(r, channel, err);
  size_t first = atomic_load_explicit(&q->at.written, memory_order_relaxed);
  for (size_t done = 0, part; done < n; done += part) {
    size_t i = (first + done) & (r->capacity - 1);
    part = n - done < r->capacity - i ? n - done : r->capacity - i;
    memcpy(q->v + i, v + done, part * sizeof *v);
    for (size_t k = 0; k < part; k++) q->t_s[i + k] = stamp_s;
  }
  advance(&q->at.written, n);
  return CB_OK;
}

cb_status daq_recorder_push(daq_recorder *r, cb_channel channel, double t_s, double value, cb_err *err) {
  return daq_recorder_push_block(r, channel, t_s, &value, 1, err);
}

cb_status daq_recorder_event(daq_recorder *r, double t_s, const char *kind, const char *text, cb_err *err) {
  CB_TRY(check_writer(r, err));
  if (room(&r->events_at, DAQ_RECORDER_EVENTS) == 0)
    return cb_fail(err, CB_E_IO, "%s: %d events are waiting for the disk", cb_store_path(r->store),
                   DAQ_RECORDER_EVENTS);
  event_row *e =
      &r->events[atomic_load_explicit(&r->events_at.written, memory_order_relaxed) % DAQ_RECORDER_EVENTS];
  e->t_s = t_s;
  (void)snprintf(e->kind, sizeof e->kind, "%s", kind);
  (void)snprintf(e->text, sizeof e->text, "%s", text);
  advance(&r->events_at.written, 1);
  return CB_OK;
}
