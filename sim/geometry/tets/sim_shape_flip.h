/* A closed surface whose edges can be flipped. */
#ifndef SIM_SHAPE_FLIP_H
#define SIM_SHAPE_FLIP_H

#include <stdbool.h>

#include "sim_shape_surface.h"

typedef struct sim_shape_flip {
  sim_shape_surface *surface; /* borrowed */
  int (*across)[3];           /* the triangle beyond the edge opposite to each corner */
  int *valence;               /* edges at each vertex */
} sim_shape_flip;

/* Prepares a closed surface for flips, which change it. The surface must outlive f. Caller:
 * sim_shape_flip_clear, also after an error. Errors: those of sim_hull_build. */
CB_CHECKED cb_status sim_shape_flip_init(sim_shape_flip *f, sim_shape_surface *surface, cb_err *err);
void sim_shape_flip_clear(sim_shape_flip *f);

/* Flips edges where that brings the numbers of edges at the four vertices nearer to six; with `delaunay`,
 * where it makes the least angles larger. No flip turns a triangle over. At most 8 passes. Returns the number
 * of flips. */
int sim_shape_flip_all(sim_shape_flip *f, bool delaunay);

#endif
