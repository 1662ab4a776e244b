/* Coulomb, power and offset laws: one matrix times one function of the load, F = u^T M u g(N), fitted to all cells at once.
 *
 *   coulomb  g = N / N1                  power  g = (N / N1)^n                 offset  g = (N + N0) / (N1 + N0)
 *
 * N1, the loads' geometric mean, keeps M and the shape p (n or N0) nearly independent. For a given p the best M is linear; p itself by
 * Gauss and Newton on what M cannot explain (variable projection, Golub & Pereyra 1973; in Kaufman's simplification of 1975). */
#include <math.h>
#include <string.h>

#include "fit_friction_steps.h"

#define STEPS 40
#define POWER_FROM 0.05
#define POWER_TO 2.0

typedef struct problem {
  const fit_data *d;
  cb_friction_model model;
  cb_friction_form form;
  double u_angle_rad, N1;
  double shape_from, shape_to;      /* equal: nothing to find */
  double ln_load[CB_LAW_MAX_KNOTS]; /* ln (N / N1) */
} problem;

/* g and dg/dshape at every level. */
typedef struct loads {
  double g[CB_LAW_MAX_KNOTS], slope[CB_LAW_MAX_KNOTS];
} loads;

typedef struct solution {
  double shape, f[3]; /* M at N1 */
  double chi2;
  loads at;         /* for this shape */
  double turned[3]; /* f whose slope weighs the angle's uncertainty */
} solution;

static double function_of(const problem *p, double shape, double N) {
  if (p->model == CB_MODEL_COULOMB) return N / p->N1;
  return p->model == CB_MODEL_POWER ? pow(N / p->N1, shape) : (N + shape) / (p->N1 + shape);
}

/* d g / d shape, for g at that load */
static double derivative_of(const problem *p, double shape, double N, double ln_load, double g) {
  if (p->model == CB_MODEL_COULOMB) return 0;
  if (p->model == CB_MODEL_POWER) return g * ln_load;
  return (p->N1 - N) / ((p->N1 + shape) * (p->N1 + shape));
}

static void loads_of(const problem *p, double shape, loads *l) {
  for (size_t i = 0; i < p->d->n_levels; i++) {
    double N = p->d->levels[i].normal_force_N;
    l->g[i] = function_of(p, shape, N);
    l->slope[i] = derivative_of(p, shape, N, p->ln_load[i], l->g[i]);
  }
}

static double var_of(const problem *p, const fit_cell *c, const solution *x, double g) {
  if (!(p->u_angle_rad > 0)) return c->var_N2;
  double turned = fit_slope(x->turned, c->angle_rad) * g * p->u_angle_rad;
  return c->var_N2 + turned * turned;
}

static void matrix_normal(const problem *p, const solution *x, fit_normal *n) {
  *n = (fit_normal){.b = {0}};
  for (size_t k = 0; k < p->d->n_cells; k++) {
    const fit_cell *c = &p->d->cells[k];
    double g = x->at.g[c->level], row[3] = {c->row[0] * g, c->row[1] * g, c->row[2] * g};
    fit_normal_add(n, row, c->mean_N, var_of(p, c, x, g));
  }
}

/* The best M for this shape, and its misfit. */
static bool solve_matrix(const problem *p, solution *x) {
  fit_normal n;
  double cov[3][3];
  loads_of(p, x->shape, &x->at);
  matrix_normal(p, x, &n);
  if (!fit_normal_solve(&n, p->form, x->f, cov)) return false;
  if (fit_is_held(x->f)) fit_normal_boundary(&n, p->form, x->f);
  x->chi2 = 0;
  for (size_t k = 0; k < p->d->n_cells; k++) {
    const fit_cell *c = &p->d->cells[k];
    double g = x->at.g[c->level], r = c->mean_N - fit_dot(c->row, x->f) * g;
    x->chi2 += r * r / var_of(p, c, x, g);
  }
  return true;
}

/* Normal matrix of the parameters (M in the form's basis, then the shape), and their products with the residuals. */
static size_t full_normal(const problem *p, const solution *x, double a[4][4], double b[4]) {
  size_t m = fit_form_size(p->form), n = m + (p->shape_to > p->shape_from ? 1 : 0);
  double basis[3][3], column[4];
  for (size_t j = 0; j < m; j++) fit_form_basis(p->form, j, basis[j]);
  memset(a, 0, 16 * sizeof a[0][0]);
  memset(b, 0, 4 * sizeof b[0]);
  for (size_t k = 0; k < p->d->n_cells; k++) {
    const fit_cell *c = &p->d->cells[k];
    double g = x->at.g[c->level], w = 1 / var_of(p, c, x, g), q = fit_dot(c->row, x->f), r = c->mean_N - q * g;
    for (size_t j = 0; j < m; j++) column[j] = g * fit_dot(c->row, basis[j]);
    column[m] = q * x->at.slope[c->level];
    for (size_t i = 0; i < n; i++) {
      b[i] += w * column[i] * r;
      for (size_t j = 0; j <= i; j++) a[i][j] += w * column[i] * column[j];
    }
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) a[j][i] = a[i][j];
  return n;
}

