/* The motion in a log: positions, a speed, labels, or the log of another device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "cb_plural.h"
#include "cb_stats.h"
#include "cb_still.h"
#include "fit_clocks.h"
#include "fit_table_raw.h"
#include "fit_trace_impl.h"

#define MOVED_M 5e-5 /* the stage has moved by more */
#define ONE_WAY 0.9  /* of its range: it does not come back */
#define AGAINST 0.75 /* of the readings */
#define REST_LEAST 8 /* readings tell a level */

/* In SI. */
static cb_status converted(const cb_series *raw, const cb_run_channel *c, cb_series *out, cb_err *err) {
  *out = (cb_series){0};
  CB_TRY(cb_series_reserve(out, raw->n, err));
  for (size_t i = 0; i < raw->n; i++)
    out->t_s[i] = raw->t_s[i], out->v[i] = cb_run_channel_value(c, raw->v[i]);
  out->n = raw->n;
  return CB_OK;
}

/* The position in metres, whatever the record has. Caller: cb_series_clear, also after a failure. */
static cb_status position_of(const fit_trace *tr, cb_series *out, cb_err *err) {
  CB_TRY(converted(&tr->motion_raw, &tr->motion, out, err));
  if (tr->motion.channel == CB_CHANNEL_SPEED) cb_series_integrate(out);
  return CB_OK;
}

/* ---- positions, labels ---- */

static cb_status read_motion(const fit_table *t, const char *mapping, fit_trace *out, cb_err *err) {
  bool position = fit_table_given(t, POSITION), speed = fit_table_given(t, SPEED);
  if (position && speed)
    return cb_fail(err, CB_E_PARSE, "%s: both position and speed are given: one of them was wanted", mapping);
  if (!fit_table_given(t, TIME) && !fit_table_given(t, RATE))
    return cb_fail(err, CB_E_PARSE, "%s: a motion needs its time, or its rate", mapping);
  size_t field = position ? POSITION : SPEED;
  out->motion = fit_trace_converter(t, field, position ? CB_CHANNEL_POSITION : CB_CHANNEL_SPEED);
  CB_TRY(fit_trace_series(t, field, &out->motion_raw, NULL, err));
  return out->motion_raw.n >= 2
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "%s: %zu place%s of the stage: at least 2 are needed", mapping,
                       out->motion_raw.n, CB_S(out->motion_raw.n));
}

/* +1, -1 or an error. */
static cb_status label_of(const fit_table *t, size_t row, int *direction, cb_err *err) {
  const char *word = fit_table_text(t, DIRECTION, row), *forward = fit_table_text(t, FORWARD, row),
             *backward = fit_table_text(t, BACKWARD, row);
  *direction = strcmp(word, forward) == 0 ? 1 : strcmp(word, backward) == 0 ? -1 : 0;
  return *direction
             ? CB_OK
             : fit_table_fail(t, row, CB_E_PARSE, err, "direction = '%.60s': '%.60s' or '%.60s' was wanted",
                              word, forward, backward);
}

static cb_status push_stroke(fit_trace *out, size_t *cap, cb_run_stroke stroke, cb_err *err) {
  if (out->n_strokes == *cap) {
    cb_run_stroke *grown = cb_array_grow(out->strokes, cap, out->n_strokes + 1, sizeof *grown);
    if (!grown) return cb_no_memory(err, "%zu strokes", out->n_strokes + 1);
    out->strokes = grown;
  }
  out->strokes[out->n_strokes++] = stroke;
  return CB_OK;
}

/* Rows in a row with the same label are one stroke. */
static cb_status read_labels(const fit_table *t, const char *mapping, fit_trace *out, cb_err *err) {
  size_t cap = 0;
  int64_t sample = 0;
  if (!fit_table_given(t, FORWARD) || !fit_table_given(t, BACKWARD))
    return cb_fail(err, CB_E_PARSE, "%s: a column of directions needs its words, forward and backward",
                   mapping);
  for (size_t row = 0; row < fit_table_rows(t); row++) {
    int direction;
    if (isnan(fit_trace_time(t, row)) || isnan(fit_table_raw(t, FORCE, row))) continue;
    CB_TRY(label_of(t, row, &direction, err));
    bool same = out->n_strokes > 0 && out->strokes[out->n_strokes - 1].direction == direction;
    if (!same) CB_TRY(push_stroke(out, &cap, (cb_run_stroke){.first = sample, .direction = direction}, err));
    out->strokes[out->n_strokes - 1].n++;
    sample++;
  }
  return CB_OK;
}

/* ---- two clocks ---- */

/* The marker follows the position; the force follows the direction. */
static cb_status align(const fit_table *t, fit_trace *out, cb_err *err) {
  cb_series a = {0}, b = {0}, position = {0};
  bool marker = fit_table_given(t, MARKER);
  cb_status st;
  CB_GOTO(position_of(out, &position, err));
  if (marker)
    CB_GOTO(fit_trace_series(t, MARKER, &a, NULL, err));
  else
    CB_GOTO(converted(&out->force_raw, &out->force, &a, err));
  if (!marker) CB_GOTO(fit_clocks_direction(&position, &b, err));
  const cb_series *motion = marker ? &position : &b;
  double span_a = a.n ? a.t_s[a.n - 1] - a.t_s[0] : 0, span_b = motion->t_s[motion->n - 1] - motion->t_s[0];
  CB_GOTO(fit_clocks_align(&a, motion, 0.5 * fmin(span_a, span_b), !marker, &out->clocks, err));
  if (!marker) fit_clocks_check_onset(&a, &position, &out->clocks);
done:
  cb_series_clear(&a);
  cb_series_clear(&b);
  cb_series_clear(&position);
  return st;
}

