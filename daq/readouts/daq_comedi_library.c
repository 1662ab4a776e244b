/* A board behind libcomedi: it streams by a command, or is read scan by scan. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "cb_time.h"
#include "daq_comedi.h"

/* ---- scans read one by one, for boards without a command ---- */

static cb_status read_scan(daq_comedi *c, lsampl_t scan[CB_COMEDI_CHANNELS_MAX], cb_err *err) {
  for (size_t i = 0; i < c->n; i++) {
    unsigned k = c->list[i];
    if (comedi_data_read(c->dev, c->subdevice, CR_CHAN(k), CR_RANGE(k), CR_AREF(k), &scan[i]) < 0)
      return daq_comedi_fail(c, "a single read failed", err);
  }
  return CB_OK;
}

/* The best of a few: a computer that was busy for a moment says nothing about the board. */
static cb_status time_scan(daq_comedi *c, double *seconds, cb_err *err) {
  lsampl_t scan[CB_COMEDI_CHANNELS_MAX];
  *seconds = INFINITY;
  for (int i = 0; i < 5; i++) {
    double began_s = cb_now_monotonic_s();
    CB_TRY(read_scan(c, scan, err));
    *seconds = fmin(*seconds, cb_now_monotonic_s() - began_s);
  }
  return CB_OK;
}

static cb_status start_single_reads(daq_comedi *c, cb_err *err) {
  double scan_s, period_s = 1 / c->rig->force.rate_Hz;
  CB_TRY(time_scan(c, &scan_s, err));
  if (scan_s > 0.5 * period_s)
    return cb_fail(err, CB_E_RANGE,
                   "board %s: it does not stream, and one scan takes %.3g ms: force.rate_Hz = %g is too fast "
                   "for single reads",
                   c->port, scan_s * 1e3, c->rig->force.rate_Hz);
  for (size_t i = 0; i < c->n; i++) c->channel[i].skew_s = scan_s * (double)i / (double)c->n;
  struct timespec period = {(time_t)period_s, (long)((period_s - floor(period_s)) * 1e9)};
  const struct itimerspec beat = {.it_interval = period, .it_value = period};
  c->wide = true;
  c->clock_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (c->clock_fd < 0 || timerfd_settime(c->clock_fd, 0, &beat, NULL) != 0)
    return cb_fail(err, CB_E_IO, "board %s: no timer: %s", c->port, strerror(errno));
  return CB_OK;
}

/* A beat that was missed is a scan that was not made, and one that was heard late is a scan made late: the
 * stamps say so. */
static cb_status fill_by_scan(daq_comedi *c, bool *came, cb_err *err) {
  uint64_t beats;
  lsampl_t scan[CB_COMEDI_CHANNELS_MAX];
  *came = read(c->clock_fd, &beats, sizeof beats) == (ssize_t)sizeof beats;
  if (!*came) return CB_OK;
  c->asked_s = cb_now_monotonic_s();
  CB_TRY(read_scan(c, scan, err));
  c->answered_s = cb_now_monotonic_s();
  memcpy(c->rx + c->n_rx, scan, c->n * sizeof *scan);
  c->n_rx += c->n * sizeof *scan;
  return CB_OK;
}

/* ---- the stream of a command ---- */

static cb_status stream_ended(const daq_comedi *c, ssize_t got, cb_err *err) {
  if (got == 0)
    return cb_fail(err, CB_E_DEVICE, "board %s: the board ended the acquisition by itself", c->port);
  if (errno == EPIPE) return daq_comedi_overrun(c, err);
  if (errno == EINVAL) return cb_fail(err, CB_E_DEVICE, "board %s: the acquisition was cancelled", c->port);
  return cb_fail(err, CB_E_DEVICE, "board %s: the acquisition failed: %s", c->port, strerror(errno));
}

static cb_status fill_by_read(daq_comedi *c, bool *came, cb_err *err) {
  ssize_t got = read(comedi_fileno(c->dev), c->rx + c->n_rx, sizeof c->rx - c->n_rx);
  *came = got > 0;
  if (got > 0) c->n_rx += (size_t)got;
  if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR))) return CB_OK;
  return stream_ended(c, got, err);
}

/* ---- source ---- */

static cb_status open_library(daq_comedi *c, char identity[128], cb_err *err) {
  bool possible = false;
  CB_TRY(daq_comedi_board_open(c, identity, err));
  if (!c->rig->comedi.polled) CB_TRY(daq_comedi_command_start(c, &possible, err));
  return possible ? CB_OK : start_single_reads(c, err);
}

static cb_status fill(daq_comedi *c, bool *came, cb_err *err) {
  return c->streams ? fill_by_read(c, came, err) : fill_by_scan(c, came, err);
}

static int source_fd(const daq_comedi *c) { return c->streams ? comedi_fileno(c->dev) : c->clock_fd; }

static bool taken(const daq_comedi *c) { return c->dev != NULL; }

static void close_library(daq_comedi *c) {
  if (c->streams) (void)comedi_cancel(c->dev, c->subdevice);
  if (c->dev) (void)comedi_close(c->dev); /* gives the lock back too */
  if (c->clock_fd >= 0) (void)close(c->clock_fd);
}

const daq_comedi_source daq_comedi_library = {
    .open = open_library, .fill = fill, .fd = source_fd, .taken = taken, .close = close_library};
