/* What the cells' means scatter where several directions were measured at the same loads: two ways,
 * directions and loads, that add up in ln F. Any function of the load that the directions share is free, and
 * each direction drifts from it in proportion to ln N; what is left is neither. In a full grid of A
 * directions and L loads the least-squares solution is closed: take the means of rows and columns off, then
 * every direction's slope. A L - A - (L - 1) - (A - 1) = (A - 1) (L - 2) degrees of freedom remain, and the
 * residual of a cell at load l has (1 - 1/A) (1 - 1/L - x_l^2 / sum x^2) of its variance. */
#include <math.h>

#include "fit_friction_impl.h"

typedef struct table {
  size_t n_angles, n_loads, angle[FIT_MAX_ANGLES];
  double x[CB_LAW_MAX_KNOTS]; /* ln load less its mean */
  const fit_cell *cell[CB_LAW_MAX_KNOTS][FIT_MAX_ANGLES];
  double y[CB_LAW_MAX_KNOTS][FIT_MAX_ANGLES]; /* ln F, then what is left of it */
} table;

/* Directions that were measured at three loads or more. */
static void choose_angles(const fit_data *d, table *t) {
  size_t loads[FIT_MAX_ANGLES] = {0};
  for (size_t k = 0; k < d->n_cells; k++) loads[d->cells[k].angle] += d->cells[k].mean_N > 0 ? 1 : 0;
  for (size_t a = 0; a < d->n_angles; a++)
    if (loads[a] >= 3) t->angle[t->n_angles++] = a;
}

/* Loads at which all of them were measured. */
static void choose_loads(const fit_data *d, table *t) {
  for (size_t l = 0; l < d->n_levels; l++) {
    const fit_cell **row = t->cell[t->n_loads];
    size_t found = 0;
    for (size_t a = 0; a < t->n_angles; a++) {
      row[a] = fit_cell_at(d, l, t->angle[a]);
      found += row[a] ? 1 : 0;
    }
    if (found == t->n_angles) t->x[t->n_loads++] = d->levels[l].ln_load;
  }
}

static void take_means_off(table *t) {
  double x = 0, A = (double)t->n_angles, L = (double)t->n_loads;
  for (size_t l = 0; l < t->n_loads; l++) x += t->x[l] / L;
  for (size_t l = 0; l < t->n_loads; l++) {
    double row = 0;
    t->x[l] -= x;
    for (size_t a = 0; a < t->n_angles; a++) row += (t->y[l][a] = log(t->cell[l][a]->mean_N)) / A;
    for (size_t a = 0; a < t->n_angles; a++) t->y[l][a] -= row;
  }
  for (size_t a = 0; a < t->n_angles; a++) {
    double column = 0;
    for (size_t l = 0; l < t->n_loads; l++) column += t->y[l][a] / L;
    for (size_t l = 0; l < t->n_loads; l++) t->y[l][a] -= column;
  }
}

static void take_slopes_off(table *t, double xx) {
  for (size_t a = 0; a < t->n_angles; a++) {
    double xy = 0;
    for (size_t l = 0; l < t->n_loads; l++) xy += t->x[l] * t->y[l][a];
    for (size_t l = 0; l < t->n_loads; l++) t->y[l][a] -= xy / xx * t->x[l];
  }
}

fit_grid fit_grid_of(const fit_data *d, double repeat_rel) {
  table t;
  double xx = 0, square = 0, explained = 0;
  t.n_angles = t.n_loads = 0; /* the rest is 64 KiB, of which the numbers say how much counts */
  choose_angles(d, &t);
  if (t.n_angles >= 2) choose_loads(d, &t);
  if (t.n_loads < 3) return (fit_grid){0};
  take_means_off(&t);
  for (size_t l = 0; l < t.n_loads; l++) xx += t.x[l] * t.x[l];
  take_slopes_off(&t, xx);
  double A = (double)t.n_angles, L = (double)t.n_loads, dof = (A - 1) * (L - 2);
  for (size_t l = 0; l < t.n_loads; l++)
    for (size_t a = 0; a < t.n_angles; a++) {
      const fit_cell *c = t.cell[l][a];
      double u = c->u_point_N / c->mean_N, share = (1 - 1 / A) * (1 - 1 / L - t.x[l] * t.x[l] / xx);
      square += t.y[l][a] * t.y[l][a];
      explained += share * (repeat_rel * repeat_rel + u * u) / (double)c->n;
    }
  return (fit_grid){.dof = dof, .square = square / dof, .explained = explained / dof};
}
