/* What the grids' files share. */
#ifndef SIM_MULTILEVEL_PARTS_H
#define SIM_MULTILEVEL_PARTS_H

#include "sim_multilevel.h"

/* Rows of nodes that are collected in one go; how many such bands a grid has. */
#define SIM_LEVEL_BAND 16
#define SIM_LEVEL_BANDS(l) (((l)->nv + SIM_LEVEL_BAND) / SIM_LEVEL_BAND)

static inline int sim_level_cells(const sim_level *l) { return l->nu * l->nv; }
static inline int sim_level_nodes(const sim_level *l) { return (l->nu + 1) * (l->nv + 1); }

/* Of the cell's four corners, at a vertex's place in it. */
static inline void sim_level_weights(const float place[2], float w[4]) {
  const float s = place[0], t = place[1];
  w[0] = (1 - s) * (1 - t);
  w[1] = s * (1 - t);
  w[2] = (1 - s) * t;
  w[3] = s * t;
}

/* Sums from the vertices (four floats each, `stride` apart) to the finest grid's nodes, P^T; within a parallel region. */
void sim_level_collect(sim_multilevel *m, const float *from, int stride, float *node, int node_stride);

/* A row of a coarse grid from the finer one: node (i, j) is fine node (2i, 2j). Items of four floats, `stride` apart. */
void sim_level_restrict(const sim_level *fine, const sim_level *coarse, const float *from, float *to, int stride, int j);

#endif
