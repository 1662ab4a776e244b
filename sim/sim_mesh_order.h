/* Numbering for caches. */
#ifndef SIM_MESH_ORDER_H
#define SIM_MESH_ORDER_H

#include "cb_err.h"

/* order[new] = old vertex, triangle_order[new] = old triangle, renumbered[new triangle] = its vertices in new numbers. Vertices that no
 * triangle names come last. */
CB_CHECKED cb_status sim_mesh_order(const int (*triangle)[3], int n_triangles, int n_vertices, int *order, int *triangle_order,
                                    int (*renumbered)[3], cb_err *err);

#endif
