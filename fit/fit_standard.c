#include "fit_standard.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stray.h"
#include "fit_pull.h"

/* Fewer readings than this make no mean. */
#define MIN_WINDOW 8

const char *const fit_standard_outcome_text[] = {"evaluated", "the pull could not be reduced",
                                                 "the pull is too short for the standard's way of sliding"};

/* Along the motion and without the zero. */
static double force_at(const cb_trace *t, size_t i, int direction, double zero_N) {
  return direction * (t->force_N.v[i] - zero_N);
}

static double displacement_at(const cb_trace *t, size_t i, int direction) {
  return direction * (cb_series_at(&t->position_m, t->force_N.t_s[i]) - t->position_m.v[0]);
}

/* The reading surely was taken in the window, however late it was stamped. */
static bool surely_within(const cb_trace *t, size_t i, int direction, const fit_standard *w) {
  double t_s = t->force_N.t_s[i], start_m = t->position_m.v[0];
  return direction * (cb_series_at(&t->position_m, t_s - t->doubt_s) - start_m) >= w->window_from_m &&
         direction * (cb_series_at(&t->position_m, t_s + t->doubt_s) - start_m) <= w->window_to_m;
}

/* Where the cart gives way: at the peak, or where the force first is what it stays. */
static double breakaway(const cb_trace *t, int direction, const fit_pull *p) {
  if (isfinite(p->static_N)) return p->x_static_m;
  for (size_t i = 0; i < t->force_N.n; i++)
    if (force_at(t, i, direction, p->zero_N) >= p->kinetic_N) return displacement_at(t, i, direction);
  return NAN;
}

static void average(const cb_trace *t, int direction, double normal_force_N, const fit_pull *p,
                    fit_standard *out) {
  double sum = 0, last_m = 0;
  size_t n = 0;
  for (size_t i = 0; i < t->force_N.n; i++) {
    last_m = fmax(last_m, displacement_at(t, i, direction));
    if (!surely_within(t, i, direction, out)) continue;
    sum += force_at(t, i, direction, p->zero_N);
    n++;
  }
  if (!(last_m >= out->window_to_m) || n < MIN_WINDOW) {
    out->outcome = FIT_STANDARD_TOO_SHORT;
    return;
  }
  const double mean_N = sum / (double)n;
  sum = 0;
  for (size_t i = 0; i < t->force_N.n; i++)
    if (surely_within(t, i, direction, out)) sum += fabs(force_at(t, i, direction, p->zero_N) - mean_N);
  out->kinetic_mu = mean_N / normal_force_N;
  out->deviation_mu = sum / (double)n / normal_force_N;
}

static cb_status evaluate(const cb_trace *trace, int direction, double travel_m, double normal_force_N,
                          const cb_standard *standard, fit_standard *out, cb_err *err) {
  fit_pull_options opt = fit_pull_options_default();
  fit_pull p;
  CB_TRY(fit_pull_reduce(trace, direction, travel_m, &opt, &p, err));
  if (p.outcome != FIT_PULL_OK) {
    out->outcome = FIT_STANDARD_NO_PULL;
    return CB_OK;
  }
  if (!standard->surface) out->static_mu = p.static_N / normal_force_N;
  out->breakaway_m = breakaway(trace, direction, &p);
  out->window_from_m = out->breakaway_m + standard->peak_m;
  out->window_to_m = out->breakaway_m + standard->window_m;
  average(trace, direction, normal_force_N, &p, out);
  return CB_OK;
}

/* Without the readings that stand alone. */
cb_status fit_standard_pull(const cb_trace *trace, int direction, double travel_m, double normal_force_N,
                            const cb_standard *standard, fit_standard *out, cb_err *err) {
  assert(standard->window_m > standard->peak_m && normal_force_N > 0);
  cb_trace t = *trace;
  const size_t n = trace->force_N.n;
  *out = (fit_standard){.outcome = FIT_STANDARD_OK};
  out->static_mu = out->kinetic_mu = out->deviation_mu = NAN;
  out->breakaway_m = out->window_from_m = out->window_to_m = NAN;
  size_t count;
  t.force_N.v = malloc((n + 1) * sizeof *t.force_N.v);
  cb_status st = t.force_N.v ? CB_OK : cb_no_memory(err, "%zu readings", n);
  if (st == CB_OK) {
    memcpy(t.force_N.v, trace->force_N.v, n * sizeof *t.force_N.v);
    st = cb_stray_bridge(t.force_N.t_s, t.force_N.v, n, trace->n_rest, trace->digit_N, NULL, &count, err);
  }
  if (st == CB_OK) st = evaluate(&t, direction, travel_m, normal_force_N, standard, out, err);
  free(t.force_N.v);
  return st;
}

fit_standard_summary fit_standard_summarise(const double *mu, size_t n, int decimals) {
  fit_standard_summary s = {.mean = NAN, .sd = NAN};
  double sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++)
    if (isfinite(mu[i])) sum += mu[i], s.n++;
  if (s.n == 0) return s;
  double mean = sum / (double)s.n;
  for (size_t i = 0; i < n; i++)
    if (isfinite(mu[i])) squares += (mu[i] - mean) * (mu[i] - mean);
  s.mean = cb_round_decimals(mean, decimals);
  if (s.n > 1) s.sd = cb_round_decimals(sqrt(squares / (double)(s.n - 1)), decimals);
  return s;
}
