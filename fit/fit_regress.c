#include "fit_regress.h"

#include <math.h>
#include <string.h>

/* A column whose own part, beside those before it, is smaller cannot be told from them. */
#define LEAST_PART 1e-5

void fit_regress_add(fit_regress *r, const double *x, double y, double weight) {
  size_t n = r->n_columns;
  r->weight += weight;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) r->m[i][j] += weight * x[i] * x[j];
  for (size_t j = 0; j < n; j++) r->m[n][j] += weight * y * x[j];
  r->m[n][n] += weight * y * y;
}

void fit_regress_remove(fit_regress *r, const double *x, double y, double weight) {
  fit_regress_add(r, x, y, -weight);
}

/* Row i of the Cholesky factor, up to its diagonal. */
static void factor_row(const fit_regress *r, const fit_regression *out, size_t i,
                       double lower[FIT_COLUMNS + 1][FIT_COLUMNS + 1]) {
  double rest = r->m[i][i];
  for (size_t j = 0; j < i; j++) {
    double sum = r->m[i][j];
    for (size_t k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k];
    lower[i][j] = out->used[j] ? sum / lower[j][j] : 0;
    rest -= lower[i][j] * lower[i][j];
  }
  lower[i][i] = rest;
}

void fit_regress_solve(const fit_regress *r, fit_regression *out) {
  double lower[FIT_COLUMNS + 1][FIT_COLUMNS + 1] = {{0}}, up[FIT_COLUMNS][FIT_COLUMNS] = {{0}};
  size_t n = r->n_columns;
  memset(out, 0, sizeof *out);
  for (size_t i = 0; i < n; i++) {
    factor_row(r, out, i, lower);
    out->used[i] = lower[i][i] > LEAST_PART * fmax(r->m[i][i], r->weight);
    out->rank += out->used[i];
    lower[i][i] = out->used[i] ? sqrt(lower[i][i]) : 0;
  }
  factor_row(r, out, n, lower);
  out->rest = fmax(0, lower[n][n]);
  /* up: the inverse of the factor, transposed. */
  for (size_t j = 0; j < n; j++) {
    out->square[j] = lower[n][j] * lower[n][j];
    if (!out->used[j]) continue;
    up[j][j] = 1 / lower[j][j];
    for (size_t i = j + 1; i < n; i++) {
      double sum = 0;
      for (size_t k = j; k < i; k++) sum -= lower[i][k] * up[j][k];
      up[j][i] = out->used[i] ? sum / lower[i][i] : 0;
    }
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t k = i; k < n; k++) out->beta[i] += up[i][k] * lower[n][k];
    for (size_t j = 0; j <= i; j++) {
      for (size_t k = i; k < n; k++) out->inverse[i][j] += up[i][k] * up[j][k];
      out->inverse[j][i] = out->inverse[i][j];
    }
  }
}
