/* Pulls with false readings, made in memory from a truth that is known. Nothing here is shared with fit/. */
#ifndef FALSEPULLS_H
#define FALSEPULLS_H

#include <math.h>

#include "cb_rng.h"
#include "cb_trace.h"
#include "cbtest.h"

/* What a read-out does to a reading. */
typedef enum mishap {
  SPIKE_UP,   /* far above, any size */
  SPIKE_DOWN, /* far below, any size */
  NOUGHT,     /* zero counts */
  RAIL,       /* full scale */
  STUCK_BIT,  /* off by a power of two of the digit */
  N_MISHAPS
} mishap;

/* A rig, a cloth and their truth. */
typedef struct rigged {
  double rate_Hz, speed_m_per_s, travel_m, rest_s;
  double slack_m, stiffness_N_per_m; /* of the link */
  double static_N, kinetic_N, zero_N;
  double fall_m;  /* way in which the force falls from the peak to the kinetic force; 0: at once */
  double noise_N; /* of the read-out, white */
  double texture_N, texture_s; /* of the friction, with a correlation time */
  double tooth_N, tooth_m;     /* stick-slip; 0: none */
  double digit_N;              /* 0: much finer than the noise */
  bool counted;                /* the readings at rest are counted, as by the engine */
} rigged;

static double between(cb_rng *r, double a, double b) { return a + (b - a) * cb_rng_uniform(r); }

/* One of many benches. */
static rigged rigged_any(cb_rng *r) {
  static const double rates[] = {25, 40, 80, 160, 320};
  const double kinetic = exp(between(r, log(0.1), log(3)));
  rigged p = {.rate_Hz = rates[(int)(5 * cb_rng_uniform(r))],
              .speed_m_per_s = between(r, 2e-3, 10e-3),
              .rest_s = between(r, 1, 2),
              .slack_m = between(r, 0.2e-3, 1e-3),
              .kinetic_N = kinetic,
              .static_N = kinetic * between(r, 1.1, 1.7),
              .zero_N = kinetic * between(r, -0.2, 0.2),
              .noise_N = kinetic * exp(between(r, log(0.001), log(0.02))),
              .counted = cb_rng_uniform(r) < 0.5};
  p.travel_m = p.speed_m_per_s * between(r, 6, 12);
  p.stiffness_N_per_m = p.static_N / (p.speed_m_per_s * between(r, 0.15, 0.6));
  if (cb_rng_uniform(r) < 0.5) p.fall_m = p.speed_m_per_s * between(r, 0.05, 0.2);
  if (cb_rng_uniform(r) < 0.5)
    p.texture_N = kinetic * between(r, 0.005, 0.04), p.texture_s = between(r, 0.05, 0.3);
  if (cb_rng_uniform(r) < 0.4) p.digit_N = p.noise_N * exp(between(r, log(0.3), log(6)));
  return p;
}

static double rigged_at(const rigged *p, double x_m, bool *slid, double *since_m) {
  const double pull = p->stiffness_N_per_m * fmax(0, x_m - p->slack_m);
  if (!*slid && pull > p->static_N) *slid = true, *since_m = p->slack_m + p->static_N / p->stiffness_N_per_m;
  if (!*slid) return pull;
  const double way = x_m - *since_m, left = p->fall_m > 0 ? exp(-way / p->fall_m) : 0;
  const double tooth = p->tooth_m > 0 ? p->tooth_N * (fmod(way, p->tooth_m) / p->tooth_m - 0.5) : 0;
  return p->kinetic_N + tooth * (1 - left) + (p->static_N - p->kinetic_N) * left;
}

static double rigged_false(cb_rng *r, mishap kind, const rigged *p, double v) {
  const double digit = p->digit_N > 0 ? p->digit_N : p->noise_N / 16,
               size = p->kinetic_N * exp(between(r, log(0.05), log(20)));
  switch (kind) {
    case SPIKE_UP: return v + size;
    case SPIKE_DOWN: return v - size;
    case NOUGHT: return 0;
    case RAIL: return 20 * p->kinetic_N;
    default: return v + (cb_rng_uniform(r) < 0.5 ? 1 : -1) * ldexp(digit, (int)between(r, 0, 14));
  }
}

/* share: of false readings; in_row: so many at a time. *n_false receives their number. */
static cb_trace rigged_pull(const rigged *p, cb_rng *r, mishap kind, double share, int in_row,
                            size_t *n_false) {
  cb_trace t = {.digit_N = p->digit_N, .speed_m_per_s = p->speed_m_per_s};
  const double end_s = p->rest_s + p->travel_m / p->speed_m_per_s + 0.2,
               keep = p->texture_s > 0 ? exp(-1 / (p->texture_s * p->rate_Hz)) : 0;
  double texture = p->texture_N * cb_rng_normal(r), since_m = 0, last = NAN;
  bool slid = false;
  int more = 0;
  *n_false = 0;
  for (size_t i = 0; (double)i / p->rate_Hz < end_s; i++) {
    const double t_s = (double)i / p->rate_Hz,
                 x_m = fmin(fmax(0, t_s - p->rest_s) * p->speed_m_per_s, p->travel_m);
    double f = rigged_at(p, x_m, &slid, &since_m);
    const bool goes = slid;
    texture = keep * texture + p->texture_N * sqrt(1 - keep * keep) * cb_rng_normal(r);
    if (goes) f += texture * (1 - exp(-(x_m - since_m) / (0.5 * p->speed_m_per_s)));
    double v = p->zero_N + f + p->noise_N * cb_rng_normal(r);
    if (more == 0 && cb_rng_uniform(r) < share / in_row) more = in_row;
    if (more > 0) {
      v = isnan(last) || kind == STUCK_BIT ? rigged_false(r, kind, p, v) : last;
      last = v;
      ++*n_false;
      if (--more == 0) last = NAN;
    }
    if (p->digit_N > 0) v = p->digit_N * round(v / p->digit_N);
    assert_ok(cb_series_push(&t.force_N, t_s, v, err));
    assert_ok(cb_series_push(&t.position_m, t_s, 0.02 + x_m, err));
    if (p->counted && t_s < p->rest_s - 0.05) t.n_rest = i + 1;
  }
  return t;
}

#endif
