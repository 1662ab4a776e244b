/* The static peak between readings: how high it may have stood. The peak is a corner, anywhere between two
 * readings: a rise before it, a fall after it. Rates are of time: readings may come unevenly. */
#ifndef FIT_PEAK_H
#define FIT_PEAK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fit_peak_record {
  size_t n;
  const double *t_s, *force_N; /* zero subtracted */
  const bool *stray;           /* left out: they say nothing */
  double noise_N;              /* standard deviation of a reading, and at least that of its digit */
  double usual_step_s;         /* between two readings */
} fit_peak_record;

/* The peak lies between low_N and high_N. */
typedef struct fit_peak {
  double low_N, high_N;
  double rise_N_per_s;
} fit_peak;

/* Bounds of the peak whose highest reading is `top`, among the readings first to end. False: the readings
 * came too slowly to tell them. n_stray: readings left out anywhere in the record. */
bool fit_peak_bound(const fit_peak_record *r, size_t top, size_t first, size_t end, size_t n_stray,
                    fit_peak *out);

#endif
