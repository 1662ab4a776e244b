/* What the files of sim_tets share. */
#ifndef SIM_TETS_IMPL_H
#define SIM_TETS_IMPL_H

#include "sim_shape.h"

/* Least quality of a tetrahedron: 12 (3 V)^(2/3) / sum of squared edges, 1 for a regular one (A. Liu, B. Joe,
 * BIT 34:268, 1994). */
#define SIM_TETS_QUALITY 0.01

/* Copies. Errors, one sentence with the tetrahedron's number: an index out of range, a place not finite, a
 * tetrahedron turned inside out or flat (quality below SIM_TETS_QUALITY), two on the same side of a face, a
 * face of three, a vertex of none. */
CB_CHECKED cb_status sim_tets_build(const double (*position_m)[3], int n_vertices, const int (*tet)[4],
                                    int n_tets, sim_tets *out, cb_err *err);

double sim_tets_volume_m3(const sim_tets *tets);

/* sim_tets_read, of the text of its files. */
CB_CHECKED cb_status sim_tets_parse(const char *node, const char *ele, const char *name, double m_per_unit,
                                    sim_tets *out, cb_err *err);

#endif
