/* The second-derivative rows of all triangles of a mesh, and for each vertex where it occurs in them. */
#ifndef SIM_BENDING_STENCILS_H
#define SIM_BENDING_STENCILS_H

#include "sim_bending_triangle.h"

typedef struct sim_stencils {
  int *start, *vertex; /* n_triangles + 1, start[n_triangles] */
  double (*kappa)[3];  /* n as vertex: weights [1/m2] */
  /* Uses of a vertex: n_vertices + 1 starts; triangles, ascending; places, which index vertex and kappa. */
  int *use_start, *use_triangle, *use_place;
} sim_stencils;

/* Collects the rows of b, whose matrix is not needed. slopes: of its mesh and grips. Caller:
 * sim_stencils_clear, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_stencils_make(const sim_bending *b, const sim_bending_slopes *slopes,
                                       sim_stencils *out, cb_err *err);
void sim_stencils_clear(sim_stencils *s);

#endif
