/* Statistical tests beside the authors' rules: direction, symmetry. */
#include <math.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"

/* ---- direction: ln F = level + a cos 2 theta + b sin 2 theta, weighted; levels leave by centring
 * (Frisch-Waugh-Lovell) ---- */

/* Sums of products after centring within each level: index 0 = cos, 1 = sin, 2 = ln F. */
typedef struct moments {
  double s[3][3];
  double within; /* weighted sum of squares inside the cells */
  size_t n_runs, n_levels;
} moments;

static double cell_weight(const fit_cell *c, const fit_scatter *s) {
  return c->mean_N * c->mean_N / fit_cell_var(c, s);
}

static void cell_row(const fit_cell *c, double row[3]) {
  row[0] = c->row[0] - c->row[2]; /* cos 2 theta */
  row[1] = c->row[1];             /* sin 2 theta */
  row[2] = log(c->mean_N);
}

static void add_within(const fit_data *d, const fit_cell *c, double weight, moments *m) {
  for (size_t i = c->first; i < c->first + c->n; i++) {
    double r = d->data[i].force_N / c->mean_N - 1;
    m->within += weight / (double)c->n * r * r;
  }
  m->n_runs += c->n;
}

static void add_level(const fit_data *d, const fit_level *l, const fit_scatter *s, moments *m) {
  double mean[3] = {0}, sum = 0, row[3];
  for (size_t k = l->first; k < l->first + l->n; k++) {
    const fit_cell *c = &d->cells[k];
    if (!(c->mean_N > 0)) continue;
    double w = cell_weight(c, s);
    cell_row(c, row);
    for (int i = 0; i < 3; i++) mean[i] += w * row[i];
    sum += w;
    add_within(d, c, w, m);
  }
  if (!(sum > 0)) return;
  m->n_levels++;
  for (size_t k = l->first; k < l->first + l->n; k++) {
    const fit_cell *c = &d->cells[k];
    if (!(c->mean_N > 0)) continue;
    double w = cell_weight(c, s);
    cell_row(c, row);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) m->s[i][j] += w * (row[i] - mean[i] / sum) * (row[j] - mean[j] / sum);
  }
}

/* A regressor that hardly varies (sin 2 theta at 0 and 90 degrees) cannot be estimated. */
static bool varies(double sxx, double total_weight) { return sxx > 1e-3 * total_weight; }

typedef struct solution {
  double a, b, var_a, var_b; /* var: for unit weight variance */
  int p;                     /* how many were estimated */
  bool has_a, has_b;
} solution;

static solution solve_moments(const moments *m, double total) {
  double cc = m->s[0][0], ss = m->s[1][1], cs = m->s[0][1], cy = m->s[0][2], sy = m->s[1][2];
  double det = cc * ss - cs * cs;
  solution r = {.has_a = varies(cc, total), .has_b = varies(ss, total)};
  if (r.has_a && r.has_b && det < 1e-3 * cc * ss) r.has_b = false;
  r.p = r.has_a + r.has_b;
  if (r.p == 2) {
    r.a = (ss * cy - cs * sy) / det, r.var_a = ss / det;
    r.b = (cc * sy - cs * cy) / det, r.var_b = cc / det;
  } else if (r.has_a) {
    r.a = cy / cc, r.var_a = 1 / cc;
  } else if (r.has_b) {
    r.b = sy / ss, r.var_b = 1 / ss;
  }
  return r;
}

static double total_weight(const fit_data *d, const fit_scatter *s) {
  double sum = 0;
  for (size_t k = 0; k < d->n_cells; k++)
    if (d->cells[k].mean_N > 0) sum += cell_weight(&d->cells[k], s);
  return sum;
}

/* What a law that ignores directions must allow for: the mean square m^2 + v of a normal posterior with mean
 * m and variance v, whose prior is what the published pairs of that label show. */
static double unresolved(double amplitude, double var) {
  const double prior = FIT_TYPICAL_ISOTROPIC * FIT_TYPICAL_ISOTROPIC;
  double keep = prior / (prior + var), m = keep * amplitude;
  return m * m + keep * var;
}

