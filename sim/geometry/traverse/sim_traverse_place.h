/* A rigid surface that is moved as a whole. */
#ifndef SIM_TRAVERSE_PLACE_H
#define SIM_TRAVERSE_PLACE_H

#include "sim_traverse.h"

/* The surface as it was given, turned and moved: a place x of it is at turn x + origin_m. Until the next call
 * of this; turn NULL: where it was given. Points, and what sim_traverse_closest says, are in the frame it is
 * moved in. A rotation, not checked. */
void sim_traverse_place(sim_traverse *t, const double turn[3][3], const double origin_m[3]);

#endif
