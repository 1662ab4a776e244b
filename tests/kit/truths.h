/* Twenty truths of sound pulls: laws of friction, fabrics, links and cells. Integrated in steps of 10 us on
 * the benches of slider.h. Nothing here is shared with fit/ or with the virtual rig. */
#ifndef TRUTHS_H
#define TRUTHS_H

#include "slider.h"

#define MAXWELL_N 5
#define PINK_N 6

/* Forces are relative to the kinetic one, ways to the travel, speeds to the stage's. 0: absent, or as the
 * bench has it. */
typedef struct truth {
  const char *name;
  double stribeck;       /* friction falls by so much from rest to high speed */
  double per_e;          /* friction grows by so much per factor e of speed */
  double a, b;           /* rate and state: Dieterich (1979), Ruina (1983), aging law */
  double dahl_way;       /* pre-sliding of one bristle: Dahl (1968) */
  double maxwell_way;    /* of five elements that yield one after another: Iwan (1966) */
  double memory;         /* a texture that forgets within this way, 2 % high */
  double wave, wave_way; /* a sine */
  double pink;           /* six octaves alike high, the longest is a sixth of the travel */
  double rib, nap;       /* ridges of a rectangular, and of a saw's profile, 1/40 of the travel */
  double stretch;        /* of the link under the static force */
  double damping;        /* ratio */
  double pitch;          /* the line lifts the sled by this part of its pull */
  double bed;            /* a second body on a bed so many times as stiff as the link */
  double noise, digit_of_noise;
  double filter_s, hum;             /* of the cell: low pass, and mains of 50 Hz */
  double drift, ripple, ripple_way; /* of the zero within the pull; of the stage's speed */
} truth;

static const truth truths[] = {
    {"smooth"},
    {"forgetful texture", .memory = 0.01},
    {"Stribeck, mild", .stribeck = 0.1, .memory = 0.01},
    {"grows with speed", .per_e = 0.03, .memory = 0.01},
    {"rate and state, strengthening", .a = 0.03, .b = 0.015},
    {"rate and state, weakening, stable", .a = 0.02, .b = 0.03},
    {"Dahl bristle", .dahl_way = 0.005, .memory = 0.01},
    {"five Maxwell elements", .maxwell_way = 0.01, .memory = 0.01},
    {"fine weave", .wave = 0.03, .wave_way = 0.004},
    {"wide wale", .wave = 0.02, .wave_way = 0.1},
    {"1/f texture", .pink = 0.01},
    {"ribs", .rib = 0.02},
    {"nap", .nap = 0.02},
    {"soft and pitched line", .stretch = 0.2, .pitch = 0.1, .memory = 0.01},
    {"line that rings", .stretch = 0.02, .damping = 0.05, .memory = 0.01},
    {"sled on a soft bed", .bed = 3, .memory = 0.01},
    {"coarse digit", .noise = 0.004, .digit_of_noise = 5, .memory = 0.01},
    {"much noise", .noise = 0.08},
    {"filter and hum", .filter_s = 0.05, .hum = 0.005, .memory = 0.01},
    {"drift and ripple", .drift = 0.002, .ripple = 0.04, .ripple_way = 0.03, .memory = 0.01},
};
#define N_TRUTHS (sizeof truths / sizeof *truths)

/* What changes in a pull. x, v: the sled; y, w: what touches the cloth, the same but on a soft bed. */
typedef struct truth_state {
  double x, v, y, w;
  bool stuck, broke, stood; /* stood: again, behind the first break-away */
  double forgetful, remembered_m, phase[PINK_N], bristle, spring[MAXWELL_N], age_s, shown;
} truth_state;

static slider truth_bench(const truth *c, cb_rng *r) {
  slider s = slider_any(r);
  s.texture_N = c->memory > 0 ? 0.02 * s.kinetic_N : 0;
  s.texture_m = c->memory * s.travel_m;
  if (c->stretch > 0) s.link_N_per_m = s.static_N / (s.travel_m * c->stretch);
  s.damping_Ns_per_m =
      (c->damping > 0 ? c->damping : slider_between(r, 0.3, 1)) * 2 * sqrt(s.link_N_per_m * s.mass_kg);
  if (c->noise > 0) s.noise_N = c->noise * s.kinetic_N;
  if (c->digit_of_noise > 0) s.digit_N = c->digit_of_noise * s.noise_N;
  return s;
}

