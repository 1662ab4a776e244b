/* The file and line of a triangle, for error messages. */
#ifndef SIM_MESH_PLACE_H
#define SIM_MESH_PLACE_H

#include "sim_mesh.h"

/* A file's name and the line of every triangle. Both borrowed. */
typedef struct sim_mesh_source {
  const char *file;
  const int *line;
} sim_mesh_source;

/* sim_mesh_build with errors that name file and line. source NULL: errors name triangles by their numbers. */
CB_CHECKED cb_status sim_mesh_build_from(const sim_mesh_source *source, const double (*position_m)[3],
                                         int n_vertices, const int (*triangle)[3],
                                         const double (*corner_m)[3][2], int n_triangles, sim_mesh *out,
                                         cb_err *err);

/* As sim_mesh_obj_read, from n bytes of text; `name` stands for the file in errors. */
CB_CHECKED cb_status sim_mesh_obj_parse(const char *text, size_t n, const char *name,
                                        const sim_obj_options *opt, sim_mesh *out, int **file_vertex,
                                        cb_err *err);

#endif
