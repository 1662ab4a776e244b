/* The specimens of one direction -> its curve. */
#include <math.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "fit_stretch_impl.h"

#define K CB_STRETCH_MAX_KNOTS
#define MOST_DOF 1e4 /* as good as without limit */

/* Values of one specimen at the knots that it reaches. */
typedef struct sampled {
  size_t n;
  double force[K], u[K], k1, k3;
  double toe[K];    /* part of u: of the place of strain 0 */
  double unseen[K]; /* part of that: what repeats share */
} sampled;

/* The strain that more than half of the specimens reach; of two, both. */
static cb_status end_of(const fit_stretch_curve *const *c, size_t n, double *end, cb_err *err) {
  double *reach = malloc(n * sizeof *reach);
  if (!reach) return cb_no_memory(err, "%zu stretch curves", n);
  for (size_t i = 0; i < n; i++) reach[i] = c[i]->strain_max;
  cb_sort(reach, n);
  *end = reach[n - 1 - n / 2];
  free(reach);
  return CB_OK;
}

static size_t knots_for(const fit_stretch_curve *const *c, size_t n) {
  size_t least = K;
  for (size_t i = 0; i < n; i++)
    if (c[i]->n_loading < least) least = c[i]->n_loading;
  return least < 3 ? 3 : least;
}

/* A specimen that ended before the second knot is carried on to it. */
static void sample(const fit_stretch_curve *c, const double *strains, size_t k, sampled *s) {
  s->n = 0;
  while (s->n < k && strains[s->n] <= c->strain_max * (1 + 1e-9)) s->n++;
  if (s->n < 2) s->n = 2;
  fit_stretch_smooth(c->loading, c->n_loading, strains, s->n, c->scatter_N_per_m, s->force, s->u);
  s->force[0] = 0;
  for (size_t i = 1; i < s->n; i++) {
    const size_t next = i + 1 < s->n ? i + 1 : i;
    const double slope = (s->force[next] - s->force[i - 1]) / (strains[next] - strains[i - 1]);
    s->toe[i] = c->u_origin * slope;
    s->unseen[i] = c->u_unseen * slope;
    s->u[i] = hypot(s->u[i], s->toe[i]);
  }
}

static size_t alive_at(const sampled *s, size_t n, size_t k) {
  size_t alive = 0;
  for (size_t i = 0; i < n; i++) alive += s[i].n > k;
  return alive;
}

/* The mean goes on by the mean rise of those that go on, so that it has no step where a specimen ends. */
static double mean_at(const sampled *s, size_t n, size_t k, double before) {
  double sum = 0;
  size_t alive = alive_at(s, n, k);
  for (size_t i = 0; i < n; i++)
    if (s[i].n > k) sum += s[i].force[k] - s[i].force[k - 1];
  return alive ? before + sum / (double)alive : before;
}

/* Variance between the specimens at a knot; of those that reach it, where at least two do, else as at the
 * knot before. */
static double variance_at(const sampled *s, size_t n, size_t k, double before) {
  double mean = 0, sum = 0;
  size_t alive = alive_at(s, n, k);
  for (size_t i = 0; i < n; i++)
    if (s[i].n > k) mean += s[i].force[k];
  if (alive < 2) return before;
  mean /= (double)alive;
  for (size_t i = 0; i < n; i++)
    if (s[i].n > k) sum += (s[i].force[k] - mean) * (s[i].force[k] - mean);
  return sum / (double)(alive - 1);
}

/* What the repeats share. */
static double unseen_at(const sampled *s, size_t n, size_t k) {
  double sum = 0;
  size_t alive = alive_at(s, n, k);
  for (size_t i = 0; i < n; i++)
    if (s[i].n > k) sum += s[i].unseen[k];
  return alive ? sum / (double)alive : 0;
}

/* A variance from a few specimens is a rough number: neighbouring knots share theirs. It has the scatter of
 * their toes. */
static void scatter(const sampled *s, size_t n, cb_stretch_direction *d) {
  double v[K] = {0};
  for (size_t k = 1; k < d->n_knots; k++) v[k] = variance_at(s, n, k, v[k - 1]);
  for (size_t k = 1; k < d->n_knots; k++) {
    size_t from = k > 1 ? k - 1 : k, to = k + 1 < d->n_knots ? k + 1 : k;
    double sum = 0;
    for (size_t j = from; j <= to; j++) sum += v[j];
    d->knots[k].sd_N_per_m = sqrt(sum / (double)(to - from + 1));
    d->knots[k].u_N_per_m =
        hypot(d->knots[k].sd_N_per_m / sqrt((double)alive_at(s, n, k)), unseen_at(s, n, k));
  }
}

void fit_stretch_cubic(const double *e, const double *f, size_t n, double *k1, double *k3) {
  double a = 0, b = 0, c = 0, p = 0, q = 0;
  for (size_t i = 0; i < n; i++) {
    double e2 = e[i] * e[i];
    a += e2, b += e2 * e2, c += e2 * e2 * e2;
    p += e[i] * f[i], q += e[i] * e2 * f[i];
  }
  double det = a * c - b * b;
  *k1 = (c * p - b * q) / det;
  *k3 = (a * q - b * p) / det;
  if (!(*k3 >= 0)) *k1 = p / a, *k3 = 0;
  if (!(*k1 >= 0)) *k1 = 0, *k3 = q / c;
}

