/* More load, more friction: the curve's force rises with the load in every direction, as far as the
 * measurements allow.
 *
 * Between two knots the logarithm X of the matrix runs on a cubic over t. exp(X) rises in the sense of
 * Loewner (no direction falls) where X' does with something to spare: in the axes of X, exp's derivative
 * multiplies the off-diagonal of X' by k = sinh(d) / d, d half the difference of the eigenvalues of X,
 * against the root of the diagonals' product. Whatever its axes, X' may have that done to it if its
 * eigenvalues have a ratio of (k - 1) / (k + 1) at least. Such matrices are a convex cone, and X' is a mean
 * of three Bernstein coefficients, so that the knots alone decide. */
#include <math.h>
#include <string.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"

/* Falls of that size are rounding. */
#define ROUNDING 1e-12
/* Data contradict a law that rises if chance would do so this seldom. */
#define CONTRADICTION_P 0.01
#define LEAST_BEND 0.05
#define CYCLES 200
#define ROOM 1.1  /* for gaps that the moves widen */
#define NEAR 1e-6 /* of the nearest curve, relative: below any uncertainty */

typedef struct rise {
  size_t n;
  cb_friction_form form;
  double x[CB_LAW_MAX_KNOTS];         /* ln N */
  double log[CB_LAW_MAX_KNOTS][3];    /* logarithm of the knot's matrix ... */
  double cov[CB_LAW_MAX_KNOTS][3][3]; /* ... and its covariance within the form */
  double margin[CB_LAW_MAX_KNOTS];    /* of the chord to the next knot, once it is raised */
} rise;

/* What of a covariance can move a matrix of the form; an isotropic one is known as well as its best
 * direction. */
static void within_form(cb_friction_form form, double cov[3][3]) {
  double var[3] = {0}, least = INFINITY;
  if (form == CB_FORM_GENERAL) return;
  for (int r = 0; r < 3; r++) {
    for (int i = 0; i < 3; i++) var[r] += fit_three_rows[r][i] * fit_dot(cov[i], fit_three_rows[r]);
    least = fmin(least, var[r]);
  }
  for (int i = 0; i < 3; i++) cov[1][i] = cov[i][1] = 0;
  if (form == CB_FORM_ISOTROPIC) cov[0][0] = cov[0][2] = cov[2][0] = cov[2][2] = least;
}

static double mean_of(const double f[3]) { return 0.5 * (f[0] + f[2]); }
static double half_gap(const double m[3]) { return hypot(0.5 * (m[0] - m[2]), m[1]); }

static void rise_of(const cb_friction_law *curve, rise *r) {
  r->n = curve->n_knots, r->form = curve->form;
  for (size_t k = 0; k < r->n; k++) {
    r->x[k] = log(curve->knots[k].normal_force_N);
    cb_friction_matrix_log(curve->knots[k].f_N, r->log[k]);
  }
}

/* What a step of each of the three functions does to the logarithm, by differences small beside the smallest
 * eigenvalue. */
static void log_jacobian(const double f[3], double jacobian[3][3]) {
  const double step = 1e-4 * fit_smallest_eigenvalue(f);
  for (int j = 0; j < 3; j++) {
    double up[3] = {f[0], f[1], f[2]}, down[3] = {f[0], f[1], f[2]}, log_up[3], log_down[3];
    up[j] += step, down[j] -= step;
    cb_friction_matrix_log(up, log_up);
    cb_friction_matrix_log(down, log_down);
    for (int i = 0; i < 3; i++) jacobian[i][j] = 0.5 * (log_up[i] - log_down[i]) / step;
  }
}

static void add_outer(const double e[3], double cov[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) cov[i][j] += e[i] * e[j];
}

/* Columns of the knot's Cholesky factor and shared parts are one standard uncertainty each; so are they of
 * the logarithm. What seems to be known exactly is known a thousand times better than the rest: it can be
 * moved, too. */
static void covariances_of(const cb_friction_law *curve, rise *r) {
  for (size_t k = 0; k < r->n; k++) {
    double jacobian[3][3], lower[3][3], e[3];
    log_jacobian(curve->knots[k].f_N, jacobian);
    cb_friction_knot_cholesky(&curve->knots[k], lower);
    memset(r->cov[k], 0, sizeof r->cov[k]);
    for (size_t p = 0; p < 3 + curve->n_shared; p++) {
      const double own[3] = {lower[0][p % 3], lower[1][p % 3], lower[2][p % 3]},
                   *df = p < 3 ? own : curve->shared[p - 3].f_N[k];
      for (int i = 0; i < 3; i++) e[i] = fit_dot(jacobian[i], df);
      add_outer(e, r->cov[k]);
    }
    const double little = 1e-6 * (r->cov[k][0][0] + r->cov[k][1][1] + r->cov[k][2][2]);
    for (int i = 0; i < 3; i++) r->cov[k][i][i] += little;
    within_form(r->form, r->cov[k]);
  }
}

/* ---- does it rise? ---- */

static void difference(const double a[3], const double b[3], double d[3]) {
  for (int i = 0; i < 3; i++) d[i] = b[i] - a[i];
}

