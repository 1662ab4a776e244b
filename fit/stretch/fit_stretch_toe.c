/* Where the strain of a strip begins: the standards' tangent at the toe (as ASTM D5035 and D5034 compensate
 * slack), their chord where two readings are all there is, or a pre-tension (ISO 13934-1). */
#include <math.h>

#include "fit_stretch_impl.h"

/* A specimen hangs slack while its force is less than so many times its scatter, but never above this part of
 * the peak. */
#define SLACK_TIMES 3
#define SLACK_MOST 0.02

/* The curve through the toe: at least so many points, so many times its standard uncertainty must its slope
 * be, at most this part of them. */
#define TOE_LEAST 5
#define TOE_SLOPE 10
#define TOE_MOST 10

/* A toe bends if its second derivative is so many times its standard uncertainty. */
#define BENDS 3
/* Where a parabola turns, its slope counts as this part of the line's. */
#define LEAST_SLOPE 0.25

/* So many first readings may bear a little and belong to the slack. */
#define FAINT_MOST 2

/* Of a specimen that is tight from the start no more than this part of the range is added. */
#define MOST_BEFORE 0.1

/* First point from which on two in a row hold more than the threshold; n: none. */
static size_t first_above(const fit_stretch_point *p, size_t n, double threshold) {
  for (size_t i = 0; i < n; i++)
    if (p[i].y > threshold && (i + 1 == n || p[i + 1].y > threshold)) return i;
  return n;
}

/* A line, and what a parabola adds to it: y = mean + slope t + bend q(t), t = x - x_mean, q of degree 2 and
 * orthogonal to both. */
typedef struct toe {
  double x, y, xx, slope; /* means; sum of t^2 */
  double tilt, qq, bend;  /* q = t^2 - tilt t - xx / m; its sum of squares */
  double scatter_N;       /* of a reading about the curve */
  size_t m;
} toe;

static double q_of(const toe *t, double d) { return d * d - t->tilt * d - t->xx / (double)t->m; }

static void fit_line(const fit_stretch_point *p, toe *t) {
  double xxx = 0, xy = 0;
  for (size_t k = 0; k < t->m; k++) t->x += p[k].x / (double)t->m, t->y += p[k].y / (double)t->m;
  for (size_t k = 0; k < t->m; k++) {
    const double d = p[k].x - t->x;
    t->xx += d * d, xxx += d * d * d, xy += d * (p[k].y - t->y);
  }
  t->slope = t->xx > 0 ? xy / t->xx : 0;
  t->tilt = t->xx > 0 ? xxx / t->xx : 0;
}

static double misfit(const fit_stretch_point *p, const toe *t) {
  double sum = 0;
  for (size_t k = 0; k < t->m; k++) {
    const double d = p[k].x - t->x, r = p[k].y - t->y - t->slope * d - t->bend * q_of(t, d);
    sum += r * r;
  }
  return sum;
}

/* The parabola where the toe surely bends up, else the line. */
static toe fit_toe(const fit_stretch_point *p, size_t m, double scatter_N) {
  toe t = {.m = m};
  double qy = 0;
  fit_line(p, &t);
  for (size_t k = 0; k < m; k++) {
    const double q = q_of(&t, p[k].x - t.x);
    t.qq += q * q, qy += q * p[k].y;
  }
  const bool room = m > 2 && t.qq > 1e-9 * t.xx * t.xx / (double)m;
  t.bend = room ? qy / t.qq : 0;
  t.scatter_N = fmax(scatter_N, m > 3 && room ? sqrt(misfit(p, &t) / (double)(m - 3)) : 0);
  if (t.bend > 0 && t.bend * sqrt(t.qq) > BENDS * t.scatter_N) return t;
  t.bend = 0;
  t.scatter_N = fmax(scatter_N, m > 2 ? sqrt(misfit(p, &t) / (double)(m - 2)) : 0);
  return t;
}

