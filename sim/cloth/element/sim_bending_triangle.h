/* The second derivatives of one triangle, as rows of weights over the vertices around. */
#ifndef SIM_BENDING_TRIANGLE_H
#define SIM_BENDING_TRIANGLE_H

#include "sim_bending.h"
#include "sim_bending_edge.h"
#include "sim_bending_slopes.h"

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

#endif
