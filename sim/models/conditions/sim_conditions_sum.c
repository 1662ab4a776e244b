/* The sum over all conditions: energy, forces, Hessian. One after the other: a cloth of particles is some
 * hundred vertices, and the order of summation is then the same for any number of threads. */
#include <math.h>
#include <string.h>

#include "sim_conditions_impl.h"
#include "sim_vec.h"

static bool applies(const sim_conditions *p, const sim_patch *patch, sim_conditions_kind kind) {
  const sim_conditions_law *l = &p->setup.law[kind];
  return (kind == SIM_CONDITIONS_BEND) == (patch->n == 4) && (l->k > 0 || l->lambda > 0 || l->damping > 0);
}

static void corners_of(const sim_patch *patch, const double (*x)[3], double corner[4][3]) {
  for (int i = 0; i < 4; i++) memcpy(corner[i], x[patch->vertex[i]], sizeof corner[i]);
}

static void add_blocks(sim_conditions *p, int patch, double scale, sim_condition_block block[4][4]) {
  const int n = p->patch[patch].n, *slot = p->slot[patch];
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      double *to = p->matrix.block[slot[4 * i + j]], *mirrored = p->matrix.block[slot[4 * j + i]];
      for (int k = 0; k < 9; k++) to[k] += scale * block[i][j][k % 3][k / 3]; /* by columns */
      for (int k = 0; k < 9 && j > i; k++) mirrored[k] += scale * block[i][j][k / 3][k % 3];
    }
}

/* An angle's change is the way round that is shorter: cloth that went through itself has not turned by 2
 * pi. */
static void nearest_turn(const sim_condition *c, const double was[2], double out[2]) {
  const double pi = acos(-1);
  out[0] = c->c[0] - remainder(c->c[0] - was[0], 2 * pi);
  out[1] = 0;
}

static double one_condition(sim_conditions *p, int i, sim_conditions_kind kind, const double corner[4][3],
                            double per_s, double (*force)[3], sim_tangent tangent,
                            sim_condition_block block[4][4]) {
  const sim_patch *patch = &p->patch[i];
  const sim_conditions_law *law = &p->setup.law[kind];
  const double rate = law->damping * per_s;
  double was[2] = {p->was[i][kind][0], p->was[i][kind][1]};
  sim_condition c;
  sim_condition_first(kind, patch, p->setup.rest, corner, &c);
  if (kind == SIM_CONDITIONS_BEND) nearest_turn(&c, p->was[i][kind], was);
  const sim_response r = sim_condition_response(&c, law, rate, was);
  for (int k = 0; force && k < c.parts; k++)
    for (int j = 0; j < c.n; j++) sim_add(force[patch->vertex[j]], -r.q[k], c.d[k][j]);
  if (block) sim_condition_add_hessian(kind, patch, corner, &c, law, rate, &r, tangent, block);
  return r.energy_J;
}

double sim_conditions_conditions(sim_conditions *p, const double (*x)[3], double per_s, double (*force)[3],
                                 double scale, sim_tangent tangent) {
  double energy_J = 0;
  for (int i = 0; i < p->n_patches; i++) {
    const sim_patch *patch = &p->patch[i];
    sim_condition_block block[4][4];
    double corner[4][3];
    corners_of(patch, x, corner);
    if (scale != 0) memset(block, 0, sizeof block);
    for (int kind = 0; kind < SIM_CONDITIONS_KINDS; kind++)
      if (applies(p, patch, (sim_conditions_kind)kind))
        energy_J += one_condition(p, i, (sim_conditions_kind)kind, (const sim_vec3 *)corner, per_s, force,
                                  tangent, scale != 0 ? block : NULL);
    if (scale != 0) add_blocks(p, i, scale, block);
  }
  return energy_J;
}

void sim_conditions_remember(sim_conditions *p, const double (*x)[3]) {
  for (int i = 0; i < p->n_patches; i++) {
    double corner[4][3];
    corners_of(&p->patch[i], x, corner);
    for (int kind = 0; kind < SIM_CONDITIONS_KINDS; kind++) {
      sim_condition c;
      if (!(p->setup.law[kind].damping > 0) || !applies(p, &p->patch[i], (sim_conditions_kind)kind)) continue;
      sim_condition_first((sim_conditions_kind)kind, &p->patch[i], p->setup.rest, (const sim_vec3 *)corner,
                          &c);
      memcpy(p->was[i][kind], c.c, sizeof c.c);
    }
  }
}

double sim_conditions_elastic(sim_conditions *p, double (*force_N)[3]) {
  if (force_N) memset(force_N, 0, (size_t)p->n * sizeof *force_N);
  return sim_conditions_conditions(p, (const sim_vec3 *)p->x, 0, force_N, 0, SIM_TANGENT_NONE);
}