/* Matrices of the other forms commute with each other. */
static double margin_of(cb_friction_form form, double gap) {
  if (form != CB_FORM_GENERAL || !(gap > 0)) return 0;
  double k = sinh(gap) / gap;
  return (k - 1) / (k + 1);
}

static double margin_between(const rise *r, size_t j, double factor) {
  return margin_of(r->form, factor * fmax(half_gap(r->log[j]), half_gap(r->log[j + 1])));
}

static bool ascends(const double h[3], double margin) {
  double gap = half_gap(h);
  return mean_of(h) - gap >= margin * (mean_of(h) + gap) - ROUNDING;
}

/* Slope at one end of interval j, in units of the interval: the chord's, and bend times what the parabola
 * through the neighbour says beyond it (cb_friction_law.c). */
static void end_slope(const rise *r, size_t j, size_t neighbour, double bend, const double chord[3],
                      double slope[3]) {
  double other[3], h = r->x[j + 1] - r->x[j], away = r->x[neighbour + 1] - r->x[neighbour];
  difference(r->log[neighbour], r->log[neighbour + 1], other);
  for (int i = 0; i < 3; i++)
    slope[i] = chord[i] + bend * h * h / (h + away) * (other[i] / away - chord[i] / h);
}

static bool interval_rises(const rise *r, size_t j, double bend) {
  double chord[3], from[3], to[3], middle[3], a[3], b[3];
  difference(r->log[j], r->log[j + 1], chord);
  memcpy(from, chord, sizeof from);
  memcpy(to, chord, sizeof to);
  if (j > 0) end_slope(r, j, j - 1, bend, chord, from);
  if (j + 2 < r->n) end_slope(r, j, j + 1, bend, chord, to);
  for (int i = 0; i < 3; i++) {
    middle[i] = 3 * chord[i] - from[i] - to[i];
    a[i] = r->log[j][i] + from[i] / 3, b[i] = r->log[j + 1][i] - to[i] / 3;
  }
  double gap = fmax(fmax(half_gap(r->log[j]), half_gap(r->log[j + 1])), fmax(half_gap(a), half_gap(b)));
  double margin = margin_of(r->form, gap);
  return ascends(from, margin) && ascends(middle, margin) && ascends(to, margin);
}

static bool rises(const rise *r, double bend) {
  for (size_t j = 0; j + 1 < r->n; j++)
    if (!interval_rises(r, j, bend)) return false;
  return true;
}

/* ---- the nearest that does ---- */

/* For the nearest matrix e to d that ascends with this margin, by the covariance of d: force = cov^-1 (d -
 * e), 0 if d does. false: the covariance is singular. */
static bool project(double cov[3][3], const double d[3], cb_friction_form form, double margin,
                    double force[3]) {
  fit_normal n = {.b = {0}};
  double unused[3], nearest[3] = {0}, metric[3][3];
  memset(force, 0, 3 * sizeof force[0]);
  if (ascends(d, margin)) return true;
  memcpy(n.a, cov, sizeof n.a);
  if (!fit_normal_solve(&n, form, unused, metric)) return false;
  memcpy(n.a, metric, sizeof n.a);
  for (int i = 0; i < 3; i++) n.b[i] = fit_dot(metric[i], d);
  if (form != CB_FORM_ISOTROPIC) fit_normal_boundary(&n, form, margin, nearest);
  for (int i = 0; i < 3; i++) force[i] = n.b[i] - fit_dot(metric[i], nearest);
  return true;
}

/* Dykstra's cyclic projections (1983) onto "knot j + 1 above knot j", for all j: they tend to the nearest
 * rising curve, by the knots' covariances. What a pair of knots was pushed with is kept, so that it can be
 * taken back. Returns how far the farthest knot moved; NAN: a covariance is singular. */
static double push_pairs(rise *r, double force[][3]) {
  double moved = 0;
  for (size_t j = 0; j + 1 < r->n; j++) {
    double cov[3][3], d[3], was[3], *a = r->log[j], *b = r->log[j + 1];
    memcpy(was, force[j], sizeof was);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) cov[i][k] = r->cov[j][i][k] + r->cov[j + 1][i][k];
    for (int i = 0; i < 3; i++) d[i] = b[i] - a[i] + fit_dot(cov[i], was);
    if (!project(cov, d, r->form, r->margin[j], force[j])) return NAN;
    difference(was, force[j], d);
    for (int i = 0; i < 3; i++) {
      double up = fit_dot(r->cov[j][i], d), down = fit_dot(r->cov[j + 1][i], d);
      a[i] += up, b[i] -= down;
      moved = fmax(moved, fmax(fabs(up), fabs(down)));
    }
  }
  return moved;
}

/* What the projections have not reached yet: whatever is still too low is lifted, in all directions alike,
 * which leaves the gaps as they are. From here on every chord rises. */
