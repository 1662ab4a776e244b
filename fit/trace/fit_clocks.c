#include "fit_clocks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cb_plural.h"
#include "cb_stats.h"

#define MIN_READINGS 8
#define LEAST_CORRELATION 0.7
/* The coarse search looks at so many readings and offsets at most: their product is its price. */
#define MOST_GRID 4096
/* Readings of a that count in the fine search. */
#define MOST_FINE 20000
#define SLOW_REL 0.05
/* A series has begun to move once it is so much of its range from where it was. */
#define FORCE_MOVED_REL 0.2
#define POSITION_MOVED_REL 0.02
#define TOGETHER_REL 0.2
/* An offset that leaves less than twice as much is another candidate. */
#define ANOTHER 2

const char *const fit_clocks_outcome_text[] = {"aligned", "the two do not follow the same motion",
                                               "another offset is as good",
                                               "where both begin to move, it is another"};

/* ---- how well an offset fits ---- */

/* Every step-th reading of a that was taken while b was, at all offsets from low_s to high_s; that must be
 * `least` at least. */
typedef struct pair {
  const cb_series *a, *b;
  size_t step;
  double least, low_s, high_s;
  bool same_sign;
} pair;

typedef struct match {
  size_t n;
  double misfit; /* part of a's variance that b does not explain; 1: nothing is explained */
  double correlation, scale;
} match;

/* b at a time that does not go back from call to call. */
static double follow(const cb_series *b, double t_s, size_t *at) {
  while (*at + 2 < b->n && b->t_s[*at + 1] < t_s) ++*at;
  double t0 = b->t_s[*at], t1 = b->t_s[*at + 1];
  double w = t1 > t0 ? (t_s - t0) / (t1 - t0) : 1;
  return b->v[*at] + w * (b->v[*at + 1] - b->v[*at]);
}

static bool overlaps(const pair *p, size_t i) {
  double t = p->a->t_s[i];
  return t - p->high_s >= p->b->t_s[0] && t - p->low_s <= p->b->t_s[p->b->n - 1];
}

static match match_at(const pair *p, double offset_s) {
  double n = 0, sa = 0, sb = 0, saa = 0, sab = 0, sbb = 0, a0 = p->a->v[0], b0 = p->b->v[0];
  size_t at = 0;
  for (size_t i = 0; i < p->a->n; i += p->step) {
    if (!overlaps(p, i)) continue;
    double a = p->a->v[i] - a0, b = follow(p->b, p->a->t_s[i] - offset_s, &at) - b0;
    n++, sa += a, sb += b, saa += a * a, sab += a * b, sbb += b * b;
  }
  match m = {.n = (size_t)n, .misfit = 1};
  if (n < p->least) return m;
  double vaa = saa - sa * sa / n, vab = sab - sa * sb / n, vbb = sbb - sb * sb / n;
  /* Rounding leaves something of equal numbers too. */
  if (!(vbb > 1e-14 * sbb && vaa > 1e-14 * saa)) return m;
  m.scale = vab / vbb;
  m.correlation = vab / sqrt(vaa * vbb);
  m.misfit = p->same_sign && m.correlation < 0 ? 1 : fmax(0, 1 - m.correlation * m.correlation);
  return m;
}

/* What is left of a, for as many readings as overlap. */
static size_t residuals(const pair *p, double offset_s, double scale, double *rest) {
  size_t n = 0, at = 0;
  for (size_t i = 0; i < p->a->n; i += p->step)
    if (overlaps(p, i)) rest[n++] = p->a->v[i] - scale * follow(p->b, p->a->t_s[i] - offset_s, &at);
  return n;
}

/* ---- search ---- */

static double golden_minimum(const pair *p, double low, double high) {
  const double part = 0.6180339887498949;
  double x1 = high - part * (high - low), x2 = low + part * (high - low);
  double f1 = match_at(p, x1).misfit, f2 = match_at(p, x2).misfit;
  for (int i = 0; i < 48; i++) {
    bool left = f1 < f2;
    if (left)
      high = x2, x2 = x1, f2 = f1, x1 = high - part * (high - low), f1 = match_at(p, x1).misfit;
    else
      low = x1, x1 = x2, f1 = f2, x2 = low + part * (high - low), f2 = match_at(p, x2).misfit;
  }
  return 0.5 * (low + high);
}

