/* Cloth as a triangle mesh: connectivity, positions, and where every corner lies in the flat cloth.
 *
 * Material co-ordinates belong to the corners of triangles, not to vertices, so that a seam can join
 * triangles whose cloth was cut apart. Warp is the first co-ordinate, weft the second. Triangles turn
 * counter-clockwise in the material plane. Their normals point to the face of the cloth.
 *
 * Indices are int: a mesh has at most 2^30 corners. The topology of a mesh never changes; remeshing makes a
 * new mesh. All lengths are in metres. */
#ifndef SIM_MESH_H
#define SIM_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "cb_archive.h"
#include "cb_err.h"
#include "sim_vec.h"

/* An edge. triangle[1] and opposite[1] are -1 on the border. Going from vertex[0] to vertex[1] follows the
 * turn of triangle[0]. opposite[k] is the corner of triangle[k] that does not lie on the edge. */
typedef struct sim_edge {
  int vertex[2], triangle[2], opposite[2];
} sim_edge;

typedef struct sim_mesh {
  int n_vertices, n_triangles, n_edges;
  sim_vec3 *position_m;     /* n_vertices: as made, at rest */
  int (*triangle)[3];       /* n_triangles */
  double (*corner_m)[3][2]; /* n_triangles: material co-ordinates of the corners */
  double *area_m2;          /* n_triangles: in the material plane, > 0 */
  double *vertex_area_m2;   /* n_vertices: a third of the area of the triangles around */
  sim_edge *edge;           /* n_edges, sorted by their lower, then their higher vertex */
  int (*triangle_edge)[3];  /* n_triangles: the edge opposite to each corner */
  /* fan_start (n_vertices + 1) and fan (3 n_triangles): the corners, 3 * triangle + corner, at each vertex,
   * ascending. */
  int *fan_start, *fan;
} sim_mesh;

/* The triangle across the edge opposite to a corner; -1: none. */
static inline int sim_mesh_across(const sim_mesh *m, int triangle, int corner) {
  const sim_edge *e = &m->edge[m->triangle_edge[triangle][corner]];
  return e->triangle[0] == triangle ? e->triangle[1] : e->triangle[0];
}

/* Builds a mesh from positions [m], triangles and the material co-ordinates of their corners [m]. Copies all
 * arguments. out holds nothing before; after an error it is empty. Caller: sim_mesh_clear.
 *
 * Errors name the triangle or vertex by its number. CB_E_RANGE: fewer than 3 vertices or 1 triangle, an index
 * out of range, a triangle without area or turned over in the material plane, a vertex of no triangle. Also
 * an edge with three triangles or with two that turn against each other. CB_E_NUM: a co-ordinate that is not
 * finite. CB_E_NOMEM. */
CB_CHECKED cb_status sim_mesh_build(const double (*position_m)[3], int n_vertices, const int (*triangle)[3],
                                    const double (*corner_m)[3][2], int n_triangles, sim_mesh *out,
                                    cb_err *err);
/* Makes a mesh without vertices and triangles, for a scene without cloth. Caller: sim_mesh_clear. Errors:
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_mesh_empty(sim_mesh *out, cb_err *err);
/* Frees all arrays. The mesh is empty afterwards, and may be cleared again. */
void sim_mesh_clear(sim_mesh *mesh);

/* Gradients of the linear shape functions of a triangle in the material plane [1/m]: slope[0][k] along warp,
 * slope[1][k] along weft, k the corner. The sum over the corners of slope[c][k] times position is the column
 * w_u (c = 0) or w_v (c = 1) of the deformation gradient. The triangle must have an area. */
void sim_mesh_slopes(const double corner_m[3][2], double slope[2][3]);

/* The map from a world vector to (warp, weft) at a vertex, where the mesh is now: out times the vector. out
 * is the pseudo-inverse of the deformation gradient, averaged over the triangles around by area. x_m:
 * n_vertices positions. out is not finite where these triangles have no area at x_m. */
void sim_mesh_to_cloth(const sim_mesh *mesh, const double (*x_m)[3], int vertex, double out[2][3]);

/* The signed angle between the two triangles at an edge, and its gradient. x: both ends of the edge, then the
 * two corners opposite to it. Sets angle_rad (-pi to pi, 0 if flat) and adds the derivatives [1/m] to first.
 * Where a triangle has no area there is no angle: nothing is written. Formulas: sim_hinge.c and
 * docs/method/conditions.md. */
void sim_hinge_angle(const double x[4][3], double *angle_rad, double first[4][3]);
/* block[i][j] += q d2angle/dx_i dx_j for all i and j [1/m2 times q]. x as above. Nothing is added where a
 * triangle has no area. */
