/* Cloth sewn to the shape of a surface, private to sim/geometry. */
#ifndef SIM_MESH_SKIN_H
#define SIM_MESH_SKIN_H

#include "sim_mesh.h"

/* Makes cloth sewn to the shape of a surface: every triangle is flat cloth at rest where it lies in space. In
 * every triangle warp runs as near to the direction `warp` (any length but 0) as it can. Where the triangle's
 * normal is within 6 degrees of `warp`, the co-ordinate axis furthest from `warp` takes its place. The
 * material co-ordinates of every triangle begin at its own first corner. Copies. Caller: sim_mesh_clear.
 * Errors: those of sim_mesh_build, a warp that is no direction (CB_E_RANGE). */
CB_CHECKED cb_status sim_mesh_skin_along(const double (*position_m)[3], int n_vertices,
                                         const int (*triangle)[3], const double warp[3], int n_triangles,
                                         sim_mesh *out, cb_err *err);

#endif
