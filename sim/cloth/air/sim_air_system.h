/* The linear system of a step of the air: (volume + leak + sum of flows) P_i - sum flow_ij P_j = b, flows
 * symmetric, and its solvers. */
#ifndef SIM_AIR_SYSTEM_H
#define SIM_AIR_SYSTEM_H

#include "cb_err.h"
#include "sim_mesh.h"

typedef struct sim_air_system {
  int n, n_edges;
  int *start, *edge, *other; /* n + 1, 2 n_edges, 2 n_edges: each vertex's edges and where they lead */
  double *flow_m3;           /* per edge */
  double *volume_m3, *diagonal_m3, *b_J;
  float *near_m3;                     /* flow_m3 by `other` */
  float *relaxed_per_m3, *own_per_m3; /* what a relaxation takes of what is left, damped; of a vertex without
                                         flows */
  double *r, *z, *p, *q, *s, *t;      /* the solvers' vectors */
  double *chunk_sum;
} sim_air_system;

CB_CHECKED cb_status sim_air_system_init(const sim_mesh *mesh, sim_air_system *out, cb_err *err);
void sim_air_system_clear(sim_air_system *s);

/* pressure_Pa: start and solution. Ends where |residual| <= tolerance volume pressure at every vertex;
 * returns the iterations, or -1 where they did not suffice. */
int sim_air_solve_cg(sim_air_system *s, double tolerance, int max_iterations, double *pressure_Pa);
int sim_air_solve_bicgstab(sim_air_system *s, double tolerance, int max_iterations, double *pressure_Pa);

/* B b, B symmetric and no less than the inverse of the system: so many relaxations, what is left as if
 * nothing flowed (own_m3: diagonal without flows), and as many again. Valid until the next call; after a
 * prepare for the system. */
void sim_air_system_prepare(sim_air_system *s, const double *own_m3);
const double *sim_air_system_smooth(const sim_air_system *s, int relaxations);

#endif
