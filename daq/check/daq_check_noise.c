/* What the readings at rest say of the read-out: digit, noise, drift, zero. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_allan.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cb_stats.h"
#include "daq_check_impl.h"
#include "daq_digit.h"

/* ---- digit ---- */

static size_t longest_run(const double *v, size_t n) {
  size_t best = 1, run = 1;
  for (size_t i = 1; i < n; i++) {
    run = v[i] == v[i - 1] ? run + 1 : 1;
    if (run > best) best = run;
  }
  return best;
}

cb_status daq_check_digit(daq_check *c, daq_check_step *s, cb_err *err) {
  const daq_capture *p = &c->capture;
  const char *unit = c->rig->force.unit;
  double resolution = c->rig->calibration.present ? c->rig->calibration.resolution : 0;
  double *sorted = malloc(p->n * sizeof *sorted);
  if (!sorted) return cb_no_memory(err, "%zu readings", p->n);
  memcpy(sorted, p->value, p->n * sizeof *sorted);
  cb_sort(sorted, p->n);
  size_t distinct, run = longest_run(p->value, p->n);
  double digit = daq_digit_of(sorted, p->n, &distinct);
  free(sorted);
  if (resolution > 0)
    (void)snprintf(s->limit, sizeof s->limit, "calibration.resolution = %g %s", resolution, unit);
  daq_check_figure(s, "distinct", "1", (double)distinct, NAN);
  daq_check_figure(s, "longest_run", "1", (double)run, NAN);
  if (distinct == 1) {
    s->verdict = DAQ_WARN;
    (void)snprintf(s->text, sizeof s->text,
                   "all %zu reading%s are %g %s: the digit hides the noise, or the read-out is stuck", p->n,
                   CB_S(p->n), p->value[0], unit);
    return CB_OK;
  }
  daq_check_figure(s, "digit", unit, digit, NAN);
  /* Half a per cent for the rounding of decimal numbers; with fewer than three values a coarser digit cannot
   * be told. */
  bool shortest = c->bench.force.shortest;
  s->verdict = shortest || (resolution > 0 && digit > 1.005 * resolution) ? DAQ_WARN : DAQ_PASS;
  (void)snprintf(
      s->text, sizeof s->text, "%.4g %s; %zu different readings, at most %zu equal ones in a row%s", digit,
      unit, distinct, run,
      shortest ? "; its lines leave out trailing zeros, so that one which lost digits cannot be told: "
                 "let it print a fixed number of decimals"
               : "");
  return CB_OK;
}

/* ---- noise and drift ---- */

#define ALLAN_MAX 24

static void add_allan(daq_check_step *s, const char *unit, const cb_allan_point *a, size_t n) {
  for (size_t i = 0; i < n; i++) {
    daq_check_figure(s, "allan_deviation", unit, a[i].deviation, a[i].u);
    s->figure[s->n - 1].tau_s = a[i].tau_s;
  }
}

/* Means of so many readings come nearest to this length. */
static size_t width_of(const daq_check *c, double seconds) {
  double m = fmin(round(seconds / c->period_s), floor(0.5 * (double)c->capture.n));
  return m < 1 ? 1 : (size_t)m;
}

static void judge_noise(daq_check *c, daq_check_step *s, const double *sum) {
  const daq_capture *p = &c->capture;
  const char *unit = c->rig->force.unit;
  char per_root_Hz[32], mean[CB_PLUS_MINUS];
  (void)snprintf(per_root_Hz, sizeof per_root_Hz, "%s/sqrt(Hz)", unit);
  cb_allan_point a[ALLAN_MAX], *least = a, second = cb_allan_at(sum, p->n, c->period_s, width_of(c, 1));
  size_t n = cb_allan_octaves(sum, p->n, c->period_s, a, ALLAN_MAX);
  /* About a straight line: drift is judged by itself. */
  double sd = cb_line_fit(p->t_s, p->value, p->n).residual_sd, slope = daq_check_slope(c),
         overload_N = c->rig->force.overload_N;
  double density = a[0].deviation * sqrt(2 * a[0].tau_s), u_density = a[0].u * sqrt(2 * a[0].tau_s);
  for (size_t i = 1; i < n; i++)
    if (a[i].deviation < least->deviation) least = &a[i];
  c->noise_N = slope * cb_allan_at(sum, p->n, c->period_s, width_of(c, DAQ_LINK_REST_S)).deviation;
  s->verdict = slope == 0 ? DAQ_INFO
                          : daq_check_ladder(slope * second.deviation, 1e-3 * overload_N, 1e-2 * overload_N);
  (void)snprintf(s->text, sizeof s->text,
                 "sd %.3g %s, %.3g %s/sqrt(Hz); 1 s mean %s %s; quietest %.2g %s at %.3g s%s", sd, unit,
                 density, unit, cb_plus_minus_of_u(second.deviation, second.u, NAN, mean), unit,
                 least->deviation, unit, least->tau_s, least == a + n - 1 ? ", falling on" : "");
  if (slope > 0)
    (void)snprintf(s->limit, sizeof s->limit, "1 s mean <= 0.1 %% of force.overload_N = %.3g N",
                   1e-3 * overload_N);
  daq_check_figure(s, "sd", unit, sd, sd / sqrt(2 * (double)(p->n - 1)));
  daq_check_figure(s, "density", per_root_Hz, density, u_density);
  daq_check_figure(s, "mean_1s", unit, second.deviation, second.u);
  daq_check_figure(s, "bias_stability", unit, least->deviation, least->u);
  s->figure[s->n - 1].tau_s = least->tau_s;
  add_allan(s, unit, a, n);
}

