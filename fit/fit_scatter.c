/* How much the same pull varies from run to run. */
#include <math.h>

#include "fit_steps.h"

/* Sum of squares with its degrees of freedom, and the points' own share of it. */
typedef struct pool {
  double square, dof, own;
} pool;

/* Relative scatter inside the cells. */
static pool pool_repeats(const fit_data *d) {
  pool p = {0};
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    if (c->n < 2 || !(c->mean_N > 0)) continue;
    for (size_t i = c->first; i < c->first + c->n; i++) {
      double r = d->data[i].force_N / c->mean_N - 1;
      p.square += r * r;
    }
    double dof = (double)c->n - 1, u = c->u_point_N / c->mean_N;
    p.dof += dof;
    p.own += dof * u * u;
  }
  return p;
}

/* The cell of a direction at a level; NULL if it was not measured or cannot be taken to the logarithm. */
static const fit_cell *cell_at(const fit_data *d, size_t level, size_t angle) {
  const fit_level *l = &d->levels[level];
  for (size_t k = l->first; k < l->first + l->n; k++)
    if (d->cells[k].angle == angle) return d->cells[k].mean_N > 0 ? &d->cells[k] : NULL;
  return NULL;
}

static double ln_load(const fit_data *d, const fit_cell *c) { return log(d->levels[c->level].normal_force_N); }

/* Three neighbouring loads of one direction: what the middle one departs from the power law through the outer two has the
 * variance (1 + (1-w)^2 + w^2) of a single one. Curvature counts as scatter here, which is on the safe side. */
static void add_residual(const fit_data *d, const fit_cell *const c[3], pool *p) {
  double x0 = ln_load(d, c[0]), w = (ln_load(d, c[1]) - x0) / (ln_load(d, c[2]) - x0);
  double e = log(c[1]->mean_N) - (1 - w) * log(c[0]->mean_N) - w * log(c[2]->mean_N);
  double weights[3] = {1 - w, 1, w}, sum = 0, own = 0;
  for (int i = 0; i < 3; i++) {
    double u = c[i]->u_point_N / c[i]->mean_N;
    sum += weights[i] * weights[i];
    own += weights[i] * weights[i] * u * u;
  }
  p->square += e * e / sum;
  p->own += own / sum;
  p->dof += 1;
}

static pool pool_residuals(const fit_data *d) {
  pool p = {0};
  for (size_t a = 0; a < d->n_angles; a++) {
    const fit_cell *last[3] = {NULL};
    for (size_t l = 0; l < d->n_levels; l++) {
      const fit_cell *c = cell_at(d, l, a);
      if (!c) continue;
      last[0] = last[1], last[1] = last[2], last[2] = c;
      if (last[0]) add_residual(d, last, &p);
    }
  }
  return p;
}

/* Neighbouring residuals share loads: for even spacing m of them are worth m / 1.94 independent ones (correlations -2/3 and 1/6). */
#define RESIDUAL_WORTH (1 / (1 + 2 * (4.0 / 9 + 1.0 / 36)))

fit_scatter fit_scatter_of(const fit_data *d) {
  pool p = pool_repeats(d);
  fit_basis basis = FIT_FROM_REPEATS;
  double worth = 1;
  if (p.dof < 1) {
    p = pool_residuals(d);
    basis = FIT_FROM_RESIDUALS;
    worth = RESIDUAL_WORTH;
  }
  if (p.dof < 1)
    return (fit_scatter){.rel = FIT_TYPICAL_SCATTER,
                         .dof = FIT_TYPICAL_SCATTER_DOF,
                         .pooled_var = FIT_TYPICAL_SCATTER * FIT_TYPICAL_SCATTER,
                         .basis = FIT_ASSUMED};
  return (fit_scatter){
      .rel = sqrt(fmax(0, p.square - p.own) / p.dof), .dof = fmax(1, p.dof * worth), .pooled_var = p.square / p.dof, .basis = basis};
}

double fit_cell_var(const fit_cell *c, const fit_scatter *s) {
  double run = s->rel * c->mean_N;
  return (run * run + c->u_point_N * c->u_point_N) / (double)c->n;
}
