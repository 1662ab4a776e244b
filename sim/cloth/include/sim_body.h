/* Rigid bodies that a cloth touches: planes, spheres, cylinders and solids of triangles, at rest or moved. A body is the set of points with
 * distance < 0.
 *
 * Motion is prescribed: velocity of the origin and angular velocity about it, constant over a step; sim_body_move carries the body on. */
#ifndef SIM_BODY_H
#define SIM_BODY_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_friction.h"
#include "sim_solid.h"

typedef enum sim_shape {
  SIM_PLANE,    /* origin on the plane, axis = its outward normal; endless */
  SIM_SPHERE,   /* origin = centre */
  SIM_CYLINDER, /* origin on the axis; endless */
  SIM_TRIANGLES /* its solid, whose own origin lies at the body's, turned by turned_rad; the axis does not count */
} sim_shape;
extern const char *const sim_shape_names[]; /* "plane", "sphere", "cylinder", "triangles", NULL */

typedef struct sim_body {
  sim_shape shape;
  double origin_m[3], axis[3], radius_m; /* axis: unit length; radius: sphere and cylinder */
  const sim_solid *solid;                /* triangles: not owned */
  double turned_rad[3];                  /* triangles: rotation vector */
  double velocity_m_per_s[3], spin_rad_per_s[3];
  sim_friction friction;
} sim_body;

/* Where a point is against a body's surface. */
typedef struct sim_touch {
  double distance_m, normal[3]; /* > 0 outside; unit, outward */
  double velocity_m_per_s[3];   /* of the body there */
} sim_touch;
void sim_body_touch(const sim_body *body, const double x_m[3], sim_touch *out);

/* The same where the distance is < within_m; else false, and *out is not to be used. Quick for what is far from a solid. */
bool sim_body_near(const sim_body *body, const double x_m[3], double within_m, sim_touch *out);

/* How far inside of the body a place can be: radius, or of the solid's largest ball; INFINITY: a plane. */
double sim_body_inner_m(const sim_body *body);

/* Of the body's shape at this place: what spins about its own middle or axis without changing its place does not move. */
void sim_body_shape_velocity(const sim_body *body, const double x_m[3], double out_m_per_s[3]);

/* Of the body's matter at this place. */
void sim_body_velocity(const sim_body *body, const double x_m[3], double out_m_per_s[3]);

/* From the solid's own co-ordinates to the world's. */
void sim_body_place(const sim_body *body, const double own_m[3], double out_m[3]);

/* The body as it is dt_s later. */
void sim_body_move(sim_body *body, double dt_s);

CB_CHECKED cb_status sim_body_check(const sim_body *body, cb_err *err);

#endif
