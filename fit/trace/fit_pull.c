#include "fit_pull.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "cb_stats.h"
#include "cb_stray.h"
#include "fit_peak.h"
#include "fit_fault_find.h"
#include "fit_plateau_describe.h"

/* So many readings before a rise are no zero. */
#define RISE_SAMPLES 5
/* Where the peak is unknown by more than this part of it, there is no telling how high it was. */
#define PEAK_UNSEEN_REL 0.5
/* Between two positions no further apart than this part of the travel, the stage moved evenly. */
#define BLIND_STEP_REL 0.02
/* Usual steps between two positions: a longer one may be a pause of the log. */
#define PAUSE_STEPS 10
/* A reading so many standard deviations off the level at rest is no longer at rest. */
#define REST_SIGMA 5
/* A stage keeps its speed to so much. */
#define SPEED_TOLERANCE 1.02
/* So much of the plateau window must surely have been read in it. */
#define PLATEAU_SEEN_REL 0.5

const char *const fit_pull_outcome_text[] = {"reduced",
                                             "the stage never moved",
                                             "too few samples before the motion",
                                             "too few samples surely in the plateau window",
                                             "the times of the readings are not known",
                                             "the pull went wrong"};

fit_pull_options fit_pull_options_default(void) {
  return (fit_pull_options){.moving_threshold_m = 5e-5,
                            .static_drop_rel = 0.02,
                            .static_drop_sigma = 8,
                            .plateau_from_rel = 0.3,
                            .plateau_to_rel = 0.95};
}

void fit_pull_method(const fit_pull_options *opt, char out[160]) {
  (void)snprintf(out, 160, "pull/9 moving=%gm static_drop=%g,%gsigma plateau=%g..%g", opt->moving_threshold_m,
                 opt->static_drop_rel, opt->static_drop_sigma, opt->plateau_from_rel, opt->plateau_to_rel);
}

static cb_status check_series(const cb_series *s, const char *what, cb_err *err) {
  if (s->n < 2)
    return cb_fail(err, CB_E_RANGE, "%s: %zu sample%s: at least 2 are needed", what, s->n, CB_S(s->n));
  for (size_t i = 0; i < s->n; i++) {
    if (!isfinite(s->t_s[i]) || !isfinite(s->v[i]))
      return cb_fail(err, CB_E_NUM, "%s: sample %zu is (%g s, %g): both must be finite", what, i, s->t_s[i],
                     s->v[i]);
    if (i > 0 && s->t_s[i] < s->t_s[i - 1])
      return cb_fail(err, CB_E_RANGE,
                     "%s: sample %zu at %.9g s comes before its predecessor at %.9g s: times must ascend",
                     what, i, s->t_s[i], s->t_s[i - 1]);
  }
  return CB_OK;
}

/* The pull as the reduction sees it: force along the motion, and the displacement of the stage at every force
 * sample. */
typedef struct view {
  size_t n;
  const double *t_s;
  double *force_N;      /* zeroed once the zero is known */
  double *x_m;          /* displacement since rest, positive along the motion */
  double *low_m, *up_m; /* it surely lies between these */
  double *work;         /* twice as many */
  size_t n_lost;        /* readings missing from the stream */
  double u_digit_N, usual_step_s, late_s;
  bool *stray; /* left out: the straight line between its neighbours is in its place */
} view;

/* The least (side -1) or largest (side 1) displacement at t. Between positions far apart the stage went from
 * one to the other at any time, but no faster than it goes. */
static double extreme_m(const cb_trace *trace, double t_s, int direction, double blind_m, int side) {
  const cb_series *p = &trace->position_m;
  size_t i = cb_series_lower_bound(p, t_s);
  double x = direction * (cb_series_at(p, t_s) - p->v[0]);
  if (i == 0 || i == p->n || fabs(p->v[i] - p->v[i - 1]) <= blind_m) return x;
  double a = direction * (p->v[i - 1] - p->v[0]), b = direction * (p->v[i] - p->v[0]);
  double v = trace->speed_m_per_s > 0 ? SPEED_TOLERANCE * trace->speed_m_per_s : INFINITY;
  double low = fmax(fmin(a, b), b - v * (p->t_s[i] - t_s)),
         up = fmin(fmax(a, b), a + v * (t_s - p->t_s[i - 1]));
  return side < 0 ? fmin(low, x) : fmax(up, x);
}

