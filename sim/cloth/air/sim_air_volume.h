/* How deep the layer of air is under each vertex of a cloth, so that all together it has the volume that lies
 * between cloth and closest points.
 *
 * Distance times area is the volume of a flat layer; around a body it is too much, by about gap over radius.
 * A triangle that moves straight from its closest points f to its corners x sweeps, with e1, e2 two of its
 * edges and d the mean of its corners' ways,
 *   d . 1/2 integral (e1 x e2) ds,   integral = (e1 x e2 at f + at x)/3 + (e1 at f x e2 at x + e1 at x x e2
 *   at f)/6
 * exactly. What neighbours sweep touches along their sides, so that a closed cloth sweeps the volume between
 * itself and the surface of its closest points; the gradient of that by x is a third of the areas around, as
 * vectors: what an even pressure pushes with. Every distance is taken times the same factor, swept volume
 * over sum of area times distance. */
#ifndef SIM_AIR_VOLUME_H
#define SIM_AIR_VOLUME_H

#include "sim_mesh.h"

#define SIM_AIR_FACTOR_LEAST 0.1 /* of a cloth that is crumpled or folded over */

/* side: 1 where the cloth's face looks away from the closest points, else -1. swept_m3: n_triangles,
 * written. */
void sim_air_gaps(const sim_mesh *mesh, const double (*x_m)[3], const double (*closest_m)[3], double side,
                  const double *area_m2, double *swept_m3, double *gap_m);

#endif
