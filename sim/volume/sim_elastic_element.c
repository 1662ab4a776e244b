#include "sim_elastic_element.h"

#include <math.h>
#include <string.h>

#include "sim_vec.h"

#define TURNS 50     /* iterations of a frame, at most; a few from the step before */
#define TURNED 1e-12 /* rad: a smaller turn ends them */

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

/* q := turn by the vector a, after q */
static void turn_by(double q[4], const double a[3], double angle) {
  double s = sin(angle / 2) / angle, w = cos(angle / 2), x = s * a[0], y = s * a[1], z = s * a[2];
  const double p[4] = {w * q[0] - x * q[1] - y * q[2] - z * q[3], w * q[1] + x * q[0] + y * q[3] - z * q[2],
                       w * q[2] - x * q[3] + y * q[0] + z * q[1], w * q[3] + x * q[2] - y * q[1] + z * q[0]};
  double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (int k = 0; k < 4; k++) q[k] = p[k] / length;
}

/* The turn that is nearest to f: its axes are turned towards f's columns until nothing is left to turn (Mueller et al. 2016, eq. 8). */
static void extract(const double f[3][3], double q[4], double r[3][3]) {
  for (int i = 0; i < TURNS; i++) {
    double axis[3] = {0, 0, 0}, along = 0;
    matrix_of(q, r);
    for (int k = 0; k < 3; k++) {
      const double own[3] = {r[0][k], r[1][k], r[2][k]}, is[3] = {f[0][k], f[1][k], f[2][k]};
      double cross[3];
      sim_cross(own, is, cross);
      sim_add(axis, 1, cross);
      along += sim_dot(own, is);
    }
    double scale = 1 / (fabs(along) + 1e-9);
    for (int k = 0; k < 3; k++) axis[k] *= scale;
    double angle = sim_norm(axis);
    if (!(angle > TURNED)) return;
    turn_by(q, axis, angle);
  }
  matrix_of(q, r);
}

/* ---- stress ---- */

static double determinant(const double f[3][3]) {
  double n[3];
  sim_cross(f[0], f[1], n);
  return sim_dot(n, f[2]);
}

/* e = sym(R' F) - I, its stress, and the stress turned into the world. */
static void stress_of(sim_elastic_element *el, const double f[3][3], const double r[3][3], double lambda, double mu) {
  double e[3][3], s[3][3], rs[3][3], trace = 0, square = 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double ab = 0, ba = 0;
      for (int k = 0; k < 3; k++) {
        ab += r[k][a] * f[k][b];
        ba += r[k][b] * f[k][a];
      }
      e[a][b] = (ab + ba) / 2 - (a == b);
      square += e[a][b] * e[a][b];
    }
  for (int a = 0; a < 3; a++) trace += e[a][a];
  el->energy_J = el->volume_m3 * (mu * square + lambda / 2 * trace * trace);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) s[a][b] = 2 * mu * e[a][b] + (a == b ? lambda * trace : 0);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) rs[a][b] = r[a][0] * s[0][b] + r[a][1] * s[1][b] + r[a][2] * s[2][b];
  static const int pair[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  for (int i = 0; i < 6; i++) el->stress_Pa[i] = sim_dot(rs[pair[i][0]], r[pair[i][1]]);
}

void sim_elastic_element_update(sim_elastic_element *el, const double (*x)[3], const int v[4], double lambda, double mu) {
  double f[3][3] = {{0}}, r[3][3];
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < 3; i++) sim_add(f[i], x[v[a]][i], el->gradient[a]);
  extract((const double(*)[3])f, el->turn, r);
  el->inverted = determinant((const double(*)[3])f) <= 0;
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < 3; i++) el->turned[a][i] = sim_dot(r[i], el->gradient[a]);
  stress_of(el, (const double(*)[3])f, (const double(*)[3])r, lambda, mu);
}

void sim_elastic_element_force(const sim_elastic_element *el, int corner, double out[3]) {
  const double *s = el->stress_Pa, *g = el->turned[corner], v = el->volume_m3;
  out[0] = -v * (s[0] * g[0] + s[1] * g[1] + s[2] * g[2]);
  out[1] = -v * (s[1] * g[0] + s[3] * g[1] + s[4] * g[2]);
  out[2] = -v * (s[2] * g[0] + s[4] * g[1] + s[5] * g[2]);
}

void sim_elastic_element_block(const sim_elastic_element *el, int a, int b, double lambda, double mu, double scale, double out[9]) {
  const double *p = el->turned[a], *q = el->turned[b], v = scale * el->volume_m3, alike = mu * sim_dot(p, q);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[3 * i + k] += v * (lambda * p[i] * q[k] + mu * q[i] * p[k] + (i == k ? alike : 0));
}
