/* What this room asks of a body beside what sim_body.h has. */
#ifndef SIM_BODY_INNER_H
#define SIM_BODY_INNER_H

#include "sim_body.h"

/* How far inside of the body a place can be: radius, or of the solid's largest ball; INFINITY: a plane. */
double sim_body_inner_m(const sim_body *body);

/* Of the body's shape at this place: what spins about its own middle or axis without changing its place does
 * not move. */
void sim_body_shape_velocity(const sim_body *body, const double x_m[3], double out_m_per_s[3]);

/* Of the body's matter at this place. */
void sim_body_velocity(const sim_body *body, const double x_m[3], double out_m_per_s[3]);

/* From the solid's own co-ordinates to the world's. */
void sim_body_place(const sim_body *body, const double own_m[3], double out_m[3]);

#endif
