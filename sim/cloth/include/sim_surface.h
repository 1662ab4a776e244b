/* Triangles to be looked at: a body as a picture or a file shows it. */
#ifndef SIM_SURFACE_H
#define SIM_SURFACE_H

#include "sim_body.h"

typedef struct sim_surface {
  int n_vertices, n_triangles;
  double (*position_m)[3];
  int (*triangle)[3]; /* counter-clockwise from outside */
} sim_surface;

/* What of the body lies about `middle`: of what is endless, the part within reach_m of it. Caller: sim_surface_clear, even after a failure.
 */
CB_CHECKED cb_status sim_surface_of_body(const sim_body *body, const double middle_m[3], double reach_m, sim_surface *out, cb_err *err);
void sim_surface_clear(sim_surface *s);

#endif
