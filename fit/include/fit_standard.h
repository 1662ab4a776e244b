/* One pull by a test standard (cb_standard.h), and specimens -> mean and standard deviation. The static
 * coefficient is the initial peak over the normal force. The kinetic coefficient is the mean force over the
 * standard's sliding distance, without the peak, over the normal force. docs/reference/standards.md says
 * which part is the standard's and which is ours. */
#ifndef FIT_STANDARD_H
#define FIT_STANDARD_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_standard.h"
#include "cb_trace.h"

typedef enum fit_standard_outcome {
  FIT_STANDARD_OK,
  FIT_STANDARD_NO_PULL,  /* fit_pull found no motion, zero or plateau */
  FIT_STANDARD_TOO_SHORT /* the pull is shorter than the standard's sliding distance */
} fit_standard_outcome;
extern const char *const fit_standard_outcome_text[]; /* by fit_standard_outcome */

typedef struct fit_standard {
  fit_standard_outcome outcome;
  double static_mu;    /* NAN: no peak stands out, which is allowed */
  double kinetic_mu;   /* NAN unless FIT_STANDARD_OK */
  double deviation_mu; /* mean distance of the readings in the window from kinetic_mu: MMD of KES */
  /* Displacement of the stage at the peak; without a peak, where the force reaches the plateau. */
  double breakaway_m;
  double window_from_m, window_to_m; /* displacement of the stage */
} fit_standard;

/* Evaluates one pull. The standard must have window_m > peak_m, and the normal force be > 0.
 * Errors: those of fit_pull_reduce. */
CB_CHECKED cb_status fit_standard_pull(const cb_trace *trace, int direction, double travel_m,
                                       double normal_force_N, const cb_standard *standard, fit_standard *out,
                                       cb_err *err);

typedef struct fit_standard_summary {
  size_t n;        /* of the values that are not NAN */
  double mean, sd; /* rounded to the decimals; sd with n - 1; NAN for too few values */
} fit_standard_summary;
/* Summarises n coefficients; NAN ones are skipped. */
fit_standard_summary fit_standard_summarise(const double *mu, size_t n, int decimals);

#endif
