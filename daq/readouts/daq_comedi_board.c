#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daq_comedi.h"

cb_status daq_comedi_fail(const daq_comedi *c, const char *what, cb_err *err) {
  int code = comedi_errno();
  /* A lock is EACCES for everyone else, a running command EBUSY. */
  if (c->dev && (code == EBUSY || code == EACCES))
    return cb_fail(err, CB_E_DEVICE, "board %s: the board is in use by another program", c->port);
  return cb_fail(err, CB_E_DEVICE, "board %s: %s: %s", c->port, what, comedi_strerror(code));
}

/* ---- the board ---- */

static cb_status cannot_open(const daq_comedi *c, cb_err *err) {
  int code = comedi_errno();
  if (code == ENOENT || code == ENXIO || code == ENODEV)
    return cb_fail(err, CB_E_DEVICE, "board %s: there is no such Comedi board; is its driver loaded?",
                   c->port);
  if (code == EACCES)
    return cb_fail(err, CB_E_DEVICE,
                   "board %s: no permission to use it; the group that owns it (often iocard) was wanted",
                   c->port);
  return cb_fail(err, CB_E_DEVICE, "board %s: is not a Comedi board: %s", c->port, comedi_strerror(code));
}

static cb_status find_subdevice(daq_comedi *c, cb_err *err) {
  int wanted = c->rig->comedi.subdevice, found = wanted;
  if (wanted < 0) found = comedi_find_subdevice_by_type(c->dev, COMEDI_SUBD_AI, 0);
  if (found < 0) return cb_fail(err, CB_E_DEVICE, "board %s: it has no analog input", c->port);
  if (found >= comedi_get_n_subdevices(c->dev) ||
      comedi_get_subdevice_type(c->dev, (unsigned)found) != COMEDI_SUBD_AI)
    return cb_fail(err, CB_E_RANGE, "board %s: comedi.subdevice = %d: is not an analog input", c->port,
                   wanted);
  c->subdevice = (unsigned)found;
  c->flags = comedi_get_subdevice_flags(c->dev, c->subdevice);
  if (c->flags < 0) return daq_comedi_fail(c, "its subdevice tells no flags", err);
  return CB_OK;
}

/* ---- channels ---- */

static cb_status check_channel(const daq_comedi *c, const cb_comedi_channel *k, cb_err *err) {
  unsigned channel = (unsigned)k->channel;
  int n = comedi_get_n_channels(c->dev, c->subdevice);
  if (k->channel >= n)
    return cb_fail(err, CB_E_RANGE, "board %s: comedi channel %d: the subdevice has channels 0 to %d",
                   c->port, k->channel, n - 1);
  int ranges = comedi_get_n_ranges(c->dev, c->subdevice, channel);
  if (k->range >= ranges)
    return cb_fail(err, CB_E_RANGE, "board %s: range %d of channel %d: it has ranges 0 to %d", c->port,
                   k->range, k->channel, ranges - 1);
  const comedi_range *range = comedi_get_range(c->dev, c->subdevice, channel, (unsigned)k->range);
  if (!range || range->unit != UNIT_volt)
    return cb_fail(err, CB_E_RANGE, "board %s: range %d of channel %d is not in volts", c->port, k->range,
                   k->channel);
  /* With SDF_FLAGS every channel has flags of its own, which the library does not report. */
  if (!(c->flags & (SDF_FLAGS | (SDF_GROUND << k->aref))))
    return cb_fail(err, CB_E_RANGE, "board %s: aref of channel %d: the subdevice has only%s%s%s%s", c->port,
                   k->channel, c->flags & SDF_GROUND ? " ground" : "", c->flags & SDF_COMMON ? " common" : "",
                   c->flags & SDF_DIFF ? " diff" : "", c->flags & SDF_OTHER ? " other" : "");
  if (comedi_get_maxdata(c->dev, c->subdevice, channel) == 0)
    return daq_comedi_fail(c, "a channel tells no resolution", err);
  return CB_OK;
}

