/* Coulomb, power and offset laws: one matrix times one function of the load, F = u^T M u g(N), fitted to all
 * cells at once.
 *
 *   coulomb  g = N / N1                  power  g = (N / N1)^n                 offset  g = (N + N0) / (N1 +
 *            N0)
 *
 * N1, the loads' geometric mean, keeps M and the shape p (n or N0) nearly independent. For a given p the best
 * M is linear; p itself by Gauss and Newton on what M cannot explain (variable projection, Golub & Pereyra
 * 1973; in Kaufman's simplification of 1975). */
#include <math.h>
#include <string.h>

#include "fit_friction_impl.h"

#define STEPS 40
#define POWER_FROM 0.05
#define POWER_TO 2.0

/* A candidate's cells, weighed and summed once: all that a solution for some shape needs of a level is
 * here. */
typedef struct problem {
  const fit_data *d;
  cb_friction_model model;
  cb_friction_form form;
  double u_angle_rad, N1;
  double shape_from, shape_to;        /* equal: nothing to find */
  double ln_load[CB_LAW_MAX_KNOTS];   /* ln (N / N1) */
  double turned[CB_LAW_MAX_KNOTS][3]; /* the matrix at every level whose slope weighs the angle's uncertainty;
                                         unset without it */
  fit_normal level[CB_LAW_MAX_KNOTS]; /* of the matrix at the level */
  double g[CB_LAW_MAX_KNOTS], slope[CB_LAW_MAX_KNOTS]; /* g and dg/dshape at every level, for the shape that
                                                          was looked at last */
} problem;

typedef struct solution {
  double shape, f[3]; /* M at N1 */
  double chi2;
  fit_normal n; /* of M */
} solution;

/* d g / d shape, for g at that load */
static double derivative_of(const problem *p, double shape, double N, double ln_load, double g) {
  if (p->model == CB_MODEL_COULOMB) return 0;
  if (p->model == CB_MODEL_POWER) return g * ln_load;
  return (p->N1 - N) / ((p->N1 + shape) * (p->N1 + shape));
}

static double function_of(const problem *p, double shape, double N, double ln_load) {
  if (p->model == CB_MODEL_COULOMB) return N / p->N1;
  return p->model == CB_MODEL_POWER ? exp(shape * ln_load) : (N + shape) / (p->N1 + shape);
}

static void set_shape(problem *p, double shape) {
  for (size_t l = 0; l < p->d->n_levels; l++) {
    double N = p->d->levels[l].normal_force_N;
    p->g[l] = function_of(p, shape, N, p->ln_load[l]);
    p->slope[l] = derivative_of(p, shape, N, p->ln_load[l], p->g[l]);
  }
}

static double weight_of(const problem *p, const fit_cell *c) {
  if (!(p->u_angle_rad > 0)) return c->weight;
  double turned = fit_slope(p->turned[c->level], c->row) * p->u_angle_rad;
  return 1 / (c->var_N2 + turned * turned);
}

static void sum_levels(problem *p) {
  for (size_t l = 0; l < p->d->n_levels; l++) {
    const fit_level *level = &p->d->levels[l];
    p->level[l] = (fit_normal){.b = {0}};
    for (size_t k = level->first; k < level->first + level->n; k++)
      fit_normal_add(&p->level[l], p->d->cells[k].row, p->d->cells[k].mean_N, weight_of(p, &p->d->cells[k]));
  }
}

/* From the cells: differences of the levels' sums would not know exact data from inexact ones. */
static double misfit_of(const problem *p, const double f[3]) {
  double sum = 0;
  for (size_t k = 0; k < p->d->n_cells; k++) {
    const fit_cell *c = &p->d->cells[k];
    double r = c->mean_N - fit_dot(c->row, f) * p->g[c->level];
    sum += r * r * weight_of(p, c);
  }
  return sum;
}

/* The best M for this shape, and its misfit. */
static bool solve_matrix(problem *p, solution *x) {
  set_shape(p, x->shape);
  x->n = (fit_normal){.b = {0}};
  for (size_t l = 0; l < p->d->n_levels; l++) {
    const double g = p->g[l];
    for (int i = 0; i < 3; i++) {
      x->n.b[i] += g * p->level[l].b[i];
      for (int j = 0; j < 3; j++) x->n.a[i][j] += g * g * p->level[l].a[i][j];
    }
  }
  if (!fit_normal_best(&x->n, p->form, x->f)) return false;
  if (fit_is_held(x->f)) fit_normal_boundary(&x->n, p->form, FIT_EIGEN_FLOOR, x->f);
  x->chi2 = misfit_of(p, x->f);
  return true;
}

