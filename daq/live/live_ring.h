/* A queue between two threads that never waits and never locks: one thread pushes, one takes. If it is full,
 * what is pushed is dropped and counted, so that a slow viewer never delays the measurement. A zeroed ring is
 * empty. */
#ifndef LIVE_RING_H
#define LIVE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "live.h"

typedef struct live_event {
  bool is_moment;
  live_channel channel; /* of a sample */
  double value;
  live_moment moment;
} live_event;

#define LIVE_RING_SIZE 8192 /* half a second of the fastest virtual rig; a power of two */
#define LIVE_RING_SPARE 64  /* places kept for moments, so that the viewer always learns of a new run */

typedef struct live_ring {
  atomic_size_t pushed, dropped; /* written by the pushing thread only */
  live_event events[LIVE_RING_SIZE];
  atomic_size_t taken; /* written by the taking thread only */
} live_ring;

/* Copies an event into the ring. Returns false, and counts it as dropped, if there is no room. */
bool live_ring_push(live_ring *r, const live_event *e);
/* Takes the oldest event. Returns false if there is none. */
bool live_ring_take(live_ring *r, live_event *e);

#endif
