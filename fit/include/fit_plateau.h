/* A stretch of sliding: is it a plateau? Slope with its t value, change point, path mean and mean deviation (KES), stick-slip.
 * docs/traces.md has the formulas and their sources. */
#ifndef FIT_PLATEAU_H
#define FIT_PLATEAU_H

#include "cb_err.h"
#include "fit_stick_slip.h"

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

/* n >= 1. Errors: no memory. Bad data are the caller's to refuse. */
CB_CHECKED cb_status fit_plateau_describe(const fit_plateau_record *s, fit_plateau *out, cb_err *err);

#endif
