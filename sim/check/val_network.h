/* Steady flow of air as a network of conductances, solved densely by Kirchhoff's laws: a reference for the
 * solvers of sim_air. Private to validate/. */
#ifndef VAL_NETWORK_H
#define VAL_NETWORK_H

#include "sim_mesh.h"

typedef struct val_network {
  const sim_mesh *mesh;
  const double (*x_m)[3];
  const double *gap_m;
  double flow_m_per_s;        /* along an edge: flow = this x section x pressure difference */
  const double *out_m3_per_s; /* per vertex, to its outside: flow = this x pressure difference */
  const double *outside_Pa;
} val_network;

/* Fills pressure_Pa per vertex, so that no air accumulates anywhere. It needs n^2 doubles. Error: memory. */
CB_CHECKED cb_status val_network_solve(const val_network *w, double *pressure_Pa, cb_err *err);

#endif
