/* From the cells of a load level to the matrix of its knot: the curve through the loads. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"

/* ---- form ---- */

static bool tells_warp_from_weft(const fit_data *d, const fit_level *l) {
  double lowest = 1, highest = -1;
  for (size_t k = l->first; k < l->first + l->n; k++) {
    double c = d->cells[k].row[0] - d->cells[k].row[2]; /* cos 2 theta */
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

bool fit_form_allowed(const fit_data *d, cb_friction_form form) {
  return form == CB_FORM_ISOTROPIC || any_complete(d, form);
}

cb_friction_form fit_form_of(const fit_data *d, const fit_verdict *v, const fit_directions *dir) {
  bool rejected = dir->test.done && dir->test.p_value < 0.01;
  if (v->isotropic && !rejected) return CB_FORM_ISOTROPIC;
  if (any_complete(d, CB_FORM_GENERAL)) return CB_FORM_GENERAL;
  return any_complete(d, CB_FORM_ORTHOTROPIC) ? CB_FORM_ORTHOTROPIC : CB_FORM_ISOTROPIC;
}

/* ---- one level with its own directions: weighted least squares ---- */

/* Exact data still need a finite weight. */
void fit_data_weigh(fit_data *d, const fit_scatter *s) {
  for (size_t k = 0; k < d->n_cells; k++) {
    fit_cell *c = &d->cells[k];
    c->var_N2 = fmax(fit_cell_var(c, s), 1e-18 * c->mean_N * c->mean_N + 1e-300);
    c->weight = 1 / c->var_N2;
  }
}

double fit_slope(const double f[3], const double row[3]) {
  return (f[2] - f[0]) * row[1] + 2 * f[1] * (row[0] - row[2]);
}

/* Nobody knows f01 where only warp and weft were measured: 0 within what published pairs show. */
void fit_normal_add_prior(fit_normal *n, cb_friction_form form, double mean_N) {
  double u = FIT_TYPICAL_SIN2 * mean_N;
  if (form == CB_FORM_ORTHOTROPIC) fit_normal_add(n, (double[3]){0, 1, 0}, 0, 1 / (u * u + 1e-300));
}

/* A wrong angle is a wrong force, by the slope that the first pass found. */
static double turned_weight(const fit_cell *c, const double f[3], double u_angle_rad) {
  if (!(u_angle_rad > 0)) return c->weight;
  double turned = fit_slope(f, c->row) * u_angle_rad;
  return 1 / (c->var_N2 + turned * turned);
}

static bool solve_level(const fit_data *d, const fit_level *l, cb_friction_form form, double u_angle_rad,
                        cb_friction_knot *k) {
  fit_normal n = {.b = {0}};
  double sum = 0, unused[3];
  for (size_t i = l->first; i < l->first + l->n; i++) {
    const fit_cell *c = &d->cells[i];
    fit_normal_add(&n, c->row, c->mean_N, turned_weight(c, k->f_N, u_angle_rad));
    sum += fabs(c->mean_N);
  }
  if (!fit_normal_solve(&n, form, k->f_N, k->cov_N2)) return false;
  if (fit_is_held(k->f_N)) fit_normal_boundary(&n, form, FIT_EIGEN_FLOOR, k->f_N);
  if (form == CB_FORM_GENERAL) return true;
  fit_normal_add_prior(&n, form, sum / (double)l->n);
  return fit_normal_solve(&n, CB_FORM_GENERAL, unused, k->cov_N2);
}

static double misfit_of(const fit_data *d, const fit_level *l, const double f[3], double u_angle_rad) {
  double sum = 0;
  for (size_t i = l->first; i < l->first + l->n; i++) {
    const fit_cell *c = &d->cells[i];
    double r = c->mean_N - fit_dot(c->row, f);
    sum += r * r * turned_weight(c, f, u_angle_rad);
  }
  return sum;
}

static cb_status fit_complete(const fit_data *d, const fit_level *l, cb_friction_form form,
                              double u_angle_rad, cb_friction_knot *k, cb_err *err) {
  bool solved =
      solve_level(d, l, form, 0, k) && (u_angle_rad == 0 || solve_level(d, l, form, u_angle_rad, k));
  return solved ? CB_OK
                : cb_fail(err, CB_E_NUM, "least squares over %zu directions at %g N: singular", l->n,
                          l->normal_force_N);
}

/* ---- a level without enough directions: shape from elsewhere, magnitude from its own runs ---- */

typedef struct shape {
  double f[3], own[3][3];  /* scaled to trace 2, i.e. mean 1; covariance without ... */
  size_t n_parts, part[3]; /* ... what it has in common with the law's shared parts, which are ... */
  double effect[3][3];     /* ... of this size */
} shape;

/* Adds independent uncertainty of warp against weft and of the diagonal, relative to the mean. */
static void widen(double cov[3][3], double var_cos2, double var_sin2) {
  cov[0][0] += var_cos2;
  cov[2][2] += var_cos2;
  cov[0][2] -= var_cos2;
  cov[2][0] -= var_cos2;
  cov[1][1] += var_sin2;
}

/* The diagonal drifts as much less as it is smaller. */
static void widen_drift(double cov[3][3], double drift) {
  double diagonal = drift * FIT_TYPICAL_SIN2 / FIT_TYPICAL_COS2;
  widen(cov, drift * drift, diagonal * diagonal);
}

cb_friction_shared *fit_new_part(cb_friction_law *law, const char *source) {
  cb_friction_shared *part = &law->shared[law->n_shared++];
  *part = (cb_friction_shared){.exponent = {0, 0}};
  strcpy(part->source, source);
  return part;
}

/* Room for n more parts that start as nothing; false: there is none left. */
static bool new_parts(cb_friction_law *law, const char *source, size_t n, shape *g) {
  if (law->n_shared + n > FIT_SHAPE_PARTS) return false;
  for (size_t i = 0; i < n; i++) {
    g->part[i] = law->n_shared;
    (void)fit_new_part(law, source);
  }
  g->n_parts = n;
  return true;
}

/* One shape for all loads: what is not known about it, they share. */
static shape isotropic_shape(cb_friction_law *law, const fit_directions *dir) {
  shape g = {.f = {1, 0, 1}};
  double a = sqrt(dir->var_a), b = sqrt(dir->var_b);
  if (new_parts(law, "shape", 2, &g))
    memcpy(g.effect, (double[3][3]){{a, 0, -a}, {0, b, 0}}, sizeof g.effect);
  return g;
}

/* What a complete level does not know about itself becomes a shared part, for those that borrow from it. */
static void share_level(cb_friction_law *law, size_t level, shape *g) {
  cb_friction_knot *k = &law->knots[level];
  double lower[3][3];
  if (!new_parts(law, "level", 3, g)) return;
  cb_friction_knot_cholesky(k, lower);
  for (int p = 0; p < 3; p++)
    for (int i = 0; i < 3; i++) law->shared[g->part[p]].f_N[level][i] = lower[i][p];
  memset(k->cov_N2, 0, sizeof k->cov_N2);
}

static shape shape_of(const cb_friction_law *law, size_t level) {
  const cb_friction_knot *k = &law->knots[level];
  shape g = {.n_parts = 0};
  double scale = 2 / (k->f_N[0] + k->f_N[2]), cov[3][3];
  cb_friction_law_knot_cov(law, level, cov);
  for (int i = 0; i < 3; i++) {
    g.f[i] = k->f_N[i] * scale;
    for (int j = 0; j < 3; j++) g.own[i][j] = cov[i][j] * scale * scale;
  }
  return g;
}

/* The parts that belong to a level which lends its shape; made at the first use. */
typedef struct loan {
  bool asked;
  size_t n_parts, part[3];
} loan;

static shape lend(cb_friction_law *law, size_t level, loan *l) {
  shape g = shape_of(law, level);
  if (!l->asked) {
    shape fresh = {.n_parts = 0};
    share_level(law, level, &fresh);
    l->asked = true, l->n_parts = fresh.n_parts;
    memcpy(l->part, fresh.part, sizeof l->part);
  }
  if (l->n_parts == 0) return g; /* no room: as if it were its own */
  double scale = 2 / (law->knots[level].f_N[0] + law->knots[level].f_N[2]);
  memset(g.own, 0, sizeof g.own);
  g.n_parts = l->n_parts;
  memcpy(g.part, l->part, sizeof g.part);
  for (size_t p = 0; p < g.n_parts; p++)
    for (int i = 0; i < 3; i++) g.effect[p][i] = scale * law->shared[g.part[p]].f_N[level][i];
  return g;
}

static shape mix(const shape *a, const shape *b, double w) {
  shape g = {.n_parts = 0};
  for (int i = 0; i < 3; i++) {
    g.f[i] = (1 - w) * a->f[i] + w * b->f[i];
    for (int j = 0; j < 3; j++) g.own[i][j] = (1 - w) * (1 - w) * a->own[i][j] + w * w * b->own[i][j];
  }
  return g;
}

/* Between two complete levels the shape is interpolated in ln N; beyond them the nearest serves. Shapes drift
 * with the load: the further, the less is known. */
static shape borrowed_shape(const fit_data *d, cb_friction_law *law, loan *loans, size_t level) {
  size_t lo = level, hi = level;
  while (lo > 0 && !level_is_complete(d, lo, law->form)) lo--;
  while (hi + 1 < d->n_levels && !level_is_complete(d, hi, law->form)) hi++;
  if (!level_is_complete(d, lo, law->form)) lo = hi;
  if (!level_is_complete(d, hi, law->form)) hi = lo;
  double x = d->levels[level].ln_load, a = d->levels[lo].ln_load, b = d->levels[hi].ln_load;
  double away = fmin(fabs(x - a), fabs(x - b)), drift = 0.5 * FIT_TYPICAL_DRIFT * away;
  shape from = hi > lo ? shape_of(law, lo) : lend(law, lo, &loans[lo]), to = shape_of(law, hi);
  shape g = hi > lo ? mix(&from, &to, (x - a) / (b - a)) : from;
  widen_drift(g.own, drift);
  return g;
}

/* f = m shape with m = sum w F q / sum w q^2, q = shape in the measured directions. To first order df = shape
 * dm + m (1 - shape b^T) dshape with b = sum w q a / sum w q^2: the shape's uncertainty vanishes where it was
 * measured. */
static void fit_magnitude(const fit_data *d, size_t level, const shape *g, cb_friction_law *law) {
  const fit_level *l = &d->levels[level];
  cb_friction_knot *k = &law->knots[level];
  double wfq = 0, wqq = 0, b[3] = {0}, jac[3][3];
  for (size_t i = l->first; i < l->first + l->n; i++) {
    const fit_cell *c = &d->cells[i];
    double q = fit_dot(c->row, g->f), w = c->weight;
    wfq += w * c->mean_N * q;
    wqq += w * q * q;
    for (int j = 0; j < 3; j++) b[j] += w * q * c->row[j];
  }
  double m = wfq / wqq;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) jac[i][j] = m * ((i == j) - g->f[i] * b[j] / wqq);
  for (int i = 0; i < 3; i++) {
    k->f_N[i] = m * g->f[i];
    for (size_t p = 0; p < g->n_parts; p++)
      law->shared[g->part[p]].f_N[level][i] = fit_dot(jac[i], g->effect[p]);
    for (int j = 0; j < 3; j++) {
      k->cov_N2[i][j] = g->f[i] * g->f[j] / wqq;
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) k->cov_N2[i][j] += jac[i][p] * g->own[p][q] * jac[j][q];
    }
  }
}

