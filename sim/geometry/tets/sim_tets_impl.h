/* Shared by the files of tetrahedra. */
#ifndef SIM_TETS_IMPL_H
#define SIM_TETS_IMPL_H

#include "sim_shape.h"

/* Lowest allowed quality of a tetrahedron: 12 (3 V)^(2/3) / sum of squared edges, 1 for a regular one (A.
 * Liu, B. Joe, BIT 34:268, 1994). */
#define SIM_TETS_QUALITY 0.01

/* Builds a body from positions [m] and tetrahedra; copies. After an error it is empty. Caller:
 * sim_tets_clear. Errors name the tetrahedron: an index out of range, a position that is not finite, a
 * tetrahedron turned inside out or flat (quality below SIM_TETS_QUALITY), two on the same side of a face, a
 * face of three, a vertex of none. CB_E_NOMEM. */
CB_CHECKED cb_status sim_tets_build(const double (*position_m)[3], int n_vertices, const int (*tet)[4],
                                    int n_tets, sim_tets *out, cb_err *err);

double sim_tets_volume_m3(const sim_tets *tets);

/* sim_tets_read, from the text of its two files; `name` stands for the path in errors. */
CB_CHECKED cb_status sim_tets_parse(const char *node, const char *ele, const char *name, double m_per_unit,
                                    sim_tets *out, cb_err *err);

#endif