/* Between two readings. Readings that came in chunks have no times of their own: then it is the mean. */
static double usual_step(view *v) {
  for (size_t i = 1; i < v->n; i++) v->work[i - 1] = v->t_s[i] - v->t_s[i - 1];
  const double usual = cb_median(v->work, v->n - 1, v->work + v->n);
  return usual > 0 ? usual : (v->t_s[v->n - 1] - v->t_s[0]) / (double)(v->n - 1);
}

/* The least step of n readings, if all are whole steps apart: a coarser digit than the one declared. 0: they
 * are not. work: n. */
static double step_of_readings(const double *force_N, size_t n, double *work) {
  double step = INFINITY;
  memcpy(work, force_N, n * sizeof *work);
  cb_sort(work, n);
  for (size_t i = 1; i < n; i++)
    if (work[i] > work[i - 1]) step = fmin(step, work[i] - work[i - 1]);
  if (!isfinite(step)) return 0;
  for (size_t i = 1; i < n; i++) {
    const double steps = (work[i] - work[0]) / step;
    if (fabs(steps - round(steps)) > 1e-3 * fmax(1, steps / 100)) return 0;
  }
  return step;
}

static cb_status view_init(view *v, const cb_trace *trace, int direction, double travel_m, cb_err *err) {
  const cb_series *f = &trace->force_N;
  double blind_m = BLIND_STEP_REL * travel_m;
  *v = (view){.n = f->n, .t_s = f->t_s, .n_lost = trace->n_lost, .u_digit_N = trace->digit_N / sqrt(12)};
  double *block = malloc(6 * f->n * sizeof *block);
  v->stray = malloc(f->n * sizeof *v->stray);
  if (!block || !v->stray) {
    free(block);
    return cb_no_memory(err, "a pull of %zu samples", f->n);
  }
  v->force_N = block;
  v->x_m = block + f->n;
  v->low_m = block + 2 * f->n;
  v->up_m = block + 3 * f->n;
  v->work = block + 4 * f->n;
  v->u_digit_N = fmax(v->u_digit_N, step_of_readings(f->v, f->n, v->work) / sqrt(12));
  for (size_t i = 0; i < f->n; i++) {
    v->force_N[i] = direction * f->v[i];
    v->x_m[i] = direction * (cb_series_at(&trace->position_m, f->t_s[i]) - trace->position_m.v[0]);
    v->low_m[i] = extreme_m(trace, f->t_s[i] - trace->doubt_s, direction, blind_m, -1);
    v->up_m[i] = extreme_m(trace, f->t_s[i] + trace->doubt_s, direction, blind_m, 1);
  }
  v->usual_step_s = usual_step(v);
  v->late_s = cb_stray_late_s(v->t_s, v->n, v->work);
  return CB_OK;
}

static void view_clear(view *v) {
  free(v->force_N);
  free(v->stray);
}

static bool in_cruise(const cb_series *position, size_t i, double way) {
  const double x = (position->v[i] - position->v[0]) / way;
  return x >= 0.25 && x <= 0.75;
}

/* A log that paused, or whose clock jumped, in the cruise: positions from `at` on are late by this much. 0:
 * none is. The longest step counts if it is many times the usual one, and the stage did not move on in it. */
static double pause_of(const cb_series *position, double way, size_t *at) {
  double longest = 0, span = 0, n = 0;
  *at = 0;
  for (size_t i = 1; i < position->n; i++) {
    if (!in_cruise(position, i - 1, way) || !in_cruise(position, i, way)) continue;
    double step = position->t_s[i] - position->t_s[i - 1];
    span += step;
    n++;
    if (step > longest) longest = step, *at = i;
  }
  if (n < 3 || longest < PAUSE_STEPS * (span - longest) / (n - 1)) return 0;
  double went = fabs(position->v[*at] - position->v[*at - 1]);
  return went < 0.5 * 0.5 * fabs(way) * longest / span ? longest : 0;
}

/* Where the cruise (25 to 75 % of the way), carried back at its mean speed, leaves the place of rest. A busy
 * host stamps positions late, never early: the earliest of all such lines counts. INFINITY if there are too
 * few samples. */
