/* One linear axis: every command becomes a plan of at most four legs of constant acceleration (the trapezoidal velocity profile),
 * and position and speed at any time are read off the plan in closed form. Nothing is integrated, so nothing drifts.
 *
 * The axis is stiff: loads do not move it. It never leaves its track: where the set acceleration would carry it over an end, it
 * brakes as hard as it must. Times are rig seconds and must not decrease from call to call. */
#ifndef VRIG_STAGE_H
#define VRIG_STAGE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct vrig_stage_leg {
  double t_s, x_m, v_m_per_s; /* where it begins */
  double a_m_per_s2;
} vrig_stage_leg;

typedef struct vrig_stage {
  double min_m, max_m; /* ends of the track */
  size_t n;
  vrig_stage_leg leg[4];
  double end_s, end_m; /* at rest from here on */
} vrig_stage;

/* At rest at at_m, min_m <= at_m <= max_m. */
void vrig_stage_init(vrig_stage *s, double min_m, double max_m, double at_m);

/* Goes to target_m (within the track) and rests there, starting from whatever the axis is doing. speed, acceleration > 0. */
void vrig_stage_move(vrig_stage *s, double now_s, double target_m, double speed_m_per_s, double acceleration_m_per_s2);

/* Brakes to rest. */
void vrig_stage_stop(vrig_stage *s, double now_s, double acceleration_m_per_s2);

/* Rests at once where it is: what an emergency stop does. */
void vrig_stage_halt(vrig_stage *s, double now_s);

void vrig_stage_at(const vrig_stage *s, double t_s, double *x_m, double *v_m_per_s);
bool vrig_stage_moving(const vrig_stage *s, double t_s);

#endif
