#include "fit_nls.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sum of squares in doubles cannot tell points apart where the part of the residuals that lies in the
 * tangent plane is below 1e-8 of all: before that, the trust region, whose steps must make the sum smaller,
 * hands over to plain Gauss-Newton steps, which make that part smaller. */
#define NEAR 3e-6
#define SMALL_OFFSET 1e-10
#define CONVERGED_OFFSET 1e-4
/* Reciprocal condition of the Jacobian with columns of length 1: below it no digit of the covariance is
 * left. */
#define RCOND_SINGULAR 1e-14
#define MAX_ITERATIONS 500
/* Far off, and finite even when squared: GSL takes such a step back; from NaN it would not learn. */
#define FAR_OFF 1e150

/* In the order in which they are tried. Of NIST's 54 fits the first ends 51, the second two, the third
 * one. */
static const struct method {
  const char *name;
  const gsl_multifit_nlinear_trs *const *trs;
} methods[] = {
    {"Levenberg-Marquardt", &gsl_multifit_nlinear_trs_lm},
    {"Levenberg-Marquardt with acceleration", &gsl_multifit_nlinear_trs_lmaccel},
    {"double dogleg", &gsl_multifit_nlinear_trs_ddogleg},
};

/* A problem with its work space. Residuals and Jacobian carry the roots of the weights. */
typedef struct fit {
  const fit_nls_problem *q;
  double size;        /* of the weighted data: what rounding is compared with */
  double *low, *high; /* n each: predictions that are not kept */
  gsl_vector *f;      /* n */
  gsl_matrix *J;      /* n x p; the QR decomposition of its scaled columns overwrites it */
  gsl_matrix *r;      /* p x p */
  gsl_vector *norm;   /* p: lengths of the Jacobian's columns */
  gsl_vector *tau;    /* p */
  gsl_vector *work;   /* 3 p */
} fit;

/* ---- the model, as GSL asks for it; vectors and matrices are dense here ---- */

static int residuals(const gsl_vector *b, void *context, gsl_vector *f) {
  const fit_nls_problem *q = ((const fit *)context)->q;
  q->model(q->context, b->data, f->data, NULL);
  for (size_t i = 0; i < q->n; i++) {
    double e = f->data[i] - q->y[i];
    f->data[i] = isfinite(e) ? (q->w ? sqrt(q->w[i]) * e : e) : FAR_OFF;
  }
  return GSL_SUCCESS;
}

/* The cube root of epsilon balances the truncation of central differences against rounding. */
static void differences(const fit *s, const double *b, double *jacobian) {
  const fit_nls_problem *q = s->q;
  double x[FIT_NLS_MAX_P];
  memcpy(x, b, q->p * sizeof *x);
  for (size_t j = 0; j < q->p; j++) {
    double h = cbrt(DBL_EPSILON) * (b[j] != 0 ? fabs(b[j]) : 1);
    double above = x[j] = b[j] + h;
    q->model(q->context, x, s->high, NULL);
    double below = x[j] = b[j] - h;
    q->model(q->context, x, s->low, NULL);
    x[j] = b[j];
    for (size_t i = 0; i < q->n; i++) jacobian[i * q->p + j] = (s->high[i] - s->low[i]) / (above - below);
  }
}

static int jacobian(const gsl_vector *b, void *context, gsl_matrix *J) {
  const fit *s = context;
  const fit_nls_problem *q = s->q;
  if (q->no_jacobian)
    differences(s, b->data, J->data);
  else
    q->model(q->context, b->data, s->low, J->data);
  if (!q->w) return GSL_SUCCESS;
  for (size_t i = 0; i < q->n; i++)
    for (size_t j = 0; j < q->p; j++) J->data[i * q->p + j] *= sqrt(q->w[i]);
  return GSL_SUCCESS;
}

/* ---- where a fit stands ---- */

typedef struct place {
  double b[FIT_NLS_MAX_P];
  double chi2, rcond;
  double offset; /* NAN: the Jacobian is not finite */
  bool near;     /* what is left of the way is shorter than sums of squares can tell, or ... */
  bool exact;    /* ... than rounding lets anything tell: the model meets the data, or nearly so */
} place;

/* Columns of length 1, so that units do not decide what is singular. */
static bool scale_columns(const fit *s) {
  for (size_t j = 0; j < s->q->p; j++) {
    gsl_vector_view column = gsl_matrix_column(s->J, j);
    double norm = gsl_blas_dnrm2(&column.vector);
    if (!isfinite(norm)) return false;
    gsl_vector_set(s->norm, j, norm);
    if (norm > 0) gsl_vector_scale(&column.vector, 1 / norm);
  }
  return true;
}

static double reciprocal_condition(const fit *s) {
  double smallest = HUGE_VAL, largest = 0, rcond = 0;
  for (size_t j = 0; j < s->q->p; j++) {
    double d = fabs(gsl_matrix_get(s->r, j, j));
    smallest = fmin(smallest, d), largest = fmax(largest, d);
  }
  if (smallest <= RCOND_SINGULAR * largest) return 0;
  return gsl_linalg_tri_rcond(CblasUpper, s->r, &rcond, s->work) == GSL_SUCCESS ? rcond : 0;
}

