/* A body's step against truth: the frames of its elements against the largest eigenvalue of Davenport's matrix, the linear system against
 * a dense one made and solved in another way; ill conditions; what the preconditioner promises; threads. */
#include "cbtest.h"

#include <float.h>
#include <omp.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_blocks.h"
#include "sim_elastic.h"

#define MOST 60 /* vertices of a dense system */

/* ---- the nearest turn, in another way ---- */

/* Cyclic Jacobi rotations: eigenvalues on the diagonal, vectors in the columns of v. */
static void eigen(double m[4][4], double v[4][4]) {
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

/* The turn with the most tr(R' F), which is returned: the largest eigenvalue, its vector the quaternion (P. Davenport, NASA TN D-4696,
 * 1968). gap: to the next. */
static double nearest_turn(const double f[3][3], double r[3][3], double *gap) {
  double m[4][4], v[4][4];
  m[0][0] = f[0][0] + f[1][1] + f[2][2];
  for (int k = 0; k < 3; k++) {
    m[0][k + 1] = m[k + 1][0] = f[(k + 2) % 3][(k + 1) % 3] - f[(k + 1) % 3][(k + 2) % 3];
    for (int l = 0; l < 3; l++) m[k + 1][l + 1] = f[k][l] + f[l][k] - (k == l ? m[0][0] : 0);
  }
  eigen(m, v);
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (m[k][k] > m[best][best]) best = k;
  *gap = INFINITY;
  for (int k = 0; k < 4; k++)
    if (k != best) *gap = fmin(*gap, m[best][best] - m[k][k]);
  double w = v[0][best], x = v[1][best], y = v[2][best], z = v[3][best];
  const double out[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(r, out, sizeof out);
  return m[best][best];
}

/* One tetrahedron in any deformation, inside out as well, each found from the frame of the one before: its energy follows from |F| and
 * tr(R' F) alone. */
static void frames(void **state) {
  (void)state;
  const double rest[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int corner[1][4] = {{0, 1, 2, 3}};
  sim_tets t;
  sim_elastic *e;
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  assert_ok(sim_tets_build(rest, 4, corner, 1, &t, err));
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  assert_ok(sim_elastic_new(&s, &e, err));
  double young = s.young_Pa, nu = s.poisson, mu = young / (2 * (1 + nu)), lambda = young * nu / ((1 + nu) * (1 - 2 * nu));
  int inverted = 0;
  for (int n = 0; n < 20000; n++) {
    double f[3][3], r[3][3], gap, square = 0, small = n % 3 == 0 ? 0.1 : n % 3 == 1 ? 1 : 1e3;
    for (int i = 0; i < 9; i++) f[i / 3][i % 3] = small * cb_rng_normal(&rng) + (n % 3 == 0 && i % 4 == 0);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        sim_elastic_position(e)[k + 1][i] = f[i][k];
        square += f[i][k] * f[i][k];
      }
    double most = nearest_turn((const double(*)[3])f, r, &gap);
    inverted += f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) - f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
                    f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]) <
                0;
    double wanted = sim_tets_volume_m3(&t) * (mu * (square - 2 * most + 3) + lambda / 2 * (most - 3) * (most - 3));
    assert_near(sim_elastic_energy_of(e).elastic / wanted, 1, 1e-9);
  }
  assert_true(inverted > 5000);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(frames)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
