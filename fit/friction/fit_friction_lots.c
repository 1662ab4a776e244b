/* Runs of several lots of a cloth. The additive model ln F = cell + lot separates the lots, as far as they
 * were measured in the same cells (direction and load). Its mean squares:
 *
 *   lots          b . g / (L - 1), adjusted for the cells
 *   interaction   what the means of a lot in a cell depart from the model; holds the laying of the sample
 *   within        repeats of a lot in a cell
 *
 * A is the lots' matrix of the normal equations after the cells are eliminated. MS(lots) (L - 1) / trace A is
 * the variance of a lot's mean: of the lots, and of the error behind it. The error's share is not taken off,
 * as in Henderson's method 3 (Biometrics 9, 226, 1953), which for few lots is often negative: without that,
 * the variance has L - 1 degrees of freedom, and Student's t holds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"

/* A preliminary test that decides on pooling wants a weak level (Bancroft, Biometrics 20, 427, 1964). */
#define POOLING_P 0.25
/* A pivot of the lots' matrix below this share of its trace: lots without a common cell. */
#define LEAST_PIVOT 1e-9

typedef struct squares {
  double sum, dof;
} squares;

typedef struct lots_fit {
  size_t n;
  double a[FIT_MAX_LOTS][FIT_MAX_LOTS], g[FIT_MAX_LOTS], trace;
  squares between, within; /* means of a lot in a cell about the cell's; runs about these means */
} lots_fit;

/* The runs of one cell, by lot. */
typedef struct cell_lots {
  double n[FIT_MAX_LOTS], mean[FIT_MAX_LOTS], all, grand;
  double runs, lots;
} cell_lots;

static cell_lots sort_cell(const fit_data *d, const fit_cell *c, const fit_lot_of *lot) {
  cell_lots s = {.all = 0};
  for (size_t i = c->first; i < c->first + c->n; i++) {
    const fit_datum *p = &d->data[i];
    if (!(p->force_N > 0)) continue;
    const size_t l = lot[p->index];
    s.n[l]++;
    s.mean[l] += (log(p->force_N) - s.mean[l]) / s.n[l];
    s.lots += s.n[l] == 1;
    s.all++;
    s.grand += (log(p->force_N) - s.grand) / s.all;
  }
  return s;
}

static void add_within(const fit_data *d, const fit_cell *c, const fit_lot_of *lot, const cell_lots *s,
                       squares *within) {
  within->dof += s->all - s->lots;
  for (size_t i = c->first; i < c->first + c->n; i++) {
    const fit_datum *p = &d->data[i];
    if (!(p->force_N > 0)) continue;
    const double e = log(p->force_N) - s->mean[lot[p->index]];
    within->sum += e * e;
  }
}

static void add_between(const cell_lots *s, lots_fit *f) {
  if (s->lots < 2) return;
  f->between.dof += s->lots - 1;
  for (size_t l = 0; l < f->n; l++) {
    if (!(s->n[l] > 0)) continue;
    const double e = s->mean[l] - s->grand;
    f->between.sum += s->n[l] * e * e;
    f->g[l] += s->n[l] * e;
    f->trace += s->n[l] * (1 - s->n[l] / s->all);
    for (size_t m = 0; m < f->n; m++) f->a[l][m] += (l == m ? s->n[l] : 0) - s->n[l] * s->n[m] / s->all;
  }
}

/* Effects that sum to zero: adding 1 to every entry of A makes that the only solution. False: some lots have
 * no cell in common, not even by way of others. */
static bool solve(const lots_fit *f, double b[FIT_MAX_LOTS]) {
  double a[FIT_MAX_LOTS][FIT_MAX_LOTS];
  const size_t n = f->n;
  for (size_t l = 0; l < n; l++) {
    b[l] = f->g[l];
    for (size_t m = 0; m < n; m++) a[l][m] = f->a[l][m] + 1;
  }
  for (size_t l = 0; l < n; l++) {
    if (!(a[l][l] > LEAST_PIVOT * (f->trace + 1))) return false;
    for (size_t k = l + 1; k < n; k++) {
      const double r = a[k][l] / a[l][l];
      for (size_t m = l; m < n; m++) a[k][m] -= r * a[l][m];
      b[k] -= r * b[l];
    }
  }
  for (size_t l = n; l-- > 0;) {
    for (size_t m = l + 1; m < n; m++) b[l] -= a[l][m] * b[m];
    b[l] /= a[l][l];
  }
  return true;
}

