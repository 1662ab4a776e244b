#include "fit_strokes.h"

#include <math.h>
#include <stdlib.h>

#include "cb_array.h"
#include "cb_plural.h"

/* First and last strokes may be cut off by the record's ends: shorter than this part of the longest, they are
 * none. */
#define WHOLE_REL 0.5

/* Between two turning points, as indices of the positions. */
typedef struct leg {
  size_t from, to;
} leg;

typedef struct legs {
  leg *list; /* owned */
  size_t n, cap;
} legs;

static cb_status push_leg(legs *l, leg a, cb_err *err) {
  if (l->n == l->cap) {
    leg *grown = cb_array_grow(l->list, &l->cap, l->n + 1, sizeof *grown);
    if (!grown) return cb_no_memory(err, "%zu strokes", l->n + 1);
    l->list = grown;
  }
  l->list[l->n++] = a;
  return CB_OK;
}

static double range_of(const cb_series *x) {
  double low = x->v[0], high = x->v[0];
  for (size_t i = 1; i < x->n; i++) low = fmin(low, x->v[i]), high = fmax(high, x->v[i]);
  return high - low;
}

/* The farthest point so far is a turning point once the motion has come back from it by h. */
static cb_status find_legs(const cb_series *x, double h, legs *out, cb_err *err) {
  size_t turned = 0, low = 0, high = 0, far = 0;
  int way = 0;
  for (size_t i = 1; i < x->n; i++) {
    if (way == 0) {
      if (x->v[i] < x->v[low]) low = i;
      if (x->v[i] > x->v[high]) high = i;
      if (x->v[high] - x->v[low] < h) continue;
      way = high > low ? 1 : -1;
      turned = way > 0 ? low : high;
      far = i;
    }
    if (way * x->v[i] > way * x->v[far]) far = i;
    if (way * (x->v[far] - x->v[i]) < h) continue;
    CB_TRY(push_leg(out, (leg){turned, far}, err));
    turned = far;
    way = -way;
    far = i;
  }
  return way ? push_leg(out, (leg){turned, far}, err) : CB_OK;
}

/* From the last position within h of where the leg begins to the first within h of where it ends: rests at
 * both ends are not of it. */
static leg without_rests(const cb_series *x, leg a, double h) {
  leg b = a;
  for (size_t i = a.from; i <= a.to; i++)
    if (fabs(x->v[i] - x->v[a.from]) <= h) b.from = i;
  while (b.to > b.from + 1 && fabs(x->v[b.to - 1] - x->v[a.to]) <= h) b.to--;
  return b;
}

static fit_stroke stroke_of(const cb_trace *t, leg a) {
  const cb_series *x = &t->position_m;
  size_t first = cb_series_lower_bound(&t->force_N, x->t_s[a.from] + t->doubt_s);
  size_t end = cb_series_lower_bound(&t->force_N, x->t_s[a.to] - t->doubt_s);
  return (fit_stroke){
      .direction = x->v[a.to] > x->v[a.from] ? 1 : -1, .first = first, .n = end > first ? end - first : 0};
}

static cb_status keep_strokes(const cb_trace *t, const legs *l, double h, fit_stroke **list, size_t *n,
                              cb_err *err) {
  const cb_series *x = &t->position_m;
  double longest = 0;
  for (size_t i = 0; i < l->n; i++)
    longest = fmax(longest, fabs(x->v[l->list[i].to] - x->v[l->list[i].from]));
  if (l->n == 0) return CB_OK;
  *list = malloc(l->n * sizeof **list);
  if (!*list) return cb_no_memory(err, "%zu strokes", l->n);
  for (size_t i = 0; i < l->n; i++) {
    bool end = i == 0 || i + 1 == l->n;
    if (end && fabs(x->v[l->list[i].to] - x->v[l->list[i].from]) < WHOLE_REL * longest) continue;
    fit_stroke s = stroke_of(t, without_rests(x, l->list[i], h));
    if (s.n > 0) (*list)[(*n)++] = s;
  }
  return CB_OK;
}

static cb_status check_positions(const cb_series *x, cb_err *err) {
  if (x->n < 2)
    return cb_fail(err, CB_E_RANGE, "position: %zu sample%s: at least 2 are needed", x->n, CB_S(x->n));
  for (size_t i = 0; i < x->n; i++)
    if (!isfinite(x->v[i]) || !isfinite(x->t_s[i]) || (i > 0 && x->t_s[i] < x->t_s[i - 1]))
      return cb_fail(err, CB_E_NUM,
                     "position: sample %zu is (%g s, %g m): finite numbers and ascending times were wanted",
                     i, x->t_s[i], x->v[i]);
  return CB_OK;
}

cb_status fit_strokes_find(const cb_trace *trace, fit_stroke **list, size_t *n, cb_err *err) {
  const cb_series *x = &trace->position_m;
  legs l = {0};
  *list = NULL;
  *n = 0;
  CB_TRY(check_positions(x, err));
  double h = FIT_STROKES_HYSTERESIS_REL * range_of(x);
  cb_status st = h > 0 ? find_legs(x, h, &l, err) : CB_OK;
  if (st == CB_OK) st = keep_strokes(trace, &l, h, list, n, err);
  free(l.list);
  if (st != CB_OK || *n > 0) return st;
  free(*list);
  *list = NULL;
  return CB_OK;
}