static double misfit_of(const double *e, const double *f, size_t n, double k1, double k3) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double r = f[i] - k1 * e[i] - k3 * e[i] * e[i] * e[i];
    sum += r * r;
  }
  return sqrt(sum / (double)n);
}

/* Of one specimen: what the points' scatter leaves in the two, were the form true, and its toe. */
static void u_of_cubic(const double *e, const sampled *s, size_t n, cb_stretch_direction *d) {
  double a = 0, b = 0, c = 0, mean = 0, moved[K] = {0}, k1, k3;
  for (size_t i = 1; i < n; i++) {
    double e2 = e[i] * e[i], u2 = s->u[i] * s->u[i] - s->toe[i] * s->toe[i];
    a += e2, b += e2 * e2, c += e2 * e2 * e2, mean += fmax(0, u2) / (double)(n - 1);
    moved[i] = d->knots[i].force_N_per_m + s->toe[i];
  }
  double det = a * c - b * b;
  fit_stretch_cubic(e, moved, n, &k1, &k3);
  d->u_k1_N_per_m = hypot(sqrt(mean * c / det), k1 - d->k1_N_per_m);
  d->u_k3_N_per_m = hypot(sqrt(mean * a / det), k3 - d->k3_N_per_m);
}

static void cubic(sampled *s, size_t n, const double *e, cb_stretch_direction *d) {
  double f[K] = {0}, v1 = 0, v3 = 0;
  for (size_t k = 0; k < d->n_knots; k++) f[k] = d->knots[k].force_N_per_m;
  fit_stretch_cubic(e, f, d->n_knots, &d->k1_N_per_m, &d->k3_N_per_m);
  d->cubic_misfit_rel = misfit_of(e, f, d->n_knots, d->k1_N_per_m, d->k3_N_per_m) / f[d->n_knots - 1];
  if (n == 1) {
    u_of_cubic(e, &s[0], d->n_knots, d);
    return;
  }
  double m1 = 0, m3 = 0;
  for (size_t i = 0; i < n; i++) {
    fit_stretch_cubic(e, s[i].force, s[i].n, &s[i].k1, &s[i].k3);
    m1 += s[i].k1 / (double)n, m3 += s[i].k3 / (double)n;
  }
  for (size_t i = 0; i < n; i++) v1 += (s[i].k1 - m1) * (s[i].k1 - m1), v3 += (s[i].k3 - m3) * (s[i].k3 - m3);
  d->u_k1_N_per_m = sqrt(v1 / (double)(n * (n - 1)));
  d->u_k3_N_per_m = sqrt(v3 / (double)(n * (n - 1)));
}

/* Of one specimen: of the scatter of its points; of several: of that between them. The toe has no degrees of
 * freedom to lose (Welch, Satterthwaite). */
static double freedom_of(const fit_stretch_curve *c, const sampled *s, size_t n,
                         const cb_stretch_direction *d) {
  const double own = n > 1 ? (double)(n - 1) : fmax(1, (double)c->n_loading - (double)d->n_knots);
  double least = INFINITY;
  for (size_t k = 1; k < d->n_knots; k++) {
    const double toe = n > 1 ? unseen_at(s, n, k) : s->toe[k],
                 all = d->knots[k].u_N_per_m * d->knots[k].u_N_per_m, scatter2 = all - toe * toe;
    if (!(toe > 0))
      least = fmin(least, own);
    else if (scatter2 > 0)
      least = fmin(least, own * fmax(1, all * all / (scatter2 * scatter2)));
  }
  return fmin(least, MOST_DOF);
}

static void fill_direction(const sampled *s, size_t n, const fit_stretch_curve *const *c, const double *e,
                           cb_stretch_direction *d) {
  for (size_t k = 0; k < d->n_knots; k++) {
    double before = k ? d->knots[k - 1].force_N_per_m : 0;
    d->knots[k] =
        (cb_stretch_knot){e[k], k ? mean_at(s, n, k, before) : 0, k ? s[0].u[k] : 0, n > 1 ? 0 : NAN};
  }
  if (n > 1) scatter(s, n, d);
  d->dof = freedom_of(c[0], s, n, d);
}

cb_status fit_stretch_mean(const fit_stretch_curve *const *curves, size_t n, cb_stretch_direction *d,
                           cb_err *err) {
  double end, e[K] = {0};
  CB_TRY(end_of(curves, n, &end, err));
  sampled *s = calloc(n, sizeof *s);
  if (!s) return cb_no_memory(err, "%zu stretch curves", n);
  d->n_tests = n;
  d->n_knots = knots_for(curves, n);
  for (size_t k = 0; k < d->n_knots; k++) e[k] = end * (double)k / (double)(d->n_knots - 1);
  for (size_t i = 0; i < n; i++) sample(curves[i], e, d->n_knots, &s[i]);
  fill_direction(s, n, curves, e, d);
  cubic(s, n, e, d);
  free(s);
  return CB_OK;
}
