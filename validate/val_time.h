/* How long experiments take. */
#ifndef VAL_TIME_H
#define VAL_TIME_H

#include <time.h>

static inline double val_now_s(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
