/* A cloth as triangles: who joins whom, and where every corner lies in the flat cloth.
 *
 * Material co-ordinates are kept per corner of a triangle, not per vertex: a seam joins triangles whose cloth
 * was cut apart. Warp is the first co-ordinate, weft the second. Triangles turn counter-clockwise in the
 * material plane; their normals are the cloth's face.
 *
 * Indices are int: a mesh has at most 2^30 corners. A mesh never changes its topology; whoever remeshes makes
 * a new one. */
#ifndef SIM_MESH_H
#define SIM_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "cb_archive.h"
#include "cb_err.h"
#include "sim_vec.h"

/* triangle[1] and opposite[1] are -1 on the border. vertex[0] -> vertex[1] runs as triangle[0] turns;
 * opposite[k] is the corner of triangle[k] that is not on the edge. */
typedef struct sim_edge {
  int vertex[2], triangle[2], opposite[2];
} sim_edge;

typedef struct sim_mesh {
  int n_vertices, n_triangles, n_edges;
  sim_vec3 *position_m;     /* n_vertices: as made, at rest */
  int (*triangle)[3];       /* n_triangles */
  double (*corner_m)[3][2]; /* n_triangles: material co-ordinates of the corners */
  double *area_m2;          /* n_triangles: in the material plane, > 0 */
  double *vertex_area_m2;   /* n_vertices: a third of the triangles around */
  sim_edge *edge;           /* n_edges, by their lower, then their higher vertex */
  int (*triangle_edge)[3];  /* n_triangles: the edge opposite to each corner */
  int *fan_start, *fan; /* n_vertices + 1, 3 n_triangles: the corners (3 * triangle + corner) at each vertex,
                           ascending */
} sim_mesh;

/* From vertices and triangles with the material co-ordinates of their corners; copies everything, builds the
 * rest. Errors, one sentence each with the triangle's number: an index out of range, a triangle of no area or
 * turned over in the material plane, an edge with three triangles or with two that turn against each other, a
 * vertex of no triangle. */
CB_CHECKED cb_status sim_mesh_build(const double (*position_m)[3], int n_vertices, const int (*triangle)[3],
                                    const double (*corner_m)[3][2], int n_triangles, sim_mesh *out,
                                    cb_err *err);
/* Without vertices: the cloth of a scene that has none. */
CB_CHECKED cb_status sim_mesh_empty(sim_mesh *out, cb_err *err);
void sim_mesh_clear(sim_mesh *mesh);

/* w_u and w_v of a triangle as sums over its corners: the gradients of the linear shape functions in the
 * cloth, 1/m. */
void sim_mesh_slopes(const double corner_m[3][2], double slope[2][3]);

/* World -> (warp, weft) at a vertex of the mesh as it lies now: the pseudo-inverse of the deformation
 * gradient, mean over its triangles by area. */
void sim_mesh_to_cloth(const sim_mesh *mesh, const double (*x_m)[3], int vertex, double out[2][3]);

/* The angle between the two triangles at an edge. x: both ends of the edge, then the corners opposite to it
 * (docs/conditions.md). first += its derivatives. Where a triangle has no area there is no angle, and nothing
 * is written. */
void sim_hinge_angle(const double x[4][3], double *angle_rad, double first[4][3]);
/* block[i][j] += q d2angle/dx_i dx_j; those with i <= j count. */
void sim_hinge_add_second(const double x[4][3], double q, double block[4][4][3][3]);

/* ---- meshes that the program makes ---- */

/* Meshes that the program makes: rectangles, strips, discs and rings of flat cloth in the plane z = 0,
 * numbered for caches (sim_mesh_order). Same input, same mesh.
 *
 * Warp lies at warp_rad from x, so that no direction of the mesh need be the warp's. */

typedef enum sim_pattern {
  SIM_PATTERN_RIGHT,       /* squares, all cut along the same diagonal */
  SIM_PATTERN_ALTERNATING, /* squares, cut along one diagonal and the other in turn */
  SIM_PATTERN_EQUILATERAL, /* rows of equilateral triangles, halved where they meet the two short sides */
  SIM_PATTERN_IRREGULAR,   /* no rows: Delaunay, relaxed */
  SIM_PATTERN_COUNT
} sim_pattern;

extern const char *const sim_pattern_text[SIM_PATTERN_COUNT];

/* [0, length_m] x [0, width_m]; a strip is a long one. Exactly one of edge_m, cells_across and about_vertices
 * is > 0. Lengths of edges are fitted to whole numbers of cells. */
typedef struct sim_rectangle {
  double length_m, width_m; /* along x, along y */
  sim_pattern pattern;
  double edge_m;      /* of the shorter sides of a triangle */
  int cells_across;   /* rows of cells in width_m */
  int about_vertices; /* as near as whole cells allow */
  double warp_rad;
  uint64_t seed; /* of the irregular pattern */
} sim_rectangle;

CB_CHECKED cb_status sim_mesh_rectangle(const sim_rectangle *r, sim_mesh *out, cb_err *err);

#define SIM_CIRCLES_MAX 8

/* A circle that vertices and edges lie on, and how long edges are there; between circles their length changes
 * linearly with the radius. */
typedef struct sim_circle {
  double radius_m, edge_m;
} sim_circle;

/* Around the origin. Circles ascend; the first is the centre (radius 0) or the hole, the last the border. */
typedef struct sim_disc {
  int n_circles; /* >= 2 */
  sim_circle circle[SIM_CIRCLES_MAX];
  sim_pattern pattern; /* SIM_PATTERN_EQUILATERAL: concentric rings; SIM_PATTERN_IRREGULAR */
  int about_vertices;  /* > 0: all edges are scaled alike to come near it; 0: as they stand */
  double warp_rad;
  uint64_t seed;
} sim_disc;

