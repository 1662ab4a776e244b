/* Surfaces of bodies on the way from the lattice to even triangles. */
#ifndef SIM_SHAPE_SURFACE_H
#define SIM_SHAPE_SURFACE_H

#include "sim_shape_field.h"
#include "sim_traverse.h"

/* What stuffing leaves as the surface: closed, its triangles neither even nor good. */
CB_CHECKED cb_status sim_shape_surface_raw(const sim_shape_field *field, double level, double cell,
                                           sim_shape_surface *out, cb_err *err);

/* Every vertex has one fan of triangles: where it has two, the surface touches itself. */
CB_CHECKED cb_status sim_shape_check_fans(const sim_hull *hull, double cell, cb_err *err);

/* Edges are flipped until vertices have six neighbours as far as may be, vertices move along the surface to
 * the middles of their triangles, so often, then flips make it Delaunay. */
CB_CHECKED cb_status sim_shape_surface_relax(const sim_shape_field *field, double level, int rounds,
                                             sim_shape_surface *s, cb_err *err);

#endif
