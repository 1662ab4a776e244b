/* A flat triangulation whose edges can be flipped (Lawson 1977): a draft with the neighbours of its
 * triangles. */
#ifndef SIM_MESH_FLIP_H
#define SIM_MESH_FLIP_H

#include "sim_mesh_draft.h"

typedef struct sim_flip {
  sim_draft *draft;    /* borrowed */
  int (*neighbour)[3]; /* the triangle across the edge opposite to each corner; -1 on the border */
  int *at;             /* one triangle of each vertex */
} sim_flip;

/* Finds the neighbours. Later flips change the draft, which must outlive f. After an error f is empty.
 * Caller: sim_flip_clear. Errors: those of sim_mesh_build. */
CB_CHECKED cb_status sim_flip_init(sim_flip *f, sim_draft *draft, cb_err *err);
void sim_flip_clear(sim_flip *f);

/* Flips edges until all are Delaunay. Edges along a curve stay, and so do edges whose flip would join two
 * vertices of one curve. */
void sim_flip_delaunay(sim_flip *f);

/* Returns the triangle after t, counter-clockwise around vertex v. *corner is the corner of v in t, on return
 * its corner in the new triangle. v must not be on the border. */
int sim_flip_next(const sim_flip *f, int v, int t, int *corner);

#endif
