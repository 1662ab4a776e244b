/* Several cloths as one mesh, and a mesh moved as a whole. */
#ifndef SIM_MESH_JOIN_H
#define SIM_MESH_JOIN_H

#include "sim_mesh.h"

/* The parts one after another, unconnected: vertices, triangles and edges of each are a run, in their own order, the material co-ordinates
 * unchanged. Copies. Errors: fewer than one part, more triangles than a mesh may have. Caller: sim_mesh_clear. */
CB_CHECKED cb_status sim_mesh_join(const sim_mesh *part, int n, sim_mesh *out, cb_err *err);

/* position_m turned by a rotation vector about the world's origin, then moved; the cloth itself stays as it is. */
void sim_mesh_place(sim_mesh *mesh, const double turned_rad[3], const double moved_m[3]);

#endif
