#include "daq_stream_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_clock.h"
#include "cb_plural.h"
#include "cb_stats.h"
#include "cb_still.h"
#include "cb_stray.h"

#define RATE_TOLERANCE 0.01
#define DOUBT_REL 0.05        /* of the pull's duration: what a plateau leaves free at its end */
#define BLIND_REL 0.2         /* of the motion's duration */
#define HOLE_PERIODS 4        /* between two readings that were asked for: a longer time is a hole */
#define BLIND_STEP_REL 0.02   /* of the travel: between nearer positions the stage moves evenly */
#define LATE_S 0.015          /* wall: one tick of a USB adapter's latency timer is 16 ms */
#define MOVED_M 5e-5          /* the stage has moved by more */
#define MOST_READINGS 4000000 /* a converter board at its fastest: its driver reports what it lost itself */

typedef struct check {
  cb_store *store;
  const cb_run *run;
  double time_scale;
  cb_series force, position;
  bool sound; /* so far: when its readings were taken, and where, is known */
} check;

static cb_status put_event(const check *c, double t_s, const char *kind, const char *text, cb_err *err) {
  return cb_store_event_put(c->store, c->run->campaign_id, c->run->id, t_s, kind, text, err);
}

/* The run tells less than it should: its readings cannot all be placed. */
static cb_status put_unsound(check *c, const char *flag, const char *text, cb_err *err) {
  c->sound = false;
  CB_TRY(put_event(c, 0, flag, text, err));
  return cb_store_run_flag(c->store, c->run->id, flag, err);
}

/* ---- positions ---- */

/* Seconds of the motion in which the stage may have been elsewhere than on the straight line between two
 * positions. */
static double blind_s(const cb_series *x, double speed_m_per_s, double step_m) {
  double sum_s = 0;
  for (size_t i = 1; i < x->n; i++) {
    double way_m = fabs(x->v[i] - x->v[i - 1]);
    if (way_m > step_m) sum_s += fmax(0, x->t_s[i] - x->t_s[i - 1] - way_m / speed_m_per_s);
  }
  return sum_s;
}

static cb_status tell_positions(check *c, cb_err *err) {
  char text[120];
  double blind = blind_s(&c->position, c->run->speed_m_per_s, BLIND_STEP_REL * c->run->travel_m);
  if (blind * c->run->speed_m_per_s <= BLIND_REL * c->run->travel_m) return CB_OK;
  (void)snprintf(text, sizeof text, "the stage's answers left open for %.3g s of the motion where it was",
                 blind);
  return put_unsound(c, "positions", text, err);
}

/* ---- gaps and clock ---- */

static cb_status tell_gaps(const check *c, const cb_clock *clock, cb_err *err) {
  char text[120];
  for (size_t i = 0; i < clock->n_gaps; i++) {
    const cb_clock_gap *g = &clock->gap[i];
    double t_s = c->force.t_s[g->after];
    const long n = labs(g->missing);
    (void)snprintf(text, sizeof text, "%ld reading%s %s %.3f s", n, CB_S(n),
                   g->missing > 0 ? CB_PLURAL(n, "is missing after", "are missing after") : "came twice at",
                   t_s);
    CB_TRY(put_event(c, t_s, "gap", text, err));
  }
  return clock->n_gaps > 0 ? cb_store_run_flag(c->store, c->run->id, "gaps", err) : CB_OK;
}

static cb_status tell_doubt(check *c, const cb_clock *clock, cb_err *err) {
  char text[120];
  if (clock->doubt_s * c->run->speed_m_per_s <= DOUBT_REL * c->run->travel_m) return CB_OK;
  (void)snprintf(text, sizeof text,
                 "the times of the readings may be wrong by %.3g s: they came late, or some are missing",
                 clock->doubt_s);
  return put_unsound(c, "clock", text, err);
}

static cb_status tell_rate(const check *c, const cb_clock *clock, cb_err *err) {
  char text[120];
  double rate_Hz = 1 / clock->period_s;
  if (fabs(rate_Hz / c->run->rate_Hz - 1) <= RATE_TOLERANCE) return CB_OK;
  (void)snprintf(text, sizeof text, "the read-out sent %.4g readings per second, the rig file says %.4g",
                 rate_Hz, c->run->rate_Hz);
  return put_event(c, 0, "rate", text, err);
}

