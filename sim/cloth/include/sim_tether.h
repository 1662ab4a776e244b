/* A spring and a dashpot between a cloth and an anchor that is moved along a line: how a stage pulls, or how a weight hangs (a soft
 * spring).
 *
 * tension = k (a - d) + c (a' - d'),   d = mean of e.(x - x at t = 0) over the cloth by share, e the line's direction
 * Every vertex carries its share of the spring, from where it lay: together they are one spring at the mean, and the patch that is
 * pulled is not squeezed. */
#ifndef SIM_TETHER_H
#define SIM_TETHER_H

#include "cb_err.h"

typedef struct sim_tether {
  double direction[3];                        /* unit length */
  const double *share;                        /* per vertex, >= 0, their sum 1; not owned */
  double stiffness_N_per_m, damping_Ns_per_m; /* >= 0 */
  double anchor_m, anchor_m_per_s;            /* along the line from where it was at t = 0, and its velocity: at the end of the step */
} sim_tether;

CB_CHECKED cb_status sim_tether_check(const sim_tether *t, int n_vertices, cb_err *err);

#endif