static double cruise_start(const cb_series *position) {
  double way = position->v[position->n - 1] - position->v[0], st = 0, sx = 0, stt = 0, stx = 0, n = 0,
         earliest = INFINITY;
  if (way == 0) return INFINITY; /* it came back, or what came between was lost */
  size_t at;
  const double pause_s = pause_of(position, way, &at);
  for (int pass = 0; pass < 3; pass++) {
    double speed = pass == 2 && stt > 0 ? stx / stt : 0; /* too few positions: at one time, or at none */
    for (size_t i = 0; i < position->n; i++) {
      double t = position->t_s[i] - (i >= at ? pause_s : 0), x = (position->v[i] - position->v[0]) / way;
      if (!in_cruise(position, i, way)) continue;
      if (pass == 0) n++, st += t, sx += x;
      if (pass == 1) stt += (t - st / n) * (t - st / n), stx += (t - st / n) * (x - sx / n);
      if (pass == 2 && n >= 4 && speed > 0) earliest = fmin(earliest, t - x / speed);
    }
  }
  return earliest;
}

/* Time up to which the stage surely rested: its last position sample at rest, or earlier where the cruise
 * says so. False if it never moved. */
static bool motion_start(const cb_series *position, double threshold_m, double *t_s) {
  for (size_t i = 1; i < position->n; i++) {
    if (fabs(position->v[i] - position->v[0]) <= threshold_m) continue;
    *t_s = fmin(position->t_s[i - 1], cruise_start(position));
    return true;
  }
  return false;
}

/* First of n samples, from index `from` on, at or beyond displacement x; n if none. */
static size_t reach(const double *displacement_m, size_t n, size_t from, double x_m) {
  size_t i = from;
  while (i < n && displacement_m[i] < x_m) i++;
  return i;
}

static void take_zero(view *v, size_t n_zero, fit_pull *out) {
  out->zero_N = cb_mean(v->force_N, n_zero);
  out->zero_sd_N = cb_sd(v->force_N, n_zero);
  out->u_zero_N = fmax(cb_mean_uncertainty(v->force_N, n_zero, NULL), v->u_digit_N);
  for (size_t i = 0; i < v->n; i++) v->force_N[i] -= out->zero_N;
}

/* Displacement at which the link surely has become taut: the force passes half of what it is later.
 * Everything before is slack and belongs to neither window. */
static double taut_at(const view *v, size_t first, size_t end) {
  size_t middle = reach(v->x_m, v->n, first, 0.5 * (v->x_m[first] + v->x_m[end - 1]));
  if (middle >= end) return v->x_m[first];
  double typical = cb_median(v->force_N + middle, end - middle, v->work);
  for (size_t i = first; i < end; i++)
    if (v->force_N[i] >= 0.5 * typical) return v->up_m[i];
  return v->x_m[first];
}

/* First local maximum that the force then left by a marked drop, back-tracked to the highest reading before
 * it (the usual "hysteresis" rule of friction testers). n if none stands out before `end`. */
static size_t static_peak(const view *v, size_t first, size_t end, double drop_rel, double drop_N) {
  size_t top = first;
  for (size_t i = first; i < end; i++) {
    if (v->force_N[i] > v->force_N[top])
      top = i;
    else if (v->force_N[i] < v->force_N[top] - fmax(drop_rel * v->force_N[top], drop_N))
      return v->force_N[top] > drop_N ? top : v->n;
  }
  return v->n;
}

/* Not resolved (NAN) where the readings came too slowly for the link's stiffness. Readings that are missing
 * from the stream may have been those at the peak, and one that is older than its time is short of it. */