/* Gauss and Newton's step of the shape beside the best M, and its own variance. With A the normal matrix of
 * M, h its products with the shape's column and y = A^-1 h, the shape's own part of that column is d - h
 * y. */
static double shape_step(const problem *p, const solution *x, double *var) {
  fit_normal cross = x->n;
  double own = 0, rest = 0, y[3];
  memset(cross.b, 0, sizeof cross.b);
  for (size_t l = 0; l < p->d->n_levels; l++) {
    const double g = p->g[l], s = p->slope[l];
    for (int i = 0; i < 3; i++) {
      double af = fit_dot(p->level[l].a[i], x->f);
      cross.b[i] += g * s * af;
      own += s * s * x->f[i] * af;
      rest += s * x->f[i] * (p->level[l].b[i] - g * af);
    }
  }
  *var = 0;
  if (!fit_normal_best(&cross, p->form, y)) return 0;
  for (int i = 0; i < 3; i++) {
    own -= y[i] * cross.b[i];
    rest -= y[i] * (x->n.b[i] - fit_dot(x->n.a[i], x->f));
  }
  if (!(own > 0)) return 0;
  *var = 1 / own;
  return rest / own;
}

/* Downhill from where it starts; ends when a step no longer matters or no longer helps. A step of a millionth
 * of the shape's own uncertainty is below what the misfit can tell: it is taken unasked. */
static bool solve_parameters(problem *p, solution *x) {
  const double scale = p->model == CB_MODEL_POWER ? 1 : p->N1;
  if (!solve_matrix(p, x)) return false;
  for (int i = 0; i < STEPS && p->shape_to > p->shape_from; i++) {
    double var, step = shape_step(p, x, &var), was = x->shape;
    bool better = false;
    if (fabs(step) < 1e-10 * scale) break;
    bool small = step * step < 1e-12 * var;
    for (int half = 0; half < 20 && !better; half++, step /= 2) {
      solution next = {.shape = fmin(fmax(was + step, p->shape_from), p->shape_to)};
      if (next.shape == was || !solve_matrix(p, &next)) break;
      better = small || next.chi2 < x->chi2;
      if (better) *x = next;
    }
    if (!better) break;
  }
  set_shape(p, x->shape);
  return true;
}

/* ---- the law ---- */

/* Columns of this are one standard uncertainty of one independent combination of the parameters. */
static void cholesky(double cov[4][4], size_t n, double lower[4][4]) {
  for (size_t i = 0; i < n; i++) {
    double rest = cov[i][i];
    for (size_t j = 0; j < i; j++) {
      double sum = cov[i][j];
      for (size_t k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = lower[j][j] > 0 ? sum / lower[j][j] : 0;
      rest -= lower[i][j] * lower[i][j];
    }
    lower[i][i] = rest > 1e-14 * cov[i][i] ? sqrt(rest) : 0;
    for (size_t j = i + 1; j < n; j++) lower[i][j] = 0;
  }
}

static void fill_knots(const problem *p, const fit_formula *x, cb_friction_law *law) {
  law->form = p->form;
  law->model = p->model;
  law->bend = 0;
  law->offset_N = p->model == CB_MODEL_OFFSET ? x->shape : 0;
  law->exponent = p->model == CB_MODEL_POWER ? x->shape : 1;
  law->n_knots = p->d->n_levels;
  for (size_t l = 0; l < law->n_knots; l++) {
    double N = p->d->levels[l].normal_force_N, g = p->g[l];
    law->knots[l] = (cb_friction_knot){.normal_force_N = N, .f_N = {x->f[0] * g, x->f[1] * g, x->f[2] * g}};
  }
}

/* A step of the matrix and of the shape, at all knots and outside them. To first order an exponent that
 * changes and a wrong offset tilt the law about its edges. */
static void add_part(const problem *p, const fit_formula *x, const double df[3], double dshape,
                     const char *source, cb_friction_law *law) {
  cb_friction_shared *part = fit_new_part(law, source);
  for (size_t l = 0; l < law->n_knots; l++) {
    double g = p->g[l], slope = p->slope[l] * dshape;
    for (int i = 0; i < 3; i++) part->f_N[l][i] = df[i] * g + x->f[i] * slope;
  }
  double edge[2] = {law->knots[0].normal_force_N, law->knots[law->n_knots - 1].normal_force_N};
  for (int side = 0; side < 2 && dshape != 0; side++)
    part->exponent[side] = p->model == CB_MODEL_POWER ? dshape : -dshape / (edge[side] + x->shape);
}

/* Birge's ratio: what the model misses more than scatter explains is uncertainty of its parameters, too. */
static double birge(const problem *p, const fit_formula *x) {
  double spare = (double)p->d->n_cells - (double)x->n_parameters;
  return spare > 0 ? fmax(1, x->chi2 / spare) : 1;
}

/* Normal matrix of all parameters: M in the form's basis, then the shape. */
static size_t full_normal(const problem *p, const double f[3], double a[4][4]) {
  size_t m = fit_form_size(p->form), n = m + (p->shape_to > p->shape_from ? 1 : 0);
  double basis[3][3], column[4];
  for (size_t j = 0; j < m; j++) fit_form_basis(p->form, j, basis[j]);
  memset(a, 0, 16 * sizeof a[0][0]);
  for (size_t k = 0; k < p->d->n_cells; k++) {
    const fit_cell *c = &p->d->cells[k];
    double w = weight_of(p, c);
    for (size_t j = 0; j < m; j++) column[j] = p->g[c->level] * fit_dot(c->row, basis[j]);
    column[m] = fit_dot(c->row, f) * p->slope[c->level];
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) a[i][j] += w * column[i] * column[j];
  }
  return n;
}

