/* A free cloth on an inclined plane: does it hold below the angle of friction, and slide as Newton's law says
 * above it?
 *
 * Reference: a rigid body: it holds while the force down the slope is not above the static friction of the
 * whole patch, else a = g sin(angle) - F_k / m. With an oblique launch, the path of v' = g sin(angle) e -
 * F_k(direction of v) / m v/|v| (sim_sled). Friction is opposite to the velocity (Chen, Feng, Wang 2013, eq.
 * 2), as the rig measures it: a cloth that starts from rest is never deflected sideways. (Maximum dissipation
 * in an elliptic cone would deflect it; it is not offered.)
 *
 * The scheme's own error is known: the rigid body's equations solved in the same steps by the same scheme,
 * less the exact solution; for backward Euler from rest that is a h t/2. What is left is the cloth's and the
 * contacts'. */
#ifndef VAL_INCLINE_H
#define VAL_INCLINE_H

#include "sim_cloth.h"
#include "sim_mesh.h"

typedef struct val_incline {
  sim_friction friction;
  sim_material material;
  double side_m; /* of the square cloth */
  sim_pattern pattern;
  int vertices;                      /* about */
  double angle_rad;                  /* of the plane */
  double turned_rad;                 /* of the slope downwards, from the cloth's warp */
  double launch_m_per_s, launch_rad; /* velocity at the start; from the slope downwards */
  double dt_s, duration_s;
  sim_cloth_scheme scheme;
} val_incline;

typedef struct val_incline_result {
  int vertices;
  double displacement_m[2]; /* of the centre of mass: down the slope, across */
  double velocity_m_per_s[2];
  double expected_m[2], expected_m_per_s[2]; /* the rigid body's */
  double scheme_m[2]; /* by how much the scheme itself moves the rigid body away from there */
  double way_m;       /* length of the rigid body's path */
  double acceleration_m_per_s2, expected_m_per_s2; /* down the slope, mean over the whole time */
  double way_error;          /* |displacement - expected - scheme| over way_m; 0 where nothing should move */
  double acceleration_error; /* relative; 0 where nothing should move */
  double largest_m;          /* displacement of any vertex */
  bool sticks, expected_sticks; /* no vertex moved by more than VAL_STICKS_M; the rigid body did not */
  int extrapolated;             /* contacts lighter or heavier than the law was measured, at the end */
  double seconds;
  bool agrees; /* it holds where it should; or slides within VAL_INCLINE_ACCELERATION, and VAL_INCLINE_WAY
                  (VAL_INCLINE_PATH) beyond the scheme */
} val_incline_result;

#define VAL_STICKS_M 1e-6
#define VAL_INCLINE_ACCELERATION 5e-3 /* from rest or straight down */
#define VAL_INCLINE_WAY 1e-3          /* the same, beyond what the scheme adds */
#define VAL_INCLINE_PATH 5e-3         /* of a launch across the slope, likewise */

/* mu = 0.3, 0.2 m cloth of 0.15 kg/m2, about 5000 vertices, 20 degrees, 5 ms, 1 s. */
val_incline val_incline_default(void);
CB_CHECKED cb_status val_incline_run(const val_incline *e, val_incline_result *out, cb_err *err);

typedef struct val_release {
  int vertices, runs;
  double angle_rad;    /* the steepest that was held, and half of what is open above it */
  double expected_rad; /* where the rigid body's weight down the slope is its static friction */
  bool agrees;         /* within VAL_RELEASE_RAD */
} val_release;

#define VAL_RELEASE_RAD (0.2 * 3.14159265358979323846 / 180)
#define VAL_RELEASE_WITHIN_DEG 0.01 /* how closely the tables look for it */

/* The angle of release, halving between 0 and 89 degrees down to within_rad; e's own angle and launch do not
 * count. */
CB_CHECKED cb_status val_incline_release(const val_incline *e, double within_rad, val_release *out,
                                         cb_err *err);

/* Releases of light and heavy cloths: case k of VAL_RELEASES is e with a quarter, half, ... four times the
 * areal mass, each on e's mesh and on one four times finer. */
#define VAL_RELEASES 10
val_incline val_incline_release_case(const val_incline *e, int k);

#endif
