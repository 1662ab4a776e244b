#include "fit_peak.h"

#include <math.h>

/* Rise and fall are judged over this many readings. */
#define SAMPLES 5
/* A reading so many standard deviations above the zero is on the rise. */
#define OFF_ZERO 5
/* Steps of so many standard deviations are more than noise. */
#define STEP_SIGMA 6
/* A reading so many standard deviations beyond both neighbours stands alone. */
#define ALONE_SIGMA 7
/* Where noise hides the fall, means of so many readings may show it. */
#define MOST_IN_BLOCK 8
/* A fall of which one step takes more than this part was not seen. */
#define AT_ONCE 0.5
/* A peak is left by this part of it, and by so many standard deviations. */
#define MARKED 0.02
#define MARKED_SIGMA 8
/* A reading so many standard deviations above the mean of a few may be noise. */
#define CREST_SIGMA 4
/* A rise by this part of the peak between two readings is too steep for them. */
#define TOO_STEEP 0.5
/* An interval so many times the usual one is a hole. */
#define HOLE 1.5
/* So many readings of a rise vouch for the one at its end. */
#define VOUCH 4
/* A force below this part of the peak has not slid yet. */
#define SLID 0.5

/* ---- the readings that say something ---- */

/* The reading before i that counts; i if there is none. Of equal readings in a row the first counts: a
 * read-out that holds its value says nothing new. */
static size_t before(const fit_peak_record *r, size_t i) {
  size_t k = i;
  while (k > 0 && r->stray[k - 1]) k--;
  if (k == 0) return i;
  for (k--; k > 0 && !r->stray[k - 1] && r->force_N[k - 1] == r->force_N[k];) k--;
  return k;
}

static size_t after(const fit_peak_record *r, size_t i) {
  size_t k = i + 1;
  while (k < r->n && (r->stray[k] || r->force_N[k] == r->force_N[i])) k++;
  return k < r->n ? k : i;
}

static bool left_out_beside(const fit_peak_record *r, size_t i) {
  return (i > 0 && r->stray[i - 1]) || (i + 1 < r->n && r->stray[i + 1]);
}

static double time_between(const fit_peak_record *r, size_t a, size_t b) {
  return fmax(r->t_s[b] - r->t_s[a], 0.25 * r->usual_step_s); /* stamps may coincide */
}

static double slope(const fit_peak_record *r, size_t a, size_t b) {
  return (r->force_N[b] - r->force_N[a]) / time_between(r, a, b);
}

/* ---- rise and fall ---- */

/* Steepest rise up to `last`, less what noise adds to it; only_rising: of readings that have left the zero,
 * whose line is the link's. */
static double steepest(const fit_peak_record *r, size_t first, size_t last, bool only_rising) {
  double most = 0;
  size_t a = last;
  for (int k = 0; k < SAMPLES && a > first; k++) {
    const size_t next = before(r, a);
    if (next == a || next < first) break;
    a = next;
    if (only_rising && r->force_N[a] <= OFF_ZERO * r->noise_N) break;
    most = fmax(most, slope(r, a, last) - sqrt(2) * r->noise_N / time_between(r, a, last));
  }
  return most;
}

/* Rate of the rise that ends at `top`, which itself may stand beyond the peak. INFINITY: no two readings
 * before it are on the rise. */
static double rise_to(const fit_peak_record *r, size_t first, size_t top) {
  const size_t last = before(r, top);
  if (last == top || last < first || steepest(r, first, last, true) <= 0) return INFINITY;
  return fmax(steepest(r, first, last, true), steepest(r, first, top, true));
}

/* Means of readings in blocks of `length`, from `top` on. */
typedef struct blocks {
  int n;
  double t_s[SAMPLES + 1], force_N[SAMPLES + 1];
} blocks;

