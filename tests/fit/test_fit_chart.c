/* Control charts: examples and run lengths as published; 400 days with a fault, 10 000 quiet days; what is
 * said of few and of dependent points. The tables that it prints stand in docs/guide/over-time.md. */
#include <stdlib.h>

#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_chart_impl.h"

/* ---- published examples ---- */

/* NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.4: EWMA_0 50, s 2.0539, lambda 0.3, k 3. */
static void ewma_of_the_handbook(void **state) {
  (void)state;
  const double x[] = {52.0, 47.0, 53.0, 49.3, 50.1, 47.0, 51.0, 50.1, 51.2, 50.5,
                      49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1};
  const double wanted[] = {50.60, 49.52, 50.56, 50.18, 50.16, 49.21, 49.75, 49.85, 50.26, 50.33,
                           50.11, 49.36, 49.52, 50.05, 49.38, 49.92, 50.73, 51.23, 51.94, 51.99};
  double z[20];
  fit_ewma(x, 20, 50, 0.3, z);
  for (int i = 0; i < 20; i++) assert_near(z[i], wanted[i], 0.0051);
  assert_near(50 + fit_ewma_limit(2.0539, 0.3, 3), 52.5884, 5e-4); /* its root is rounded to 0.4201 */
}

/* 6.3.2.3: target 325, k 0.3175, in the unit of the data; h 4.1959 is passed first by group 14. */
static void cusum_of_the_handbook(void **state) {
  (void)state;
  const double x[] = {324.925, 324.675, 324.725, 324.350, 325.350, 325.225, 324.125,
                      324.525, 325.225, 324.600, 324.625, 325.150, 328.325, 327.250,
                      327.825, 328.500, 326.675, 327.775, 326.875, 328.350};
  const double up_of[] = {0, 0, 0,    0,    0.03, 0,     0,     0,     0,     0,
                          0, 0, 3.00, 4.93, 7.44, 10.62, 11.98, 14.44, 16.00, 19.04};
  const double down_of[] = {0, 0.01, 0, 0.33, 0, 0, 0.56, 0.72, 0.17, 0.25, 0.31, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  double up[20], down[20];
  fit_cusum(x, 20, 325, 1, 0.3175, INFINITY, up, down);
  for (int i = 0; i < 20; i++) {
    assert_near(up[i], up_of[i], 0.011);
    assert_near(down[i], down_of[i], 0.011);
    assert_int_equal(up[i] > 4.1959, i >= 13);
  }
}

/* ---- run lengths ---- */

#define LONG 6000

/* The mean of 2000 runs with known limits until the first alarm. */
static double mean_run(fit_chart_kind kind, double shift) {
  static double x[LONG], z[LONG], down[LONG];
  const double limit = kind == FIT_CHART_EWMA    ? fit_ewma_limit(1, FIT_CHART_LAMBDA, FIT_CHART_EWMA_K)
                       : kind == FIT_CHART_CUSUM ? FIT_CHART_CUSUM_H
                                                 : FIT_CHART_POINT_K;
  double sum = 0;
  cb_rng rng;
  cb_rng_init(&rng, 5, (uint64_t)kind);
  for (int run = 0; run < 2000; run++) {
    size_t i = 0;
    for (size_t j = 0; j < LONG; j++) z[j] = x[j] = shift + cb_rng_normal(&rng);
    if (kind == FIT_CHART_EWMA) fit_ewma(x, LONG, 0, FIT_CHART_LAMBDA, z);
    if (kind == FIT_CHART_CUSUM) fit_cusum(x, LONG, 0, 1, FIT_CHART_CUSUM_K, INFINITY, z, down);
    while (i < LONG - 1 && fabs(z[i]) <= limit && !(kind == FIT_CHART_CUSUM && down[i] > limit)) i++;
    sum += (double)(i + 1) / 2000;
  }
  return sum;
}

/* EWMA: Lucas, Saccucci, Technometrics 32:1, 1990, table 3 (lambda 0.2, L 2.962): 500, 41.8, 10.5. CUSUM h 5,
 * k 0.5: Montgomery, Statistical Quality Control, table of k 1/2: 465, 38.0, 10.4. Points: 1 / P. Four
 * standard errors. */
static void run_lengths_are_the_published(void **state) {
  (void)state;
  static const struct {
    fit_chart_kind kind;
    double shift, wanted;
  } c[] = {{FIT_CHART_EWMA, 0, 500},    {FIT_CHART_EWMA, 0.5, 41.8}, {FIT_CHART_EWMA, 1, 10.5},
           {FIT_CHART_CUSUM, 0, 465},   {FIT_CHART_CUSUM, 0.5, 38},  {FIT_CHART_CUSUM, 1, 10.4},
           {FIT_CHART_POINT, 0, 370.4}, {FIT_CHART_POINT, 1, 43.9},  {FIT_CHART_POINT, 2, 6.30}};
  for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
    const double got = mean_run(c[i].kind, c[i].shift);
    print_message("%-6s shift %.1f sigma: %.1f points to the alarm, %.1f published\n",
                  fit_chart_names[c[i].kind], c[i].shift, got, c[i].wanted);
    assert_near(got, c[i].wanted, 4 * c[i].wanted / sqrt(2000));
    if (c[i].kind != FIT_CHART_EWMA)
      assert_near(fit_chart_delay(c[i].kind, c[i].shift), c[i].wanted, 0.02 * c[i].wanted);
  }
}