/* The sample of a lot is laid once in a cell: where that shows, it alone is the error. */
static squares error_of(squares interaction, squares within) {
  if (interaction.dof > 0 && within.dof > 0 && within.sum > 0 &&
      cb_f_p_upper(interaction.sum / interaction.dof / (within.sum / within.dof), interaction.dof,
                   within.dof) < POOLING_P)
    return interaction;
  return (squares){interaction.sum + within.sum, interaction.dof + within.dof};
}

static double largest_difference(const double *b, size_t n) {
  double low = b[0], high = b[0];
  for (size_t l = 1; l < n; l++) low = fmin(low, b[l]), high = fmax(high, b[l]);
  return 100 * expm1(high - low);
}

static void judge(const lots_fit *f, const double b[FIT_MAX_LOTS], fit_lots *out) {
  const double dof = (double)f->n - 1;
  double sum = 0;
  for (size_t l = 0; l < f->n; l++) sum += b[l] * f->g[l];
  const squares interaction = {fmax(0, f->between.sum - sum), f->between.dof - dof};
  const squares error = error_of(interaction, f->within);
  if (!(error.dof > 0) || !(error.sum > 0)) return;
  const double lots = sum / dof, ms = error.sum / error.dof, worth = f->trace / dof;
  out->test = (fit_test){.done = true,
                         .statistic = lots / ms,
                         .dof1 = dof,
                         .dof2 = error.dof,
                         .p_value = cb_f_p_upper(lots / ms, dof, error.dof),
                         .effect = largest_difference(b, f->n)};
  out->sd_rel = sqrt(lots / worth);
  out->dof = dof;
}

void fit_lots_of(const fit_data *d, const fit_lot_of *lot, size_t n_lots, fit_lots *out,
                 double effect[FIT_MAX_LOTS]) {
  lots_fit f = {.n = n_lots};
  *out = (fit_lots){.n = n_lots};
  memset(effect, 0, FIT_MAX_LOTS * sizeof *effect);
  if (n_lots < 2) return;
  for (size_t k = 0; k < d->n_cells; k++) {
    const cell_lots s = sort_cell(d, &d->cells[k], lot);
    add_within(d, &d->cells[k], lot, &s, &f.within);
    add_between(&s, &f);
  }
  double b[FIT_MAX_LOTS];
  if (!solve(&f, b)) return;
  judge(&f, b, out);
  if (out->test.done) memcpy(effect, b, sizeof b);
}

void fit_lots_level(cb_friction_obs *obs, size_t n, const fit_lot_of *lot,
                    const double effect[FIT_MAX_LOTS]) {
  for (size_t i = 0; i < n; i++) {
    const double r = exp(-effect[lot[i]]);
    obs[i].point.kinetic_N *= r;
    obs[i].point.static_N *= r;
  }
}

/* ---- the law's part ---- */

/* Relative variance of the law, mean over loads and directions. */
static double mean_var(const cb_friction_law *law) {
  double sum = 0;
  for (size_t l = 0; l < law->n_knots; l++)
    for (int r = 0; r < 3; r++) sum += fit_direction_var(law, l, fit_three_rows[r]);
  return sum / (3 * (double)law->n_knots) + law->u_rel_common * law->u_rel_common;
}

/* Degrees of freedom whose coverage factor is k, between two that enclose it. */
static double dof_of_factor(double k, double low, double high) {
  double from = log(low), to = log(fmin(high, 1e9));
  for (int i = 0; i < 60; i++) {
    const double mid = 0.5 * (from + to);
    if (cb_student_t(0.95, exp(mid)) > k)
      from = mid;
    else
      to = mid;
  }
  return exp(0.5 * (from + to));
}

/* Welch and Satterthwaite's degrees of freedom are too many where one part has one or two: a variance that is
 * small by chance then counts as well known. The expanded uncertainties are joined instead, each by its own
 * Student factor; the law gets the degrees of freedom that give their sum. */
void fit_add_lots(cb_friction_law *law, const fit_lots *lots) {
  if (lots->n < 2 || !(lots->sd_rel > 0)) return;
  const double u = lots->sd_rel * sqrt(1 + 1 / (double)lots->n), u_rest = sqrt(mean_var(law));
  const double U = hypot(cb_student_t(0.95, law->dof) * u_rest, cb_student_t(0.95, lots->dof) * u);
  law->dof = dof_of_factor(U / hypot(u, u_rest), fmin(law->dof, lots->dof), fmax(law->dof, lots->dof));
  cb_friction_shared *part = fit_new_part(law, "lots");
  for (size_t l = 0; l < law->n_knots; l++)
    for (int i = 0; i < 3; i++) part->f_N[l][i] = u * law->knots[l].f_N[i];
}