/* How far from the best offset, to one side, the squares stay below the limit; step: first guess, its sign
 * the side. */
static double reach(const pair *p, double best, double limit, double step, double most) {
  double in = 0, out = step;
  while (fabs(out) < most && match_at(p, best + out).misfit < limit) in = out, out *= 2;
  for (int i = 0; i < 40; i++) {
    double middle = 0.5 * (in + out);
    if (match_at(p, best + middle).misfit < limit)
      in = middle;
    else
      out = middle;
  }
  return fabs(in + out) / 2;
}

static double interval_of(const cb_series *s) { return (s->t_s[s->n - 1] - s->t_s[0]) / (double)(s->n - 1); }

typedef struct grid {
  double first, step;
  size_t n;
  double *misfit; /* owned */
} grid;

static size_t best_of(const grid *g) {
  size_t best = 0;
  for (size_t i = 1; i < g->n; i++)
    if (g->misfit[i] < g->misfit[best]) best = i;
  return best;
}

/* Is there a second valley as deep as the limit, beyond a ridge of half the height? */
static bool another_valley(const grid *g, size_t best, double limit) {
  double ridge = 0.5 * (1 + g->misfit[best]);
  size_t from = best, to = best;
  while (from > 0 && g->misfit[from - 1] < ridge) from--;
  while (to + 1 < g->n && g->misfit[to + 1] < ridge) to++;
  for (size_t i = 0; i < g->n; i++)
    if ((i < from || i > to) && g->misfit[i] <= limit) return true;
  return false;
}

static cb_status check_series(const cb_series *s, const char *name, cb_err *err) {
  if (s->n < MIN_READINGS)
    return cb_fail(err, CB_E_RANGE, "%s: %zu reading%s: at least %d are needed", name, s->n, CB_S(s->n),
                   MIN_READINGS);
  for (size_t i = 0; i < s->n; i++)
    if (!isfinite(s->t_s[i]) || !isfinite(s->v[i]) || (i > 0 && s->t_s[i] < s->t_s[i - 1]))
      return cb_fail(err, CB_E_NUM,
                     "%s: reading %zu is (%g s, %g): finite numbers and ascending times were wanted", name, i,
                     s->t_s[i], s->v[i]);
  return s->t_s[s->n - 1] > s->t_s[0]
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "%s: all readings are at %g s", name, s->t_s[0]);
}

/* ---- the whole ---- */

/* With its uncertainty, around the minimum of the coarse search. The same readings count at every offset:
 * their coming and going would be noise in the misfit. */
static cb_status refine(pair *p, const grid *g, double finest_s, fit_clocks *out, cb_err *err) {
  size_t best = best_of(g);
  double *rest = malloc(p->a->n * sizeof *rest), n_eff;
  if (!rest) return cb_no_memory(err, "%zu residuals", p->a->n);
  p->low_s = g->first + g->step * ((double)best - 1);
  p->high_s = g->first + g->step * ((double)best + 1);
  double at = golden_minimum(p, p->low_s, p->high_s);
  match m = match_at(p, at);
  (void)cb_mean_uncertainty(rest, residuals(p, at, m.scale, rest), &n_eff);
  free(rest);
  double growth = 1 / fmax(1, n_eff - 3), span = g->step * (double)g->n, limit = m.misfit * (1 + growth);
  out->correlation = m.correlation;
  out->scale = m.scale;
  out->outcome = FIT_CLOCKS_STRANGERS;
  if (m.misfit > 1 - LEAST_CORRELATION * LEAST_CORRELATION) return CB_OK;
  out->outcome = FIT_CLOCKS_AMBIGUOUS;
  if (another_valley(g, best, ANOTHER * g->misfit[best])) return CB_OK;
  out->outcome = FIT_CLOCKS_OK;
  out->offset_s = at;
  double half =
      0.5 * (reach(p, at, limit, 1e-3 * finest_s, span) + reach(p, at, limit, -1e-3 * finest_s, span));
  out->u_offset_s = hypot(half, fmax(interval_of(p->a), interval_of(p->b)) / sqrt(12));
  return CB_OK;
}