/* ---- virtual days ---- */

#define SIGMA 0.002         /* of mu = 0.25 */
#define ALL FIT_CHART_KINDS /* the three alarms together; behind it, with the warnings */
#define COLUMNS (FIT_CHART_KINDS + 2)

typedef enum fault { QUIET, STEP, DRIFT, SCREW } fault;

/* From day `from` on: a step of 1 sigma; a drift of 0.02 sigma a day; scatter that is doubled. */
static void make_days(cb_rng *rng, fault f, double *x, size_t n, size_t from, double phi) {
  double own = cb_rng_normal(rng);
  for (size_t i = 0; i < n; i++) {
    const double t = i >= from ? (double)(i - from + 1) : 0;
    own = phi * own + sqrt(1 - phi * phi) * cb_rng_normal(rng);
    x[i] =
        0.25 + SIGMA * ((f == SCREW && t > 0 ? 2 : 1) * own + (f == STEP && t > 0) + (f == DRIFT) * 0.02 * t);
  }
}

static bool is_in(int column, fit_chart_kind kind) {
  return column < FIT_CHART_KINDS ? (int)kind == column : column > ALL || !fit_chart_is_warning(kind);
}

/* The first alarm that begins at `from` or later. */
static double first_alarm(const fit_chart *c, int column, size_t from) {
  double first = INFINITY;
  for (size_t i = 0; i < c->n_alarms; i++)
    if (is_in(column, c->alarms[i].kind) && c->alarms[i].at >= from)
      first = fmin(first, (double)(c->alarms[i].at - from + 1));
  return first;
}

static void print_row(const char *name, const double v[COLUMNS]) {
  char line[200] = "";
  for (int k = 0; k < COLUMNS; k++) (void)snprintf(line + strlen(line), 12, " %7.0f", v[k]);
  print_message("%-28s%s\n", name, line);
}

static void print_head(void) {
  print_message("%-28s   point    ewma   cusum    side   trend   range  alarms     all\n", "");
}

/* Median days to the alarm, of 1000 rigs of 400 days with the fault on day 201. */
static void find_fault(fault f, const char *name, double median[COLUMNS]) {
  static double days[COLUMNS][1000];
  double x[400], work[1000];
  cb_rng rng;
  cb_rng_init(&rng, 11, (uint64_t)f);
  for (int rig = 0; rig < 1000; rig++) {
    fit_chart c;
    make_days(&rng, f, x, 400, 200, 0);
    assert_ok(fit_chart_make(x, 400, 100, &c, err));
    for (int k = 0; k < COLUMNS; k++) days[k][rig] = first_alarm(&c, k, 200);
    fit_chart_clear(&c);
  }
  for (int k = 0; k < COLUMNS; k++) median[k] = cb_median(days[k], 1000, work);
  print_row(name, median);
}

static void faults_are_found(void **state) {
  (void)state;
  double m[COLUMNS];
  print_message("median days to the alarm, limits of 100 days:\n");
  print_head();
  find_fault(STEP, "step of 1 sigma", m);
  assert_true(m[FIT_CHART_EWMA] < 15 && m[FIT_CHART_CUSUM] < 15 && m[ALL] <= m[FIT_CHART_EWMA]);
  find_fault(DRIFT, "drift of 0.02 sigma a day", m);
  assert_true(m[FIT_CHART_EWMA] < 50 && m[FIT_CHART_CUSUM] < 50 && m[FIT_CHART_POINT] > m[FIT_CHART_EWMA]);
  find_fault(SCREW, "scatter doubled", m);
  assert_true(m[FIT_CHART_POINT] < 8 && m[FIT_CHART_RANGE] < 8);
}