/* From s->f and s->J, which become Q^T f and the decomposition; leaves R in s->r. */
static void decompose_jacobian(const fit *s, place *at) {
  const fit_nls_problem *q = s->q;
  double misfit = gsl_blas_dnrm2(s->f), p = (double)q->p, dof = fmax((double)(q->n - q->p), 1);
  at->chi2 = misfit * misfit;
  at->offset = NAN;
  at->rcond = 0;
  at->near = at->exact = false;
  if (!scale_columns(s)) return;
  if (gsl_linalg_QR_decomp(s->J, s->tau) != GSL_SUCCESS ||
      gsl_linalg_QR_QTvec(s->J, s->tau, s->f) != GSL_SUCCESS)
    return;
  gsl_matrix_const_view top = gsl_matrix_const_submatrix(s->J, 0, 0, q->p, q->p);
  gsl_matrix_memcpy(s->r, &top.matrix);
  at->rcond = reciprocal_condition(s);
  gsl_vector_const_view tangent = gsl_vector_const_subvector(s->f, 0, q->p);
  double along = gsl_blas_dnrm2(&tangent.vector);
  at->offset = misfit > 0 ? along / misfit * sqrt(dof / p) : 0;
  at->exact = misfit <= 10 * DBL_EPSILON * s->size || along <= 2 * DBL_EPSILON * s->size;
  at->near = at->exact || along <= NEAR * misfit;
}

static void look_there(fit *s, place *at) {
  gsl_vector_const_view b = gsl_vector_const_view_array(at->b, s->q->p);
  residuals(&b.vector, s, s->f);
  jacobian(&b.vector, s, s->J);
  decompose_jacobian(s, at);
}

/* ---- one method ---- */

static void trust_region(const fit *s, gsl_multifit_nlinear_workspace *w, place *at, int *iterations) {
  for (*iterations = 0; *iterations < MAX_ITERATIONS; ++*iterations) {
    gsl_matrix_memcpy(s->J, w->J);
    gsl_vector_memcpy(s->f, w->f);
    decompose_jacobian(s, at);
    if (at->near || isnan(at->offset) || gsl_multifit_nlinear_iterate(w) != GSL_SUCCESS) break;
  }
  for (size_t j = 0; j < s->q->p; j++) at->b[j] = gsl_vector_get(w->x, j);
}

/* The step's length is what s->r and s->f, left by look(), say. */
static void gauss_newton(const fit *s, place *at) {
  gsl_vector_view step = gsl_vector_subvector(s->f, 0, s->q->p);
  gsl_blas_dtrsv(CblasUpper, CblasNoTrans, CblasNonUnit, s->r, &step.vector);
  for (size_t j = 0; j < s->q->p; j++)
    at->b[j] -= gsl_vector_get(&step.vector, j) / gsl_vector_get(s->norm, j);
}

/* Full steps for as long as they make the offset clearly smaller. */
static void polish(fit *s, place *at, int *iterations) {
  place next = *at;
  while (at->offset > SMALL_OFFSET && at->rcond >= RCOND_SINGULAR) {
    gauss_newton(s, &next);
    look_there(s, &next);
    if (!(next.offset < 0.9 * at->offset)) break;
    *at = next;
    ++*iterations;
  }
  look_there(s, at);
}

/* R^-1 R^-T, back in the parameters' units. */
static bool covariance(const fit *s, fit_nls_result *r) {
  size_t p = s->q->p;
  double scale = s->q->w_is_1_over_u2 ? 1 : r->residual_sd * r->residual_sd;
  if (gsl_linalg_tri_upper_invert(s->r) != GSL_SUCCESS) return false;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      double sum = 0;
      for (size_t k = i > j ? i : j; k < p; k++)
        sum += gsl_matrix_get(s->r, i, k) * gsl_matrix_get(s->r, j, k);
      r->cov[i][j] = scale * sum / (gsl_vector_get(s->norm, i) * gsl_vector_get(s->norm, j));
    }
  return true;
}

static fit_nls_result unfitted(const fit_nls_problem *q, fit_nls_outcome outcome) {
  fit_nls_result r = {.outcome = outcome, .chi2 = NAN, .residual_sd = NAN, .offset = NAN, .method = "none"};
  memcpy(r.b, q->start, q->p * sizeof *r.b);
  for (size_t i = 0; i < FIT_NLS_MAX_P; i++)
    for (size_t j = 0; j < FIT_NLS_MAX_P; j++) r.cov[i][j] = NAN;
  return r;
}

static fit_nls_outcome judge(const place *at) {
  if (at->rcond < RCOND_SINGULAR) return FIT_NLS_SINGULAR;
  return at->exact || (at->near && at->offset <= CONVERGED_OFFSET) ? FIT_NLS_CONVERGED : FIT_NLS_NO_PROGRESS;
}

