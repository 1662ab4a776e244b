#include "sim_elastic_element.h"

#include <math.h>
#include <string.h>

#include "sim_vec.h"

#define ROOT_STEPS \
  60 /* most Newton steps; three or four near a rotation, many where two rotations are equally good */
#define ROUNDING 1e-16 /* relative, of the root */
#define ALIKE 1e-5     /* adjugate over l^3 below which two rotations count as equally good */
#define APART 1e-6     /* relative, of the root: more than rounding moves a double root */

void sim_elastic_element_rest(const sim_tets *t, int tet, sim_elastic_element *out) {
  const int *v = t->tet[tet];
  double e[3][3], normal[3][3];
  for (int k = 0; k < 3; k++) sim_sub(t->position_m[v[k + 1]], t->position_m[v[0]], e[k]);
  for (int k = 0; k < 3; k++) sim_cross(e[(k + 1) % 3], e[(k + 2) % 3], normal[k]);
  double six = sim_dot(e[0], normal[0]);
  *out = (sim_elastic_element){.volume_m3 = six / 6};
  for (int k = 0; k < 3; k++)
    for (int c = 0; c < 3; c++) {
      out->gradient[k + 1][c] = normal[k][c] / six;
      out->gradient[0][c] -= normal[k][c] / six;
    }
}

/* ---- the frame ---- */

static void matrix_of(const double q[4], double r[3][3]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(r, m, sizeof m);
}

/* The maximum of tr(R' F) over rotations R: the largest root of (l^2 - |F|^2)^2 - 8 det(F) l - 4 |cof F|^2.
 * All its roots are real. Newton's method starts above, where the curve is convex. */
static double most_along(const double f[3][3]) {
  double n[3][3], a = 0, b = 0;
  for (int i = 0; i < 3; i++) {
    sim_cross(f[(i + 1) % 3], f[(i + 2) % 3], n[i]);
    a += sim_dot(f[i], f[i]);
    b += sim_dot(n[i], n[i]);
  }
  double d = sim_dot(f[0], n[0]), l = sqrt(3 * a), last = INFINITY;
  for (int i = 0; i < ROOT_STEPS; i++) {
    double over = l * l - a, value = over * over - 8 * d * l - 4 * b, slope = 4 * l * over - 8 * d;
    if (!(slope > 0 && value > ROUNDING * l * slope && value < last * slope))
      break; /* steps shrink until they are rounding */
    l -= last = value / slope;
  }
  return l;
}

/* m = l - K, with K Davenport's matrix of f. The largest eigenvalue of K is l; its eigenvector is the
 * quaternion of the rotation. */
static void davenport(const double f[3][3], double l, double m[4][4]) {
  double trace = f[0][0] + f[1][1] + f[2][2];
  m[0][0] = l - trace;
  for (int k = 0; k < 3; k++) {
    m[0][k + 1] = m[k + 1][0] = f[(k + 1) % 3][(k + 2) % 3] - f[(k + 2) % 3][(k + 1) % 3];
    for (int i = 0; i < 3; i++) m[k + 1][i + 1] = (k == i ? l + trace : 0) - f[k][i] - f[i][k];
  }
}

/* The row of the adjugate with the largest diagonal entry, which is returned. Uses the 2 x 2 determinants of
 * the upper and of the lower two rows. */
