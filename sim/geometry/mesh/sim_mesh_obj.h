/* The parser of sim_mesh_obj_read, for text in memory. */
#ifndef SIM_MESH_OBJ_H
#define SIM_MESH_OBJ_H

#include "sim_mesh.h"

/* As sim_mesh_obj_read, from n bytes of text; `name` stands for the file in errors. */
CB_CHECKED cb_status sim_mesh_obj_parse(const char *text, size_t n, const char *name,
                                        const sim_obj_options *opt, sim_mesh *out, int **file_vertex,
                                        cb_err *err);

#endif
