/* A free cloth on an inclined plane: does it hold below the angle of friction, and slide as Newton's law says above it?
 *
 * Reference: a rigid body (SIMULATORS 4.3): it holds while the force down the slope is not above the static friction of the whole patch,
 * else a = g sin(angle) - F_k / m. With an oblique launch, the path of v' = g sin(angle) e - F_k(direction of v) / m v/|v| (sim_sled). */
#ifndef VAL_INCLINE_H
#define VAL_INCLINE_H

#include "sim_cloth.h"

typedef struct val_incline {
  sim_friction friction;
  sim_material material;
  double side_m;                     /* of the square cloth */
  int vertices;                      /* about */
  double angle_rad;                  /* of the plane */
  double turned_rad;                 /* of the slope downwards, from the cloth's warp */
  double launch_m_per_s, launch_rad; /* velocity at the start; from the slope downwards */
  double dt_s, duration_s;
  sim_scheme scheme;
} val_incline;

typedef struct val_incline_result {
  int vertices;
  double displacement_m[2]; /* of the centre of mass: down the slope, across */
  double velocity_m_per_s[2];
  double expected_m[2], expected_m_per_s[2];       /* the rigid body's */
  double acceleration_m_per_s2, expected_m_per_s2; /* down the slope, mean over the whole time */
  double scheme_m;  /* by how much the scheme's first-order term makes the displacement larger than the exact one */
  double largest_m; /* displacement of any vertex */
  double stretch;   /* largest |strain| at the end */
  bool sticks;      /* no vertex moved by more than 1 um */
  int extrapolated; /* contacts lighter or heavier than the law was measured */
  double seconds;
} val_incline_result;

/* mu = 0.3, 0.2 m cloth of 0.15 kg/m2, about 5000 vertices, 20 degrees, 5 ms, 1 s. */
val_incline val_incline_default(void);
CB_CHECKED cb_status val_incline_run(const val_incline *e, val_incline_result *out, cb_err *err);

#endif
