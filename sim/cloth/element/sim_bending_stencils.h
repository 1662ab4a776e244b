/* All rows of second derivatives of a mesh, and for each vertex where it stands in them. */
#ifndef SIM_BENDING_STENCILS_H
#define SIM_BENDING_STENCILS_H

#include "sim_bending_triangle.h"

typedef struct sim_stencils {
  int *start, *vertex;                       /* n_triangles + 1, start[n_triangles] */
  double (*kappa)[3];                        /* beside vertex: 1/m2 */
  int *use_start, *use_triangle, *use_place; /* n_vertices + 1 and so many; place = index into vertex and
                                                kappa; triangles ascend */
} sim_stencils;

/* Needs the slopes of b, not its matrix. Clear it even after a failure. */
CB_CHECKED cb_status sim_stencils_make(const sim_bending *b, sim_stencils *out, cb_err *err);
void sim_stencils_clear(sim_stencils *s);

/* value += sum over the triangles of A kappa_i D kappa_j, in the pattern of b's matrix; symmetric to the
 * bit. */
void sim_bending_rows(const sim_bending *b, const sim_stencils *s, const double D[3][3], double *value);

#endif
