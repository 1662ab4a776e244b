/* Private to daq: the reading without force, at rest and with a slack link, with its scatter. */
#ifndef DAQ_ZERO_H
#define DAQ_ZERO_H

#include "daq_bench.h"

/* Two zeros differ by more than chance where they are further apart than Student's t allows their difference with this probability: one
 * run in 10000 is marked for nothing, also where a slow gauge gives a zero of a few readings only. */
#define DAQ_ZERO_CHANCE 0.9999

typedef struct daq_zero {
  double mean, sd; /* in force.unit */
  double u;        /* standard uncertainty of the mean: autocorrelation of the readings (cb_mean_uncertainty), and their digit */
  size_t n;
  double t_s; /* middle, rig seconds on the monotonic clock */
} daq_zero;

/* Rests for that long. digit: of the reading, in force.unit. */
CB_CHECKED cb_status daq_zero_take(daq_bench *b, double seconds, double digit, daq_zero *out, cb_err *err);

/* The same, and the readings go to the caller (who clears them, also after a failure). */
CB_CHECKED cb_status daq_zero_take_raw(daq_bench *b, double seconds, double digit, daq_zero *out, cb_series *raw, cb_err *err);

#endif
