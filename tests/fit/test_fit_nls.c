/* Nonlinear least squares against NIST's certified values, from both starting points, and against its own
 * promises: singular, short, infinite and exact problems end in a stated outcome. */
#include "cbtest.h"

#include "cb_rng.h"
#include "cb_stats.h"
#include "fit_nls.h"
#include "strd_models.h"

#define STRD CB_SOURCE_DIR "/tests/strd/"

/* ---- NIST ---- */

enum { MAX_POINTS = 300 };

typedef struct strd_set {
  size_t p, n, n_x;
  double start[2][FIT_NLS_MAX_P], certified[FIT_NLS_MAX_P], sd[FIT_NLS_MAX_P], residual_sd;
  double x[MAX_POINTS][2], y[MAX_POINTS];
  strd_model *model;
} strd_set;

static double next(FILE *f) {
  double v;
  if (fscanf(f, "%lf", &v) != 1) fail_msg("a number was wanted");
  return v;
}

static void read_set(const char *name, strd_set *s) {
  char path[300];
  (void)snprintf(path, sizeof path, STRD "%s.dat", name);
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("%s: cannot be read", path);
  char line[400];
  for (int i = 0; i < 3; i++) assert_non_null(fgets(line, sizeof line, f));
  s->p = (size_t)next(f), s->n = (size_t)next(f), s->n_x = (size_t)next(f);
  assert_true(s->p <= FIT_NLS_MAX_P && s->n <= MAX_POINTS && s->n_x <= 2);
  for (size_t j = 0; j < s->p; j++)
    s->start[0][j] = next(f), s->start[1][j] = next(f), s->certified[j] = next(f), s->sd[j] = next(f);
  s->residual_sd = next(f);
  for (size_t i = 0; i < s->n; i++) {
    s->y[i] = next(f);
    for (size_t k = 0; k < s->n_x; k++) s->x[i][k] = next(f);
  }
  (void)fclose(f);
}

static void model(const void *context, const double *b, double *predicted, double *jacobian) {
  const strd_set *s = context;
  double d[FIT_NLS_MAX_P];
  for (size_t i = 0; i < s->n; i++) predicted[i] = s->model(s->x[i], b, jacobian ? jacobian + i * s->p : d);
}

/* Digits that agree: NIST's log relative error. */
static double digits(double got, double certified) {
  double e = fabs(got - certified) / fabs(certified);
  return e > 0 ? fmin(-log10(e), 11) : 11;
}

static void worst_digits(const strd_set *s, const fit_nls_result *r, double *parameters, double *sds) {
  *parameters = *sds = 11;
  for (size_t j = 0; j < s->p; j++) {
    *parameters = fmin(*parameters, digits(r->b[j], s->certified[j]));
    *sds = fmin(*sds, digits(fit_nls_u(r, j), s->sd[j]));
  }
  *sds = fmin(*sds, digits(r->residual_sd, s->residual_sd));
}

static const struct strd_case {
  const char *name;
  strd_model *model;
} cases[] = {
    {"Misra1a", strd_misra1a},   {"Misra1b", strd_misra1b},  {"Misra1c", strd_misra1c},
    {"Misra1d", strd_misra1d},   {"Chwirut1", strd_chwirut}, {"Chwirut2", strd_chwirut},
    {"DanWood", strd_danwood},   {"Lanczos3", strd_lanczos}, {"Gauss1", strd_gauss},
    {"Gauss2", strd_gauss},      {"Gauss3", strd_gauss},     {"Kirby2", strd_kirby2},
    {"Hahn1", strd_cubic},       {"Nelson", strd_nelson},    {"MGH17", strd_mgh17},
    {"Lanczos1", strd_lanczos},  {"Lanczos2", strd_lanczos}, {"Roszman1", strd_roszman1},
    {"ENSO", strd_enso},         {"MGH09", strd_mgh09},      {"Thurber", strd_cubic},
    {"BoxBOD", strd_misra1a},    {"Rat42", strd_rat42},      {"MGH10", strd_mgh10},
    {"Eckerle4", strd_eckerle4}, {"Rat43", strd_rat43},      {"Bennett5", strd_bennett5},
};

/* What NIST certifies comes from floating-point numbers of 128 bits. Lanczos1's residuals, 1e-13, are what is
 * left after three digits of ours. */
