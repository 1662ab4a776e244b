/* The forces of a sheet, and its tangent. */
#include <math.h>
#include <string.h>

#include "vlab_shell_impl.h"

/* ---- forces ---- */

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void gather(const double (*x)[3], const int *node, const double *weight, int n, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 3; c++) out[c] += weight[k] * x[node[k]][c];
}

static void scatter(double (*to)[3], const int *node, const double *weight, int n, const double f[3]) {
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 3; c++) to[node[k]][c] += weight[k] * f[c];
}

static void add_cell(const vlab_shell *s, const vlab_cell *c, const double (*x)[3], double (*gradient)[3]) {
  double u[3], v[3], S[3], own[3], fu[3], fv[3];
  gather(x, c->corner, c->weight[0], 4, u);
  gather(x, c->corner, c->weight[1], 4, v);
  const double E[3] = {(dot(u, u) - 1) / 2, (dot(v, v) - 1) / 2, dot(u, v) / 2};
  vlab_membrane_stress(&s->cloth.membrane, E, S, own);
  for (int k = 0; k < 3; k++) {
    fu[k] = c->area_m2 * (S[0] * u[k] + S[2] * v[k]);
    fv[k] = c->area_m2 * (S[1] * v[k] + S[2] * u[k]);
  }
  scatter(gradient, c->corner, c->weight[0], 4, fu);
  scatter(gradient, c->corner, c->weight[1], 4, fv);
}

/* Dahl's friction: the moment after a change of curvature. */
static double rub(double HB, double onset, double held, double change) {
  const double end = change > 0 ? HB : -HB;
  return end + (held - end) * exp(-fabs(change) / onset);
}

static void add_node(const vlab_shell *s, int i, const double (*x)[3], double (*gradient)[3]) {
  const vlab_stencil *t = &s->stencil[i];
  const vlab_shell_cloth *c = &s->cloth;
  const double *D = c->D_Nm, area = t->area_m2;
  double h[3][3], m[3][3];
  for (int d = 0; d < 3; d++) gather(x, t->node, t->weight[d], 9, h[d]);
  for (int k = 0; k < 3; k++) {
    m[UU][k] = D[0] * h[UU][k] + D[2] * h[VV][k];
    m[VV][k] = D[1] * h[VV][k] + D[2] * h[UU][k];
    m[UV][k] = 4 * D[3] * h[UV][k];
  }
  for (int d = 0; d < 2; d++) {
    const double moment =
        rub(c->friction_N[d], c->onset_per_m, s->held_N[i][d], dot(s->normal[i], h[d]) - s->bent[i][d]);
    for (int k = 0; k < 3; k++) m[d][k] += moment * s->normal[i][k];
  }
  for (int d = 0; d < 3; d++) {
    for (int k = 0; k < 3; k++) m[d][k] *= area;
    scatter(gradient, t->node, t->weight[d], 9, m[d]);
  }
}

void vlab_shell_gradient(const vlab_shell *s, double (*gradient)[3]) {
  const double(*x)[3] = (const double(*)[3])s->x;
  memset(gradient, 0, (size_t)s->n * sizeof *gradient);
  for (int c = 0; c < s->n_cells; c++) add_cell(s, &s->cell[c], x, gradient);
  for (int i = s->n_held / 2; i < s->n; i++) add_node(s, i, x, gradient);
  for (int i = s->n_held; i < s->n; i++) gradient[i][2] += VLAB_GRAVITY_M_PER_S2 * s->mass_kg[i];
}

/* ---- tangent ---- */

/* The part of the stress that pulls, so that the tangent is positive. */
static void pull_only(const double S[3], double out[3]) {
  const double mean = (S[0] + S[1]) / 2, half = (S[0] - S[1]) / 2, r = hypot(half, S[2]);
  const double a = fmax(mean + r, 0), b = fmax(mean - r, 0), share = r > 0 ? (a - b) / (2 * r) : 0;
  out[0] = (a + b) / 2 + share * half, out[1] = (a + b) / 2 - share * half, out[2] = share * S[2];
}

