/* Mean rigidities over the direction -> the constants of a form, with covariance.
 *
 * ln B is fitted, over m = ln sqrt(B1 B2), d = ln sqrt(B1 / B2) and e = H / sqrt(B1 B2), by Gauss-Newton.
 * Fewer directions than constants: e, or d and e, get what published cloths show as one more observation
 * each, so that what was not measured stays uncertain. */
#include <math.h>
#include <string.h>

#include "cb_stats.h"
#include "fit_bending_impl.h"

enum { M, D, E, N_CONSTANTS };

#define TWIST_MIN (-0.999) /* of e; -1 is no stiffness in some direction */

static void rigidities(const double q[N_CONSTANTS], double B_Nm[3]) {
  B_Nm[0] = exp(q[M] + q[D]), B_Nm[1] = q[E] * exp(q[M]), B_Nm[2] = exp(q[M] - q[D]);
}

/* d (B1, H, B2) / d (m, d, e) */
static void jacobian(const double q[N_CONSTANTS], double J[3][N_CONSTANTS]) {
  double B[3];
  rigidities(q, B);
  double full[3][N_CONSTANTS] = {{B[0], B[0], 0}, {B[1], 0, exp(q[M])}, {B[2], -B[2], 0}};
  memcpy(J, full, sizeof full);
}

/* ln B in a direction and its derivatives. */
static double ln_B(cb_bending_form form, const double q[N_CONSTANTS], double angle_rad,
                   double g[N_CONSTANTS]) {
  double B_Nm[3], after_B[3], J[3][N_CONSTANTS];
  rigidities(q, B_Nm);
  jacobian(q, J);
  double B = cb_bending_form_B(form, B_Nm, angle_rad, after_B);
  for (int j = 0; j < N_CONSTANTS; j++) {
    g[j] = 0;
    for (int i = 0; i < 3; i++) g[j] += after_B[i] * J[i][j] / B;
  }
  return log(B);
}

/* Normal equations A x = b of the constants that are free; A stays for the covariance. */
typedef struct normal {
  double A[N_CONSTANTS][N_CONSTANTS], b[N_CONSTANTS], square;
} normal;

static void observe(normal *s, const double g[N_CONSTANTS], double off, double weight) {
  for (int i = 0; i < N_CONSTANTS; i++) {
    for (int j = 0; j < N_CONSTANTS; j++) s->A[i][j] += weight * g[i] * g[j];
    s->b[i] += weight * g[i] * off;
  }
}

static int free_constants(cb_bending_form form) {
  return form == CB_BENDING_ISOTROPIC ? 1 : form == CB_BENDING_PEIRCE ? 2 : 3;
}

/* held: so many constants, from the last, do not follow from the directions. */
static normal gather_normal(cb_bending_form form, int held, const double q[N_CONSTANTS],
                            const fit_bending_mean *m, size_t n) {
  const double published[N_CONSTANTS] = {0, 0, cb_bending_peirce_twist(q[D])};
  static const double u[N_CONSTANTS] = {1, FIT_BENDING_TYPICAL_LN_RATIO, CB_BENDING_U_TWIST};
  normal s = {.square = 0};
  int free = free_constants(form);
  for (size_t k = 0; k < n; k++) {
    double g[N_CONSTANTS], off = log(m[k].B_Nm) - ln_B(form, q, m[k].angle_rad, g);
    for (int i = free; i < N_CONSTANTS; i++) g[i] = 0;
    observe(&s, g, off, 1 / m[k].var_rel);
    s.square += off * off / m[k].var_rel;
  }
  for (int i = free - held; i < free; i++) {
    double g[N_CONSTANTS] = {0};
    g[i] = 1;
    observe(&s, g, published[i] - q[i], 1 / (u[i] * u[i]));
  }
  for (int i = free; i < N_CONSTANTS; i++) s.A[i][i] = 1;
  return s;
}

/* The determinant of the constants' correlations below which directions count as one: with three of them,
 * less than some 10 degrees. */
#define ALIKE 1e-5

static void covariance(const double q[N_CONSTANTS], double of_q[N_CONSTANTS][N_CONSTANTS], int free,
                       double cov_N2m2[3][3]) {
  double J[3][N_CONSTANTS];
  jacobian(q, J);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      cov_N2m2[i][j] = 0;
      for (int a = 0; a < free; a++)
        for (int b = 0; b < free; b++) cov_N2m2[i][j] += J[i][a] * of_q[a][b] * J[j][b];
    }
}

/* How many constants the directions cannot tell: fewer directions than constants, or too close together. */
static int count_held(cb_bending_form form, const double q[N_CONSTANTS], const fit_bending_mean *m,
                      size_t n) {
  double inverse[N_CONSTANTS][N_CONSTANTS];
  int free = free_constants(form), held = n < (size_t)free ? free - (int)n : 0;
  for (; held < free - 1; held++) {
    normal s = gather_normal(form, held, q, m, n);
    if (cb_invert_3x3(s.A, ALIKE, inverse)) break;
  }
  return held;
}

void fit_bending_form_make(cb_bending_form form, const fit_bending_mean *m, size_t n, fit_bending_form *out) {
  double mean = 0, q[N_CONSTANTS] = {0, 0, 1}, inverse[3][3];
  for (size_t k = 0; k < n; k++) mean += log(m[k].B_Nm) / (double)n;
  q[M] = mean;
  int held = count_held(form, q, m, n);
  for (int step = 0; step < 50; step++) {
    normal s = gather_normal(form, held, q, m, n);
    if (!cb_invert_3x3(s.A, ALIKE, inverse)) break;
    double size = 0;
    for (int i = 0; i < N_CONSTANTS; i++) {
      double x = 0;
      for (int j = 0; j < N_CONSTANTS; j++) x += inverse[i][j] * s.b[j];
      /* Far from the solution a whole step may leave what exp() can say. */
      x = fmin(fmax(x, -1), 1);
      if (i == E) x = fmax(x, 0.9 * (TWIST_MIN - q[E]));
      q[i] += x;
      size = fmax(size, fabs(x));
    }
    if (size < 1e-14) break;
  }
  normal s = gather_normal(form, held, q, m, n);
  out->square = s.square;
  out->constants = free_constants(form);
  out->held = held;
  rigidities(q, out->B_Nm);
  if (!cb_invert_3x3(s.A, ALIKE, inverse)) memset(inverse, 0, sizeof inverse);
  covariance(q, inverse, out->constants, out->cov_N2m2);
  if (form == CB_BENDING_PEIRCE) out->B_Nm[1] = 0;
}
