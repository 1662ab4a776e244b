/* Tests beside those of fit_friction_hypotheses.c: the diagonal, the fourth harmonic, drift over the
 * repeats. */
#include <math.h>

#include "cb_stats.h"
#include "fit_regress.h"
#include "fit_friction_impl.h"

/* ---- f01 = 0, and the fourth harmonic: ln F = level + a cos 2 theta + b sin 2 theta + c cos 4 theta + d sin
 * 4 theta ---- */

typedef struct harmonics {
  const fit_data *d;
  double a, b; /* as far as they are known */
} harmonics;

static double cell_weight(const fit_cell *c) { return c->mean_N * c->mean_N / c->var_N2; }

/* The quadratic form 1 + h is no single harmonic in its logarithm: what ln(1 + h) has beyond h is taken
 * off. */
static double height(const harmonics *h, const fit_cell *c) {
  double q = h->a * (c->row[0] - c->row[2]) + h->b * c->row[1];
  return log(c->mean_N) - (q > -1 ? log1p(q) - q : 0);
}

static void row_of(const fit_cell *c, double row[4]) {
  double cos2 = c->row[0] - c->row[2], sin2 = c->row[1];
  row[0] = cos2, row[1] = sin2;
  row[2] = cos2 * cos2 - sin2 * sin2, row[3] = 2 * sin2 * cos2;
}

/* Levels leave by centring. */
static void add_level(const harmonics *h, const fit_level *l, fit_regress *r) {
  double mean[4] = {0}, y = 0, sum = 0, row[4];
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = l->first; k < l->first + l->n; k++) {
      const fit_cell *c = &h->d->cells[k];
      if (!(c->mean_N > 0)) continue;
      double w = cell_weight(c), yc = height(h, c);
      row_of(c, row);
      if (pass == 0) {
        for (int i = 0; i < 4; i++) mean[i] += w * row[i];
        y += w * yc, sum += w;
        continue;
      }
      for (int i = 0; i < 4; i++) row[i] -= mean[i] / sum;
      fit_regress_add(r, row, yc - y / sum, w);
    }
}

static fit_test partial(double square, double n, double rest, double dof, double effect) {
  if (n < 1 || dof < 1) return (fit_test){0};
  fit_test t = {.done = true, .dof1 = n, .dof2 = dof, .effect = effect};
  t.statistic = rest > 0 ? square / n / (rest / dof) : square > 0 ? 1e300 : 0;
  t.p_value = cb_f_p_upper(t.statistic, n, dof);
  return t;
}

void fit_harmonics_of(const fit_data *d, const fit_scatter *s, fit_test *diagonal, fit_test *fourth) {
  harmonics h = {.d = d};
  fit_regression g = {0};
  *diagonal = *fourth = (fit_test){0};
  for (int pass = 0; pass < 3; pass++) {
    fit_regress r = {.n_columns = 4};
    for (size_t l = 0; l < d->n_levels; l++) add_level(&h, &d->levels[l], &r);
    fit_regress_solve(&r, &g);
    h.a = g.beta[0], h.b = g.beta[1];
  }
  double within = 0, dof = -(double)g.rank - (double)d->n_levels;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    if (!(c->mean_N > 0)) continue;
    for (size_t i = c->first; i < c->first + c->n; i++)
      within += cell_weight(c) / (double)c->n * (d->data[i].force_N / c->mean_N - 1) *
                (d->data[i].force_N / c->mean_N - 1);
    dof += (double)c->n;
  }
  /* Laying the sample anew is not in the scatter of the repeats: then the cells' means are the sample. */
  if (s->place_rel > 0) within = 0, dof = (double)d->n_cells - (double)d->n_levels - (double)g.rank;
  double later = g.square[2] + g.square[3], n = g.used[2] + g.used[3];
  if (g.used[0] && g.used[1]) *diagonal = partial(g.square[1], 1, g.rest + within, dof, 100 * g.beta[1]);
  *fourth = partial(later, n, g.rest + within, dof, 100 * hypot(g.beta[2], g.beta[3]));
}

/* ---- drift over the repeats of a cell, in the order of the runs: wear, or a surface that settles ---- */

fit_test fit_drift_of(const fit_data *d) {
  double xx = 0, xy = 0, yy = 0, dof = -1;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    if (c->n < 2 || !(c->mean_N > 0)) continue;
    for (size_t i = c->first; i < c->first + c->n; i++) {
      double x = (double)(i - c->first) - 0.5 * ((double)c->n - 1), y = d->data[i].force_N / c->mean_N - 1;
      xx += x * x, xy += x * y, yy += y * y;
    }
    dof += (double)c->n - 1;
  }
  if (!(xx > 0) || dof < 1) return (fit_test){0};
  double slope = xy / xx, rest = fmax(0, yy - slope * xy), u = sqrt(rest / dof / xx);
  fit_test t = {.done = true, .dof2 = dof, .effect = 100 * slope};
  t.statistic = u > 0 ? slope / u : slope == 0 ? 0 : copysign(1e300, slope);
  t.p_value = cb_t_p_two_sided(t.statistic, dof);
  return t;
}
