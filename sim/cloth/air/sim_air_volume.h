/* The depth of the layer of air under each vertex of a cloth, chosen so that the layer has the volume between
 * cloth and closest points.
 *
 * Distance times area is the volume of a flat layer; around a body it is too much, by about gap over radius.
 * A triangle that moves straight from its closest points f to its corners x sweeps exactly
 *
 *   d . 1/2 integral (e1 x e2) ds
 *   integral = (e1 x e2 at f + e1 x e2 at x)/3 + (e1 at f x e2 at x + e1 at x x e2 at f)/6
 *
 * where e1, e2 are two of its edges, and d is the mean of its corners' ways. What neighbours sweep touches
 * along their sides. So a closed cloth sweeps the volume between itself and the surface of its closest
 * points. The gradient of that volume by x is a third of the area vectors around: the force of an even
 * pressure.
 *
 * Every distance is multiplied by the same factor: swept volume over the sum of area times distance. */
#ifndef SIM_AIR_VOLUME_H
#define SIM_AIR_VOLUME_H

#include "sim_mesh.h"

#define SIM_AIR_FACTOR_LEAST 0.1 /* lower bound of the factor, for crumpled or folded cloth */

/* Computes gap_m (n_vertices) from positions and closest points. side: 1 where the cloth's face looks away
 * from the closest points, else -1. area_m2: n_vertices. swept_m3: n_triangles, written. */
void sim_air_gaps(const sim_mesh *mesh, const double (*x_m)[3], const double (*closest_m)[3], double side,
                  const double *area_m2, double *swept_m3, double *gap_m);

#endif