static double shape_step(const problem *p, const solution *x) {
  double a[4][4], b[4], step = 0;
  size_t n = full_normal(p, x, a, b);
  if (!fit_invert(a, n)) return 0;
  for (size_t i = 0; i < n; i++) step += a[n - 1][i] * b[i];
  return step;
}

/* Downhill from where it starts; ends when a step no longer matters or no longer helps. */
static bool solve(const problem *p, solution *x) {
  const double scale = p->model == CB_MODEL_POWER ? 1 : p->N1;
  if (!solve_matrix(p, x)) return false;
  for (int i = 0; i < STEPS && p->shape_to > p->shape_from; i++) {
    double step = shape_step(p, x), was = x->shape;
    bool better = false;
    if (fabs(step) < 1e-10 * scale) break;
    for (int half = 0; half < 20 && !better; half++, step /= 2) {
      solution next = *x;
      next.shape = fmin(fmax(was + step, p->shape_from), p->shape_to);
      if (next.shape == was || !solve_matrix(p, &next)) break;
      better = next.chi2 < x->chi2;
      if (better) *x = next;
    }
    if (!better) break;
  }
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

static void fill_knots(const problem *p, const solution *x, cb_friction_law *law) {
  law->model = p->model;
  law->bend = 0;
  law->offset_N = p->model == CB_MODEL_OFFSET ? x->shape : 0;
  law->exponent = p->model == CB_MODEL_POWER ? x->shape : 1;
  law->n_knots = p->d->n_levels;
  for (size_t l = 0; l < law->n_knots; l++) {
    double N = p->d->levels[l].normal_force_N, g = x->at.g[l];
    law->knots[l] = (cb_friction_knot){.normal_force_N = N, .f_N = {x->f[0] * g, x->f[1] * g, x->f[2] * g}};
  }
}

/* A step of the matrix and of the shape, at all knots and outside them. To first order an exponent that changes and a wrong offset tilt the
 * law about its edges. */
static void add_part(const problem *p, const solution *x, const double df[3], double dshape, const char *source, cb_friction_law *law) {
  cb_friction_shared *part = &law->shared[law->n_shared++];
  *part = (cb_friction_shared){.exponent = {0, 0}};
  strcpy(part->source, source);
  for (size_t l = 0; l < law->n_knots; l++) {
    double g = x->at.g[l], slope = x->at.slope[l] * dshape;
    for (int i = 0; i < 3; i++) part->f_N[l][i] = df[i] * g + x->f[i] * slope;
  }
  double edge[2] = {law->knots[0].normal_force_N, law->knots[law->n_knots - 1].normal_force_N};
  for (int side = 0; side < 2 && dshape != 0; side++)
    part->exponent[side] = p->model == CB_MODEL_POWER ? dshape : -dshape / (edge[side] + x->shape);
}

/* Birge's ratio: what the model misses more than scatter explains is uncertainty of its parameters, too. */
static double birge(const problem *p, const solution *x, size_t n_parameters) {
  double spare = (double)p->d->n_cells - (double)n_parameters;
  return spare > 0 ? fmax(1, x->chi2 / spare) : 1;
}

static void add_parameters(const problem *p, const solution *x, size_t n_parameters, cb_friction_law *law) {
  double a[4][4], b[4], lower[4][4], stretch = birge(p, x, n_parameters);
  size_t n = full_normal(p, x, a, b), m = fit_form_size(p->form);
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

/* What is not known about directions: nothing in the mean of those that were measured, all of it elsewhere (fit_friction_knots.c,
 * magnitude). */
static void add_directions(const problem *p, const solution *x, const fit_directions *dir, cb_friction_law *law) {
  double a = sqrt(dir->var_a), b = sqrt(dir->var_b), effect[2][3] = {{a, 0, -a}, {0, b, 0}}, mean[3] = {0}, sum = 0;
  for (size_t k = 0; k < p->d->n_cells; k++) {
    const fit_cell *c = &p->d->cells[k];
    double g = x->at.g[c->level], w = g * g / var_of(p, c, x, g);
    for (int i = 0; i < 3; i++) mean[i] += w * c->row[i];
    sum += w;
  }
  for (int e = 0; e < 2; e++) {
    double common = fit_dot(mean, effect[e]) / sum, df[3];
    for (int i = 0; i < 3; i++) df[i] = x->f[0] * (effect[e][i] - (i == 1 ? 0 : common));
    add_part(p, x, df, 0, "shape", law);
  }
}

/* f01 = 0 was not found but put: what the data leave open about it counts, together with what published pairs show. */
static void add_diagonal(const problem *p, const solution *x, cb_friction_law *law) {
  fit_normal n;
  double f[3], cov[3][3];
  matrix_normal(p, x, &n);
  fit_normal_add_prior(&n, CB_FORM_ORTHOTROPIC, 0.5 * (x->f[0] + x->f[2]));
  if (!fit_normal_solve(&n, CB_FORM_GENERAL, f, cov) || !(cov[1][1] > 0)) return;
  double u = sqrt(cov[1][1]), df[3] = {cov[0][1] / u, u, cov[2][1] / u};
  add_part(p, x, df, 0, "shape", law);
}

/* One matrix for all loads: where they were not compared in their directions, the shape may have drifted (FIT_TYPICAL_DRIFT). Nothing in
 * the mean of the directions that were measured at a load. */
static void add_drift(const problem *p, const solution *x, cb_friction_law *law) {
  static const double effect[2][3] = {{1, 0, -1}, {0, FIT_TYPICAL_SIN2 / FIT_TYPICAL_COS2, 0}};
  const fit_data *d = p->d;
  double from_N = fit_shape_is_taken_from(d), size = 0.5 * FIT_TYPICAL_DRIFT * 0.5 * (x->f[0] + x->f[2]);
  for (int e = 0; e < 2 && !isnan(from_N); e++) {
    cb_friction_shared *part = &law->shared[law->n_shared++];
    *part = (cb_friction_shared){.source = "shape"};
    for (size_t l = 0; l < d->n_levels; l++) {
      const fit_level *level = &d->levels[l];
      double N = level->normal_force_N, away = size * log(N / from_N) * function_of(p, x->shape, N), common = 0, sum = 0;
      for (size_t k = level->first; k < level->first + level->n; k++) {
        common += fit_dot(d->cells[k].row, effect[e]) / d->cells[k].var_N2;
        sum += 1 / d->cells[k].var_N2;
      }
      for (int i = 0; i < 3; i++) part->f_N[l][i] = away * (effect[e][i] - (i == 1 ? 0 : common / sum));
    }
  }
}

static problem problem_of(const fit_data *d, cb_friction_model model, double u_angle_rad, cb_friction_form form) {
  problem p = {.d = d, .model = model, .form = form, .u_angle_rad = u_angle_rad};
  double sum = 0;
  for (size_t l = 0; l < d->n_levels; l++) sum += log(d->levels[l].normal_force_N);
  p.N1 = exp(sum / (double)d->n_levels);
  for (size_t l = 0; l < d->n_levels; l++) p.ln_load[l] = log(d->levels[l].normal_force_N / p.N1);
  if (model == CB_MODEL_POWER) p.shape_from = POWER_FROM, p.shape_to = POWER_TO;
  /* Beyond ten times the largest load the offset form is a constant. */
  if (model == CB_MODEL_OFFSET) p.shape_to = 10 * d->levels[d->n_levels - 1].normal_force_N;
  return p;
}

void fit_parametric(const fit_data *d, cb_friction_model model, const fit_directions *dir, double u_angle_rad, cb_friction_law *law,
                    fit_fitness *fitness) {
  problem p = problem_of(d, model, u_angle_rad, law->form);
  solution x = {.shape = model == CB_MODEL_POWER ? 0.9 : model == CB_MODEL_OFFSET ? 0.1 * d->levels[0].normal_force_N : 0};
  size_t least = model == CB_MODEL_COULOMB ? 2 : 3; /* two loads cannot tell one function from another */
  *fitness = (fit_fitness){.possible = d->n_levels >= least && solve(&p, &x)};
  if (fitness->possible && u_angle_rad > 0) {
    memcpy(x.turned, x.f, sizeof x.turned);
    fitness->possible = solve(&p, &x);
  }
  /* An offset of nothing is Coulomb's law. */
  if (model == CB_MODEL_OFFSET && !(x.shape > 1e-9 * p.N1)) fitness->possible = false;
  if (!fitness->possible || !(fit_smallest_eigenvalue(x.f) > 0)) {
    fitness->possible = false;
    return;
  }
  fitness->chi2 = x.chi2;
  fitness->n_parameters = fit_form_size(law->form) + (p.shape_to > p.shape_from ? 1 : 0);
  fill_knots(&p, &x, law);
  add_parameters(&p, &x, fitness->n_parameters, law);
  if (law->form == CB_FORM_ISOTROPIC) add_directions(&p, &x, dir, law);
  if (law->form == CB_FORM_ORTHOTROPIC) add_diagonal(&p, &x, law);
  add_drift(&p, &x, law);
}
