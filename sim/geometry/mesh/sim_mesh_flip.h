/* A flat triangulation whose edges can be flipped (Lawson 1977): triangles, their neighbours, and a triangle
 * at each vertex. */
#ifndef SIM_MESH_FLIP_H
#define SIM_MESH_FLIP_H

#include "sim_mesh_draft.h"

typedef struct sim_flip {
  sim_draft *draft;    /* borrowed */
  int (*neighbour)[3]; /* across the edge opposite to each corner; -1 on the border */
  int *at;             /* one triangle of each vertex */
} sim_flip;

CB_CHECKED cb_status sim_flip_init(sim_flip *f, sim_draft *draft, cb_err *err);
void sim_flip_clear(sim_flip *f);

/* Flips until every edge is Delaunay, except those along a curve and those whose flip would join two vertices
 * of one curve. */
void sim_flip_delaunay(sim_flip *f);

/* The triangle after t, counter-clockwise around vertex v; *corner is v's in t, then in the one that comes
 * back. v must not be on the border. */
int sim_flip_next(const sim_flip *f, int v, int t, int *corner);

#endif
