/* The pattern of a T-shirt: four flat panels, cut into triangles and sewn. */
#ifndef SIM_LIMIT_PATTERN_H
#define SIM_LIMIT_PATTERN_H

#include "sim_mesh.h"

/* Makes the front, the back and two sleeves, triangles with sides of about edge_m, sewn at the sides, the
 * shoulders, the armholes and under the arms. The vertices stand as on a flat body in the plane y = 0: front
 * and back bulge apart by up to SIM_PATTERN_BULGE_M. Material co-ordinates are those of each panel, warp
 * upwards, in the sleeves along the arm. Caller: sim_mesh_clear. Errors: CB_E_NOMEM, those of
 * sim_mesh_build. */
#define SIM_PATTERN_BULGE_M 0.165
CB_CHECKED cb_status sim_limit_pattern(double edge_m, sim_mesh *out, cb_err *err);

/* Area of the four panels [m2], of curves that no triangles cut short. */
double sim_limit_pattern_area_m2(void);

/* Edges along the lines of the pattern, for triangles of that size. */
typedef struct sim_limit_seams {
  int side, armhole, shoulder, neck, sleeve; /* one side, half an armhole, one shoulder, half the neck, one
                                                underarm */
} sim_limit_seams;
sim_limit_seams sim_limit_pattern_seams(double edge_m);

#endif
