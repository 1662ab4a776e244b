#include "cb_stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "cb_uncertainty.h"

void cb_stats_begin(void) { (void)gsl_set_error_handler_off(); }

double cb_mean(const double *x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  double m = sum / (double)n;
  /* A second pass over the residuals removes most of the rounding of the first. */
  double rest = 0;
  for (size_t i = 0; i < n; i++) rest += x[i] - m;
  return m + rest / (double)n;
}

static double autocovariance(const double *x, size_t n, double mean, size_t lag) {
  double sum = 0;
  for (size_t i = 0; i + lag < n; i++) sum += (x[i] - mean) * (x[i + lag] - mean);
  return sum / (double)n;
}

double cb_sd(const double *x, size_t n) {
  if (n < 2) return 0;
  return sqrt(autocovariance(x, n, cb_mean(x, n), 0) * (double)n / (double)(n - 1));
}

void cb_sort(double *x, size_t n) { gsl_sort(x, 1, n); }

/* Parts w, so that w[k] is as if it were sorted, none before it larger and none after it smaller (Hoare
 * 1961). An order of the readings could make the rounds as many as there are readings: what is left after
 * ROUNDS is sorted. */
#define ROUNDS 64

static void part_at(double *w, size_t n, size_t k) {
  size_t low = 0, up = n - 1;
  for (int round = 0; low < up && round < ROUNDS; round++) {
    const double pivot = w[k];
    size_t i = low, j = up + 1; /* j: behind the one that is looked at */
    while (i < j) {
      while (w[i] < pivot) i++;
      while (pivot < w[j - 1]) j--;
      if (i >= j) break;
      const double held = w[i];
      w[i++] = w[j - 1], w[--j] = held;
    }
    if (j <= k && k < i) return;
    if (j <= k)
      low = i;
    else
      up = j - 1;
  }
  if (low < up) gsl_sort(w + low, 1, up - low + 1);
}

double cb_median(const double *x, size_t n, double *work) {
  const size_t middle = (n - 1) / 2;
  if (n == 0) return 0;
  memcpy(work, x, n * sizeof *x);
  part_at(work, n, middle);
  if (n % 2) return work[middle];
  double next = work[middle + 1];
  for (size_t i = middle + 2; i < n; i++)
    if (work[i] < next) next = work[i];
  return (work[middle] + next) / 2;
}

/* Sums of adjacent autocovariances stay positive for a reversible chain; the first negative one is noise, so
 * the sum stops there. Lags beyond n/4 say nothing. Every autocovariance about the sample's own mean is low
 * by the variance of that mean (Priestley 1981, 5.3), and so many of them were summed. */
static double integrated_time(const double *x, size_t n, double mean, double c0) {
  double tau = -1, summed = -1;
  for (size_t lag = 0; lag + 1 <= n / 4; lag += 2) {
    double pair = (autocovariance(x, n, mean, lag) + autocovariance(x, n, mean, lag + 1)) / c0;
    if (pair <= 0) break;
    tau += 2 * pair;
    summed += 4;
  }
  return tau < 1 ? 1 : tau / (1 - summed / (double)n);
}

/* So long a series costs 17 million products at most; a longer one is cut into as many blocks, whose means
 * have the same mean and the same uncertainty of it. */
#define MOST_LAGGED 8192

static double integrated_time_of_blocks(const double *x, size_t n, double mean, double c0) {
  double block[MOST_LAGGED];
  size_t size = (n + MOST_LAGGED - 1) / MOST_LAGGED, m = n / size;
  for (size_t i = 0; i < m; i++) block[i] = cb_mean(x + i * size, size);
  double c0_blocks = autocovariance(block, m, mean, 0);
  if (c0_blocks <= 0) return 1;
  return fmax(1, (double)size * c0_blocks / c0 * integrated_time(block, m, mean, c0_blocks));
}

double cb_mean_uncertainty(const double *x, size_t n, double *n_eff) {
  if (n_eff) *n_eff = (double)n;
  if (n < 2) return 0;
  double mean = cb_mean(x, n);
  double c0 = autocovariance(x, n, mean, 0);
  if (c0 <= 0) return 0;
  double tau = n > MOST_LAGGED ? integrated_time_of_blocks(x, n, mean, c0) : integrated_time(x, n, mean, c0);
  if (n_eff) *n_eff = (double)n / tau;
  return sqrt(c0 / (double)(n - 1) * tau);
}

