/* Rigid bodies that a cloth touches: planes, spheres, cylinders and solids of triangles, at rest or moved. A
 * body is the set of points with distance < 0.
 *
 * Motion is prescribed: velocity of the origin and angular velocity about it, constant over a step;
 * sim_body_move carries the body on. */
#ifndef SIM_BODY_H
#define SIM_BODY_H

#include <stdbool.h>

#include "cb_err.h"
#include "cb_friction_law.h"
#include "sim_solid.h"

/* ---- friction ---- */

/* Friction of a patch of cloth on a body: Coulomb's two numbers, or the laws that the rig measured, per area.
 *
 * A law belongs to the contact area it was measured on. A patch of area A that is pressed with N takes part
 * with its traction, F = A/A0 f(N A0/A): refining a mesh does not change the friction (Chen, Feng, Wang, ACM
 * TOG 32(4):88, 2013: traction over pressure). A cloth's own weight presses far less than any rig does: what
 * is extrapolated is counted, never hidden. */

typedef struct sim_friction {
  double mu_kinetic, mu_static;                    /* where no law is given; mu_static >= mu_kinetic >= 0 */
  const cb_friction_law *kinetic_law, *static_law; /* not owned; kinetic NULL: Coulomb; static NULL: as
                                                      kinetic */
} sim_friction;

typedef struct sim_friction_force {
  double kinetic_N, static_N; /* static_N >= kinetic_N */
  bool extrapolated;          /* lighter or heavier than what was measured */
} sim_friction_force;

/* direction: of sliding, in the cloth's (warp, weft) plane, any length but 0. normal_force_N >= 0 on a patch
 * of area_m2. */
sim_friction_force sim_friction_eval(const sim_friction *f, const double direction[2], double normal_force_N,
                                     double area_m2);

/* Errors: coefficients that are negative or not finite, static below kinetic, laws that are not in order. */
CB_CHECKED cb_status sim_friction_check(const sim_friction *f, cb_err *err);

/* ---- a body ---- */

typedef enum sim_shape {
  SIM_PLANE,    /* origin on the plane, axis = its outward normal; endless */
  SIM_SPHERE,   /* origin = centre */
  SIM_CYLINDER, /* origin on the axis; endless */
  SIM_TRIANGLES /* its solid, whose own origin lies at the body's, turned by turned_rad; the axis does not
                   count */
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

/* The same where the distance is < within_m; else false, and *out is not to be used. Quick for what is far
 * from a solid. */
bool sim_body_near(const sim_body *body, const double x_m[3], double within_m, sim_touch *out);

/* The body as it is dt_s later. */
void sim_body_move(sim_body *body, double dt_s);

CB_CHECKED cb_status sim_body_check(const sim_body *body, cb_err *err);

/* ---- to be looked at ---- */

/* Triangles to be looked at: a body as a picture or a file shows it. */

typedef struct sim_surface {
  int n_vertices, n_triangles;
  double (*position_m)[3];
  int (*triangle)[3]; /* counter-clockwise from outside */
} sim_surface;

/* What of the body lies about `middle`: of what is endless, the part within reach_m of it. Caller:
 * sim_surface_clear, even after a failure.
 */
CB_CHECKED cb_status sim_surface_of_body(const sim_body *body, const double middle_m[3], double reach_m,
                                         sim_surface *out, cb_err *err);
void sim_surface_clear(sim_surface *s);

#endif
