/* The evaluation of a run, and what a friction fit reads of it. */
#ifndef CB_FRICTION_OBS_H
#define CB_FRICTION_OBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_run.h"

typedef struct cb_friction_point {
  int64_t id, run_id;
  double zero_N, u_zero_N;       /* force before the pull; 0, 0 for imported points */
  double static_N, u_static_N;   /* NAN: not measured */
  double kinetic_N, u_kinetic_N; /* u: standard uncertainty without the calibration, which all runs share */
  double kinetic_sd_N;           /* of the samples in the plateau */
  double n_eff;                  /* effective number of samples */
  double window_from_m, window_to_m; /* plateau, by displacement */
  double mu_reported;                /* imported: kinetic coefficient as printed; NAN: none */
  int mu_reported_decimals;          /* digits after the point of mu_reported */
  char method[160];                  /* name and parameters */
} cb_friction_point;

/* A point joined with its run and calibration. The store gives only the newest point of each finished
 * (`done`) pull. */
typedef struct cb_friction_obs {
  cb_run run;
  cb_friction_point point;
  double u_rel_calibration;     /* shared by all forces, in proportion to the force (cb_calibration.u_rel) */
  double u_floor_calibration_N; /* shared by all forces, in newtons (cb_calibration.u_floor_N) */
  double dof_calibration;       /* 0: infinite */
} cb_friction_obs;
/* Keeps the observations of the largest group of alike runs, in their order, at the front of obs. `same`
 * decides what is alike. Of groups of equal size the first one counts; at most 64 groups are distinguished.
 * Returns the number kept. */
size_t cb_friction_obs_keep_most(cb_friction_obs *obs, size_t n,
                                 bool (*same)(const cb_run *a, const cb_run *b));
/* Keeps the observations at the most frequent body angle, as a friction law holds for one. "Not known" is an
 * angle, too. A mixture of real and virtual runs is left unchanged; the fit refuses it. Returns the number
 * kept. */
size_t cb_friction_obs_one_body_angle(cb_friction_obs *obs, size_t n);

#endif
