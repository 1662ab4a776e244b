#include "fit_friction_quadratic.h"

#include <math.h>

#include "cb_num.h"

void fit_row(double angle_rad, double row[3]) {
  double c = cos(angle_rad), s = sin(angle_rad);
  row[0] = c * c, row[1] = 2 * s * c, row[2] = s * s;
}

double fit_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double fit_smallest_eigenvalue(const double f[3]) {
  return 0.5 * (f[0] + f[2]) - hypot(0.5 * (f[0] - f[2]), f[1]);
}

bool fit_is_held(const double f[3]) { return fit_smallest_eigenvalue(f) < FIT_EIGEN_FLOOR * (f[0] + f[2]); }

void fit_normal_add(fit_normal *n, const double row[3], double force_N, double weight) {
  for (int i = 0; i < 3; i++) {
    const double wi = weight * row[i];
    n->b[i] += wi * force_N;
    for (int j = 0; j < 3; j++) n->a[i][j] += wi * row[j];
  }
}

size_t fit_form_size(cb_friction_form form) {
  return form == CB_FORM_GENERAL ? 3 : form == CB_FORM_ORTHOTROPIC ? 2 : 1;
}

void fit_form_basis(cb_friction_form form, size_t j, double column[3]) {
  static const double basis[3][3][3] = {
      {{1, 0, 1}}, {{1, 0, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int i = 0; i < 3; i++) column[i] = basis[form][j][i];
}

/* Gauss-Jordan on the matrix scaled to a unit diagonal; without pivoting, which a positive definite matrix
 * does not need. */
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

/* The normal equations in the form's own numbers; returns how many. */
static size_t reduce(const fit_normal *n, cb_friction_form form, double a[4][4], double b[3]) {
  static const int index[3][3] = {{0}, {0, 2}, {0, 1, 2}};
  const size_t m = fit_form_size(form);
  if (form == CB_FORM_ISOTROPIC) {
    a[0][0] = n->a[0][0] + 2 * n->a[0][2] + n->a[2][2];
    b[0] = n->b[0] + n->b[2];
    return m;
  }
  for (size_t i = 0; i < m; i++) {
    b[i] = n->b[index[form][i]];
    for (size_t j = 0; j < m; j++) a[i][j] = n->a[index[form][i]][index[form][j]];
  }
  return m;
}

/* The matrix of the form with these numbers. */
static void expand(cb_friction_form form, const double x[3], double f[3]) {
  f[0] = x[0];
  f[1] = form == CB_FORM_GENERAL ? x[1] : 0;
  f[2] = form == CB_FORM_ISOTROPIC ? x[0] : form == CB_FORM_ORTHOTROPIC ? x[1] : x[2];
}

/* By the factors L D L^T; a pivot that is that much smaller than its diagonal is rounding. */
static bool factor_matrix(double a[4][4], size_t m) {
  for (size_t k = 0; k < m; k++) {
    const double diagonal = a[k][k];
    for (size_t j = 0; j < k; j++) a[k][k] -= a[k][j] * a[k][j] * a[j][j];
    if (!(a[k][k] > 1e-13 * diagonal) || !isfinite(diagonal)) return false;
    for (size_t i = k + 1; i < m; i++) {
      for (size_t j = 0; j < k; j++) a[i][k] -= a[i][j] * a[k][j] * a[j][j];
      a[i][k] /= a[k][k];
    }
  }
  return true;
}

bool fit_normal_best(const fit_normal *n, cb_friction_form form, double f[3]) {
  double a[4][4] = {{0}}, x[3] = {0};
  const size_t m = reduce(n, form, a, x);
  if (!factor_matrix(a, m)) return false;
  for (size_t k = 0; k < m; k++)
    for (size_t j = 0; j < k; j++) x[k] -= a[k][j] * x[j];
  for (size_t k = m; k-- > 0;) {
    x[k] /= a[k][k];
    for (size_t i = k + 1; i < m; i++) x[k] -= a[i][k] * x[i];
  }
  expand(form, x, f);
  return true;
}

bool fit_normal_solve(const fit_normal *n, cb_friction_form form, double f[3], double cov[3][3]) {
  double a[4][4] = {{0}}, b[3] = {0}, x[3] = {0}, column[3][3] = {{0}}, row[3] = {0};
  const size_t m = reduce(n, form, a, b);
  if (!fit_invert(a, m)) return false;
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < m; j++) x[i] += a[i][j] * b[j];
    expand(form, a[i], column[i]);
  }
  expand(form, x, f);
  for (int q = 0; q < 3; q++) {
    for (size_t i = 0; i < m; i++) row[i] = column[i][q];
    expand(form, row, cov[q]);
  }
  return true;
}

/* On the boundary the matrix is m (e e^T + ratio e' e'^T) with e at angle phi: for a given phi the best m is
 * linear. Returns the misfit but for a constant. */
static double boundary_misfit(const fit_normal *n, double phi, double ratio, double f[3]) {
  double c = cos(phi), s = sin(phi),
         shape[3] = {c * c + ratio * s * s, (1 - ratio) * s * c, s * s + ratio * c * c}, a = 0;
  for (int i = 0; i < 3; i++) a += shape[i] * fit_dot(n->a[i], shape);
  double b = fit_dot(n->b, shape), m = fmax(b / a, 0);
  for (int j = 0; j < 3; j++) f[j] = m * shape[j];
  return m * (m * a - 2 * b);
}

/* One angle to search, by a coarse scan and then bisection of the step; the orthotropic form has two ends
 * only. */
void fit_normal_boundary(const fit_normal *n, cb_friction_form form, double ratio, double f[3]) {
  const int scan = form == CB_FORM_GENERAL ? 180 : 2;
  double g[3], best = 0, lowest = INFINITY;
  for (int i = 0; i < scan; i++) {
    double phi = CB_PI * i / scan, misfit = boundary_misfit(n, phi, ratio, g);
    if (misfit < lowest) lowest = misfit, best = phi;
  }
  for (double step = CB_PI / scan; form == CB_FORM_GENERAL && step > 1e-10;) {
    double left = boundary_misfit(n, best - step, ratio, g),
           right = boundary_misfit(n, best + step, ratio, g);
    if (left < lowest)
      lowest = left, best -= step;
    else if (right < lowest)
      lowest = right, best += step;
    else
      step /= 2;
  }
  (void)boundary_misfit(n, best, ratio, f);
  if (form != CB_FORM_GENERAL) f[1] = 0;
}
