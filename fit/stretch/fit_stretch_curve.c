/* Points -> values at knots. */
#include <math.h>

#include "fit_stretch_impl.h"

/* Fewest points under a local line. */
#define LEAST 4

typedef struct local {
  size_t from, to; /* points */
  double reach;    /* half-width of the weights */
} local;

/* Points within the distance of the place; more where they are fewer than LEAST. */
static local points_near(const fit_stretch_point *p, size_t n, double at, double distance) {
  size_t i = 0, hi = n;
  while (i < hi) { /* first point not below */
    size_t mid = i + (hi - i) / 2;
    if (p[mid].x < at)
      i = mid + 1;
    else
      hi = mid;
  }
  local l = {i, i, distance};
  size_t least = n < LEAST ? n : LEAST;
  for (;;) {
    double below = l.from > 0 ? at - p[l.from - 1].x : INFINITY, above = l.to < n ? p[l.to].x - at : INFINITY;
    double next = fmin(below, above);
    if (!isfinite(next) || (next > distance && l.to - l.from >= least)) break;
    /* A farthest point that is needed must weigh something. */
    if (next >= l.reach) l.reach = 1.1 * next;
    if (below <= above)
      l.from--;
    else
      l.to++;
  }
  return l;
}

static double tricube(double t) {
  double a = 1 - fabs(t) * t * t;
  return fabs(t) < 1 ? a * a * a : 0;
}

typedef struct sums {
  double w, x, xx;
} sums;

/* Weighted straight line, read at the place: force = sum of l_i y_i, u = scatter |l|. (Cleveland, J. Am.
 * Stat. Assoc. 74, 1979, one pass.)
 */
static double line_at(const fit_stretch_point *p, local near, double at, double scatter, double *u) {
  sums s = {0, 0, 0};
  double y = 0, norm = 0;
  for (size_t i = near.from; i < near.to; i++) {
    double d = p[i].x - at, w = tricube(d / near.reach);
    s.w += w, s.x += w * d, s.xx += w * d * d;
  }
  double det = s.w * s.xx - s.x * s.x;
  bool flat = !(det > 1e-12 * s.w * s.xx); /* all in one place: their mean */
  for (size_t i = near.from; i < near.to; i++) {
    double d = p[i].x - at, w = tricube(d / near.reach), l = flat ? w / s.w : w * (s.xx - s.x * d) / det;
    y += l * p[i].y;
    norm += l * l;
  }
  *u = scatter * sqrt(norm);
  return y;
}

/* Pool adjacent violators: the nearest sequence that does not fall. */
static void make_monotone(double *y, size_t n) {
  /* Blocks from the left; weight[] would be the block's length: kept as the run of equal values itself. */
  for (size_t i = 1; i < n; i++) {
    double sum = y[i];
    size_t from = i;
    while (from > 0 && y[from - 1] > sum / (double)(i - from + 1)) {
      double block = y[from - 1];
      size_t b = from;
      while (b > 0 && y[b - 1] == block) b--;
      sum += block * (double)(from - b);
      from = b;
    }
    for (size_t j = from; j <= i; j++) y[j] = sum / (double)(i - from + 1);
  }
}

void fit_stretch_smooth(const fit_stretch_point *p, size_t n, const double *strains, size_t k, double scatter,
                        double *force, double *u) {
  double distance = strains[1] - strains[0];
  for (size_t i = 0; i < k; i++) {
    force[i] = fmax(0, line_at(p, points_near(p, n, strains[i], distance), strains[i], scatter, &u[i]));
  }
  make_monotone(force, k);
}
