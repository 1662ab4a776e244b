/* A rigid sled with a cloth contact on a level or inclined bed, free or pulled through a link: the simulated
 * friction rig.
 *
 * Two-dimensional: position and velocity are co-ordinates in the cloth's material plane, x along the warp, y
 * along the weft. Newton's law with exact Coulomb-like friction:
 *   slipping: friction F_k(direction of v, N) against v (Chen, Feng, Wang 2013, eq. 2): it never deflects a
 *   sled that starts
 *             from rest;
 *   sticking: the sled rests exactly, without creep, while the applied tangential force |T| <= F_s(direction
 *   of T, N).
 * N = m g cos(incline). Laws hold for their own contact area; on the sled's area A the force is A/A0 F(N
 * A0/A).
 *
 * Link: with d = x_stage - x_sled along the pull line, tension k (d - slack) + c d' for d > slack, k (d +
 * slack) + c d' for d < -slack, else 0; an eye can only pull on one side and push on the other, so the damper
 * never reverses the force.
 *
 * Integration: classical Runge-Kutta of order 4 with a fixed step; starts and ends of slip and of link
 * contact are located by bisection to rounding and every step ends on them, which keeps the order. Same
 * input, same bits. */
#ifndef SIM_SLED_H
#define SIM_SLED_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_friction_law.h"
#include "cb_trace.h"

/* ---- how the stage moves ---- */

/* Trapezoidal motion of a stage, as motion controllers make it: constant acceleration, constant speed,
 * constant deceleration, each change of speed at the same acceleration; a triangle where the travel is too
 * short to reach the speed. */

typedef struct sim_profile {
  double start_s;               /* the stage rests before */
  double travel_m;              /* signed; 0: it never moves */
  double speed_m_per_s;         /* > 0 */
  double acceleration_m_per_s2; /* > 0 */
} sim_profile;

/* The four times at which the acceleration changes: start, speed reached, braking begins, at rest. */
void sim_profile_breaks(const sim_profile *p, double t_s[4]);

/* Position, 0 at the start, and velocity (may be NULL), with the breaks of the same profile. */
double sim_profile_at(const sim_profile *p, const double breaks_s[4], double t_s, double *velocity_m_per_s);

/* Errors: a number out of range. */
CB_CHECKED cb_status sim_profile_check(const sim_profile *p, cb_err *err);

/* ---- the sled ---- */

typedef struct sim_pull {
  double angle_rad;         /* of the pull line, from the warp; the stage moves along it by profile.travel_m
                               (signed) */
  double stiffness_N_per_m; /* 0: nothing pulls */
  double slack_m;           /* free play to either side of the middle; the link starts in its middle */
  double damping_Ns_per_m;
  sim_profile profile;
} sim_pull;

typedef struct sim_sled {
  double mass_kg;
  double gravity_m_per_s2;
  double incline_rad;  /* of the bed, [0, pi/2) */
  double downhill_rad; /* direction of the slope downwards, from the warp */
  double contact_area_m2;
  const cb_friction_law *kinetic_law;
  const cb_friction_law *static_law; /* NULL: as kinetic. Where it is below the kinetic law, the kinetic one
                                        holds */
  double position_m[2], velocity_m_per_s[2]; /* at t = 0 */
  sim_pull pull;
  double duration_s;
  double rate_Hz; /* of the samples */
  double step_s;  /* largest time step; <= 0.5 (m/k)^1/2 and <= 0.5 m/c where a link pulls */
} sim_sled;

/* Level bed, standard gravity, one patch, at rest, no pull, 1 s, 1 kHz, steps of 0.1 ms; mass, area and laws
 * are left 0. */
sim_sled sim_sled_default(void);
CB_CHECKED cb_status sim_sled_check(const sim_sled *sled, cb_err *err);

typedef struct sim_sled_sample {
  double t_s, x_m, y_m, vx_m_per_s, vy_m_per_s;
} sim_sled_sample;

/* Energies at the end; stage_J + gravity_J + initial kinetic = kinetic_J + spring_J + friction_J +
 * damping_J. */
typedef struct sim_sled_energy {
  double stage_J;   /* work of the stage on the link */
  double gravity_J; /* work of gravity on the sled */
  double kinetic_J, spring_J;
  double friction_J, damping_J; /* dissipated */
  double residual_J;            /* what the ledger misses; goes to 0 with step_s^4 */
} sim_sled_energy;

typedef struct sim_sled_result {
  size_t n;
  sim_sled_sample *samples; /* n, every 1/rate_Hz from t = 0 */
  cb_trace trace;     /* tension of the link (force_N) and stage position (position_m, 0 at the start) */
  double breakaway_s; /* first change from stick to slip; NAN: never */
  double breakaway_stage_m; /* displacement of the stage then, positive along its motion; NAN: never */
  size_t n_slips;           /* changes from stick to slip */
  bool at_rest;             /* at the end */
  sim_sled_energy energy;
} sim_sled_result;

/* NaN or infinity stops the run with an error that names time and step. Caller frees with
 * sim_sled_result_clear. */
CB_CHECKED cb_status sim_sled_run(const sim_sled *sled, sim_sled_result *out, cb_err *err);
void sim_sled_result_clear(sim_sled_result *r);

#endif
