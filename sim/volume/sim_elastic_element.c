#include "sim_elastic_element.h"

#include <math.h>
#include <string.h>

#include "sim_vec.h"

#define TURNS 50    /* iterations of a frame, at most; two from the step before */
#define TURNED 1e-5 /* rad: after a smaller turn what is left is its third power */
#define FLAT 1e-6   /* a summit's curvatures, by its largest, at least */

void sim_elastic_element_rest(const sim_tets *t, int tet, sim_elastic_element *out) {
  const int *v = t->tet[tet];
  double e[3][3], normal[3][3];
  for (int k = 0; k < 3; k++) sim_sub(t->position_m[v[k + 1]], t->position_m[v[0]], e[k]);
  for (int k = 0; k < 3; k++) sim_cross(e[(k + 1) % 3], e[(k + 2) % 3], normal[k]);
  double six = sim_dot(e[0], normal[0]);
  *out = (sim_elastic_element){.volume_m3 = six / 6, .turn = {1, 0, 0, 0}};
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

/* q := q and before it, in its own frame, the turn by the vector w (Cayley's: as far as tan(angle / 2) = |w| / 2). */
static void turn_by(double q[4], const double w[3]) {
  const double x = w[0] / 2, y = w[1] / 2, z = w[2] / 2;
  const double p[4] = {q[0] - q[1] * x - q[2] * y - q[3] * z, q[1] + q[0] * x + q[2] * z - q[3] * y, q[2] + q[0] * y + q[3] * x - q[1] * z,
                       q[3] + q[0] * z + q[1] * y - q[2] * x};
  const double scale = 1 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (int k = 0; k < 4; k++) q[k] = scale * p[k];
}

/* R' F */
static void own_frame(const double r[3][3], const double f[3][3], double a[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) a[i][k] = r[0][i] * f[0][k] + r[1][i] * f[1][k] + r[2][i] * f[2][k];
}

/* Newton's step towards the most of tr(R' F): (tr(S) I - S) w = axis, S the symmetric part of A = R' F, axis twice its other part. Where
 * that is not the shape of a summit, up the slope by less than can overshoot. */
static double step_to(const double a[3][3], double w[3]) {
  const double axis[3] = {a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]};
  const double p = a[1][1] + a[2][2], q = a[0][0] + a[2][2], s = a[0][0] + a[1][1];
  const double x = -(a[1][2] + a[2][1]) / 2, y = -(a[0][2] + a[2][0]) / 2, z = -(a[0][1] + a[1][0]) / 2;
  const double cp = q * s - x * x, cz = x * y - z * s, cy = z * x - q * y, minor = p * q - z * z, det = p * cp + z * cz + y * cy;
  if (p > 0 && minor > FLAT * p * p && det > FLAT * p * minor) {
    const double cq = p * s - y * y, cx = y * z - p * x;
    w[0] = (cp * axis[0] + cz * axis[1] + cy * axis[2]) / det;
    w[1] = (cz * axis[0] + cq * axis[1] + cx * axis[2]) / det;
    w[2] = (cy * axis[0] + cx * axis[1] + minor * axis[2]) / det;
  } else {
    const double size = sqrt(sim_dot(a[0], a[0]) + sim_dot(a[1], a[1]) + sim_dot(a[2], a[2]));
    for (int k = 0; k < 3; k++) w[k] = size > 0 ? axis[k] / (2 * size) : 0;
  }
  return sim_norm(w);
}

/* The turn that is nearest to f, from the one of the step before; a := R' F. */
static void extract(const double f[3][3], double q[4], double r[3][3], double a[3][3]) {
  double turned = 1;
  for (int i = 0; i < TURNS && turned > TURNED; i++) {
    double w[3];
    matrix_of(q, r);
    own_frame((const double(*)[3])r, f, a);
    turned = step_to((const double(*)[3])a, w);
    turn_by(q, w);
  }
  matrix_of(q, r);
  own_frame((const double(*)[3])r, f, a);
}

/* ---- stress ---- */

static double determinant(const double f[3][3]) {
  double n[3];
  sim_cross(f[0], f[1], n);
  return sim_dot(n, f[2]);
}

/* e = sym(R' F) - I, its energy, and its stress turned into the world. */
static void stress_of(sim_elastic_element *el, const double own[3][3], const double r[3][3], double lambda, double mu, double out[3][3]) {
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

void sim_elastic_element_update(sim_elastic_element *el, const double (*x)[3], const int v[4], double lambda, double mu,
                                double turned[4][3]) {
  double f[3][3] = {{0}}, r[3][3], own[3][3], stress[3][3], root = sqrt(el->volume_m3);
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < 3; i++) sim_add(f[i], x[v[a]][i], el->gradient[a]);
  extract((const double(*)[3])f, el->turn, r, own);
  el->inverted = determinant((const double(*)[3])f) <= 0;
  stress_of(el, (const double(*)[3])own, (const double(*)[3])r, lambda, mu, stress);
  for (int a = 0; a < 4; a++) {
    for (int i = 0; i < 3; i++) turned[a][i] = root * sim_dot(r[i], el->gradient[a]);
    for (int i = 0; i < 3; i++) el->force_N[a][i] = -root * sim_dot(stress[i], turned[a]);
  }
}
