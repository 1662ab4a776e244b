/* Shared by the files of bodies by formula. */
#ifndef SIM_SHAPE_IMPL_H
#define SIM_SHAPE_IMPL_H

#include "sim_shape.h"

/* Checks a body. CB_E_RANGE: no part, too many, a size that is not positive and finite, a rounding larger
 * than its box, a shell turned inside out. */
CB_CHECKED cb_status sim_shape_check(const sim_shape_body *body, cb_err *err);

/* Returns the body's function at x_m, < 0 inside, and its gradient, which may be NULL. For many points
 * prepare a field (sim_shape_field.h). */
double sim_shape_distance(const sim_shape_body *body, const double x_m[3], double gradient[3]);

/* Multiplies all lengths of a body by a factor. */
void sim_shape_scale(sim_shape_body *body, double factor);

#endif
