/* Stick-slip in a stretch of sliding: how often, how much, how regular. Peaks and valleys are told apart from noise by hysteresis: a
 * swing counts once it is larger than twice the standard deviation of the force (58 % of a sawtooth's height, 71 % of a sine's). */
#ifndef FIT_STICK_SLIP_H
#define FIT_STICK_SLIP_H

#include <stddef.h>

typedef enum fit_stick_slip_outcome {
  FIT_STICK_SLIP_NONE,       /* fewer than 8 swings, or none above the noise at rest */
  FIT_STICK_SLIP_UNRESOLVED, /* fewer than 12 readings a swing: noise and stick-slip look alike */
  FIT_STICK_SLIP_IRREGULAR,  /* the swings' lengths scatter by more than 30 % */
  FIT_STICK_SLIP_REGULAR
} fit_stick_slip_outcome;
extern const char *const fit_stick_slip_outcome_text[];

typedef struct fit_stick_slip {
  fit_stick_slip_outcome outcome;
  size_t n_peaks;
  double amplitude_N, u_amplitude_N; /* mean fall from a peak to the valley after it; NAN without one */
  double amplitude_sd_N;             /* from peak to peak */
  double frequency_Hz, u_frequency_Hz;
  double peaks_per_m, u_peaks_per_m;
  double readings_per_peak;
  double irregularity; /* standard deviation of the lengths, as part of their mean */
} fit_stick_slip;

/* force_N: n readings without trend. t_s, x_m: when and where (displacement), ascending; NULL: not known, then frequency_Hz or peaks_per_m
 * is NAN. noise_sd_N: of the readings at rest; 0: not known. The fall lies between two readings: half of what one reading may miss is
 * added to the amplitude, and its rectangular uncertainty. */
fit_stick_slip fit_stick_slip_find(const double *t_s, const double *x_m, const double *force_N, size_t n, double noise_sd_N);

#endif
