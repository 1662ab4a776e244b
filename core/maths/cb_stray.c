#include "cb_stray.h"

#include <math.h>
#include <stdlib.h>

#include "cb_stats.h"

#define LONGEST 4 /* false readings in a row */
#define WIDE 50   /* readings to either side, whose scatter is the noise of a place */
#define FEW 12    /* fewer tell no noise */
/* So many standard deviations of the noise beyond both neighbours no reading of the noise is; nor, where
 * others are false, is one so many beyond. */
#define SURE 7
#define LIKELY 4
#define OTHERS 3
/* In a record of so many readings, a noise of n second differences that one side tells counts as larger by
 * the part BORDER / n. */
#define LONG 300
#define BORDER 10.0
/* A median of the sizes of second differences over the standard deviation of white noise: 0.6745 sqrt(6). */
#define MEDIAN_PER_SD 1.652
/* A rise goes on if its last step is at most this many times the one before. */
#define GOES_ON 1.2
/* Off a straight line, a reading is alone from so much more. */
#define LINE 1.3
#define RISE 4
#define PASSES 6
/* Readings further apart than this many usual steps have a hole between them: what the force did there is not
 * known. Beside it a reading is alone if it leaves the range of so many readings to either side. */
#define HOLE 3
#define NEAR 8
/* No step counts as less than this part of the usual one: its slope would be noise. */
#define LEAST_STEP 0.25
/* Times that scatter by more than this part of the usual step, and by more than a stamp's last digit, are
 * those at which readings were asked for or came: the force may be older by LATE steps. */
#define SCATTER 1e-3
#define STAMP_S 1e-6
#define LATE 1
/* Of runs of equal readings, this part must be of one length, within one, where a reading is held. */
#define HELD_PART 0.9

/* A reading, or one that was given several times: a slow converter holds it, or a gauge with a clock of its
 * own is asked sooner than it has a new one. */
typedef struct level {
  double v;
  size_t first, n;
  double from, to; /* times of its first and last reading, in usual steps */
} level;

typedef struct chain {
  level *list; /* those still believed, in order; owned */
  size_t n, n_rest;
  double *bend; /* their second differences, which a slope does not enter; listed for each pass */
  double *work; /* room for n */
  double rest;  /* noise of the whole rest, likewise; 0: too short to tell */
  double least; /* no less counts as noise */
  double limit; /* SURE or LIKELY */
  double late;  /* usual steps by which a reading may be older than its time */
} chain;

/* ---- levels ---- */

static size_t length_of_run(const double *v, size_t n, size_t i) {
  size_t end = i + 1;
  while (end < n && v[end] == v[i]) end++;
  return end - i;
}

/* A logger that is faster than its converter writes each value the same number of times. */
static bool is_held(const double *v, size_t n) {
  size_t count[16] = {0}, runs = 0, usual = 1, alike;
  for (size_t i = 0, length; i < n; i += length) {
    length = length_of_run(v, n, i);
    count[length < 15 ? length : 15]++;
    runs++;
  }
  for (size_t k = 2; k < 15; k++)
    if (count[k] > count[usual]) usual = k;
  alike = count[usual - 1] + count[usual] + count[usual + 1];
  return usual > 1 && runs >= FEW && (double)alike >= HELD_PART * (double)runs;
}

/* Usual step between two times; 0: they are not the readings' own, as where readings came in chunks. */
static double usual_step(const double *t_s, size_t n, double *work) {
  for (size_t i = 1; i < n; i++) {
    work[i - 1] = t_s[i] - t_s[i - 1];
    if (!(work[i - 1] > 0)) return 0;
  }
  return n > 1 ? cb_median(work, n - 1, work + n) : 0;
}

/* A logger's times are even, but for holes; those of a read-out that is asked for each reading are not. A
 * gauge has a clock of its own: asked at nearly its rate, it answers now and then with an old reading, or
 * leaves one out. work as usual_step leaves it: steps in work[0] to work[n - 2]. */
static bool is_scattered(double usual_s, size_t n, double *work) {
  for (size_t i = 0; i + 1 < n; i++) work[i] = fabs(work[i] - usual_s);
  return usual_s > 0 && cb_median(work, n - 1, work + n) > SCATTER * usual_s + STAMP_S;
}

double cb_stray_late_s(const double *t_s, size_t n, double *work) {
  const double usual_s = usual_step(t_s, n, work);
  return is_scattered(usual_s, n, work) ? LATE * usual_s : 0;
}

