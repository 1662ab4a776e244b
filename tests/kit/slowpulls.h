/* Pulls of slow gauges and of loggers with uneven times, made in memory from a truth that is known: a ramp, a
 * static peak, a decay, and steady friction with noise and teeth. Nothing here is shared with fit/. */
#ifndef SLOWPULLS_H
#define SLOWPULLS_H

#include <math.h>

#include "cb_rng.h"
#include "cb_trace.h"
#include "cbtest.h"

/* What a read-out does to a reading. */
typedef enum slow_mishap {
  SLOW_UP,
  SLOW_DOWN,
  SLOW_NOUGHT,
  SLOW_HELD,
  SLOW_FLIP,
  N_SLOW_MISHAPS
} slow_mishap;

/* When a logger writes its readings. */
typedef enum slow_times {
  SLOW_EVEN,
  SLOW_GAPS,
  SLOW_JITTER,
  SLOW_CHANGES,
  SLOW_BURSTS,
  SLOW_POLLED,
  N_SLOW_TIMES
} slow_times;
static const char *const slow_times_text[] = {"even", "gaps", "jitter", "changing rate", "bursts", "polled"};

#define SLOW_TEETH 400
/* The truth is followed in steps of this many seconds. */
#define SLOW_FINE_S 2e-4

typedef struct slow_pull {
  double rate_Hz, speed_m_per_s, travel_m, rest_s, slip_s, end_s;
  double rise_s, fall_s; /* of the static peak; fall: time constant */
  double static_N, kinetic_N, zero_N, noise_N, digit_N;
  double tooth_N, tooth_end_s[SLOW_TEETH]; /* teeth, each of its own length; 0: none */
  double other_rate;                       /* the rate changes by this factor */
  int in_burst;
  slow_times times;
} slow_pull;

static double slow_between(cb_rng *r, double a, double b) { return a + (b - a) * cb_rng_uniform(r); }
static double slow_log_between(cb_rng *r, double a, double b) { return exp(slow_between(r, log(a), log(b))); }

static void slow_draw_teeth(slow_pull *p, cb_rng *r) {
  double readings = slow_between(r, 2, 8), end_s = p->slip_s;
  /* No more teeth than there is room for. */
  readings = fmax(readings, 1.3 * (p->end_s - p->slip_s) * p->rate_Hz / SLOW_TEETH);
  for (int k = 0; k < SLOW_TEETH; k++)
    p->tooth_end_s[k] = end_s += readings / p->rate_Hz * slow_between(r, 0.8, 1.2);
  p->tooth_N = p->kinetic_N * slow_log_between(r, 0.02, 0.3);
}

/* One of many pulls at a rate. */
static slow_pull slow_any(cb_rng *r, double rate_Hz, slow_times times) {
  slow_pull p = {.rate_Hz = rate_Hz,
                 .times = times,
                 .speed_m_per_s = slow_between(r, 1e-3, 8e-3),
                 .rest_s = slow_between(r, 10 / rate_Hz, 20 / rate_Hz) + 1,
                 .rise_s = slow_log_between(r, 0.15, 3),
                 .fall_s = slow_log_between(r, 0.02, 1),
                 .kinetic_N = slow_log_between(r, 0.1, 3),
                 .other_rate = slow_log_between(r, 0.25, 4),
                 .in_burst = (int)slow_between(r, 3, 9)};
  const double slack_s = slow_between(r, 0.05, 0.5), slide_s = slow_between(r, 10, 30);
  p.static_N = p.kinetic_N * slow_between(r, 1, 1.6);
  p.zero_N = p.kinetic_N * slow_between(r, -0.2, 0.2);
  p.noise_N = p.kinetic_N * slow_log_between(r, 0.001, 0.02);
  p.slip_s = p.rest_s + slack_s + p.rise_s;
  p.end_s = p.slip_s + slide_s;
  p.travel_m = (p.end_s - p.rest_s) * p.speed_m_per_s;
  if (cb_rng_uniform(r) < 0.4) slow_draw_teeth(&p, r);
  if (cb_rng_uniform(r) < 0.4) p.digit_N = p.noise_N * slow_log_between(r, 0.3, 6);
  return p;
}

static double slow_tooth(const slow_pull *p, double t_s) {
  size_t low = 0, up = SLOW_TEETH - 1; /* the tooth is one of these */
  if (p->tooth_N == 0) return 0;
  while (low < up) {
    const size_t middle = (low + up) / 2;
    if (t_s < p->tooth_end_s[middle])
      up = middle;
    else
      low = middle + 1;
  }
  const double from_s = low > 0 ? p->tooth_end_s[low - 1] : p->slip_s;
  return p->tooth_N * ((t_s - from_s) / (p->tooth_end_s[low] - from_s) - 0.5);
}