/* Days from one false alarm to the next, of `rigs` rigs with 10 000 quiet days behind the baseline. */
static void count_false(size_t baseline, double phi, int rigs, const char *name, double days[COLUMNS]) {
  const size_t n = baseline + 10000;
  double *x = calloc(n, sizeof *x), count[COLUMNS] = {0};
  bool *out = calloc(n + 1, 1);
  cb_rng rng;
  assert_true(x && out);
  cb_rng_init(&rng, 17, baseline + (uint64_t)(10 * phi));
  for (int rig = 0; rig < rigs; rig++) {
    fit_chart c;
    make_days(&rng, QUIET, x, n, n, phi);
    assert_ok(fit_chart_make(x, n, baseline, &c, err));
    for (int k = 0; k < COLUMNS; k++) { /* charts together: from no alarm to any */
      memset(out, 0, n + 1);
      for (size_t i = 0; i < c.n_alarms; i++)
        if (is_in(k, c.alarms[i].kind))
          memset(out + c.alarms[i].at, 1, c.alarms[i].until - c.alarms[i].at + 1);
      for (size_t i = baseline; i < n; i++) count[k] += out[i] && !out[i - 1];
    }
    fit_chart_clear(&c);
  }
  for (int k = 0; k < COLUMNS; k++) days[k] = 10000.0 * rigs / fmax(count[k], 0.5);
  print_row(name, days);
  free(out);
  free(x);
}

static void quiet_days_are_quiet(void **state) {
  (void)state;
  double d[COLUMNS];
  print_message("days from one false alarm to the next, 10 000 quiet days behind the baseline:\n");
  print_head();
  count_false(25, 0, 200, "limits of 25 days", d);
  assert_true(d[ALL] > 160);
  count_false(100, 0, 100, "of 100", d);
  assert_true(d[ALL] > 160);
  count_false(2000, 0, 50, "of 2000", d);
  assert_true(d[ALL] > 160 && d[ALL] < 220); /* the page says 190 */
  assert_near(d[FIT_CHART_SIDE], 127, 15);   /* 2^7 - 1 */
  count_false(100, 0.2, 100, "of 100, neighbours 0.2", d);
  count_false(100, 0.5, 100, "of 100, neighbours 0.5", d);
  assert_true(d[ALL] > 160 && d[FIT_CHART_SIDE] > 1e5);
}

/* ---- what is told ---- */

static void few_or_equal_points_have_no_limits(void **state) {
  (void)state;
  const double x[] = {1, 2, 1, 3, 1, 2, 9, 1}, same[10] = {0};
  fit_chart c;
  assert_ok(fit_chart_make(x, 7, 0, &c, err));
  assert_true(c.limits.n == 0 && c.n_alarms == 0);
  fit_chart_clear(&c);
  assert_ok(fit_chart_make(x, 8, 7, &c, err));
  assert_true(c.limits.n == 0);
  fit_chart_clear(&c);
  assert_ok(fit_chart_make(same, 10, 0, &c, err));
  assert_true(c.limits.n == 0);
  fit_chart_clear(&c);
  assert_ok(fit_chart_make(x, 8, 0, &c, err));
  assert_true(c.limits.n == 8 && c.limits.center < 9);
  fit_chart_clear(&c);
}

/* The mean and its uncertainty of a step of 1.5 sigma on day 101, as the row of each chart tells it on day
 * 200. */
static void the_row_tells_the_step(void **state) {
  (void)state;
  static double x[200];
  int found = 0, held = 0, dated = 0;
  cb_rng rng;
  cb_rng_init(&rng, 3, 3);
  for (int rig = 0; rig < 500; rig++) {
    fit_chart c;
    make_days(&rng, QUIET, x, 200, 0, 0);
    for (int i = 100; i < 200; i++) x[i] += 1.5 * SIGMA;
    assert_ok(fit_chart_make(x, 200, 100, &c, err));
    for (size_t i = 0; i < c.n_alarms; i++) {
      const fit_chart_alarm *a = &c.alarms[i];
      if (a->kind != FIT_CHART_CUSUM || a->until != 199) continue;
      found++;
      held += fabs(a->shift - 1.5 * SIGMA) < 2 * a->u_shift;
      dated += a->since >= 95 && a->since <= 105;
    }
    fit_chart_clear(&c);
  }
  print_message("step of 1.5 sigma: %d of 500 told, %d hold it within 2 u, %d date it within 5 days\n", found,
                held, dated);
  assert_true(found > 485 && held > 0.92 * found && dated > 0.9 * found);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ewma_of_the_handbook),          cmocka_unit_test(cusum_of_the_handbook),
      cmocka_unit_test(run_lengths_are_the_published), cmocka_unit_test(faults_are_found),
      cmocka_unit_test(quiet_days_are_quiet),          cmocka_unit_test(few_or_equal_points_have_no_limits),
      cmocka_unit_test(the_row_tells_the_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
