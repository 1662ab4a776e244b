/* The calibration that a run uses: the newest one that `calibrate` measured for the rig's cell and unit, else
 * the one that the rig file declares. A calibration that is missing, expired, not valid yet or of another
 * cell is refused. On request it is used, and the runs are flagged. docs/guide/calibration.md is the page. */
#ifndef DAQ_CALIBRATION_H
#define DAQ_CALIBRATION_H

#include <stdbool.h>

#include "cb_rig.h"
#include "cb_store.h"

typedef struct daq_calibration {
  cb_calibration row; /* id 0: declared, not in the store yet */
  const char *flag;   /* flag of the runs: "uncalibrated", "calibration-expired"; NULL: none; static */
} daq_calibration;

/* Chooses the calibration as of `today` ("2026-11-21"). s may be NULL: the declared one then counts. anyway
 * accepts an invalid one, if it has a slope; without a slope the guard could not watch the force.
 * CB_E_NOTFOUND: none, or one of another cell. CB_E_RANGE: not valid today. The sentence says what to do. */
CB_CHECKED cb_status daq_calibration_choose(cb_store *s, const cb_rig *rig, const char *today, bool anyway,
                                            daq_calibration *out, cb_err *err);
/* Puts the calibration into the rig, from which guard and engine read it. */
void daq_calibration_apply(const daq_calibration *c, cb_rig *rig);

#endif
