/* The second derivatives of one triangle as rows over the vertices around. */
#ifndef SIM_BENDING_TRIANGLE_H
#define SIM_BENDING_TRIANGLE_H

#include "sim_bending.h"
#include "sim_bending_edge.h"

#define SIM_STENCIL_MAX (3 + 3 * SIM_SLOPE_MAX)

typedef struct sim_stencil {
  int n;
  int vertex[SIM_STENCIL_MAX];
  double kappa_per_m2[SIM_STENCIL_MAX][3]; /* (uu, vv, 2 uv) = sum kappa x; free borders eliminated */
} sim_stencil;

/* Its unit normal; zero where it has collapsed. */
void sim_triangle_normal(const sim_mesh *mesh, const double (*x)[3], int triangle, double out[3]);

/* P: kappa of a triangle with free sides = P (kappa with these sides level), the least energy under D. */
void sim_bending_relax(const sim_bending *b, int triangle, double P[3][3]);

/* Empty for a rigid triangle. */
void sim_bending_stencil(const sim_bending *b, int triangle, sim_stencil *out);

#endif
