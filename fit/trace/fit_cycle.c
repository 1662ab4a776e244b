#include "fit_cycle.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_stats.h"
#include "cb_stray.h"
#include "fit_plateau_describe.h"

#define MIN_WINDOW 8

const char *const fit_cycle_outcome_text[] = {"reduced", "all strokes go the same way",
                                              "too few readings in the strokes' windows"};

fit_cycle_options fit_cycle_options_default(void) {
  return (fit_cycle_options){.from_rel = 0.3, .to_rel = 0.95};
}

void fit_cycle_method(const fit_cycle_options *opt, char out[160]) {
  (void)snprintf(out, 160, "cycle/3 hysteresis=%g window=%g..%g", FIT_STROKES_HYSTERESIS_REL, opt->from_rel,
                 opt->to_rel);
}

void fit_cycle_clear(fit_cycle *c) {
  free(c->strokes);
  *c = (fit_cycle){0};
}

/* ---- the record ---- */

typedef struct record {
  const cb_trace *trace;
  double *force_N; /* without readings that stand alone */
  size_t n;
  bool placed;  /* positions and times are known */
  double *x_m;  /* displacement within a stroke, along it */
  double *work; /* n doubles each; one block, owned through x_m */
} record;

static cb_status check_strokes(const cb_trace *t, const fit_stroke *strokes, size_t n, cb_err *err) {
  for (size_t i = 0; i < t->force_N.n; i++)
    if (!isfinite(t->force_N.v[i]) || !isfinite(t->force_N.t_s[i]))
      return cb_fail(err, CB_E_NUM, "force: sample %zu is (%g s, %g): both must be finite", i,
                     t->force_N.t_s[i], t->force_N.v[i]);
  for (size_t k = 0; k < n; k++)
    if (strokes[k].n == 0 || strokes[k].first + strokes[k].n > t->force_N.n || abs(strokes[k].direction) != 1)
      return cb_fail(err, CB_E_RANGE,
                     "stroke %zu: readings %zu to %zu, direction %d: the force has %zu reading%s", k + 1,
                     strokes[k].first, strokes[k].first + strokes[k].n, strokes[k].direction, t->force_N.n,
                     CB_S(t->force_N.n));
  return CB_OK;
}

/* When a reading was taken; its number, where that is not known. */
static double moment(const record *r, size_t i) {
  return isfinite(r->trace->doubt_s) ? r->trace->force_N.t_s[i] : (double)i;
}

static void place_stroke(const record *r, const fit_stroke *s) {
  const cb_series *p = &r->trace->position_m;
  for (size_t i = s->first; i < s->first + s->n; i++)
    r->x_m[i] = r->placed ? s->direction * (cb_series_at(p, r->trace->force_N.t_s[i]) -
                                            cb_series_at(p, r->trace->force_N.t_s[s->first]))
                          : (double)(i - s->first);
}

/* ---- windows ---- */

/* Middle between the medians forward and backward: a zero good enough to see where the force has turned. */
static double rough_zero(const record *r, const fit_stroke *strokes, size_t n) {
  double sum[2] = {0}, count[2] = {0};
  for (size_t k = 0; k < n; k++) {
    int side = strokes[k].direction > 0 ? 0 : 1;
    sum[side] += cb_median(r->force_N + strokes[k].first, strokes[k].n, r->work);
    count[side]++;
  }
  return 0.5 * (sum[0] / count[0] + sum[1] / count[1]);
}

static fit_stroke window_of(const record *r, const fit_stroke *s, double zero_N,
                            const fit_cycle_options *opt) {
  size_t end = s->first + s->n, taut = s->first, from, to;
  double half = 0.5 * (s->direction * (cb_median(r->force_N + s->first, s->n, r->work) - zero_N));
  while (taut + 1 < end && s->direction * (r->force_N[taut] - zero_N) < half) taut++;
  double way = r->x_m[end - 1], begin = r->x_m[taut] + opt->from_rel * (way - r->x_m[taut]);
  for (from = taut; from < end && r->x_m[from] < begin; from++) continue;
  for (to = from; to < end && r->x_m[to] < opt->to_rel * way; to++) continue;
  return (fit_stroke){.direction = s->direction, .first = from, .n = to - from < MIN_WINDOW ? 0 : to - from};
}

/* ---- strokes -> friction and zero ---- */

