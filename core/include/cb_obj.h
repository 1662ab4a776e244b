/* Triangles of a Wavefront OBJ file: v, vt and f. A polygon becomes a fan around its first corner; if that
 * has a triangle without area or one turned over, its ears are cut off instead. A negative index counts back
 * from the last element so far. A backslash continues a line, # begins a comment. Normals, groups, materials
 * and all else are ignored. OBJ has no unit: numbers are as written. Source: Wavefront, Advanced Visualizer
 * Manual, appendix B1, "Object files (.obj)". */
#ifndef CB_OBJ_H
#define CB_OBJ_H

#include <stddef.h>

#include "cb_err.h"

/* The arrays are owned; cb_obj_clear frees them. */
typedef struct cb_obj {
  size_t n_vertices, n_texcoords, n_triangles;
  double (*vertex)[3];
  double (*texcoord)[2];       /* NULL if there are none */
  int (*triangle)[3];          /* indices of vertices, from 0 */
  int (*triangle_texcoord)[3]; /* indices of texcoords, from 0; -1: the corner has none */
  int *line;                   /* of the file, from 1, on which each triangle's face begins */
} cb_obj;

/* Parses n bytes of text. `name` stands for the file in errors, which say name:line. The caller frees *out
 * with cb_obj_clear, also after a failure. A face may name a vertex that follows later in the file.
 * Errors: CB_E_PARSE for a malformed line, or without a vertex or a face; CB_E_RANGE for an index that does
 * not exist; CB_E_NOMEM. */
CB_CHECKED cb_status cb_obj_parse(const char *text, size_t n, const char *name, cb_obj *out, cb_err *err);
/* Reads and parses a file, plain or gzip (by its first bytes). max_bytes bounds the file and its unpacked
 * text. The caller frees *out with cb_obj_clear, also after a failure.
 * Errors: also those of cb_file_read and cb_gzip_unpack. */
CB_CHECKED cb_status cb_obj_read(const char *path, size_t max_bytes, cb_obj *out, cb_err *err);
void cb_obj_clear(cb_obj *o);

#endif
