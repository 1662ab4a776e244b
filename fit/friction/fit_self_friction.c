#include "fit_self_friction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_stats.h"
#include "fit_regress.h"

const char *const fit_self_outcome_text[] = {
    "fitted", "there are too few pulls", "angles and loads do not tell the two cloths apart",
    "no positive tensor fits", "the force does not grow with the load as friction does"};

#define HALVINGS 20 /* of a step, until it helps: to a millionth */
#define STEPS 30
#define SAME_LOAD 1.001 /* loads this close are one */
#define EDGE 0.999      /* a fit that is stuck where the tensor ends to be positive */

enum { NP = CB_SELF_PARAMETERS };

/* ---- cells ---- */

static int by_number(double a, double b) { return (a > b) - (a < b); }

static int by_cell(const void *a, const void *b) {
  const fit_self_obs *x = a, *y = b;
  int c = by_number(x->angle_rad[0], y->angle_rad[0]);
  if (c == 0) c = by_number(x->angle_rad[1], y->angle_rad[1]);
  return c ? c : by_number(x->normal_force_N, y->normal_force_N);
}

static bool same_cell(const fit_self_obs *a, const fit_self_obs *b) {
  return a->angle_rad[0] == b->angle_rad[0] && a->angle_rad[1] == b->angle_rad[1] &&
         b->normal_force_N <= SAME_LOAD * a->normal_force_N;
}

/* Sorts the pulls and puts geometric means of cells at the front of `means`; returns how many. */
static size_t mean_cells(fit_self_obs *sorted, size_t n, fit_self_obs *means) {
  size_t n_cells = 0;
  qsort(sorted, n, sizeof *sorted, by_cell);
  for (size_t i = 0, end; i < n; i = end) {
    double ln_N = 0, ln_F = 0;
    for (end = i; end < n && same_cell(&sorted[i], &sorted[end]); end++)
      ln_N += log(sorted[end].normal_force_N), ln_F += log(sorted[end].force_N);
    double m = (double)(end - i);
    fit_self_obs *mean = &means[n_cells++];
    *mean = sorted[i];
    mean->normal_force_N = exp(ln_N / m);
    mean->force_N = exp(ln_F / m);
  }
  return n_cells;
}

/* ---- the fit ---- */

/* What is free: column of every parameter in the regression, -1: it is held. */
typedef struct problem {
  const fit_self_obs *obs;
  size_t n, n_columns;
  int column[NP];
  double reference_N, min_N, max_N;
} problem;

typedef struct candidate {
  cb_self_form form;
  double cov[NP][NP]; /* for a scatter of 1 */
  double rest;        /* sum of squares */
  bool ok, told;
} candidate;

static problem problem_of(const fit_self_obs *obs, size_t n, bool same) {
  problem p = {.obs = obs, .n = n, .min_N = INFINITY, .column = {0, -1, -1, -1, -1, -1}, .n_columns = 1};
  double ln = 0;
  for (size_t i = 0; i < n; i++) {
    p.min_N = fmin(p.min_N, obs[i].normal_force_N), p.max_N = fmax(p.max_N, obs[i].normal_force_N);
    ln += log(obs[i].normal_force_N) / (double)n;
  }
  p.reference_N = exp(ln);
  if (p.max_N > SAME_LOAD * p.min_N) p.column[1] = (int)p.n_columns++;
  for (int i = 2; i < NP; i++) p.column[i] = same && i > 3 ? p.column[i - 2] : (int)p.n_columns++;
  return p;
}

static double log_load(const problem *p, size_t i) { return log(p->obs[i].normal_force_N / p->reference_N); }

/* Normal equations about the form; returns the sum of squares there. */
static double equations(const problem *p, const cb_self_form *f, fit_regress *r) {
  double sum = 0;
  *r = (fit_regress){.n_columns = p->n_columns};
  for (size_t i = 0; i < p->n; i++) {
    double g[NP] = {1, log_load(p, i)}, x[NP] = {0};
    double model = f->p[0] + f->p[1] * g[1] + cb_self_friction_log_directions(f, p->obs[i].angle_rad, g + 2);
    double e = log(p->obs[i].force_N) - model;
    for (int k = 0; k < NP; k++)
      if (p->column[k] >= 0) x[p->column[k]] += g[k];
    fit_regress_add(r, x, e, 1);
    sum += e * e;
  }
  return sum;
}

static cb_self_form step_from(const problem *p, const cb_self_form *f, const fit_regression *g, double size) {
  cb_self_form next = *f;
  for (int k = 0; k < NP; k++)
    if (p->column[k] >= 0) next.p[k] += size * g->beta[p->column[k]];
  return next;
}

static double amplitude(const cb_self_form *f) {
  return fmax(hypot(f->p[2], f->p[3]), hypot(f->p[4], f->p[5]));
}

/* One step of Gauss and Newton, halved until it helps; false: none does. */
static bool improve(const problem *p, candidate *c, fit_regression *g) {
  fit_regress r;
  for (int halving = 0; halving < HALVINGS; halving++) {
    cb_self_form next = step_from(p, &c->form, g, ldexp(1, -halving));
    double rest = amplitude(&next) < 1 ? equations(p, &next, &r) : INFINITY;
    if (!(rest < c->rest)) continue;
    c->form = next;
    c->rest = rest;
    fit_regress_solve(&r, g);
    return true;
  }
  return false;
}

