/* A rigid sled with a cloth contact on a level or inclined bed, free or pulled through a link: the simulated
 * friction rig. docs/method/slide.md compares it with measured pulls.
 *
 * The model is two-dimensional. Position and velocity are co-ordinates in the cloth's material plane: x
 * along the warp, y along the weft. The motion follows Newton's law with exact Coulomb friction:
 *   slipping   the friction F_k(direction of v, N) acts against v (Chen, Feng, Wang 2013, eq. 2). It never
 *              deflects a sled that starts from rest.
 *   sticking   the sled rests exactly, without creep, while the applied tangential force T has
 *              |T| <= F_s(direction of T, N).
 * The normal force is N = m g cos(incline). A law holds for its own contact area A0. On the sled's area A
 * the force is A/A0 F(N A0/A).
 *
 * Link. d = x_stage - x_sled is taken along the pull line. The tension is k (d - slack) + c d' for d >
 * slack, k (d + slack) + c d' for d < -slack, else 0. The eye of the link pulls on one side and pushes on
 * the other; the damper never reverses the force.
 *
 * Integration is by the classical Runge-Kutta method of order 4 with a fixed step. Bisection locates the
 * starts and ends of slip and of link contact to rounding. Steps end on them, which keeps the order. The
 * same input gives the same bits. */
#ifndef SIM_SLED_H
#define SIM_SLED_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_friction_law.h"
#include "cb_trace.h"

/* ---- how the stage moves ---- */

/* Trapezoidal motion of a stage, as motion controllers make it: constant acceleration, constant speed,
 * constant deceleration of the same size. The profile is a triangle where the travel is too short to reach
 * the speed. */
typedef struct sim_profile {
  double start_s;               /* the stage rests until then */
  double travel_m;              /* signed; 0: the stage never moves */
  double speed_m_per_s;         /* > 0 */
  double acceleration_m_per_s2; /* > 0 */
} sim_profile;

/* Returns in t_s the four times [s] at which the acceleration changes: start, speed reached, braking begins,
 * at rest. */
void sim_profile_breaks(const sim_profile *p, double t_s[4]);

/* Returns the position [m] at t_s, 0 at the start. breaks_s is from sim_profile_breaks of the same profile.
 * The velocity pointer may be NULL. */
double sim_profile_at(const sim_profile *p, const double breaks_s[4], double t_s, double *velocity_m_per_s);

/* Error: CB_E_RANGE for a number out of range. */
CB_CHECKED cb_status sim_profile_check(const sim_profile *p, cb_err *err);

/* ---- the sled ---- */

typedef struct sim_pull {
  double angle_rad;         /* of the pull line, from the warp; the stage moves along it */
  double stiffness_N_per_m; /* of the link; 0: no link */
  double slack_m;           /* free play to either side; the link starts in the middle */
  double damping_Ns_per_m;
  sim_profile profile;
} sim_pull;

typedef struct sim_sled {
  double mass_kg;
  double gravity_m_per_s2;
  double incline_rad;  /* of the bed, [0, pi/2) */
  double downhill_rad; /* direction of the slope downwards, from the warp */
  double contact_area_m2;
  const cb_friction_law *kinetic_law;        /* the laws are not owned */
  const cb_friction_law *static_law;         /* NULL: as kinetic; the larger of both laws holds a sled at
                                                rest */
  double position_m[2], velocity_m_per_s[2]; /* at t = 0 */
  sim_pull pull;
  double duration_s;
  double rate_Hz; /* of the samples */
  double step_s;  /* largest time step; <= 0.5 (m/k)^1/2 and <= 0.5 m/c where a link pulls */
} sim_sled;

/* Returns a sled at rest on a level bed under standard gravity, without a link, for 1 s at 1 kHz in steps of
 * 0.1 ms. The caller sets mass, area and laws; they are 0. */
sim_sled sim_sled_default(void);

/* Errors: CB_E_RANGE or CB_E_NUM for a number out of range, more than 1e7 samples or a step too long for the
 * link; CB_E_ARG without a kinetic law; those of cb_friction_law_check. */
CB_CHECKED cb_status sim_sled_check(const sim_sled *sled, cb_err *err);

typedef struct sim_sled_sample {
  double t_s, x_m, y_m, vx_m_per_s, vy_m_per_s;
} sim_sled_sample;

/* Energies at the end of the run: initial kinetic + stage_J + gravity_J = kinetic_J + spring_J + friction_J
 * + damping_J + residual_J. */
typedef struct sim_sled_energy {
  double stage_J;   /* work of the stage on the link */
  double gravity_J; /* work of gravity on the sled */
  double kinetic_J, spring_J;
  double friction_J, damping_J; /* dissipated */
  double residual_J;            /* numerical error of the balance; goes to 0 with step_s^4 */
} sim_sled_energy;

typedef struct sim_sled_result {
  size_t n;
  sim_sled_sample *samples; /* n, every 1/rate_Hz from t = 0 */
  cb_trace trace;     /* tension of the link (force_N), stage position (position_m); empty without a link */
  double breakaway_s; /* first change from stick to slip; NAN: never */
  double breakaway_stage_m; /* displacement of the stage at breakaway, positive along its motion; NAN: never
                             */
  size_t n_slips;           /* changes from stick to slip */
  bool at_rest;             /* at the end */
  sim_sled_energy energy;
} sim_sled_result;

/* Runs the sled from t = 0 to duration_s. The caller clears *out with sim_sled_result_clear; after an error
 * it is empty. Errors: those of sim_sled_check; CB_E_NUM with time and step for a number that is not finite;
 * memory. */
CB_CHECKED cb_status sim_sled_run(const sim_sled *sled, sim_sled_result *out, cb_err *err);
void sim_sled_result_clear(sim_sled_result *r);

#endif
