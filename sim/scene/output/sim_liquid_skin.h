/* The surface of a liquid of particles, closed, for pictures. */
#ifndef SIM_LIQUID_SKIN_H
#define SIM_LIQUID_SKIN_H

#include <stddef.h>

#include "cb_err.h"
#include "sim_body.h"

typedef struct sim_liquid_skin {
  double (*position_m)[3];
  int (*triangle)[3]; /* counter-clockwise from outside */
  size_t n_vertices, n_triangles, vertex_room, triangle_room;
} sim_liquid_skin;

/* Finds where the smoothed density of n particles is `level` times that of the liquid. At half of it the skin
 * has the particles' volume. A particle is spacing_m^3 of liquid. Its weight is the cubic spline (Monaghan
 * 1992) with a support of two spacings. The surface is found by marching tetrahedra (Doi, Koide, IEICE Trans.
 * E74(1):214, 1991): every edge has two triangles, and the surface has no border. A particle by itself is too
 * thin to have a surface.
 *
 * *skin must be 0 or made by an earlier call, whose memory is used again. The caller clears it with
 * sim_liquid_skin_clear, even after an error. Errors: CB_E_RANGE for a spacing that is not above 0, a level
 * outside 0.01 to 0.99, or particles too far apart for the grid; memory. */
CB_CHECKED cb_status sim_liquid_skin_find(const double (*x_m)[3], int n, double spacing_m, double level,
                                          sim_liquid_skin *skin, cb_err *err);
void sim_liquid_skin_clear(sim_liquid_skin *skin);

/* Points as drawable surfaces: an octahedron for each, which smooth normals make look round. */

#define SIM_BALL_CORNERS 6 /* per ball, adjacent in the arrays */
#define SIM_BALL_FACES 8

/* Makes a surface of n balls. The caller clears *out with sim_surface_clear, even after an error. Error:
 * memory. */
CB_CHECKED cb_status sim_balls_init(int n, sim_surface *out, cb_err *err);
/* Moves the balls to the points x_m, one per ball of the surface. */
void sim_balls_place(sim_surface *surface, const double (*x_m)[3], double radius_m);

#endif
