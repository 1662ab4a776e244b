#include "live_ring.h"

bool live_ring_push(live_ring *r, const live_event *e) {
  size_t pushed = atomic_load_explicit(&r->pushed, memory_order_relaxed);
  size_t used = pushed - atomic_load_explicit(&r->taken, memory_order_acquire);
  if (used >= LIVE_RING_SIZE - (e->is_moment ? 0 : LIVE_RING_SPARE)) {
    atomic_fetch_add_explicit(&r->dropped, 1, memory_order_relaxed);
    return false;
  }
  r->events[pushed % LIVE_RING_SIZE] = *e;
  atomic_store_explicit(&r->pushed, pushed + 1, memory_order_release);
  return true;
}

bool live_ring_take(live_ring *r, live_event *e) {
  size_t taken = atomic_load_explicit(&r->taken, memory_order_relaxed);
  if (taken == atomic_load_explicit(&r->pushed, memory_order_acquire)) return false;
  *e = r->events[taken % LIVE_RING_SIZE];
  atomic_store_explicit(&r->taken, taken + 1, memory_order_release);
  return true;
}
