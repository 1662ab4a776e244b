#include "cb_clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_stats.h"

#define RATE_TOLERANCE 0.2
#define WINDOW_S 0.1 /* holds several bursts of a USB adapter (16 ms), and a floor of delays with them */
#define WINDOW_MIN 16
#define LEVEL_WINDOWS 4 /* the floor so far: mean of so many */
#define STEP 0.75       /* periods: less than one sample ... */
#define SCATTERS                                                                                            \
  6 /* ... and yet far more than the floor's own scatter: where that is wide, single samples cannot be told \
       \ */
#define LASTING_S                                                                                           \
  0.5 /* a floor that was raised by a loss stays up; one that was raised by a stall comes down all the time \
         \ */
#define ROUNDS 4
#define MAX_RATE_HZ \
  1e9           /* stamps are whole microseconds; and a window of samples must be a number of samples */
#define PARTS 4 /* of the stream: in each of them some sample should have come at once */

typedef struct stream {
  const double *t_s;
  size_t n;
  double *index; /* of each sample, with the lost ones counted */
  double *work;  /* n */
  size_t *hull;  /* n */
} stream;

/* ---- the line under all stamps ---- */

static bool above(const stream *s, size_t a, size_t b, size_t c) {
  return (s->t_s[b] - s->t_s[a]) * (s->index[c] - s->index[a]) >=
         (s->t_s[c] - s->t_s[a]) * (s->index[b] - s->index[a]);
}

/* The edge of the lower convex hull over the middle sample: of all lines that no stamp lies below, the one to
 * which all stamps are nearest in sum. */
static void fit_line(const stream *s, cb_clock *c) {
  size_t m = 0, k = 1;
  for (size_t i = 0; i < s->n; i++) {
    while (m >= 2 && above(s, s->hull[m - 2], s->hull[m - 1], i)) m--;
    s->hull[m++] = i;
  }
  while (k + 1 < m && (double)s->hull[k] < 0.5 * (double)(s->n - 1)) k++;
  size_t from = s->hull[k - 1], to = s->hull[k];
  c->period_s = (s->t_s[to] - s->t_s[from]) / (s->index[to] - s->index[from]);
  c->offset_s = s->t_s[from] - s->index[from] * c->period_s;
}

static bool plausible(const cb_clock *c, double rate_Hz) {
  return fabs(c->period_s * rate_Hz - 1) < RATE_TOLERANCE;
}

static void count_lost(const stream *s, const cb_clock *c) {
  size_t g = 0;
  double lost = 0;
  for (size_t i = 0; i < s->n; i++) {
    while (g < c->n_gaps && c->gap[g].after < i) lost += (double)c->gap[g++].missing;
    s->index[i] = (double)i + lost;
  }
}

/* ---- the floor of the delays, window by window ---- */

typedef struct floors {
  double period_s;
  size_t width, n; /* samples per window, whole windows */
  double step_s;   /* a smaller one is none */
} floors;

static size_t window_width(double period_s) { return (size_t)fmax(WINDOW_MIN, ceil(WINDOW_S / period_s)); }

/* Delay of sample i against a clock of this period, as if nothing had been lost. */
static double delay_s(const stream *s, const floors *f, size_t i) {
  return s->t_s[i] - (double)i * f->period_s;
}

static size_t lowest(const stream *s, const floors *f, size_t w) {
  size_t best = w * f->width, end = w + 1 == f->n ? s->n : best + f->width;
  for (size_t i = best; i < end; i++)
    if (delay_s(s, f, i) < delay_s(s, f, best)) best = i;
  return best;
}

static double floor_s(const stream *s, const floors *f, size_t w) { return delay_s(s, f, lowest(s, f, w)); }

/* The period where a few samples are lost: the median over stretches of about a thousand samples, most of
 * which are whole. */
static double typical_period(const stream *s, double rate_Hz) {
  floors f = {.period_s = 1 / rate_Hz, .width = window_width(1 / rate_Hz)};
  f.n = s->n / f.width;
  size_t apart = (size_t)fmin(ceil(1000.0 / (double)f.width), floor(0.5 * (double)f.n)), m = 0;
  if (apart == 0) return 0;
  double *slope = s->index; /* not in use yet */
  for (size_t w = 0; w + apart < f.n; w++) {
    size_t a = lowest(s, &f, w), b = lowest(s, &f, w + apart);
    slope[m++] = (s->t_s[b] - s->t_s[a]) / (double)(b - a);
  }
  return cb_median(slope, m, s->work);
}

