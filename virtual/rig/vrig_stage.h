/* One linear axis. Every command becomes a plan of at most four legs of constant acceleration (the
 * trapezoidal velocity profile). Position and speed at any time follow from the plan in closed form. Nothing
 * is integrated, so that nothing drifts.
 *
 * The axis is stiff: loads do not move it. It never leaves its track. Where the set acceleration would carry
 * it over an end, it brakes as hard as needed. Times are rig seconds and must not decrease from call to
 * call. */
#ifndef VRIG_STAGE_H
#define VRIG_STAGE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct vrig_stage_leg {
  double t_s, x_m, v_m_per_s; /* time, position and speed at its beginning */
  double a_m_per_s2;
} vrig_stage_leg;

typedef struct vrig_stage {
  double min_m, max_m; /* ends of the track */
  size_t n;
  vrig_stage_leg leg[4];
  double end_s, end_m; /* from this time on at rest at end_m */
  bool homes;          /* the present plan looks for the reference; whoever plans it says so */
  double ripple_m, ripple_wave_m, ripple_from_m; /* of this plan; 0: none */
} vrig_stage;

/* Sets the track and rests at at_m, min_m <= at_m <= max_m. */
void vrig_stage_init(vrig_stage *s, double min_m, double max_m, double at_m);

/* Plans a move from the present motion to rest at target_m, which is within the track. speed and acceleration
 * are > 0. */
void vrig_stage_move(vrig_stage *s, double now_s, double target_m, double speed_m_per_s,
                     double acceleration_m_per_s2);

/* Plans braking to rest. */
void vrig_stage_stop(vrig_stage *s, double now_s, double acceleration_m_per_s2);

/* Rests at once at the present position, as after an emergency stop. */
void vrig_stage_halt(vrig_stage *s, double now_s);

/* The speed of the present plan swings by share (relative, below 1) in a whole number of waves, each about
 * wave_m long: x + r sin(2 pi (x - x0) / w) with 2 pi r / w = share. Begin and end stay where they are. A
 * plan that is made while it goes on begins at the true place, and has no ripple. */
void vrig_stage_ripple(vrig_stage *s, double share, double wave_m);

/* The highest speed of the present plan. */
double vrig_stage_peak_m_per_s(const vrig_stage *s);

/* Position and speed at t_s, and whether the axis still moves. */
void vrig_stage_at(const vrig_stage *s, double t_s, double *x_m, double *v_m_per_s);
bool vrig_stage_moving(const vrig_stage *s, double t_s);

#endif
