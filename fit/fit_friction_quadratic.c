#include "fit_friction_quadratic.h"

#include <math.h>

void fit_row(double angle_rad, double row[3]) {
  double c = cos(angle_rad), s = sin(angle_rad);
  row[0] = c * c, row[1] = 2 * s * c, row[2] = s * s;
}

double fit_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double fit_smallest_eigenvalue(const double f[3]) { return 0.5 * (f[0] + f[2]) - hypot(0.5 * (f[0] - f[2]), f[1]); }

bool fit_is_held(const double f[3]) { return fit_smallest_eigenvalue(f) < FIT_EIGEN_FLOOR * (f[0] + f[2]); }

void fit_normal_add(fit_normal *n, const double row[3], double force_N, double var_N2) {
  const double w = 1 / var_N2;
  for (int i = 0; i < 3; i++) {
    const double wi = w * row[i];
    n->b[i] += wi * force_N;
    for (int j = 0; j < 3; j++) n->a[i][j] += wi * row[j];
  }
}

size_t fit_form_size(cb_friction_form form) { return form == CB_FORM_GENERAL ? 3 : form == CB_FORM_ORTHOTROPIC ? 2 : 1; }

void fit_form_basis(cb_friction_form form, size_t j, double column[3]) {
  static const double basis[3][3][3] = {{{1, 0, 1}}, {{1, 0, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int i = 0; i < 3; i++) column[i] = basis[form][j][i];
}

/* Gauss-Jordan on the matrix scaled to a unit diagonal; without pivoting, which a positive definite matrix does not need. */
bool fit_invert(double m[4][4], size_t n) {
  double scale[4];
  for (size_t i = 0; i < n; i++) {
    if (!(m[i][i] > 0) || !isfinite(m[i][i])) return false;
    scale[i] = 1 / sqrt(m[i][i]);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) m[i][j] *= scale[i] * scale[j];
  for (size_t k = 0; k < n; k++) {
    double pivot = m[k][k];
    if (!(pivot > 1e-13)) return false;
    m[k][k] = 1;
    for (size_t j = 0; j < n; j++) m[k][j] /= pivot;
    for (size_t i = 0; i < n; i++) {
      double factor = m[i][k];
      if (i == k) continue;
      m[i][k] = 0;
      for (size_t j = 0; j < n; j++) m[i][j] -= factor * m[k][j];
    }
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) m[i][j] *= scale[i] * scale[j];
  return true;
}

bool fit_normal_solve(const fit_normal *n, cb_friction_form form, double f[3], double cov[3][3]) {
  size_t m = fit_form_size(form);
  double basis[3][3], a[4][4] = {{0}}, b[3] = {0};
  for (size_t i = 0; i < m; i++) fit_form_basis(form, i, basis[i]);
  for (size_t i = 0; i < m; i++) {
    b[i] = fit_dot(basis[i], n->b);
    for (size_t j = 0; j < m; j++)
      for (int p = 0; p < 3; p++) a[i][j] += basis[i][p] * fit_dot(n->a[p], basis[j]);
  }
  if (!fit_invert(a, m)) return false;
  for (int p = 0; p < 3; p++) {
    f[p] = 0;
    for (int q = 0; q < 3; q++) cov[p][q] = 0;
    for (size_t i = 0; i < m; i++)
      for (size_t j = 0; j < m; j++) {
        f[p] += basis[i][p] * a[i][j] * b[j];
        for (int q = 0; q < 3; q++) cov[p][q] += basis[i][p] * a[i][j] * basis[j][q];
      }
  }
  return true;
}

/* On the boundary the matrix is m (e e^T + floor e' e'^T) with e at angle phi: for a given phi the best m is linear. Returns the misfit but
 * for a constant. */
static double boundary_misfit(const fit_normal *n, double phi, double f[3]) {
  double shape[3], across[3], b, a = 0;
  fit_row(phi, shape);
  fit_row(phi + 1.57079632679489661923, across);
  for (int j = 0; j < 3; j++) shape[j] += FIT_EIGEN_FLOOR * across[j];
  shape[1] *= 0.5; /* a row has 2 s c */
  b = fit_dot(n->b, shape);
  for (int i = 0; i < 3; i++) a += shape[i] * fit_dot(n->a[i], shape);
  double m = fmax(b / a, 0);
  for (int j = 0; j < 3; j++) f[j] = m * shape[j];
  return m * (m * a - 2 * b);
}

/* One angle to search, by a coarse scan and then bisection of the step; the orthotropic form has two ends only. */
void fit_normal_boundary(const fit_normal *n, cb_friction_form form, double f[3]) {
  const double pi = 3.14159265358979323846;
  const int scan = form == CB_FORM_GENERAL ? 360 : 2;
  double g[3], best = 0, lowest = INFINITY;
  for (int i = 0; i < scan; i++) {
    double phi = pi * i / scan, misfit = boundary_misfit(n, phi, g);
    if (misfit < lowest) lowest = misfit, best = phi;
  }
  for (double step = pi / scan; form == CB_FORM_GENERAL && step > 1e-10;) {
    double left = boundary_misfit(n, best - step, g), right = boundary_misfit(n, best + step, g);
    if (left < lowest)
      lowest = left, best -= step;
    else if (right < lowest)
      lowest = right, best += step;
    else
      step /= 2;
  }
  (void)boundary_misfit(n, best, f);
  if (form != CB_FORM_GENERAL) f[1] = 0;
}
