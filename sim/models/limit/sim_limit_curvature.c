/* Second derivatives. Strains depend on W through S = W^T W alone: on three numbers, S_uu, S_vv, S_uv, whose
 * own second derivatives by W are constant. With q and its derivatives q', q'' by these (sim_limit_jet.h) and
 * J = dS/dW the Hessian of penalty q^2/2, q pulling with p, is J^T (penalty q' q'^T + p q'') J + p q' .
 * d2S/dW2, as stiffness of matter and of tension. Of both only the sizes of the eigenvalues are taken, not
 * their signs: cloth that is pressed gives way sideways, and a step as long as its curvature allows finds the
 * way (docs/method/strain-limiting.md). */
#include <math.h>
#include <string.h>

#include "sim_limit_jet.h"
#include "sim_limit_strain.h"

#define TINY 1e-12 /* under roots: squares of strains that are nothing */
#define SWEEPS 6
#define DONE 1e-12 /* off the diagonal, by what is on it */

/* ---- strains by S ---- */

static void principal(const sim_jet s[3], sim_jet *apart, sim_jet sigma[2]) {
  const sim_jet a = sim_jet_sum(1, &s[0], -1, &s[1], 0), aa = sim_jet_product(&a, &a),
                cc = sim_jet_product(&s[2], &s[2]);
  const sim_jet square = sim_jet_sum(1, &aa, 4, &cc, TINY), trace = sim_jet_sum(1, &s[0], 1, &s[1], TINY);
  *apart = sim_jet_root(&square);
  for (int k = 0; k < 2; k++) {
    sim_jet half = sim_jet_sum(0.5, &trace, k == 0 ? 0.5 : -0.5, apart, 0);
    half.value = fmax(half.value, TINY);
    sigma[k] = sim_jet_root(&half);
  }
}

/* The square of the share is 1 - (d^2 -+ d (S_uu - S_vv)) / 2 (d^2 + blur^2). */
static sim_jet share(const sim_jet s[3], const sim_jet *apart, int k, int along, double blur) {
  const sim_jet a = sim_jet_sum(1, &s[0], -1, &s[1], 0), dd = sim_jet_product(apart, apart),
                da = sim_jet_product(apart, &a);
  const sim_jet both = sim_jet_sum(1, &dd, 0, &dd, blur * blur), over = sim_jet_inverse(&both);
  const sim_jet above = sim_jet_sum(0.5, &dd, k == along ? -0.5 : 0.5, &da, 0),
                lost = sim_jet_product(&above, &over);
  sim_jet square = sim_jet_sum(-1, &lost, 0, &lost, 1);
  square.value = fmax(square.value, TINY);
  return sim_jet_root(&square);
}

static sim_jet strain(sim_limit_kind kind, double blur, const sim_jet s[3], const sim_limit_gauges *g,
                      int i) {
  const int k = g->which[i];
  sim_jet apart, sigma[2];
  if (kind == SIM_LIMIT_WARP_WEFT) {
    const sim_jet square = sim_jet_sum(1, &s[k], 0, &s[k], TINY), length = sim_jet_root(&square);
    return sim_jet_sum(1, &length, 0, &length, -1);
  }
  principal(s, &apart, sigma);
  const sim_jet e = sim_jet_sum(1, &sigma[k], 0, &sigma[k], -1);
  if (kind == SIM_LIMIT_PRINCIPAL || kind == SIM_LIMIT_PRINCIPAL_OWN) return e;
  const sim_jet m = share(s, &apart, k, g->range[i], blur);
  return sim_jet_product(&e, &m);
}

/* ---- sizes of eigenvalues ---- */

/* One of Jacobi's rotations: a -> R^T a R with a[p][q] = 0, v -> v R. */
static void rotate_pair(double a[3][3], double v[3][3], int p, int q) {
  if (!(fabs(a[p][q]) > DONE * (fabs(a[p][p]) + fabs(a[q][q])))) return;
  const double half = (a[q][q] - a[p][p]) / (2 * a[p][q]),
               t = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(half * half + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double kp = a[k][p], kq = a[k][q], vp = v[k][p], vq = v[k][q];
    a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
    v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
  }
  for (int k = 0; k < 3; k++) {
    const double pk = a[p][k], qk = a[q][k];
    a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
  }
}

/* a = V diag V^T -> V |diag| V^T. */
static void take_sizes(double a[3][3]) {
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    rotate_pair(a, v, 0, 1);
    rotate_pair(a, v, 0, 2);
    rotate_pair(a, v, 1, 2);
  }
  const double size[3] = {fabs(a[0][0]), fabs(a[1][1]), fabs(a[2][2])};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      a[i][j] = v[i][0] * size[0] * v[j][0] + v[i][1] * size[1] * v[j][1] + v[i][2] * size[2] * v[j][2];
}

/* ---- both parts ---- */

static void by_s(sim_limit_kind kind, double blur, const double w[2][3], const sim_limit_gauges *g,
                 const double *pull, double penalty, double matter[3][3], double tension[3]) {
  double s[3] = {0, 0, 0};
  for (int r = 0; r < 3; r++) s[0] += w[0][r] * w[0][r], s[1] += w[1][r] * w[1][r], s[2] += w[0][r] * w[1][r];
  const sim_jet variable[3] = {sim_jet_variable(s[0], 0), sim_jet_variable(s[1], 1),
                               sim_jet_variable(s[2], 2)};
  for (int n = 0; n < g->n; n++) {
    if (pull[n] == 0) continue;
    const sim_jet q = strain(kind, blur, variable, g, n);
    for (int i = 0; i < 3; i++) {
      tension[i] += pull[n] * q.first[i];
      for (int j = 0; j < 3; j++)
        matter[i][j] += penalty * q.first[i] * q.first[j] + pull[n] * q.second[i][j];
    }
  }
}

/* k = J^T matter J + tension . d2S/dW2 */
static void by_w(const double w[2][3], double matter[3][3], double tension[3][3], double k[6][6]) {
  double j[3][6] = {{0}};
  for (int r = 0; r < 3; r++) {
    j[0][r] = 2 * w[0][r], j[1][3 + r] = 2 * w[1][r];
    j[2][r] = w[1][r], j[2][3 + r] = w[0][r];
  }
  for (int p = 0; p < 6; p++)
    for (int q = 0; q < 6; q++) {
      k[p][q] = p % 3 == q % 3 ? tension[p / 3][q / 3] : 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) k[p][q] += j[a][p] * matter[a][b] * j[b][q];
    }
}

void sim_limit_curvature(sim_limit_kind kind, double blur, const double w[2][3], const sim_limit_gauges *g,
                         const double *pull, double penalty, bool exact, double k[6][6]) {
  double matter[3][3] = {{0}}, t[3] = {0, 0, 0};
  by_s(kind, blur, w, g, pull, penalty, matter, t);
  double tension[3][3] = {{2 * t[0], t[2], 0}, {t[2], 2 * t[1], 0}, {0, 0, 0}};
  if (!exact) {
    take_sizes(matter);
    take_sizes(tension);
  }
  by_w(w, matter, tension, k);
}
