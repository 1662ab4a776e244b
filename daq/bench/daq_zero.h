/* Private to daq: the reading without force, at rest and with a slack link, with its scatter. */
#ifndef DAQ_ZERO_H
#define DAQ_ZERO_H

#include "daq_bench.h"

/* Level of the t test of two zeros (daq_zero_drifted). One run in 10000 is flagged by chance, also with a
 * slow gauge, whose zero has few readings. */
#define DAQ_ZERO_CHANCE 0.9999

typedef struct daq_zero {
  double mean, sd; /* in force.unit */
  double u; /* standard uncertainty of the mean: by autocorrelation (cb_mean_uncertainty), at least that of
               the digit */
  size_t n;
  size_t n_stray;     /* of them, those that stand alone: they count neither to mean nor to sd */
  size_t still_limit; /* cb_still_limit of the readings */
  double t_s;         /* middle, rig seconds on the monotonic clock */
} daq_zero;

/* Reduces readings at rest, at least one. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status daq_zero_of(const cb_series *raw, double digit, daq_zero *out, cb_err *err);
/* Returns true if two zeros differ by more than chance explains, *chance, in force.unit. */
bool daq_zero_drifted(const daq_zero *before, const daq_zero *after, double *chance);

/* Rests for a time and measures the zero. digit is that of the reading [force.unit]. */
CB_CHECKED cb_status daq_zero_take(daq_bench *b, double seconds, double digit, daq_zero *out, cb_err *err);

/* Does the same and returns the readings, which the caller clears, also after a failure. */
CB_CHECKED cb_status daq_zero_take_raw(daq_bench *b, double seconds, double digit, daq_zero *out,
                                       cb_series *raw, cb_err *err);

#endif
