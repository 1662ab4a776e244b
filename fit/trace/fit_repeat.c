#include "fit_repeat.h"

#include <math.h>
#include <string.h>

#define SURE_P 0.001

static size_t count_changes(const double *v, size_t n) {
  size_t changes = 0;
  for (size_t i = 1; i < n; i++) changes += v[i] != v[i - 1];
  return changes;
}

bool fit_pull_repeats(const cb_trace *t, double t_start_s, const cb_trace *other) {
  const size_t first = cb_series_lower_bound(&t->force_N, t_start_s), n = (t->force_N.n - first) / 3;
  const double *middle = t->force_N.v + first + n, *v = other->force_N.v;
  if (n == 0 || other->force_N.n < n) return false;
  if ((double)count_changes(middle, n) < log2((double)other->force_N.n / SURE_P)) return false;
  for (size_t i = 0; i + n <= other->force_N.n; i++)
    if (v[i] == middle[0] && memcmp(v + i, middle, n * sizeof *v) == 0) return true;
  return false;
}
