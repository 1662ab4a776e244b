#include "fit_first.h"

#include <math.h>
#include <string.h>

#include "cb_stats.h"

#define SAME_DEG 0.5

static bool are_repeats(const fit_first_value *a, const fit_first_value *b) {
  const double p = a->test->direction_deg, q = b->test->direction_deg;
  const bool same =
      (isnan(p) && isnan(q)) || fabs(fabs(remainder(p, 180)) - fabs(remainder(q, 180))) < SAME_DEG;
  return same && b->value > 0 && a->group == b->group && strcmp(a->test->specimen, b->test->specimen) == 0;
}

/* x is 1 for the first, 0 for the rest; y the value over the mean of its piece. */
typedef struct sums {
  double xx, xy, yy, dof;
} sums;

static void add_piece(const fit_first_value *v, size_t first, size_t n, sums *s) {
  double sum = 0, number = 0;
  for (size_t i = first; i < n; i++)
    if (are_repeats(&v[first], &v[i])) sum += v[i].value, number++;
  if (number < 2) return;
  for (size_t i = first; i < n; i++)
    if (are_repeats(&v[first], &v[i])) s->yy += pow(v[i].value * number / sum - 1, 2);
  s->xx += 1 - 1 / number;
  s->xy += v[first].value * number / sum - 1;
  s->dof += number - 1;
}

fit_test fit_first(const fit_first_value *v, size_t n) {
  sums s = {.dof = -1};
  for (size_t i = 0; i < n; i++) {
    bool seen = !(v[i].value > 0);
    for (size_t k = 0; k < i && !seen; k++) seen = are_repeats(&v[i], &v[k]);
    if (!seen) add_piece(v, i, n, &s);
  }
  if (!(s.xx > 0) || s.dof < 1) return (fit_test){0};
  const double b = s.xy / s.xx, u = sqrt(fmax(0, s.yy - b * s.xy) / s.dof / s.xx);
  fit_test t = {.done = true, .dof2 = s.dof, .effect = 100 * b};
  t.statistic = u > 0 ? b / u : b == 0 ? 0 : copysign(1e300, b);
  t.p_value = cb_t_p_two_sided(t.statistic, s.dof);
  return t;
}

double fit_first_half(const fit_test *t) {
  return t->done && t->p_value < FIT_FIRST_TEST_P ? fabs(t->effect) / 200 : 0;
}
