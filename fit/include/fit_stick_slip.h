/* Stick-slip in a stretch of sliding: frequency, amplitude, regularity. Hysteresis separates swings from
 * noise. A swing counts once it exceeds twice the standard deviation of the force: 58 % of a sawtooth's
 * height, 71 % of a sine's. docs/traces.md is the page. */
#ifndef FIT_STICK_SLIP_H
#define FIT_STICK_SLIP_H

#include <stddef.h>

typedef enum fit_stick_slip_outcome {
  FIT_STICK_SLIP_NONE,       /* fewer than 8 swings, or not above the noise at rest */
  FIT_STICK_SLIP_UNRESOLVED, /* fewer than 12 readings per swing, too few to separate it from noise */
  FIT_STICK_SLIP_IRREGULAR,  /* the lengths of the swings scatter by more than 30 % */
  FIT_STICK_SLIP_REGULAR
} fit_stick_slip_outcome;
extern const char *const fit_stick_slip_outcome_text[]; /* by fit_stick_slip_outcome */

typedef struct fit_stick_slip {
  fit_stick_slip_outcome outcome;
  size_t n_peaks;
  double amplitude_N, u_amplitude_N; /* mean fall from a peak to the next valley; NAN without one */
  double amplitude_sd_N;             /* from peak to peak */
  double frequency_Hz, u_frequency_Hz;
  double peaks_per_m, u_peaks_per_m;
  double readings_per_peak;
  double irregularity; /* standard deviation of the lengths over their mean */
} fit_stick_slip;

/* Finds stick-slip in n readings without trend. t_s are their times and x_m their displacements, ascending.
 * NULL: not known; frequency_Hz or peaks_per_m is then NAN. noise_sd_N is that of the readings at rest; 0:
 * not known. Peak and valley lie between readings. Half of what one reading may miss is therefore added to
 * the amplitude, with a rectangular uncertainty. */
fit_stick_slip fit_stick_slip_find(const double *t_s, const double *x_m, const double *force_N, size_t n,
                                   double noise_sd_N);

#endif
