/* `rig live`: what the rig says now, without a campaign. docs/guide/rig-live.md is the page. */
#ifndef DAQ_LOOK_H
#define DAQ_LOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_stop.h"
#include "daq_calibration.h"

/* What is known now. Times and rates are rig time. NAN: not known. */
typedef struct daq_look_view {
  double t_s;                      /* since it began */
  size_t n;                        /* readings of the last second; 0: none yet */
  double reading, mean, sd, digit; /* the last one, and of that second, in force.unit */
  double rate_Hz;
  double force_N, mean_N, sd_N, digit_N; /* the same, from the zero; NAN without a calibration */
  double min, max, min_N, max_N;         /* since the last p */
  double position_m;
} daq_look_view;

typedef struct daq_look_job {
  const cb_rig *rig;                  /* with the calibration in use */
  const daq_calibration *calibration; /* that one; NULL: there is none */
  const char *program;                /* as in daq_engine_job */
  const cb_stop *stop_flag;
  double show_every_s, seconds; /* wall; INFINITY: until it is stopped */
  /* Shows what is known. It must not wait. */
  cb_status (*show)(void *context, const daq_look_view *v, cb_err *err);
  void *context; /* of show */
} daq_look_job;

/* Opens the rig and looks on until the seconds are over. Nothing moves. The stage is stopped and the ports
 * are closed on return. CB_E_STOPPED: by the stop flag or `show`. Errors: those of daq_emulator_start and
 * daq_bench.h. */
CB_CHECKED cb_status daq_look_run(const daq_look_job *job, cb_err *err);

#endif
