/* From the cells of a load level to the matrix of its knot. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <string.h>

#include "cb_stats.h"
#include "fit_steps.h"

/* No cloth slides free in any direction: the smallest eigenvalue is at least this fraction of the largest. */
#define EIGEN_FLOOR 1e-3

static void row_of(double angle_rad, double a[3]) {
  double c = cos(angle_rad), s = sin(angle_rad);
  a[0] = c * c, a[1] = 2 * s * c, a[2] = s * s;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double smallest_eigenvalue(const double f[3]) { return 0.5 * (f[0] + f[2]) - hypot(0.5 * (f[0] - f[2]), f[1]); }

/* ---- form ---- */

static bool tells_warp_from_weft(const fit_data *d, const fit_level *l) {
  double lowest = 1, highest = -1;
  for (size_t k = l->first; k < l->first + l->n; k++) {
    double c = cos(2 * d->cells[k].angle_rad);
    lowest = fmin(lowest, c), highest = fmax(highest, c);
  }
  return highest - lowest >= 0.5;
}

static bool level_is_complete(const fit_data *d, size_t level, cb_friction_form form) {
  const fit_level *l = &d->levels[level];
  if (form == CB_FORM_GENERAL) return l->n_directions >= 3;
  return form == CB_FORM_ORTHOTROPIC && l->n_directions >= 2 && tells_warp_from_weft(d, l);
}

static bool any_complete(const fit_data *d, cb_friction_form form) {
  for (size_t l = 0; l < d->n_levels; l++)
    if (level_is_complete(d, l, form)) return true;
  return false;
}

cb_friction_form fit_form_of(const fit_data *d, const fit_verdict *v, const fit_directions *dir) {
  bool rejected = dir->test.done && dir->test.p_value < 0.01;
  if (v->isotropic && !rejected) return CB_FORM_ISOTROPIC;
  if (any_complete(d, CB_FORM_GENERAL)) return CB_FORM_GENERAL;
  return any_complete(d, CB_FORM_ORTHOTROPIC) ? CB_FORM_ORTHOTROPIC : CB_FORM_ISOTROPIC;
}

/* ---- one level with its own directions: weighted least squares ---- */

/* The weighted equations of one level; the orthotropic form adds one: f01 = 0 within what published pairs show. */
typedef struct equations {
  size_t n, n_cells;
  double row[FIT_MAX_ANGLES + 1][3], force_N[FIT_MAX_ANGLES + 1], var[FIT_MAX_ANGLES + 1], angle_rad[FIT_MAX_ANGLES + 1];
} equations;

/* dF/dtheta of the quadratic form. */
static double slope(const double f[3], double angle_rad) { return (f[2] - f[0]) * sin(2 * angle_rad) + 2 * f[1] * cos(2 * angle_rad); }

static void build(equations *e, const fit_data *d, const fit_level *l, cb_friction_form form, const fit_scatter *s) {
  double sum = 0;
  e->n = 0;
  for (size_t k = l->first; k < l->first + l->n; k++) {
    const fit_cell *c = &d->cells[k];
    size_t i = e->n++;
    row_of(c->angle_rad, e->row[i]);
    e->force_N[i] = c->mean_N;
    e->angle_rad[i] = c->angle_rad;
    /* Exact data still need a finite weight. */
    e->var[i] = fmax(fit_cell_var(c, s), 1e-18 * c->mean_N * c->mean_N + 1e-300);
    sum += fabs(c->mean_N);
  }
  e->n_cells = e->n;
  if (form != CB_FORM_ORTHOTROPIC) return;
  size_t i = e->n++;
  double u = FIT_TYPICAL_SIN2 * sum / (double)l->n;
  memcpy(e->row[i], (double[3]){0, 1, 0}, sizeof e->row[i]);
  e->force_N[i] = 0;
  e->angle_rad[i] = 0;
  e->var[i] = u * u + 1e-300;
}

static void copy_cov(const gsl_matrix *m, double cov[3][3]) {
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) cov[i][j] = gsl_matrix_get(m, i, j);
}

