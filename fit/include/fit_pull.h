/* One pull -> zero, static peak, kinetic plateau. Works on measured and simulated traces alike.
 *
 * The stage rests with the link slack (zero window), then moves `direction` (+1/-1) by travel_m at speed_m_per_s. Forces are
 * reported positive along the motion, zero subtracted. */
#ifndef FIT_PULL_H
#define FIT_PULL_H

#include "cb_err.h"
#include "cb_trace.h"
#include "fit_plateau.h"

typedef struct fit_pull_options {
  double moving_threshold_m; /* the stage moves once it is this far from where it rested */
  double static_drop_rel;    /* a peak counts as static once the force fell by this fraction of it ... */
  double static_drop_sigma;  /* ... and by this many standard deviations of the zero window */
  double plateau_from_rel;   /* plateau window: fraction of the travel after breakaway ... */
  double plateau_to_rel;     /* ... up to this fraction of the whole travel, before deceleration */
} fit_pull_options;
fit_pull_options fit_pull_options_default(void);

typedef enum fit_pull_outcome {
  FIT_PULL_OK,
  FIT_PULL_NO_MOTION,  /* the stage never moved */
  FIT_PULL_NO_ZERO,    /* too few samples before the motion */
  FIT_PULL_NO_PLATEAU, /* too few samples that surely lie in the plateau window */
  FIT_PULL_NO_CLOCK    /* the times of the readings are not known */
} fit_pull_outcome;
extern const char *const fit_pull_outcome_text[];

typedef struct fit_pull {
  fit_pull_outcome outcome;
  double zero_N, zero_sd_N, u_zero_N;
  double t_start_s;              /* motion begins */
  double static_N, u_static_N;   /* NAN: no peak stands out, or the readings came too slowly to see it */
  double t_static_s, x_static_m; /* of the peak; x: stage displacement since the start of the motion */
  double kinetic_N, u_kinetic_N; /* plateau mean; u respects autocorrelation and the zero's uncertainty */
  double kinetic_sd_N, n_eff;
  double window_from_m, window_to_m; /* stage displacement */
  fit_plateau plateau;               /* of the window; only where the outcome is FIT_PULL_OK */
} fit_pull;

/* A reading belongs to the plateau only where it surely was taken there, whatever the stamps leave open (trace->doubt_s, positions far
 * apart): a busy computer costs readings, not truth. The zero is that which trace gives, or that of
 * trace->n_rest, where one is known.
 * Bad data (NaN, times not ascending, fewer than 2 samples) are errors; a pull without plateau is an outcome. */
CB_CHECKED cb_status fit_pull_reduce(const cb_trace *trace, int direction, double travel_m, const fit_pull_options *opt, fit_pull *out,
                                     cb_err *err);

/* The zero went by drift_N (as the force channel reads it) from before the pull to after it, and was anywhere between in the pull: half of
 * the change is taken off, and half of it, rectangular, is the uncertainty. NAN stays NAN. */
void fit_pull_zero_drift(fit_pull *p, int direction, double drift_N);

/* Writes "pull/4 drop=..,..": the method text stored with a point. */
void fit_pull_method(const fit_pull_options *opt, char out[160]);

#endif
