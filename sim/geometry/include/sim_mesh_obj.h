/* Meshes from and to OBJ files (cb_obj.h says what of the format).
 *
 * Material co-ordinates are the texture co-ordinates, if the file has any; else x and y of a mesh whose z are all equal; else every
 * triangle is laid flat by its own edges, its warp being the projection of one direction in space. */
#ifndef SIM_MESH_OBJ_H
#define SIM_MESH_OBJ_H

#include <stddef.h>

#include "sim_mesh.h"

typedef struct sim_obj_options {
  double m_per_unit;         /* of positions */
  double texture_m_per_unit; /* of texture co-ordinates */
  double warp[3];            /* of triangles that are laid flat; any length but 0 */
} sim_obj_options;

/* Metres; warp along x. */
sim_obj_options sim_obj_options_default(void);

/* Numbered for caches: (*file_vertex)[i] is the number of vertex i in the file, from 0, which the caller frees; file_vertex may be NULL.
 * What sim_mesh_build refuses is named by its line, with vertices counted from 1 as the file does; so is a corner without texture
 * co-ordinates where others have some, and a triangle that the warp stands on. */
CB_CHECKED cb_status sim_mesh_obj_parse(const char *text, size_t n, const char *name, const sim_obj_options *opt, sim_mesh *out,
                                        int **file_vertex, cb_err *err);
/* A file, plain or gzip. */
CB_CHECKED cb_status sim_mesh_obj_read(const char *path, const sim_obj_options *opt, sim_mesh *out, int **file_vertex, cb_err *err);

/* In metres: these positions (n_vertices, nine digits), material co-ordinates as texture co-ordinates (exact), all numbered as in the mesh.
 * The file appears whole or not at all. */
CB_CHECKED cb_status sim_mesh_obj_write(const sim_mesh *m, const double (*position_m)[3], const char *path, cb_err *err);

#endif
