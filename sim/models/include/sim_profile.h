/* Trapezoidal motion of a stage, as motion controllers make it: constant acceleration, constant speed, constant deceleration,
 * each change of speed at the same acceleration; a triangle where the travel is too short to reach the speed. */
#ifndef SIM_PROFILE_H
#define SIM_PROFILE_H

#include <stdbool.h>

#include "cb_err.h"

typedef struct sim_profile {
  double start_s;               /* the stage rests before */
  double travel_m;              /* signed; 0: it never moves */
  double speed_m_per_s;         /* > 0 */
  double acceleration_m_per_s2; /* > 0 */
} sim_profile;

CB_CHECKED cb_status sim_profile_check(const sim_profile *p, cb_err *err);

/* The four times at which the acceleration changes: start, speed reached, braking begins, at rest. */
void sim_profile_breaks(const sim_profile *p, double t_s[4]);

/* Position, 0 at the start, and velocity (may be NULL), with the breaks of the same profile. */
double sim_profile_at(const sim_profile *p, const double breaks_s[4], double t_s, double *velocity_m_per_s);

#endif
