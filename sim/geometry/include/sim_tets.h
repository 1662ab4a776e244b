/* A body of tetrahedra: where it is at rest, and its surface.
 *
 * Made here (a block of cubes, six tetrahedra each: H. Freudenthal, Ann. Math. 43:580, 1942; a ball or a cushion is a block whose places
 * are moved; bodies of other forms: sim_shape.h), read from TetGen's .node and .ele files, or filled by TetGen from a closed surface. */
#ifndef SIM_TETS_H
#define SIM_TETS_H

#include "cb_err.h"

typedef struct sim_tets {
  int n_vertices, n_tets, n_surface;
  double (*position_m)[3]; /* at rest */
  int (*tet)[4];           /* volume (1-0) x (2-0) . (3-0) / 6 > 0 */
  int (*surface)[3];       /* counter-clockwise from outside, by tetrahedron */
} sim_tets;

/* Least quality of a tetrahedron: 12 (3 V)^(2/3) / sum of squared edges, 1 for a regular one (A. Liu, B. Joe, BIT 34:268, 1994). */
#define SIM_TETS_QUALITY 0.01

/* Copies. Errors, one sentence with the tetrahedron's number: an index out of range, a place not finite, a tetrahedron turned inside out or
 * flat (quality below SIM_TETS_QUALITY), two on the same side of a face, a face of three, a vertex of none. */
CB_CHECKED cb_status sim_tets_build(const double (*position_m)[3], int n_vertices, const int (*tet)[4], int n_tets, sim_tets *out,
                                    cb_err *err);
void sim_tets_clear(sim_tets *tets);

double sim_tets_volume_m3(const sim_tets *tets);

/* cells[0] x cells[1] x cells[2] cubes over the box from low to high. */
typedef struct sim_block {
  double low_m[3], high_m[3];
  int cells[3];
} sim_block;
CB_CHECKED cb_status sim_tets_block(const sim_block *b, sim_tets *out, cb_err *err);

/* |x/a|^p + |y/b|^p + |z/c|^q = 1, p = q = 2 an ellipsoid; a cushion is flat and has p = 4. exponent: p and q, 2 to 10; cells along each
 * axis. */
typedef struct sim_cushion {
  double half_m[3], exponent[2];
  int cells[3];
} sim_cushion;
CB_CHECKED cb_status sim_tets_cushion(const sim_cushion *c, sim_tets *out, cb_err *err);

/* TetGen's pair of text files (tetgen 1.5, 4.3): "body.node" and "body.ele" for path "body"; counted from 0 or 1. Both orders of corners
 * are taken, as long as all have the same. */
CB_CHECKED cb_status sim_tets_read(const char *path, double m_per_unit, sim_tets *out, cb_err *err);
CB_CHECKED cb_status sim_tets_parse(const char *node, const char *ele, const char *name, double m_per_unit, sim_tets *out, cb_err *err);

/* What the program tetgen (Debian's package of that name; docs/meshes.md) fills a closed surface with; the surface's triangles stay as they
 * are. It runs for seconds, on some surfaces without end: after limit_s it is ended. Errors: those of sim_hull_build (the surface is open)
 * before anything runs; tetgen is not installed (CB_E_NOTFOUND), fails (CB_E_RANGE: the surface may cut itself), is not done in time; those
 * of sim_tets_build. Its files lie in a private folder under TMPDIR or /tmp, which is gone on return. */
CB_CHECKED cb_status sim_tets_from_surface(const double (*position_m)[3], int n_vertices, const int (*triangle)[3], int n_triangles,
                                           double limit_s, sim_tets *out, cb_err *err);
/* The surface in an OBJ file, plain or gzip, polygons fanned. */
CB_CHECKED cb_status sim_tets_from_obj(const char *path, double m_per_unit, double limit_s, sim_tets *out, cb_err *err);

#endif
