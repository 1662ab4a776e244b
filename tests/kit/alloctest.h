/* Allocation failure: the k-th allocation of our own code fails, alone or with all that follow, for k = 0, 1,
 * 2 ... until the work succeeds (at_sweep passes some over). Every failure must come back as CB_E_NOMEM with
 * a sentence, and leave no memory and no descriptor behind; work that succeeds although something was refused
 * must have done all of it, so it looks at its results.
 *
 * malloc, calloc, realloc, strdup and free are wrapped by the linker (tests/CMakeLists.txt). */
#ifndef ALLOCTEST_H
#define ALLOCTEST_H

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "cbtest.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define AT_NEVER LONG_MIN
static atomic_long at_countdown = AT_NEVER; /* to the one that fails */
static bool at_for_good;                    /* and all that follow */
static atomic_long at_live;

static bool at_fails(void) {
  if (atomic_load(&at_countdown) == AT_NEVER) return false;
  long left = atomic_fetch_sub(&at_countdown, 1);
  return left == 0 || (at_for_good && left < 0);
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t a, size_t b);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t a, size_t b);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);
void __wrap_free(void *p);

static void *at_counted(void *p) {
  at_live += p != NULL;
  return p;
}

void *__wrap_malloc(size_t n) { return at_fails() ? NULL : at_counted(__real_malloc(n)); }
void *__wrap_calloc(size_t a, size_t b) { return at_fails() ? NULL : at_counted(__real_calloc(a, b)); }
char *__wrap_strdup(const char *s) { return at_fails() ? NULL : (char *)at_counted(__real_strdup(s)); }
void *__wrap_realloc(void *p, size_t n) {
  if (at_fails()) return NULL;
  void *q = __real_realloc(p, n);
  at_live += !p && q;
  return q;
}
void __wrap_free(void *p) {
  at_live -= p != NULL;
  __real_free(p);
}

/* Around what a test does for itself in the middle of a work. */
static inline long at_hold(void) { return atomic_exchange(&at_countdown, AT_NEVER); }
static inline void at_release(long held) { atomic_store(&at_countdown, held); }

static inline int at_descriptors(void) {
  int n = 0;
  for (int fd = 0; fd < 256; fd++) n += fcntl(fd, F_GETFD) >= 0;
  return n;
}

typedef cb_status at_work(void *context, cb_err *err);

static inline bool at_try_once(at_work *w, void *context, long k, bool for_good) {
  long live = at_live;
  int descriptors = at_descriptors();
  cb_err err = {""};
  at_for_good = for_good;
  at_release(k);
  cb_status st = w(context, &err);
  bool refused = at_hold() < 0;
  if (st != CB_OK && !refused) fail_msg("no allocation failed, but: %s", err.msg);
  if (st != CB_OK && st != CB_E_NOMEM)
    fail_msg("allocation %ld failed, but the status is %d: %s", k, st, err.msg);
  if (st != CB_OK && err.msg[0] == '\0') fail_msg("allocation %ld failed without a sentence", k);
  if (at_live != live)
    fail_msg("allocation %ld failed: %ld blocks are left (%s)", k, at_live - live, err.msg);
  if (at_descriptors() != descriptors)
    fail_msg("allocation %ld failed: %d descriptors are left (%s)", k, at_descriptors() - descriptors,
             err.msg);
  return refused;
}

/* False once no allocation was refused. */
static inline bool at_try(at_work *w, void *context, long k) {
  return at_try_once(w, context, k, true) && at_try_once(w, context, k, false);
}

#define AT_ALL 40 /* allocations of which none is passed over */
#define AT_STEP 3 /* of those that follow, unless CB_SLOW is set */

/* A number that is another one tomorrow. */
static inline long at_day(void) { return (long)(time(NULL) / 86400); }

/* The first allocations one by one; of the others every third, in three days all; all with CB_SLOW. Returns
 * how many the work makes, to AT_STEP. */
static inline long at_sweep(at_work *w, void *context) {
  const long step = getenv("CB_SLOW") ? 1 : AT_STEP;
  long k = 0;
  while (at_try(w, context, k)) {
    k += k < AT_ALL ? 1 : step;
    if (k == AT_ALL) k += at_day() % step;
    if (k >= 10000) fail_msg("never ends");
  }
  return k;
}

#endif