/* From the differences of neighbours, most of which no gap lies between. */
static double step_of(const stream *s, const floors *f) {
  double *difference = s->index, *work = s->work;
  if (f->n < 2) return STEP * f->period_s;
  for (size_t w = 1; w < f->n; w++) difference[w - 1] = fabs(floor_s(s, f, w) - floor_s(s, f, w - 1));
  /* 1.4826 times the median of |x| is the sd of normal x; a difference scatters sqrt(2) times as widely. */
  double scatter_s = 1.4826 / sqrt(2) * cb_median(difference, f->n - 1, work);
  return fmax(STEP * f->period_s, SCATTERS * scatter_s);
}

/* ---- gaps ---- */

static double lowest_floor(const stream *s, const floors *f, size_t from, size_t to) {
  double low = INFINITY;
  for (size_t w = from; w < to && w < f->n; w++) low = fmin(low, floor_s(s, f, w));
  return low;
}

static size_t lasting(const floors *f) {
  return (size_t)ceil(LASTING_S / f->period_s / (double)f->width) + 1;
}

/* How many samples the raised floor at window w says were lost; 0: none, or too near the end of the stream to
 * tell. */
static long lost_at(const stream *s, const floors *f, size_t w, double level_s) {
  size_t ahead = lasting(f);
  if (w + 2 * ahead > f->n) return 0;
  double soon = lowest_floor(s, f, w, w + ahead), later = lowest_floor(s, f, w + ahead, w + 2 * ahead);
  bool stall = soon - level_s <= f->step_s || later < soon - f->step_s;
  return stall ? 0 : lround((soon - level_s) / f->period_s);
}

/* How many samples the lowered floor at window w says came twice (< 0); 0: what came before was not the
 * floor, but a stall. */
static long doubled_at(const stream *s, const floors *f, size_t w, double level_s, double now_s) {
  size_t behind = 2 * lasting(f);
  if (w < behind) return 0;
  for (size_t k = w - behind; k < w; k++)
    if (fabs(floor_s(s, f, k) - level_s) > f->step_s) return 0;
  return lround((now_s - level_s) / f->period_s);
}

/* A loss: the last sample that still came as early as before. A surplus: the one before the first that came
 * too early. */
static size_t place_of(const stream *s, const floors *f, size_t w, double level_s, long missing) {
  size_t from = w > 0 ? (w - 1) * f->width : 0, to = (w + 1) * f->width, place = from;
  double middle_s = level_s + 0.5 * (double)missing * f->period_s;
  for (size_t i = from; i < to && i < s->n; i++) {
    bool low = delay_s(s, f, i) < middle_s;
    if (missing > 0 && low) place = i;
    if (missing < 0 && low) return i > 0 ? i - 1 : 0;
  }
  return place;
}

static bool add_gap(cb_clock *c, size_t after, long missing) {
  if (c->n_gaps == CB_CLOCK_GAPS_MAX) return false;
  c->gap[c->n_gaps++] = (cb_clock_gap){after, missing};
  return true;
}

/* What the floor at window w says: so many samples lost (> 0) or doubled (< 0), and the level that holds from
 * here on. */
static long step_at(const stream *s, const floors *f, size_t w, double *level_s) {
  double now_s = floor_s(s, f, w), step_s = now_s - *level_s;
  long missing = step_s > f->step_s    ? lost_at(s, f, w, *level_s)
                 : step_s < -f->step_s ? doubled_at(s, f, w, *level_s, now_s)
                                       : 0;
  *level_s += (double)missing * f->period_s;
  if (step_s < -f->step_s && missing == 0) *level_s = now_s; /* until now everything came late */
  /* A stall says nothing about the floor. */
  if (step_s <= f->step_s || missing != 0) *level_s += (now_s - *level_s) / LEVEL_WINDOWS;
  return missing;
}

