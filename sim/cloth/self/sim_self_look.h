/* Functions of sim_self for the cloth, beside contacts. */
#ifndef SIM_SELF_LOOK_H
#define SIM_SELF_LOOK_H

#include "sim_self.h"

/* The map from a world direction in a triangle's tangent plane to (warp, weft). triangle: numbered through. 0
 * for a triangle without area. */
void sim_self_to_cloth(const sim_self *self, const double (*position_m)[3], int triangle,
                       double to_cloth[2][3]);

/* Finds pairs at the ends of ways from start_m: changes end_m as sim_self_resolve does, and finds the pairs
 * nearer there than the reach of the last sim_self_contacts. among: per vertex; pairs without such a vertex
 * are not looked for. The list is valid until the next call. Errors: those of sim_self_resolve. */
CB_CHECKED cb_status sim_self_contacts_ahead(sim_self *self, const double (*start_m)[3], double (*end_m)[3],
                                             const bool *among, const sim_self_contact **list, int *n,
                                             cb_err *err);

/* Finds the worst clash of triangles that cross or are nearer than reach_m. Crossing is worse than
 * coinciding, coinciding worse than near. Pairs of held vertices only, and places that are near in the cloth
 * itself, do not count. n: number of such pairs. Returns false if there are none. */
typedef struct sim_self_clash {
  bool crosses;
  int triangle[2], n;
  double distance_m, x_m[3];
} sim_self_clash;

/* Returns the number of pairs of triangles that cross by more than 1e-9 m. sim_self_crossings counts pairs in
 * one plane, too, as rounding decides; cloth that was split while flat has many. */
int sim_self_deep_crossings(sim_self *self, const double (*position_m)[3]);

#endif
