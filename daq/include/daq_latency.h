/* Scheduling of a thread that must run soon after data arrived, and then runs briefly. */
#ifndef DAQ_LATENCY_H
#define DAQ_LATENCY_H

/* Gives the calling thread the lowest real-time priority (SCHED_FIFO 1, before everything that is not
 * real-time). Root and users with an rtprio limit (limits.conf(5)) get it. Others get slices of 0.1 ms: since
 * Linux 6.12 a thread with a shorter slice goes first (sched_setattr(2)). That needs no permission; older
 * kernels ignore it. Threads and processes started later inherit neither. */
void daq_latency_prefer(void);

#endif