/* The largest variance of an amplitude over the directions of (a, b), for unit weight variance. */
static double worst_var(const moments *m, const solution *x) {
  if (x->p < 2) return x->has_a ? x->var_a : x->var_b;
  const double mean = 0.5 * (m->s[0][0] + m->s[1][1]), half = 0.5 * (m->s[0][0] - m->s[1][1]);
  return 1 / (mean - hypot(half, m->s[0][1]));
}

/* The smallest anisotropy that the test would have found, wherever it points [%]. */
static double found_percent(const fit_test *t, double var) {
  return 100 * expm1(2 * sqrt(cb_f_noncentrality(FIT_SAID_P, FIT_SAID_POWER, t->dof1, t->dof2) * var));
}

fit_directions fit_directions_of(const fit_data *d, const fit_scatter *s) {
  fit_directions r = {.found_percent = NAN,
                      .var_a = FIT_TYPICAL_COS2 * FIT_TYPICAL_COS2,
                      .var_b = FIT_TYPICAL_SIN2 * FIT_TYPICAL_SIN2,
                      .basis = FIT_ASSUMED};
  fit_scatter scatter = *s;
  /* Noise-free data must not divide by zero. */
  if (scatter.rel < 1e-9) scatter.rel = 1e-9;
  moments m = {0};
  for (size_t l = 0; l < d->n_levels; l++) add_level(d, &d->levels[l], &scatter, &m);
  solution x = solve_moments(&m, total_weight(d, &scatter));
  if (x.p == 0) return r;
  r.basis = s->basis;
  r.a = x.a, r.b = x.b;
  if (x.has_a) r.var_a = unresolved(x.a, x.var_a);
  if (x.has_b) r.var_b = unresolved(x.b, x.var_b);
  double dof = (double)m.n_runs - (double)m.n_levels - x.p;
  if (dof < 1) return r;
  double explained = x.a * m.s[0][2] + x.b * m.s[1][2], rest = fmax(m.s[2][2] - explained, 0) + m.within;
  r.test = (fit_test){.done = true, .dof1 = x.p, .dof2 = dof, .effect = 100 * expm1(2 * hypot(x.a, x.b))};
  r.test.statistic = rest > 0 ? explained / x.p / (rest / dof) : explained > 0 ? 1e300 : 0;
  r.test.p_value = cb_f_p_upper(r.test.statistic, r.test.dof1, dof);
  r.found_percent = found_percent(&r.test, worst_var(&m, &x) * rest / dof);
  return r;
}

/* ---- symmetry: forward against backward, cell by cell ---- */

typedef struct half {
  double n, sum, square;
} half;

static double half_mean(half h) { return h.sum / h.n; }
static double half_within(half h) { return fmax(0, h.square - h.sum * h.sum / h.n); }

static void split(const fit_data *d, const fit_cell *c, half h[2]) {
  h[0] = h[1] = (half){0};
  for (size_t i = c->first; i < c->first + c->n; i++) {
    half *x = &h[d->data[i].backward];
    double r = d->data[i].force_N / c->mean_N;
    x->n++;
    x->sum += r;
    x->square += r * r;
  }
}

fit_test fit_symmetry_of(const fit_data *d) {
  double within = 0, dof = 0, weight = 0, sum = 0, square = 0, n = 0;
  for (size_t k = 0; k < d->n_cells; k++) {
    half h[2];
    if (!(d->cells[k].mean_N > 0)) continue;
    split(d, &d->cells[k], h);
    if (h[0].n < 1 || h[1].n < 1) continue;
    double difference = half_mean(h[0]) - half_mean(h[1]), w = h[0].n * h[1].n / (h[0].n + h[1].n);
    within += half_within(h[0]) + half_within(h[1]);
    dof += h[0].n + h[1].n - 2;
    weight += w;
    sum += w * difference;
    square += w * difference * difference;
    n++;
  }
  if (!(weight > 0)) return (fit_test){0};
  double mean = sum / weight;
  /* Without repeats the differences' own spread has to serve. */
  if (dof < 1) within = fmax(0, square - mean * sum), dof = n - 1;
  if (dof < 1) return (fit_test){0};
  double u = sqrt(within / dof / weight);
  fit_test t = {.done = true, .dof2 = dof, .effect = 100 * mean};
  t.statistic = u > 0 ? mean / u : mean == 0 ? 0 : copysign(1e300, mean);
  t.p_value = cb_t_p_two_sided(t.statistic, dof);
  return t;
}