void vlab_shell_cell_tangent(const vlab_shell *s, int cell, const double (*before)[3], double k[4][4][9]) {
  const double(*x)[3] = (const double(*)[3])s->x;
  const vlab_cell *c = &s->cell[cell];
  double u[3], v[3], du[3], dv[3], S[3], own[3], P[3], unused[3], B[4][3][3];
  gather(x, c->corner, c->weight[0], 4, u);
  gather(x, c->corner, c->weight[1], 4, v);
  const double E[3] = {(dot(u, u) - 1) / 2, (dot(v, v) - 1) / 2, dot(u, v) / 2};
  vlab_membrane_stress(&s->cloth.membrane, E, S, own);
  gather(before, c->corner, c->weight[0], 4, du);
  gather(before, c->corner, c->weight[1], 4, dv);
  for (int a = 0; a < 3; a++) du[a] = u[a] - du[a], dv[a] = v[a] - dv[a];
  const double aimed[3] = {E[0] - dot(du, du) / 2, E[1] - dot(dv, dv) / 2, E[2] - dot(du, dv) / 2};
  vlab_membrane_stress(&s->cloth.membrane, aimed, S, unused);
  pull_only(S, P);
  const double cross = s->cloth.membrane.cross_N_per_m;
  const double C[3][3] = {{own[0], cross, 0}, {cross, own[1], 0}, {0, 0, 2 * own[2]}};
  for (int p = 0; p < 4; p++)
    for (int a = 0; a < 3; a++) {
      const double *w = (const double[2]){c->weight[0][p], c->weight[1][p]};
      B[p][0][a] = w[0] * u[a], B[p][1][a] = w[1] * v[a], B[p][2][a] = (w[0] * v[a] + w[1] * u[a]) / 2;
    }
  for (int p = 0; p < 4; p++)
    for (int q = 0; q < 4; q++) {
      const double *w[2] = {c->weight[0], c->weight[1]};
      const double shared = P[0] * w[0][p] * w[0][q] + P[1] * w[1][p] * w[1][q] +
                            P[2] * (w[0][p] * w[1][q] + w[1][p] * w[0][q]);
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
          double sum = a == b ? shared : 0;
          for (int e = 0; e < 3; e++)
            for (int f = 0; f < 3; f++) sum += B[p][e][a] * C[e][f] * B[q][f][b];
          k[p][q][3 * a + b] = c->area_m2 * sum;
        }
    }
}

void vlab_shell_node_tangent(const vlab_shell *s, int i, double k[9][9][9]) {
  const vlab_stencil *t = &s->stencil[i];
  const vlab_shell_cloth *c = &s->cloth;
  const double *D = c->D_Nm, *n = s->normal[i], (*w)[9] = t->weight;
  double rise[2];
  for (int d = 0; d < 2; d++) {
    double h[3];
    gather((const double(*)[3])s->x, t->node, w[d], 9, h);
    const double change = dot(n, h) - s->bent[i][d], end = change > 0 ? c->friction_N[d] : -c->friction_N[d];
    rise[d] = fabs(end - s->held_N[i][d]) * exp(-fabs(change) / c->onset_per_m) / c->onset_per_m;
  }
  for (int p = 0; p < 9; p++)
    for (int q = 0; q < 9; q++) {
      const double elastic = D[0] * w[UU][p] * w[UU][q] + D[1] * w[VV][p] * w[VV][q] +
                             D[2] * (w[UU][p] * w[VV][q] + w[VV][p] * w[UU][q]) +
                             4 * D[3] * w[UV][p] * w[UV][q];
      const double friction = rise[0] * w[UU][p] * w[UU][q] + rise[1] * w[VV][p] * w[VV][q];
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          k[p][q][3 * a + b] = t->area_m2 * ((a == b ? elastic : 0) + friction * n[a] * n[b]);
    }
}

/* ---- friction ---- */

static double curvature(const vlab_shell *s, int i, int d) {
  double h[3];
  gather((const double(*)[3])s->x, s->stencil[i].node, s->stencil[i].weight[d], 9, h);
  return dot(s->normal[i], h);
}

void vlab_shell_begin_friction(vlab_shell *s) {
  for (int i = s->n_held / 2; i < s->n; i++) {
    const vlab_stencil *t = &s->stencil[i];
    double u[3], v[3], *n = s->normal[i];
    gather((const double(*)[3])s->x, t->node, t->weight[U], 9, u);
    gather((const double(*)[3])s->x, t->node, t->weight[V], 9, v);
    for (int k = 0; k < 3; k++) n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    const double length = sqrt(dot(n, n));
    for (int k = 0; k < 3; k++) n[k] /= length;
    for (int d = 0; d < 2; d++) s->bent[i][d] = curvature(s, i, d);
  }
}

void vlab_shell_end_friction(vlab_shell *s) {
  for (int i = s->n_held / 2; i < s->n; i++)
    for (int d = 0; d < 2; d++)
      s->held_N[i][d] = rub(s->cloth.friction_N[d], s->cloth.onset_per_m, s->held_N[i][d],
                            curvature(s, i, d) - s->bent[i][d]);
}