void sim_hinge_add_second(const double x[4][3], double q, double block[4][4][3][3]);

/* ---- meshes that the program makes ---- */

/* Rectangles, strips, discs and rings of flat cloth in the plane z = 0, numbered for caches (sim_mesh_order).
 * The same input gives the same mesh.
 *
 * The warp direction is at the angle warp_rad from x, so that no direction of the mesh needs to be the
 * warp's. */

typedef enum sim_pattern {
  SIM_PATTERN_RIGHT,       /* squares, all cut along the same diagonal */
  SIM_PATTERN_ALTERNATING, /* squares, cut along one diagonal and the other in turn */
  SIM_PATTERN_EQUILATERAL, /* rows of equilateral triangles, halved where they meet the two short sides */
  SIM_PATTERN_IRREGULAR,   /* no rows: Delaunay, relaxed */
  SIM_PATTERN_COUNT
} sim_pattern;

extern const char *const sim_pattern_text[SIM_PATTERN_COUNT];

/* The rectangle [0, length_m] x [0, width_m]; a strip is a long one. Exactly one of edge_m, cells_across and
 * about_vertices is > 0. Edge lengths are fitted to whole numbers of cells. */
typedef struct sim_rectangle {
  double length_m, width_m; /* along x, along y */
  sim_pattern pattern;
  double edge_m;      /* length of a triangle's shorter sides */
  int cells_across;   /* rows of cells in width_m */
  int about_vertices; /* vertices wanted, met as nearly as whole cells allow */
  double warp_rad;
  uint64_t seed; /* of the irregular pattern */
} sim_rectangle;

/* Makes the mesh. Caller: sim_mesh_clear. CB_E_RANGE: a size, pattern or angle that is not allowed, more than
 * 10^7 vertices. */
CB_CHECKED cb_status sim_mesh_rectangle(const sim_rectangle *r, sim_mesh *out, cb_err *err);

#define SIM_CIRCLES_MAX 8

/* A circle on which vertices and edges lie, and the edge length there. Between circles the edge length
 * changes linearly with the radius. */
typedef struct sim_circle {
  double radius_m, edge_m;
} sim_circle;

/* A disc or ring around the origin. The circles' radii ascend. The first circle is the centre (radius 0) or
 * the hole, the last one the border. */
typedef struct sim_disc {
  int n_circles; /* >= 2 */
  sim_circle circle[SIM_CIRCLES_MAX];
  sim_pattern pattern; /* SIM_PATTERN_EQUILATERAL: concentric rings; SIM_PATTERN_IRREGULAR */
  int about_vertices;  /* > 0: scales all edge lengths to come near this number; 0: edge lengths as given */
  double warp_rad;
  uint64_t seed;
} sim_disc;

/* Makes the mesh. Caller: sim_mesh_clear. CB_E_RANGE: circles that do not ascend, a value that is not
 * allowed, edges so long that one ring cuts into the next, more than 10^7 vertices. */
CB_CHECKED cb_status sim_mesh_disc(const sim_disc *disc, sim_mesh *out, cb_err *err);

/* A case around a cushion (sim_cushion in sim_shape.h): two sheets sewn along the rim |x/a|^p + |y/b|^p = 1.
 * Off the rim, the term |z/c|^q is added to the left side. The faces point outwards. half_m is a, b, c [m],
 * 1e-6 to 1e6; exponent is p, q, 2 to 10; cells are along x and y, 2 to 4096. Values outside are CB_E_RANGE.
 * Caller: sim_mesh_clear. */
typedef struct sim_case {
  double half_m[3], exponent[2];
  int cells[2];
} sim_case;
CB_CHECKED cb_status sim_mesh_case(const sim_case *c, sim_mesh *out, cb_err *err);

/* ---- several meshes ---- */

/* Joins n meshes into one, unconnected. The vertices, triangles and edges of each part are one run, in their
 * own order. Material co-ordinates stay. Copies. Errors: fewer than one part, more triangles than a mesh may
 * have, CB_E_NOMEM. Caller: sim_mesh_clear. */
CB_CHECKED cb_status sim_mesh_join(const sim_mesh *part, int n, sim_mesh *out, cb_err *err);

/* Writes the sum of the area vectors of the triangles at each vertex: a normal, longer for larger triangles
 * [m2, twice]. */
void sim_mesh_area_normals(const double (*x_m)[3], int n_vertices, const int (*triangle)[3], int n_triangles,
                           double (*normal)[3]);