/* Counts to volts. A board that is calibrated in software has a file, made by comedi_soft_calibrate. */
static cb_status find_polynomial(const daq_comedi *c, const cb_comedi_channel *k,
                                 const comedi_calibration_t *soft, const char *path, cb_run_channel *out,
                                 cb_err *err) {
  comedi_polynomial_t p = {.order = 0};
  unsigned channel = (unsigned)k->channel, range = (unsigned)k->range;
  int failed =
      soft ? comedi_get_softcal_converter(c->subdevice, channel, range, COMEDI_TO_PHYSICAL, soft, &p)
           : comedi_get_hardcal_converter(c->dev, c->subdevice, channel, range, COMEDI_TO_PHYSICAL, &p);
  if (failed && soft)
    return cb_fail(err, CB_E_DEVICE, "board %s: %s holds no calibration for range %d of channel %d", c->port,
                   path, k->range, k->channel);
  if (failed || p.order >= COMEDI_MAX_NUM_POLYNOMIAL_COEFFICIENTS)
    return daq_comedi_fail(c, "its calibration cannot be used", err);
  out->origin = p.expansion_origin;
  for (unsigned i = 0; i <= p.order; i++) out->c[i] = p.coefficients[i];
  if (soft)
    (void)snprintf(out->conversion, sizeof out->conversion, "soft calibration %s", path);
  else
    (void)snprintf(out->conversion, sizeof out->conversion, "%s",
                   c->flags & SDF_SOFT_CALIBRATED ? "nominal range: the board has no soft calibration file"
                                                  : "hard calibration");
  return CB_OK;
}

static cb_status set_up_channel(daq_comedi *c, size_t i, const comedi_calibration_t *soft, const char *path,
                                cb_err *err) {
  static const unsigned arefs[] = {[CB_AREF_GROUND] = AREF_GROUND,
                                   [CB_AREF_COMMON] = AREF_COMMON,
                                   [CB_AREF_DIFF] = AREF_DIFF,
                                   [CB_AREF_OTHER] = AREF_OTHER};
  const cb_comedi_channel *k = &c->rig->comedi.channel[i];
  cb_run_channel *out = &c->channel[i];
  *out = daq_comedi_wanted(c, i);
  CB_TRY(check_channel(c, k, err));
  CB_TRY(find_polynomial(c, k, soft, path, out, err));
  out->raw_max = comedi_get_maxdata(c->dev, c->subdevice, (unsigned)k->channel);
  c->list[i] = CR_PACK((unsigned)k->channel, (unsigned)k->range, arefs[k->aref]);
  (void)snprintf(out->device, sizeof out->device, "%.40s (%.20s) subdevice %u channel %d range %d",
                 comedi_get_board_name(c->dev), c->port, c->subdevice, k->channel, k->range);
  return CB_OK;
}

static cb_status set_up_channels(daq_comedi *c, cb_err *err) {
  const char *given = c->rig->comedi.calibration;
  bool wants_file = given[0] || c->flags & SDF_SOFT_CALIBRATED;
  char *path = NULL;
  if (wants_file) path = given[0] ? strdup(given) : comedi_get_default_calibration_path(c->dev);
  if (given[0] && !path) return cb_no_memory(err, "board %s", c->port);
  /* The library has words of its own for a file that is not there, but they go to standard error. */
  comedi_calibration_t *soft = path && access(path, R_OK) == 0 ? comedi_parse_calibration_file(path) : NULL;
  cb_status st = CB_OK;
  if (given[0] && !soft)
    CB_GOTO(cb_fail(err, CB_E_DEVICE,
                    "board %s: comedi.calibration = '%s': is no soft calibration that can be read", c->port,
                    given));
  for (size_t i = 0; i < c->rig->comedi.n; i++) CB_GOTO(set_up_channel(c, i, soft, path, err));
  c->n = c->rig->comedi.n;
done:
  if (soft) comedi_cleanup_calibration(soft);
  free(path);
  return st;
}

cb_status daq_comedi_board_open(daq_comedi *c, char identity[128], cb_err *err) {
  (void)comedi_loglevel(0);
  (void)comedi_set_global_oor_behavior(COMEDI_OOR_NUMBER);
  c->dev = comedi_open(c->port);
  if (!c->dev) return cannot_open(c, err);
  int fd = comedi_fileno(c->dev), version = comedi_get_version_code(c->dev);
  if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0)
    return cb_fail(err, CB_E_IO, "board %s: fcntl: %s", c->port, strerror(errno));
  (void)snprintf(identity, 128, "%.60s (driver %.30s, comedi %d.%d.%d)", comedi_get_board_name(c->dev),
                 comedi_get_driver_name(c->dev), version >> 16 & 255, version >> 8 & 255, version & 255);
  CB_TRY(find_subdevice(c, err));
  /* Until the board is closed: no second program, also between two single reads. */
  if (comedi_lock(c->dev, c->subdevice) != 0) return daq_comedi_fail(c, "it cannot be taken", err);
  return set_up_channels(c, err);
}
