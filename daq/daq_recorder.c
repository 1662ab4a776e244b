#include "daq_recorder.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N_CHANNELS CB_N_CHANNELS
#define PERIOD_NS 100000000L

typedef struct event_row {
  double t_s;
  char kind[32], text[256];
} event_row;

typedef struct batch {
  size_t n[N_CHANNELS], n_events;
  double t_s[N_CHANNELS][DAQ_RECORDER_SAMPLES], v[N_CHANNELS][DAQ_RECORDER_SAMPLES];
  event_row events[DAQ_RECORDER_EVENTS];
} batch;

struct daq_recorder {
  cb_store *store;
  int64_t campaign_id, run_id;
  int64_t next_index[N_CHANNELS]; /* the writer's own */
  pthread_t writer;
  pthread_mutex_t lock; /* guards what follows; never held while the store works */
  pthread_cond_t wake;
  bool stopping;
  cb_status failed;
  cb_err reason;
  batch *filling, *writing;
};

/* ---- writer ---- */

static cb_status write_rows(daq_recorder *r, const batch *b, cb_err *err) {
  for (int c = 0; c < N_CHANNELS; c++)
    if (b->n[c] > 0) CB_TRY(cb_store_chunk_put(r->store, r->run_id, (cb_channel)c, r->next_index[c], b->n[c], b->t_s[c], b->v[c], err));
  for (size_t i = 0; i < b->n_events; i++)
    CB_TRY(cb_store_event_put(r->store, r->campaign_id, r->run_id, b->events[i].t_s, b->events[i].kind, b->events[i].text, err));
  return CB_OK;
}

static cb_status write_batch(daq_recorder *r, const batch *b, cb_err *err) {
  size_t n = b->n_events;
  for (int c = 0; c < N_CHANNELS; c++) n += b->n[c];
  if (n == 0) return CB_OK;
  CB_TRY(cb_store_begin(r->store, err));
  cb_status st = write_rows(r, b, err);
  if (st == CB_OK) st = cb_store_commit(r->store, err);
  if (st != CB_OK) cb_store_rollback(r->store);
  for (int c = 0; c < N_CHANNELS; c++) r->next_index[c] += (int64_t)b->n[c];
  return st;
}

static void clear_batch(batch *b) {
  for (int c = 0; c < N_CHANNELS; c++) b->n[c] = 0;
  b->n_events = 0;
}

/* Sleeps until the next transaction is due; true when it is the last. */
static bool await_turn(daq_recorder *r) {
  struct timespec due;
  clock_gettime(CLOCK_MONOTONIC, &due);
  due.tv_nsec += PERIOD_NS;
  due.tv_sec += due.tv_nsec / 1000000000L;
  due.tv_nsec %= 1000000000L;
  int rc = 0;
  while (!r->stopping && rc == 0) rc = pthread_cond_timedwait(&r->wake, &r->lock, &due);
  return r->stopping;
}

static void *writer_main(void *context) {
  daq_recorder *r = context;
  bool last = false;
  pthread_mutex_lock(&r->lock);
  while (!last && r->failed == CB_OK) {
    last = await_turn(r);
    batch *full = r->filling;
    r->filling = r->writing;
    r->writing = full;
    pthread_mutex_unlock(&r->lock);
    cb_err err = {""};
    cb_status st = write_batch(r, full, &err);
    clear_batch(full);
    pthread_mutex_lock(&r->lock);
    r->failed = st;
    r->reason = err;
  }
  pthread_mutex_unlock(&r->lock);
  return NULL;
}

/* ---- start, push, stop ---- */

static void free_recorder(daq_recorder *r) {
  pthread_cond_destroy(&r->wake);
  pthread_mutex_destroy(&r->lock);
  free(r->filling);
  free(r->writing);
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

cb_status daq_recorder_start(cb_store *store, int64_t campaign_id, int64_t run_id, daq_recorder **out, cb_err *err) {
  *out = NULL;
  daq_recorder *r = calloc(1, sizeof *r);
  if (!r) return cb_fail(err, CB_E_NOMEM, "no memory for a recorder");
  r->store = store;
  r->campaign_id = campaign_id;
  r->run_id = run_id;
  r->failed = CB_OK;
  init_locks(r);
  r->filling = calloc(1, sizeof *r->filling);
  r->writing = calloc(1, sizeof *r->writing);
  if (!r->filling || !r->writing || pthread_create(&r->writer, NULL, writer_main, r) != 0) {
    free_recorder(r);
    return cb_fail(err, CB_E_NOMEM, "no memory or no thread for a recorder");
  }
  *out = r;
  return CB_OK;
}

/* The lock is held. */
static cb_status writer_state(daq_recorder *r, cb_err *err) {
  return r->failed == CB_OK ? CB_OK : cb_fail(err, r->failed, "%s", r->reason.msg);
}

cb_status daq_recorder_push(daq_recorder *r, cb_channel channel, double t_s, double value, cb_err *err) {
  pthread_mutex_lock(&r->lock);
  cb_status st = writer_state(r, err);
  size_t *n = &r->filling->n[channel];
  if (st == CB_OK && *n == DAQ_RECORDER_SAMPLES)
    st = cb_fail(err, CB_E_IO, "%s: the disk does not keep up: %d samples of the %s channel are waiting for it", cb_store_path(r->store),
                 DAQ_RECORDER_SAMPLES, cb_channel_names[channel]);
  if (st == CB_OK) {
    r->filling->t_s[channel][*n] = t_s;
    r->filling->v[channel][(*n)++] = value;
  }
  pthread_mutex_unlock(&r->lock);
  return st;
}

cb_status daq_recorder_event(daq_recorder *r, double t_s, const char *kind, const char *text, cb_err *err) {
  pthread_mutex_lock(&r->lock);
  cb_status st = writer_state(r, err);
  size_t *n = &r->filling->n_events;
  if (st == CB_OK && *n == DAQ_RECORDER_EVENTS)
    st = cb_fail(err, CB_E_IO, "%s: %d events are waiting for the disk", cb_store_path(r->store), DAQ_RECORDER_EVENTS);
  if (st == CB_OK) {
    event_row *e = &r->filling->events[(*n)++];
    e->t_s = t_s;
    (void)snprintf(e->kind, sizeof e->kind, "%s", kind);
    (void)snprintf(e->text, sizeof e->text, "%s", text);
  }
  pthread_mutex_unlock(&r->lock);
  return st;
}

cb_status daq_recorder_stop(daq_recorder *r, cb_err *err) {
  if (!r) return CB_OK;
  pthread_mutex_lock(&r->lock);
  r->stopping = true;
  pthread_cond_signal(&r->wake);
  pthread_mutex_unlock(&r->lock);
  pthread_join(r->writer, NULL);
  cb_status st = writer_state(r, err);
  free_recorder(r);
  return st;
}
