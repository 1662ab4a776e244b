/* What the tests of particles share: random vectors, a crumpled sheet, a usual cloth, the way to rest. */
#ifndef PARTICLETEST_H
#define PARTICLETEST_H

#include "clothmesh.h"
#include "sim_blocks_apply.h"
#include "sim_conditions_impl.h"

static inline vec3 *random_vectors(int n, uint64_t seed) {
  vec3 *d = cm_vectors(n);
  cb_rng rng;
  cb_rng_init(&rng, seed, 0);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) d[i][k] = 2 * cb_rng_uniform(&rng) - 1;
  return d;
}

/* Stretched by different shares and crumpled: folds to either side, triangles that are pulled, pressed and
 * sheared. */
static inline void crumple(const sim_mesh *mesh, double warp, double weft, double size, uint64_t seed,
                           vec3 *x) {
  vec3 *noise = random_vectors(mesh->n_vertices, seed);
  for (int i = 0; i < mesh->n_vertices; i++) {
    const double *at = mesh->position_m[i];
    const double flat[3] = {warp * at[0] + 0.1 * at[1], weft * at[1], 2 * at[0] * at[1]};
    for (int k = 0; k < 3; k++) x[i][k] = flat[k] + size * noise[i][k];
  }
  free(noise);
}

static inline double dot(int n, vec3 *a, vec3 *b) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) sum += a[i][k] * b[i][k];
  return sum;
}

static inline void shift(int n, vec3 *from, double s, vec3 *d, vec3 *to) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) to[i][k] = from[i][k] + s * d[i][k];
}

/* y = K d per vertex, K the Hessian of sim_conditions_elastic: exact, or clamped to a positive semi-definite
 * part. */
static inline void hessian_product(sim_conditions *p, sim_tangent tangent, const vec3 *d, vec3 *y) {
  memset(p->matrix.block, 0, (size_t)p->matrix.start[p->n] * sizeof *p->matrix.block);
  (void)sim_conditions_conditions(p, (const vec3 *)p->x, 0, NULL, 1, tangent);
  (void)sim_blocks_product(&p->matrix, d, y);
}

static inline sim_conditions_setup cloth_of(const sim_mesh *mesh) {
  sim_conditions_setup s = sim_conditions_setup_default(mesh);
  s.law[SIM_CONDITIONS_STRETCH] = (sim_conditions_law){100, 1e5, 0.01};
  s.law[SIM_CONDITIONS_SHEAR] = (sim_conditions_law){10, 0, 0.01};
  s.law[SIM_CONDITIONS_BEND] = (sim_conditions_law){1e-5, 0, 1e-8};
  return s;
}

/* Draws it to rest: steps from rest that grow. */
static inline void settle(sim_conditions *p, int n) {
  double dt_s = 0.01;
  for (int k = 0; k < 200 && dt_s < 1e4; k++, dt_s *= 1.5) {
    for (int i = 0; i < n; i++) memset(sim_conditions_velocity(p)[i], 0, sizeof(vec3));
    assert_ok(sim_conditions_step(p, dt_s, NULL, err));
  }
}

#endif