/* From tensors without directions. */
static candidate fit_rule(const problem *p, cb_self_rule rule, double exponent) {
  candidate c = {.form = {.rule = rule, .p = {0, exponent}}};
  fit_regress r;
  fit_regression g;
  for (size_t i = 0; i < p->n; i++)
    c.form.p[0] += (log(p->obs[i].force_N) - exponent * log_load(p, i)) / (double)p->n;
  c.rest = equations(p, &c.form, &r);
  fit_regress_solve(&r, &g);
  c.told = g.rank == p->n_columns;
  for (int i = 0; i < STEPS && c.told; i++)
    if (!improve(p, &c, &g)) break;
  for (int i = 0; i < NP; i++)
    for (int k = 0; k < NP; k++)
      if (p->column[i] >= 0 && p->column[k] >= 0) c.cov[i][k] = g.inverse[p->column[i]][p->column[k]];
  c.ok = c.told && amplitude(&c.form) < EDGE;
  return c;
}

static cb_status check_observations(const fit_self_obs *obs, size_t n, cb_err *err) {
  for (size_t i = 0; i < n; i++) {
    const fit_self_obs *o = &obs[i];
    if (!(o->force_N > 0) || !isfinite(o->force_N) || !(o->normal_force_N > 0) ||
        !isfinite(o->normal_force_N) || !isfinite(o->angle_rad[0]) || !isfinite(o->angle_rad[1]))
      return cb_fail(
          err, CB_E_RANGE,
          "pull %zu: force %g N under %g N at %g and %g rad: finite numbers, force and load > 0 were wanted",
          i, o->force_N, o->normal_force_N, o->angle_rad[0], o->angle_rad[1]);
  }
  return CB_OK;
}

/* Akaike's weight of the rule that fits worse: as many parameters, so that the likelihoods' ratio is all. */
static double weight_of(const candidate *other, const candidate *best, size_t n) {
  if (!other->ok) return 0;
  double likelihood = other->rest > 0 ? pow(best->rest / other->rest, 0.5 * (double)n) : 1;
  return likelihood / (1 + likelihood);
}

static void fill_law(const problem *p, const fit_self_options *opt, const candidate *best,
                     const candidate *other, fit_self_friction *out) {
  cb_self_friction_law *law = &out->law;
  double dof = (double)(p->n - p->n_columns), var = best->rest / dof;
  bool fitted = p->column[1] >= 0;
  *law = (cb_self_friction_law){.same = opt->same,
                                .form = best->form,
                                .other = other->form,
                                .other_weight = weight_of(other, best, p->n),
                                .dof = dof,
                                .exponent_from = fitted ? CB_SELF_EXPONENT_FITTED : opt->exponent_from,
                                .reference_N = p->reference_N,
                                .min_N = p->min_N,
                                .max_N = p->max_N};
  for (int i = 0; i < NP; i++)
    for (int k = 0; k < NP; k++) law->cov[i][k] = best->cov[i][k] * var;
  if (!fitted) law->cov[1][1] = opt->u_exponent * opt->u_exponent;
  out->rms_rel = sqrt(var);
  out->other_rms_rel = other->ok ? sqrt(other->rest / dof) : NAN;
}

/* Do two tensors fit better than chance lets them? Then the cloth does not lie face on face, or is not the
 * same. */
static void test_one_tensor(const fit_self_obs *obs, size_t n, const candidate *one, fit_self_friction *out) {
  problem p = problem_of(obs, n, false);
  if (n <= p.n_columns) return;
  candidate two = fit_rule(&p, one->form.rule, one->form.p[1]);
  double dof = (double)(n - p.n_columns);
  if (!two.ok || !(two.rest > 0)) return;
  out->one_tensor_f = fmax(one->rest - two.rest, 0) / 2 / (two.rest / dof);
  out->one_tensor_p = cb_f_p_upper(out->one_tensor_f, 2, dof);
}

static void fit_points(const fit_self_obs *obs, size_t n, const fit_self_options *opt,
                       fit_self_friction *out) {
  problem p = problem_of(obs, n, opt->same);
  double exponent = p.column[1] < 0 ? opt->exponent : 1;
  candidate c[2] = {fit_rule(&p, CB_SELF_MEAN, exponent), fit_rule(&p, CB_SELF_PRODUCT, exponent)};
  out->outcome = FIT_SELF_NOT_TOLD;
  if (!c[0].told) return;
  out->outcome = FIT_SELF_NO_TENSOR;
  if (!c[0].ok && !c[1].ok) return;
  int best = !c[0].ok || (c[1].ok && c[1].rest < c[0].rest);
  out->outcome = FIT_SELF_NO_LOAD;
  for (int i = 0; i < 2; i++)
    if (c[i].ok && !(c[i].form.p[1] >= 0.05 && c[i].form.p[1] <= 2)) return;
  out->outcome = FIT_SELF_OK;
  fill_law(&p, opt, &c[best], &c[!best], out);
  out->one_tensor_f = out->one_tensor_p = NAN;
  if (opt->same) test_one_tensor(obs, n, &c[best], out);
}

cb_status fit_self_friction_fit(const fit_self_obs *obs, size_t n, const fit_self_options *opt,
                                fit_self_friction *out, cb_err *err) {
  *out = (fit_self_friction){.outcome = FIT_SELF_TOO_FEW};
  CB_TRY(check_observations(obs, n, err));
  fit_self_obs *cells = malloc((2 * n + 1) * sizeof *cells), *pulls = cells + n;
  if (!cells) return cb_no_memory(err, "%zu pulls", n);
  memcpy(pulls, obs, n * sizeof *pulls);
  out->n_cells = mean_cells(pulls, n, cells);
  size_t parameters = problem_of(obs, n, opt->same).n_columns;
  out->by_cells = out->n_cells >= parameters + FIT_SELF_CELLS;
  if (n > parameters) fit_points(out->by_cells ? cells : pulls, out->by_cells ? out->n_cells : n, opt, out);
  free(cells);
  return CB_OK;
}