/* ---- all levels ---- */

/* More directions than the form has functions test the form itself. */
static fit_test test_form(double chi2, double cells, const fit_scatter *s) {
  if (cells < 1 || s->basis != FIT_FROM_REPEATS) return (fit_test){0};
  fit_test t = {
      .done = true, .statistic = chi2 / cells, .dof1 = cells, .dof2 = s->dof, .effect = chi2 / cells};
  t.p_value = cb_f_p_upper(t.statistic, t.dof1, t.dof2);
  return t;
}

static void stretch(const fit_data *d, double factor, cb_friction_law *law) {
  for (size_t l = 0; l < d->n_levels; l++) {
    if (!level_is_complete(d, l, law->form)) continue;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) law->knots[l].cov_N2[i][j] *= factor;
  }
}

static cb_status complete_levels(const fit_data *d, const fit_scatter *s, double u_angle_rad,
                                 cb_friction_law *law, fit_test *quadratic, cb_err *err) {
  double chi2 = 0, spare = 0;
  for (size_t l = 0; l < d->n_levels; l++) {
    if (!level_is_complete(d, l, law->form)) continue;
    CB_TRY(fit_complete(d, &d->levels[l], law->form, u_angle_rad, &law->knots[l], err));
    chi2 += misfit_of(d, &d->levels[l], law->knots[l].f_N, u_angle_rad);
    spare += fmax(0, (double)d->levels[l].n - (double)fit_form_size(law->form));
  }
  *quadratic = test_form(chi2, spare, s);
  /* Where the form is rejected its departures are part of every force: Birge's ratio. */
  if (quadratic->done && quadratic->p_value < 0.01) stretch(d, quadratic->effect, law);
  return CB_OK;
}