static cb_status tell_late(const check *c, const cb_clock *clock, double *even_s, cb_err *err) {
  char text[120];
  size_t n = 0, first = 0;
  double worst_s = 0;
  for (size_t i = 0; i < c->force.n; i++) even_s[i] = 0;
  cb_clock_apply(clock, even_s, c->force.n);
  for (size_t i = 0; i < c->force.n; i++) {
    double late_s = (c->force.t_s[i] - even_s[i]) / c->time_scale;
    if (late_s > LATE_S && n++ == 0) first = i;
    worst_s = fmax(worst_s, late_s);
  }
  if (n == 0) return CB_OK;
  (void)snprintf(text, sizeof text,
                 "%zu reading%s came more than %g ms late, the latest %.1f ms; all are there", n, CB_S(n),
                 LATE_S * 1e3, worst_s * 1e3);
  return put_event(c, c->force.t_s[first], "latency", text, err);
}

/* ---- spikes ---- */

static cb_status put_spikes(const check *c, const bool *stray, size_t count, cb_err *err) {
  char text[200];
  size_t first = 0;
  const bool texture = (double)count > CB_STRAY_MOST * (double)c->force.n;
  if (count == 0) return CB_OK;
  while (!texture && !stray[first]) first++;
  if (texture)
    (void)snprintf(text, sizeof text,
                   "%zu of %zu reading%s %s alone: too many to leave out, all of them count", count,
                   c->force.n, CB_S(c->force.n), CB_PLURAL(count, "stands", "stand"));
  else
    (void)snprintf(text, sizeof text,
                   "%zu reading%s %s alone, the first %.6g at %.3f s: false digits on the line look like "
                   "that; %s left out",
                   count, CB_S(count), CB_PLURAL(count, "stands", "stand"), c->force.v[first],
                   c->force.t_s[first], CB_PLURAL(count, "it is", "they are"));
  CB_TRY(put_event(c, c->force.t_s[first], "spike", text, err));
  return cb_store_run_flag(c->store, c->run->id, CB_STRAY_FLAG, err);
}

static cb_status find_spikes(const check *c, const cb_trace *t, cb_err *err) {
  size_t count;
  bool *stray = malloc(t->force_N.n * sizeof *stray);
  if (!stray) return cb_no_memory(err, "to look through %zu readings", t->force_N.n);
  cb_status st =
      cb_stray_find(t->force_N.t_s, t->force_N.v, t->force_N.n, t->n_rest, t->digit_N, stray, &count, err);
  if (st == CB_OK) st = put_spikes(c, stray, count, err);
  free(stray);
  return st;
}

/* As whoever reduces the run sees it: with its zero, its digit and its clock. */
static cb_status tell_spikes(const check *c, cb_err *err) {
  cb_trace t;
  CB_TRY(cb_store_trace(c->store, c->run, &t, err));
  cb_status st = find_spikes(c, &t, err);
  cb_trace_clear(&t);
  return st;
}

/* ---- equal readings ---- */

/* Readings from before the stage was seen to move; all, if it never was. */
static size_t count_rest(const check *c) {
  const cb_series *x = &c->position;
  for (size_t i = 1; i < x->n; i++)
    if (fabs(x->v[i] - x->v[0]) > MOVED_M) return cb_series_lower_bound(&c->force, x->t_s[i - 1]);
  return x->n > 0 ? c->force.n : 0;
}

static cb_status tell_still(const check *c, cb_err *err) {
  char text[200];
  size_t first, longest;
  if (!cb_still_find(c->force.v, c->force.n, count_rest(c), &first, &longest)) return CB_OK;
  (void)snprintf(
      text, sizeof text,
      "%zu reading%s in a row are equal, %.6g from %.3f s on: the read-out froze, or its digit hides "
      "the noise",
      longest, CB_S(longest), c->force.v[first], c->force.t_s[first]);
  CB_TRY(put_event(c, c->force.t_s[first], CB_STILL_FLAG, text, err));
  return cb_store_run_flag(c->store, c->run->id, CB_STILL_FLAG, err);
}

