/* The sources of a law's uncertainty are independent, each of size one: z ~ N(0, I), and the relative error
 * of the force at a point is e . z. A run at the point c with relative variance v leaves z with the
 * covariance I - e_c e_c^T / (e_c . e_c + v). Its square root is I - b e_c e_c^T with b = (1 - sqrt(v / (e_c
 * . e_c + v))) / (e_c . e_c) (Potter's form of the Kalman filter; Bierman, "Factorization Methods for
 * Discrete Sequential Estimation", 1977, ch. II.7), so that multiplying every e by it makes the sources
 * independent again. */
#include "fit_plan_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs at the same bench share what is wrong with its calibration and its weights, and cannot tell. */
static bool is_reducible(const cb_friction_shared *s) {
  static const char *const sources[] = {"shape", "level", "parameters", "candidates"};
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
    if (strcmp(s->source, sources[i]) == 0) return true;
  return false;
}

cb_status fit_field_init(fit_field *f, size_t n, const cb_friction_law *law, cb_err *err) {
  *f = (fit_field){.n = n, .n_sources = 4 * law->n_knots + law->n_shared + 3};
  f->effect = calloc(n, f->n_sources * sizeof *f->effect);
  f->fixed = calloc(n, sizeof *f->fixed);
  return f->effect && f->fixed ? CB_OK : cb_no_memory(err, "the uncertainty at %zu points", n);
}

void fit_field_clear(fit_field *f) {
  free(f->effect);
  free(f->fixed);
  *f = (fit_field){.n = 0};
}

void fit_field_copy(fit_field *to, const fit_field *from) {
  memcpy(to->effect, from->effect, from->n * from->n_sources * sizeof *from->effect);
  memcpy(to->fixed, from->fixed, from->n * sizeof *from->fixed);
}

static const double *row_of(const fit_field *f, size_t point) { return f->effect + point * f->n_sources; }

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

void fit_field_set(fit_field *f, size_t point, const cb_friction_law *law, double angle_rad,
                   double normal_force_N) {
  double rel[CB_LAW_MAX_EFFECTS], *row = f->effect + point * f->n_sources, fixed = 0;
  size_t n = cb_friction_law_effects(law, angle_rad, normal_force_N, rel), shared = 3 * law->n_knots;
  for (size_t i = 0; i < n; i++) {
    bool is_shared = i >= shared && i < shared + law->n_shared;
    bool fixes = i + 1 == n || (is_shared && !is_reducible(&law->shared[i - shared]));
    row[i] = fixes ? 0 : rel[i];
    if (fixes) fixed += rel[i] * rel[i];
  }
  f->fixed[point] = fixed;
}

double fit_field_mean_var(const fit_field *f, size_t from) {
  double sum = 0;
  for (size_t i = from; i < f->n; i++) sum += dot(row_of(f, i), row_of(f, i), f->n_sources);
  return sum / (double)(f->n - from);
}

double fit_field_mean_fixed(const fit_field *f, size_t from) {
  double sum = 0;
  for (size_t i = from; i < f->n; i++) sum += f->fixed[i];
  return sum / (double)(f->n - from);
}

double fit_field_gain(const fit_field *f, size_t point, double var_rel, size_t from) {
  const double *at = row_of(f, point);
  double own = dot(at, at, f->n_sources), sum = 0;
  if (!(own > 0)) return 0;
  for (size_t i = from; i < f->n; i++) {
    double with = dot(at, row_of(f, i), f->n_sources);
    sum += with * with;
  }
  return sum / (own + var_rel) / (double)(f->n - from);
}

void fit_field_observe(fit_field *f, size_t point, double var_rel) {
  double at[CB_LAW_MAX_EFFECTS];
  memcpy(at, row_of(f, point), f->n_sources * sizeof *at);
  double own = dot(at, at, f->n_sources);
  if (!(own > 0)) return;
  double step = (1 - sqrt(var_rel / (own + var_rel))) / own;
  for (size_t i = 0; i < f->n; i++) {
    double *row = f->effect + i * f->n_sources, with = step * dot(at, row, f->n_sources);
    for (size_t k = 0; k < f->n_sources; k++) row[k] -= with * at[k];
  }
}
