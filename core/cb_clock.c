#include "cb_clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Does the point b lie on or above the straight line from a to c? */
static bool above(const double *t_s, size_t a, size_t b, size_t c) {
  return (t_s[b] - t_s[a]) * (double)(c - a) >= (t_s[c] - t_s[a]) * (double)(b - a);
}

/* The edge of the lower convex hull over the middle sample: of all lines that no stamp lies below, the one to which all stamps
 * are nearest in sum. hull: room for n indices. */
static void middle_edge(const double *t_s, size_t n, size_t *hull, size_t *from, size_t *to) {
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    while (m >= 2 && above(t_s, hull[m - 2], hull[m - 1], i)) m--;
    hull[m++] = i;
  }
  size_t k = 1;
  while (k + 1 < m && (double)hull[k] < 0.5 * (double)(n - 1)) k++;
  *from = hull[k - 1];
  *to = hull[k];
}

double cb_clock_even(double *t_s, size_t n, double nominal_rate_Hz) {
  if (n < 8 || !(nominal_rate_Hz > 0)) return 0;
  size_t *hull = malloc(n * sizeof *hull), from, to;
  /* The stamps as they came are usable, only less even. */
  if (!hull) return 0;
  middle_edge(t_s, n, hull, &from, &to);
  free(hull);
  double dt = (t_s[to] - t_s[from]) / (double)(to - from), t0 = t_s[from] - (double)from * dt;
  if (!(fabs(dt * nominal_rate_Hz - 1) < 0.2)) return 0;
  for (size_t i = 0; i < n; i++) t_s[i] = t0 + (double)i * dt;
  return dt;
}
