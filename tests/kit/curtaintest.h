/* What the tests of curtains share: columns in a vacuum, and what is measured of them. */
#ifndef CURTAINTEST_H
#define CURTAINTEST_H

#include <stdbool.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cbtest.h"
#include "sim_curtain.h"
#include "sim_curtain_impl.h"
#include "sim_mesh.h"

typedef double vec3[3];

static inline double norm3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static inline double apart(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return norm3(d);
}

/* Columns of `rods` rods that know nothing of each other, in a vacuum. */
static inline sim_curtain_setup vacuum(int columns, int rods, double rod_m) {
  sim_curtain_setup s = sim_curtain_setup_default();
  s.columns = columns;
  s.nodes = rods + 1;
  s.rod_m = rod_m;
  s.air.density_kg_per_m3 = 0;
  s.pulls = 0;
  s.self_collision = false;
  return s;
}

/* Places the rods of a column along these directions, from the top, at rest. direction[nodes - 1], each of
 * any length > 0. */
static inline void lay(sim_curtain *c, int column, const double (*direction)[3]) {
  const int l = column % SIM_CURTAIN_LANES, block = column / SIM_CURTAIN_LANES;
  for (int node = 1; node < c->setup.nodes; node++) {
    const long at = 3 * sim_curtain_at(c, block, node);
    const double scale = c->setup.rod_m / norm3(direction[node - 1]);
    for (int k = 0; k < 3; k++) {
      c->x[at + k][l] = c->x[at - 3 + k][l] + scale * direction[node - 1][k];
      c->v[at + k][l] = 0;
    }
    c->turning[at / 3][l] = 0;
  }
}

/* All rods turned by an angle from -z to x. */
static inline void lay_straight(sim_curtain *c, int column, int rods, double angle_rad) {
  vec3 *d = calloc((size_t)rods, sizeof *d);
  assert_non_null(d);
  for (int k = 0; k < rods; k++) d[k][0] = sin(angle_rad), d[k][2] = -cos(angle_rad);
  lay(c, column, (const sim_vec3 *)d);
  free(d);
}

/* By how much a rod's length is off, over its length: the worst. */
static inline double worst_rod(const sim_curtain *c, const sim_curtain_setup *s) {
  double worst = 0;
  for (int column = 0; column < s->columns; column++)
    for (int k = 1; k < s->nodes; k++) {
      double a[3], b[3];
      sim_curtain_node(c, column, k - 1, a, NULL);
      sim_curtain_node(c, column, k, b, NULL);
      worst = fmax(worst, fabs(apart(a, b) / s->rod_m - 1));
    }
  return worst;
}

#endif
