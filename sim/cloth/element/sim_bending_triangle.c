#include "sim_bending_triangle.h"

#include <math.h>
#include <string.h>

/* A side in the plane of its triangle: length, unit vectors along and outwards. */
typedef struct side {
  double length_m, t[2], n[2];
} side;

static side side_of(const sim_mesh *m, int triangle, int k) {
  const double *a = m->corner_m[triangle][(k + 1) % 3], *b = m->corner_m[triangle][(k + 2) % 3];
  double d[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(d[0], d[1]);
  return (side){
      .length_m = length, .t = {d[0] / length, d[1] / length}, .n = {d[1] / length, -d[0] / length}};
}

/* The metric of least energy: D plus a tiny isotropic part, which decides where D alone does not. */
static void metric(const sim_bending *b, double out[3][3]) {
  double trace = b->D_Nm[0][0] + b->D_Nm[1][1] + b->D_Nm[2][2], trifle = trace > 0 ? 1e-14 * trace : 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[i][j] = b->D_Nm[i][j] + (i == j ? trifle * (i == 2 ? 0.5 : 1) : 0);
}

/* P := (1 - v v^T M / (v^T M v)) P. P itself makes v orthogonal to the earlier ones. */
static void project_out(double M[3][3], const double v0[3], double P[3][3]) {
  double v[3], Mv[3], vMv = 0, MvP[3] = {0};
  for (int i = 0; i < 3; i++) v[i] = P[i][0] * v0[0] + P[i][1] * v0[1] + P[i][2] * v0[2];
  for (int i = 0; i < 3; i++) Mv[i] = M[i][0] * v[0] + M[i][1] * v[1] + M[i][2] * v[2], vMv += v[i] * Mv[i];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) MvP[j] += Mv[i] * P[i][j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) P[i][j] -= v[i] * MvP[j] / vMv;
}

void sim_bending_relax(const sim_bending *b, int triangle, double P[3][3]) {
  const sim_mesh *m = b->mesh;
  double M[3][3];
  int free_sides = 0;
  memset(P, 0, sizeof(double[3][3]));
  for (int i = 0; i < 3; i++)
    P[i][i] = 1, free_sides += m->edge[m->triangle_edge[triangle][i]].triangle[1] < 0;
  if (!free_sides) return;
  if (free_sides == 3) { /* without neighbours it cannot bend */
    memset(P, 0, sizeof(double[3][3]));
    return;
  }
  metric(b, M);
  for (int k = 0; k < 3; k++) {
    if (m->edge[m->triangle_edge[triangle][k]].triangle[1] >= 0) continue;
    side s = side_of(m, triangle, k);
    project_out(M, (double[3]){s.n[0] * s.n[0], s.n[1] * s.n[1], 2 * s.n[0] * s.n[1]}, P);
  }
}

static void add_entry(sim_stencil *st, int vertex, double factor, const double kappa[3]) {
  int at = 0;
  while (at < st->n && st->vertex[at] != vertex) at++;
  if (at == st->n) {
    st->vertex[at] = vertex, st->n++;
    memset(st->kappa_per_m2[at], 0, sizeof st->kappa_per_m2[at]);
  }
  for (int i = 0; i < 3; i++) st->kappa_per_m2[at][i] += factor * kappa[i];
}

void sim_bending_stencil(const sim_bending *b, const sim_bending_slopes *slopes, int triangle,
                         sim_stencil *out) {
  const sim_mesh *m = b->mesh;
  out->n = 0;
  if (b->rigid[triangle]) return;
  double P[3][3], per_area = 1 / m->area_m2[triangle];
  for (int k = 0; k < 3; k++) {
    int e = m->triangle_edge[triangle][k];
    side s = side_of(m, triangle, k);
    double along[3] = {s.n[0] * s.t[0], s.n[1] * s.t[1], s.n[0] * s.t[1] + s.n[1] * s.t[0]};
    double across[3] = {s.n[0] * s.n[0], s.n[1] * s.n[1], 2 * s.n[0] * s.n[1]};
    add_entry(out, m->triangle[triangle][(k + 1) % 3], -per_area, along);
    add_entry(out, m->triangle[triangle][(k + 2) % 3], per_area, along);
    double outward = (m->edge[e].triangle[0] == triangle ? 1 : -1) * s.length_m * per_area;
    for (int i = slopes->start[e]; i < slopes->start[e + 1]; i++)
      add_entry(out, slopes->vertex[i], outward * slopes->per_m[i], across);
  }
  sim_bending_relax(b, triangle, P);
  for (int i = 0; i < out->n; i++) {
    double *k = out->kappa_per_m2[i], level[3] = {k[0], k[1], k[2]};
    for (int r = 0; r < 3; r++) k[r] = P[r][0] * level[0] + P[r][1] * level[1] + P[r][2] * level[2];
  }
}
