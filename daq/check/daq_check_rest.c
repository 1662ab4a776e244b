/* The bench at rest, watched once for all the steps that only look; and two of them: sample rate and round
 * trip. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_clock.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cb_stats.h"
#include "cb_time.h"
#include "daq_check_impl.h"

#define REST_S 10.0 /* rig time ... */
#define REST_WALL_S \
  1.0 /* ... and at least so much of the wall clock, whose jitter has to be averaged on a virtual rig too */
#define TRIPS 200        /* questions, for a 99th percentile that is more than the worst */
#define TRIPS_MAX_S 60.0 /* wall: a slow device is not asked for ever */
#define TRIPS_CAP 20000
#define READINGS_CAP 4000000
#define ASK_S 0.01 /* as often as a campaign asks */
#define ASK_MIN_S 0.001
#define LOOK_UP_S 0.02

/* ---- the capture ---- */

void daq_capture_clear(daq_capture *p) {
  free(p->t_s);
  free(p->value);
  free(p->trip_s);
  *p = (daq_capture){0};
}

/* Rig time. */
static double capture_s(const daq_check *c) { return fmax(REST_S, REST_WALL_S * c->bench.time_scale); }

/* Room for a read-out that is three times as fast as the rig file says: more than enough to find out that it
 * is wrong. */
static cb_status make_room(const daq_check *c, daq_capture *p, cb_err *err) {
  p->cap = (size_t)fmin(3 * capture_s(c) * c->rig->force.rate_Hz + 1000, READINGS_CAP);
  p->trips_cap = TRIPS_CAP;
  p->t_s = calloc(p->cap, sizeof *p->t_s);
  p->value = calloc(p->cap, sizeof *p->value);
  p->trip_s = calloc(p->trips_cap, sizeof *p->trip_s);
  return p->t_s && p->value && p->trip_s ? CB_OK : cb_no_memory(err, "%zu readings", p->cap);
}

static cb_status take_readings(daq_check *c, double began_s, double *last_s, cb_err *err) {
  daq_capture *p = &c->capture;
  daq_reading r;
  bool found = true;
  while (found && p->n < p->cap) {
    CB_TRY(c->bench.force.driver->read(&c->bench.force, &r, &found, err));
    if (!found || r.channel != CB_CHANNEL_FORCE) continue;
    *last_s = cb_now_monotonic_s();
    p->t_s[p->n] = (*last_s - began_s) * c->bench.time_scale;
    p->value[p->n++] = r.value;
  }
  return CB_OK;
}

static cb_status take_position(daq_check *c, cb_err *err) {
  daq_capture *p = &c->capture;
  daq_stage_state state;
  bool fresh;
  CB_TRY(c->bench.stage.driver->take(&c->bench.stage, &state, &fresh, err));
  if (fresh && p->n_trips < p->trips_cap) p->trip_s[p->n_trips++] = cb_now_monotonic_s() - state.asked_s;
  return CB_OK;
}

static cb_status lost_stream(const daq_check *c, double silent_s, cb_err *err) {
  if (c->capture.n > 0)
    return cb_fail(err, CB_E_DEVICE, "the read-out on %s fell silent for %.3g s", c->force_port, silent_s);
  if (c->bench.force.n_unreadable > 0)
    return cb_fail(err, CB_E_DEVICE, "%zu message%s came from %s, and none of them is a reading of '%s'",
                   c->bench.force.n_unreadable, CB_S(c->bench.force.n_unreadable), c->force_port,
                   cb_force_driver_names[c->rig->force.driver]);
  return cb_fail(err, CB_E_DEVICE, "no reading came from %s within %.3g s", c->force_port, silent_s);
}

static cb_status wait_for_devices(daq_check *c, double until_s, cb_err *err) {
  struct pollfd f[2] = {{.fd = c->bench.force.driver->fd(&c->bench.force), .events = POLLIN},
                        {.fd = daq_transport_fd(c->bench.stage.port), .events = POLLIN}};
  double wait_s = fmin(until_s - cb_now_monotonic_s(), LOOK_UP_S);
  if (poll(f, 2, wait_s > 0 ? (int)ceil(wait_s * 1e3) : 0) >= 0 || errno == EINTR) return CB_OK;
  return cb_fail(err, CB_E_IO, "poll: %s", strerror(errno));
}

