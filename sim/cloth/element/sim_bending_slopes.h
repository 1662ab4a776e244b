/* The slope across every edge of a mesh, as rows of weights over vertices. Only curvatures and exact energies
 * read them, and the matrix is made from them. */
#ifndef SIM_BENDING_SLOPES_H
#define SIM_BENDING_SLOPES_H

#include <stdbool.h>

#include "sim_mesh.h"

typedef struct sim_bending_slopes {
  int *start, *vertex; /* n_edges + 1, start[n_edges]; rows are empty on the border */
  double *per_m;       /* as vertex: out of the edge's triangle[0] [1/m] */
  /* Edges whose slope is exact for planes only: too few vertices, or all on one conic. */
  int n_uncorrected;
} sim_bending_slopes;

/* Makes the rows. rigid: per triangle, whether all three vertices are gripped. The same arguments give the
 * same bits. Caller: sim_bending_slopes_clear, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_bending_slopes_make(const sim_mesh *mesh, const bool *rigid, sim_bending_slopes *out,
                                             cb_err *err);
void sim_bending_slopes_clear(sim_bending_slopes *s);

#endif
