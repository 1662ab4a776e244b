/* Inclined plane: a free cloth holds below the angle of friction, and slides by Newton's law above it.
 *
 * Reference: a rigid body. It holds while the force down the slope is at most the static friction of the
 * whole patch, else a = g sin(angle) - F_k / m. After an oblique launch its path follows v' = g sin(angle) e
 * - F_k(direction of v) / m v/|v| (sim_sled). Friction is opposite to the velocity (Chen, Feng, Wang 2013,
 * eq. 2), as the rig measures it. A cloth that starts from rest is never deflected sideways. (Maximum
 * dissipation in an elliptic cone would deflect it; it is not offered.)
 *
 * The error of the time scheme is known: the rigid body's equations, solved in the same steps by the same
 * scheme, less the exact solution. For backward Euler from rest it is a h t/2. The rest is the error of
 * cloth and contacts. */
#ifndef VAL_INCLINE_H
#define VAL_INCLINE_H

#include "sim_cloth.h"
#include "sim_mesh.h"

typedef struct val_incline {
  sim_friction friction;
  sim_material material;
  double side_m; /* of the square cloth */
  sim_pattern pattern;
  int vertices;                      /* approximate number */
  double angle_rad;                  /* of the plane */
  double turned_rad;                 /* of the downhill direction, from the warp */
  double launch_m_per_s, launch_rad; /* velocity at the start; its angle from downhill */
  double dt_s, duration_s;
  sim_cloth_scheme scheme;
} val_incline;

typedef struct val_incline_result {
  int vertices;
  double displacement_m[2]; /* of the centre of mass: downhill, across */
  double velocity_m_per_s[2];
  double expected_m[2], expected_m_per_s[2];       /* of the rigid body */
  double scheme_m[2];                              /* error of the time scheme for the rigid body */
  double way_m;                                    /* length of the rigid body's path */
  double acceleration_m_per_s2, expected_m_per_s2; /* downhill, mean over the whole time */
  double way_error;             /* |displacement - expected - scheme| / way_m; 0 where nothing should move */
  double acceleration_error;    /* relative; 0 where nothing should move */
  double largest_m;             /* greatest displacement of a vertex */
  bool sticks, expected_sticks; /* no vertex moved by more than VAL_STICKS_M; the rigid body holds */
  int extrapolated;             /* contacts at the end outside the loads at which the law was measured */
  double seconds;
  bool agrees; /* it holds where it should, or it slides within VAL_INCLINE_ACCELERATION and VAL_INCLINE_WAY
                  (VAL_INCLINE_PATH) */
} val_incline_result;

#define VAL_STICKS_M 1e-6
#define VAL_INCLINE_ACCELERATION 5e-3 /* acceleration_error, from rest or straight downhill */
#define VAL_INCLINE_WAY 1e-3          /* way_error, likewise */
#define VAL_INCLINE_PATH 5e-3         /* way_error of a launch across the slope */

/* Returns mu = 0.3 and a cloth of 0.2 m, 0.15 kg/m2 and about 5000 vertices at 20 degrees, for 1 s in steps
 * of 5 ms. */
val_incline val_incline_default(void);
/* Errors: a number out of range, memory; not to agree is none. */
CB_CHECKED cb_status val_incline_run(const val_incline *e, val_incline_result *out, cb_err *err);

/* The angle of release. */
typedef struct val_release {
  int vertices, runs;
  double angle_rad;    /* middle between the steepest angle that held and the flattest that did not */
  double expected_rad; /* angle at which the rigid body's weight downhill equals its static friction */
  bool agrees;         /* |angle - expected| <= VAL_RELEASE_RAD */
} val_release;

#define VAL_RELEASE_RAD (0.2 * 3.14159265358979323846 / 180)
#define VAL_RELEASE_WITHIN_DEG 0.01 /* resolution of the tables of `validate` */

/* Finds the angle of release between 0 and 89 degrees by bisection, to within_rad. e's own angle and launch
 * are ignored. */
CB_CHECKED cb_status val_incline_release(const val_incline *e, double within_rad, val_release *out,
                                         cb_err *err);

/* Returns case k of VAL_RELEASES: e with a quarter, half, ... four times the areal mass, each on e's mesh
 * and on one four times finer. */
#define VAL_RELEASES 10
val_incline val_incline_release_case(const val_incline *e, int k);

#endif
