/* Private to validate/: air at rest in its flow, as a network of conductances solved densely: Kirchhoff's
 * laws, beside sim_air's own solvers. */
#ifndef VAL_NETWORK_H
#define VAL_NETWORK_H

#include "sim_mesh.h"

typedef struct val_network {
  const sim_mesh *mesh;
  const double (*x_m)[3];
  const double *gap_m;
  double flow_m_per_s;        /* along an edge: flow times section times difference */
  const double *out_m3_per_s; /* per vertex, to its outside: times difference */
  const double *outside_Pa;
} val_network;

/* pressure_Pa: per vertex, where nothing gathers anywhere. n^2 doubles. */
CB_CHECKED cb_status val_network_solve(const val_network *w, double *pressure_Pa, cb_err *err);

#endif
