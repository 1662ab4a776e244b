/* A point that is written down at every step, and what it looks at. */
#ifndef SIM_PROBE_H
#define SIM_PROBE_H

#include "sim_mesh.h"
#include "sim_picture.h"

#define SIM_PLAY_COLUMN_BYTES 64

/* A point of a surface. */
typedef struct sim_probe {
  int surface;          /* which of the model's */
  int vertex;           /* as long as vertices stay; else of its run */
  int number;           /* of the run that it is of, where runs change places */
  double material_m[2]; /* where vertices come and go: its place in the flat cloth */
} sim_probe;

/* The vertex that is nearest to this place, of all surfaces that say how they move; surface -1: there is
 * none. */
sim_probe sim_probe_nearest(const sim_drawn *surface, int n, const double position_m[3]);

/* Position and velocity now; out stays as it is where the point is gone. */
void sim_probe_look(const sim_probe *probe, const sim_drawn *surface, double out[6]);

/* Three vertices and their weights where (warp, weft) lies in the flat cloth, on a border too; of several
 * layers of pattern, the first. False: outside. */
bool sim_probe_in_flat(const sim_mesh *mesh, const double material_m[2], int vertex[3], double weight[3]);

#endif
