/* A closed surface of triangles: who is beyond which edge, and who meets at which corner. Where its vertices are is not its business: a
 * deforming body moves them, the hull stays. */
#ifndef SIM_HULL_H
#define SIM_HULL_H

#include "cb_err.h"

typedef struct sim_hull {
  int n_vertices, n_triangles;
  int (*triangle)[3];   /* counter-clockwise from outside */
  int (*across)[3];     /* the triangle beyond the edge opposite to each corner */
  int *fan_start, *fan; /* n_vertices + 1, 3 n_triangles: the corners (3 * triangle + corner) at each vertex, ascending */
} sim_hull;

/* Copies. Errors, one sentence with the triangle's number: fewer than 4 vertices or triangles, an index out of range, an edge that has not
 * two triangles (the surface is open), two triangles that turn against each other. Vertices of no triangle are allowed: a body's
 * inside. Caller: sim_hull_clear, even after a failure. */
CB_CHECKED cb_status sim_hull_build(const int (*triangle)[3], int n_triangles, int n_vertices, sim_hull *out, cb_err *err);
void sim_hull_clear(sim_hull *hull);

#endif
