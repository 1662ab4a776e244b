#include <math.h>

#include "fit_chart_impl.h"

/* As far back as the points lie on the side of point i; 1, 2 ... points. */
static size_t count_on_side(const fit_chart_at *at) {
  const double center = at->chart->limits.center;
  size_t n = 1;
  while (n <= at->i && at->x[at->i - n] != center && (at->x[at->i - n] > center) == (at->x[at->i] > center))
    n++;
  return n;
}

/* The same, of points that rise or fall. */
static size_t count_of_trend(const fit_chart_at *at) {
  const double *x = at->x + at->i;
  size_t n = 1;
  if (at->i == 0) return n;
  while (n <= at->i &&
         (x[0] > x[-1] ? x[1 - (ptrdiff_t)n] > x[-(ptrdiff_t)n] : x[1 - (ptrdiff_t)n] < x[-(ptrdiff_t)n]))
    n++;
  return n;
}

bool fit_shewhart_is_out(fit_chart_kind kind, const fit_chart_at *at, size_t *since) {
  const fit_chart_limits *l = &at->chart->limits;
  const double *x = at->x + at->i;
  *since = at->i;
  if (kind == FIT_CHART_POINT)
    return fabs(x[0] - l->center) > FIT_CHART_POINT_K * l->factor * l->sigma + l->u_center;
  if (kind == FIT_CHART_RANGE)
    return at->i > 0 && fabs(x[0] - x[-1]) > FIT_CHART_RANGE_K * l->factor * l->range_sigma;
  if (l->correlated) return false;
  const size_t n = kind == FIT_CHART_SIDE ? count_on_side(at) : count_of_trend(at);
  *since = at->i + 1 - n;
  return n >= FIT_CHART_RUN;
}
