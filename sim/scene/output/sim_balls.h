/* Points as drawable surfaces: an octahedron for each, which smooth normals make look round. */
#ifndef SIM_BALLS_H
#define SIM_BALLS_H

#include "sim_body.h"

#define SIM_BALL_CORNERS 6 /* per ball, adjacent in the arrays */
#define SIM_BALL_FACES 8

/* Makes a surface of n balls. The caller clears *out with sim_surface_clear, even after an error. Error:
 * memory. */
CB_CHECKED cb_status sim_balls_init(int n, sim_surface *out, cb_err *err);
/* Moves the balls to the points x_m, one per ball of the surface. */
void sim_balls_place(sim_surface *surface, const double (*x_m)[3], double radius_m);

#endif
