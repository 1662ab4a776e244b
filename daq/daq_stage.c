#include "daq_stage.h"

const daq_stage_driver *const daq_stage_drivers[] = {[CB_STAGE_ZABER_ASCII] = &daq_zaber_driver};
#define N_DRIVERS (sizeof daq_stage_drivers / sizeof daq_stage_drivers[0])

cb_status daq_stage_open(daq_stage *s, const cb_rig *rig, const char *port, cb_err *err) {
  int d = rig->stage.driver;
  *s = (daq_stage){0};
  if ((size_t)d >= N_DRIVERS || !daq_stage_drivers[d])
    return cb_fail(err, CB_E_ARG, "%s: stage.driver '%s' is not built into this program", rig->path, cb_stage_driver_names[d]);
  return daq_stage_drivers[d]->open(s, &rig->stage, port, err);
}

void daq_stage_close(daq_stage *s) {
  if (s->driver) s->driver->close(s);
  *s = (daq_stage){0};
}
