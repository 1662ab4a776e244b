/* Quality figures of a mesh in the material plane: angles, edge lengths, area, border, numbering. */
#ifndef SIM_MESH_QUALITY_H
#define SIM_MESH_QUALITY_H

#include "sim_mesh.h"

typedef struct sim_mesh_quality {
  double angle_min_rad, angle_max_rad;
  double edge_min_m, edge_mean_m, edge_max_m;
  double area_m2, border_m;
  int n_border_edges;
  int euler;     /* vertices - edges + triangles: 1 for a disc, 0 for a ring */
  int bandwidth; /* largest difference between the numbers of two joined vertices */
} sim_mesh_quality;

sim_mesh_quality sim_mesh_quality_of(const sim_mesh *m);

#endif
