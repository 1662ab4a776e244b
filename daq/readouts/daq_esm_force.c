/* The force of a Mark-10 gauge on an ESM stand: it comes with the stand's readings, over the stage's port. */
#include <stdio.h>
#include <strings.h>

#include "daq_esm_stand.h"
#include "daq_force.h"

static cb_status check_unit(const daq_force *f, cb_err *err) {
  const daq_esm_stand *e = f->own;
  const char *wanted = f->rig->force.unit;
  if (strcasecmp(e->unit, wanted) == 0) return CB_OK;
  if (!e->unit[0])
    return cb_fail(
        err, CB_E_DEVICE,
        "force read-out on %s: sends force without a unit; set the gauge to send values with units",
        daq_transport_path(e->port));
  return cb_fail(err, CB_E_DEVICE, "force read-out on %s: sends %s, the rig file's force.unit is %s",
                 daq_transport_path(e->port), e->unit, wanted);
}

static cb_status esm_force_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  if (!stage || stage->driver != &daq_esm_driver)
    return cb_fail(err, CB_E_ARG,
                   "force read-out on %s: 'mark10-esm' is read through a stage of the same driver", port);
  daq_esm_stand *e = f->own = daq_esm_stand_of(stage);
  f->taken = f->asked = true;
  CB_TRY(daq_force_check_serial(f, "", err));
  e->force_period_s = 1 / f->rig->force.rate_Hz;
  if (f->rig->virt.present) e->force_period_s /= f->rig->virt.time_scale;
  (void)snprintf(f->identity, sizeof f->identity, "gauge on the %s", stage->identity);
  CB_TRY(daq_esm_exchange(e, 'n', err));
  return check_unit(f, err);
}

/* The port is the stage's. */
static void esm_force_close(daq_force *f) {
  daq_esm_stand *e = f->own;
  if (e) e->force_period_s = 0;
}

static int esm_force_fd(const daq_force *f) {
  return daq_transport_fd(((const daq_esm_stand *)f->own)->port);
}

static cb_status esm_force_read(daq_force *f, daq_reading *out, bool *found, cb_err *err) {
  daq_esm_stand *e = f->own;
  CB_TRY(daq_esm_pump(e, err));
  f->n_unreadable = e->n_unreadable;
  *found = e->n_force > 0;
  if (!*found) return CB_OK;
  CB_TRY(check_unit(f, err));
  double force = e->force[e->first].value;
  *out = (daq_reading){.channel = CB_CHANNEL_FORCE,
                       .raw = force,
                       .value = force,
                       .asked_s = e->force[e->first].asked_s,
                       .answered_s = e->force[e->first].answered_s};
  e->first = (e->first + 1) % DAQ_ESM_READINGS;
  e->n_force--;
  return CB_OK;
}

static cb_status esm_force_discard(daq_force *f, cb_err *err) {
  daq_esm_stand *e = f->own;
  CB_TRY(daq_esm_pump(e, err));
  e->n_force = 0;
  return CB_OK;
}

const daq_force_driver daq_esm_force_driver = {
    .name = "mark10-esm",
    .open = esm_force_open,
    .close = esm_force_close,
    .fd = esm_force_fd,
    .read = esm_force_read,
    .discard = esm_force_discard,
};
