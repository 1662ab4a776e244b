/* Forces, energy and curvatures of bending for given positions. */
#include <assert.h>
#include <math.h>

#include "cb_threads.h"
#include "sim_bending.h"
#include "sim_bending_triangle.h"

void sim_triangle_normal(const sim_mesh *m, const double (*x)[3], int triangle, double out[3]) {
  const double *a = x[m->triangle[triangle][0]], *b = x[m->triangle[triangle][1]],
               *c = x[m->triangle[triangle][2]];
  double p[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, q[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int i = 0; i < 3; i++) out[i] = length > 0 ? n[i] / length : 0;
}

void sim_bending_product(const sim_bending *b, double scale, const double (*d)[3], double (*y)[3]) {
  sim_pairs_product(&b->pairs, scale, d, y);
}

void sim_bending_add_force(const sim_bending *b, const double (*x_m)[3], double (*force_N)[3]) {
  sim_bending_product(b, -1, x_m, force_N);
  sim_bending_add_rest(b, x_m, force_N);
}

void sim_bending_add_rest(const sim_bending *b, const double (*x_m)[3], double (*force_N)[3]) {
  if (!b->rest_per_m) return;
  int n = b->mesh->n_vertices;
#pragma omp parallel for schedule(static)
  for (int v = 0; v < n; v++)
    for (int i = b->rest_start[v]; i < b->rest_start[v + 1]; i++) {
      double normal[3];
      sim_triangle_normal(b->mesh, x_m, b->rest_triangle[i], normal);
      for (int c = 0; c < 3; c++) force_N[v][c] += b->rest_N[i] * normal[c];
    }
}

static void slope_of(const sim_bending *b, const double (*x)[3], int edge, const double origin[3],
                     double out[3]) {
  for (int c = 0; c < 3; c++) out[c] = 0;
  const sim_bending_slopes *s = b->slopes;
  for (int i = s->start[edge]; i < s->start[edge + 1]; i++)
    for (int c = 0; c < 3; c++) out[c] += s->per_m[i] * (x[s->vertex[i]][c] - origin[c]);
}

/* x_uu, x_vv, 2 x_uv with relaxed free borders, without rest curvature. Computed from the sides: exact to
 * rounding even where they are tiny, which 1/2 x K x is not. */
static void second_derivatives(const sim_bending *b, const double (*x)[3], int triangle, double out[3][3]) {
  const sim_mesh *m = b->mesh;
  double level[3][3] = {{0}}, P[3][3], per_area = 1 / m->area_m2[triangle];
  const int *v = m->triangle[triangle];
  for (int k = 0; k < 3 && !b->rigid[triangle]; k++) {
    const double *p = m->corner_m[triangle][(k + 1) % 3], *q = m->corner_m[triangle][(k + 2) % 3];
    double d[2] = {q[0] - p[0], q[1] - p[1]}, l2 = d[0] * d[0] + d[1] * d[1], slope[3];
    double along[3] = {d[0] * d[1] / l2, -d[0] * d[1] / l2, (d[1] * d[1] - d[0] * d[0]) / l2};
    double across[3] = {d[1] * d[1] / l2, d[0] * d[0] / l2, -2 * d[0] * d[1] / l2};
    int e = m->triangle_edge[triangle][k];
    double outward = (m->edge[e].triangle[0] == triangle ? 1 : -1) * sqrt(l2) * per_area;
    slope_of(b, x, e, x[v[k]], slope);
    for (int c = 0; c < 3; c++) {
      double rise = per_area * (x[v[(k + 2) % 3]][c] - x[v[(k + 1) % 3]][c]);
      for (int r = 0; r < 3; r++) level[r][c] += along[r] * rise + across[r] * outward * slope[c];
    }
  }
  sim_bending_relax(b, triangle, P);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      out[r][c] = P[r][0] * level[0][c] + P[r][1] * level[1][c] + P[r][2] * level[2][c];
}

/* Splits K0 into P K0, which a free border resists, and the rest, which it follows. */
static void split_rest(const sim_bending *b, int triangle, double resisted[3], double followed[3]) {
  double P[3][3];
  const double *k0 = b->rest_per_m[triangle];
  sim_bending_relax(b, triangle, P);
  for (int r = 0; r < 3; r++) {
    resisted[r] = P[r][0] * k0[0] + P[r][1] * k0[1] + P[r][2] * k0[2];
    followed[r] = k0[r] - resisted[r];
  }
}

static double triangle_energy(const sim_bending *b, const double (*x)[3], int triangle) {
  double k[3][3], energy = 0;
  if (b->rigid[triangle]) return 0;
  second_derivatives(b, x, triangle, k);
  if (b->rest_per_m) {
    double n[3], resisted[3], followed[3];
    sim_triangle_normal(b->mesh, x, triangle, n);
    split_rest(b, triangle, resisted, followed);
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) k[r][c] -= resisted[r] * n[c];
  }
  for (int r = 0; r < 3; r++)
    for (int s = 0; s < 3; s++)
      energy += b->D_Nm[r][s] * (k[r][0] * k[s][0] + k[r][1] * k[s][1] + k[r][2] * k[s][2]);
  return 0.5 * b->mesh->area_m2[triangle] * energy;
}

/* Adds up the sums of n / CB_CHUNK + 1 chunks in order. */
static double add_up(const sim_bending *b, int n) {
  double sum = 0;
  for (int chunk = 0; chunk <= n / CB_CHUNK; chunk++) sum += b->partial[chunk];
  return sum;
}

double sim_bending_energy_J(const sim_bending *b, const double (*x_m)[3]) {
  const int n = b->mesh->n_triangles;
  assert(b->slopes->start);
#pragma omp parallel for schedule(static)
  for (int chunk = 0; chunk <= n / CB_CHUNK; chunk++) {
    double sum = 0;
    for (int t = chunk * CB_CHUNK; t < cb_chunk_end(chunk, n); t++) sum += triangle_energy(b, x_m, t);
    b->partial[chunk] = sum;
  }
  return add_up(b, n);
}

double sim_bending_between(const sim_bending *b, const double (*u)[3], const double (*w)[3]) {
  const int n = b->mesh->n_vertices;
#pragma omp parallel for schedule(static)
  for (int chunk = 0; chunk <= n / CB_CHUNK; chunk++)
    b->partial[chunk] = sim_pairs_between(&b->pairs, u, w, chunk * CB_CHUNK, cb_chunk_end(chunk, n));
  return add_up(b, n);
}

double sim_bending_energy_of_pairs_J(const sim_bending *b, const double (*x_m)[3]) {
  if (b->rest_per_m) return sim_bending_energy_J(b, x_m);
  return sim_bending_between(b, x_m, x_m) / 2;
}

void sim_bending_curvature(const sim_bending *b, const double (*x_m)[3], double (*out_per_m)[3]) {
  int n = b->mesh->n_triangles;
  assert(b->slopes->start);
#pragma omp parallel for schedule(static)
  for (int t = 0; t < n; t++) {
    double k[3][3], normal[3], resisted[3], followed[3] = {0};
    second_derivatives(b, x_m, t, k);
    sim_triangle_normal(b->mesh, x_m, t, normal);
    if (b->rest_per_m && !b->rigid[t]) split_rest(b, t, resisted, followed);
    for (int r = 0; r < 3; r++) {
      double kappa = k[r][0] * normal[0] + k[r][1] * normal[1] + k[r][2] * normal[2] + followed[r];
      out_per_m[t][r] = r == 2 ? 0.5 * kappa : kappa;
    }
  }
}
