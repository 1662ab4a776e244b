/* One pull by a test standard (cb_standard): static coefficient = initial peak / normal force, kinetic coefficient = mean force over
 * the standard's way of sliding, without the peak, / normal force. And specimens -> mean and standard deviation.
 * docs/standards.md says which part of this is the standard's and which is ours. */
#ifndef FIT_STANDARD_H
#define FIT_STANDARD_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_standard.h"
#include "cb_trace.h"

typedef enum fit_standard_outcome {
  FIT_STANDARD_OK,
  FIT_STANDARD_NO_PULL,  /* no motion, no zero or no plateau to begin with */
  FIT_STANDARD_TOO_SHORT /* the standard's way of sliding does not fit into the pull */
} fit_standard_outcome;
extern const char *const fit_standard_outcome_text[];

typedef struct fit_standard {
  fit_standard_outcome outcome;
  double static_mu;                  /* NAN: no peak stands out, which is no fault */
  double kinetic_mu;                 /* NAN unless FIT_STANDARD_OK */
  double breakaway_m;                /* displacement of the stage at the peak; without one, where the force reaches the plateau */
  double window_from_m, window_to_m; /* displacement of the stage */
} fit_standard;

/* The standard must have a window (window_m > 0). Errors: bad data, as fit_pull_reduce. */
CB_CHECKED cb_status fit_standard_pull(const cb_trace *trace, int direction, double travel_m, double normal_force_N,
                                       const cb_standard *standard, fit_standard *out, cb_err *err);

typedef struct fit_standard_summary {
  size_t n;        /* of the values that are not NAN */
  double mean, sd; /* rounded to the standard's decimals; n - 1; NAN for too few */
} fit_standard_summary;
fit_standard_summary fit_standard_summarise(const double *mu, size_t n, int decimals);

#endif
