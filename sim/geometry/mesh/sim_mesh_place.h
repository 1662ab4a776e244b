/* Where a triangle came from, for the sentence that refuses it. */
#ifndef SIM_MESH_PLACE_H
#define SIM_MESH_PLACE_H

#include "sim_mesh.h"

/* A file and the line of every triangle. */
typedef struct sim_mesh_source {
  const char *file;
  const int *line;
} sim_mesh_source;

/* sim_mesh_build; source NULL: triangles are called by their numbers. */
CB_CHECKED cb_status sim_mesh_build_from(const sim_mesh_source *source, const double (*position_m)[3],
                                         int n_vertices, const int (*triangle)[3],
                                         const double (*corner_m)[3][2], int n_triangles, sim_mesh *out,
                                         cb_err *err);

#endif