static cb_status run_method(fit *s, const struct method *m, fit_nls_result *r, cb_err *err) {
  const fit_nls_problem *q = s->q;
  gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
  parameters.trs = *m->trs;
  gsl_multifit_nlinear_workspace *w =
      gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, q->n, q->p);
  if (!w) return cb_no_memory(err, "to fit %zu points", q->n);
  gsl_multifit_nlinear_fdf fdf = {.f = residuals, .df = jacobian, .n = q->n, .p = q->p, .params = s};
  gsl_vector_const_view start = gsl_vector_const_view_array(q->start, q->p);
  *r = unfitted(q, FIT_NLS_NO_PROGRESS);
  place at = {.offset = NAN};
  bool begun = gsl_multifit_nlinear_init(&start.vector, &fdf, w) == GSL_SUCCESS;
  if (begun) trust_region(s, w, &at, &r->iterations);
  gsl_multifit_nlinear_free(w);
  if (!begun) return CB_OK;
  if (at.near) polish(s, &at, &r->iterations);
  memcpy(r->b, at.b, sizeof r->b);
  r->method = m->name;
  r->outcome = judge(&at);
  r->offset = at.offset;
  r->chi2 = at.chi2;
  r->dof = q->n - q->p;
  if (r->dof > 0) r->residual_sd = sqrt(r->chi2 / (double)r->dof);
  if (r->outcome == FIT_NLS_CONVERGED && !covariance(s, r)) r->outcome = FIT_NLS_SINGULAR;
  return CB_OK;
}

/* ---- the problem ---- */

static cb_status check_problem(const fit_nls_problem *q, cb_err *err) {
  for (size_t j = 0; j < q->p; j++)
    if (!isfinite(q->start[j]))
      return cb_fail(err, CB_E_NUM, "start[%zu] = %g: a finite number was wanted", j, q->start[j]);
  for (size_t i = 0; i < q->n; i++) {
    if (!isfinite(q->y[i]))
      return cb_fail(err, CB_E_NUM, "y[%zu] = %g: a finite number was wanted", i, q->y[i]);
    if (q->w && !(q->w[i] > 0 && isfinite(q->w[i])))
      return cb_fail(err, CB_E_NUM, "w[%zu] = %g: a weight above 0 was wanted", i, q->w[i]);
  }
  return CB_OK;
}

static void close_fit(fit *s) {
  free(s->low);
  free(s->high);
  gsl_vector_free(s->f);
  gsl_matrix_free(s->J);
  gsl_matrix_free(s->r);
  gsl_vector_free(s->norm);
  gsl_vector_free(s->tau);
  gsl_vector_free(s->work);
}

static cb_status open_fit(const fit_nls_problem *q, fit *s, cb_err *err) {
  *s = (fit){.q = q,
             .low = malloc(q->n * sizeof *s->low),
             .high = malloc(q->n * sizeof *s->high),
             .f = gsl_vector_alloc(q->n),
             .J = gsl_matrix_alloc(q->n, q->p),
             .r = gsl_matrix_alloc(q->p, q->p),
             .norm = gsl_vector_alloc(q->p),
             .tau = gsl_vector_alloc(q->p),
             .work = gsl_vector_alloc(3 * q->p)};
  if (!s->low || !s->high || !s->f || !s->J || !s->r || !s->norm || !s->tau || !s->work)
    return cb_no_memory(err, "to fit %zu points", q->n);
  double sum = 0;
  for (size_t i = 0; i < q->n; i++) sum += (q->w ? q->w[i] : 1) * q->y[i] * q->y[i];
  s->size = sqrt(sum);
  return CB_OK;
}

static bool finite_at_start(const fit *s) {
  s->q->model(s->q->context, s->q->start, s->low, NULL);
  for (size_t i = 0; i < s->q->n; i++)
    if (!isfinite(s->low[i])) return false;
  return true;
}

static cb_status try_methods(fit *s, fit_nls_result *best, cb_err *err) {
  for (size_t m = 0; m < sizeof methods / sizeof methods[0] && best->outcome != FIT_NLS_CONVERGED; m++) {
    fit_nls_result r;
    CB_TRY(run_method(s, &methods[m], &r, err));
    if (m == 0 || r.outcome == FIT_NLS_CONVERGED || r.chi2 < best->chi2) *best = r;
  }
  return CB_OK;
}

cb_status fit_nls(const fit_nls_problem *problem, fit_nls_result *result, cb_err *err) {
  if (problem->p == 0 || problem->p > FIT_NLS_MAX_P)
    return cb_fail(err, CB_E_ARG, "%zu parameters: 1 to %d were wanted", problem->p, FIT_NLS_MAX_P);
  CB_TRY(check_problem(problem, err));
  *result = unfitted(problem, FIT_NLS_TOO_FEW);
  if (problem->n < problem->p) return CB_OK;
  /* GSL's own handler ends the program. It is global, and switched off for good: any number of threads may do
   * so. */
  (void)gsl_set_error_handler_off();
  fit s;
  cb_status st = open_fit(problem, &s, err);
  if (st == CB_OK) {
    result->outcome = FIT_NLS_NOT_FINITE;
    if (finite_at_start(&s)) st = try_methods(&s, result, err);
  }
  close_fit(&s);
  return st;
}

double fit_nls_u(const fit_nls_result *result, size_t j) { return sqrt(result->cov[j][j]); }