static double wanted_digits(const char *name, bool sd, bool differences) {
  return strcmp(name, "Lanczos1") == 0 && sd ? 3 : differences ? 6 : 9;
}

static void fit_case(const struct strd_case *c, const strd_set *s, size_t start, bool differences) {
  fit_nls_problem q = {.n = s->n,
                       .p = s->p,
                       .model = model,
                       .context = s,
                       .y = s->y,
                       .start = s->start[start],
                       .no_jacobian = differences};
  fit_nls_result r;
  assert_ok(fit_nls(&q, &r, err));
  double parameters, sds;
  worst_digits(s, &r, &parameters, &sds);
  print_message(
      "%-9s start %zu%s: %4.1f digits of the parameters, %4.1f of their uncertainties; %3d iterations, %s\n",
      c->name, start + 1, differences ? ", differences" : "", parameters, sds, r.iterations, r.method);
  if (r.outcome != FIT_NLS_CONVERGED || r.dof != s->n - s->p ||
      !(parameters >= wanted_digits(c->name, false, differences)) ||
      !(sds >= wanted_digits(c->name, true, differences)))
    fail_msg("%s: outcome %d", c->name, (int)r.outcome);
}

static void nist(void **state) {
  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    strd_set s = {.model = cases[c].model};
    read_set(cases[c].name, &s);
    if (strcmp(cases[c].name, "Nelson") == 0)
      for (size_t i = 0; i < s.n; i++) s.y[i] = log(s.y[i]);
    for (size_t start = 0; start < 2; start++)
      for (int differences = 0; differences < 2; differences++) fit_case(&cases[c], &s, start, differences);
  }
}

/* ---- promises; the model is b0 exp(b1 x) ---- */

typedef struct points {
  size_t n;
  const double *x;
} points;

static void growth(const void *context, const double *b, double *predicted, double *jacobian) {
  const points *g = context;
  for (size_t i = 0; i < g->n; i++) {
    double e = exp(b[1] * g->x[i]);
    predicted[i] = b[0] * e;
    if (jacobian) jacobian[2 * i] = e, jacobian[2 * i + 1] = b[0] * g->x[i] * e;
  }
}

static const double truth[] = {2, -0.3}, near_truth[] = {1, 0};
static const double eight[] = {0, 1, 2, 3, 4, 5, 6, 7};

static void noisy_growth(const points *g, double sd, cb_rng *rng, double *y) {
  growth(g, truth, y, NULL);
  for (size_t i = 0; i < g->n; i++) y[i] += sd * cb_rng_normal(rng);
}

static fit_nls_problem growth_problem(const points *g, const double *y) {
  return (fit_nls_problem){.n = g->n, .p = 2, .model = growth, .context = g, .y = y, .start = near_truth};
}

/* A weight of 2 is the point twice, but for the degrees of freedom; known uncertainties do not ask the
 * scatter. */
static void weights(void **state) {
  (void)state;
  const double w[] = {1, 2, 1, 1, 2, 1, 1, 1}, w4[] = {4, 8, 4, 4, 8, 4, 4, 4},
               ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 1, 4};
  points once = {8, eight}, twice = {10, ten};
  double y[10];
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  noisy_growth(&once, 0.1, &rng, y);
  y[8] = y[1], y[9] = y[4];
  fit_nls_problem weighted = growth_problem(&once, y), doubled = growth_problem(&twice, y);
  weighted.w = w;
  fit_nls_result a, b, c;
  assert_ok(fit_nls(&weighted, &a, err));
  assert_ok(fit_nls(&doubled, &b, err));
  assert_int_equal(a.outcome, FIT_NLS_CONVERGED);
  for (size_t j = 0; j < 2; j++) assert_near(a.b[j], b.b[j], 1e-12);
  assert_near(a.cov[0][1] * 6, b.cov[0][1] * 8, 1e-10 * fabs(b.cov[0][1]));
  weighted.w_is_1_over_u2 = true;
  weighted.w = w4;
  assert_ok(fit_nls(&weighted, &c, err));
  assert_near(c.cov[0][1] * 4 * a.chi2 / 6, a.cov[0][1], 1e-10 * fabs(a.cov[0][1]));
}

/* Intervals of 95 % hold the truth in 95 % of 2000 repetitions: sd of the count 0.5 %, and the model is
 * nearly linear here. */
