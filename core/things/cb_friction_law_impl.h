/* Shared by cb_friction_law.c and cb_friction_draw.c, private to core/. */
#ifndef CB_FRICTION_LAW_IMPL_H
#define CB_FRICTION_LAW_IMPL_H

#include "cb_friction_law.h"

/* Returns the relative standard uncertainty of interpolation midway (in ln N) between knot `interval` and the
 * next; at the knots it is 0. A curve that bends departs from a chord by the square of the interval's width
 * in ln N, so wide intervals have more of u_rel_model. The law has at least two knots. */
double cb_friction_law_u_between(const cb_friction_law *law, size_t interval);

#endif
