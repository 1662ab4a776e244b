/* Which calibration a run uses: the newest one that `calibrate` measured for the rig's cell and unit, else what the rig file declares.
 * One that is missing, over, not valid yet or of another cell is refused - or, if asked for, used and marked. */
#ifndef DAQ_CALIBRATION_H
#define DAQ_CALIBRATION_H

#include <stdbool.h>

#include "cb_rig.h"
#include "cb_store.h"

typedef struct daq_calibration {
  cb_calibration row; /* id 0: declared, and not in the store yet */
  const char *flag;   /* marks the runs: "uncalibrated", "calibration-expired"; NULL: nothing to be said */
} daq_calibration;

/* today: "2026-11-21". anyway: goes on with what there is, if it has a slope at all: without one nothing could be stopped at a force.
 * CB_E_NOTFOUND, CB_E_RANGE: one sentence says what is wrong with the calibration and what to do. */
CB_CHECKED cb_status daq_calibration_choose(cb_store *s, const cb_rig *rig, const char *today, bool anyway, daq_calibration *out,
                                            cb_err *err);
/* The rig as it stands with that calibration: what guard and engine read. */
void daq_calibration_apply(const daq_calibration *c, cb_rig *rig);

#endif
