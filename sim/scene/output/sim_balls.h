/* Points to be looked at: a surface that is an octahedron for each, which smooth normals make look round. */
#ifndef SIM_BALLS_H
#define SIM_BALLS_H

#include "sim_body.h"

#define SIM_BALL_CORNERS 6 /* of each, one after the other */
#define SIM_BALL_FACES 8

/* Caller: sim_surface_clear, even after a failure. */
CB_CHECKED cb_status sim_balls_init(int n, sim_surface *out, cb_err *err);
/* Around the points x_m: the surface's own n of them. */
void sim_balls_place(sim_surface *surface, const double (*x_m)[3], double radius_m);

#endif
