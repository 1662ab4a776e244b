/* Functions of bodies for this room; sim_body.h has the public ones. */
#ifndef SIM_BODY_INNER_H
#define SIM_BODY_INNER_H

#include "sim_body.h"

/* Radius of the largest ball inside of the body: radius, or inner radius of the solid's core; INFINITY for a
 * plane. */
double sim_body_inner_m(const sim_body *body);

/* Velocity of the body's shape at a place. Spin of a sphere, or of a cylinder about its axis, does not move
 * the shape. */
void sim_body_shape_velocity(const sim_body *body, const double x_m[3], double out_m_per_s[3]);

/* Velocity of the body's matter at a place. */
void sim_body_velocity(const sim_body *body, const double x_m[3], double out_m_per_s[3]);

/* Transforms a place from the solid's own co-ordinates to the world's. */
void sim_body_place(const sim_body *body, const double own_m[3], double out_m[3]);

#endif