/* Times in usual steps; t_s may be NULL. work: room for twice as many. */
static void list_times(chain *c, const double *t_s, size_t n, double *work, double *t) {
  const double usual_s = t_s ? usual_step(t_s, n, work) : 0;
  c->late = is_scattered(usual_s, n, work) ? LATE : 0;
  t[0] = 0;
  for (size_t i = 1; i < n; i++)
    t[i] = t[i - 1] + (usual_s > 0 ? fmax(LEAST_STEP, (t_s[i] - t_s[i - 1]) / usual_s) : 1);
}

static void list_levels(chain *c, const double *t, const double *v, size_t n, size_t n_rest) {
  const bool again = c->late > 0 || is_held(v, n);
  for (size_t i = 0, length = 1; i < n; i += length) {
    if (again) length = length_of_run(v, n, i);
    if (i < n_rest) c->n_rest = c->n + 1;
    c->list[c->n++] = (level){v[i], i, length, t[i], t[i + length - 1]};
  }
}

static double least_step(const chain *c) {
  double least = INFINITY;
  for (size_t i = 1; i < c->n; i++) {
    double step = fabs(c->list[i].v - c->list[i - 1].v);
    if (step > 0) least = fmin(least, step);
  }
  return isfinite(least) ? least : 0;
}

/* ---- noise ---- */

/* Of n second differences. few: so few of them know the noise badly, it may be more. */
static double doubt_of_few(size_t n, bool few) { return few ? 1 + 6 / (double)n : 1; }

/* Near an end or a border of a long record there are not two sides of which the larger counts: chance makes
 * the noise low. In a short record few places are so, and a higher noise would hide false readings. */
static double doubt_of_border(const chain *c, size_t n) {
  return c->n >= LONG && n < 2 * (WIDE - 2) ? 1 + BORDER / (double)n : 1;
}

static double noise_of(const double *bend, size_t n, bool few) {
  double work[WIDE];
  return cb_median(bend, n, work) / MEDIAN_PER_SD * doubt_of_few(n, few);
}

/* So many readings tell a noise. */
static bool are_enough(size_t from, size_t to) { return to >= from + FEW; }

static double noise_between(const chain *c, size_t from, size_t to) {
  return are_enough(from, to) ? noise_of(&c->bend[from + 1], to - from - 2, to <= c->n_rest) : 0;
}

/* Nothing moves at rest: a part of it that chance made quiet is no quieter. */
static double noise_of_rest(const chain *c) {
  if (!are_enough(0, c->n_rest)) return 0;
  return cb_median(&c->bend[1], c->n_rest - 2, c->work) / MEDIAN_PER_SD;
}

static void list_bends(chain *c) {
  for (size_t i = 1; i + 1 < c->n; i++)
    c->bend[i] = fabs(c->list[i - 1].v - 2 * c->list[i].v + c->list[i + 1].v);
  c->rest = noise_of_rest(c);
}

/* Whether noise_between is surely this much: at least half of the second differences are as large. */
static bool is_as_noisy(const chain *c, size_t from, size_t to, double noise) {
  if (!are_enough(from, to)) return false;
  const size_t n = to - from - 2;
  const double least = (1 + 1e-9) * noise * MEDIAN_PER_SD / doubt_of_few(n, to <= c->n_rest);
  size_t less = 0;
  for (size_t i = from + 1; i + 1 < to; i++) less += !(c->bend[i] >= least);
  return less <= (n - 1) / 2;
}

/* Readings around a place: before it from..first, after it end..to. */
typedef struct around {
  size_t from, first, end, to;
} around;

static around around_of(const chain *c, size_t first, size_t end) {
  const bool rest = first < c->n_rest;
  const size_t low = rest ? 0 : c->n_rest, high = rest && end <= c->n_rest ? c->n_rest : c->n;
  return (around){.from = first > low + WIDE ? first - WIDE : low,
                  .first = first,
                  .end = end,
                  .to = end + WIDE < high ? end + WIDE : high};
}

/* Of few readings on both sides together. */
static double noise_of_few(const chain *c, const around *a) {
  double bend[2 * FEW];
  size_t n = 0;
  for (size_t i = a->from + 1; i + 1 < a->first; i++) bend[n++] = c->bend[i];
  for (size_t i = a->end + 1; i + 1 < a->to; i++) bend[n++] = c->bend[i];
  return n < 3 ? INFINITY : noise_of(bend, n, true);
}

