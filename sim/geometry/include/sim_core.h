/* The innermost places of a closed surface, and whether cloth came across them within a step.
 *
 * A place of the core is the centre of a ball that lies inside of the surface and touches it twice (the medial axis); those whose balls are
 * at least half as large as the largest are kept. A sheet cannot come through a body without coming across its core; cloth that lies on the
 * body, however its triangles cut its corners, stays away from it. SI. */
#ifndef SIM_CORE_H
#define SIM_CORE_H

#include <stdbool.h>

#include "cb_err.h"

#define SIM_CORE_MOST 256

typedef struct sim_core {
  int n;
  double (*x_m)[3]; /* n <= SIM_CORE_MOST, owned */
  double inner_m;   /* radius of the largest ball; 0: there is no core */
} sim_core;

/* By shrinking balls from the middles of up to 2000 triangles (Ma, Bae, Choi, The Visual Computer 28:7, 2012). The triangles run
 * counter-clockwise, seen from outside. Caller clears with sim_core_clear, even after a failure. */
CB_CHECKED cb_status sim_core_of_surface(const double (*x_m)[3], int n_vertices, const int (*triangle)[3], int n_triangles, sim_core *out,
                                         cb_err *err);
void sim_core_clear(sim_core *core);

/* Whether a point and a triangle, or a segment and an edge, come within near_m of each other while all their points move straight from
 * start to end: point 0 and triangle 1 to 3; edges 0, 1 and 2, 3. */
bool sim_core_meets_triangle(const double start_m[4][3], const double end_m[4][3], double near_m);
bool sim_core_meets_edge(const double start_m[4][3], const double end_m[4][3], double near_m);

#endif