static cb_status solve(const equations *e, double f[3], double cov[3][3], cb_err *err) {
  cb_status st = cb_fail(err, CB_E_NUM, "least squares over %zu directions: singular, or no memory", e->n);
  /* GSL would end the program. */
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(e->n, 3);
  gsl_matrix *x = gsl_matrix_alloc(e->n, 3), *c = gsl_matrix_alloc(3, 3);
  gsl_vector *y = gsl_vector_alloc(e->n), *weight = gsl_vector_alloc(e->n), *beta = gsl_vector_alloc(3);
  double chi2;
  if (!w || !x || !c || !y || !weight || !beta) goto done;
  for (size_t i = 0; i < e->n; i++) {
    for (size_t j = 0; j < 3; j++) gsl_matrix_set(x, i, j, e->row[i][j]);
    gsl_vector_set(y, i, e->force_N[i]);
    gsl_vector_set(weight, i, 1 / e->var[i]);
  }
  if (gsl_multifit_wlinear(x, weight, y, beta, c, &chi2, w) == GSL_SUCCESS) {
    for (size_t j = 0; j < 3; j++) f[j] = gsl_vector_get(beta, j);
    copy_cov(c, cov);
    st = CB_OK;
  }
done:
  gsl_vector_free(beta);
  gsl_vector_free(weight);
  gsl_vector_free(y);
  gsl_matrix_free(c);
  gsl_matrix_free(x);
  gsl_multifit_linear_free(w);
  gsl_set_error_handler(handler);
  return st;
}

/* On the boundary the matrix is m (e e^T + floor e' e'^T) with e at angle phi: for a given phi the best m is linear. */
static double boundary_misfit(const equations *e, double phi, double f[3]) {
  double shape[3], along[3], across[3], wfq = 0, wqq = 0, misfit = 0;
  row_of(phi, along);
  row_of(phi + 1.57079632679489661923, across);
  for (int j = 0; j < 3; j++) shape[j] = along[j] + EIGEN_FLOOR * across[j];
  shape[1] *= 0.5; /* row_of gives 2 s c */
  for (size_t i = 0; i < e->n; i++) {
    double q = dot(e->row[i], shape);
    wfq += e->force_N[i] * q / e->var[i];
    wqq += q * q / e->var[i];
  }
  double m = fmax(wfq / wqq, 0);
  for (int j = 0; j < 3; j++) f[j] = m * shape[j];
  for (size_t i = 0; i < e->n; i++) {
    double r = e->force_N[i] - dot(e->row[i], f);
    misfit += r * r / e->var[i];
  }
  return misfit;
}

/* The cone of positive matrices is convex, so that the constrained optimum lies on its boundary: one angle to search, by a
 * coarse scan and then bisection of the step. */
static void refit_on_boundary(const equations *e, double f[3]) {
  const int scan = 360;
  const double pi = 3.14159265358979323846;
  double g[3], best = 0, lowest = INFINITY;
  for (int i = 0; i < scan; i++) {
    double phi = pi * i / scan, misfit = boundary_misfit(e, phi, g);
    if (misfit < lowest) lowest = misfit, best = phi;
  }
  for (double step = pi / scan; step > 1e-10;) {
    double left = boundary_misfit(e, best - step, g), right = boundary_misfit(e, best + step, g);
    if (left < lowest)
      lowest = left, best -= step;
    else if (right < lowest)
      lowest = right, best += step;
    else
      step /= 2;
  }
  (void)boundary_misfit(e, best, f);
}

static double misfit_of(const equations *e, const double f[3]) {
  double sum = 0;
  for (size_t i = 0; i < e->n_cells; i++) {
    double r = e->force_N[i] - dot(e->row[i], f);
    sum += r * r / e->var[i];
  }
  return sum;
}

