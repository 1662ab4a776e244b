/* A sled on a spring, integrated in steps of 10 us, with mishaps of the mechanics and of the cell. Nothing
 * here is shared with fit/ or with the virtual rig. */
#ifndef SLIDER_H
#define SLIDER_H

#include <math.h>

#include "cb_rng.h"
#include "cb_trace.h"
#include "cbtest.h"

typedef enum slip {
  SOUND,
  NEVER_SLIDES, /* the link is too soft for the travel */
  LATE,         /* it breaks away only in the second half of the plateau */
  STICKS,       /* stick-slip: friction falls with speed, a soft link */
  STICKS_ODDLY, /* the same, with a static force that scatters from stick to stick */
  CLIPS,        /* the converter ends below the force */
  NO_LOAD,      /* hardly any force */
  DRIFTS,       /* the zero walks within the pull */
  JUMPS,        /* the zero jumps within the pull */
  SLOW,         /* the stage goes at another speed than asked for */
  STALLS,       /* the stage stands still on the way */
  TURNS_BACK,   /* the stage goes back for a while */
  BREAKS_TWICE, /* the sled sticks once more, as on a bristle */
  TIPS,         /* the force grows with the way */
  DRAGS,        /* a cable pulls at the cell, more and more */
  SHIFTS,       /* the cloth shifts on the bed: the force steps down */
  N_SLIPS
} slip;
static const char *const slip_names[N_SLIPS] = {
    "sound", "never slides", "late",   "sticks",     "sticks oddly", "clips", "no load", "drifts",
    "jumps", "slow",         "stalls", "turns back", "breaks twice", "tips",  "drags",   "shifts"};

/* A bench, a cloth and a mishap. */
typedef struct slider {
  double mass_kg, link_N_per_m, damping_Ns_per_m, slack_m;
  double static_N, kinetic_N, fall_m_per_s; /* Stribeck: kinetic + (static - kinetic) exp(-v / fall) */
  double texture_N, texture_m;
  double speed_m_per_s, travel_m, rest_s;
  double rate_Hz, noise_N, digit_N, zero_N;
  slip kind;
  double size; /* of the mishap, relative */
} slider;

static double slider_between(cb_rng *r, double a, double b) { return a + (b - a) * cb_rng_uniform(r); }

/* One of many sound benches. */
static slider slider_any(cb_rng *r) {
  const double kinetic = exp(slider_between(r, log(0.2), log(5)));
  slider s = {.mass_kg = kinetic / slider_between(r, 2, 8),
              .kinetic_N = kinetic,
              .static_N = kinetic * slider_between(r, 1.02, 1.5),
              .fall_m_per_s = 1e-4,
              .slack_m = slider_between(r, 0.2e-3, 2e-3),
              .speed_m_per_s = slider_between(r, 2e-3, 15e-3),
              .rest_s = slider_between(r, 0.5, 1.5),
              .rate_Hz = exp(slider_between(r, log(50), log(1000))),
              .noise_N = kinetic * exp(slider_between(r, log(0.001), log(0.02))),
              .zero_N = kinetic * slider_between(r, -0.2, 0.2)};
  s.travel_m = s.speed_m_per_s * slider_between(r, 4, 10);
  s.link_N_per_m = s.static_N / (s.travel_m * slider_between(r, 0.02, 0.15));
  s.damping_Ns_per_m = slider_between(r, 0.3, 1) * 2 * sqrt(s.link_N_per_m * s.mass_kg);
  if (cb_rng_uniform(r) < 0.7)
    s.texture_N = kinetic * slider_between(r, 0.002, 0.03),
    s.texture_m = s.travel_m * slider_between(r, 0.003, 0.03);
  if (cb_rng_uniform(r) < 0.5) s.digit_N = s.noise_N * exp(slider_between(r, log(0.1), log(3)));
  return s;
}

static void slider_spoil(slider *s, slip kind, cb_rng *r) {
  s->kind = kind;
  s->size = slider_between(r, 0, 1);
  switch (kind) {
    case NEVER_SLIDES: s->link_N_per_m = s->static_N / (s->travel_m * (1.05 + 2 * s->size)); break;
    case LATE: s->link_N_per_m = s->static_N / (s->travel_m * (0.7 + 0.22 * s->size)); break;
    case STICKS:
    case STICKS_ODDLY:
      s->static_N = s->kinetic_N * (1.2 + 0.6 * s->size);
      s->fall_m_per_s = 0.3e-3;
      s->link_N_per_m = (s->static_N - s->kinetic_N) / (s->travel_m * 0.015);
      s->damping_Ns_per_m = 0.05 * 2 * sqrt(s->link_N_per_m * s->mass_kg);
      s->rate_Hz = fmax(s->rate_Hz, 40 * s->speed_m_per_s / (s->travel_m * 0.02));
      s->slack_m = 0.2e-3;
      break;
    default: break;
  }
}

