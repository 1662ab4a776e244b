/* A cloth that is pulled again: does the first test of a specimen and direction differ from the rest? */
#include <math.h>
#include <string.h>

#include "cb_stats.h"
#include "fit_stretch_impl.h"

/* Of the same piece, pulled along the same direction. */
static bool are_repeats(const fit_stretch_input *a, const fit_stretch_input *b) {
  return fabs(cb_stretch_fold_deg(a->test->direction_deg) - cb_stretch_fold_deg(b->test->direction_deg)) <
             CB_STRETCH_SAME_DEG &&
         strcmp(a->test->specimen, b->test->specimen) == 0;
}

/* Force times strain up to the end. */
static double work_to(const fit_stretch_curve *c, double end) {
  double sum = 0;
  for (size_t i = 0; i < c->n_loading && (i == 0 || c->loading[i - 1].x < end); i++) {
    const fit_stretch_point a = i > 0 ? c->loading[i - 1] : (fit_stretch_point){0, 0, 0}, b = c->loading[i];
    const double share = b.x > end ? (end - a.x) / (b.x - a.x) : 1;
    sum += share * (b.x - a.x) * (a.y + share * (b.y - a.y) / 2);
  }
  return sum;
}

/* Sums over the groups of repeats: x is 1 for the first, 0 for the rest; y the work over the group's mean. */
typedef struct sums {
  double xx, xy, yy, dof;
} sums;

/* The repeats of test `first`, which is the first of them; they are taken. */
static void add_group(const fit_stretch_input *in, const fit_stretch_curve *c, const fit_stretch_part *part,
                      size_t first, size_t n, bool *taken, sums *s) {
  double end = c[first].strain_max, mean = 0, squares = 0, number = 0;
  for (int pass = 0; pass < 3; pass++) {
    if (pass == 2 && !(number > 1 && mean > 0)) return;
    for (size_t i = first; i < n; i++) {
      if (part[i].outcome != FIT_STRETCH_PART_OK || !are_repeats(&in[first], &in[i])) continue;
      if (pass == 0) end = fmin(end, c[i].strain_max), number++, taken[i] = true;
      if (pass == 1) mean += work_to(&c[i], end) / number;
      if (pass == 2) squares += pow(work_to(&c[i], end) / mean - 1, 2);
    }
  }
  s->xx += 1 - 1 / number;
  s->xy += work_to(&c[first], end) / mean - 1;
  s->yy += squares;
  s->dof += number - 1;
}

fit_test fit_stretch_first(const fit_stretch_input *in, const fit_stretch_curve *c,
                           const fit_stretch_part *part, size_t n, bool *taken) {
  sums s = {.dof = -1};
  memset(taken, 0, n * sizeof *taken);
  for (size_t i = 0; i < n; i++)
    if (!taken[i] && part[i].outcome == FIT_STRETCH_PART_OK) add_group(in, c, part, i, n, taken, &s);
  if (!(s.xx > 0) || s.dof < 1) return (fit_test){0};
  const double b = s.xy / s.xx, u = sqrt(fmax(0, s.yy - b * s.xy) / s.dof / s.xx);
  fit_test t = {.done = true, .dof2 = s.dof, .effect = 100 * b};
  t.statistic = u > 0 ? b / u : b == 0 ? 0 : copysign(1e300, b);
  t.p_value = cb_t_p_two_sided(t.statistic, s.dof);
  return t;
}
