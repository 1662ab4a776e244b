#include "fit_decision.h"

#include <math.h>
#include <stddef.h>

#include "cb_language.h"
#include "cb_stats.h"

const char *const fit_decision_names[] = {N_("pass"), N_("fail"), N_("not decided"), NULL};

/* P(T > t) */
static double tail(double t, double dof) {
  const double p = cb_t_p_two_sided(t, dof) / 2;
  return t > 0 ? p : 1 - p;
}

fit_decision fit_decide(double value, double u, double dof, double lower, double upper) {
  const double U = cb_student_t(0.95, dof) * u;
  fit_decision d = {FIT_UNDECIDED, U, 0};
  if (isfinite(lower)) d.p_outside += tail((value - lower) / u, dof);
  if (isfinite(upper)) d.p_outside += tail((upper - value) / u, dof);
  if (value - U >= lower && value + U <= upper) d.verdict = FIT_KEEPS;
  if (value + U < lower || value - U > upper) d.verdict = FIT_BREAKS;
  return d;
}

double fit_capability(double mean, double sigma, double n, double lower, double upper, double *cp,
                      double *u) {
  const double cpk = fmin(upper - mean, mean - lower) / (3 * sigma);
  *cp = isfinite(upper - lower) ? (upper - lower) / (6 * sigma) : NAN;
  *u = sqrt(1 / (9 * n) + cpk * cpk / (2 * (n - 1)));
  return cpk;
}
