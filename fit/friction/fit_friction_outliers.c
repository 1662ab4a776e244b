/* Runs that do not belong: deletion residuals about a smooth surface over load and direction, found one by one and judged together
 * (generalized extreme Studentized deviate, Rosner 1983). */
#include <math.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "fit_regress.h"
#include "fit_friction_steps.h"

/* Chance of naming any run of a pair whose errors are normal. */
#define ALARM 0.01
#define LEAST_DOF 5.0

typedef struct surface {
  const fit_data *d;
  size_t n_columns;
  double ln_load[CB_LAW_MAX_KNOTS];                  /* about the middle */
  double cos2[FIT_MAX_ANGLES], sin2[FIT_MAX_ANGLES]; /* of each direction */
} surface;

/* ln F = 1, cos 2 theta, sin 2 theta, ln N, ln N squared: as many as the loads carry. */
static void row_of(const surface *s, const fit_datum *x, double row[FIT_COLUMNS]) {
  double load = s->ln_load[x->level];
  row[0] = 1, row[1] = s->cos2[x->angle], row[2] = s->sin2[x->angle], row[3] = load, row[4] = load * load;
}

static surface surface_of(const fit_data *d) {
  surface s = {.d = d, .n_columns = d->n_levels >= 4 ? 5 : d->n_levels >= 2 ? 4 : 3};
  double middle = 0.5 * (d->levels[0].ln_load + d->levels[d->n_levels - 1].ln_load);
  for (size_t l = 0; l < d->n_levels; l++) s.ln_load[l] = d->levels[l].ln_load - middle;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    s.cos2[c->angle] = c->row[0] - c->row[2], s.sin2[c->angle] = c->row[1];
  }
  return s;
}

static double weight_of(const fit_datum *x) {
  double u = x->u_force_N / x->force_N;
  return 1 / (FIT_TYPICAL_SCATTER * FIT_TYPICAL_SCATTER + u * u);
}

static bool in_play(const fit_datum *x, const bool *out) { return !out[x->index] && x->force_N > 0; }

/* A lone run under the lightest or the heaviest load has nobody to speak against it: it may be how the law goes on there. */
static bool may_be_judged(const surface *s, const fit_datum *x, const bool *out) {
  if (x->level != 0 && x->level != s->d->n_levels - 1) return true;
  const fit_level *l = &s->d->levels[x->level];
  const fit_cell *end = &s->d->cells[l->first + l->n - 1];
  for (size_t i = s->d->cells[l->first].first; i < end->first + end->n; i++)
    if (&s->d->data[i] != x && in_play(&s->d->data[i], out)) return true;
  return false;
}

static size_t start(const surface *s, const bool *out, fit_regress *r) {
  double row[FIT_COLUMNS];
  size_t n = 0;
  *r = (fit_regress){.n_columns = s->n_columns};
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    if (!in_play(x, out)) continue;
    row_of(s, x, row);
    fit_regress_add(r, row, log(x->force_N), weight_of(x));
    n++;
  }
  return n;
}

/* The run with the largest deletion residual; NULL: nothing to compare with. */
static const fit_datum *most_extreme(const surface *s, const fit_regress *r, double n, const bool *out, fit_outlier *o) {
  fit_regression g;
  double row[FIT_COLUMNS], largest = 0;
  const fit_datum *found = NULL;
  fit_regress_solve(r, &g);
  double dof = n - (double)g.rank - 1;
  if (dof < LEAST_DOF) return NULL;
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    if (!in_play(x, out) || !may_be_judged(s, x, out)) continue;
    row_of(s, x, row);
    double e = log(x->force_N), leverage = 0, w = weight_of(x);
    for (size_t p = 0; p < s->n_columns; p++) {
      e -= row[p] * g.beta[p];
      for (size_t q = 0; q < s->n_columns; q++) leverage += w * row[p] * g.inverse[p][q] * row[q];
    }
    double kept = fmax(1 - leverage, 1e-9), without = fmax(g.rest - w * e * e / kept, 0);
    double t = without > 0 ? sqrt(w * e * e / kept / (without / dof)) : 0;
    if (t <= largest) continue;
    largest = t, found = x;
    *o = (fit_outlier){.index = x->index, .sigma = t, .departure_percent = 100 * expm1(e / kept)};
  }
  if (found) o->p_value = fmin(1, n * cb_t_p_two_sided(largest, dof));
  return found;
}

static int by_sigma(const void *a, const void *b) {
  const fit_outlier *x = a, *y = b;
  return (x->sigma < y->sigma) - (x->sigma > y->sigma);
}

/* While one outlier was judged, the next was still among those that judged it: once all are known, each against the rest. */
static void judge_again(const surface *s, const bool *out, fit_outlier *list, size_t n_list) {
  fit_regress r;
  fit_regression g;
  double row[FIT_COLUMNS];
  size_t n = start(s, out, &r);
  fit_regress_solve(&r, &g);
  double dof = (double)n - (double)g.rank;
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    for (size_t k = 0; k < n_list; k++) {
      if (list[k].index != x->index) continue;
      row_of(s, x, row);
      double e = log(x->force_N), w = weight_of(x), leverage = 0;
      for (size_t p = 0; p < s->n_columns; p++) {
        e -= row[p] * g.beta[p];
        for (size_t q = 0; q < s->n_columns; q++) leverage += w * row[p] * g.inverse[p][q] * row[q];
      }
      double var = g.rest / dof * (1 + leverage) / w;
      list[k].sigma = var > 0 ? fmin(fabs(e) / sqrt(var), 1e6) : 1e6;
      list[k].departure_percent = 100 * expm1(e);
      list[k].p_value = fmin(1, (double)(n + n_list) * cb_t_p_two_sided(list[k].sigma, dof));
    }
  }
  qsort(list, n_list, sizeof *list, by_sigma);
}

size_t fit_outliers_of(const fit_data *d, bool *out, fit_outlier list[FIT_MAX_OUTLIERS]) {
  size_t most = d->n / 8 < FIT_MAX_OUTLIERS ? d->n / 8 : FIT_MAX_OUTLIERS, found = 0, tried = 0;
  surface s = surface_of(d);
  fit_regress r;
  double row[FIT_COLUMNS];
  size_t n = start(&s, out, &r);
  for (; tried < most; tried++) {
    const fit_datum *x = most_extreme(&s, &r, (double)(n - tried), out, &list[tried]);
    if (!x) break;
    if (list[tried].p_value < ALARM) found = tried + 1;
    out[x->index] = true;
    row_of(&s, x, row);
    fit_regress_remove(&r, row, log(x->force_N), weight_of(x));
  }
  for (size_t i = found; i < tried; i++) out[list[i].index] = false;
  if (found) judge_again(&s, out, list, found);
  return found;
}
