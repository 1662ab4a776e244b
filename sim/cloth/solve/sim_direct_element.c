#include <math.h>

#include "sim_direct.h"

typedef struct shape {
  double area, bu[3], bv[3];
} shape;

static shape shape_of(const sim_mesh *mesh, int t) {
  double(*const c)[2] = mesh->corner_m[t];
  double u1 = c[1][0] - c[0][0], v1 = c[1][1] - c[0][1], u2 = c[2][0] - c[0][0], v2 = c[2][1] - c[0][1],
         det = u1 * v2 - u2 * v1;
  shape s = {.area = mesh->area_m2[t], .bu = {0, v2 / det, -v1 / det}, .bv = {0, -u2 / det, u1 / det}};
  s.bu[0] = -(s.bu[1] + s.bu[2]);
  s.bv[0] = -(s.bv[1] + s.bv[2]);
  return s;
}

static void gradient(const sim_mesh *mesh, int t, const shape *s, const double (*x)[3], double g[2][3]) {
  const int *v = mesh->triangle[t];
  for (int a = 0; a < 3; a++) {
    double d1 = x[v[1]][a] - x[v[0]][a], d2 = x[v[2]][a] - x[v[0]][a];
    g[0][a] = s->bu[1] * d1 + s->bu[2] * d2;
    g[1][a] = s->bv[1] * d1 + s->bv[2] * d2;
  }
}

/* uu, vv, uv of half of G^T G. */
static void squares(double g[2][3], double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int a = 0; a < 3; a++) {
    out[0] += g[0][a] * g[0][a] / 2;
    out[1] += g[1][a] * g[1][a] / 2;
    out[2] += g[0][a] * g[1][a] / 2;
  }
}

static double stress_at(const sim_ramps *r, double strain, double *slope) {
  double stress = r->slope * strain;
  *slope = r->slope;
  for (int k = 0; k < r->n && strain > r->knot[k]; k++) {
    stress += r->change[k] * (strain - r->knot[k]);
    *slope += r->change[k];
  }
  return stress;
}

typedef struct response {
  double stress[3], slope[3], cross; /* uu, vv, uv; [N/m] */
} response;

static response respond_to_strain(const sim_membrane *m, const double e[3]) {
  response r = {.cross = m->cross_N_per_m};
  r.stress[0] = stress_at(&m->warp, e[0], &r.slope[0]) + r.cross * e[1];
  r.stress[1] = stress_at(&m->weft, e[1], &r.slope[1]) + r.cross * e[0];
  r.stress[2] = copysign(stress_at(&m->shear, fabs(e[2]), &r.slope[2]), e[2]);
  return r;
}

/* Clamps as sim_membrane.h describes, but keeps the fraction `kept` of the omitted parts: compressive stress,
 * and cross coupling above what the slopes bear. */
static void clamp(response *r, double kept) {
  double *s = r->stress, mean = (s[0] + s[1]) / 2, half = (s[0] - s[1]) / 2, radius = hypot(half, s[2]);
  double high = fmax(kept * (mean + radius), mean + radius),
         low = fmax(kept * (mean - radius), mean - radius);
  double share = radius > 0 ? (high - low) / (2 * radius) : 0, bearable = sqrt(r->slope[0] * r->slope[1]);
  s[0] = low + share * (radius + half);
  s[1] = low + share * (radius - half);
  s[2] *= share;
  r->cross -= (1 - kept) * fmax(0, r->cross - bearable);
}

void sim_element_stiffness(const sim_membrane *m, int t, const double (*x)[3], const double (*before)[3],
                           double compression, double k[3][3][3][3]) {
  shape s = shape_of(m->mesh, t);
  double f[2][3], strain[3];
  gradient(m->mesh, t, &s, x, f);
  squares(f, strain);
  strain[0] -= 0.5;
  strain[1] -= 0.5;
  if (before) {
    double step[2][3], excess[3];
    gradient(m->mesh, t, &s, before, step);
    for (int a = 0; a < 3; a++) step[0][a] = f[0][a] - step[0][a], step[1][a] = f[1][a] - step[1][a];
    squares(step, excess);
    for (int c = 0; c < 3; c++) strain[c] -= excess[c];
  }
  response r = respond_to_strain(m, strain);
  if (compression < 1) clamp(&r, compression);
  double g = r.slope[2] / 2;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double one = a == b, uu = r.slope[0] * f[0][a] * f[0][b] + g * f[1][a] * f[1][b] + one * r.stress[0];
      double vv = r.slope[1] * f[1][a] * f[1][b] + g * f[0][a] * f[0][b] + one * r.stress[1];
      double uv = r.cross * f[0][a] * f[1][b] + g * f[1][a] * f[0][b] + one * r.stress[2];
      double vu = r.cross * f[1][a] * f[0][b] + g * f[0][a] * f[1][b] + one * r.stress[2];
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++)
          k[p][q][a][b] = s.area * (s.bu[p] * s.bu[q] * uu + s.bv[p] * s.bv[q] * vv + s.bu[p] * s.bv[q] * uv +
                                    s.bv[p] * s.bu[q] * vu);
    }
}
