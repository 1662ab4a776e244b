/* A cloth as triangles: who joins whom, and where every corner lies in the flat cloth.
 *
 * Material co-ordinates are kept per corner of a triangle, not per vertex: a seam joins triangles whose cloth was cut apart. Warp is the
 * first co-ordinate, weft the second. Triangles turn counter-clockwise in the material plane; their normals are the cloth's face.
 *
 * Indices are int: a mesh has at most 2^30 corners. A mesh never changes its topology; whoever remeshes makes a new one. */
#ifndef SIM_MESH_H
#define SIM_MESH_H

#include "cb_err.h"

/* triangle[1] and opposite[1] are -1 on the border. vertex[0] -> vertex[1] runs as triangle[0] turns; opposite[k] is the corner of
 * triangle[k] that is not on the edge. */
typedef struct sim_edge {
  int vertex[2], triangle[2], opposite[2];
} sim_edge;

typedef struct sim_mesh {
  int n_vertices, n_triangles, n_edges;
  double (*position_m)[3];  /* n_vertices: as made, at rest */
  int (*triangle)[3];       /* n_triangles */
  double (*corner_m)[3][2]; /* n_triangles: material co-ordinates of the corners */
  double *area_m2;          /* n_triangles: in the material plane, > 0 */
  double *vertex_area_m2;   /* n_vertices: a third of the triangles around */
  sim_edge *edge;           /* n_edges, by their lower, then their higher vertex */
  int (*triangle_edge)[3];  /* n_triangles: the edge opposite to each corner */
  int *fan_start, *fan;     /* n_vertices + 1, 3 n_triangles: the corners (3 * triangle + corner) at each vertex, ascending */
} sim_mesh;

/* From vertices and triangles with the material co-ordinates of their corners; copies everything, builds the rest. Errors, one sentence
 * each with the triangle's number: an index out of range, a triangle of no area or turned over in the material plane, an edge with three
 * triangles or with two that turn against each other, a vertex of no triangle. */
CB_CHECKED cb_status sim_mesh_build(const double (*position_m)[3], int n_vertices, const int (*triangle)[3], const double (*corner_m)[3][2],
                                    int n_triangles, sim_mesh *out, cb_err *err);
/* Without vertices: the cloth of a scene that has none. */
CB_CHECKED cb_status sim_mesh_empty(sim_mesh *out, cb_err *err);
void sim_mesh_clear(sim_mesh *mesh);

/* w_u and w_v of a triangle as sums over its corners: the gradients of the linear shape functions in the cloth, 1/m. */
void sim_mesh_slopes(const double corner_m[3][2], double slope[2][3]);

/* World -> (warp, weft) at a vertex of the mesh as it lies now: the pseudo-inverse of the deformation gradient, mean over its triangles by
 * area. */
void sim_mesh_to_cloth(const sim_mesh *mesh, const double (*x_m)[3], int vertex, double out[2][3]);

#endif
