/* What to measure next, for any state of a pair's runs. docs/guide/plan.md gives the reasons.
 *
 * The first rounds follow Chen, Feng, Wang (SIGGRAPH 2013): three directions three times under one load; then
 * a sweep over the loads, in one direction if the directions agree, else in all three. Later rounds hold the
 * cells (angle, load) that reduce the law's uncertainty most per minute at the bench. A law is a linear
 * combination of independent sources of uncertainty (cb_friction_law_effects), so that the effect of a run is
 * known before it is made. The plan is for the kinetic force; the same pulls give the static one. */
#ifndef FIT_PLAN_H
#define FIT_PLAN_H

#include "fit_friction.h"

#define FIT_PLAN_MAX 64 /* angles, loads, and cells of one round */

typedef enum fit_plan_stage {
  FIT_PLAN_DIRECTIONS, /* compare the directions under one load */
  FIT_PLAN_SWEEP,      /* sweep the loads */
  FIT_PLAN_REFINE,     /* the runs that reduce the uncertainty most */
  FIT_PLAN_ENOUGH,     /* the target is reached; no cells from here on */
  /* No run helps: calibration and load, which runs cannot reduce, exceed the target or alone are left. */
  FIT_PLAN_FLOOR,
  FIT_PLAN_NO_LAW /* there are enough runs, but no law fits them */
} fit_plan_stage;
extern const char *const fit_plan_stage_names[]; /* "directions", "sweep", "refine", "enough", "floor", "no
                                                    law", NULL */
extern const char *const fit_plan_stage_text[];  /* by fit_plan_stage */

typedef struct fit_plan_options {
  size_t n_angles, n_loads;                               /* available at the bench, in any order */
  double angles_deg[FIT_PLAN_MAX], loads_N[FIT_PLAN_MAX]; /* normal forces */
  double from_N, to_N;     /* loads for which the law is needed, 0 < from_N <= to_N */
  double target_rel;       /* target for the root mean square of the relative standard uncertainty; 0: none */
  size_t max_pulls;        /* of one round of FIT_PLAN_REFINE */
  size_t pulls_per_repeat; /* 1, or 2: forward and backward */
  /* Time for one pull with its zero and the way back; for turning the sample; for changing weights. */
  double pull_s, turn_s, weights_s;
  double u_angle_rad; /* standard uncertainty of the sample's orientation */
} fit_plan_options;

typedef struct fit_plan_cell {
  double angle_deg, normal_force_N;
  double u_rel; /* expected after this cell and those before; NAN in FIT_PLAN_DIRECTIONS */
} fit_plan_cell;

typedef struct fit_plan {
  fit_plan_stage stage;
  size_t n_cells;
  /* By angle, then load; with FIT_PLAN_REFINE the most helpful first. */
  fit_plan_cell cells[FIT_PLAN_MAX];
  size_t repeats; /* of every cell, in one mounting of the sample */
  /* Now: root mean square over angles 0 to 180 deg and the loads from_N to_N (even in ln N); NAN: no law. */
  double u_rel;
  double u_rel_floor;    /* the part of u_rel that no run reduces; NAN: no law */
  double u_rel_expected; /* after these runs; NAN: not predictable */
  double seconds;        /* time at the bench for these runs */
} fit_plan;

/* Plans the next round from a pair's n runs and the result of fit_friction for them. The same input gives the
 * same bits.
 * CB_E_RANGE, CB_E_NUM: an option is out of range or not finite. CB_E_NOMEM. */
CB_CHECKED cb_status fit_plan_next(const cb_friction_obs *obs, size_t n, const fit_friction_result *known,
                                   const fit_plan_options *opt, fit_plan *out, cb_err *err);

#endif
