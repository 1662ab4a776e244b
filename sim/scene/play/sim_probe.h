/* Probes: points of a surface whose position and velocity are recorded at every step. */
#ifndef SIM_PROBE_H
#define SIM_PROBE_H

#include "sim_mesh.h"
#include "sim_picture.h"

#define SIM_PLAY_COLUMN_BYTES 64

/* A probe keeps its point even where the numbering of the surface changes (sim_drawn.number,
 * sim_drawn.flat). */
typedef struct sim_probe {
  int surface;          /* index among the model's surfaces; -1: none */
  int vertex;           /* its number in the surface, or in its run */
  int number;           /* number of its run, if runs change their order */
  double material_m[2]; /* its place in the flat cloth, if vertices are added and removed */
} sim_probe;

/* Returns a probe at the nearest vertex among n surfaces that have velocities. Its surface is -1 if there is
 * none. */
sim_probe sim_probe_nearest(const sim_drawn *surface, int n, const double position_m[3]);

/* Sets out to the present position [m] and velocity [m/s]. out stays if the point no longer exists. */
void sim_probe_look(const sim_probe *probe, const sim_drawn *surface, double out[6]);

/* Finds the triangle at (warp, weft) in the flat cloth; its border belongs to it. Returns its vertices and
 * their weights; of several overlapping pattern pieces, those of the first. Returns false outside the
 * cloth. */
bool sim_probe_in_flat(const sim_mesh *mesh, const double material_m[2], int vertex[3], double weight[3]);

#endif
