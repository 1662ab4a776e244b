#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "cb_array.h"
#include "cb_stats.h"
#include "fit_chart_impl.h"

const char *const fit_chart_names[] = {"point", "ewma", "cusum", "side", "trend", "range", NULL};

bool fit_chart_is_warning(fit_chart_kind kind) { return kind >= FIT_CHART_SIDE; }

/* ---- limits ---- */

#define MEDIAN_RANGE 0.954  /* of two values, in sigma: sqrt(2) x 0.6745 */
#define KEPT_RANGE 1.1005   /* mean of those up to FIT_CHART_RANGE_K sigma, by the normal distribution */
#define MAD_OF_SIGMA 0.6745 /* median absolute deviation */
#define POINT_INSIDE 0.9973
#define DOF_PER_RANGE 0.62 /* of a sigma from moving ranges */

/* From the moving ranges without those that are too wide (ISO 7870-2, individuals); the median begins. */
static double sigma_of_ranges(double *range, size_t n, double *work) {
  const double most = FIT_CHART_RANGE_K * cb_median(range, n, work) / MEDIAN_RANGE;
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (range[i] <= most) range[kept++] = range[i];
  return cb_mean(range, kept) / KEPT_RANGE;
}

/* Those within FIT_CHART_POINT_K sigma of the median, in their order. Returns their number. */
static size_t keep_near(const double *x, size_t n, double sigma, double *kept, double *work) {
  const double middle = cb_median(x, n, work);
  size_t m = 0;
  for (size_t i = 0; i < n; i++)
    if (fabs(x[i] - middle) <= FIT_CHART_POINT_K * sigma) kept[m++] = x[i];
  return m;
}

static double neighbours(const double *x, size_t n, double mean) {
  double with_next = 0, all = 0;
  for (size_t i = 0; i < n; i++) {
    all += (x[i] - mean) * (x[i] - mean);
    if (i + 1 < n) with_next += (x[i] - mean) * (x[i + 1] - mean);
  }
  return all > 0 ? with_next / all : 0;
}

static double sigma_of_points(const double *x, size_t n, double *kept, double *work) {
  const double middle = cb_median(x, n, work);
  for (size_t i = 0; i < n; i++) kept[i] = fabs(x[i] - middle);
  return cb_median(kept, n, work) / MAD_OF_SIGMA;
}

/* How much wider a mean of many neighbours scatters than one of independent points. */
static double widening(const fit_chart_limits *l) {
  return l->correlated ? sqrt((1 + l->r1) / (1 - l->r1)) : 1;
}

/* a, b: n doubles to work in. */
static void find_limits(const double *x, size_t n, double *a, double *b, fit_chart_limits *out) {
  for (size_t i = 0; i + 1 < n; i++) a[i] = fabs(x[i + 1] - x[i]);
  *out = (fit_chart_limits){.range_sigma = sigma_of_ranges(a, n - 1, b)};
  if (!(out->range_sigma > 0)) return;
  out->sigma = out->range_sigma;
  out->r1 = neighbours(x, n, cb_mean(x, n));
  out->correlated = out->r1 > 2 / sqrt((double)n);
  if (out->correlated) out->sigma = fmax(out->sigma, sigma_of_points(x, n, a, b));
  const size_t kept = keep_near(x, n, out->sigma, a, b);
  out->n = n;
  out->factor = cb_student_t(POINT_INSIDE, DOF_PER_RANGE * (double)(n - 1)) / FIT_CHART_POINT_K;
  out->center = cb_mean(a, kept);
  out->u_center = out->sigma / sqrt((double)kept) * widening(out);
}

/* ---- alarms ---- */

static bool is_out(fit_chart_kind kind, const fit_chart_at *at, size_t *since) {
  if (kind == FIT_CHART_EWMA) return fit_ewma_is_out(at, since);
  if (kind == FIT_CHART_CUSUM) return fit_cusum_is_out(at, since);
  return fit_shewhart_is_out(kind, at, since);
}

/* The way along the line of least squares, of a trend. */
static void estimate_trend(const double *x, size_t m, double sigma, fit_chart_alarm *a) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < m; i++) {
    const double t = (double)i - (double)(m - 1) / 2;
    sum += t * x[i];
    squares += t * t;
  }
  a->shift = sum / squares * (double)(m - 1);
  a->u_shift = sigma / sqrt(squares) * (double)(m - 1);
}

