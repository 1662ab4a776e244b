/* Surfaces of bodies: from the lattice's raw triangles to even ones. */
#ifndef SIM_SHAPE_SURFACE_H
#define SIM_SHAPE_SURFACE_H

#include "sim_shape_field.h"
#include "sim_traverse.h"

/* Makes the closed surface that stuffing leaves; its triangles are neither even nor well shaped. Caller:
 * sim_shape_surface_clear. Errors: CB_E_RANGE for cells too large or too small, CB_E_NOMEM. */
CB_CHECKED cb_status sim_shape_surface_raw(const sim_shape_field *field, double level, double cell,
                                           sim_shape_surface *out, cb_err *err);

/* Checks that every vertex has one fan of triangles. A vertex with two is where the surface touches itself:
 * CB_E_RANGE, which names the cells' size. */
CB_CHECKED cb_status sim_shape_check_fans(const sim_hull *hull, double cell, cb_err *err);

#endif
