/* The sample clock of a streaming read-out, recovered from arrival stamps.
 *
 * A read-out samples at an even rate of its own. Its samples arrive late and in bursts (USB latency,
 * scheduling), and some never arrive. The fit finds the offset and period of its clock on the host's
 * monotonic clock, and the gaps in the stream. It is used in analysis only; the store keeps the raw stamps.
 *
 * No sample arrives before it was sent, and any stamp may be late. The clock is therefore the edge of the
 * stamps' lower convex hull over the middle sample (Moon, Skelly, Towsley, INFOCOM 1999). A stall of the
 * computer delays many stamps at once and does not move that edge. A lost sample raises the floor of the
 * delays by one period for good, a stall only for a while. */
#ifndef CB_CLOCK_H
#define CB_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

#define CB_CLOCK_GAPS_MAX 64

typedef struct cb_clock_gap {
  size_t after; /* the gap lies between the samples `after` and `after` + 1, to within a tenth of a second */
  long missing; /* > 0: number of lost samples; < 0: number of doubled ones */
} cb_clock_gap;

/* Sample i was taken at offset_s + (i + missing samples before i) period_s. offset_s includes the shortest
 * delay of the line, which one-way stamps cannot show. */
typedef struct cb_clock {
  double offset_s, period_s;
  /* Largest error of the sample times that the stream itself cannot exclude. It is the sum of two parts. The
   * clock may run late by the least delay in the worst quarter of the stream; 0 if each quarter has a sample
   * without delay. A gap may lie elsewhere, which shifts the times in between by the missing samples. */
  double doubt_s;
  size_t n_gaps;
  cb_clock_gap gap[CB_CLOCK_GAPS_MAX];
} cb_clock;

/* Fits the clock to n arrival stamps. Returns false, with *clock zeroed, where there is no fit. There is none
 * for fewer than 8 samples, a nominal rate outside (0, 1e9] Hz, or a period more than 20 % off the nominal
 * one. Nor is there one for more than CB_CLOCK_GAPS_MAX gaps, or where memory runs out. */
bool cb_clock_fit(const double *arrival_s, size_t n, double nominal_rate_Hz, cb_clock *clock);
/* Replaces n stamps by the clock's sample times. */
void cb_clock_apply(const cb_clock *clock, double *t_s, size_t n);
/* Fits and applies. Returns false, with the stamps unchanged and *clock zeroed, where there is no fit. */
bool cb_clock_even(double *t_s, size_t n, double nominal_rate_Hz, cb_clock *clock);

#endif
