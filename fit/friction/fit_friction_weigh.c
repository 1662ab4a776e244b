/* Runs of a cell that know themselves unequally well: each counts by the inverse of its variance, its own and
 * that between runs (Paule and Mandel, J. Res. NBS 87, 1982; DerSimonian and Laird, Controlled Clinical
 * Trials 7, 1986). Runs that are alike keep their plain mean. */
#include <math.h>

#include "cb_num.h"
#include "fit_friction_impl.h"

/* A digit's uncertainty that is the same but for the load's own scatter. */
#define ALIKE_REL 0.01

static bool are_alike(const fit_data *d, const fit_cell *c) {
  double low = INFINITY, high = 0;
  for (size_t i = c->first; i < c->first + c->n; i++)
    low = fmin(low, d->data[i].u_force_N), high = fmax(high, d->data[i].u_force_N);
  return high <= (1 + ALIKE_REL) * low;
}

bool fit_runs_are_alike(const fit_data *d) {
  for (size_t k = 0; k < d->n_cells; k++)
    if (!are_alike(d, &d->cells[k])) return false;
  return true;
}

/* Exact runs still need a finite weight. */
static double own_var_N2(const fit_data *d, const fit_cell *c, size_t run) {
  const double u = d->data[run].u_force_N;
  return u * u + 1e-18 * c->mean_N * c->mean_N;
}

typedef struct weighed {
  double mean_N, weight; /* weight: 1 / variance of the mean */
} weighed;

static weighed weigh(const fit_data *d, const fit_cell *c, double between_N2) {
  double sum = 0, weights = 0;
  for (size_t i = c->first; i < c->first + c->n; i++) {
    const double w = 1 / (between_N2 + own_var_N2(d, c, i));
    sum += w * d->data[i].force_N, weights += w;
  }
  return (weighed){sum / weights, weights};
}

/* ---- what the runs scatter beyond their own uncertainty ---- */

/* Over the runs of the cells with repeats, at a relative variance between runs. */
typedef struct sums {
  double n, squares, weights; /* squares: sum of r^2 w, w = 1 / (between + own), relative */
} sums;

static sums sums_at(const fit_data *d, double between_rel2) {
  sums s = {0};
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    if (c->n < 2 || !(c->mean_N > 0)) continue;
    const double F2 = c->mean_N * c->mean_N, between = between_rel2 * F2;
    const weighed m = weigh(d, c, between);
    for (size_t i = c->first; i < c->first + c->n; i++) {
      const double r = d->data[i].force_N - m.mean_N, w = 1 / (between + own_var_N2(d, c, i));
      s.squares += r * r * w, s.weights += F2 * w;
    }
    s.n += (double)c->n;
  }
  return s;
}

/* The variance at which the squares are what their degrees of freedom make them. */
static double paule_mandel(const fit_data *d, double dof, double most) {
  double low = 0, high = most;
  if (sums_at(d, 0).squares <= dof) return 0;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (sums_at(d, middle).squares > dof)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* Mean of a normal distribution about an estimate of a variance, which is not negative. */
static double cut_at_zero(double var, double u) {
  const double z = var / u;
  return var + u * exp(-0.5 * z * z) / sqrt(2 * CB_PI) / (0.5 * erfc(-z / sqrt(2)));
}

/* To first order the squares fall by dof / n times the weights per unit of variance; their own standard
 * deviation is sqrt(2 dof). As many degrees of freedom are in an estimate of that relative uncertainty. */
void fit_scatter_weigh(const fit_data *d, double dof, double most, fit_scatter *s) {
  const double found = paule_mandel(d, dof, most);
  sums at = sums_at(d, found);
  const double var = cut_at_zero(found, sqrt(2 * dof) * at.n / (dof * at.weights));
  at = sums_at(d, var);
  const double told = var * at.weights / at.n;
  *s = (fit_scatter){.rel = sqrt(var),
                     .dof = fmax(1, dof * told * told),
                     .pooled_var = var,
                     .basis = FIT_FROM_REPEATS,
                     .weighed = true};
}

/* ---- the cells ---- */

/* A cell's own uncertainty becomes that of runs which, all alike, would make its mean as good. */
void fit_cells_weigh(fit_data *d, const fit_scatter *s) {
  for (size_t k = 0; k < d->n_cells; k++) {
    fit_cell *c = &d->cells[k];
    const double between = s->rel * c->mean_N;
    if (!(c->mean_N > 0) || are_alike(d, c)) continue;
    const weighed m = weigh(d, c, between * between);
    c->u_point_N = sqrt(fmax(0, (double)c->n / m.weight - between * between));
    c->mean_N = m.mean_N;
  }
}
