/* One pull -> zero, static peak, kinetic plateau. Measured and simulated traces alike.
 *
 * The stage rests with the link slack, then moves in `direction` (+1/-1) by travel_m. Forces are reported
 * positive along the motion, zero subtracted. docs/reference/traces.md and docs/method/friction-fit.md give
 * the rules. */
#ifndef FIT_PULL_H
#define FIT_PULL_H

#include "cb_err.h"
#include "cb_trace.h"
#include "fit_fault.h"
#include "fit_plateau.h"

typedef struct fit_pull_options {
  double moving_threshold_m; /* the stage moves once it is this far from its place of rest */
  double static_drop_rel;    /* a peak counts as static once the force fell by this fraction of it, */
  double static_drop_sigma;  /* and by this many standard deviations of the zero window */
  double plateau_from_rel;   /* plateau window: from this fraction of the travel that is left once the link is
                                taut, or behind the peak where there is one, */
  double plateau_to_rel;     /* to this fraction of the whole travel */
} fit_pull_options;
/* Fewer readings than this make neither a mean nor a scatter. */
#define FIT_PULL_MIN_READINGS 8
/* Returns: 50 um, 2 %, 8 standard deviations, 30 % to 95 %. */
fit_pull_options fit_pull_options_default(void);

typedef enum fit_pull_outcome {
  FIT_PULL_OK,
  FIT_PULL_NO_MOTION,  /* the stage never moved */
  FIT_PULL_NO_ZERO,    /* too few samples before the motion */
  FIT_PULL_NO_PLATEAU, /* too few samples that surely lie in the plateau window */
  FIT_PULL_NO_CLOCK,   /* the times of the readings are not known */
  FIT_PULL_INVALID     /* there are forces, but `faults` says why they are not those of sliding */
} fit_pull_outcome;
extern const char *const fit_pull_outcome_text[]; /* by fit_pull_outcome */

typedef struct fit_pull {
  fit_pull_outcome outcome;
  double zero_N, zero_sd_N, u_zero_N; /* as the force channel reads it, whatever the direction */
  double t_start_s;                   /* time at which the stage surely still rests */
  double static_N, u_static_N;        /* NAN: no peak stands out, or the readings were too slow to see it */
  double x_static_m;                  /* of the peak: stage displacement */
  double kinetic_N, u_kinetic_N; /* plateau mean; u: with autocorrelation and the zero, without calibration */
  double kinetic_sd_N, n_eff;
  double window_from_m, window_to_m; /* stage displacement */
  fit_plateau plateau;               /* of the window; with FIT_PULL_OK and FIT_PULL_INVALID */
  fit_faults faults; /* only with FIT_PULL_OK and FIT_PULL_INVALID; the uncertainty that they add is in
                        u_kinetic_N */
  size_t n_stray;    /* readings of the trace that stand alone (cb_stray.h): they count to nothing */
} fit_pull;

/* Reduces a trace. direction is +1 or -1. The zero is the trace's own (zero_given), that of its first n_rest
 * readings, or that of the readings before the motion. A reading counts to the plateau only if it was surely
 * taken there, whatever the stamps leave open (trace->doubt_s, positions far apart). No standard uncertainty
 * is below that of the digit (trace->digit_N), digit / sqrt(12). A pull without a plateau is an outcome.
 * CB_E_RANGE: fewer than 2 samples of force or position, times that do not ascend, or travel_m below 1 um.
 * CB_E_NUM: a sample that is not finite. CB_E_NOMEM. */
CB_CHECKED cb_status fit_pull_reduce(const cb_trace *trace, int direction, double travel_m,
                                     const fit_pull_options *opt, fit_pull *out, cb_err *err);

/* Corrects a pull for a zero that changed by drift_N, as the force channel reads it, from before the pull to
 * after it. During the pull the zero was anywhere between. Half of the change is subtracted. The other half
 * is the half-width of a rectangular distribution, which is added to the uncertainties. NAN stays NAN. */
void fit_pull_zero_drift(fit_pull *p, int direction, double drift_N);

/* Writes "pull/9 ...", the method text stored with a point. */
void fit_pull_method(const fit_pull_options *opt, char out[160]);

#endif
