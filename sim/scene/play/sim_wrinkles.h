/* How wrinkled a cloth is, whatever it lies on. */
#ifndef SIM_WRINKLES_H
#define SIM_WRINKLES_H

#include "sim_mesh.h"

/* Wrinkles of this wave length are counted by half, shorter ones more, longer ones less. */
#define SIM_WRINKLE_M 0.05

/* Returns the root mean square [m], over the area further than SIM_WRINKLE_M / 2 from open borders, of the
 * distance along the normal between the cloth and its
 * smoothed self y, which minimises
 *
 *   sum m |x - y|^2 + l^4 sum |L y|^2 / m,   l = SIM_WRINKLE_M / (2 pi)
 *
 * m are the areas of the vertices and L is the cotangent Laplacian of the flat cloth, without border
 * vertices. 0 where all is near a border. A wave a sin(k s) on a flat or bent sheet counts a / sqrt 2 times q
 * / (1 + q), q = (k l)^4. A cylinder of radius R counts about l^4 / R^3. NAN where memory is short. */
double sim_wrinkle_depth_m(const sim_mesh *mesh, const double (*x_m)[3]);

#endif
