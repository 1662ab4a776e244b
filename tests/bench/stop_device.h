/* For bench_stop: a stage, a force read-out and an echo on pseudo-terminals, played by threads of their own
 * that ask for SCHED_FIFO. */
#ifndef STOP_DEVICE_H
#define STOP_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STOP_PERIOD_S 0.001
#define STOP_MICROSTEP_M 1e-6
#define STOP_SPEED_M_PER_S 0.01

typedef struct stop_device {
  int stage, force, echo; /* masters */
  char stage_name[64], force_name[64], echo_name[64];
  pthread_t thread, echo_thread;
  bool board;              /* the read-out is a Comedi board, else it sends lines; set before the start */
  atomic_bool over, armed; /* armed: overload some time after the next move */
  _Atomic double overload_s, stop_s, echo_s; /* when it was sent, when it was answered */
  /* the thread's own */
  char line[128];
  size_t n;
  long long settings[4];
  double from_m, to_m, at_m, began_s, next_s, due_s;
  bool moving, scans; /* scans: the board was told to */
  uint16_t scan;
  unsigned random;
} stop_device;

/* Zeroed before, but for `board`. The echo's thread ends with the program. */
void stop_device_start(stop_device *d);
void stop_device_end(stop_device *d);

#endif
