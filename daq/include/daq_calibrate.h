/* Dead weights on the load cell, guided: what hangs when, when a reading may be taken, and what it was.
 *
 * Preload (zero, full load, once), then every cycle zero, loads up, loads down, zero; then, if asked for, the creep: zero, full load,
 * the same load creep_s later, zero. A reading is one window of readings that stands still: its scatter is small against the deflection
 * under full load, and it differs from the window before by no more than chance or 0.05 % of that deflection. Durations are rig time. */
#ifndef DAQ_CALIBRATE_H
#define DAQ_CALIBRATE_H

#include <stddef.h>

#include "cb_rig.h"
#include "cb_store.h"
#include "cb_stop.h"
#include "daq_weights.h"

typedef struct daq_calibrate_job {
  const cb_rig *rig; /* its force.cell is named; a calibration it may have is not used */
  const daq_weights *weights;
  int cycles;
  double window_s, creep_s, stable_within_s; /* creep_s = 0: not observed */
  const char *program;                       /* as in daq_engine_job */
  const cb_stop *stop_flag;
  /* Asks the person to change the weights; not called where the virtual rig's operator does it. */
  cb_status (*prompt)(void *context, const char *text, cb_err *err);
  void (*progress)(void *context, size_t done, size_t total, const char *text); /* may be NULL */
  void *context;
} daq_calibrate_job;

/* *points: in order of time, with their raw readings; the caller frees them with daq_calibrate_free, also after a failure.
 * *digit: smallest difference between two readings, in force.unit; 0: all were the same.
 * CB_E_RANGE: full load above force.overload_N, or the read-out does not follow the weights; CB_E_TIMEOUT: it never came to rest. */
CB_CHECKED cb_status daq_calibrate(const daq_calibrate_job *job, cb_calibration_point **points, size_t *n, double *digit, cb_err *err);
void daq_calibrate_free(cb_calibration_point *points, size_t n);

#endif