/* About the mean of x, where slope and height are independent. */
cb_line cb_line_fit(const double *x, const double *y, size_t n) {
  double mx = cb_mean(x, n), my = cb_mean(y, n), sxx = 0, sxy = 0, squares = 0;
  for (size_t i = 0; i < n; i++) {
    sxx += (x[i] - mx) * (x[i] - mx);
    sxy += (x[i] - mx) * (y[i] - my);
  }
  cb_line l = {.slope = sxy / sxx};
  l.intercept = my - l.slope * mx;
  for (size_t i = 0; i < n; i++) {
    double rest = y[i] - my - l.slope * (x[i] - mx);
    squares += rest * rest;
  }
  double variance = n > 2 ? squares / (double)(n - 2) : INFINITY;
  l.residual_sd = sqrt(variance);
  l.u_slope = sqrt(variance / sxx);
  l.u_intercept = sqrt(variance * (1 / (double)n + mx * mx / sxx));
  l.covariance = -variance * mx / sxx;
  return l;
}

double cb_line_root(const cb_line *l, double *u) {
  double root = -l->intercept / l->slope;
  double v =
      l->u_intercept * l->u_intercept + 2 * root * l->covariance + root * root * l->u_slope * l->u_slope;
  *u = sqrt(fmax(v, 0)) / fabs(l->slope);
  return root;
}

bool cb_invert_3x3(double m[3][3], double alike, double inverse[3][3]) {
  double det = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      inverse[j][i] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
      if (i == 0) det += m[0][j] * inverse[j][0];
    }
  if (!(det > alike * m[0][0] * m[1][1] * m[2][2])) return false;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) inverse[i][j] /= det;
  return true;
}

double cb_student_t(double level, double dof) {
  double p = 0.5 + level / 2;
  if (!(level >= 0 && level < 1) || !(dof >= CB_DOF_MIN)) return INFINITY;
  double t = isinf(dof) ? gsl_cdf_ugaussian_Pinv(p) : gsl_cdf_tdist_Pinv(p, dof);
  return isfinite(t) ? t : INFINITY;
}

double cb_normal_quantile(double p) { return gsl_cdf_ugaussian_Pinv(p); }

double cb_t_p_two_sided(double t, double dof) {
  t = fabs(t);
  return 2 * (isinf(dof) ? gsl_cdf_ugaussian_Q(t) : gsl_cdf_tdist_Q(t, dof));
}

double cb_f_p_upper(double f, double nu1, double nu2) { return gsl_cdf_fdist_Q(f, nu1, nu2); }

/* Above it, F times nu1 is chi squared to four digits, and GSL's quantile of F does not converge. */
#define MANY_DOF 1e4

static double f_upper(double f, double nu1, double nu2) {
  return nu2 > MANY_DOF ? gsl_cdf_chisq_Q(f * nu1, nu1) : gsl_cdf_fdist_Q(f, nu1, nu2);
}

/* Upper tails at f of the central F with nu1 + 2 j degrees of freedom, with their factors: none depends on
 * the noncentrality, and the first of them are kept from one noncentrality to the next. */
#define TAILS 512

typedef struct tails {
  double f, nu1, nu2;
  int n; /* so many are listed */
  double upper[TAILS];
} tails;

static double compute_tail(const tails *t, double j) {
  const double nu1 = t->nu1 + 2 * j;
  return f_upper(t->f * t->nu1 / nu1, nu1, t->nu2);
}

static double tail_at(tails *t, int j) {
  if (j >= TAILS) return compute_tail(t, j);
  for (; t->n <= j; t->n++) t->upper[t->n] = compute_tail(t, t->n);
  return t->upper[j];
}

/* P(F > f) of the noncentral F: Poisson's mixture of central ones (Johnson, Kotz, Balakrishnan, Continuous
 * Univariate Distributions 2, chapter 30). */
static double noncentral_f_upper(tails *t, double lambda) {
  const double mean = 0.5 * lambda, last = mean + 12 * sqrt(mean) + 30;
  double p = 0;
  for (int j = 0; j < last; j++) {
    const double share = exp(j * log(mean) - mean - lgamma(j + 1.0));
    p += share * tail_at(t, j);
  }
  return p;
}

double cb_f_noncentrality(double alpha, double power, double nu1, double nu2) {
  if (!(nu1 >= 1) || !(nu2 >= 1)) return INFINITY;
  tails t = {.nu1 = nu1, .nu2 = nu2};
  t.f = nu2 > MANY_DOF ? gsl_cdf_chisq_Qinv(alpha, nu1) / nu1 : gsl_cdf_fdist_Qinv(alpha, nu1, nu2);
  double from = 0, to = 1;
  while (noncentral_f_upper(&t, to) < power && to < 1e5) from = to, to *= 2;
  for (int i = 0; i < 50; i++) {
    const double middle = 0.5 * (from + to);
    if (noncentral_f_upper(&t, middle) < power)
      from = middle;
    else
      to = middle;
  }
  return to;
}