static void coverage(void **state) {
  (void)state;
  enum { REPETITIONS = 2000 };
  points g = {8, eight};
  int held[2] = {0};
  cb_rng rng;
  cb_rng_init(&rng, 2, 0);
  for (int k = 0; k < REPETITIONS; k++) {
    double y[8];
    noisy_growth(&g, 0.05, &rng, y);
    fit_nls_problem q = growth_problem(&g, y);
    fit_nls_result r;
    assert_ok(fit_nls(&q, &r, err));
    for (size_t j = 0; j < 2; j++)
      held[j] += fabs(r.b[j] - truth[j]) <= cb_student_t(0.95, (double)r.dof) * fit_nls_u(&r, j);
  }
  for (int j = 0; j < 2; j++) assert_in_range(held[j], 0.93 * REPETITIONS, 0.97 * REPETITIONS);
}

/* Other units, the same digits: y in 1e-12, x in 1e9. */
static void units(void **state) {
  (void)state;
  double y[8], small_y[8], large_x[8];
  points g = {8, eight}, large = {8, large_x};
  cb_rng rng;
  cb_rng_init(&rng, 3, 0);
  noisy_growth(&g, 0.05, &rng, y);
  for (int i = 0; i < 8; i++) small_y[i] = 1e-12 * y[i], large_x[i] = 1e9 * eight[i];
  fit_nls_problem q = growth_problem(&g, y), scaled = growth_problem(&large, small_y);
  scaled.start = (double[]){1e-12, 0};
  fit_nls_result a, b;
  assert_ok(fit_nls(&q, &a, err));
  assert_ok(fit_nls(&scaled, &b, err));
  assert_int_equal(b.outcome, FIT_NLS_CONVERGED);
  assert_near(b.b[0], 1e-12 * a.b[0], 1e-21);
  assert_near(b.b[1], 1e-9 * a.b[1], 1e-18);
  assert_near(fit_nls_u(&b, 1), 1e-9 * fit_nls_u(&a, 1), 1e-16);
}

static void same_bits(void **state) {
  (void)state;
  double y[8];
  points g = {8, eight};
  cb_rng rng;
  cb_rng_init(&rng, 4, 0);
  noisy_growth(&g, 0.05, &rng, y);
  fit_nls_problem q = growth_problem(&g, y);
  fit_nls_result a, b;
  assert_ok(fit_nls(&q, &a, err));
  assert_ok(fit_nls(&q, &b, err));
  assert_memory_equal(a.b, b.b, sizeof a.b);
  assert_memory_equal(a.cov, b.cov, sizeof a.cov);
}

/* ---- degenerate problems ---- */

static void product(const void *context, const double *b, double *predicted, double *jacobian) {
  const points *g = context;
  for (size_t i = 0; i < g->n; i++) {
    predicted[i] = b[0] * b[1] * g->x[i];
    if (jacobian) jacobian[2 * i] = b[1] * g->x[i], jacobian[2 * i + 1] = b[0] * g->x[i];
  }
}

static void root(const void *context, const double *b, double *predicted, double *jacobian) {
  const points *g = context;
  for (size_t i = 0; i < g->n; i++) {
    predicted[i] = sqrt(g->x[i] - b[0]);
    if (jacobian) jacobian[i] = -0.5 / predicted[i];
  }
}

static void outcomes(void **state) {
  (void)state;
  const double rising[] = {0, 1, 2, 3, 4, 5, 6, 8}, zeros[8] = {0};
  points g = {8, eight};
  fit_nls_result r;
  fit_nls_problem q = growth_problem(&g, rising);
  q.model = product;
  q.start = (double[]){1, 2};
  assert_ok(fit_nls(&q, &r, err));
  assert_int_equal(r.outcome, FIT_NLS_SINGULAR);
  assert_true(isnan(r.cov[0][0]) && isfinite(r.chi2));
  /* Contradictory points at one place only: one number cannot give two. */
  const double same[] = {1, 1, 1}, contradictory[] = {1, 2, 3};
  points one_place = {3, same};
  q = growth_problem(&one_place, contradictory);
  assert_ok(fit_nls(&q, &r, err));
  assert_int_equal(r.outcome, FIT_NLS_SINGULAR);
  points short_of = {1, eight};
  q = growth_problem(&short_of, rising);
  assert_ok(fit_nls(&q, &r, err));
  assert_int_equal(r.outcome, FIT_NLS_TOO_FEW);
  assert_near(r.b[0], near_truth[0], 0);
  q = growth_problem(&g, rising);
  q.start = (double[]){1, 1e6};
  assert_ok(fit_nls(&q, &r, err));
  assert_int_equal(r.outcome, FIT_NLS_NOT_FINITE);
  q = growth_problem(&g, zeros);
  assert_ok(fit_nls(&q, &r, err));
  assert_int_equal(r.outcome, FIT_NLS_SINGULAR); /* nothing grows at any rate */
}