/* At least half of the shorter record must overlap. */
static pair make_pair(const cb_series *a, const cb_series *b, bool same_sign, size_t most) {
  pair p = {.a = a, .b = b, .step = 1 + a->n / most, .same_sign = same_sign};
  double span_a = a->t_s[a->n - 1] - a->t_s[0], span_b = b->t_s[b->n - 1] - b->t_s[0];
  p.least = fmax(MIN_READINGS, 0.5 * fmin(1, span_b / span_a) * (double)a->n / (double)p.step);
  return p;
}

cb_status fit_clocks_align(const cb_series *a, const cb_series *b, double max_s, bool same_sign,
                           fit_clocks *out, cb_err *err) {
  *out = (fit_clocks){.offset_s = NAN, .u_offset_s = NAN};
  CB_TRY(check_series(a, "a", err));
  CB_TRY(check_series(b, "b", err));
  double finest = fmin(interval_of(a), interval_of(b));
  grid g = {.step = fmax(finest, 2 * max_s / (MOST_GRID - 1))};
  double each_way = ceil(max_s / g.step);
  g.n = 2 * (size_t)each_way + 1;
  g.first = -g.step * each_way;
  g.misfit = malloc(g.n * sizeof *g.misfit);
  if (!g.misfit) return cb_no_memory(err, "%zu offsets", g.n);
  pair coarse = make_pair(a, b, same_sign, MOST_GRID), fine = make_pair(a, b, same_sign, MOST_FINE);
  for (size_t i = 0; i < g.n; i++) {
    coarse.low_s = coarse.high_s = g.first + g.step * (double)i;
    g.misfit[i] = match_at(&coarse, coarse.low_s).misfit;
  }
  cb_status st = refine(&fine, &g, finest, out, err);
  free(g.misfit);
  return st;
}

cb_status fit_clocks_direction(const cb_series *position_m, cb_series *out, cb_err *err) {
  const cb_series *x = position_m;
  double fastest = 0;
  *out = (cb_series){0};
  CB_TRY(check_series(x, "position", err));
  CB_TRY(cb_series_reserve(out, x->n, err));
  for (size_t i = 0; i < x->n; i++) {
    size_t from = i > 0 ? i - 1 : 0, to = i + 1 < x->n ? i + 1 : i;
    double dt = x->t_s[to] - x->t_s[from];
    out->t_s[i] = x->t_s[i];
    out->v[i] = dt > 0 ? (x->v[to] - x->v[from]) / dt : 0;
    fastest = fmax(fastest, fabs(out->v[i]));
  }
  for (size_t i = 0; i < x->n; i++)
    out->v[i] = fabs(out->v[i]) > SLOW_REL * fastest ? copysign(1, out->v[i]) : 0;
  out->n = x->n;
  return CB_OK;
}

/* The first reading that has left the level of the first ones; from_end: the last that has not come to that
 * of the last ones. */
static size_t moved(const cb_series *s, double rel, bool from_end) {
  double low = s->v[0], high = s->v[0],
         level = cb_mean(from_end ? s->v + s->n - MIN_READINGS : s->v, MIN_READINGS);
  for (size_t i = 1; i < s->n; i++) low = fmin(low, s->v[i]), high = fmax(high, s->v[i]);
  for (size_t k = 0; k < s->n; k++) {
    size_t i = from_end ? s->n - 1 - k : k;
    if (fabs(s->v[i] - level) > rel * (high - low)) return i;
  }
  return 0;
}

void fit_clocks_check_onset(const cb_series *force_N, const cb_series *position_m, fit_clocks *c) {
  size_t begin = moved(position_m, POSITION_MOVED_REL, false),
         end = moved(position_m, POSITION_MOVED_REL, true);
  if (c->outcome != FIT_CLOCKS_OK || begin < MIN_READINGS || end <= begin) return;
  double in_motion = position_m->t_s[end] - position_m->t_s[begin];
  double onset = force_N->t_s[moved(force_N, FORCE_MOVED_REL, false)] - position_m->t_s[begin];
  if (fabs(c->offset_s - onset) > TOGETHER_REL * in_motion + 3 * c->u_offset_s)
    c->outcome = FIT_CLOCKS_CONTRADICTED;
}
