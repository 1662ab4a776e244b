/* The models of NIST's nonlinear regression sets (tests/strd), one point at a time: value, and d[j] =
 * derivative by b[j]. */
#ifndef STRD_MODELS_H
#define STRD_MODELS_H

#include <math.h>
#include <stddef.h>

#define STRD_PI 3.14159265358979323846

typedef double strd_model(const double *x, const double *b, double *d);

static double strd_misra1a(const double *x, const double *b, double *d) {
  double e = exp(-b[1] * x[0]);
  d[0] = 1 - e;
  d[1] = b[0] * x[0] * e;
  return b[0] * d[0];
}

static double strd_misra1b(const double *x, const double *b, double *d) {
  double s = 1 + b[1] * x[0] / 2;
  d[0] = 1 - 1 / (s * s);
  d[1] = b[0] * x[0] / (s * s * s);
  return b[0] * d[0];
}

static double strd_misra1c(const double *x, const double *b, double *d) {
  double s = 1 + 2 * b[1] * x[0];
  d[0] = 1 - 1 / sqrt(s);
  d[1] = b[0] * x[0] / (s * sqrt(s));
  return b[0] * d[0];
}

static double strd_misra1d(const double *x, const double *b, double *d) {
  double s = 1 + b[1] * x[0];
  d[0] = b[1] * x[0] / s;
  d[1] = b[0] * x[0] / (s * s);
  return b[0] * d[0];
}

static double strd_chwirut(const double *x, const double *b, double *d) {
  double q = b[1] + b[2] * x[0], y = exp(-b[0] * x[0]) / q;
  d[0] = -x[0] * y;
  d[1] = -y / q;
  d[2] = -x[0] * y / q;
  return y;
}

static double strd_danwood(const double *x, const double *b, double *d) {
  d[0] = pow(x[0], b[1]);
  d[1] = b[0] * d[0] * log(x[0]);
  return b[0] * d[0];
}

/* (b0 + b1 x ... + b_top x^top) / (1 + b_(top+1) x ... + b_(2 top) x^top) */
static double strd_rational(const double *x, const double *b, double *d, size_t top) {
  double power = 1, above = b[0], below = 1;
  d[0] = 1;
  for (size_t k = 1; k <= top; k++) {
    d[k] = power *= x[0];
    above += b[k] * power;
    below += b[top + k] * power;
  }
  double y = above / below;
  for (size_t k = 1; k <= top; k++) d[top + k] = -y * d[k] / below;
  for (size_t k = 0; k <= top; k++) d[k] /= below;
  return y;
}
static double strd_kirby2(const double *x, const double *b, double *d) { return strd_rational(x, b, d, 2); }
static double strd_cubic(const double *x, const double *b, double *d) { return strd_rational(x, b, d, 3); }

static double strd_nelson(const double *x, const double *b, double *d) {
  double e = exp(-b[2] * x[1]);
  d[0] = 1;
  d[1] = -x[0] * e;
  d[2] = b[1] * x[0] * x[1] * e;
  return b[0] + b[1] * d[1];
}

static double strd_mgh09(const double *x, const double *b, double *d) {
  double above = x[0] * (x[0] + b[1]), below = x[0] * (x[0] + b[2]) + b[3], y = b[0] * above / below;
  d[0] = above / below;
  d[1] = b[0] * x[0] / below;
  d[2] = -y * x[0] / below;
  d[3] = -y / below;
  return y;
}

static double strd_mgh10(const double *x, const double *b, double *d) {
  double s = x[0] + b[2];
  d[0] = exp(b[1] / s);
  d[1] = b[0] * d[0] / s;
  d[2] = -b[0] * d[0] * b[1] / (s * s);
  return b[0] * d[0];
}

static double strd_mgh17(const double *x, const double *b, double *d) {
  d[0] = 1;
  d[1] = exp(-x[0] * b[3]);
  d[2] = exp(-x[0] * b[4]);
  d[3] = -x[0] * b[1] * d[1];
  d[4] = -x[0] * b[2] * d[2];
  return b[0] + b[1] * d[1] + b[2] * d[2];
}

static double strd_lanczos(const double *x, const double *b, double *d) {
  double y = 0;
  for (size_t k = 0; k < 6; k += 2) {
    d[k] = exp(-b[k + 1] * x[0]);
    d[k + 1] = -x[0] * b[k] * d[k];
    y += b[k] * d[k];
  }
  return y;
}

static double strd_gauss(const double *x, const double *b, double *d) {
  d[0] = exp(-b[1] * x[0]);
  d[1] = -x[0] * b[0] * d[0];
  double y = b[0] * d[0];
  for (size_t k = 2; k < 8; k += 3) {
    double z = (x[0] - b[k + 1]) / b[k + 2];
    d[k] = exp(-z * z);
    d[k + 1] = 2 * b[k] * d[k] * z / b[k + 2];
    d[k + 2] = 2 * b[k] * d[k] * z * z / b[k + 2];
    y += b[k] * d[k];
  }
  return y;
}

static double strd_enso(const double *x, const double *b, double *d) {
  double y = b[0], year = 2 * STRD_PI * x[0] / 12;
  d[0] = 1;
  d[1] = cos(year);
  d[2] = sin(year);
  y += b[1] * d[1] + b[2] * d[2];
  for (size_t k = 3; k < 9; k += 3) {
    double angle = 2 * STRD_PI * x[0] / b[k];
    d[k + 1] = cos(angle);
    d[k + 2] = sin(angle);
    d[k] = (b[k + 1] * d[k + 2] - b[k + 2] * d[k + 1]) * angle / b[k];
    y += b[k + 1] * d[k + 1] + b[k + 2] * d[k + 2];
  }
  return y;
}

static double strd_eckerle4(const double *x, const double *b, double *d) {
  double z = (x[0] - b[2]) / b[1], y = b[0] / b[1] * exp(-0.5 * z * z);
  d[0] = exp(-0.5 * z * z) / b[1];
  d[1] = y * (z * z - 1) / b[1];
  d[2] = y * z / b[1];
  return y;
}

static double strd_rat42(const double *x, const double *b, double *d) {
  double e = exp(b[1] - b[2] * x[0]), s = 1 + e, y = b[0] / s;
  d[0] = 1 / s;
  d[1] = -y * e / s;
  d[2] = y * e / s * x[0];
  return y;
}

static double strd_rat43(const double *x, const double *b, double *d) {
  double e = exp(b[1] - b[2] * x[0]), s = 1 + e, y = b[0] * pow(s, -1 / b[3]);
  d[0] = pow(s, -1 / b[3]);
  d[1] = -y * e / (b[3] * s);
  d[2] = y * e / (b[3] * s) * x[0];
  d[3] = y * log(s) / (b[3] * b[3]);
  return y;
}

static double strd_roszman1(const double *x, const double *b, double *d) {
  double s = x[0] - b[3], q = b[2] / s, g = 1 / (STRD_PI * (1 + q * q));
  d[0] = 1;
  d[1] = -x[0];
  d[2] = -g / s;
  d[3] = -g * q / s;
  return b[0] - b[1] * x[0] - atan(q) / STRD_PI;
}

static double strd_bennett5(const double *x, const double *b, double *d) {
  double s = b[1] + x[0];
  d[0] = pow(s, -1 / b[2]);
  d[1] = -b[0] * d[0] / (b[2] * s);
  d[2] = b[0] * d[0] * log(s) / (b[2] * b[2]);
  return b[0] * d[0];
}

#endif