/* As many points as parameters: through all of them, and no scatter to take an uncertainty from. */
static void through_the_points(void **state) {
  (void)state;
  points g = {2, eight};
  const double y[] = {3, 6}, w[] = {100, 100};
  fit_nls_problem q = growth_problem(&g, y);
  fit_nls_result r;
  assert_ok(fit_nls(&q, &r, err));
  assert_int_equal(r.outcome, FIT_NLS_CONVERGED);
  assert_near(r.b[0], 3, 1e-12);
  assert_near(r.b[1], log(2), 1e-12);
  assert_true(r.dof == 0 && isnan(r.residual_sd) && isnan(r.cov[0][0]));
  q.w = w;
  q.w_is_1_over_u2 = true;
  assert_ok(fit_nls(&q, &r, err));
  assert_near(fit_nls_u(&r, 0), 0.1, 1e-12);
  assert_near(fit_nls_u(&r, 1), 0.1 * sqrt(1 / 36. + 1 / 9.), 1e-12);
}

/* The first steps lead where the model is not defined. */
static void beyond_the_domain(void **state) {
  (void)state;
  const double x[] = {1, 2, 3, 4, 5, 6}, start[] = {-50};
  double y[6];
  points g = {6, x};
  for (int i = 0; i < 6; i++) y[i] = sqrt(x[i] - 0.9) + (i % 2 ? 1e-3 : -1e-3);
  fit_nls_problem q = {.n = 6, .p = 1, .model = root, .context = &g, .y = y, .start = start};
  fit_nls_result r;
  assert_ok(fit_nls(&q, &r, err));
  assert_int_equal(r.outcome, FIT_NLS_CONVERGED);
  assert_near(r.b[0], 0.9, 0.01);
}

static void many_points(void **state) {
  (void)state;
  enum { N = 1000000 };
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  assert_true(x && y);
  points g = {N, x};
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  for (size_t i = 0; i < N; i++) x[i] = 10 * (double)i / N;
  noisy_growth(&g, 0.1, &rng, y);
  fit_nls_problem q = growth_problem(&g, y);
  fit_nls_result r;
  assert_ok(fit_nls(&q, &r, err));
  assert_int_equal(r.outcome, FIT_NLS_CONVERGED);
  for (size_t j = 0; j < 2; j++) assert_near(r.b[j], truth[j], 4 * fit_nls_u(&r, j));
  assert_near(r.residual_sd, 0.1, 5 * 0.1 / sqrt(2. * N));
  free(x);
  free(y);
}

static void bad_data(void **state) {
  (void)state;
  points g = {8, eight};
  double y[8] = {1, 2, 3, 4, 5, 6, 7, NAN}, w[8] = {1, 1, 1, 1, 1, 1, 1, 0};
  fit_nls_problem q = growth_problem(&g, y);
  fit_nls_result r;
  assert_fails(CB_E_NUM, "y[7] = nan: a finite number was wanted", fit_nls(&q, &r, err));
  y[7] = 8;
  q.w = w;
  assert_fails(CB_E_NUM, "w[7] = 0: a weight above 0 was wanted", fit_nls(&q, &r, err));
  q.w = NULL;
  q.start = (double[]){INFINITY, 0};
  assert_fails(CB_E_NUM, "start[0] = inf", fit_nls(&q, &r, err));
  q.p = 17;
  assert_fails(CB_E_ARG, "17 parameters: 1 to 16 were wanted", fit_nls(&q, &r, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nist),
      cmocka_unit_test(weights),
      cmocka_unit_test(coverage),
      cmocka_unit_test(units),
      cmocka_unit_test(same_bits),
      cmocka_unit_test(outcomes),
      cmocka_unit_test(through_the_points),
      cmocka_unit_test(beyond_the_domain),
      cmocka_unit_test(many_points),
      cmocka_unit_test(bad_data),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
