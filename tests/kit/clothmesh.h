/* Small sheets for the tests of elements and solvers: a grid over [0, a] x [0, b], flat, its inner vertices
 * moved about at will. */
#ifndef CLOTHMESH_H
#define CLOTHMESH_H

#include "cb_rng.h"
#include "cbtest.h"
#include "sim_material.h"
#include "sim_mesh.h"

typedef double vec3[3];

static inline vec3 *cm_vectors(int n) {
  assert_true(n > 0);
  vec3 *v = calloc((size_t)n, sizeof *v);
  assert_non_null(v);
  return v;
}

/* Kinked curves, and a cross coupling: differences are to be taken far from the kinks. */
static inline sim_material cm_woven(double bending_Nm) {
  sim_material m = sim_material_isotropic(0.15, 1000, bending_Nm);
  m.warp = (sim_curve){.n = 3, .strain = {0, 0.02, 0.1}, .stress_N_per_m = {0, 20, 300}};
  m.weft = (sim_curve){.n = 3, .strain = {0, 0.05, 0.2}, .stress_N_per_m = {0, 40, 100}};
  m.shear = (sim_curve){.n = 4, .strain = {0, 0.1, 0.2, 0.3}, .stress_N_per_m = {0, 5, 7, 30}};
  m.cross_N_per_m = 200;
  return m;
}

/* nu x nv cells with alternating diagonals; jitter: share of a cell by which inner vertices are off, at most
 * 0.2. */
static inline void cm_sheet(double a, double b, int nu, int nv, double jitter, sim_mesh *out) {
  const int n = (nu + 1) * (nv + 1), nt = 2 * nu * nv;
  vec3 *x = calloc((size_t)n, sizeof *x);
  int(*t)[3] = calloc((size_t)nt, sizeof *t);
  double(*corner)[3][2] = calloc((size_t)nt, sizeof *corner);
  assert_true(x && t && corner);
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  for (int j = 0; j <= nv; j++)
    for (int i = 0; i <= nu; i++) {
      const int inner = i && j && i < nu && j < nv;
      const double du = jitter * (2 * cb_rng_uniform(&rng) - 1), dv = jitter * (2 * cb_rng_uniform(&rng) - 1);
      x[j * (nu + 1) + i][0] = a / nu * (i + (inner ? du : 0));
      x[j * (nu + 1) + i][1] = b / nv * (j + (inner ? dv : 0));
    }
  for (int j = 0, k = 0; j < nv; j++)
    for (int i = 0; i < nu; i++, k += 2) {
      const int p = j * (nu + 1) + i, q = p + 1, r = p + nu + 1, s = r + 1, odd = (i + j) % 2;
      const int two[2][3] = {{p, q, odd ? s : r}, {odd ? p : q, s, r}};
      memcpy(t[k], two, sizeof two);
    }
  for (int k = 0; k < nt; k++)
    for (int c = 0; c < 3; c++) memcpy(corner[k][c], x[t[k][c]], sizeof corner[k][c]);
  assert_ok(
      sim_mesh_build((const vec3 *)x, n, (const int(*)[3])t, (const double(*)[3][2])corner, nt, out, err));
  free(x);
  free(t);
  free(corner);
}

#endif
