/* Shared by the files of bodies by formula. */
#ifndef SIM_SHAPE_IMPL_H
#define SIM_SHAPE_IMPL_H

#include <stdbool.h>

#include "sim_shape.h"
#include "sim_shape_field.h"
#include "sim_traverse.h"

/* Surfaces of bodies: from the lattice's raw triangles to even ones. */

/* Makes the closed surface that stuffing leaves; its triangles are neither even nor well shaped. Caller:
 * sim_shape_surface_clear. Errors: CB_E_RANGE for cells too large or too small, CB_E_NOMEM. */
CB_CHECKED cb_status sim_shape_surface_raw(const sim_shape_field *field, double level, double cell,
                                           sim_shape_surface *out, cb_err *err);

/* Checks that every vertex has one fan of triangles. A vertex with two is where the surface touches itself:
 * CB_E_RANGE, which names the cells' size. */
CB_CHECKED cb_status sim_shape_check_fans(const sim_hull *hull, double cell, cb_err *err);

/* Checks a body. CB_E_RANGE: no part, too many, a size that is not positive and finite, a rounding larger
 * than its box, a shell turned inside out. */
CB_CHECKED cb_status sim_shape_check(const sim_shape_body *body, cb_err *err);

/* Multiplies all lengths of a body by a factor. */
void sim_shape_scale(sim_shape_body *body, double factor);

/* A closed surface whose edges can be flipped. */

typedef struct sim_shape_flip {
  sim_shape_surface *surface; /* borrowed */
  int (*across)[3];           /* the triangle beyond the edge opposite to each corner */
  int *valence;               /* edges at each vertex */
} sim_shape_flip;

/* Prepares a closed surface for flips, which change it. The surface must outlive f. Caller:
 * sim_shape_flip_clear, also after an error. Errors: those of sim_hull_build. */
CB_CHECKED cb_status sim_shape_flip_init(sim_shape_flip *f, sim_shape_surface *surface, cb_err *err);
void sim_shape_flip_clear(sim_shape_flip *f);

/* Flips edges where that brings the numbers of edges at the four vertices nearer to six; with `delaunay`,
 * where it makes the least angles larger. No flip turns a triangle over. At most 8 passes. Returns the number
 * of flips. */
int sim_shape_flip_all(sim_shape_flip *f, bool delaunay);

#endif
