#include "daq_stage.h"

#include <stdio.h>
#include <stdlib.h>

#include "daq_serial_number.h"

const daq_stage_driver *const daq_stage_drivers[] = {
    [CB_STAGE_ZABER_ASCII] = &daq_zaber_driver, [CB_STAGE_GRBL] = &daq_grbl_driver,
    [CB_STAGE_MARK10_ESM] = &daq_esm_driver,    [CB_STAGE_SMC100] = &daq_lines_driver,
    [CB_STAGE_LINES] = &daq_lines_driver,       [CB_STAGE_PROCESS] = &daq_process_stage_driver,
    [CB_STAGE_APT] = &daq_apt_driver,
};
#define N_DRIVERS (sizeof daq_stage_drivers / sizeof daq_stage_drivers[0])

cb_status daq_stage_open(daq_stage *s, const cb_rig *rig, const char *port, cb_err *err) {
  int d = rig->stage.driver;
  *s = (daq_stage){0};
  if ((size_t)d >= N_DRIVERS || !daq_stage_drivers[d])
    return cb_fail(err, CB_E_ARG, "%s: stage.driver '%s' is not built into this program", rig->path,
                   cb_stage_driver_names[d]);
  CB_TRY(daq_stage_drivers[d]->open(s, &rig->stage, port, err));
  /* A virtual device lives in rig time, and so does what it can bear. */
  if (rig->virt.present) s->ask_period_s /= rig->virt.time_scale;
  return CB_OK;
}

void daq_stage_close(daq_stage *s) {
  daq_transport_close(s->port);
  free(s->own);
  *s = (daq_stage){0};
}

cb_status daq_stage_check_serial(daq_stage *s, const char *told, cb_err *err) {
  char who[300];
  (void)snprintf(who, sizeof who, "stage on %s", daq_transport_path(s->port));
  return daq_serial_number_check(who, s->rig->serial, told, &s->wrong_serial, err);
}

void daq_stage_note_unreadable(daq_stage *s, const char *bytes, size_t n) {
  size_t ends = 0;
  while (ends < n && (bytes[ends] == '\r' || bytes[ends] == '\n')) ends++;
  if (ends == n) return;
  s->n_unreadable++;
  if (!s->unreadable[0]) daq_quote(bytes, n, s->unreadable);
}