static void add_parameters(const problem *p, const fit_formula *x, cb_friction_law *law) {
  double a[4][4], lower[4][4], stretch = birge(p, x);
  size_t n = full_normal(p, x->f, a), m = fit_form_size(p->form);
  if (!fit_invert(a, n)) return;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) a[i][j] *= stretch;
  cholesky(a, n, lower);
  for (size_t c = 0; c < n; c++) {
    double df[3] = {0}, basis[3];
    for (size_t j = 0; j < m; j++) {
      fit_form_basis(p->form, j, basis);
      for (int i = 0; i < 3; i++) df[i] += basis[i] * lower[j][c];
    }
    add_part(p, x, df, n > m ? lower[m][c] : 0, "parameters", law);
  }
}

/* What is not known about directions: nothing in the mean of those that were measured, all of it elsewhere
 * (fit_friction_knots.c, magnitude). */
static void add_directions(const problem *p, const fit_formula *x, const fit_directions *dir,
                           cb_friction_law *law) {
  double a = sqrt(dir->var_a), b = sqrt(dir->var_b), effect[2][3] = {{a, 0, -a}, {0, b, 0}}, mean[3] = {0},
         sum = 0;
  for (size_t k = 0; k < p->d->n_cells; k++) {
    const fit_cell *c = &p->d->cells[k];
    double g = p->g[c->level], w = g * g * weight_of(p, c);
    for (int i = 0; i < 3; i++) mean[i] += w * c->row[i];
    sum += w;
  }
  for (int e = 0; e < 2; e++) {
    double common = fit_dot(mean, effect[e]) / sum, df[3];
    for (int i = 0; i < 3; i++) df[i] = x->f[0] * (effect[e][i] - (i == 1 ? 0 : common));
    add_part(p, x, df, 0, "shape", law);
  }
}

/* f01 = 0 was not found but put: what the data leave open about it counts, together with what published pairs
 * show. */
static void add_diagonal(const problem *p, const fit_formula *x, cb_friction_law *law) {
  fit_normal n = {.b = {0}};
  double f[3], cov[3][3];
  for (size_t l = 0; l < p->d->n_levels; l++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) n.a[i][j] += p->g[l] * p->g[l] * p->level[l].a[i][j];
  fit_normal_add_prior(&n, CB_FORM_ORTHOTROPIC, 0.5 * (x->f[0] + x->f[2]));
  if (!fit_normal_solve(&n, CB_FORM_GENERAL, f, cov) || !(cov[1][1] > 0)) return;
  double u = sqrt(cov[1][1]), df[3] = {cov[0][1] / u, u, cov[2][1] / u};
  add_part(p, x, df, 0, "shape", law);
}

/* One matrix for all loads: where they were not compared in their directions, the shape may have drifted
 * (FIT_TYPICAL_DRIFT). Nothing in the mean of the directions that were measured at a load. */