static void lift(rise *r) {
  for (size_t j = 0; j + 1 < r->n; j++) {
    double d[3], *b = r->log[j + 1];
    difference(r->log[j], b, d);
    double margin = margin_between(r, j, 1),
           missing = margin * (mean_of(d) + half_gap(d)) - (mean_of(d) - half_gap(d));
    if (missing > 0) b[0] += missing / (1 - margin), b[2] += missing / (1 - margin);
  }
}

static bool raise_knots(rise *r) {
  double force[CB_LAW_MAX_KNOTS][3] = {{0}}, moved = 1;
  for (size_t j = 0; j + 1 < r->n; j++) r->margin[j] = margin_between(r, j, ROOM);
  for (int cycle = 0; cycle < CYCLES && moved > NEAR; cycle++) moved = push_pairs(r, force);
  lift(r);
  return !isnan(moved);
}

/* ---- what the measurements say to it ---- */

/* Chance of so large a distance from a convex cone in m dimensions, at most (Perlman, Ann. Math. Statist. 40,
 * 1969). */
static double cone_p(double square, size_t m, double dof) {
  double p = m > 1 ? cb_f_p_upper(square / (double)(m - 1), (double)(m - 1), dof) : 0;
  return 0.5 * (p + cb_f_p_upper(square / (double)m, (double)m, dof));
}

/* Of the difference of two knots [N2]: what they share to the same extent cancels. */
static void pair_cov(const cb_friction_law *curve, size_t j, size_t k, double cov[3][3]) {
  for (int p = 0; p < 3; p++)
    for (int q = 0; q < 3; q++) cov[p][q] = curve->knots[j].cov_N2[p][q] + curve->knots[k].cov_N2[p][q];
  for (size_t s = 0; s < curve->n_shared; s++) {
    double e[3];
    difference(curve->shared[s].f_N[j], curve->shared[s].f_N[k], e);
    add_outer(e, cov);
  }
  within_form(curve->form, cov);
}

/* All pairs of knots; the most significant fall among so many (Bonferroni). */
static fit_test test_falls(const cb_friction_law *curve, double dof) {
  const size_t m = fit_form_size(curve->form), n = curve->n_knots;
  fit_test t = {.done = true, .dof1 = (double)m, .dof2 = dof, .p_value = 1};
  for (size_t j = 0; j < n; j++)
    for (size_t k = j + 1; k < n; k++) {
      double cov[3][3], d[3], force[3], square = 0, fall;
      difference(curve->knots[j].f_N, curve->knots[k].f_N, d);
      fall = (half_gap(d) - mean_of(d)) / mean_of(curve->knots[j].f_N);
      if (fall <= ROUNDING) continue;
      pair_cov(curve, j, k, cov);
      if (!project(cov, d, curve->form, 0, force)) continue;
      for (int i = 0; i < 3; i++) square += force[i] * fit_dot(cov[i], force);
      if (square / (double)m <= t.statistic) continue;
      t.statistic = square / (double)m;
      t.effect = 100 * fall;
    }
  if (t.statistic > 0)
    t.p_value = fmin(1, 0.5 * (double)(n * (n - 1)) * cone_p(t.statistic * (double)m, m, dof));
  return t;
}

/* Chance that the measurements are as far as that from the curve, if it is the truth. */
static double move_p(const rise *from, const rise *to, double dof) {
  double square = 0;
  for (size_t k = 0; k < from->n; k++) {
    fit_normal n = {.b = {0}};
    double d[3], unused[3], metric[3][3];
    difference(from->log[k], to->log[k], d);
    memcpy(n.a, from->cov[k], sizeof n.a);
    if (!fit_normal_solve(&n, from->form, unused, metric)) return 0;
    for (int i = 0; i < 3; i++) square += d[i] * fit_dot(metric[i], d);
  }
  return cone_p(square, from->n * fit_form_size(from->form), dof);
}

static bool moved(const double was[3], const double is[3]) {
  return was[0] != is[0] || was[1] != is[1] || was[2] != is[2];
}

static void write_knots(const rise *was, const rise *r, cb_friction_law *curve) {
  for (size_t k = 0; k < r->n; k++)
    if (moved(was->log[k], r->log[k])) cb_friction_matrix_exp(r->log[k], curve->knots[k].f_N);
}

fit_test fit_curve_rise(cb_friction_law *curve, double dof) {
  rise r, raised;
  if (curve->n_knots < 2) return (fit_test){0};
  rise_of(curve, &r);
  fit_test t = {.done = true, .dof1 = (double)fit_form_size(curve->form), .dof2 = dof, .p_value = 1};
  if (!rises(&r, 0)) {
    t = test_falls(curve, dof);
    covariances_of(curve, &r);
    raised = r;
    if (t.p_value < CONTRADICTION_P || !raise_knots(&raised)) return t;
    double p = move_p(&r, &raised, dof);
    if (t.effect > 0) t.p_value = fmin(t.p_value, p);
    if (p < CONTRADICTION_P) return t;
    write_knots(&r, &raised, curve);
    r = raised;
  }
  while (curve->bend > 0 && !rises(&r, curve->bend))
    curve->bend = curve->bend > LEAST_BEND ? curve->bend / 2 : 0;
  return t;
}