static cb_status fit_complete(const fit_data *d, const fit_level *l, cb_friction_form form, const fit_scatter *s, double u_angle_rad,
                              cb_friction_knot *k, double *chi2, cb_err *err) {
  equations e;
  build(&e, d, l, form, s);
  CB_TRY(solve(&e, k->f_N, k->cov_N2, err));
  if (u_angle_rad > 0) {
    /* A wrong angle is a wrong force, by the slope that the first pass found. */
    for (size_t i = 0; i < e.n_cells; i++) e.var[i] += pow(slope(k->f_N, e.angle_rad[i]) * u_angle_rad, 2);
    CB_TRY(solve(&e, k->f_N, k->cov_N2, err));
  }
  if (form == CB_FORM_ORTHOTROPIC) k->f_N[1] = 0;
  if (smallest_eigenvalue(k->f_N) < EIGEN_FLOOR * (k->f_N[0] + k->f_N[2])) refit_on_boundary(&e, k->f_N);
  *chi2 = misfit_of(&e, k->f_N);
  return CB_OK;
}

/* ---- a level without enough directions: shape from elsewhere, magnitude from its own runs ---- */

typedef struct shape {
  double f[3], cov[3][3]; /* scaled to trace 2, i.e. mean 1 */
} shape;

static shape shape_of(const cb_friction_knot *k) {
  shape s;
  double scale = 2 / (k->f_N[0] + k->f_N[2]);
  for (int i = 0; i < 3; i++) {
    s.f[i] = k->f_N[i] * scale;
    for (int j = 0; j < 3; j++) s.cov[i][j] = k->cov_N2[i][j] * scale * scale;
  }
  return s;
}

/* Adds independent uncertainty of warp against weft and of the diagonal, relative to the mean. */
static void widen(shape *s, double var_cos2, double var_sin2) {
  s->cov[0][0] += var_cos2;
  s->cov[2][2] += var_cos2;
  s->cov[0][2] -= var_cos2;
  s->cov[2][0] -= var_cos2;
  s->cov[1][1] += var_sin2;
}

static shape isotropic_shape(const fit_directions *dir) {
  shape s = {.f = {1, 0, 1}};
  widen(&s, dir->var_a, dir->var_b);
  return s;
}

/* Between two complete levels the shape is interpolated in ln N; beyond them the nearest serves. Shapes drift with the load: the
 * further, the less is known. */
static shape borrowed_shape(const fit_data *d, cb_friction_form form, const cb_friction_knot *knots, size_t level) {
  size_t lo = level, hi = level;
  while (lo > 0 && !level_is_complete(d, lo, form)) lo--;
  while (hi + 1 < d->n_levels && !level_is_complete(d, hi, form)) hi++;
  if (!level_is_complete(d, lo, form)) lo = hi;
  if (!level_is_complete(d, hi, form)) hi = lo;
  double x = log(d->levels[level].normal_force_N), a = log(d->levels[lo].normal_force_N), b = log(d->levels[hi].normal_force_N);
  double w = hi > lo ? (x - a) / (b - a) : 0, away = fmin(fabs(x - a), fabs(x - b)), drift = 0.5 * FIT_TYPICAL_DRIFT * away;
  shape s = shape_of(&knots[lo]), t = shape_of(&knots[hi]);
  for (int i = 0; i < 3; i++) {
    s.f[i] = (1 - w) * s.f[i] + w * t.f[i];
    for (int j = 0; j < 3; j++) s.cov[i][j] = (1 - w) * (1 - w) * s.cov[i][j] + w * w * t.cov[i][j];
  }
  widen(&s, drift * drift, drift * drift);
  return s;
}

/* f = m shape with m = sum w F q / sum w q^2, q = shape in the measured directions. To first order
 * df = shape dm + m (1 - shape b^T) dshape with b = sum w q a / sum w q^2: the shape's uncertainty vanishes where it was measured. */