static bool enough(const daq_check *c, double elapsed_s) {
  const daq_capture *p = &c->capture;
  bool trips = p->n_trips >= TRIPS || elapsed_s > TRIPS_MAX_S;
  return (elapsed_s * c->bench.time_scale >= capture_s(c) && trips) || p->n == p->cap;
}

static cb_status watch(daq_check *c, cb_err *err) {
  daq_bench *b = &c->bench;
  double began_s = cb_now_monotonic_s(), last_s = began_s, now_s = began_s, next_ask_s = began_s;
  while (!enough(c, now_s - began_s)) {
    CB_TRY(cb_stop_check(c->job->stop_flag, err));
    if (now_s >= next_ask_s) {
      CB_TRY(b->stage.driver->ask(&b->stage, err));
      next_ask_s = now_s + fmax(ASK_S / b->time_scale, ASK_MIN_S);
    }
    CB_TRY(wait_for_devices(c, next_ask_s, err));
    CB_TRY(take_readings(c, began_s, &last_s, err));
    CB_TRY(take_position(c, err));
    now_s = cb_now_monotonic_s();
    if (now_s - last_s > c->rig->force.silence_timeout_s) return lost_stream(c, now_s - last_s, err);
  }
  return CB_OK;
}

/* ---- sample rate ---- */

/* What the stamps alone show, where no clock fits them. */
static double crude_rate(const daq_capture *p) {
  double span_s = p->n > 1 ? p->t_s[p->n - 1] - p->t_s[0] : 0;
  return span_s > 0 ? (double)(p->n - 1) / span_s : 0;
}

/* Stamps less their clock, ascending, in wall seconds; consumes t_s. */
static void sort_delays(const daq_check *c, const cb_clock *k, double *delay_s) {
  const daq_capture *p = &c->capture;
  memcpy(delay_s, p->t_s, p->n * sizeof *delay_s);
  cb_clock_apply(k, delay_s, p->n);
  for (size_t i = 0; i < p->n; i++) delay_s[i] = (p->t_s[i] - delay_s[i]) / c->bench.time_scale;
  cb_sort(delay_s, p->n);
}

static void judge_rate(daq_check *c, daq_check_step *s, const cb_clock *k, const double *delay_s) {
  const daq_capture *p = &c->capture;
  double nominal = c->rig->force.rate_Hz, rate = 1 / k->period_s, span_s = p->t_s[p->n - 1] - p->t_s[0];
  double median_s = delay_s[p->n / 2], p99_s = delay_s[(size_t)(0.99 * (double)(p->n - 1))];
  /* The edge of the hull that gave the period ends on two stamps, of which either may still be as late as is
   * usual. */
  double u = rate * M_SQRT2 * median_s * c->bench.time_scale / span_s;
  char text[CB_PLUS_MINUS];
  c->u_period_rel = u / rate;
  long lost = 0, doubled = 0;
  for (size_t i = 0; i < k->n_gaps; i++)
    if (k->gap[i].missing > 0)
      lost += k->gap[i].missing;
    else
      doubled -= k->gap[i].missing;
  s->verdict = fabs(rate / nominal - 1) <= 0.01 && lost == 0 && doubled == 0 && c->capture.unreadable == 0
                   ? DAQ_PASS
                   : DAQ_WARN;
  (void)snprintf(s->text, sizeof s->text,
                 "%s Hz from %zu reading%s; %ld lost, %ld doubled, %zu unreadable; late by %.2g ms (median), "
                 "%.2g ms (99 %%)",
                 cb_plus_minus_of_u(rate, u, NAN, text), p->n, CB_S(p->n), lost, doubled, p->unreadable,
                 median_s * 1e3, p99_s * 1e3);
  (void)snprintf(s->limit, sizeof s->limit, "force.rate_Hz = %g within 1 %%, nothing lost", nominal);
  daq_check_figure(s, "rate", "Hz", rate, u);
  daq_check_figure(s, "lost", "1", (double)lost, NAN);
  daq_check_figure(s, "doubled", "1", (double)doubled, NAN);
  daq_check_figure(s, "unreadable", "1", (double)p->unreadable, NAN);
  daq_check_figure(s, "delay_median", "s", median_s, NAN);
  daq_check_figure(s, "delay_p99", "s", p99_s, NAN);
  daq_check_figure(s, "delay_max", "s", delay_s[p->n - 1], NAN);
}