/* The larger of the noise before and after: where the motion begins, the quiet side says little, and the
 * other side is more than noise. */
static double noise_at(const chain *c, const around *a) {
  const size_t before = are_enough(a->from, a->first) ? a->first - a->from - 2 : 0,
               after = are_enough(a->end, a->to) ? a->to - a->end - 2 : 0;
  const double noise = before + after > 0
                           ? fmax(noise_between(c, a->from, a->first), noise_between(c, a->end, a->to)) *
                                 doubt_of_border(c, before + after)
                           : noise_of_few(c, a);
  return fmax(noise, fmax(c->least, a->first < c->n_rest ? c->rest : 0));
}

/* ---- what stands alone ---- */

/* Readings first to end of the chain, between a reading before and one after. At the beginning, and at the
 * end of a rest, there is only one of them. */
typedef struct gap {
  const chain *c;
  size_t first, end;
  level before, after;
} gap;

static gap gap_of(const chain *c, size_t first, size_t end) {
  return (gap){.c = c,
               .first = first,
               .end = end,
               .before = c->list[first > 0 ? first - 1 : end],
               .after = c->list[end < c->n ? end : first - 1]};
}

static double distance(const level *a, const level *b) { return b->from - a->from; }

/* Readings that are out already leave no hole. */
static bool is_hole(const level *a, const level *b) {
  return b->from - a->to > HOLE * (double)(b->first - a->first - a->n + 1);
}

static bool beside_hole(const gap *g) {
  const level *l = g->c->list;
  return (g->first > 0 && is_hole(&g->before, &l[g->first])) ||
         (g->end < g->c->n && is_hole(&l[g->end - 1], &g->after));
}

/* Range of the readings near the gap. */
static double range_near(const gap *g) {
  const chain *c = g->c;
  double low = INFINITY, high = -INFINITY;
  for (size_t i = g->first > NEAR ? g->first - NEAR : 0; i < c->n && i < g->end + NEAR; i++) {
    if (i >= g->first && i < g->end) continue;
    low = fmin(low, c->list[i].v);
    high = fmax(high, c->list[i].v);
  }
  return high - low;
}

/* What the line from z to a leads to at b, or so many steps later. */
static double lead(const level *z, const level *a, const level *b, double later) {
  const double way = distance(a, b);
  return (a->v - z->v) * (way + copysign(later, way)) / distance(z, a);
}

/* The readings before the gap lead to the one after it, and the other way round. */
static bool is_straight(const gap *g, double slack) {
  const level *l = g->c->list, *a = &g->before, *b = &g->after;
  if (g->first < 2 || g->end + 2 > g->c->n) return false;
  return fabs(a->v + lead(&l[g->first - 2], a, b, 0) - b->v) <= slack &&
         fabs(b->v + lead(&l[g->end + 1], b, a, 0) - a->v) <= slack;
}

/* Least departure of the readings from the straight line over the gap, as their times are known; negative
 * where they are on both sides of it. */
static double beyond_line(const gap *g) {
  const level *a = &g->before, *b = &g->after;
  const bool inside = g->first > 0 && g->end < g->c->n;
  double least = INFINITY, way = 0;
  for (size_t i = g->first; i < g->end; i++) {
    const level *l = &g->c->list[i];
    const double part = inside ? distance(a, l) / distance(a, b) : 0,
                 off = l->v - (a->v + part * (b->v - a->v));
    if (way == 0) way = off > 0 ? 1 : -1;
    least = fmin(least, way * off);
  }
  return inside ? least - g->c->late * fabs((b->v - a->v) / distance(a, b)) : least;
}

/* Least departure from both neighbours, in the direction of the first reading. */
static double beyond_both(const gap *g) {
  const level *l = g->c->list;
  const double way = l[g->first].v > g->before.v ? 1 : -1;
  double least = INFINITY;
  for (size_t i = g->first; i < g->end; i++)
    least = fmin(least, fmin(way * (l[i].v - g->before.v), way * (l[i].v - g->after.v)));
  return least;
}

/* Where the force goes to another level within a reading, it may go beyond by as much; before it goes, it may
 * have stood out by half as much. */
static double overshoot_of(const gap *g) {
  const double step = g->after.v - g->before.v, towards = g->c->list[g->first].v > g->before.v ? step : -step;
  return towards > 0 ? towards : -0.5 * towards;
}

