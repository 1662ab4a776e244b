/* One condition C(x) on up to four particles: its values, what they are made of, and energy, forces and
 * Hessian out of any condition. */
#ifndef SIM_CONDITION_H
#define SIM_CONDITION_H

#include "sim_conditions_look.h"

/* A triangle, or the two at an edge: edge[0], edge[1], the corners opposite. */
typedef struct sim_patch {
  int n, vertex[4];
  double a, slope[2][3]; /* of a triangle: sqrt(area) [m]; w_u = sum slope[0][i] x_i [1/m] */
} sim_patch;

/* Values and first derivatives; up to two of them. */
typedef struct sim_condition {
  int n, parts;
  double c[2], d[2][4][3];
} sim_condition;

typedef double sim_block[3][3]; /* of a symmetric matrix: block[i][j] counts where i <= j */

void sim_condition_first(sim_conditions_kind kind, const sim_patch *patch, const double rest[2],
                         const double x[4][3], sim_condition *out);
/* block[i][j] += q d2C/dx_i dx_j of one part. Clamped: the positive semi-definite part of that instead, for
 * bend nothing. */
void sim_condition_add_second(sim_conditions_kind kind, const sim_patch *patch, const double x[4][3],
                              int part, double q, sim_tangent tangent, sim_block block[4][4]);

/* What a law makes of a condition: its damping, if any, is backward Euler's over a step, rate = k_d/h, from
 * the values `was` on. */
typedef struct sim_response {
  double energy_J;
  double q[2]; /* force = -sum q d */
} sim_response;
sim_response sim_condition_response(const sim_condition *c, const sim_conditions_law *law, double rate,
                                    const double was[2]);
/* block += the Hessian. */
void sim_condition_add_hessian(sim_conditions_kind kind, const sim_patch *patch, const double x[4][3],
                               const sim_condition *c, const sim_conditions_law *law, double rate,
                               const sim_response *r, sim_tangent tangent, sim_block block[4][4]);

#endif
