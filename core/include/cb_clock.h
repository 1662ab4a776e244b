/* Clocks of streaming instruments. A read-out sends samples at an even rate of its own, but they arrive late and in bursts (USB
 * latency, scheduling), and some may never arrive. Its clock - offset and period on the host's monotonic clock - and the gaps in
 * the stream are recovered from the arrival stamps, in analysis only; raw stamps stay in the store as they came. */
#ifndef CB_CLOCK_H
#define CB_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

#define CB_CLOCK_GAPS_MAX 64

typedef struct cb_clock_gap {
  size_t after; /* between the samples `after` and `after` + 1, to within a tenth of a second */
  long missing; /* > 0: so many were lost; < 0: so many came twice */
} cb_clock_gap;

/* Sample i was taken at offset_s + (i + missing samples before i) period_s, plus the shortest delay of the line, which no one-way
 * stamp can tell. */
typedef struct cb_clock {
  double offset_s, period_s;
  double doubt_s; /* by how much its times may be wrong: see below */
  size_t n_gaps;
  cb_clock_gap gap[CB_CLOCK_GAPS_MAX];
} cb_clock;

/* The doubt is what the stream itself cannot exclude: the clock may run late by the least delay seen anywhere in a quarter of the stream
 * (0 where every quarter has a sample that came at once), and a gap may lie elsewhere, which moves what is between by all that is missing.
 *
 * Nothing arrives before it was sent, and any stamp may be late, so the clock is the edge of the stamps' lower convex hull over the
 * middle sample (Moon, Skelly, Towsley, INFOCOM 1999): a stall of the computer, after which many stamps come late at once, does
 * not move it. A lost sample raises the floor of the delays by one period for good, where a stall raises it for a while.
 * false: fewer than 8 samples, a period more than 20 % off the nominal one (the rate in the rig file is wrong), or more gaps than
 * there is room for; no memory. *clock is then zeroed. */
bool cb_clock_fit(const double *arrival_s, size_t n, double nominal_rate_Hz, cb_clock *clock);
/* Replaces the n stamps by those of the clock. */
void cb_clock_apply(const cb_clock *clock, double *t_s, size_t n);
/* Both; where there is no clock, the stamps are left as they came and *clock is zeroed. */
bool cb_clock_even(double *t_s, size_t n, double nominal_rate_Hz, cb_clock *clock);

#endif
