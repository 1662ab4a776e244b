#include "val_small.h"

#include <math.h>
#include <stddef.h>

#define SWEEPS 40

static size_t at(int i, int j, int stride) { return (size_t)i * (size_t)stride + (size_t)j; }

bool val_cholesky(double *a, int n, int stride) {
  for (int j = 0; j < n; j++) {
    double *pivot = &a[at(j, j, stride)], whole = *pivot;
    for (int k = 0; k < j; k++) *pivot -= a[at(j, k, stride)] * a[at(j, k, stride)];
    if (!(*pivot > 1e-13 * whole)) return false;
    *pivot = sqrt(*pivot);
    for (int i = j + 1; i < n; i++) {
      double *below = &a[at(i, j, stride)];
      for (int k = 0; k < j; k++) *below -= a[at(i, k, stride)] * a[at(j, k, stride)];
      *below /= *pivot;
    }
  }
  return true;
}

void val_forward(const double *l, int n, int stride, double *x) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= l[at(i, k, stride)] * x[k];
    x[i] /= l[at(i, i, stride)];
  }
}

void val_backward(const double *l, int n, int stride, double *x) {
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= l[at(k, i, stride)] * x[k];
    x[i] /= l[at(i, i, stride)];
  }
}

/* ---- eigenvalues ---- */

static void rotate_pair(double a[4][4], double vector[4][4], int n, int p, int q) {
  if (a[p][q] == 0) return;
  double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]),
         t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1)), c = 1 / hypot(t, 1), s = t * c;
  for (int k = 0; k < n; k++) {
    double kp = a[k][p], kq = a[k][q];
    a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < n; k++) {
    double pk = a[p][k], qk = a[q][k], vp = vector[k][p], vq = vector[k][q];
    a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
    vector[k][p] = c * vp - s * vq, vector[k][q] = s * vp + c * vq;
  }
}

static void swap_columns(double a[4][4], double vector[4][4], int n, int p, int q) {
  double d = a[p][p];
  a[p][p] = a[q][q], a[q][q] = d;
  for (int k = 0; k < n; k++) d = vector[k][p], vector[k][p] = vector[k][q], vector[k][q] = d;
}

void val_eigen(double a[4][4], int n, double value[4], double vector[4][4]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) vector[i][j] = i == j;
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) rotate_pair(a, vector, n, p, q);
  for (int p = 0; p < n; p++)
    for (int q = p + 1; q < n; q++)
      if (a[q][q] < a[p][p]) swap_columns(a, vector, n, p, q);
  for (int i = 0; i < n; i++) value[i] = a[i][i];
}
