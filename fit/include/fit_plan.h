/* What to measure next, for any state of a pair's runs. docs/plan.md says why.
 *
 * First the procedure of Chen, Feng, Wang (SIGGRAPH 2013): three directions three times under one load; then a sweep over the loads, in one
 * direction if the directions agree, else in all three. From then on the cells (angle, load) that reduce the law's uncertainty most
 * per minute at the bench: a law is a linear combination of independent sources of uncertainty (cb_friction_law_effects), and what a
 * run tells about them follows before it is made. Of the kinetic force; the static one comes with the same pulls. */
#ifndef FIT_PLAN_H
#define FIT_PLAN_H

#include "fit_friction.h"

#define FIT_PLAN_MAX 64 /* angles, loads, and cells of one round */

typedef enum fit_plan_stage {
  FIT_PLAN_DIRECTIONS, /* compare the directions under one load */
  FIT_PLAN_SWEEP,      /* go over the loads */
  FIT_PLAN_REFINE,     /* the runs that help most */
  FIT_PLAN_ENOUGH,     /* the law is as certain as was wanted; no cells from here on */
  FIT_PLAN_FLOOR,      /* no run helps: calibration and load, which none reduces, exceed what was wanted or are all that is left */
  FIT_PLAN_NO_LAW      /* there are runs enough, but they carry no law */
} fit_plan_stage;
extern const char *const fit_plan_stage_names[]; /* "directions", "sweep", "refine", "enough", "floor", "no law", NULL */
extern const char *const fit_plan_stage_text[];

typedef struct fit_plan_options {
  size_t n_angles, n_loads;                               /* what the bench can do, in any order */
  double angles_deg[FIT_PLAN_MAX], loads_N[FIT_PLAN_MAX]; /* normal forces */
  double from_N, to_N;                                    /* loads that the law is wanted for, 0 < from_N <= to_N */
  double target_rel;                                      /* wanted root mean square of the relative standard uncertainty; 0: none */
  size_t max_pulls;                                       /* of one round of FIT_PLAN_REFINE */
  size_t pulls_per_repeat;                                /* 1, or 2: forward and backward */
  double pull_s, turn_s, weights_s;                       /* one pull with its zero and the way back; turning the sample; other weights */
  double u_angle_rad;                                     /* of the sample's orientation */
} fit_plan_options;

typedef struct fit_plan_cell {
  double angle_deg, normal_force_N;
  double u_rel; /* expected after this cell and those before it; NAN in FIT_PLAN_DIRECTIONS */
} fit_plan_cell;

typedef struct fit_plan {
  fit_plan_stage stage;
  size_t n_cells;
  fit_plan_cell cells[FIT_PLAN_MAX]; /* by angle and load as a person would go; FIT_PLAN_REFINE: the most helpful first */
  size_t repeats;                    /* of every cell, in one laying of the sample */
  double u_rel;                      /* now: root mean square over angles 0..180 deg and the wanted loads (even in ln N); NAN: no law */
  double u_rel_floor;                /* the part that no run reduces; NAN: no law */
  double u_rel_expected;             /* after these runs; NAN: cannot be told */
  double seconds;                    /* at the bench, for these runs */
} fit_plan;

/* obs: the pair's runs; known: what fit_friction made of them. Errors: options that make no sense. Same input, same bits. */
CB_CHECKED cb_status fit_plan_next(const cb_friction_obs *obs, size_t n, const fit_friction_result *known, const fit_plan_options *opt,
                                   fit_plan *out, cb_err *err);

#endif