/* What the strokes of one direction say at a moment: level, change per time, and the standard uncertainty of
 * both; slope NAN: one stroke.
 */
typedef struct side {
  double level, u, slope, u_slope;
} side;

typedef struct means {
  size_t n;
  double *t, *m; /* of the strokes with a window; n each */
  double u2;     /* mean square of what the readings alone leave open */
} means;

static void take_means(const record *r, const fit_cycle *c, int direction, means *out) {
  out->n = 0;
  out->u2 = 0;
  for (size_t k = 0; k < c->n_strokes; k++) {
    const fit_stroke *w = &c->strokes[k].window;
    if (w->n == 0 || w->direction != direction) continue;
    double u = cb_mean_uncertainty(r->force_N + w->first, w->n, NULL);
    out->t[out->n] = 0.5 * (moment(r, w->first) + moment(r, w->first + w->n - 1));
    out->m[out->n++] = cb_mean(r->force_N + w->first, w->n);
    out->u2 += u * u;
  }
  out->u2 /= (double)out->n;
}

/* A line through the strokes' means; its scatter is at least that of the readings. */
static side line_at(const means *a, double t) {
  double n = (double)a->n, mean_t = cb_mean(a->t, a->n), stt = 0;
  for (size_t i = 0; i < a->n; i++) stt += (a->t[i] - mean_t) * (a->t[i] - mean_t);
  cb_line l = cb_line_fit(a->t, a->m, a->n);
  double var = a->n > 2 ? fmax(a->u2, l.residual_sd * l.residual_sd) : a->u2;
  return (side){l.intercept + l.slope * t, sqrt(var * (1 / n + (t - mean_t) * (t - mean_t) / stt)), l.slope,
                sqrt(var / stt)};
}

static side mean_of(const means *a) {
  return (side){cb_mean(a->m, a->n), sqrt(a->u2 / (double)a->n), NAN, NAN};
}

static void join(const record *r, const side *forward, const side *backward, fit_cycle *out) {
  double span = moment(r, r->n - 1) - moment(r, 0);
  out->friction_N = 0.5 * (forward->level - backward->level);
  out->zero_N = 0.5 * (forward->level + backward->level);
  out->u_friction_N = out->u_zero_N =
      fmax(0.5 * hypot(forward->u, backward->u), r->trace->digit_N / sqrt(12));
  out->friction_drift_N = 0.5 * (forward->slope - backward->slope) * span;
  out->zero_drift_N = 0.5 * (forward->slope + backward->slope) * span;
  out->u_friction_drift_N = out->u_zero_drift_N = 0.5 * hypot(forward->u_slope, backward->u_slope) * span;
}

static cb_status solve_cycle(const record *r, fit_cycle *out, cb_err *err) {
  size_t n = out->n_strokes;
  double *block = malloc(4 * n * sizeof *block);
  if (!block) return cb_no_memory(err, "%zu strokes", n);
  means f = {.t = block, .m = block + n}, b = {.t = block + 2 * n, .m = block + 3 * n};
  take_means(r, out, 1, &f);
  take_means(r, out, -1, &b);
  bool lines = f.n > 1 && b.n > 1;
  double middle = 0.5 * (cb_mean(f.t, f.n) + cb_mean(b.t, b.n));
  side forward = lines ? line_at(&f, middle) : mean_of(&f),
       backward = lines ? line_at(&b, middle) : mean_of(&b);
  join(r, &forward, &backward, out);
  free(block);
  return CB_OK;
}

/* Friction over the first or the second half of every window. */
static double friction_of_half(const record *r, const fit_cycle *c, int half) {
  double sum[2] = {0}, n[2] = {0};
  for (size_t k = 0; k < c->n_strokes; k++) {
    const fit_stroke *w = &c->strokes[k].window;
    if (w->n == 0) continue;
    const int way = w->direction > 0 ? 0 : 1;
    sum[way] += cb_mean(r->force_N + w->first + (half ? w->n - w->n / 2 : 0), w->n / 2);
    n[way]++;
  }
  return 0.5 * (sum[0] / n[0] - sum[1] / n[1]);
}

/* Where the window lies is the same for all strokes: a creep into the plateau or a dwell at the end does not
 * average out. */
static void add_window(const record *r, fit_cycle *out) {
  const double halves = friction_of_half(r, out, 0) - friction_of_half(r, out, 1);
  out->u_window_N = fabs(halves) / sqrt(12);
  out->u_friction_N = hypot(out->u_friction_N, out->u_window_N);
}