double fit_shape_is_taken_from(const fit_data *d) {
  size_t telling = 0, at = 0;
  double sum = 0;
  for (size_t l = 0; l < d->n_levels; l++) {
    sum += d->levels[l].ln_load;
    if (d->levels[l].n_directions < 2) continue;
    telling++;
    at = l;
  }
  if (telling > 1) return NAN;
  return telling == 1 ? d->levels[at].normal_force_N : exp(sum / (double)d->n_levels);
}

/* The isotropic shape at a level that tells no directions apart, while one other level does at most. */
static void drift_away(const fit_data *d, size_t level, double from_N, shape *g) {
  double drift = isnan(from_N) ? 0 : 0.5 * FIT_TYPICAL_DRIFT * log(d->levels[level].normal_force_N / from_N);
  widen_drift(g->own, drift);
}

static void incomplete_levels(const fit_data *d, const fit_directions *dir, cb_friction_law *law) {
  loan loans[CB_LAW_MAX_KNOTS] = {{.asked = false}};
  shape one = {.n_parts = 0};
  const double from_N = fit_shape_is_taken_from(d);
  if (law->form == CB_FORM_ISOTROPIC) one = isotropic_shape(law, dir);
  for (size_t l = 0; l < d->n_levels; l++) {
    if (level_is_complete(d, l, law->form)) continue;
    shape g = law->form == CB_FORM_ISOTROPIC ? one : borrowed_shape(d, law, loans, l);
    if (law->form == CB_FORM_ISOTROPIC) drift_away(d, l, from_N, &g);
    fit_magnitude(d, l, &g, law);
  }
}

