/* Is a stretch of sliding a plateau? Slope with its t value, change point, path mean and mean deviation
 * (KES), stick-slip. docs/reference/traces.md has the formulas and their sources. */
#ifndef FIT_PLATEAU_H
#define FIT_PLATEAU_H

#include <stddef.h>

#include "cb_err.h"

/* Stick-slip in a stretch of sliding: frequency, amplitude, regularity. Hysteresis separates swings from
 * noise. A swing counts once it exceeds twice the standard deviation of the force: 58 % of a sawtooth's
 * height, 71 % of a sine's. */
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

typedef enum fit_plateau_verdict {
  FIT_PLATEAU_FLAT,
  /* The force changes steadily: significant at 1 %, and by more than 5 % of its mean over the stretch. */
  FIT_PLATEAU_SLOPING,
  /* The force steps to another level, by the same limits, and a step fits better than a slope. */
  FIT_PLATEAU_STEPPING,
  FIT_PLATEAU_UNTOLD /* no test: fewer than 16 readings, or 4 independent ones */
} fit_plateau_verdict;
extern const char *const fit_plateau_verdict_text[]; /* by fit_plateau_verdict */

/* n readings in order, borrowed. An unknown member is NULL or 0. */
typedef struct fit_plateau_record {
  size_t n;
  const double *t_s, *x_m; /* ascending; x: displacement along the motion */
  const double *force_N;   /* along the motion, zero subtracted */
  double noise_sd_N;       /* of the readings at rest */
} fit_plateau_record;

/* Without x_m, members per metre and at a place are NAN, and means over the path are means over the
 * readings. */
typedef struct fit_plateau {
  fit_plateau_verdict verdict;
  size_t n;
  double n_eff;                  /* independent readings about the mean (cb_mean_uncertainty) */
  double mean_N, u_mean_N, sd_N; /* u: without zero and calibration */
  double slope_N_per_m, u_slope_N_per_m;
  double slope_t, slope_p;          /* Student's t; dof: independent readings about the line - 2 */
  double slope_rel;                 /* change along the stretch, relative to the mean */
  double step_N, step_at_m, step_p; /* mean after - mean before the change point; p of "none" (CUSUM) */
  size_t step_at;                   /* first reading after the change point */
  double u_level_N, n_eff_level;    /* u of the mean, and independent readings, about both levels */
  double path_mean_N;               /* (1/X) int F dx: MIU times the normal force */
  double path_deviation_N;          /* (1/X) int |F - path mean| dx: MMD times the normal force */
  fit_stick_slip stick_slip;
} fit_plateau;

#endif
