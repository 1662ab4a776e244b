/* Where a cloth goes through itself, so deep that it is no rounding. */
#ifndef SIM_REMESH_CROSS_H
#define SIM_REMESH_CROSS_H

#include "sim_self.h"

/* Pairs of triangles. sim_self_crossings counts pairs in one plane, too, as rounding has it: a cloth that was split while flat has many. */
int sim_remesh_crossings(sim_self *self, const double (*x_m)[3]);

#endif
