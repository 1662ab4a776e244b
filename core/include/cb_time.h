/* Time: the monotonic clock for intervals, the wall clock (UTC) once per run. */
#ifndef CB_TIME_H
#define CB_TIME_H

double cb_now_monotonic_s(void); /* CLOCK_MONOTONIC */
/* Writes the present time as "2026-11-21T08:00:00.123Z". */
void cb_now_iso8601(char out[32]);
void cb_sleep_s(double seconds); /* returns early on a signal */

#endif