#define READINGS_MIN 32 /* fewer give no curve */

cb_status daq_check_noise(daq_check *c, daq_check_step *s, cb_err *err) {
  const daq_capture *p = &c->capture;
  if (p->n < READINGS_MIN)
    return cb_fail(err, CB_E_DEVICE, "only %zu reading%s came, at least %d are needed", p->n, CB_S(p->n),
                   READINGS_MIN);
  double *sum = malloc((p->n + 1) * sizeof *sum);
  if (!sum) return cb_no_memory(err, "%zu readings", p->n);
  cb_allan_sum(p->value, p->n, sum);
  judge_noise(c, s, sum);
  free(sum);
  return CB_OK;
}

#define BLOCKS 16

/* Through the means of blocks, whose scatter holds what slow noise there is. */
static cb_line drift_of(const daq_check *c) {
  double t_s[BLOCKS], mean[BLOCKS];
  size_t width = c->capture.n / BLOCKS;
  for (size_t i = 0; i < BLOCKS; i++) {
    t_s[i] = ((double)i + 0.5) * (double)width * c->period_s;
    mean[i] = cb_mean(c->capture.value + i * width, width);
  }
  cb_line l = cb_line_fit(t_s, mean, BLOCKS);
  l.u_slope = hypot(l.u_slope, l.slope * c->u_period_rel);
  return l;
}

#define PULL_S 10.0 /* a pull and its zero: for so long one zero has to hold */

cb_status daq_check_drift(daq_check *c, daq_check_step *s, cb_err *err) {
  const char *unit = c->rig->force.unit;
  if (c->capture.n < READINGS_MIN)
    return cb_fail(err, CB_E_DEVICE, "only %zu reading%s came, at least %d are needed", c->capture.n,
                   CB_S(c->capture.n), READINGS_MIN);
  char text[CB_PLUS_MINUS];
  cb_line l = drift_of(c);
  double slope = daq_check_slope(c), limit_N = 1e-3 * c->rig->force.overload_N;
  c->drift_N_per_s = c->rig->calibration.slope_N_per_unit * l.slope;
  c->u_drift_N_per_s = slope * l.u_slope;
  /* What is no more than its uncertainty is not held against the read-out. */
  double sure_N = slope * fmax(fabs(l.slope) - 2 * l.u_slope, 0) * PULL_S;
  s->verdict = slope == 0 ? DAQ_INFO : daq_check_ladder(sure_N, limit_N, 10 * limit_N);
  (void)snprintf(s->text, sizeof s->text, "%s %s per minute over %.3g s",
                 cb_plus_minus_of_u(l.slope * 60, l.u_slope * 60, NAN, text), unit,
                 (double)c->capture.n * c->period_s);
  if (slope > 0)
    (void)snprintf(s->limit, sizeof s->limit, "0.1 %% of force.overload_N in %g s: %.3g N per minute", PULL_S,
                   limit_N * 60 / PULL_S);
  char per_s[32];
  (void)snprintf(per_s, sizeof per_s, "%s/s", unit);
  daq_check_figure(s, "drift", per_s, l.slope, l.u_slope);
  return CB_OK;
}

/* ---- zero ---- */

/* Before its first zero the guard takes readings as they come: an offset eats into its range. */
cb_status daq_check_zero(daq_check *c, daq_check_step *s, cb_err *err) {
  (void)err;
  double slope = daq_check_slope(c), overload_N = c->rig->force.overload_N, zero_N = slope * fabs(c->mean);
  s->verdict = slope == 0 ? DAQ_INFO : daq_check_ladder(zero_N, 0.5 * overload_N, 0.9 * overload_N);
  if (slope == 0)
    (void)snprintf(s->text, sizeof s->text,
                   "%.5g %s; without a calibration the guard cannot tell what is an overload", c->mean,
                   c->rig->force.unit);
  else
    (void)snprintf(s->text, sizeof s->text, "%.5g %s is %.3g N; the guard stops the stage %.4g N from there",
                   c->mean, c->rig->force.unit, zero_N, overload_N);
  if (slope > 0)
    (void)snprintf(s->limit, sizeof s->limit, "half of force.overload_N = %g N", 0.5 * overload_N);
  daq_check_figure(s, "zero", c->rig->force.unit, c->mean, NAN);
  return CB_OK;
}
