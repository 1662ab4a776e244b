/* A closed surface whose edges can be flipped. */
#ifndef SIM_SHAPE_FLIP_H
#define SIM_SHAPE_FLIP_H

#include <stdbool.h>

#include "sim_shape_surface.h"

typedef struct sim_shape_flip {
  sim_shape_surface *surface; /* borrowed */
  int (*across)[3];           /* the triangle beyond the edge opposite to each corner */
  int *valence;               /* of vertices: how many edges */
} sim_shape_flip;

CB_CHECKED cb_status sim_shape_flip_init(sim_shape_flip *f, sim_shape_surface *surface, cb_err *err);
void sim_shape_flip_clear(sim_shape_flip *f);

/* Flips what brings the four vertices' numbers of edges nearer to six; then, or with `delaunay` only, what
 * makes the least angles larger. No flip turns a triangle over. Returns how many. */
int sim_shape_flip_all(sim_shape_flip *f, bool delaunay);

#endif
