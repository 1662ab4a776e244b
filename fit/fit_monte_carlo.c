#include "fit_monte_carlo.h"

#include <math.h>
#include <stdlib.h>

#include "cb_rng.h"
#include "cb_stats.h"

#define LEVEL 0.95

const char *const fit_mc_outcome_text[] = {"settled", "not settled after 1000000 draws", "nothing varies"};

/* What is averaged over the blocks. */
enum { MEAN, SD, LOW, HIGH, N_OUTPUTS };

typedef struct block_stats {
  size_t n;
  double sum[N_OUTPUTS], square[N_OUTPUTS]; /* of departures from the first block, so that the squares keep
                                               their digits */
  double first[N_OUTPUTS];
} block_stats;

/* Clause 7.7.2: y_(r), y_(r + q) with q = p M and r = (M - q) / 2. */
static void symmetric_interval(const double *sorted, size_t n, double *low, double *high) {
  size_t q = (size_t)(LEVEL * (double)n + 0.5), r = (n - q) / 2;
  *low = sorted[r];
  *high = sorted[r + q];
}

/* Clause 5.3.4: of all intervals that hold q values, the shortest. */
static void shortest_interval(const double *sorted, size_t n, double *low, double *high) {
  size_t q = (size_t)(LEVEL * (double)n + 0.5), best = 0;
  for (size_t r = 1; r + q < n; r++)
    if (sorted[r + q] - sorted[r] < sorted[best + q] - sorted[best]) best = r;
  *low = sorted[best];
  *high = sorted[best + q];
}

/* Clause 7.9.2: u = c 10^l with c of so many digits; half a unit of its last one. */
static double tolerance_of(double u, int digits) {
  if (!(u > 0)) return 0;
  double l = floor(log10(u)) - (digits - 1);
  if (round(u / pow(10, l)) >= pow(10, digits)) l++;
  return 0.5 * pow(10, l);
}

static void add_block(block_stats *b, double *values) {
  double x[N_OUTPUTS] = {cb_mean(values, FIT_MC_BLOCK), cb_sd(values, FIT_MC_BLOCK)};
  cb_sort(values, FIT_MC_BLOCK);
  symmetric_interval(values, FIT_MC_BLOCK, &x[LOW], &x[HIGH]);
  for (int i = 0; i < N_OUTPUTS; i++) {
    if (b->n == 0) b->first[i] = x[i];
    double d = x[i] - b->first[i];
    b->sum[i] += d;
    b->square[i] += d * d;
  }
  b->n++;
}

/* Standard deviation of the average over the blocks. */
static double block_sd(const block_stats *b, int i) {
  double h = (double)b->n, mean = b->sum[i] / h;
  return sqrt(fmax(0, b->square[i] / h - mean * mean) / (h - 1));
}

static bool is_settled(const block_stats *b, double tolerance) {
  if (b->n < 2) return false;
  for (int i = 0; i < N_OUTPUTS; i++)
    if (2 * block_sd(b, i) > tolerance) return false;
  return true;
}

static void draw_block(const cb_friction_law *law, double angle_rad, double N, cb_rng *rng, double *values) {
  cb_friction_law one;
  double f[3];
  for (size_t i = 0; i < FIT_MC_BLOCK; i++) {
    cb_friction_law_draw(law, rng, &one);
    cb_friction_law_matrix(&one, N, f);
    values[i] = cb_friction_quadratic(f, angle_rad);
  }
}

static void compare_value(const cb_friction_value *v, fit_monte_carlo *out) {
  double U = cb_student_t(LEVEL, v->dof) * v->u_force_N;
  out->linear_low_N = v->force_N - U;
  out->linear_high_N = v->force_N + U;
  out->d_low_N = fabs(out->linear_low_N - out->low_N);
  out->d_high_N = fabs(out->linear_high_N - out->high_N);
  for (int k = 0; k < FIT_MC_DIGITS; k++) {
    out->tolerance_N[k] = tolerance_of(v->u_force_N, k + 1);
    if (out->digits == k && fmax(out->d_low_N, out->d_high_N) <= out->tolerance_N[k]) out->digits = k + 1;
  }
}

static void nothing_varies(const cb_friction_value *v, fit_monte_carlo *out) {
  *out = (fit_monte_carlo){
      .outcome = FIT_MC_CERTAIN, .mean_N = v->force_N, .low_N = v->force_N, .high_N = v->force_N};
  out->shortest_low_N = out->shortest_high_N = v->force_N;
  compare_value(v, out);
}

cb_status fit_monte_carlo_force(const cb_friction_law *law, double angle_rad, double normal_force_N,
                                uint64_t seed, fit_monte_carlo *out, cb_err *err) {
  cb_friction_value v;
  cb_rng rng;
  block_stats b = {.n = 0};
  bool settled = false;
  cb_friction_law_eval(law, angle_rad, normal_force_N, &v);
  nothing_varies(&v, out);
  if (!(v.u_force_N > 0)) return CB_OK;
  double *values = malloc((size_t)FIT_MC_BLOCKS * FIT_MC_BLOCK * sizeof *values);
  if (!values) return cb_no_memory(err, "%d draws of a friction law", FIT_MC_BLOCKS * FIT_MC_BLOCK);
  cb_rng_init(&rng, seed, 0);
  while (b.n < FIT_MC_BLOCKS && !settled) {
    double *block = values + b.n * FIT_MC_BLOCK;
    draw_block(law, angle_rad, normal_force_N, &rng, block);
    add_block(&b, block);
    settled = is_settled(&b, tolerance_of(b.first[SD] + b.sum[SD] / (double)b.n, FIT_MC_DIGITS));
  }
  /* Clause 7.9.4 j: the results are those of all draws together. */
  *out =
      (fit_monte_carlo){.outcome = settled ? FIT_MC_STABLE : FIT_MC_NOT_STABLE, .draws = b.n * FIT_MC_BLOCK};
  out->doubt_N = 2 * fmax(block_sd(&b, LOW), block_sd(&b, HIGH));
  out->mean_N = cb_mean(values, out->draws);
  out->u_N = cb_sd(values, out->draws);
  cb_sort(values, out->draws);
  symmetric_interval(values, out->draws, &out->low_N, &out->high_N);
  shortest_interval(values, out->draws, &out->shortest_low_N, &out->shortest_high_N);
  free(values);
  compare_value(&v, out);
  return CB_OK;
}