static void take_static(const view *v, size_t top, size_t first, size_t end, fit_pull *out) {
  const fit_peak_record record = {.n = v->n,
                                  .t_s = v->t_s,
                                  .force_N = v->force_N,
                                  .stray = v->stray,
                                  .noise_N = fmax(out->zero_sd_N, v->u_digit_N),
                                  .usual_step_s = v->usual_step_s};
  fit_peak peak;
  if (!fit_peak_bound(&record, top, first, end, out->n_stray, &peak)) return;
  const double lost_s = v->usual_step_s * (double)v->n_lost + 0.5 * v->late_s,
               lost = lost_s > 0 ? peak.rise_N_per_s * lost_s : 0, h = peak.high_N - peak.low_N;
  if (h + lost > PEAK_UNSEEN_REL * v->force_N[top]) return;
  out->static_N = 0.5 * (peak.low_N + peak.high_N);
  out->u_static_N =
      sqrt(out->zero_sd_N * out->zero_sd_N + out->u_zero_N * out->u_zero_N + h * h / 12 + lost * lost / 3);
  out->x_static_m = v->x_m[top];
}

static cb_status take_plateau(const view *v, size_t from, size_t to, fit_pull *out, cb_err *err) {
  const fit_plateau_record window = {.n = to - from,
                                     .t_s = v->t_s + from,
                                     .x_m = v->x_m + from,
                                     .force_N = v->force_N + from,
                                     .noise_sd_N = out->zero_sd_N};
  CB_TRY(fit_plateau_describe(&window, &out->plateau, err));
  out->n_eff = out->plateau.n_eff;
  out->kinetic_N = out->plateau.mean_N;
  out->kinetic_sd_N = out->plateau.sd_N;
  /* Noise of less than half a digit does not stir it: the mean is one of the digit's steps. */
  if (out->plateau.sd_N < 0.5 * sqrt(12) * v->u_digit_N)
    out->plateau.u_mean_N = fmax(out->plateau.u_mean_N, v->u_digit_N);
  out->u_kinetic_N = hypot(out->plateau.u_mean_N, out->u_zero_N);
  out->window_from_m = v->x_m[from];
  out->window_to_m = v->x_m[to - 1];
  out->outcome = FIT_PULL_OK;
  return CB_OK;
}

static void take_faults(const view *v, const cb_trace *trace, size_t first, size_t from, size_t to,
                        fit_pull *out) {
  const fit_fault_record r = {.n = v->n,
                              .first = first,
                              .from = from,
                              .to = to,
                              .t_s = v->t_s,
                              .x_m = v->x_m,
                              .low_m = v->low_m,
                              .up_m = v->up_m,
                              .force_N = v->force_N,
                              .noise_sd_N = out->zero_sd_N,
                              .digit_N = v->u_digit_N * sqrt(12),
                              .late_s = v->late_s,
                              .u_kinetic_N = out->u_kinetic_N,
                              .u_scale_N = trace->u_scale_rel * fabs(out->kinetic_N),
                              .speed_m_per_s = trace->speed_m_per_s,
                              .plateau = &out->plateau};
  fit_faults_find(&r, &out->faults, &out->kinetic_N);
  out->u_kinetic_N = hypot(out->u_kinetic_N, fit_faults_uncertainty_N(&out->faults));
  if (fit_faults_validity(&out->faults) == FIT_INVALID) out->outcome = FIT_PULL_INVALID;
}

/* How many readings, the first, make the zero: those the engine took at rest, or else those before the
 * motion. */
static size_t zero_readings(const cb_trace *trace, double t_start_s) {
  size_t n = trace->n_rest;
  while (trace->n_rest == 0 && n < trace->force_N.n && trace->force_N.t_s[n] <= t_start_s) n++;
  return n;
}

/* The force may rise before the stage is seen to move: servo and link are already at work. What stands off
 * the level of the first half, at the end of the rest, is no zero, nor are the last readings before it. */
static size_t without_rise(const view *v, size_t n) {
  size_t half = n / 2, end = n;
  if (half < 2) return n;
  double level = cb_mean(v->force_N, half), limit = REST_SIGMA * cb_sd(v->force_N, half) + 1e-9 * fabs(level);
  while (end > half && fabs(v->force_N[end - 1] - level) > limit) end--;
  return end == n || end < half + RISE_SAMPLES ? end : end - RISE_SAMPLES;
}