/* Reading `to` goes on with the way that the readings from a on came, a itself at the gap's edge and `back`
 * in the direction from which they came. The steepest of their steps counts: noise hides some of them. */
static bool goes_on(const gap *g, const level *a, size_t to, int back, double slack) {
  const chain *c = g->c;
  const double step = c->list[to].v - a->v, way = step > 0 ? 1 : -1;
  double most = 0;
  size_t edge = back < 0 ? g->first - 1 : g->end;
  for (int k = 1; k <= RISE; k++) {
    const size_t i = edge + (size_t)(back * k);
    if (i >= c->n) break;
    most = fmax(most, way * lead(&c->list[i], a, &c->list[to], c->late));
  }
  return most > 0 && fabs(step) <= GOES_ON * most + slack;
}

/* The readings of the gap lead to the one after it, or before it, as they lead to each other: a slope does
 * not come back at once. */
static bool is_slope(const gap *g, double slack) {
  const level *l = g->c->list;
  double up = -INFINITY, down = INFINITY;
  if (g->end - g->first < 2) return false;
  for (size_t i = g->first; i + 1 < g->end; i++) {
    const double rate = (l[i + 1].v - l[i].v) / distance(&l[i], &l[i + 1]);
    up = fmax(up, rate);
    down = fmin(down, rate);
  }
  if (up * down <= 0) return false;
  const double way = up > 0 ? 1 : -1, most = GOES_ON * fmax(up, -down), late = g->c->late,
               out = way * (g->after.v - l[g->end - 1].v), in = way * (l[g->first].v - g->before.v);
  return (g->end < g->c->n && out > 0 &&
          out <= most * (distance(&l[g->end - 1], &g->after) + late) + slack) ||
         (g->first > 0 && in > 0 && in <= most * (distance(&g->before, &l[g->first]) + late) + slack);
}

static bool is_corner(const gap *g, double slack) {
  return is_slope(g, slack) || (g->first >= 2 && goes_on(g, &g->before, g->first, -1, slack)) ||
         (g->end + 2 <= g->c->n && goes_on(g, &g->after, g->end - 1, 1, slack));
}

/* The force rises and falls by `size` among the readings from..to. */
static bool swings(const chain *c, size_t from, size_t to, double size) {
  double low = INFINITY, high = -INFINITY;
  bool up = false, down = false;
  for (size_t i = from; i < to; i++) {
    low = fmin(low, c->list[i].v);
    high = fmax(high, c->list[i].v);
    up = up || c->list[i].v - low >= size;
    down = down || high - c->list[i].v >= size;
  }
  return up && down;
}

/* The force swings by as much before the gap and after it: teeth of a few readings, of which one was read
 * more often or less often than the others. Means and peaks do not hang on it. */
static bool is_among_teeth(const gap *g, double size) {
  const chain *c = g->c;
  return swings(c, g->first > NEAR ? g->first - NEAR : 0, g->first, size) &&
         swings(c, g->end, g->end + NEAR < c->n ? g->end + NEAR : c->n, size);
}

/* At the beginning and at the end there is one neighbour: where its own neighbour does not agree with it, it
 * may be the false one. */
static bool is_vouched(const gap *g, double slack) {
  const level *l = g->c->list;
  if (g->first == 0) return g->end + 1 >= g->c->n || fabs(l[g->end].v - l[g->end + 1].v) <= slack;
  return g->end < g->c->n || g->first < 2 || fabs(l[g->first - 1].v - l[g->first - 2].v) <= slack;
}

static bool stands_alone(const chain *c, size_t first, size_t end) {
  const bool begins = first == 0, ends = end == c->n;
  if ((begins && ends) || (ends && c->n_rest < c->n) || ((begins || ends) && end - first > 2)) return false;
  for (size_t i = first, readings = 0; i < end; i++) {
    readings += c->list[i].n;
    if (!isfinite(c->list[i].v) || (c->late > 0 && readings > LONGEST)) return false;
  }
  const gap g = gap_of(c, first, end);
  const double line = beyond_line(&g), both = beyond_both(&g);
  const double most = fmax(line, both), noise = most / c->limit;
  const around a = around_of(c, first, end);
  /* Most readings are noise; to see that takes no median. */
  if (most <= c->limit * c->least || is_as_noisy(c, a.from, first, noise) || is_as_noisy(c, end, a.to, noise))
    return false;
  const double limit = c->limit * noise_at(c, &a);
  if (!is_vouched(&g, limit)) return false;
  if (beside_hole(&g)) return both > fmax(limit, range_near(&g)) && !is_corner(&g, 0.5 * limit);
  if (line > LINE * limit && is_straight(&g, limit)) return true;
  return both > fmax(limit, overshoot_of(&g)) && !is_corner(&g, 0.5 * limit) && !is_among_teeth(&g, both);
}

