/* Shared by the files of bodies by formula. */
#ifndef SIM_SHAPE_IMPL_H
#define SIM_SHAPE_IMPL_H

#include "sim_shape.h"

/* Checks a body. CB_E_RANGE: no part, too many, a size that is not positive and finite, a rounding larger
 * than its box, a shell turned inside out. */
CB_CHECKED cb_status sim_shape_check(const sim_shape_body *body, cb_err *err);

/* Multiplies all lengths of a body by a factor. */
void sim_shape_scale(sim_shape_body *body, double factor);

#endif
