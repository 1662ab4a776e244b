/* Meshes that the program makes: rectangles, strips, discs and rings of flat cloth in the plane z = 0, numbered for caches
 * (sim_mesh_order.h). Same input, same mesh.
 *
 * Warp lies at warp_rad from x, so that no direction of the mesh need be the warp's. */
#ifndef SIM_MESH_MAKE_H
#define SIM_MESH_MAKE_H

#include <stdint.h>

#include "sim_mesh.h"

typedef enum sim_pattern {
  SIM_PATTERN_RIGHT,       /* squares, all cut along the same diagonal */
  SIM_PATTERN_ALTERNATING, /* squares, cut along one diagonal and the other in turn */
  SIM_PATTERN_EQUILATERAL, /* rows of equilateral triangles, halved where they meet the two short sides */
  SIM_PATTERN_IRREGULAR,   /* no rows: Delaunay, relaxed */
  SIM_PATTERN_COUNT
} sim_pattern;

extern const char *const sim_pattern_text[SIM_PATTERN_COUNT];

/* [0, length_m] x [0, width_m]; a strip is a long one. Exactly one of edge_m, cells_across and about_vertices is > 0. Lengths of edges are
 * fitted to whole numbers of cells. */
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

/* A circle that vertices and edges lie on, and how long edges are there; between circles their length changes linearly with the radius. */
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

/* Cloth sewn to a shape: every triangle is flat cloth as it lies in space, at rest there. chart: per vertex, where it lies in the cloth
 * about; warp runs where the chart's first co-ordinate grows. Triangles over which the chart is torn or turned over take the nearest
 * direction to x. Errors: those of sim_mesh_build. */
CB_CHECKED cb_status sim_mesh_skin(const double (*position_m)[3], int n_vertices, const int (*triangle)[3], const double (*chart_m)[2],
                                   int n_triangles, sim_mesh *out, cb_err *err);

/* The same without a chart: in every triangle warp runs as near to one direction as it can, where the triangle stands across that (within 6
 * degrees) as near to the axis furthest from it. Every triangle's material co-ordinates begin at its own first corner. */
CB_CHECKED cb_status sim_mesh_skin_along(const double (*position_m)[3], int n_vertices, const int (*triangle)[3], const double warp[3],
                                         int n_triangles, sim_mesh *out, cb_err *err);

/* A case around a cushion: two sheets sewn along the rim of |x/a|^p + |y/b|^p = 1, |z/c|^q more where they part; faces outwards. half_m and
 * exponent as of sim_cushion; cells along x and y. */
typedef struct sim_case {
  double half_m[3], exponent[2];
  int cells[2];
} sim_case;
CB_CHECKED cb_status sim_mesh_case(const sim_case *c, sim_mesh *out, cb_err *err);

#endif