static void estimate_shift(const double *x, const fit_chart_limits *l, fit_chart_alarm *a) {
  const size_t m = a->until - a->since + 1;
  if (a->kind == FIT_CHART_TREND) {
    estimate_trend(x + a->since, m, l->sigma, a);
  } else if (a->kind == FIT_CHART_RANGE) {
    a->shift = x[a->at] - x[a->at - 1];
    a->u_shift = sqrt(2) * l->range_sigma;
  } else {
    a->shift = cb_mean(x + a->since, m) - l->center;
    a->u_shift = hypot(l->sigma / sqrt((double)m) * widening(l), l->u_center);
  }
}

static fit_chart_alarm *add_alarm(fit_chart *out, size_t *room) {
  fit_chart_alarm *grown = cb_array_grow(out->alarms, room, out->n_alarms + 1, sizeof *grown);
  if (!grown) return NULL;
  out->alarms = grown;
  return &grown[out->n_alarms++];
}

static cb_status find_alarms(const double *x, size_t n, fit_chart *out, cb_err *err) {
  size_t room = 0;
  for (int kind = 0; kind < FIT_CHART_KINDS; kind++) {
    fit_chart_alarm *open = NULL;
    for (size_t i = 0; i < n; i++) {
      const fit_chart_at at = {x, i, out};
      size_t since;
      if (!is_out((fit_chart_kind)kind, &at, &since)) {
        open = NULL;
        continue;
      }
      if (!open) {
        open = add_alarm(out, &room);
        if (!open) return cb_no_memory(err, "alarms of %zu points", n);
        *open = (fit_chart_alarm){.kind = (fit_chart_kind)kind, .at = i, .since = since};
      }
      open->until = i;
    }
  }
  for (size_t i = 0; i < out->n_alarms; i++) estimate_shift(x, &out->limits, &out->alarms[i]);
  return CB_OK;
}

/* ---- all of it ---- */

cb_status fit_chart_make(const double *x, size_t n, size_t baseline, fit_chart *out, cb_err *err) {
  *out = (fit_chart){.n_alarms = 0};
  if (baseline == 0 || baseline > n) baseline = n;
  if (baseline < FIT_CHART_LEAST) return CB_OK;
  out->ewma = calloc(3 * n, sizeof *out->ewma);
  if (!out->ewma) return cb_no_memory(err, "a chart of %zu points", n);
  out->up = out->ewma + n;
  out->down = out->up + n;
  find_limits(x, baseline, out->ewma, out->up, &out->limits);
  const fit_chart_limits *l = &out->limits;
  if (l->n == 0) return CB_OK;
  const double wide = l->sigma * l->factor * widening(l);
  out->ewma_limit = fit_ewma_limit(wide, FIT_CHART_LAMBDA, FIT_CHART_EWMA_K) + l->u_center;
  fit_ewma(x, n, l->center, FIT_CHART_LAMBDA, out->ewma);
  fit_cusum(x, n, l->center, wide, FIT_CHART_CUSUM_K + l->u_center / wide, 2 * FIT_CHART_CUSUM_H, out->up,
            out->down);
  return find_alarms(x, n, out, err);
}

void fit_chart_clear(fit_chart *c) {
  free(c->ewma);
  free(c->alarms);
  *c = (fit_chart){.n_alarms = 0};
}

/* Of a sum on one side. */
static double page_delay(double drift) {
  const double b = FIT_CHART_CUSUM_H + 1.166;
  if (fabs(drift) < 1e-6) return b * b;
  return (exp(-2 * drift * b) + 2 * drift * b - 1) / (2 * drift * drift);
}

double fit_chart_delay(fit_chart_kind kind, double shift_sigma) {
  assert(kind == FIT_CHART_POINT || kind == FIT_CHART_CUSUM);
  const double d = fabs(shift_sigma), k = FIT_CHART_POINT_K;
  if (kind == FIT_CHART_CUSUM)
    return 1 / (1 / page_delay(d - FIT_CHART_CUSUM_K) + 1 / page_delay(-d - FIT_CHART_CUSUM_K));
  return 1 / (0.5 * erfc((k - d) / sqrt(2)) + 0.5 * erfc((k + d) / sqrt(2)));
}