static double adjugate_row(const double m[4][4], double q[4]) {
  static const int pair[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  double u[6], w[6], a[4][4];
  for (int k = 0; k < 6; k++) {
    u[k] = m[0][pair[k][0]] * m[1][pair[k][1]] - m[1][pair[k][0]] * m[0][pair[k][1]];
    w[k] = m[2][pair[k][0]] * m[3][pair[k][1]] - m[3][pair[k][0]] * m[2][pair[k][1]];
  }
  a[0][0] = m[1][1] * w[5] - m[1][2] * w[4] + m[1][3] * w[3];
  a[1][1] = m[0][0] * w[5] - m[0][2] * w[2] + m[0][3] * w[1];
  a[2][2] = m[3][0] * u[4] - m[3][1] * u[2] + m[3][3] * u[0];
  a[3][3] = m[2][0] * u[3] - m[2][1] * u[1] + m[2][2] * u[0];
  a[0][1] = a[1][0] = -m[0][1] * w[5] + m[0][2] * w[4] - m[0][3] * w[3];
  a[0][2] = a[2][0] = m[3][1] * u[5] - m[3][2] * u[4] + m[3][3] * u[3];
  a[0][3] = a[3][0] = -m[2][1] * u[5] + m[2][2] * u[4] - m[2][3] * u[3];
  a[1][2] = a[2][1] = -m[3][0] * u[5] + m[3][2] * u[2] - m[3][3] * u[1];
  a[1][3] = a[3][1] = m[2][0] * u[5] - m[2][2] * u[2] + m[2][3] * u[1];
  a[2][3] = a[3][2] = -m[2][0] * u[4] + m[2][1] * u[2] - m[2][3] * u[0];
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (a[k][k] > a[best][best]) best = k;
  memcpy(q, a[best], sizeof a[best]);
  return a[best][best];
}

/* The rotation R with the largest tr(R' F), also of an element that is flat or inside out (P. Davenport, NASA
 * TN D-4696, 1968; M. Shuster, S. Oh, J. Guidance 4:70, 1981). If two rotations are equally good, a root that
 * is slightly too large gives a quaternion in their plane. */
static void nearest_turn(const double f[3][3], double r[3][3]) {
  double m[4][4], q[4], l = most_along(f);
  davenport(f, l, m);
  if (!(adjugate_row((const double(*)[4])m, q) > ALIKE * l * l * l)) {
    davenport(f, l * (1 + APART), m);
    if (!(adjugate_row((const double(*)[4])m, q) > 0)) q[0] = 1, q[1] = q[2] = q[3] = 0;
  }
  double scale = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) q[k] *= scale;
  matrix_of(q, r);
}

/* R' F */
static void own_frame(const double r[3][3], const double f[3][3], double a[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) a[i][k] = r[0][i] * f[0][k] + r[1][i] * f[1][k] + r[2][i] * f[2][k];
}

/* ---- stress ---- */

static double determinant(const double f[3][3]) {
  double n[3];
  sim_cross(f[0], f[1], n);
  return sim_dot(n, f[2]);
}

/* Strain e = sym(R' F) - I, its energy, and its stress rotated into the world. */
static void stress_of(sim_elastic_element *el, const double own[3][3], const double r[3][3], double lambda,
                      double mu, double out[3][3]) {
  double e[3][3], s[3][3], rs[3][3], trace = 0, square = 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      e[a][b] = (own[a][b] + own[b][a]) / 2 - (a == b);
      square += e[a][b] * e[a][b];
    }
  for (int a = 0; a < 3; a++) trace += e[a][a];
  el->energy_J = el->volume_m3 * (mu * square + lambda / 2 * trace * trace);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) s[a][b] = 2 * mu * e[a][b] + (a == b ? lambda * trace : 0);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) rs[a][b] = r[a][0] * s[0][b] + r[a][1] * s[1][b] + r[a][2] * s[2][b];
  for (int a = 0; a < 3; a++)
    for (int b = a; b < 3; b++) out[a][b] = out[b][a] = sim_dot(rs[a], r[b]);
}

void sim_elastic_element_update(sim_elastic_element *el, const double (*x)[3], const int v[4], double lambda,
                                double mu, double turned[4][3]) {
  double f[3][3] = {{0}}, r[3][3], own[3][3], stress[3][3], root = sqrt(el->volume_m3);
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < 3; i++) sim_add(f[i], x[v[a]][i], el->gradient[a]);
  nearest_turn((const sim_vec3 *)f, r);
  own_frame((const sim_vec3 *)r, (const sim_vec3 *)f, own);
  el->inverted = determinant((const sim_vec3 *)f) <= 0;
  stress_of(el, (const sim_vec3 *)own, (const sim_vec3 *)r, lambda, mu, stress);
  for (int a = 0; a < 4; a++) {
    for (int i = 0; i < 3; i++) turned[a][i] = root * sim_dot(r[i], el->gradient[a]);
    for (int i = 0; i < 3; i++) el->force_N[a][i] = -root * sim_dot(stress[i], turned[a]);
  }
}
