#include "daq_force.h"

const daq_force_driver *const daq_force_drivers[] = {
    [CB_FORCE_LINE] = &daq_line_driver,
    [CB_FORCE_FUTEK_D500] = &daq_d500_driver,
    [CB_FORCE_MARK10_ESM] = &daq_esm_force_driver,
};
#define N_DRIVERS (sizeof daq_force_drivers / sizeof daq_force_drivers[0])

cb_status daq_force_open(daq_force *f, const cb_rig *rig, const char *port, daq_stage *stage, cb_err *err) {
  int d = rig->force.driver;
  *f = (daq_force){.rig = rig};
  if ((size_t)d >= N_DRIVERS || !daq_force_drivers[d])
    return cb_fail(err, CB_E_ARG, "%s: force.driver '%s' is not built into this program", rig->path, cb_force_driver_names[d]);
  f->driver = daq_force_drivers[d];
  return f->driver->open(f, port, stage, err);
}

void daq_force_close(daq_force *f) {
  if (f->driver) f->driver->close(f);
  *f = (daq_force){0};
}
