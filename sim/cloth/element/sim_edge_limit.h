/* Strain limiting: no edge of the cloth becomes longer than its limit.
 *
 * It has two parts. An edge that is longer than its limit L when a step begins, or would be when it ends, is
 * a spring in the equations of the step, with the energy k (l - L)^2 / 2. Loads that stretch the cloth are
 * therefore part of the system of cloth, contact springs and bodies, and so is their friction. k is so large
 * that the excess l - L is a fraction of the tolerance under loads up to hundreds of times the weight of the
 * cloth.
 *
 * After the step, edges that are still too long are shortened: an impulse along the edge stops its growth,
 * and a shift removes the rest of the excess, which makes no energy. Both act on the two ends by the inverses
 * of their masses, so they conserve linear momentum, and angular momentum but for the motion within a step.
 * Edges are corrected one after the other in their order (Gauss-Seidel: X. Provot, Graphics Interface 1995;
 * velocities: R. Bridson, R. Fedkiw, J. Anderson, SIGGRAPH 2002), in sweeps, until none is too long.
 *
 * There is no state from step to step. Edges are tested in parallel and corrected by one thread, so the bits
 * do not depend on the number of threads. SI units. */
#ifndef SIM_EDGE_LIMIT_H
#define SIM_EDGE_LIMIT_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_membrane.h"
#include "sim_mesh.h"

#define SIM_EDGE_LIMIT_TOLERANCE 1e-3 /* largest excess of an edge, over its limit */

/* Without limits every call does nothing. */
typedef struct sim_edge_limit {
  const sim_mesh *mesh;
  const double *most_m; /* n_edges: L; INFINITY: not limited; not owned; NULL: no limits */
  int n_springs;        /* of the present step */
  struct sim_edge_spring *spring;
  int *listed;         /* n_edges; those of a sweep */
  bool *over, *sprung; /* n_edges; longer than asked for, in the present test; is a spring of the step */
} sim_edge_limit;

/* Prepares limits for the edges of a mesh; most_m NULL: none. Caller: sim_edge_limit_clear, also after an
 * error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_edge_limit_init(const sim_mesh *mesh, const double *most_m, sim_edge_limit *out,
                                         cb_err *err);
void sim_edge_limit_clear(sim_edge_limit *l);

/* What a step of dt_s has of the cloth, per vertex. */
typedef struct sim_edge_limit_step {
  const double *mass_kg;
  double steepest_N_per_m, dt_s; /* of the material's curves */
} sim_edge_limit_step;

/* Before a step: begins with the edges that are too long at x. */
void sim_edge_limit_begin(sim_edge_limit *l, const sim_edge_limit_step *step, const double (*x)[3]);
/* After a solve: adds edges that would be too long at the end of the step, where vertices are at past_x +
 * gamma v. Returns their number. */
int sim_edge_limit_extend(sim_edge_limit *l, const sim_edge_limit_step *step, const double (*past_x)[3],
                          double gamma_s, const double (*v)[3]);
/* Adds the springs from number `first` on, at x, to the forces, and their tangent to the membrane's blocks of
 * edges. */
void sim_edge_limit_add(const sim_edge_limit *l, int first, const double (*x)[3], double (*force)[3],
                        float (*block)[9]);

/* The cloth whose edges are shortened. Arrays are per vertex; x and v are changed. */
typedef struct sim_edge_limit_cloth {
  double (*x_m)[3], (*v_m_per_s)[3];
  const double *mass_kg;
  const bool *held; /* do not move; NULL: none */
  /* Outward normal of what the vertex lies on, into which it is not moved; 0 where there is nothing; NULL:
   * nowhere. */
  const double (*support)[3];
} sim_edge_limit_cloth;

/* After a step of dt_s: shortens the edges that are too long. Returns the number of corrections. */
int sim_edge_limit_enforce(sim_edge_limit *l, const sim_edge_limit_cloth *cloth, double dt_s);
/* Sets taut[i] for the ends of edges that are too long at x; clears the others. */
void sim_edge_limit_ends(sim_edge_limit *l, const double (*x)[3], bool *taut);
/* Returns the length of the longest edge over its limit; 0 without limits. *at_limit: edges that are longer
 * than their limit, which the springs hold. */
double sim_edge_limit_longest(const sim_edge_limit *l, const double (*x)[3], int *at_limit);

#endif
