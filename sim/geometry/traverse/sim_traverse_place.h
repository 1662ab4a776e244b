/* Rigid motion of a traversal's surface. */
#ifndef SIM_TRAVERSE_PLACE_H
#define SIM_TRAVERSE_PLACE_H

#include "sim_traverse.h"

/* Places the surface: a place x of it is at turn x + origin_m from now on; turn NULL: at x. turn must be a
 * rotation; it is not checked. Points, and the results of sim_traverse_closest, are then in the outer frame.
 * Copies both. */
void sim_traverse_place(sim_traverse *t, const double turn[3][3], const double origin_m[3]);

#endif