/* ---- readings that were asked for ---- */

/* The longest time in which no position came either. */
static double longest_wait_s(const cb_series *x, double from_s, double to_s) {
  double last_s = from_s, longest_s = 0;
  for (size_t i = cb_series_lower_bound(x, from_s); i < x->n && x->t_s[i] < to_s; i++) {
    longest_s = fmax(longest_s, x->t_s[i] - last_s);
    last_s = x->t_s[i];
  }
  return fmax(longest_s, to_s - last_s);
}

/* A busy computer asks neither; where the stage was asked all the while, the read-out was silent. */
static cb_status tell_holes(check *c, double *work, cb_err *err) {
  char text[160];
  double open_s = 0, silent_s = 0;
  size_t n = c->force.n - 1;
  if (n == 0) return CB_OK;
  for (size_t i = 0; i < n; i++) work[i] = c->force.t_s[i + 1] - c->force.t_s[i];
  double usual_s = cb_median(work, n, work + n);
  for (size_t i = 0; i < n; i++) {
    if (work[i] <= HOLE_PERIODS * usual_s) continue;
    open_s += work[i] - usual_s;
    if (longest_wait_s(&c->position, c->force.t_s[i], c->force.t_s[i + 1]) < 0.5 * work[i])
      silent_s += work[i] - usual_s;
  }
  if (open_s * c->run->speed_m_per_s <= BLIND_REL * c->run->travel_m) return CB_OK;
  if (silent_s > 0.5 * open_s)
    (void)snprintf(text, sizeof text,
                   "for %.3g s the read-out answered no question, while the stage went on answering", open_s);
  else
    (void)snprintf(text, sizeof text, "for %.3g s no reading was asked for: the computer was busy", open_s);
  return put_unsound(c, "clock", text, err);
}

/* ---- the whole ---- */

static cb_status tell_findings(check *c, double *work, cb_err *err) {
  cb_clock clock;
  CB_TRY(tell_spikes(c, err));
  CB_TRY(tell_still(c, err));
  CB_TRY(tell_positions(c, err));
  if (c->run->rate_Hz == 0) return tell_holes(c, work, err);
  if (!cb_clock_fit(c->force.t_s, c->force.n, c->run->rate_Hz, &clock))
    return put_unsound(c, "clock",
                       "the arrival of the readings fits no even clock: too few, or too many gaps", err);
  CB_TRY(tell_doubt(c, &clock, err));
  CB_TRY(tell_gaps(c, &clock, err));
  CB_TRY(tell_rate(c, &clock, err));
  return tell_late(c, &clock, work, err);
}

static cb_status tell_at_once(check *c, cb_err *err) {
  double *work = malloc(2 * c->force.n * sizeof *work);
  if (!work) return cb_no_memory(err, "to look through %zu readings", c->force.n);
  cb_status st = cb_store_begin(c->store, err);
  if (st == CB_OK) {
    st = tell_findings(c, work, err);
    if (st == CB_OK) st = cb_store_commit(c->store, err);
    if (st != CB_OK) cb_store_rollback(c->store);
  }
  free(work);
  return st;
}

static cb_status look_at_stream(check *c, cb_err *err) {
  CB_TRY(cb_store_samples(c->store, c->run->id, CB_CHANNEL_FORCE, &c->force, err));
  CB_TRY(cb_store_samples(c->store, c->run->id, CB_CHANNEL_POSITION, &c->position, err));
  if (c->force.n > MOST_READINGS)
    return put_event(c, 0, "unchecked",
                     "too many readings to look for gaps: what was lost, the read-out's driver has said",
                     err);
  return c->force.n > 0 ? tell_at_once(c, err) : CB_OK;
}

cb_status daq_stream_check(cb_store *s, const cb_run *run, double time_scale, bool *sound, cb_err *err) {
  check c = {.store = s, .run = run, .time_scale = time_scale, .sound = true};
  cb_status st = look_at_stream(&c, err);
  *sound = c.sound;
  cb_series_clear(&c.force);
  cb_series_clear(&c.position);
  return st;
}