static cb_status take_clocks(const fit_table *force, const fit_table *motion, const fit_trace_files *f,
                             fit_trace *out, cb_err *err) {
  out->two_clocks = true;
  if (fit_table_given(motion, OFFSET)) {
    double u = fit_table_number(motion, U_OFFSET, 0);
    out->clocks =
        (fit_clocks){.offset_s = fit_table_number(motion, OFFSET, 0), .u_offset_s = isnan(u) ? 0 : u};
  } else {
    cb_status st = align(force, out, err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s and %s", f->force.name, f->motion.name);
  }
  if (out->clocks.outcome != FIT_CLOCKS_OK)
    return cb_fail(err, CB_E_RANGE,
                   "%s and %s: their clocks cannot be compared (%s; best correlation %.2f): clock_offset in "
                   "%s would tell",
                   f->force.name, f->motion.name, fit_clocks_outcome_text[out->clocks.outcome],
                   out->clocks.correlation, f->motion_mapping.name);
  out->motion.clock_offset_s = out->clocks.offset_s;
  out->motion.u_clock_offset_s = out->clocks.u_offset_s;
  return CB_OK;
}

/* ---- what of the run follows from its motion ---- */

/* Fastest over a fiftieth of the record: what noise makes of two neighbours is no speed. */
static double fastest(const cb_series *x) {
  double span = x->t_s[x->n - 1] - x->t_s[0], window = span / 50, v = 0;
  if (!(span > 0)) return 0;
  for (size_t i = 0; i < x->n; i++) {
    double at = x->t_s[i] + window;
    if (at <= x->t_s[x->n - 1]) v = fmax(v, fabs(cb_series_at(x, at) - x->v[i]) / window);
  }
  return v;
}

/* Readings from before the stage was seen to move; 0, if it never was. */
static size_t count_rest(const fit_trace *t, const cb_series *x) {
  size_t i = 1;
  while (i < x->n && fabs(x->v[i] - x->v[0]) <= MOVED_M) i++;
  return i < x->n ? cb_series_lower_bound(&t->force_raw, x->t_s[i - 1] + t->motion.clock_offset_s) : 0;
}

static void flag_still(fit_trace *out, size_t n_rest) {
  const cb_series *f = &out->force_raw;
  size_t first, longest;
  if (cb_still_find(f->v, f->n, n_rest, &first, &longest)) fit_trace_flag(out, CB_STILL_FLAG);
}

/* A pull whose force has another sign than its motion, nearly all of the way: a drive that brakes is none. */
static cb_status flag_sign(fit_trace *out, const cb_series *x, size_t n_rest, cb_err *err) {
  const cb_series *f = &out->force_raw;
  if (fabs(x->v[x->n - 1] - x->v[0]) < ONE_WAY * out->run.travel_m) return CB_OK;
  if (n_rest < REST_LEAST || f->n < n_rest + REST_LEAST) return CB_OK;
  double *work = malloc(f->n * sizeof *work);
  if (!work) return cb_no_memory(err, "%zu readings", f->n);
  const double rest = cb_median(f->v, n_rest, work), sign = out->run.direction * out->force.c[1];
  free(work);
  size_t against = 0;
  for (size_t i = n_rest; i < f->n; i++) against += sign * (f->v[i] - rest) < 0;
  if ((double)against > AGAINST * (double)(f->n - n_rest)) fit_trace_flag(out, "force-against-motion");
  return CB_OK;
}

static cb_status measure_motion(fit_trace *out, size_t *n_rest, cb_err *err) {
  cb_series x;
  cb_run *r = &out->run;
  cb_status st = position_of(out, &x, err);
  if (st != CB_OK) {
    cb_series_clear(&x);
    return st;
  }
  double low = x.v[0], high = x.v[0];
  for (size_t i = 1; i < x.n; i++) low = fmin(low, x.v[i]), high = fmax(high, x.v[i]);
  r->travel_m = high - low;
  *n_rest = count_rest(out, &x);
  flag_still(out, *n_rest);
  r->direction = x.v[x.n - 1] < x.v[0] ? -1 : 1;
  r->speed_m_per_s = fastest(&x);
  st = flag_sign(out, &x, *n_rest, err);
  cb_series_clear(&x);
  return st;
}

static cb_status check_sources(const fit_table *force, const fit_table *motion, const char *name,
                               cb_err *err) {
  bool own = fit_table_given(force, POSITION) || fit_table_given(force, SPEED),
       labels = fit_table_given(force, DIRECTION);
  if ((own ? 1 : 0) + (labels ? 1 : 0) + (motion ? 1 : 0) == 1) return CB_OK;
  return cb_fail(
      err, CB_E_PARSE,
      "%s: the motion is told %s: by position or speed, by direction, or by a file of its own was wanted",
      name, own || labels || motion ? "more than once" : "nowhere");
}

cb_status fit_trace_motion(const fit_table *force, const fit_table *motion, const fit_trace_files *f,
                           fit_trace *out, size_t *n_rest, cb_err *err) {
  *n_rest = 0;
  CB_TRY(check_sources(force, motion, f->force_mapping.name, err));
  if (fit_table_given(force, DIRECTION)) return read_labels(force, f->force_mapping.name, out, err);
  if (out->run.rate_Hz == 0)
    return cb_fail(err, CB_E_PARSE, "%s: a force with a motion needs its time, or its rate",
                   f->force_mapping.name);
  if (motion) CB_TRY(fit_trace_check_time(motion, f->motion_mapping.name, err));
  CB_TRY(read_motion(motion ? motion : force, motion ? f->motion_mapping.name : f->force_mapping.name, out,
                     err));
  if (motion) CB_TRY(take_clocks(force, motion, f, out, err));
  return measure_motion(out, n_rest, err);
}
