/* The second derivatives of one triangle, as rows of weights over the vertices around. */
#ifndef SIM_BENDING_TRIANGLE_H
#define SIM_BENDING_TRIANGLE_H

#include <stdbool.h>

#include "sim_bending.h"
#include "sim_bending_edge.h"
#include "sim_mesh.h"

/* The slope across every edge of a mesh, as rows of weights over vertices. Only curvatures and exact energies
 * read them, and the matrix is made from them. */

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

#define SIM_STENCIL_MAX (3 + 3 * SIM_SLOPE_MAX)

typedef struct sim_stencil {
  int n;
  int vertex[SIM_STENCIL_MAX];
  double kappa_per_m2[SIM_STENCIL_MAX][3]; /* (uu, vv, 2 uv) = sum kappa x; slopes of free borders are
                                              eliminated */
} sim_stencil;

/* Unit normal of a triangle at x; zero where it has no area. */
void sim_triangle_normal(const sim_mesh *mesh, const double (*x)[3], int triangle, double out[3]);

/* P: maps kappa with level free sides to kappa of least energy under D. The identity without free sides; 0
 * for a triangle that stands alone. */
void sim_bending_relax(const sim_bending *b, int triangle, double P[3][3]);

/* The row of a triangle; empty if it is rigid. */
void sim_bending_stencil(const sim_bending *b, const sim_bending_slopes *slopes, int triangle,
                         sim_stencil *out);

/* The second-derivative rows of all triangles of a mesh, and for each vertex where it occurs in them. */

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
