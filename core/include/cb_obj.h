/* Triangles of a Wavefront OBJ file: v, vt and f. Polygons are fanned from their first corner; negative indices count back from the
 * last one so far; a backslash continues a line, # ends it. Normals, groups, materials and all else are passed over. Numbers as they stand:
 * an OBJ file knows no unit. Source: Wavefront, Advanced Visualizer Manual, appendix B1, "Object files (.obj)". */
#ifndef CB_OBJ_H
#define CB_OBJ_H

#include <stddef.h>

#include "cb_err.h"

typedef struct cb_obj {
  size_t n_vertices, n_texcoords, n_triangles;
  double (*vertex)[3];         /* owned, like the others */
  double (*texcoord)[2];       /* NULL: there are none */
  int (*triangle)[3];          /* indices of vertices, from 0 */
  int (*triangle_texcoord)[3]; /* indices of texcoords; -1: the corner has none */
  int *line;                   /* where each triangle's face begins, from 1 */
} cb_obj;

/* Errors say name:line. At least one vertex and one face is wanted; every index must exist (of vertices: anywhere in the file).
 * cb_obj_clear in any case. */
CB_CHECKED cb_status cb_obj_parse(const char *text, size_t n, const char *name, cb_obj *out, cb_err *err);
/* A file, plain or gzip (by its first bytes); max_bytes bounds both the file and what it unpacks to. */
CB_CHECKED cb_status cb_obj_read(const char *path, size_t max_bytes, cb_obj *out, cb_err *err);
void cb_obj_clear(cb_obj *o);

#endif
