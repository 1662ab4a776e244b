/* A thread that has to run soon after something arrived, and then runs briefly. */
#ifndef DAQ_LATENCY_H
#define DAQ_LATENCY_H

/* Asks the scheduler to run the calling thread in slices of 0.1 ms: since Linux 6.12 a thread with a shorter slice goes before one with
 * a longer (sched_setattr(2), sched_runtime under SCHED_OTHER). Needs no permission; threads and processes begun later do not inherit
 * it; a kernel that does not know it refuses or ignores it, and nothing is lost. */
void daq_latency_prefer(void);

#endif