/* The pace is ours. */
static void judge_asked(daq_check *c, daq_check_step *s) {
  const daq_capture *p = &c->capture;
  double nominal = c->rig->force.rate_Hz, rate = crude_rate(p);
  c->period_s = 1 / rate;
  s->verdict = rate >= 0.8 * nominal && p->unreadable == 0 ? DAQ_PASS : DAQ_WARN;
  (void)snprintf(s->text, sizeof s->text, "%.4g Hz, asked for one by one: %zu reading%s, %zu unreadable",
                 rate, p->n, CB_S(p->n), p->unreadable);
  (void)snprintf(s->limit, sizeof s->limit, "at least 80 %% of force.rate_Hz = %g", nominal);
  daq_check_figure(s, "rate", "Hz", rate, NAN);
  daq_check_figure(s, "unreadable", "1", (double)p->unreadable, NAN);
}

cb_status daq_check_rate(daq_check *c, daq_check_step *s, cb_err *err) {
  daq_capture *p = &c->capture;
  cb_clock k;
  CB_TRY(make_room(c, p, err));
  size_t unreadable = c->bench.force.n_unreadable;
  CB_TRY(daq_bench_resume(&c->bench, err));
  CB_TRY(watch(c, err));
  p->unreadable = c->bench.force.n_unreadable - unreadable;
  if (c->bench.force.asked && p->n > 1) {
    judge_asked(c, s);
    c->mean = cb_mean(p->value, p->n);
    daq_guard_set_zero(&c->bench.guard, c->mean);
    return CB_OK;
  }
  if (!cb_clock_fit(p->t_s, p->n, c->rig->force.rate_Hz, &k)) {
    double rate = crude_rate(p);
    daq_check_figure(s, "rate", "Hz", rate, NAN);
    (void)snprintf(s->limit, sizeof s->limit, "force.rate_Hz = %g", c->rig->force.rate_Hz);
    return cb_fail(err, CB_E_DEVICE,
                   "%.4g readings per second came, and they are not those of an even stream of %g Hz", rate,
                   c->rig->force.rate_Hz);
  }
  c->period_s = k.period_s;
  c->mean = cb_mean(p->value, p->n);
  /* From here on the guard knows what no force reads like. */
  daq_guard_set_zero(&c->bench.guard, c->mean);
  double *delay_s = calloc(p->n, sizeof *delay_s);
  if (!delay_s) return cb_no_memory(err, "%zu delays", p->n);
  sort_delays(c, &k, delay_s);
  judge_rate(c, s, &k, delay_s);
  free(delay_s);
  return CB_OK;
}

/* ---- round trip ---- */

cb_status daq_check_trip(daq_check *c, daq_check_step *s, cb_err *err) {
  daq_capture *p = &c->capture;
  double timeout_s = c->rig->stage.reply_timeout_s;
  if (p->n_trips < TRIPS / 10)
    return cb_fail(err, CB_E_DEVICE, "only %zu answers to the question for the position came in %g s",
                   p->n_trips, TRIPS_MAX_S);
  cb_sort(p->trip_s, p->n_trips);
  double median_s = p->trip_s[p->n_trips / 2], p99_s = p->trip_s[(size_t)(0.99 * (double)(p->n_trips - 1))];
  double worst_s = p->trip_s[p->n_trips - 1];
  s->verdict = daq_check_ladder(p99_s, 0.1 * timeout_s, 0.5 * timeout_s);
  (void)snprintf(s->text, sizeof s->text,
                 "%.3g ms (median), %.3g ms (99 %%), %.3g ms (worst) from %zu question%s", median_s * 1e3,
                 p99_s * 1e3, worst_s * 1e3, p->n_trips, CB_S(p->n_trips));
  (void)snprintf(s->limit, sizeof s->limit, "99 %% <= %g ms, a tenth of stage.reply_timeout_s",
                 100 * timeout_s);
  daq_check_figure(s, "median", "s", median_s, NAN);
  daq_check_figure(s, "p99", "s", p99_s, NAN);
  daq_check_figure(s, "worst", "s", worst_s, NAN);
  daq_check_figure(s, "questions", "1", (double)p->n_trips, NAN);
  return CB_OK;
}