/* Where the curve meets no force, left of `first`; a parabola that does not is taken where it turns. */
static fit_stretch_origin root_of(const toe *t, double first) {
  const double c = t->bend, b = t->slope - c * t->tilt, a = t->y - c * t->xx / (double)t->m,
               inner = b * b - 4 * a * c, d = c > 0 ? (sqrt(fmax(0, inner)) - b) / (2 * c) : -a / b,
               slope = fmax(b + 2 * c * d, LEAST_SLOPE * t->slope), q = c > 0 ? q_of(t, d) : 0,
               spread = 1 / (double)t->m + d * d / t->xx + (c > 0 ? q * q / t->qq : 0);
  const double at = first - t->x, force = a + b * at + c * at * at, steep = b + 2 * c * at,
               tangent = steep > 0 ? first - force / steep : first;
  const double u = t->scatter_N / slope * sqrt(spread), root = t->x + d;
  /* Below the first reading that bears the curve is not seen: anything between parabola and tangent. */
  return (fit_stretch_origin){root, c > 0 ? hypot(u, (tangent - root) / sqrt(3)) : u, 0};
}

/* Of the first points of p as few as tell the slope, for the toe bends. */
static bool find_root(const fit_stretch_point *p, size_t left, double scatter_N, fit_stretch_origin *out) {
  size_t m = left < TOE_LEAST ? left : TOE_LEAST;
  toe t = fit_toe(p, m, scatter_N);
  while (2 * m <= left / TOE_MOST && !(t.slope * sqrt(t.xx) > TOE_SLOPE * scatter_N))
    t = fit_toe(p, m *= 2, scatter_N);
  if (!(t.slope > 0) || !(t.xx > 0)) return false;
  *out = root_of(&t, p[0].x);
  return true;
}

/* A first reading that bears little, as of a clamp's weight, is no part of the toe if the readings behind it
 * meet no force right of it. */
static size_t skip_faint(const fit_stretch_point *p, size_t n, size_t i, double scatter_N, double peak) {
  fit_stretch_origin o;
  for (int k = 0; k < FAINT_MOST && i + 3 < n && p[i].y < SLACK_MOST * peak; k++, i++) {
    if (!find_root(p + i + 1, n - i - 1, scatter_N, &o)) break;
    if (!(fmin(o.place_m, p[i + 1].x) - p[i].x > SLACK_TIMES * o.u_m)) break;
  }
  return i;
}

/* Between the last reading before the root and the next one no reading tells the curve: the standards' chord
 * would begin at the former. */
static fit_stretch_origin end_of_slack(const fit_stretch_point *p, size_t i, double place_m, double u_m) {
  while (i > 0 && p[i].x > place_m) i--;
  const double unseen = (place_m - p[i].x) / sqrt(12);
  return (fit_stretch_origin){place_m, hypot(u_m, unseen), unseen};
}

/* Strain begins at the root, if the specimen was tight at the first point, or hung slack for longer than the
 * uncertainty explains. Else it begins at the first point, and anything up to the root may be slack. */
static fit_stretch_origin back_to_zero(const fit_stretch_point *p, size_t n, size_t i, double scatter_N) {
  const double start = p[0].x, most = MOST_BEFORE * (p[n - 1].x - start);
  fit_stretch_origin o = {start, 0, 0};
  if (!find_root(p + i, n - i, scatter_N, &o)) return o;
  const double cut = fmin(o.place_m, p[i].x) - start;
  if (i == 0) return (fit_stretch_origin){start + fmax(cut, -most), fmin(o.u_m, most / sqrt(3)), 0};
  if (cut > SLACK_TIMES * o.u_m) return end_of_slack(p, i, start + cut, o.u_m);
  return (fit_stretch_origin){start, fmin(o.u_m, fmax(cut, 0) / sqrt(3)), 0};
}

static double at_pretension(const fit_stretch_point *p, size_t i, double pretension_N) {
  double rise = i > 0 ? p[i].y - p[i - 1].y : 0;
  return rise > 0 ? p[i].x - (p[i].x - p[i - 1].x) * fmin(1, (p[i].y - pretension_N) / rise) : p[i].x;
}

fit_stretch_origin fit_stretch_find_origin(const fit_stretch_point *p, size_t n, double scatter_N,
                                           double pretension_N) {
  double peak = 0;
  for (size_t i = 0; i < n; i++) peak = fmax(peak, p[i].y);
  size_t i =
      first_above(p, n, pretension_N > 0 ? pretension_N : fmin(SLACK_TIMES * scatter_N, SLACK_MOST * peak));
  if (i == n) return (fit_stretch_origin){p[n - 1].x, 0, 0};
  if (pretension_N > 0) return (fit_stretch_origin){at_pretension(p, i, pretension_N), 0, 0};
  return back_to_zero(p, n, skip_faint(p, n, i, scatter_N, peak), scatter_N);
}