static double truth_fraction(double x) { return x - floor(x); }

/* Friction of the cloth at a place, over that of the whole: its mean is 1. */
static double truth_place(const truth *c, const truth_state *q, double part) {
  double f = 1;
  if (c->wave > 0) f += c->wave * sin(2 * M_PI * part / c->wave_way + q->phase[0]);
  for (int k = 0; k < PINK_N && c->pink > 0; k++)
    f += c->pink * sin(12 * M_PI * part * (1 << k) + q->phase[k]);
  if (!(c->rib > 0 || c->nap > 0)) return f;
  const double tooth = truth_fraction(40 * part + q->phase[0]);
  return f + c->rib * (tooth < 0.5 ? 1 : -1) + 2 * c->nap * (tooth - 0.5);
}

/* Friction at a speed, over that at the stage's. */
static double truth_speed(const truth *c, const slider *s, double v) {
  const double part = v / s->speed_m_per_s;
  double f = 1;
  if (c->stribeck > 0) f += c->stribeck * (exp(-part / 2) - exp(-0.5));
  if (c->per_e > 0) f += c->per_e * (asinh(50 * part) - asinh(50));
  return f;
}

/* Of rate and state the speed follows from the balance of forces: Newton's method in its logarithm. */
static double truth_creep(const truth *c, const slider *s, truth_state *q, double pull, double level) {
  const double d_c = 0.01 * s->travel_m, v0 = s->speed_m_per_s, m = s->mass_kg / SLIDER_DT,
               strength = (1 + c->b * log(v0 * q->age_s / d_c)) / c->a;
  double u = log(fmax(q->w, 1e-9 * v0));
  for (int i = 0; i < 30; i++) {
    const double v = exp(u), z = 0.5 * v / v0 * exp(strength),
                 miss = m * (v - q->w) + level * c->a * asinh(z) - pull + s->damping_Ns_per_m * (v - q->w),
                 slope = (m + s->damping_Ns_per_m) * v + level * c->a * z / sqrt(1 + z * z),
                 step = fmax(-2, fmin(2, miss / slope));
    u -= step;
    if (fabs(step) < 1e-9) break;
  }
  q->age_s += (1 - exp(u) * q->age_s / d_c) * SLIDER_DT;
  return pull > 0 ? exp(u) : 0;
}

/* Force of bristles that stretch before they slide. */
static double truth_bristles(const truth *c, const slider *s, truth_state *q, double level) {
  const double moved = q->w * SLIDER_DT;
  if (c->dahl_way > 0) {
    const double way = c->dahl_way * s->travel_m;
    q->bristle += (moved - fabs(moved) * q->bristle) / way;
    return level * q->bristle;
  }
  double sum = 0;
  for (int i = 0; i < MAXWELL_N; i++) {
    const double yields = c->maxwell_way * s->travel_m * (i + 1) / MAXWELL_N;
    q->spring[i] = fmax(-1, fmin(1, q->spring[i] + moved / yields));
    sum += q->spring[i];
  }
  return level * sum / MAXWELL_N;
}

/* One step of what touches the cloth, under a pull. */
static void truth_step(const truth *c, const slider *s, truth_state *q, double pull, cb_rng *r) {
  const double mass = c->bed > 0 ? 0.2 * s->mass_kg : s->mass_kg,
               level = s->kinetic_N * truth_place(c, q, q->y / s->travel_m) *
                           (1 + c->pitch * (1 - pull / s->kinetic_N)) +
                       q->forgetful;
  if (c->a > 0) {
    q->w = truth_creep(c, s, q, pull, level);
  } else if (c->dahl_way > 0 || c->maxwell_way > 0) {
    q->w += (pull - truth_bristles(c, s, q, level)) / mass * SLIDER_DT;
  } else {
    if (q->stuck && pull > (q->broke ? level * truth_speed(c, s, 0) : s->static_N))
      q->stuck = false, q->broke = true;
    if (!q->stuck) q->w += (pull - level * truth_speed(c, s, q->w)) / mass * SLIDER_DT;
    if (q->w <= 0) q->w = 0, q->stuck = true;
  }
  q->y += q->w * SLIDER_DT;
  if (q->y > 0.3 * s->travel_m && q->y < 0.8 * s->travel_m && q->w <= 0) q->stood = true;
  if (!(s->texture_m > 0) || fabs(q->y - q->remembered_m) < 1e-3 * s->texture_m) return;
  const double keep = exp(-fabs(q->y - q->remembered_m) / s->texture_m);
  q->forgetful = keep * q->forgetful + s->texture_N * sqrt(1 - keep * keep) * cb_rng_normal(r);
  q->remembered_m = q->y;
}

