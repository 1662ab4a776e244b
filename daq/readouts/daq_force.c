#include "daq_force.h"

#include <stdio.h>

#include "daq_serial_number.h"

const daq_force_driver *const daq_force_drivers[] = {
    [CB_FORCE_LINE] = &daq_line_driver,
    [CB_FORCE_FUTEK_D500] = &daq_d500_driver,
    [CB_FORCE_MARK10_GCL] = &daq_gcl_driver,
    [CB_FORCE_MT_SICS] = &daq_sics_driver,
    [CB_FORCE_COMEDI] = &daq_comedi_driver,
    [CB_FORCE_MARK10_ESM] = &daq_esm_force_driver,
    [CB_FORCE_MODBUS_RTU] = &daq_modbus_driver,
    [CB_FORCE_SCPI] = &daq_scpi_driver,
    [CB_FORCE_PROCESS] = &daq_process_force_driver,
};
#define N_DRIVERS (sizeof daq_force_drivers / sizeof daq_force_drivers[0])

cb_status daq_force_open(daq_force *f, const cb_rig *rig, const char *port, daq_stage *stage,
                         const cb_stop *stop_flag, cb_err *err) {
  int d = rig->force.driver;
  *f = (daq_force){.rig = rig, .stop_flag = stop_flag};
  if ((size_t)d >= N_DRIVERS || !daq_force_drivers[d])
    return cb_fail(err, CB_E_ARG, "%s: force.driver '%s' is not built into this program", rig->path,
                   cb_force_driver_names[d]);
  f->driver = daq_force_drivers[d];
  return f->driver->open(f, port, stage, err);
}

void daq_force_close(daq_force *f) {
  if (f->driver) f->driver->close(f);
  *f = (daq_force){0};
}

cb_status daq_force_read_many(daq_force *f, daq_reading *out, size_t cap, size_t *n, cb_err *err) {
  bool found = true;
  *n = 0;
  if (f->driver->read_many) return f->driver->read_many(f, out, cap, n, err);
  while (found && *n < cap) {
    CB_TRY(f->driver->read(f, &out[*n], &found, err));
    *n += found;
  }
  return CB_OK;
}

cb_status daq_force_check_serial(daq_force *f, const char *told, cb_err *err) {
  char who[64];
  (void)snprintf(who, sizeof who, "force read-out (%s)", f->driver->name);
  return daq_serial_number_check(who, f->rig->force.serial, told, &f->wrong_serial, err);
}