/* False: there is none. */
static bool find_zero(view *v, const cb_trace *trace, int direction, size_t n_zero, fit_pull *out) {
  if (n_zero < FIT_PULL_MIN_READINGS && !trace->zero_given) return false;
  if (n_zero >= FIT_PULL_MIN_READINGS) take_zero(v, trace->n_rest ? n_zero : without_rise(v, n_zero), out);
  if (!trace->zero_given) return true;
  double given_N = direction * trace->zero_N;
  for (size_t i = 0; i < v->n; i++) v->force_N[i] += out->zero_N - given_N;
  out->zero_N = given_N;
  out->u_zero_N = fmax(trace->u_zero_N, v->u_digit_N);
  return true;
}

/* The plateau begins once the sled has slid for a part of the way that is left. Before its peak it may hang
 * on a long link; behind it the link rings. */
static double plateau_from(double since_m, double travel_m, const fit_pull_options *opt) {
  return since_m + opt->plateau_from_rel * (travel_m - since_m);
}

/* The windows of a pull that has moved. */
static cb_status reduce(view *v, const cb_trace *trace, int direction, double travel_m,
                        const fit_pull_options *opt, fit_pull *out, cb_err *err) {
  size_t n_zero = zero_readings(trace, out->t_start_s);
  CB_TRY(cb_stray_bridge(v->t_s, v->force_N, v->n, n_zero, trace->digit_N, v->stray, &out->n_stray, err));
  out->outcome = FIT_PULL_NO_ZERO;
  if (!find_zero(v, trace, direction, n_zero, out)) return CB_OK;
  out->outcome = FIT_PULL_NO_PLATEAU;
  double to_m = opt->plateau_to_rel * travel_m;
  size_t end = reach(v->up_m, v->n, n_zero, to_m);
  if (end == v->n || end < n_zero + FIT_PULL_MIN_READINGS) return CB_OK;
  double from_m = plateau_from(taut_at(v, n_zero, end), travel_m, opt);
  size_t from = reach(v->low_m, v->n, n_zero, from_m);
  size_t stop = from < end ? from : end;
  size_t top = static_peak(v, n_zero, stop, opt->static_drop_rel,
                           opt->static_drop_sigma * fmax(out->zero_sd_N, v->u_digit_N));
  if (top < stop) {
    take_static(v, top, n_zero, stop, out);
    from_m = fmax(from_m, plateau_from(v->up_m[top], travel_m, opt));
    from = reach(v->low_m, v->n, from, from_m);
  }
  if (end < from + FIT_PULL_MIN_READINGS ||
      v->x_m[end - 1] - v->x_m[from] < PLATEAU_SEEN_REL * (to_m - from_m))
    return CB_OK;
  CB_TRY(take_plateau(v, from, end, out, err));
  take_faults(v, trace, n_zero, from, end, out);
  return CB_OK;
}

cb_status fit_pull_reduce(const cb_trace *trace, int direction, double travel_m, const fit_pull_options *opt,
                          fit_pull *out, cb_err *err) {
  assert(direction == 1 || direction == -1);
  *out =
      (fit_pull){.static_N = NAN, .u_static_N = NAN, .x_static_m = NAN, .kinetic_N = NAN, .u_kinetic_N = NAN};
  CB_TRY(check_series(&trace->force_N, "force", err));
  CB_TRY(check_series(&trace->position_m, "position", err));
  CB_TRY(cb_check_range(travel_m, 1e-6, INFINITY, "travel_m", "m", err));
  out->outcome = FIT_PULL_NO_CLOCK;
  if (!isfinite(trace->doubt_s)) return CB_OK;
  out->outcome = FIT_PULL_NO_MOTION;
  if (!motion_start(&trace->position_m, opt->moving_threshold_m, &out->t_start_s)) return CB_OK;
  view v;
  cb_status st = view_init(&v, trace, direction, travel_m, err);
  if (st == CB_OK) st = reduce(&v, trace, direction, travel_m, opt, out, err);
  out->zero_N *= direction; /* as the force channel reads it */
  view_clear(&v);
  return st;
}

void fit_pull_zero_drift(fit_pull *p, int direction, double drift_N) {
  double half = 0.5 * drift_N, u = fabs(half) / sqrt(3);
  p->zero_N += half;
  p->static_N -= direction * half;
  p->kinetic_N -= direction * half;
  p->u_zero_N = hypot(p->u_zero_N, u);
  p->u_static_N = hypot(p->u_static_N, u);
  p->u_kinetic_N = hypot(p->u_kinetic_N, u);
}
