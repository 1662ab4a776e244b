/* Runs of one cell that are not alike: pulls to and fro, and a force that changes from run to run. One law
 * stands for all of them, so that its band must reach them. */
#include <math.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"

static void widen(cb_friction_law *law, double rel) {
  if (!(rel > 0) || law->n_shared >= CB_LAW_MAX_SHARED) return;
  cb_friction_shared *part = fit_new_part(law, "misfit");
  for (size_t l = 0; l < law->n_knots; l++)
    for (int i = 0; i < 3; i++) part->f_N[l][i] = rel * law->knots[l].f_N[i];
}

/* ---- to and fro ---- */

void fit_add_senses(cb_friction_law *law, const fit_test *symmetry) {
  if (symmetry->done && symmetry->p_value < FIT_SAID_P) widen(law, fabs(symmetry->effect) / 200);
}

/* ---- wear ---- */

/* Runs of a cell in one sense. */
typedef struct sense {
  double n, x, y; /* sums: runs, what their force may depend on, relative force */
} sense;

/* Of a run of a cell: what the force may depend on. */
typedef double of_run(const fit_data *d, const fit_cell *c, size_t i);

static double number_of(const fit_data *d, const fit_cell *c, size_t i) {
  (void)c;
  return (double)d->data[i].index;
}

/* 1: the first of its cell and sense. */
static double first_of(const fit_data *d, const fit_cell *c, size_t i) {
  for (size_t k = c->first; k < i; k++)
    if (d->data[k].backward == d->data[i].backward) return 0;
  return 1;
}

static void sums_of(const fit_data *d, const fit_cell *c, of_run *x_of, sense s[2]) {
  s[0] = s[1] = (sense){0};
  for (size_t i = c->first; i < c->first + c->n; i++) {
    sense *to = &s[d->data[i].backward];
    to->n++;
    to->x += x_of(d, c, i);
    to->y += d->data[i].force_N / c->mean_N;
  }
}

typedef struct slope {
  double xx, xy, yy, dof;
} slope;

static void add_cell(const fit_data *d, const fit_cell *c, of_run *x_of, slope *sum) {
  sense s[2];
  sums_of(d, c, x_of, s);
  for (size_t i = c->first; i < c->first + c->n; i++) {
    const sense *of = &s[d->data[i].backward];
    const double x = x_of(d, c, i) - of->x / of->n, y = d->data[i].force_N / c->mean_N - of->y / of->n;
    sum->xx += x * x, sum->xy += x * y, sum->yy += y * y;
  }
  for (int i = 0; i < 2; i++) sum->dof += fmax(0, s[i].n - 1);
}

static slope slope_of(const fit_data *d, of_run *x_of) {
  slope s = {.dof = -1};
  for (size_t k = 0; k < d->n_cells; k++)
    if (d->cells[k].mean_N > 0) add_cell(d, &d->cells[k], x_of, &s);
  return s;
}

/* effect: what a difference of `times` comes to [%]. *u: of the slope. */
static fit_test test_slope(const slope *s, double times, double *u) {
  const double b = s->xy / s->xx;
  *u = sqrt(fmax(0, s->yy - b * s->xy) / s->dof / s->xx);
  fit_test t = {.done = true, .dof2 = s->dof, .effect = 100 * times * b};
  t.statistic = *u > 0 ? b / *u : b == 0 ? 0 : copysign(1e300, b);
  t.p_value = cb_t_p_two_sided(t.statistic, s->dof);
  return t;
}

/* How far the cells lie apart in the order of the runs, as a standard deviation. */
static double apart_runs(const fit_data *d) {
  double sum = 0, square = 0;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    double x = 0;
    for (size_t i = c->first; i < c->first + c->n; i++) x += (double)d->data[i].index / (double)c->n;
    sum += x, square += x * x;
  }
  const double n = (double)d->n_cells, mean = sum / n;
  return sqrt(fmax(0, square / n - mean * mean));
}

fit_wear fit_wear_of(const fit_data *d) {
  const slope s = slope_of(d, number_of);
  if (!(s.xx > 0) || s.dof < 1) return (fit_wear){.found_percent = NAN};
  const double per_run = s.xy / s.xx, runs = (double)d->n - 1;
  double u;
  fit_wear w = {.test = test_slope(&s, runs, &u)};
  w.found_percent = 100 * runs * u * sqrt(cb_f_noncentrality(FIT_SAID_P, FIT_SAID_POWER, 1, s.dof));
  w.cells_rel = apart_runs(d) * hypot(per_run, u);
  return w;
}

void fit_add_wear(cb_friction_law *law, const fit_wear *w) {
  if (w->test.done && w->test.p_value < FIT_WEAR_P) widen(law, w->cells_rel);
}

/* ---- the first pull of a cell ---- */

fit_test fit_first_of(const fit_data *d) {
  const slope s = slope_of(d, first_of);
  double u;
  return s.xx > 0 && s.dof >= 1 ? test_slope(&s, 1, &u) : (fit_test){0};
}

void fit_add_first(cb_friction_law *law, const fit_test *first) {
  if (first->done && first->p_value < FIT_FIRST_P) widen(law, fabs(first->effect) / 200);
}
