#include "swp_indices.h"

#include <math.h>
#include <stdlib.h>

#include "cb_plural.h"
#include "cb_rng.h"
#include "cb_sobol.h"
#include "cb_stats.h"
#include "swp_home_impl.h"

#define SAMPLES 1000
#define FEWEST_ROWS 8

/* Cases of a row: A, B, then A with each variable from B. Co-ordinates of B follow those of A. */
double swp_index_unit(const swp_plan *p, int index, int variable) {
  const int d = (int)p->n_variables, part = index % (d + 2), row = index / (d + 2);
  const bool of_b = part == 1 || part == variable + 2;
  return cb_sobol((uint32_t)row, of_b ? d + variable : variable, (uint32_t)p->seed);
}

typedef struct rows {
  const double *figure;
  const int *row; /* those that count */
  int n, d;
} rows;

static const double *row_at(const rows *r, int k) {
  return r->figure + (size_t)r->row[k] * (size_t)(r->d + 2);
}

/* Mean and variance of A and B over the rows `pick`; NULL: all of them. */
static void spread(const rows *r, const int *pick, double *mean, double *variance) {
  double sum = 0, square = 0;
  for (int k = 0; k < r->n; k++) {
    const double *f = row_at(r, pick ? pick[k] : k);
    sum += f[0] + f[1];
  }
  *mean = sum / (2.0 * r->n);
  for (int k = 0; k < r->n; k++) {
    const double *f = row_at(r, pick ? pick[k] : k);
    square += (f[0] - *mean) * (f[0] - *mean) + (f[1] - *mean) * (f[1] - *mean);
  }
  *variance = square / (2.0 * r->n);
}

/* f(B) counts from the mean: the same in the mean, and less scatter. */
static void estimate(const rows *r, const int *pick, int variable, double *first, double *total) {
  double mean, variance, a = 0, b = 0;
  spread(r, pick, &mean, &variance);
  for (int k = 0; k < r->n; k++) {
    const double *f = row_at(r, pick ? pick[k] : k), change = f[variable + 2] - f[0];
    a += (f[1] - mean) * change;
    b += change * change;
  }
  *first = a / (r->n * variance);
  *total = b / (2.0 * r->n * variance);
}

static void interval(double *sample, double *low, double *high) {
  cb_sort(sample, SAMPLES);
  *low = sample[(int)(0.025 * SAMPLES)];
  *high = sample[(int)(0.975 * SAMPLES)];
}

static void resample(const rows *r, int variable, uint64_t seed, int *pick, double *sample, swp_index *out) {
  cb_rng rng;
  cb_rng_init(&rng, seed, (uint64_t)variable);
  for (int s = 0; s < SAMPLES; s++) {
    for (int k = 0; k < r->n; k++) pick[k] = (int)(cb_rng_uniform(&rng) * r->n);
    estimate(r, pick, variable, &sample[s], &sample[SAMPLES + s]);
  }
  interval(sample, &out->first_low, &out->first_high);
  interval(sample + SAMPLES, &out->total_low, &out->total_high);
}

static int whole_rows(const swp_plan *p, const double *figure, int *row) {
  const int d = (int)p->n_variables, n = p->n_cases / (d + 2);
  int n_whole = 0;
  for (int k = 0; k < n; k++) {
    bool whole = true;
    for (int part = 0; part < d + 2; part++) whole = whole && isfinite(figure[k * (d + 2) + part]);
    if (whole) row[n_whole++] = k;
  }
  return n_whole;
}

static cb_status find_indices(const swp_plan *p, rows *r, int *pick, double *sample, swp_sensitivity *out,
                              cb_err *err) {
  double variance;
  if (r->n < FEWEST_ROWS)
    return cb_fail(err, CB_E_RANGE, "indices: %d whole row%s of %zu case%s, at least %d were wanted", r->n,
                   CB_S(r->n), p->n_variables + 2, CB_S(p->n_variables + 2), FEWEST_ROWS);
  spread(r, NULL, &out->mean, &variance);
  if (!(variance > 1e-24 * out->mean * out->mean))
    return cb_fail(err, CB_E_RANGE, "indices: the figure does not vary");
  out->sd = sqrt(variance);
  for (int i = 0; i < r->d; i++) {
    estimate(r, NULL, i, &out->index[i].first, &out->index[i].total);
    resample(r, i, (uint64_t)p->seed, pick, sample, &out->index[i]);
  }
  return CB_OK;
}

cb_status swp_indices(const swp_plan *p, const double *figure, swp_sensitivity *out, cb_err *err) {
  if (p->design != SWP_INDICES)
    return cb_fail(err, CB_E_RANGE, "%s: its design has no indices: design: indices was wanted", p->name);
  const size_t n = (size_t)p->n_cases;
  int *row = malloc(n * sizeof *row), *pick = malloc(n * sizeof *pick);
  double *sample = malloc((size_t)(2 * SAMPLES) * sizeof *sample);
  cb_status st = CB_OK;
  if (!row || !pick || !sample) {
    st = cb_no_memory(err, "%zu cases", n);
  } else {
    rows r = {figure, row, whole_rows(p, figure, row), (int)p->n_variables};
    out->n_rows = r.n;
    st = find_indices(p, &r, pick, sample, out, err);
  }
  free(row);
  free(pick);
  free(sample);
  return st;
}
