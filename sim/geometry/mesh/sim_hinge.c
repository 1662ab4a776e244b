/* The angle theta between two triangles at an edge e = x1 - x0, with f_k = x_{k+2} - x0 to the opposite
 * corners. Normals (not unit): N_0 = e x f_0, N_1 = -e x f_1. sin theta = (n_0 x n_1).e/|e|, n_k the unit
 * normals.
 *
 * An opposite corner changes theta by g_k = -|e| N_k / |N_k|^2 (one over its height above the edge). Its
 * closest point on the edge's line is at the fraction t_k = f_k.e / e.e. The ends of the edge take the rest:
 *
 *   dtheta/dx_0 = -sum (1 - t_k) g_k,   dtheta/dx_1 = -sum t_k g_k
 *
 * The second derivatives are those of these formulas, product by product. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "sim_mesh.h"
#include "sim_vec.h"

typedef struct hinge {
  double e[3], length, f[2][3], normal[2][3], square[2]; /* |N|^2 */
  double share[2], g[2][3];
} hinge;

/* Returns false where a triangle has no area: there is no angle, and no force could restore it. */
static bool hinge_of(const double x[4][3], hinge *h) {
  sim_sub(x[1], x[0], h->e);
  h->length = sim_norm(h->e);
  for (int k = 0; k < 2; k++) {
    sim_sub(x[2 + k], x[0], h->f[k]);
    if (k == 0)
      sim_cross(h->e, h->f[k], h->normal[k]);
    else
      sim_cross(h->f[k], h->e, h->normal[k]);
    h->square[k] = sim_dot(h->normal[k], h->normal[k]);
    if (!(h->square[k] > 0)) return false;
    h->share[k] = sim_dot(h->f[k], h->e) / (h->length * h->length);
    for (int r = 0; r < 3; r++) h->g[k][r] = -h->length / h->square[k] * h->normal[k][r];
  }
  return true;
}

void sim_hinge_angle(const double x[4][3], double *angle_rad, double first[4][3]) {
  hinge h;
  double across[3];
  if (!hinge_of(x, &h)) return;
  sim_cross(h.normal[0], h.normal[1], across);
  *angle_rad = atan2(sim_dot(across, h.e) / h.length, sim_dot(h.normal[0], h.normal[1]));
  for (int k = 0; k < 2; k++) {
    sim_add(first[0], h.share[k] - 1, h.g[k]);
    sim_add(first[1], -h.share[k], h.g[k]);
    sim_add(first[2 + k], 1, h.g[k]);
  }
}

/* m += s [v]x, the matrix of a cross product from the left */
static void add_crossing(double s, const double v[3], double m[3][3]) {
  for (int r = 0; r < 3; r++) {
    const int p = (r + 1) % 3, q = (r + 2) % 3;
    m[q][p] += s * v[r];
    m[p][q] -= s * v[r];
  }
}

/* How N_k changes with x_j. */
static void normal_by(const hinge *h, int k, int j, double m[3][3]) {
  const double sign = k == 0 ? 1 : -1;
  memset(m, 0, 9 * sizeof m[0][0]);
  if (j == 0 || j == 1) add_crossing(j == 1 ? -sign : sign, h->f[k], m);
  if (j == 0 || j == 2 + k) add_crossing(j == 0 ? -sign : sign, h->e, m);
}

/* How g_k changes with x_j: -N/|N|^2 d|e| - |e|/|N|^2 (1 - 2 N N^T/|N|^2) dN */
static void arm_by(const hinge *h, int k, int j, double out[3][3]) {
  double by[3][3];
  normal_by(h, k, j, by);
  const double *n = h->normal[k], end = j == 1 ? 1 : j == 0 ? -1 : 0;
  for (int c = 0; c < 3; c++) {
    const double along = n[0] * by[0][c] + n[1] * by[1][c] + n[2] * by[2][c];
    for (int r = 0; r < 3; r++)
      out[r][c] =
          -(n[r] * end * h->e[c] / h->length + h->length * (by[r][c] - 2 * n[r] * along / h->square[k])) /
          h->square[k];
  }
}

/* How t_k changes with x_j. */
static void share_by(const hinge *h, int k, int j, double out[3]) {
  const double square = h->length * h->length;
  for (int r = 0; r < 3; r++) {
    const double corner = h->e[r] / square, end = (h->f[k][r] - 2 * h->share[k] * h->e[r]) / square;
    out[r] = j == 2 + k ? corner : j == 1 ? end : j == 0 ? -corner - end : 0;
  }
}

void sim_hinge_add_second(const double x[4][3], double q, double block[4][4][3][3]) {
  hinge h;
  if (!hinge_of(x, &h)) return;
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 4; j++) {
      double arm[3][3];
      double share[3];
      arm_by(&h, k, j, arm);
      share_by(&h, k, j, share);
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
          const double moved = h.g[k][r] * share[c];
          block[0][j][r][c] += q * ((h.share[k] - 1) * arm[r][c] + moved);
          block[1][j][r][c] += q * (-h.share[k] * arm[r][c] - moved);
          block[2 + k][j][r][c] += q * arm[r][c];
        }
    }
}
