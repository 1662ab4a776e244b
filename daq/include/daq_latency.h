/* A thread that has to run soon after something arrived, and then runs briefly. */
#ifndef DAQ_LATENCY_H
#define DAQ_LATENCY_H

/* Asks the scheduler for the lowest real-time priority (SCHED_FIFO 1: before everything that is not real-time), which root and users
 * with an rtprio limit (limits.conf(5)) get. Otherwise for slices of 0.1 ms: since Linux 6.12 a thread with a shorter slice goes before
 * one with a longer (sched_setattr(2)); that needs no permission, and an older kernel ignores it. Threads and processes begun later
 * inherit neither. */
void daq_latency_prefer(void);

#endif