static double slow_force(const slow_pull *p, double t_s) {
  if (t_s < p->slip_s - p->rise_s) return 0;
  if (t_s < p->slip_s) return p->static_N * (1 - (p->slip_s - t_s) / p->rise_s);
  const double left = exp(-(t_s - p->slip_s) / p->fall_s);
  return p->kinetic_N + (p->static_N - p->kinetic_N) * left + slow_tooth(p, t_s) * (1 - left);
}

/* The first maximum that the force leaves by a drop, or else the force at which the slide began. */
static double slow_maximum(const slow_pull *p, double drop_rel, double drop_N) {
  double top_N = 0;
  for (double t_s = p->slip_s - SLOW_FINE_S; t_s < p->slip_s + 0.25 * (p->end_s - p->slip_s);
       t_s += SLOW_FINE_S) {
    const double f = slow_force(p, t_s);
    if (f < top_N - fmax(drop_rel * top_N, drop_N)) return top_N;
    top_N = fmax(top_N, f);
  }
  return p->static_N;
}

/* The static force is the first maximum that is left by 2 % and by 8 standard deviations. Which of two maxima
 * that is may hang on the noise: it lies between these. */
static void slow_static(const slow_pull *p, double *low_N, double *high_N) {
  const double drop_N = 8 * fmax(p->noise_N, p->digit_N / sqrt(12)), a = slow_maximum(p, 0.01, 0.5 * drop_N),
               b = slow_maximum(p, 0.03, 1.5 * drop_N);
  *low_N = fmin(a, b);
  *high_N = fmax(a, b);
}

/* A gauge that samples by a clock of its own, 2 % fast, and is asked by a computer that is sometimes busy:
 * its last sample answers. */
static double slow_sampled_s(const slow_pull *p, double t_s) {
  const double own_s = 0.98 / p->rate_Hz;
  return p->times == SLOW_POLLED ? own_s * floor(t_s / own_s) : t_s;
}

/* Time of the reading after the one at t_s, which is the i-th. */
static double slow_next(const slow_pull *p, cb_rng *r, double t_s, size_t i) {
  const double step_s = 1 / p->rate_Hz;
  switch (p->times) {
    case SLOW_GAPS: return t_s + step_s * (cb_rng_uniform(r) < 0.02 ? slow_between(r, 2, 20) : 1);
    case SLOW_JITTER: return t_s + step_s * slow_between(r, 0.3, 1.7);
    case SLOW_CHANGES: return t_s + step_s / (t_s > p->slip_s - 0.5 * p->rise_s ? p->other_rate : 1);
    case SLOW_BURSTS:
      return t_s + (i % (size_t)p->in_burst ? 0.25 : 0.25 + 0.75 * (double)p->in_burst) * step_s;
    case SLOW_POLLED:
      return t_s +
             step_s * (1 + 0.02 * cb_rng_normal(r) + (cb_rng_uniform(r) < 0.02 ? cb_rng_uniform(r) : 0));
    default: return t_s + step_s;
  }
}

static double slow_false(cb_rng *r, slow_mishap kind, const slow_pull *p, double v, double last) {
  const double size = p->kinetic_N * slow_log_between(r, 0.05, 20);
  switch (kind) {
    case SLOW_UP: return v + size;
    case SLOW_DOWN: return v - size;
    case SLOW_NOUGHT: return 0;
    case SLOW_HELD: return last;
    default: return -v;
  }
}

/* share: of false readings; *n_false receives their number. A held value lasts for one to four readings. */
static cb_trace slow_trace(const slow_pull *p, cb_rng *r, slow_mishap kind, double share, size_t *n_false) {
  cb_trace t = {.digit_N = p->digit_N, .speed_m_per_s = p->speed_m_per_s};
  double last = 0, t_s = slow_between(r, 0, 1) / p->rate_Hz;
  int more = 0;
  *n_false = 0;
  for (size_t i = 0; t_s < p->end_s + 0.2; t_s = slow_next(p, r, t_s, ++i)) {
    double v = p->zero_N + slow_force(p, slow_sampled_s(p, t_s)) + p->noise_N * cb_rng_normal(r);
    if (more == 0 && i > 0 && cb_rng_uniform(r) < share)
      more = kind == SLOW_HELD ? (int)slow_between(r, 1, 5) : 1;
    if (more > 0) {
      v = slow_false(r, kind, p, v, last);
      ++*n_false;
      --more;
    }
    if (p->digit_N > 0) v = p->digit_N * round(v / p->digit_N);
    last = v;
    assert_ok(cb_series_push(&t.force_N, t_s, v, err));
    const double x_m = fmin(fmax(0, t_s - p->rest_s) * p->speed_m_per_s, p->travel_m);
    assert_ok(cb_series_push(&t.position_m, t_s, 0.02 + x_m, err));
  }
  return t;
}

#endif