static void fit_magnitude(const fit_data *d, const fit_level *l, const fit_scatter *s, const shape *g, cb_friction_knot *k) {
  double wfq = 0, wqq = 0, b[3] = {0}, a[3], jac[3][3];
  for (size_t i = l->first; i < l->first + l->n; i++) {
    const fit_cell *c = &d->cells[i];
    row_of(c->angle_rad, a);
    double q = dot(a, g->f), w = 1 / fmax(fit_cell_var(c, s), 1e-18 * c->mean_N * c->mean_N + 1e-300);
    wfq += w * c->mean_N * q;
    wqq += w * q * q;
    for (int j = 0; j < 3; j++) b[j] += w * q * a[j];
  }
  double m = wfq / wqq;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) jac[i][j] = m * ((i == j) - g->f[i] * b[j] / wqq);
  for (int i = 0; i < 3; i++) {
    k->f_N[i] = m * g->f[i];
    for (int j = 0; j < 3; j++) {
      k->cov_N2[i][j] = g->f[i] * g->f[j] / wqq;
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) k->cov_N2[i][j] += jac[i][p] * g->cov[p][q] * jac[j][q];
    }
  }
}

/* ---- all levels ---- */

/* More directions than the form has functions test the form itself. */
static fit_test test_form(double chi2, double cells, const fit_scatter *s) {
  if (cells < 1 || s->basis != FIT_FROM_REPEATS) return (fit_test){0};
  fit_test t = {.done = true, .statistic = chi2 / cells, .dof1 = cells, .dof2 = s->dof, .effect = chi2 / cells};
  t.p_value = cb_f_p_upper(t.statistic, t.dof1, t.dof2);
  return t;
}

static void stretch(const fit_data *d, cb_friction_form form, double factor, cb_friction_knot *knots) {
  for (size_t l = 0; l < d->n_levels; l++) {
    if (!level_is_complete(d, l, form)) continue;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) knots[l].cov_N2[i][j] *= factor;
  }
}

static cb_status complete_levels(const fit_data *d, cb_friction_form form, const fit_scatter *s, double u_angle_rad,
                                 cb_friction_knot *knots, fit_test *quadratic, cb_err *err) {
  double chi2 = 0, spare = 0;
  for (size_t l = 0; l < d->n_levels; l++) {
    double misfit;
    if (!level_is_complete(d, l, form)) continue;
    CB_TRY(fit_complete(d, &d->levels[l], form, s, u_angle_rad, &knots[l], &misfit, err));
    chi2 += misfit;
    spare += fmax(0, (double)d->levels[l].n - 3);
  }
  *quadratic = test_form(chi2, spare, s);
  /* Where the form is rejected its departures are part of every force: Birge's ratio. */
  if (quadratic->done && quadratic->p_value < 0.01) stretch(d, form, quadratic->effect, knots);
  return CB_OK;
}

cb_status fit_knots_make(const fit_data *d, cb_friction_form form, const fit_scatter *s, const fit_directions *dir, double u_angle_rad,
                         cb_friction_knot *knots, fit_test *quadratic, fit_friction_outcome *outcome, cb_err *err) {
  *outcome = FIT_FRICTION_OK;
  *quadratic = (fit_test){0};
  for (size_t l = 0; l < d->n_levels; l++) {
    knots[l] = (cb_friction_knot){.normal_force_N = d->levels[l].normal_force_N};
    double sum = 0;
    for (size_t k = d->levels[l].first; k < d->levels[l].first + d->levels[l].n; k++) sum += d->cells[k].mean_N;
    if (!(sum > 0)) *outcome = FIT_FRICTION_NO_FORCE;
  }
  if (*outcome != FIT_FRICTION_OK) return CB_OK;
  CB_TRY(complete_levels(d, form, s, u_angle_rad, knots, quadratic, err));
  for (size_t l = 0; l < d->n_levels; l++) {
    if (level_is_complete(d, l, form)) continue;
    shape g = form == CB_FORM_ISOTROPIC ? isotropic_shape(dir) : borrowed_shape(d, form, knots, l);
    fit_magnitude(d, &d->levels[l], s, &g, &knots[l]);
  }
  for (size_t l = 0; l < d->n_levels; l++)
    if (!(smallest_eigenvalue(knots[l].f_N) > 0)) *outcome = FIT_FRICTION_NO_FORCE;
  return CB_OK;
}
