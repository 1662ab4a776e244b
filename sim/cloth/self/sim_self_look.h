/* What a cloth asks of sim_self beside its contacts. */
#ifndef SIM_SELF_LOOK_H
#define SIM_SELF_LOOK_H

#include "sim_self.h"

/* World direction in the tangent plane of a triangle (numbered through) -> (warp, weft). 0 for a triangle
 * that has lost its area. */
void sim_self_to_cloth(const sim_self *self, const double (*position_m)[3], int triangle,
                       double to_cloth[2][3]);

/* The worst of two triangles, not all of whose vertices are held, that cross or are nearer than reach_m (but
 * for places that are near in the cloth itself): crossing before coinciding before near. n: how many such
 * pairs. False: there is none. */
typedef struct sim_self_clash {
  bool crosses;
  int triangle[2], n;
  double distance_m, x_m[3];
} sim_self_clash;
bool sim_self_find_clash(sim_self *self, const double (*position_m)[3], double reach_m, sim_self_clash *out);

/* How many pairs of triangles cross so deep that it is no rounding. sim_self_crossings counts pairs in one
 * plane, too, as rounding has it: a cloth that was split while flat has many. */
int sim_self_deep_crossings(sim_self *self, const double (*position_m)[3]);

#endif
