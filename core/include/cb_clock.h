/* Clocks of streaming instruments. A read-out sends samples at an even rate, but they arrive late and in bursts (USB latency,
 * scheduling). The even rate is recovered from the arrival stamps; raw stamps stay in the store as they came. */
#ifndef CB_CLOCK_H
#define CB_CLOCK_H

#include <stddef.h>

/* Replaces arrival stamps t[i] of evenly sent samples by t0 + i dt. Nothing arrives before it was sent, and any stamp may be late, so
 * the line is the edge of the stamps' lower convex hull over the middle sample (Moon, Skelly, Towsley, INFOCOM 1999): a stall of
 * the computer, after which many stamps come late at once, does not move it. Fewer than 8 samples, or a spacing more than 20 % off
 * the nominal rate (samples were lost, or the rate in the rig file is wrong): left as they are. Returns dt, or 0 where left. */
double cb_clock_even(double *t_s, size_t n, double nominal_rate_Hz);

#endif