static size_t length_alone(const chain *c, size_t first) {
  for (size_t length = 1; length <= LONGEST && first + length <= c->n; length++)
    if (stands_alone(c, first, first + length)) return length;
  return 0;
}

/* One pass; what it takes out is the neighbour of none in the next. Returns how many readings that were. */
static size_t take_out(chain *c, bool *gone, bool *stray) {
  size_t taken = 0, kept = 0, rest = 0;
  list_bends(c);
  for (size_t i = 0; i < c->n; i++) gone[i] = false;
  for (size_t i = 0, length; i<c->n; i += length> 0 ? length + 1 : 1) {
    length = length_alone(c, i);
    for (size_t k = i; k < i + length; k++) gone[k] = true;
  }
  for (size_t i = 0; i < c->n; i++) {
    const level l = c->list[i];
    if (!gone[i]) {
      if (i < c->n_rest) rest++;
      c->list[kept++] = l;
      continue;
    }
    for (size_t k = l.first; k < l.first + l.n; k++) stray[k] = true;
    taken += l.n;
  }
  c->n = kept;
  c->n_rest = rest;
  return taken;
}

static size_t take_out_all(chain *c, bool *gone, bool *stray) {
  size_t all = 0, taken = 1;
  for (int pass = 0; pass < PASSES && taken > 0; pass++) all += taken = take_out(c, gone, stray);
  return all;
}

cb_status cb_stray_find(const double *t_s, const double *v, size_t n, size_t n_rest, double digit,
                        bool *stray, size_t *count, cb_err *err) {
  *count = 0;
  if (n == 0) return CB_OK;
  chain c = {.list = malloc(n * sizeof *c.list)};
  bool *gone = malloc(n * sizeof *gone);
  double *times = malloc(3 * n * sizeof *times);
  const bool memory = c.list && gone && times;
  for (size_t i = 0; i < n; i++) stray[i] = false;
  if (memory) {
    list_times(&c, t_s, n, times + n, times);
    list_levels(&c, times, v, n, n_rest);
    c.work = times;
    c.bend = times + n;
    c.least = 0.5 * fmax(digit, least_step(&c));
    c.limit = SURE;
    *count = take_out_all(&c, gone, stray);
    c.limit = LIKELY;
    if (*count >= OTHERS) *count += take_out_all(&c, gone, stray);
  }
  free(c.list);
  free(gone);
  free(times);
  if (!memory) return cb_no_memory(err, "%zu readings", n);
  if ((double)*count > CB_STRAY_MOST * (double)n)
    for (size_t i = 0; i < n; i++) stray[i] = false;
  return CB_OK;
}

/* ---- bridged ---- */

static void bridge(const double *t_s, double *v, size_t n, size_t first, size_t end) {
  const size_t before = first > 0 ? first - 1 : end, after = end < n ? end : first - 1;
  const double a = v[before], b = v[after], whole_s = t_s && after > before ? t_s[after] - t_s[before] : 0;
  for (size_t i = first; i < end; i++) {
    const double part =
        whole_s > 0 ? (t_s[i] - t_s[before]) / whole_s : (double)(i - first + 1) / (double)(end - first + 1);
    v[i] = a + (b - a) * part;
  }
}

static void bridge_all(const double *t_s, double *v, size_t n, const bool *stray) {
  for (size_t i = 0, end; i < n; i = end + 1) {
    for (end = i; end < n && stray[end]; end++) continue;
    if (end > i) bridge(t_s, v, n, i, end);
  }
}

cb_status cb_stray_bridge(const double *t_s, double *v, size_t n, size_t n_rest, double digit, bool *stray,
                          size_t *count, cb_err *err) {
  bool *own = stray ? NULL : malloc((n + 1) * sizeof *own), *marks = stray ? stray : own;
  if (!marks) return cb_no_memory(err, "%zu readings", n);
  cb_status st = cb_stray_find(t_s, v, n, n_rest, digit, marks, count, err);
  if (st == CB_OK) bridge_all(t_s, v, n, marks);
  free(own);
  return st;
}