/* Walks over the windows; false: more gaps than there is room for. */
static bool find_gaps(const stream *s, const floors *f, cb_clock *c) {
  double level_s = floor_s(s, f, 0);
  c->n_gaps = 0;
  for (size_t w = 1; w < f->n && w < LEVEL_WINDOWS; w++) level_s = fmin(level_s, floor_s(s, f, w));
  for (size_t w = 0; w < f->n; w++) {
    double before_s = level_s;
    long missing = step_at(s, f, w, &level_s);
    if (missing != 0 && !add_gap(c, place_of(s, f, w, before_s, missing), missing)) return false;
  }
  return true;
}

/* Rounds of "period - gaps - period", until the gaps stay what they are. */
static bool fit_with_gaps(const stream *s, double rate_Hz, cb_clock *c) {
  c->period_s = typical_period(s, rate_Hz);
  if (!plausible(c, rate_Hz)) c->period_s = 1 / rate_Hz; /* stalls longer than the stretches it looks at */
  for (int round = 0; round < ROUNDS && plausible(c, rate_Hz); round++) {
    size_t before = c->n_gaps;
    floors f = {.period_s = c->period_s, .width = window_width(c->period_s)};
    f.n = s->n / f.width;
    f.step_s = step_of(s, &f);
    if (!find_gaps(s, &f, c)) return false;
    count_lost(s, c);
    fit_line(s, c);
    if (round > 0 && c->n_gaps == before) return plausible(c, rate_Hz);
  }
  return plausible(c, rate_Hz);
}

/* ---- what remains in doubt ---- */

static double least_delay(const stream *s, const cb_clock *c, size_t from, size_t to) {
  double least_s = INFINITY;
  for (size_t i = from; i < to; i++)
    least_s = fmin(least_s, s->t_s[i] - c->offset_s - s->index[i] * c->period_s);
  return least_s;
}

/* The samples must have been counted with the clock's gaps. */
static double doubt_of(const stream *s, const cb_clock *c) {
  double worst_s = 0, missing = 0;
  for (size_t k = 0; k < PARTS; k++)
    worst_s = fmax(worst_s, least_delay(s, c, k * s->n / PARTS, (k + 1) * s->n / PARTS));
  for (size_t g = 0; g < c->n_gaps; g++) missing += (double)labs(c->gap[g].missing);
  return worst_s + missing * c->period_s;
}

/* ---- the whole ---- */

/* Too few samples for windows: gaps cannot be seen. */
static bool fit_short(const stream *s, double rate_Hz, cb_clock *c) {
  count_lost(s, c);
  fit_line(s, c);
  return plausible(c, rate_Hz);
}

bool cb_clock_fit(const double *arrival_s, size_t n, double nominal_rate_Hz, cb_clock *clock) {
  *clock = (cb_clock){0};
  if (n < 8 || !(nominal_rate_Hz > 0) || !(nominal_rate_Hz <= MAX_RATE_HZ)) return false;
  stream s = {arrival_s, n, calloc(n, sizeof(double)), malloc(n * sizeof(double)),
              malloc(n * sizeof(size_t))};
  bool ok = s.index && s.work && s.hull;
  if (ok)
    ok = n < 4 * window_width(1 / nominal_rate_Hz) ? fit_short(&s, nominal_rate_Hz, clock)
                                                   : fit_with_gaps(&s, nominal_rate_Hz, clock);
  if (ok) clock->doubt_s = doubt_of(&s, clock);
  free(s.index);
  free(s.work);
  free(s.hull);
  if (!ok) *clock = (cb_clock){0};
  return ok;
}

void cb_clock_apply(const cb_clock *clock, double *t_s, size_t n) {
  size_t g = 0;
  double lost = 0;
  for (size_t i = 0; i < n; i++) {
    while (g < clock->n_gaps && clock->gap[g].after < i) lost += (double)clock->gap[g++].missing;
    t_s[i] = clock->offset_s + ((double)i + lost) * clock->period_s;
    /* One that came twice is as old as its first. */
    if (i > 0 && t_s[i] < t_s[i - 1]) t_s[i] = t_s[i - 1];
  }
}

bool cb_clock_even(double *t_s, size_t n, double nominal_rate_Hz, cb_clock *clock) {
  bool ok = cb_clock_fit(t_s, n, nominal_rate_Hz, clock);
  if (ok) cb_clock_apply(clock, t_s, n);
  return ok;
}
