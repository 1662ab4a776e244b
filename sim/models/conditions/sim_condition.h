/* One condition C(x) on up to four vertices: its value and derivatives, and the energy, forces and Hessian
 * that any condition gives. sim_conditions.h has the equations. */
#ifndef SIM_CONDITION_H
#define SIM_CONDITION_H

#include "sim_conditions.h"
#include "sim_material.h"

/* The vertices of a condition: a triangle (n = 3), or the two triangles at an edge (n = 4: the ends of the
 * edge, then the opposite corners). */
typedef struct sim_patch {
  int n, vertex[4];
  double a, slope[2][3]; /* of a triangle: sqrt(area) [m]; w_u = sum slope[0][i] x_i, w_v by slope[1] [1/m] */
} sim_patch;

/* The value of a condition, of 1 or 2 parts, and its first derivative by each of n vertices:
 * d[part][vertex]. */
typedef struct sim_condition {
  int n, parts;
  double c[2], d[2][4][3];
} sim_condition;

typedef double sim_condition_block[3][3]; /* 3 x 3 block of a symmetric matrix; only block[i][j] with i <= j
                                             is used */

/* Evaluates a condition at the positions x of its vertices. rest is b_u, b_v. */
void sim_condition_first(sim_conditions_kind kind, const sim_patch *patch, const double rest[2],
                         const double x[4][3], sim_condition *out);

/* Energy and force of a condition under its law. */
typedef struct sim_response {
  double energy_J;
  double q[2]; /* force = -sum q d */
} sim_response;
/* Damping is backward Euler's over a step of h: rate = k_d/h, from the values `was` at the start of the
 * step. rate 0 means no damping. */
sim_response sim_condition_response(const sim_condition *c, const sim_conditions_law *law, double rate,
                                    const double was[2]);
/* block += the Hessian of the energy of the response r. */
void sim_condition_add_hessian(sim_conditions_kind kind, const sim_patch *patch, const double x[4][3],
                               const sim_condition *c, const sim_conditions_law *law, double rate,
                               const sim_response *r, sim_tangent tangent, sim_condition_block block[4][4]);

#endif