static blocks blocks_from(const fit_peak_record *r, size_t top, int length) {
  blocks b = {.n = 0};
  size_t i = top;
  for (; b.n <= SAMPLES; b.n++) {
    double t_s = 0, force_N = 0;
    for (int k = 0; k < length; k++) {
      t_s += r->t_s[i] / length;
      force_N += r->force_N[i] / length;
      const size_t next = after(r, i);
      if (next == i) return b;
      i = next;
    }
    b.t_s[b.n] = t_s;
    b.force_N[b.n] = force_N;
  }
  return b;
}

static double rate_between(const blocks *b, int k, double least_s) {
  return (b->force_N[k] - b->force_N[k + 1]) / fmax(b->t_s[k + 1] - b->t_s[k], least_s);
}

/* A step further on is larger than the first ones: teeth of stick-slip hide how the fall begins. */
static bool falls_later(const blocks *b, double noise_N) {
  const double begins = fmax(b->force_N[0] - b->force_N[1], b->force_N[1] - b->force_N[2]);
  for (int k = 2; k + 1 < b->n; k++) {
    const double step = b->force_N[k] - b->force_N[k + 1];
    if (step > noise_N && step > begins + noise_N) return true;
  }
  return false;
}

/* Rate of the fall that begins before or after the first block: its first whole step is the first or the
 * second. It is steepest at its beginning, which no reading sees: a step back it was steeper by as much as it
 * is less steep a step on. INFINITY: most of it was over within a step. Negative: noise hides it. */
static double fall_in_blocks(const fit_peak_record *r, size_t top, int length) {
  const blocks b = blocks_from(r, top, length);
  const double least_s = 0.25 * r->usual_step_s, noise_N = STEP_SIGMA * r->noise_N / sqrt(length);
  double low = b.n > 0 ? b.force_N[0] : 0, most = -1;
  if (b.n < 4) return -1;
  for (int k = 1; k < b.n; k++) low = fmin(low, b.force_N[k]);
  for (int k = 0; k < 2; k++) {
    const double step = b.force_N[k] - b.force_N[k + 1], whole = b.force_N[0] - low,
                 rate = rate_between(&b, k, least_s), next = rate_between(&b, k + 1, least_s);
    if (step <= noise_N) continue;
    if (step > AT_ONCE * whole || next < AT_ONCE * rate) return INFINITY;
    most = fmax(most, rate * fmax(whole / (whole - step), rate / next));
  }
  return falls_later(&b, noise_N) ? INFINITY : most;
}

static double fall_from(const fit_peak_record *r, size_t top) {
  for (int length = 1; length <= MOST_IN_BLOCK; length *= 2) {
    const double fall = fall_in_blocks(r, top, length);
    if (fall >= 0) return fall;
  }
  return INFINITY;
}

/* ---- bounds ---- */

/* By how much a corner may stand above the higher of two readings, per time between them. */
static double corner(double rise, double fall) {
  return isinf(fall) ? rise : rise > 0 ? rise * fall / (rise + fall) : 0;
}

/* A fall is known no further back than the steps after it are long, and not within a rise that takes less
 * than two of them. */
static double known_over(const fit_peak_record *r, size_t top, double span_s, double rise, double fall) {
  const size_t b = after(r, top), c = after(r, after(r, b));
  if (rise * span_s > TOO_STEEP * r->force_N[top]) return INFINITY;
  return span_s <= HOLE * fmax(0.5 * (r->t_s[c] - r->t_s[b]), r->usual_step_s) ? fall : INFINITY;
}

/* The corner stood before the top, or after it. */
static double above_top(const fit_peak_record *r, size_t top, double rise, double fall) {
  const size_t a = before(r, top), b = after(r, top);
  const double before_s = time_between(r, a, top), after_s = time_between(r, top, b),
               fall_before = known_over(r, top, before_s, rise, fall),
               fall_after = known_over(r, top, after_s, rise, fall),
               line = fmax(0, rise * before_s - (r->force_N[top] - r->force_N[a])),
               first = isinf(fall_before) ? line : corner(rise, fall_before) * before_s;
  return fmax(first, corner(rise, fall_after) * after_s);
}

/* Between two readings before the top, a and b, the rise may have ended in a peak that no reading saw: not
 * higher than the rise would have led, and not below b. False: the force slid between them, and the rise was
 * not seen. */
