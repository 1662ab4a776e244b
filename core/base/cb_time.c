#include "cb_time.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

double cb_now_monotonic_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cb_now_iso8601(char out[32]) {
  struct timespec t;
  struct tm tm;
  clock_gettime(CLOCK_REALTIME, &t);
  gmtime_r(&t.tv_sec, &tm);
  size_t n = strftime(out, 32, "%Y-%m-%dT%H:%M:%S", &tm);
  (void)snprintf(out + n, 32 - n, ".%03dZ", (int)(t.tv_nsec / 1000000));
}

void cb_sleep_s(double seconds) {
  if (seconds <= 0) return;
  struct timespec t = {.tv_sec = (time_t)seconds};
  t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
  (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}
