/* A field on one mesh of a flat cloth carried over to another mesh of the same cloth, for example the shape in which a coarse mesh hangs.
 *
 * Places are matched where the meshes were made, by x and y of position_m; both were made in the plane z = 0. Around every vertex of `from`
 * a quadratic through its value is fitted to the vertices of two rings around (least squares); within a triangle the three of its corners
 * are blended with its barycentric co-ordinates. That is continuous, exact for quadratics and third order for the rest, so that a shape
 * keeps its curvature; linear interpolation would leave it in the edges of the coarse triangles. Places outside take the nearest
 * triangle's. */
#ifndef SIM_MESH_CARRY_H
#define SIM_MESH_CARRY_H

#include "sim_mesh.h"

/* field: n_vertices of `from`; out: n_vertices of `to`. Errors: a mesh that was not made flat in z = 0, memory. */
CB_CHECKED cb_status sim_mesh_carry(const sim_mesh *from, const double (*field)[3], const sim_mesh *to, double (*out)[3], cb_err *err);

#endif