static double truth_stage(const truth *c, const slider *s, double t_s) {
  const double x = fmax(0, t_s) * s->speed_m_per_s, way = fmax(1e-9, c->ripple_way) * s->travel_m;
  return fmin(s->travel_m,
              c->ripple > 0 ? x + c->ripple * way / (2 * M_PI) * (1 - cos(2 * M_PI * x / way)) : x);
}

/* Force of the link, and the sled's step. */
static double truth_pull_step(const truth *c, const slider *s, truth_state *q, double now, cb_rng *r) {
  const double stage = truth_stage(c, s, now), before = truth_stage(c, s, now - SLIDER_DT),
               stretch = stage - q->x - s->slack_m,
               pull = stretch > 0 ? fmax(0, s->link_N_per_m * stretch +
                                                s->damping_Ns_per_m * ((stage - before) / SLIDER_DT - q->v))
                                  : 0;
  if (!(c->bed > 0)) {
    truth_step(c, s, q, pull, r);
    q->x = q->y, q->v = q->w;
    return pull;
  }
  const double shear = c->bed * s->link_N_per_m * (q->x - q->y) + 0.5 * s->damping_Ns_per_m * (q->v - q->w);
  truth_step(c, s, q, shear, r);
  q->v += (pull - shear) / (0.8 * s->mass_kg) * SLIDER_DT;
  q->x += q->v * SLIDER_DT;
  return pull;
}

static double truth_reading(const truth *c, const slider *s, const truth_state *q, double now, cb_rng *r) {
  const double part = fmax(0, now) * s->speed_m_per_s / s->travel_m,
               reading = s->zero_N + q->shown + s->noise_N * cb_rng_normal(r) +
                         s->kinetic_N * (c->drift * part + c->hum * sin(2 * M_PI * 50 * now));
  return s->digit_N > 0 ? s->digit_N * round(reading / s->digit_N) : reading;
}

/* One pull; the caller clears it. *stood: it is not quite sound, since the sled came to stand again. */
static cb_trace truth_pull(const truth *c, const slider *s, cb_rng *r, bool *stood) {
  cb_trace t = {.digit_N = s->digit_N, .speed_m_per_s = s->speed_m_per_s};
  truth_state q = {.stuck = true, .age_s = 100, .forgetful = s->texture_N * cb_rng_normal(r)};
  double next_s = -s->rest_s;
  for (int i = 0; i < PINK_N; i++) q.phase[i] = slider_between(r, 0, 2 * M_PI);
  for (long k = lround(-s->rest_s / SLIDER_DT); (double)k * SLIDER_DT < s->travel_m / s->speed_m_per_s + 0.2;
       k++) {
    const double now = (double)k * SLIDER_DT, pull = truth_pull_step(c, s, &q, now, r);
    q.shown += (pull - q.shown) * (c->filter_s > 0 ? SLIDER_DT / c->filter_s : 1);
    if (now < next_s) continue;
    next_s += 1 / s->rate_Hz;
    assert_ok(cb_series_push(&t.force_N, now, truth_reading(c, s, &q, now, r), err));
    assert_ok(cb_series_push(&t.position_m, now, 0.02 + truth_stage(c, s, now), err));
    if (now < -0.05) t.n_rest = t.force_N.n;
  }
  *stood = q.stood;
  return t;
}

#endif
