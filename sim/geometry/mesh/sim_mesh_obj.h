/* What sim_mesh_obj_read does with the text of its file. */
#ifndef SIM_MESH_OBJ_H
#define SIM_MESH_OBJ_H

#include "sim_mesh.h"

/* Numbered for caches: (*file_vertex)[i] is the number of vertex i in the file, from 0, which the caller
 * frees; file_vertex may be NULL. What sim_mesh_build refuses is named by its line, with vertices counted
 * from 1 as the file does; so is a corner without texture co-ordinates where others have some, and a triangle
 * that the warp stands on. */
CB_CHECKED cb_status sim_mesh_obj_parse(const char *text, size_t n, const char *name,
                                        const sim_obj_options *opt, sim_mesh *out, int **file_vertex,
                                        cb_err *err);

#endif
