#include "daq_calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_date.h"

static bool is_virtual(const cb_rig *rig) { return rig->virt.present; }

/* A measured calibration that this rig could use, whatever its cell. */
static bool fits_rig(const cb_calibration *c, const cb_rig *rig) {
  return c->kind == CB_CALIBRATION_MEASURED && (c->origin == CB_VIRTUAL) == is_virtual(rig) &&
         strcmp(c->unit, rig->force.unit) == 0;
}

/* *own: of the rig's cell; *other: of another cell, on a rig of the same name. The newest of each; id 0:
 * none. */
static cb_status find_measured(cb_store *s, const cb_rig *rig, cb_calibration *own, cb_calibration *other,
                               cb_err *err) {
  cb_calibration *list;
  size_t n;
  *own = *other = (cb_calibration){0};
  if (!s) return CB_OK;
  CB_TRY(cb_store_calibrations(s, &list, &n, err));
  for (size_t i = 0; i < n; i++) {
    if (!fits_rig(&list[i], rig)) continue;
    if (rig->force.cell[0] && strcmp(list[i].cell, rig->force.cell) == 0)
      *own = list[i];
    else if (strcmp(list[i].rig_name, rig->name) == 0)
      *other = list[i];
  }
  free(list);
  return CB_OK;
}

static cb_status declared_row(const cb_rig *rig, cb_calibration *c, cb_err *err) {
  const cb_rig_calibration *d = &rig->calibration;
  *c = (cb_calibration){.kind = CB_CALIBRATION_DECLARED,
                        .origin = is_virtual(rig) ? CB_VIRTUAL : CB_MEASURED,
                        .slope_N_per_unit = d->slope_N_per_unit,
                        .u_rel = d->u_rel,
                        .resolution_N = fabs(d->resolution * d->slope_N_per_unit)};
  (void)snprintf(c->cell, sizeof c->cell, "%s", rig->force.cell);
  (void)snprintf(c->unit, sizeof c->unit, "%s", rig->force.unit);
  (void)snprintf(c->certificate, sizeof c->certificate, "%s", d->certificate);
  (void)snprintf(c->valid_from, sizeof c->valid_from, "%s", d->valid_from);
  if (!d->valid_from[0]) return CB_OK;
  char until[CB_DATE_SIZE];
  CB_TRY(cb_date_add(d->valid_from, d->valid_days, "calibration.valid_from", until, err));
  if (d->valid_days > 0) (void)snprintf(c->valid_until, sizeof c->valid_until, "%s", until);
  return CB_OK;
}

static cb_status fail_missing(const cb_rig *rig, const cb_calibration *other, cb_err *err) {
  if (other->id)
    return cb_fail(
        err, CB_E_NOTFOUND,
        "calibration %lld is of cell %s, the rig file says %s: 'clothbench calibrate' calibrates this one",
        (long long)other->id, other->cell[0] ? other->cell : "(not said)",
        rig->force.cell[0] ? rig->force.cell : "(not said)");
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: there is no calibration of the force channel (cell %s, %s): 'clothbench calibrate' "
                 "makes one, a section 'calibration' "
                 "declares one",
                 rig->path, rig->force.cell[0] ? rig->force.cell : "not said", rig->force.unit);
}

static void name_it(const cb_calibration *c, char out[64]) {
  if (c->id)
    (void)snprintf(out, 64, "calibration %lld", (long long)c->id);
  else
    (void)snprintf(out, 64, "the calibration that the rig file declares");
}

/* Dates compare as texts; a time of day behind the first day does no harm. */
static cb_status check_validity(const cb_calibration *c, const char *today, cb_err *err) {
  char name[64];
  name_it(c, name);
  if (c->valid_from[0] && strncmp(today, c->valid_from, CB_DATE_SIZE - 1) < 0)
    return cb_fail(err, CB_E_RANGE, "%s is valid from %.10s on, today is %s", name, c->valid_from, today);
  if (c->valid_until[0] && strncmp(today, c->valid_until, CB_DATE_SIZE - 1) > 0)
    return cb_fail(err, CB_E_RANGE,
                   "%s was valid until %.10s, today is %s: 'clothbench calibrate' makes a new one", name,
                   c->valid_until, today);
  return CB_OK;
}

cb_status daq_calibration_choose(cb_store *s, const cb_rig *rig, const char *today, bool anyway,
                                 daq_calibration *out, cb_err *err) {
  cb_calibration own, other;
  *out = (daq_calibration){.flag = NULL};
  CB_TRY(find_measured(s, rig, &own, &other, err));
  if (own.id) {
    out->row = own;
  } else if (rig->calibration.present) {
    CB_TRY(declared_row(rig, &out->row, err));
  } else {
    if (!anyway || !other.id) return fail_missing(rig, &other, err);
    out->row = other;
    out->flag = "uncalibrated";
    return CB_OK;
  }
  cb_status st = check_validity(&out->row, today, err);
  if (st == CB_OK || !anyway) return st;
  out->flag = "calibration-expired";
  return CB_OK;
}

void daq_calibration_apply(const daq_calibration *c, cb_rig *rig) {
  rig->calibration = (cb_rig_calibration){.present = true,
                                          .slope_N_per_unit = c->row.slope_N_per_unit,
                                          .u_rel = c->row.u_rel,
                                          .resolution = fabs(c->row.resolution_N / c->row.slope_N_per_unit)};
  (void)snprintf(rig->calibration.certificate, sizeof rig->calibration.certificate, "%s", c->row.certificate);
  (void)snprintf(rig->calibration.valid_from, sizeof rig->calibration.valid_from, "%s", c->row.valid_from);
}
