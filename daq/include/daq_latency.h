/* Scheduling of a thread that must run soon after data arrived, and then runs briefly. */
#ifndef DAQ_LATENCY_H
#define DAQ_LATENCY_H

#include <stdint.h>

/* struct sched_attr of sched_setattr(2), version 0, which glibc 2.36 does not declare. */
typedef struct daq_latency {
  uint32_t size, policy; /* size 0: not known */
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns, deadline_ns, period_ns;
} daq_latency;

/* Gives the calling thread the lowest real-time priority (SCHED_FIFO 1, before everything that is not
 * real-time), and returns what it had before. Root and users with an rtprio limit (limits.conf(5)) get it.
 * Others get slices of 0.1 ms: since Linux 6.12 a thread with a shorter slice goes first (sched_setattr(2)).
 * That needs no permission; older kernels ignore it. Threads and processes started later inherit neither. */
daq_latency daq_latency_prefer(void);
/* Gives the calling thread back what it had: a thread that computes at a real-time priority takes a processor
 * from everything else. */
void daq_latency_restore(const daq_latency *before);

#endif
