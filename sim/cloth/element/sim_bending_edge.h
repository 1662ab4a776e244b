/* The slope of a field on the vertices across an edge, at the edge's midpoint: a row of weights per edge. The
 * core of sim_bending. */
#ifndef SIM_BENDING_EDGE_H
#define SIM_BENDING_EDGE_H

#include <stdbool.h>

#include "sim_mesh.h"

#define SIM_SLOPE_MAX 32 /* 4 vertices, their 4, 8 and 16 neighbours: each adds one at most */

typedef enum sim_slope_kind {
  SIM_SLOPE_FREE,    /* on the border, or inside of a clamp: no row */
  SIM_SLOPE_CLAMP,   /* the edge of a clamp: the flat slope of the gripped triangle */
  SIM_SLOPE_COMPACT, /* the two triangles are a parallelogram: 4 vertices */
  SIM_SLOPE_PATCH,   /* 4 vertices, corrected by their neighbours */
  SIM_SLOPE_WIDE,    /* also corrected by the neighbours' neighbours */
  /* 4 vertices, exact for planes only: there are no others, or all lie on one conic. */
  SIM_SLOPE_UNCORRECTED,
  SIM_SLOPE_KINDS
} sim_slope_kind;

typedef struct sim_slope {
  sim_slope_kind kind;
  int n;
  int vertex[SIM_SLOPE_MAX];
  double weight_per_m[SIM_SLOPE_MAX]; /* dx/dn = sum weight x, with n out of the edge's triangle[0] */
} sim_slope;

/* Computes the slope of one edge. rigid: per triangle, whether all three vertices are gripped. */
void sim_slope_of_edge(const sim_mesh *mesh, const bool *rigid, int edge, sim_slope *out);

#endif
