/* What a run comes to, and what a fit reads of it. */
#ifndef CB_FRICTION_OBS_H
#define CB_FRICTION_OBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_run.h"

typedef struct cb_friction_point {
  int64_t id, run_id;
  double zero_N, u_zero_N;           /* force before the pull; 0, 0 for imported points */
  double static_N, u_static_N;       /* NAN: not measured */
  double kinetic_N, u_kinetic_N;     /* u: standard uncertainty without calibration, which all runs share */
  double kinetic_sd_N;               /* of the samples in the plateau */
  double n_eff;                      /* effective number of samples */
  double window_from_m, window_to_m; /* plateau, by displacement */
  double mu_reported;                /* imported: kinetic coefficient as printed; NAN: none */
  int mu_reported_decimals;          /* digits after the point of mu_reported */
  char method[160];                  /* name and parameters */
} cb_friction_point;

/* A point joined with its run: what a fit reads. Only the newest point of each finished (`done`) run of kind pull. */
typedef struct cb_friction_obs {
  cb_run run;
  cb_friction_point point;
  double u_rel_calibration;     /* shared by all forces, in proportion ... */
  double u_floor_calibration_N; /* ... and not; cb_calibration */
  double dof_calibration;       /* 0: infinite */
} cb_friction_obs;
/* Keeps the runs that are the same as most are (of equally many the first met), in their order. Returns how many. */
size_t cb_friction_obs_keep_most(cb_friction_obs *obs, size_t n, bool (*same)(const cb_run *a, const cb_run *b));
/* A friction law is for one direction of the body: that of most runs; "not known" is one, too. A mixture of real and virtual runs stays
 * as it is: the fit refuses it. */
size_t cb_friction_obs_one_body_angle(cb_friction_obs *obs, size_t n);

#endif
