/* Calibration with dead weights on the load cell, guided: which weights hang, when a reading is taken, and
 * its value.
 *
 * The order is: preload (zero, full load, once); in every cycle zero, loads up, loads down, zero; then, on
 * request, creep (zero, full load, the same load creep_s later, zero). A reading is the mean of one stable
 * window. A window is stable if its scatter is small against the deflection under full load, and it differs
 * from the window before by no more than chance or 0.05 % of that deflection. Durations are rig time.
 * docs/guide/calibration.md is the page. */
#ifndef DAQ_CALIBRATE_H
#define DAQ_CALIBRATE_H

#include <stddef.h>

#include "cb_rig.h"
#include "cb_store.h"
#include "cb_stop.h"
#include "daq_weights.h"

typedef struct daq_calibrate_job {
  const cb_rig *rig; /* force.cell must be given; its calibration is not used */
  const daq_weights *weights;
  int cycles;
  double window_s, creep_s, stable_within_s; /* creep_s = 0: creep is not observed */
  const char *program;                       /* as in daq_engine_job */
  const cb_stop *stop_flag;
  /* Asks the person to change the weights, and returns when that is done. Not called for a virtual rig. */
  cb_status (*prompt)(void *context, const char *text, cb_err *err);
  void (*progress)(void *context, size_t done, size_t total, const char *text); /* may be NULL */
  void *context;                                                                /* of prompt and progress */
} daq_calibrate_job;

/* Measures all points, in order of time, with their raw readings. The caller frees *points with
 * daq_calibrate_free, also after a failure. *digit receives the smallest difference between two readings
 * [force.unit]; 0 if all are equal.
 * CB_E_NOTFOUND: force.cell is not given. CB_E_RANGE: full load above force.overload_N, or the read-out does
 * not follow the weights. CB_E_TIMEOUT: a reading does not become stable. Also those of daq_bench.h and of
 * `prompt`. */
CB_CHECKED cb_status daq_calibrate(const daq_calibrate_job *job, cb_calibration_point **points, size_t *n,
                                   double *digit, cb_err *err);
void daq_calibrate_free(cb_calibration_point *points, size_t n);

#endif