static bool widen_by_hidden(const fit_peak_record *r, size_t top, size_t first, fit_peak *peak) {
  const double slack_N = OFF_ZERO * r->noise_N, high_N = peak->high_N;
  for (size_t b = before(r, top), a; b > first && (a = before(r, b)) != b; b = a) {
    if (r->force_N[b] < SLID * r->force_N[top]) continue; /* it has not slid yet */
    const bool rising = r->force_N[after(r, b)] - r->force_N[b] > STEP_SIGMA * r->noise_N;
    if (r->force_N[a] <= OFF_ZERO * r->noise_N && !rising) return false;
    /* The step out of the slack may be the link's damper: it counts where there is no other. */
    const double line = steepest(r, first, a, true), rise = line > 0 ? line : steepest(r, first, a, false),
                 led_N = r->force_N[a] + rise * time_between(r, a, b);
    if (led_N - r->force_N[b] > fmax(MARKED * led_N, MARKED_SIGMA * r->noise_N))
      peak->low_N = fmin(peak->low_N, r->force_N[b]);
    if (led_N > high_N + slack_N) peak->high_N = fmax(peak->high_N, led_N);
  }
  return true;
}

/* The highest of many readings stands above the force: by as much as above the mean of the last ones, where
 * that may be noise. */
static double level_at(const fit_peak_record *r, size_t top, size_t first) {
  double sum = r->force_N[top];
  int n = 1;
  for (size_t i = top, a; n < VOUCH && (a = before(r, i)) != i && a >= first; i = a, n++)
    sum += r->force_N[a];
  return r->force_N[top] - sum / n < CREST_SIGMA * r->noise_N ? fmin(r->force_N[top], sum / n)
                                                              : r->force_N[top];
}

/* Readings that were left out may have been the peak. */
static double highest_left_out(const fit_peak_record *r, size_t first, size_t end) {
  double highest = -INFINITY;
  for (size_t i = first + 1, next; i < end; i = next) {
    for (next = i; next < end && r->stray[next]; next++) continue;
    if (next > i && next < r->n)
      highest =
          fmax(highest, r->force_N[i - 1] + steepest(r, first, i - 1, false) * time_between(r, i - 1, next));
    if (next == i) next++;
  }
  return highest;
}

static size_t readings_of_rise(const fit_peak_record *r, size_t top, size_t first) {
  size_t n = 0;
  for (size_t i = top, a; (a = before(r, i)) != i && a >= first; i = a, n++)
    if (r->force_N[a] <= OFF_ZERO * r->noise_N || r->force_N[a] >= r->force_N[i]) break;
  return n;
}

/* The top is beyond both neighbours: what tells it from a false reading is the rise before it alone. */
static bool is_doubtful(const fit_peak_record *r, size_t top, size_t first, size_t n_stray) {
  const double a = r->force_N[top] - r->force_N[before(r, top)],
               b = r->force_N[top] - r->force_N[after(r, top)];
  return fmin(a, b) > ALONE_SIGMA * r->noise_N && isinf(fall_from(r, top)) &&
         (n_stray > 0 || readings_of_rise(r, top, first) < VOUCH);
}

bool fit_peak_bound(const fit_peak_record *r, size_t top, size_t first, size_t end, size_t n_stray,
                    fit_peak *out) {
  const double rise = rise_to(r, first, top), fall = left_out_beside(r, top) ? INFINITY : fall_from(r, top),
               top_N = r->force_N[top];
  if (isinf(rise)) return false;
  out->rise_N_per_s = rise;
  out->low_N = level_at(r, top, first);
  out->high_N = top_N + above_top(r, top, rise, fall);
  if (is_doubtful(r, top, first, n_stray))
    out->low_N = fmax(r->force_N[before(r, top)], r->force_N[after(r, top)]);
  return highest_left_out(r, first, end) <= out->high_N + OFF_ZERO * r->noise_N &&
         widen_by_hidden(r, top, first, out) && isfinite(out->high_N);
}
