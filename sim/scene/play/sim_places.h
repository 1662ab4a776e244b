/* Material points of one mesh of a flat cloth, found in another mesh of the same cloth. */
#ifndef SIM_PLACES_H
#define SIM_PLACES_H

#include "sim_play_parts.h"

/* A material point: a triangle's vertices and their weights, whose sum is 1. */
typedef struct sim_place {
  int vertex[3];
  double weight[3];
} sim_place;

/* Finds all vertices of one play's cloth in another play with the same sheets. place: per vertex of `from`.
 */
void sim_places_of_play(const sim_play *from, const sim_play *to, sim_place *place);

/* Writes the point's position, x[] being those of the vertices. */
void sim_place_at(const sim_place *place, const double (*x)[3], double out[3]);

#endif
