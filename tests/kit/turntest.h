/* The turn that is nearest to a matrix, found in another way than the product does: by all four eigenvalues
 * of Davenport's matrix. */
#ifndef TURNTEST_H
#define TURNTEST_H

#include <math.h>
#include <string.h>

/* Cyclic Jacobi rotations: eigenvalues on the diagonal, vectors in the columns of v. */
static inline void turntest_eigen(double m[4][4], double v[4][4]) {
  for (int i = 0; i < 16; i++) v[i / 4][i % 4] = i / 4 == i % 4;
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < 4; p++)
      for (int q = p + 1; q < 4; q++) {
        double angle = 0.5 * atan2(2 * m[p][q], m[q][q] - m[p][p]), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 4; k++) {
          double a = m[k][p], b = m[k][q], x = v[k][p], y = v[k][q];
          m[k][p] = c * a - s * b, m[k][q] = s * a + c * b;
          v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 4; k++) {
          double a = m[p][k], b = m[q][k];
          m[p][k] = c * a - s * b, m[q][k] = s * a + c * b;
        }
      }
}

/* The turn with the most tr(R' F), which is returned: the largest eigenvalue, its vector the quaternion (P.
 * Davenport, NASA TN D-4696, 1968). */
static inline double turntest_nearest(const double f[3][3], double r[3][3]) {
  double m[4][4], v[4][4];
  m[0][0] = f[0][0] + f[1][1] + f[2][2];
  for (int k = 0; k < 3; k++) {
    m[0][k + 1] = m[k + 1][0] = f[(k + 2) % 3][(k + 1) % 3] - f[(k + 1) % 3][(k + 2) % 3];
    for (int l = 0; l < 3; l++) m[k + 1][l + 1] = f[k][l] + f[l][k] - (k == l ? m[0][0] : 0);
  }
  turntest_eigen(m, v);
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (m[k][k] > m[best][best]) best = k;
  double w = v[0][best], x = v[1][best], y = v[2][best], z = v[3][best];
  const double out[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(r, out, sizeof out);
  return m[best][best];
}

static inline double turntest_determinant(const double f[3][3]) {
  return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
         f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
         f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

#endif