CB_CHECKED cb_status sim_mesh_disc(const sim_disc *disc, sim_mesh *out, cb_err *err);

/* Cloth sewn to a shape: every triangle is flat cloth as it lies in space, at rest there. In every triangle
 * warp runs as near to one direction as it can, where the triangle stands across that (within 6 degrees) as
 * near to the axis furthest from it. Every triangle's material co-ordinates begin at its own first corner. */
CB_CHECKED cb_status sim_mesh_skin_along(const double (*position_m)[3], int n_vertices,
                                         const int (*triangle)[3], const double warp[3], int n_triangles,
                                         sim_mesh *out, cb_err *err);

/* A case around a cushion: two sheets sewn along the rim of |x/a|^p + |y/b|^p = 1, |z/c|^q more where they
 * part; faces outwards. half_m and exponent as of sim_cushion; cells along x and y. */
typedef struct sim_case {
  double half_m[3], exponent[2];
  int cells[2];
} sim_case;
CB_CHECKED cb_status sim_mesh_case(const sim_case *c, sim_mesh *out, cb_err *err);

/* ---- several meshes ---- */

/* The parts one after another, unconnected: vertices, triangles and edges of each are a run, in their own
 * order, the material co-ordinates unchanged. Copies. Errors: fewer than one part, more triangles than a mesh
 * may have. Caller: sim_mesh_clear. */
CB_CHECKED cb_status sim_mesh_join(const sim_mesh *part, int n, sim_mesh *out, cb_err *err);

/* position_m turned by a rotation vector about the world's origin, then moved; the cloth itself stays as it
 * is. */
void sim_mesh_place(sim_mesh *mesh, const double turned_rad[3], const double moved_m[3]);

/* A field on one mesh of a flat cloth carried over to another mesh of the same cloth, for example the shape
 * in which a coarse mesh hangs.
 *
 * Places are matched where the meshes were made, by x and y of position_m; both were made in the plane z = 0.
 * Around every vertex of `from` a quadratic through its value is fitted to the vertices of two rings around
 * (least squares); within a triangle the three of its corners are blended with its barycentric co-ordinates.
 * That is continuous, exact for quadratics and third order for the rest, so that a shape keeps its curvature;
 * linear interpolation would leave it in the edges of the coarse triangles. Places outside take the nearest
 * triangle's. */

/* field: n_vertices of `from`; out: n_vertices of `to`. Errors: a mesh that was not made flat in z = 0,
 * memory. */
CB_CHECKED cb_status sim_mesh_carry(const sim_mesh *from, const double (*field)[3], const sim_mesh *to,
                                    double (*out)[3], cb_err *err);

/* ---- OBJ files ---- */

/* Meshes from and to OBJ files (cb_obj.h says what of the format).
 *
 * Material co-ordinates are the texture co-ordinates, if the file has any; else x and y of a mesh whose z are
 * all equal; else every triangle is laid flat by its own edges, its warp being the projection of one
 * direction in space. */

typedef struct sim_obj_options {
  double m_per_unit;         /* of positions */
  double texture_m_per_unit; /* of texture co-ordinates */
  double warp[3];            /* of triangles that are laid flat; any length but 0 */
} sim_obj_options;

/* Metres; warp along x. */
sim_obj_options sim_obj_options_default(void);

/* A file, plain or gzip, numbered for caches: (*file_vertex)[i] is the number of vertex i in the file, from
 * 0, which the caller frees; file_vertex may be NULL. What sim_mesh_build refuses is named by its line, with
 * vertices counted from 1 as the file does; so is a corner without texture co-ordinates where others have
 * some, and a triangle that the warp stands on. */
CB_CHECKED cb_status sim_mesh_obj_read(const char *path, const sim_obj_options *opt, sim_mesh *out,
                                       int **file_vertex, cb_err *err);

/* In metres: these positions (n_vertices, nine digits), material co-ordinates as texture co-ordinates
 * (exact), all numbered as in the mesh. The file appears whole or not at all. */
CB_CHECKED cb_status sim_mesh_obj_write(const sim_mesh *m, const double (*position_m)[3], const char *path,
                                        cb_err *err);

/* ---- numbering for caches ---- */

/* Breadth first from a far end (Cuthill & McKee 1969, without their sorting by degree), triangles by their
 * lowest vertex. Measured on irregular squares of 80,000 vertices against a Hilbert curve: a product with 3 x
 * 3 float blocks takes 1.5 ms against 2.1 (in random order 3.6), a gather of triangles' corners 0.45 ms
 * against 0.97; bandwidth 500. */

/* order[new] = old vertex, triangle_order[new] = old triangle, renumbered[new triangle] = its vertices in new
 * numbers. Vertices that no triangle names come last. */
CB_CHECKED cb_status sim_mesh_order(const int (*triangle)[3], int n_triangles, int n_vertices, int *order,
                                    int *triangle_order, int (*renumbered)[3], cb_err *err);

/* ---- as a part of a state (cb_archive.h) ---- */

/* Vertices, triangles and their places in the cloth. Reading builds the mesh anew into *mesh, which holds
 * nothing before; a mesh that there cannot be is `wrong`. Caller: sim_mesh_clear, also after an error.
 * CB_E_NOMEM alone. */
CB_CHECKED cb_status sim_mesh_archive(sim_mesh *mesh, cb_archive *a, cb_err *err);

#endif