static void add_drift(const problem *p, const fit_formula *x, cb_friction_law *law) {
  static const double effect[2][3] = {{1, 0, -1}, {0, FIT_TYPICAL_SIN2 / FIT_TYPICAL_COS2, 0}};
  const fit_data *d = p->d;
  double from_N = fit_shape_is_taken_from(d), size = 0.5 * FIT_TYPICAL_DRIFT * 0.5 * (x->f[0] + x->f[2]);
  for (int e = 0; e < 2 && !isnan(from_N); e++) {
    cb_friction_shared *part = fit_new_part(law, "shape");
    for (size_t l = 0; l < d->n_levels; l++) {
      const fit_level *level = &d->levels[l];
      double N = level->normal_force_N, away = size * log(N / from_N) * p->g[l], common = 0, sum = 0;
      for (size_t k = level->first; k < level->first + level->n; k++) {
        common += fit_dot(d->cells[k].row, effect[e]) * d->cells[k].weight;
        sum += d->cells[k].weight;
      }
      for (int i = 0; i < 3; i++) part->f_N[l][i] = away * (effect[e][i] - (i == 1 ? 0 : common / sum));
    }
  }
}

/* ---- from outside ---- */

static void pose(problem *p, const fit_data *d, cb_friction_model model, cb_friction_form form) {
  double sum = 0;
  p->d = d, p->model = model, p->form = form;
  p->u_angle_rad = p->shape_from = p->shape_to = 0;
  for (size_t l = 0; l < d->n_levels; l++) sum += d->levels[l].ln_load;
  p->N1 = exp(sum / (double)d->n_levels);
  for (size_t l = 0; l < d->n_levels; l++) p->ln_load[l] = d->levels[l].ln_load - sum / (double)d->n_levels;
  if (model == CB_MODEL_POWER) p->shape_from = POWER_FROM, p->shape_to = POWER_TO;
  /* Beyond ten times the largest load the offset form is a constant. */
  if (model == CB_MODEL_OFFSET) p->shape_to = 10 * d->levels[d->n_levels - 1].normal_force_N;
}

/* From here on the angle's uncertainty weighs, by the slope of the law with this matrix and shape. */
static void turn(problem *p, double u_angle_rad, const double f[3], double shape) {
  set_shape(p, shape);
  p->u_angle_rad = u_angle_rad;
  for (size_t l = 0; l < p->d->n_levels; l++)
    for (int i = 0; i < 3; i++) p->turned[l][i] = f[i] * p->g[l];
}

fit_formula fit_formula_of(const fit_data *d, cb_friction_model model, cb_friction_form form,
                           double u_angle_rad) {
  problem p;
  pose(&p, d, model, form);
  solution x = {.shape = model == CB_MODEL_POWER    ? 0.9
                         : model == CB_MODEL_OFFSET ? 0.1 * d->levels[0].normal_force_N
                                                    : 0};
  fit_formula r = {.model = model, .form = form};
  size_t least = model == CB_MODEL_COULOMB ? 2 : 3; /* two loads cannot tell one function from another */
  if (d->n_levels < least) return r;
  sum_levels(&p);
  if (!solve_parameters(&p, &x)) return r;
  if (u_angle_rad > 0) {
    memcpy(r.turned, x.f, sizeof r.turned);
    r.turned_shape = x.shape;
    turn(&p, u_angle_rad, x.f, x.shape);
    sum_levels(&p);
    if (!solve_parameters(&p, &x)) return r;
  }
  r.shape = x.shape, r.chi2 = x.chi2;
  memcpy(r.f, x.f, sizeof r.f);
  r.n_parameters = fit_form_size(form) + (p.shape_to > p.shape_from ? 1 : 0);
  /* An offset of nothing is Coulomb's law. */
  r.possible = fit_smallest_eigenvalue(x.f) > 0 && (model != CB_MODEL_OFFSET || x.shape > 1e-9 * p.N1);
  return r;
}

void fit_formula_knots(const fit_data *d, const fit_formula *x, cb_friction_law *law) {
  problem p;
  pose(&p, d, x->model, x->form);
  set_shape(&p, x->shape);
  fill_knots(&p, x, law);
}

void fit_formula_law(const fit_data *d, const fit_formula *x, const fit_directions *dir, double u_angle_rad,
                     cb_friction_law *law) {
  problem p = {.d = d};
  pose(&p, d, x->model, x->form);
  if (u_angle_rad > 0) turn(&p, u_angle_rad, x->turned, x->turned_shape);
  sum_levels(&p);
  set_shape(&p, x->shape);
  fill_knots(&p, x, law);
  add_parameters(&p, x, law);
  if (x->form == CB_FORM_ISOTROPIC) add_directions(&p, x, dir, law);
  if (x->form == CB_FORM_ORTHOTROPIC) add_diagonal(&p, x, law);
  add_drift(&p, x, law);
}
