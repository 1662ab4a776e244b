/* A stretch of sliding: is it a plateau? Slope with its t value, change point, path mean and mean deviation (KES), stick-slip.
 * docs/traces.md has the formulas and their sources. */
#ifndef FIT_PLATEAU_H
#define FIT_PLATEAU_H

#include <stddef.h>

#include "cb_err.h"

/* Stick-slip in a stretch of sliding: how often, how much, how regular. Peaks and valleys are told apart from noise by hysteresis: a
 * swing counts once it is larger than twice the standard deviation of the force (58 % of a sawtooth's height, 71 % of a sine's). */
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

typedef enum fit_plateau_verdict {
  FIT_PLATEAU_FLAT,
  FIT_PLATEAU_SLOPING,  /* the force changes steadily: significant at 1 %, and by more than 5 % of its mean over the stretch */
  FIT_PLATEAU_STEPPING, /* the force changes its level somewhere, by the same limits, and a step says it better than a slope */
  FIT_PLATEAU_UNTOLD    /* fewer than 16 readings, or than 4 independent ones: no test */
} fit_plateau_verdict;
extern const char *const fit_plateau_verdict_text[];

/* Readings in order. What is not known is NULL, 0. */
typedef struct fit_plateau_record {
  size_t n;
  const double *t_s, *x_m; /* ascending; x: displacement along the motion */
  const double *force_N;   /* along the motion, zero subtracted */
  double noise_sd_N;       /* of the readings at rest */
} fit_plateau_record;

/* Where x_m is not known, all that is "per m" and "at m" is NAN, and means over the path are means over the readings. */
typedef struct fit_plateau {
  fit_plateau_verdict verdict;
  size_t n;
  double n_eff;                  /* independent readings about the mean (cb_mean_uncertainty) */
  double mean_N, u_mean_N, sd_N; /* u: without zero and calibration */
  double slope_N_per_m, u_slope_N_per_m;
  double slope_t, slope_p;          /* Student's t; degrees of freedom: independent readings about the line - 2 */
  double slope_rel;                 /* change along the stretch, as part of the mean */
  double step_N, step_at_m, step_p; /* mean after less mean before the likeliest change point; p of "there is none" (CUSUM) */
  size_t step_at;                   /* first reading after it */
  double path_mean_N;               /* (1/X) int F dx: MIU times the normal force */
  double path_deviation_N;          /* (1/X) int |F - path mean| dx: MMD times the normal force */
  fit_stick_slip stick_slip;
} fit_plateau;

#endif
