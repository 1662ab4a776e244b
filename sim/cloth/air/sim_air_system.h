/* The linear system of a step of the air, and its solvers: (volume + leak + sum of flows) P_i - sum flow_ij
 * P_j = b, with symmetric flows. */
#ifndef SIM_AIR_SYSTEM_H
#define SIM_AIR_SYSTEM_H

#include "cb_err.h"
#include "sim_mesh.h"

typedef struct sim_air_system {
  int n, n_edges;
  int *start, *edge, *other; /* n + 1, 2 n_edges, 2 n_edges: each vertex's edges, and the vertices they lead
                                to */
  double *flow_m3;           /* per edge */
  double *volume_m3, *diagonal_m3, *b_J;
  float *near_m3; /* flow_m3 in the order of `other` */
  /* Inverse diagonals: of the system, and without flows. */
  float *whole_per_m3, *own_per_m3;
  double *r, *z, *p, *q, *s, *t; /* the solvers' vectors */
  double *chunk_sum;
} sim_air_system;

/* Connects the vertices by the mesh's edges. Caller: sim_air_system_clear, also after an error. Errors:
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_air_system_init(const sim_mesh *mesh, sim_air_system *out, cb_err *err);
void sim_air_system_clear(sim_air_system *s);

/* Solves the system. pressure_Pa: start and solution. Ends where |residual| <= tolerance volume pressure at
 * every vertex. Returns the iterations, or -1 if max_iterations did not suffice. CG: pressures are the
 * unknowns; BiCGSTAB: amounts. */
int sim_air_solve_cg(sim_air_system *s, double tolerance, int max_iterations, double *pressure_Pa);
int sim_air_solve_bicgstab(sim_air_system *s, double tolerance, int max_iterations, double *pressure_Pa);

/* Returns B b. B is symmetric and no less than the inverse of the system: a polynomial of
 * relaxations (Chebyshev's of the fourth kind: Lottes, Numer. Linear Algebra Appl. 30:e2518, 2023), one step
 * as if nothing flowed, and the polynomial again. With kappa = flows / own, B exceeds 1/A by at most 2 kappa
 * / (2 relaxations + 1)^2 of 1/A. relaxations >= 1. prepare must come first, with the system and own_m3, the
 * diagonal without flows. The result belongs to s and is valid until the next call. */
void sim_air_system_prepare(sim_air_system *s, const double *own_m3);
const double *sim_air_system_smooth(const sim_air_system *s, int relaxations);

#endif