/* Place of the stage since it began to move. */
static double slider_stage(const slider *s, double t_s) {
  const double v = s->speed_m_per_s, whole_s = s->travel_m / v;
  double x = fmax(0, t_s) * v;
  if (s->kind == SLOW) x *= 0.5 + 0.3 * s->size;
  if (s->kind == STALLS) x -= v * fmin(fmax(0, t_s - 0.6 * whole_s), (0.15 + 0.3 * s->size) * whole_s);
  if (s->kind == TURNS_BACK) x -= 2 * v * fmin(fmax(0, t_s - 0.6 * whole_s), (0.1 + 0.1 * s->size) * whole_s);
  return fmin(x, s->travel_m);
}

/* What the cell shows besides the force of the link. */
static double slider_cell(const slider *s, double t_s, double x_m) {
  const double whole_s = s->travel_m / s->speed_m_per_s;
  if (s->kind == DRIFTS) return s->kinetic_N * (0.1 + 0.5 * s->size) * fmax(0, t_s) / whole_s;
  if (s->kind == JUMPS) return t_s > 0.65 * whole_s ? s->kinetic_N * (0.1 + 0.5 * s->size) : 0;
  if (s->kind == DRAGS) return s->kinetic_N * (0.15 + 0.5 * s->size) * x_m / s->travel_m;
  return 0;
}

/* Friction of the cloth at a place, over that of the whole. */
static double slider_factor(const slider *s, double way_m) {
  const double part = way_m / s->travel_m;
  if (s->kind == TIPS) return 1 + (0.15 + 0.5 * s->size) * part;
  if (s->kind == SHIFTS) return part > 0.55 ? 0.9 - 0.3 * s->size : 1;
  if (s->kind == NO_LOAD) return 1e-4;
  return 1;
}

#define SLIDER_DT 1e-5

/* One pull; the caller clears it. *peak_N receives the highest friction at a break-away. */
static cb_trace slider_pull(const slider *s, cb_rng *r) {
  cb_trace t = {.digit_N = s->digit_N, .speed_m_per_s = s->speed_m_per_s};
  const double end_s = s->travel_m / s->speed_m_per_s *
                           (s->kind == SLOW                              ? 2.2
                            : s->kind == STALLS || s->kind == TURNS_BACK ? 1.6
                                                                         : 1) +
                       0.2,
               clip_N = s->zero_N + s->kinetic_N * (0.6 + 0.35 * s->size);
  double x = 0, v = 0, next_s = -s->rest_s, texture = s->texture_N * cb_rng_normal(r), hold = 1;
  bool stuck = true, bristle = s->kind == BREAKS_TWICE;
  const double bristle_m = s->travel_m * (0.45 + 0.25 * s->size);
  double holds_from = -1;
  const bool sticks = s->kind == STICKS || s->kind == STICKS_ODDLY;
  for (long k = lround(-s->rest_s / SLIDER_DT); (double)k * SLIDER_DT < end_s; k++) {
    const double now = (double)k * SLIDER_DT, stage = slider_stage(s, now),
                 before = slider_stage(s, now - SLIDER_DT), stretch = stage - x - s->slack_m;
    double pull = stretch > 0
                      ? s->link_N_per_m * stretch + s->damping_Ns_per_m * ((stage - before) / SLIDER_DT - v)
                      : 0;
    pull = fmax(pull, 0);
    if (bristle && x > bristle_m)
      bristle = false, stuck = true, v = 0, hold = 1 + 0.3 + 0.5 * s->size, holds_from = now;
    /* Of a sound cloth only the first break-away is a static one: it does not rest again. */
    const bool rested = x == 0 || sticks || holds_from > 0;
    const double factor = slider_factor(s, x), limit = (rested ? s->static_N : s->kinetic_N) * factor * hold;
    if (stuck && pull > limit) {
      stuck = false;
      hold = 1;
      holds_from = -1;
    }
    if (!stuck) {
      const double friction =
          factor *
              (s->kinetic_N + (sticks ? (s->static_N - s->kinetic_N) * exp(-fabs(v) / s->fall_m_per_s) : 0)) +
          texture;
      v += (pull - friction) / s->mass_kg * SLIDER_DT;
      if (v <= 0) {
        v = 0;
        stuck = true;
        if (s->kind == STICKS_ODDLY) hold = 1 + 0.25 * fabs(cb_rng_normal(r));
      }
      const double moved = v * SLIDER_DT;
      x += moved;
      if (s->texture_m > 0 && moved > 0) {
        const double keep = exp(-moved / s->texture_m);
        texture = keep * texture + s->texture_N * sqrt(1 - keep * keep) * cb_rng_normal(r);
      }
    }
    if (now < next_s) continue;
    next_s += 1 / s->rate_Hz;
    double reading = s->zero_N + pull + slider_cell(s, now, stage) + s->noise_N * cb_rng_normal(r);
    if (s->kind == CLIPS) reading = fmin(reading, clip_N);
    if (s->digit_N > 0) reading = s->digit_N * round(reading / s->digit_N);
    assert_ok(cb_series_push(&t.force_N, now, reading, err));
    assert_ok(cb_series_push(&t.position_m, now, 0.02 + stage, err));
    if (now < -0.05) t.n_rest = t.force_N.n;
  }
  return t;
}

#endif
