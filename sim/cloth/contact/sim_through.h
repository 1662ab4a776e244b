/* Whether something came through a cloth within a step. */
#ifndef SIM_THROUGH_H
#define SIM_THROUGH_H

#include "sim_mesh.h"
#include "sim_solid.h"

/* Points that go straight from start_m to end_m, and triangles of the mesh whose vertices, not all gripped,
 * lie in [first, first + n) and go straight from x0 to x1: the first triangle that comes within near_m of
 * one; -1: none does. solid: whose core the points are; triangles wider than it is thick may then cut its
 * rim; NULL: none may. */
int sim_through_find(const sim_mesh *mesh, const bool *gripped, int first, int n, const double (*x0)[3],
                     const double (*x1)[3], const double (*start_m)[3], const double (*end_m)[3], int points,
                     double near_m, const sim_solid *solid);

/* The sentence: what came through where, and what would help. inner_m: of the body; time_s: at the end of the
 * step of dt_s. */
CB_CHECKED cb_status sim_through_fail(const sim_mesh *mesh, const bool *gripped, const double (*x)[3],
                                      int triangle, const char *body, double inner_m, double time_s,
                                      double dt_s, cb_err *err);

#endif
