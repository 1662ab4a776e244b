/* Closed surfaces filled by the program tetgen. */
#ifndef SIM_TETGEN_H
#define SIM_TETGEN_H

#include "sim_shape.h"

/* What the program tetgen (Debian's package of that name; docs/meshes.md) fills a closed surface with; the
 * surface's triangles stay as they are. It runs for seconds, on some surfaces without end: after limit_s it
 * is ended. Errors: those of sim_hull_build (the surface is open) before anything runs; tetgen is not
 * installed (CB_E_NOTFOUND), fails (CB_E_RANGE: the surface may cut itself), is not done in time; those of
 * sim_tets_build. Its files lie in a private folder under TMPDIR or /tmp, which is gone on return. */
CB_CHECKED cb_status sim_tets_from_surface(const double (*position_m)[3], int n_vertices,
                                           const int (*triangle)[3], int n_triangles, double limit_s,
                                           sim_tets *out, cb_err *err);
/* The surface in an OBJ file, plain or gzip, polygons fanned. */
CB_CHECKED cb_status sim_tets_from_obj(const char *path, double m_per_unit, double limit_s, sim_tets *out,
                                       cb_err *err);

#endif