/* Turns position_m by a rotation vector about the world's origin, then moves it. Material co-ordinates are
 * not changed. */
void sim_mesh_place(sim_mesh *mesh, const double turned_rad[3], const double moved_m[3]);

/* Returns the vertex whose position_m is nearest to a point; the first one where several are. */
int sim_mesh_nearest(const sim_mesh *mesh, const double at_m[3]);

/* Carries a field from one mesh of a flat cloth to another mesh of the same cloth, for example the shape in
 * which a coarse mesh hangs.
 *
 * Both meshes must have been made flat in the plane z = 0; places are matched by x and y of position_m.
 * Around every vertex of `from`, a quadratic through its value is fitted by least squares to the vertices of
 * two rings around. Within a triangle the quadratics of its three corners are blended with barycentric
 * weights. The result is continuous, exact for quadratic fields and of third order for others, so that a
 * shape keeps its curvature. (Linear interpolation would put all curvature into the edges of the coarse
 * triangles.) Places outside of `from` use the nearest triangle. */

/* field: n_vertices of `from`; out: n_vertices of `to`, the caller's. Errors: a mesh that was not made flat
 * in z = 0 (CB_E_RANGE), CB_E_NOMEM. */
CB_CHECKED cb_status sim_mesh_carry(const sim_mesh *from, const double (*field)[3], const sim_mesh *to,
                                    double (*out)[3], cb_err *err);

/* ---- OBJ files ---- */

/* Meshes from and to OBJ files (cb_obj.h describes the format).
 *
 * Material co-ordinates are the texture co-ordinates, if the file has any. If it has none and all z are
 * equal, material co-ordinates are x and y. Otherwise every triangle is laid flat by itself; its warp is the
 * projection of one direction in space. */

typedef struct sim_obj_options {
  double m_per_unit;         /* scale of positions */
  double texture_m_per_unit; /* scale of texture co-ordinates */
  double warp[3];            /* for triangles that are laid flat; any length but 0 */
} sim_obj_options;

/* Returns 1 m per unit for both scales, and warp along x. */
sim_obj_options sim_obj_options_default(void);

/* Reads a mesh from an OBJ file, plain or gzip, and numbers it for caches. (*file_vertex)[i] is the number of
 * vertex i in the file, from 0; the caller frees it; file_vertex may be NULL. Caller: sim_mesh_clear. Errors:
 * the file cannot be read or parsed; all that sim_mesh_build refuses; a corner without texture co-ordinates
 * where others have some; two vertices in one place; a triangle whose normal is along the warp direction.
 * They name the line, or vertices counted from 1 as in the file. */
CB_CHECKED cb_status sim_mesh_obj_read(const char *path, const sim_obj_options *opt, sim_mesh *out,
                                       int **file_vertex, cb_err *err);

/* Writes an OBJ file in metres, numbered as the mesh. Positions are position_m (n_vertices) with nine digits.
 * Material co-ordinates are written as texture co-ordinates, exactly. The file appears whole or not at all.
 * Errors: CB_E_IO, CB_E_NOMEM. */
CB_CHECKED cb_status sim_mesh_obj_write(const sim_mesh *m, const double (*position_m)[3], const char *path,
                                        cb_err *err);

/* ---- numbering for caches ---- */

/* Numbers vertices breadth first from a far end (Cuthill & McKee 1969, without their sorting by degree), and
 * triangles by their lowest vertex. Measured on irregular squares of 80,000 vertices against a Hilbert curve:
 * a product with 3 x 3 float blocks takes 1.5 ms against 2.1 (in random order 3.6), a gather of triangles'
 * corners 0.45 ms against 0.97; bandwidth 500. */

/* order[new] = old vertex, triangle_order[new] = old triangle, renumbered[new triangle] = its vertices in new
 * numbers. The caller provides the three arrays: n_vertices, n_triangles, n_triangles. Vertices of no
 * triangle come last. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_mesh_order(const int (*triangle)[3], int n_triangles, int n_vertices, int *order,
                                    int *triangle_order, int (*renumbered)[3], cb_err *err);

/* ---- a mesh in a saved state (cb_archive.h) ---- */

/* Saves or loads vertices, triangles and material co-ordinates. Loading builds the mesh anew in *mesh, which
 * holds nothing before. Bytes that make no valid mesh set `wrong` in the archive and are no error of this
 * function. Caller: sim_mesh_clear, also after an error. Errors: CB_E_NOMEM only. */
CB_CHECKED cb_status sim_mesh_archive(sim_mesh *mesh, cb_archive *a, cb_err *err);

#endif
