/* Runs that do not belong: deletion residuals about a smooth surface over load and direction, found one by
 * one and judged together (generalized extreme Studentized deviate, Rosner 1983). The surface is no
 * measurement: a run that it alone contradicts may be the friction of the cloth there. Only what other runs
 * of the same cell contradict is left out; the rest is named and kept. */
#include <math.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "fit_regress.h"
#include "fit_friction_impl.h"

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

static size_t start_regression(const surface *s, const bool *out, fit_regress *r) {
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
static const fit_datum *most_extreme(const surface *s, const fit_regress *r, double n, const bool *out,
                                     fit_outlier *o) {
  fit_regression g;
  double row[FIT_COLUMNS], largest = 0;
  const fit_datum *found = NULL;
  fit_regress_solve(r, &g);
  double dof = n - (double)g.rank - 1;
  if (dof < LEAST_DOF) return NULL;
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    if (!in_play(x, out)) continue;
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

/* While one outlier was judged, the next was still among those that judged it: once all are known, each
 * against the rest. */
static void judge_again(const surface *s, const bool *out, fit_outlier *list, size_t n_list) {
  fit_regress r;
  fit_regression g;
  double row[FIT_COLUMNS];
  size_t n = start_regression(s, out, &r);
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

/* Finds the extreme runs, marks them in out and lists them; returns how many. */
static size_t find_outliers(const surface *s, bool *out, fit_outlier list[FIT_MAX_OUTLIERS]) {
  size_t most = s->d->n / 8 < FIT_MAX_OUTLIERS ? s->d->n / 8 : FIT_MAX_OUTLIERS, found = 0, tried = 0;
  fit_regress r;
  double row[FIT_COLUMNS];
  size_t n = start_regression(s, out, &r);
  for (; tried < most; tried++) {
    const fit_datum *x = most_extreme(s, &r, (double)(n - tried), out, &list[tried]);
    if (!x) break;
    if (list[tried].p_value < ALARM) found = tried + 1;
    out[x->index] = true;
    row_of(s, x, row);
    fit_regress_remove(&r, row, log(x->force_N), weight_of(x));
  }
  for (size_t i = found; i < tried; i++) out[list[i].index] = false;
  return found;
}

/* Do the other runs of its load and direction, forward and backward ones alike, lie nearer to the surface
 * than to this one? All extreme runs are out: they are nobody's witness. */
static bool is_contradicted(const surface *s, const fit_outlier *o, const bool *out) {
  const fit_datum *x = s->d->data;
  double sum = 0, n = 0;
  while (x->index != o->index) x++;
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *other = &s->d->data[i];
    if (other->level != x->level || other->angle != x->angle || !in_play(other, out)) continue;
    sum += log(other->force_N), n++;
  }
  if (n == 0) return false;
  double mean = sum / n, here = log(x->force_N), expected = here - log1p(o->departure_percent / 100);
  return fabs(mean - expected) < fabs(mean - here);
}

void fit_outliers_of(const fit_data *d, bool *out, fit_friction_law *f) {
  surface s = surface_of(d);
  fit_outlier list[FIT_MAX_OUTLIERS];
  bool contradicted[FIT_MAX_OUTLIERS];
  size_t n = find_outliers(&s, out, list);
  if (n > 0) judge_again(&s, out, list, n);
  f->n_outliers = f->n_doubtful = 0;
  for (size_t i = 0; i < n; i++) contradicted[i] = is_contradicted(&s, &list[i], out);
  for (size_t i = 0; i < n; i++) {
    if (contradicted[i]) {
      f->outliers[f->n_outliers++] = list[i];
    } else {
      f->doubtful[f->n_doubtful++] = list[i];
      out[list[i].index] = false;
    }
  }
}
