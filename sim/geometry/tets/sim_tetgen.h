/* Closed surfaces filled with tetrahedra by the program tetgen (Debian's package of that name;
 * docs/reference/meshes.md). */
#ifndef SIM_TETGEN_H
#define SIM_TETGEN_H

#include "sim_shape.h"

/* Fills a closed surface; its triangles stay as they are. tetgen needs seconds, on some surfaces it does not
 * end: after limit_s (1e-3 to 1e6) it is killed. Its files are in a private folder under TMPDIR or /tmp,
 * which is removed on return. Caller: sim_tets_clear.
 *
 * Errors: those of sim_hull_build (the surface is open), before tetgen runs; CB_E_NOTFOUND: tetgen is not
 * installed; CB_E_RANGE: it fails, as the surface may cut itself; CB_E_TIMEOUT: it is not done in time;
 * CB_E_IO; those of sim_tets_build. */
CB_CHECKED cb_status sim_tets_from_surface(const double (*position_m)[3], int n_vertices,
                                           const int (*triangle)[3], int n_triangles, double limit_s,
                                           sim_tets *out, cb_err *err);
/* sim_tets_from_surface for the surface in an OBJ file, plain or gzip; polygons are cut into fans. */
CB_CHECKED cb_status sim_tets_from_obj(const char *path, double m_per_unit, double limit_s, sim_tets *out,
                                       cb_err *err);

#endif
