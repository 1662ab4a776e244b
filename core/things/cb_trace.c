#include "cb_trace.h"

#include <stdlib.h>

cb_status cb_series_reserve(cb_series *s, size_t more, cb_err *err) {
  if (s->cap - s->n >= more) return CB_OK;
  size_t cap = s->cap ? 2 * s->cap : 256;
  if (cap < s->n + more) cap = s->n + more;
  double *t = realloc(s->t_s, cap * sizeof *t);
  if (t) s->t_s = t;
  double *w = t ? realloc(s->v, cap * sizeof *w) : NULL;
  if (w) s->v = w;
  if (!t || !w) return cb_no_memory(err, "a series of %zu samples", cap);
  s->cap = cap;
  return CB_OK;
}

cb_status cb_series_push(cb_series *s, double t_s, double v, cb_err *err) {
  CB_TRY(cb_series_reserve(s, 1, err));
  s->t_s[s->n] = t_s;
  s->v[s->n] = v;
  s->n++;
  return CB_OK;
}

void cb_series_clear(cb_series *s) {
  free(s->t_s);
  free(s->v);
  *s = (cb_series){0};
}

size_t cb_series_lower_bound(const cb_series *s, double t_s) {
  size_t lo = 0, hi = s->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (s->t_s[mid] < t_s)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

double cb_series_at(const cb_series *s, double t_s) {
  size_t i = cb_series_lower_bound(s, t_s);
  if (i == 0) return s->v[0];
  if (i == s->n) return s->v[s->n - 1];
  double t0 = s->t_s[i - 1], t1 = s->t_s[i];
  double w = t1 > t0 ? (t_s - t0) / (t1 - t0) : 1;
  return s->v[i - 1] + w * (s->v[i] - s->v[i - 1]);
}

void cb_series_integrate(cb_series *s) {
  double before = s->n ? s->v[0] : 0, sum = 0;
  for (size_t i = 0; i < s->n; i++) {
    if (i > 0) sum += 0.5 * (before + s->v[i]) * (s->t_s[i] - s->t_s[i - 1]);
    before = s->v[i];
    s->v[i] = sum;
  }
}

void cb_trace_clear(cb_trace *t) {
  cb_series_clear(&t->force_N);
  cb_series_clear(&t->position_m);
  cb_series_clear(&t->displacement_m);
  *t = (cb_trace){0};
}