/* ---- what each stroke looks like ---- */

static cb_status describe_stroke(const record *r, const fit_stroke *w, double zero_N, fit_plateau *out,
                                 cb_err *err) {
  bool timed = isfinite(r->trace->doubt_s);
  for (size_t i = 0; i < w->n; i++) r->work[i] = w->direction * (r->force_N[w->first + i] - zero_N);
  const fit_plateau_record s = {.n = w->n,
                                .t_s = timed ? r->trace->force_N.t_s + w->first : NULL,
                                .x_m = r->placed ? r->x_m + w->first : NULL,
                                .force_N = r->work};
  return fit_plateau_describe(&s, out, err);
}

static cb_status describe_strokes(const record *r, fit_cycle *out, cb_err *err) {
  double squares = 0, n = 0;
  for (size_t k = 0; k < out->n_strokes; k++) {
    const fit_stroke *w = &out->strokes[k].window;
    if (w->n == 0) continue;
    CB_TRY(describe_stroke(r, w, out->zero_N, &out->strokes[k].plateau, err));
    squares += out->strokes[k].plateau.sd_N * out->strokes[k].plateau.sd_N * (double)(w->n - 1);
    n += (double)w->n;
    out->n_eff += out->strokes[k].plateau.n_eff;
  }
  out->sd_N = sqrt(squares / n);
  return CB_OK;
}

static cb_status reduce(const record *r, const fit_stroke *strokes, const fit_cycle_options *opt,
                        fit_cycle *out, cb_err *err) {
  size_t ways[2] = {0};
  out->outcome = FIT_CYCLE_ONE_WAY;
  for (size_t k = 0; k < out->n_strokes; k++) ways[strokes[k].direction > 0 ? 0 : 1]++;
  if (ways[0] == 0 || ways[1] == 0) return CB_OK;
  for (size_t k = 0; k < out->n_strokes; k++) place_stroke(r, &strokes[k]);
  double zero = rough_zero(r, strokes, out->n_strokes);
  for (size_t k = 0; k < out->n_strokes; k++) {
    out->strokes[k].window = window_of(r, &strokes[k], zero, opt);
    if (out->strokes[k].window.n > 0) out->n_used[strokes[k].direction > 0 ? 0 : 1]++;
  }
  out->outcome = FIT_CYCLE_SHORT;
  if (out->n_used[0] == 0 || out->n_used[1] == 0) return CB_OK;
  out->outcome = FIT_CYCLE_OK;
  CB_TRY(solve_cycle(r, out, err));
  add_window(r, out);
  return describe_strokes(r, out, err);
}

cb_status fit_cycle_reduce(const cb_trace *trace, const fit_stroke *strokes, size_t n,
                           const fit_cycle_options *opt, fit_cycle *out, cb_err *err) {
  *out = (fit_cycle){.friction_N = NAN,
                     .u_friction_N = NAN,
                     .zero_N = NAN,
                     .u_zero_N = NAN,
                     .zero_drift_N = NAN,
                     .u_zero_drift_N = NAN,
                     .friction_drift_N = NAN,
                     .u_friction_drift_N = NAN};
  CB_TRY(check_strokes(trace, strokes, n, err));
  if (n == 0) {
    out->outcome = FIT_CYCLE_ONE_WAY;
    return CB_OK;
  }
  const size_t n_force = trace->force_N.n;
  record r = {.trace = trace, .n = n_force};
  r.placed = trace->position_m.n > 0 && isfinite(trace->doubt_s);
  out->strokes = calloc(n, sizeof *out->strokes);
  r.x_m = malloc((3 * n_force + 1) * sizeof *r.x_m);
  cb_status st = CB_OK;
  if (!out->strokes || !r.x_m) {
    st = cb_no_memory(err, "%zu strokes and %zu readings", n, n_force);
  } else {
    r.work = r.x_m + n_force;
    r.force_N = r.work + n_force;
    out->n_strokes = n;
    memcpy(r.force_N, trace->force_N.v, n_force * sizeof *r.force_N);
    st = cb_stray_bridge(trace->force_N.t_s, r.force_N, n_force, 0, trace->digit_N, NULL, &out->n_stray, err);
    if (st == CB_OK) st = reduce(&r, strokes, opt, out, err);
  }
  free(r.x_m);
  return st;
}