cb_status fit_curve(const fit_data *d, const fit_scatter *s, const fit_directions *dir, double u_angle_rad,
                    cb_friction_law *law, fit_fitness *fitness, fit_test *quadratic, fit_test *falling,
                    cb_err *err) {
  *fitness = (fit_fitness){.possible = true};
  law->model = CB_MODEL_CURVE;
  law->bend = FIT_BEND;
  law->offset_N = 0;
  law->n_shared = 0;
  law->n_knots = d->n_levels;
  for (size_t l = 0; l < d->n_levels; l++)
    law->knots[l] = (cb_friction_knot){.normal_force_N = d->levels[l].normal_force_N};
  CB_TRY(complete_levels(d, s, u_angle_rad, law, quadratic, err));
  incomplete_levels(d, dir, law);
  for (size_t l = 0; l < d->n_levels; l++)
    fitness->possible = fitness->possible && fit_smallest_eigenvalue(law->knots[l].f_N) > 0;
  if (!fitness->possible) return CB_OK;
  *falling = fit_curve_rise(law, fit_scatter_dof(s));
  for (size_t l = 0; l < d->n_levels; l++) {
    fitness->n_parameters += level_is_complete(d, l, law->form) ? fit_form_size(law->form) : 1;
    fitness->chi2 += misfit_of(d, &d->levels[l], law->knots[l].f_N, u_angle_rad);
  }
  return CB_OK;
}
