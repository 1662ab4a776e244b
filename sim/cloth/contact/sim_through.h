/* Detection of bodies that came through a cloth within a step. */
#ifndef SIM_THROUGH_H
#define SIM_THROUGH_H

#include "sim_mesh.h"
#include "sim_solid.h"

/* Returns the first triangle of the mesh that comes within near_m of a point while all move straight, or -1.
 * Points move from start_m to end_m, vertices from x0 to x1. Only triangles count whose vertices, not all
 * gripped, lie in [first, first + n). solid: the points are its core, and a triangle wider than the solid is
 * thick may cut its rim; NULL: no exception. */
int sim_through_find(const sim_mesh *mesh, const bool *gripped, int first, int n, const double (*x0)[3],
                     const double (*x1)[3], const double (*start_m)[3], const double (*end_m)[3], int points,
                     double near_m, const sim_solid *solid);

/* Fails with CB_E_NUM and a sentence: what came through where, and what would help. x: positions at the end.
 * inner_m: inner radius of the body; time_s: at the end of the step of dt_s. */
CB_CHECKED cb_status sim_through_fail(const sim_mesh *mesh, const bool *gripped, const double (*x)[3],
                                      int triangle, const char *body, double inner_m, double time_s,
                                      double dt_s, cb_err *err);

#endif
