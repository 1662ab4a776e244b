/* Rigid bodies that a cloth touches: planes, spheres, cylinders and solids of triangles, at rest or in
 * motion. A body is the set of points with distance < 0. SI units.
 *
 * Motion is prescribed: the velocity of the origin and the angular velocity about it are constant over a
 * step. sim_body_move advances the body. */
#ifndef SIM_BODY_H
#define SIM_BODY_H

#include <stdbool.h>

#include "cb_err.h"
#include "cb_friction_law.h"
#include "sim_solid.h"

/* ---- friction ---- */

/* Friction of a patch of cloth on a body: Coulomb's two coefficients, or measured laws, per area.
 *
 * A law belongs to the contact area on which it was measured. A patch of area A that is pressed with N has
 * the friction F = A/A0 f(N A0/A), with A0 the law's area: traction follows from pressure (Chen, Feng, Wang,
 * ACM TOG 32(4):88, 2013). So refining a mesh does not change the friction. The weight of a cloth alone
 * presses far less than a rig does; results outside of the measured loads are marked as extrapolated. */

typedef struct sim_friction {
  double mu_kinetic, mu_static; /* without a law; mu_static >= mu_kinetic >= 0 */
  /* Not owned. kinetic_law NULL: Coulomb; static_law NULL: as kinetic_law. */
  const cb_friction_law *kinetic_law, *static_law;
} sim_friction;

typedef struct sim_friction_force {
  double kinetic_N, static_N; /* static_N >= kinetic_N */
  bool extrapolated;          /* lighter or heavier than the measured loads */
} sim_friction_force;

/* Returns the friction forces of a patch. direction: of sliding, (warp, weft) components, any length but 0.
 * normal_force_N >= 0 on the patch of area_m2; 0 gives 0. */
sim_friction_force sim_friction_eval(const sim_friction *f, const double direction[2], double normal_force_N,
                                     double area_m2);

/* Checks a friction. Errors: CB_E_RANGE for coefficients that are negative or not finite, static below
 * kinetic, a static law without a kinetic one; those of cb_friction_law_check. */
CB_CHECKED cb_status sim_friction_check(const sim_friction *f, cb_err *err);

/* ---- a body ---- */

typedef enum sim_shape {
  SIM_PLANE,    /* origin on the plane, axis = outward normal; infinite */
  SIM_SPHERE,   /* origin = centre */
  SIM_CYLINDER, /* origin on the axis; infinite */
  /* The solid, its own origin at the body's, turned by turned_rad. The axis is not used. */
  SIM_TRIANGLES
} sim_shape;
extern const char *const sim_shape_names[]; /* "plane", "sphere", "cylinder", "triangles", NULL */

typedef struct sim_body {
  sim_shape shape;
  double origin_m[3], axis[3], radius_m; /* axis: unit length; radius of sphere and cylinder */
  const sim_solid *solid;                /* for SIM_TRIANGLES; not owned */
  double turned_rad[3];                  /* for SIM_TRIANGLES: rotation vector */
  double velocity_m_per_s[3], spin_rad_per_s[3];
  sim_friction friction;
} sim_body;

/* The position of a point relative to a body's surface. */
typedef struct sim_touch {
  double distance_m, normal[3]; /* > 0 outside; unit, outward */
  double velocity_m_per_s[3];   /* of the body's matter at the point */
} sim_touch;
/* Measures a point against a body, at any distance. */
void sim_body_touch(const sim_body *body, const double x_m[3], sim_touch *out);

/* Measures a point if its distance is below within_m. Otherwise returns false and *out is undefined. Fast for
 * points far outside of a solid. */
bool sim_body_near(const sim_body *body, const double x_m[3], double within_m, sim_touch *out);

/* Advances origin, axis and rotation by dt_s, with the velocities as they are. */
void sim_body_move(sim_body *body, double dt_s);

/* Checks a body. CB_E_RANGE: a number that is not finite, an axis not of length 1 (within 1e-9), a radius
 * that is not > 0, SIM_TRIANGLES without a solid, a friction that sim_friction_check refuses. */
CB_CHECKED cb_status sim_body_check(const sim_body *body, cb_err *err);

/* ---- display ---- */

/* Triangles for display: a body in pictures and files. */

typedef struct sim_surface {
  int n_vertices, n_triangles;
  double (*position_m)[3];
  int (*triangle)[3]; /* counter-clockwise from outside */
} sim_surface;

/* Makes the triangles of a body. Of a plane or cylinder, only the part within reach_m of middle_m [m], along
 * its own directions. Caller: sim_surface_clear, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_surface_of_body(const sim_body *body, const double middle_m[3], double reach_m,
                                         sim_surface *out, cb_err *err);
void sim_surface_clear(sim_surface *s);

#endif
