#include "daq_comedi.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "cb_time.h"

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
                   "board %s: it cannot stream, and one scan takes %.3g ms: force.rate_Hz = %g is too fast "
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
  if (errno == EPIPE)
    return cb_fail(err, CB_E_DEVICE,
                   "board %s: overrun: its buffer of %.3g s was full, samples are lost from here on", c->port,
                   c->buffer_s);
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

/* ---- samples ---- */

static size_t sample_size(const daq_comedi *c) { return c->wide ? sizeof(lsampl_t) : sizeof(sampl_t); }
static bool has_sample(const daq_comedi *c) { return c->n_rx - c->used_rx >= sample_size(c); }

/* What has arrived joins the rest of a sample, if there is one. */
static cb_status fill_buffer(daq_comedi *c, bool *came, cb_err *err) {
  c->n_rx -= c->used_rx;
  memmove(c->rx, c->rx + c->used_rx, c->n_rx);
  c->used_rx = 0;
  return c->streams ? fill_by_read(c, came, err) : fill_by_scan(c, came, err);
}

static lsampl_t next_sample(daq_comedi *c) {
  const unsigned char *at = c->rx + c->used_rx;
  sampl_t narrow;
  lsampl_t wide;
  c->used_rx += sample_size(c);
  if (c->wide) {
    memcpy(&wide, at, sizeof wide);
    return wide;
  }
  memcpy(&narrow, at, sizeof narrow);
  return narrow;
}

static void take_sample(daq_force *f, daq_reading *out) {
  daq_comedi *c = f->own;
  const cb_run_channel *k = &c->channel[c->at];
  c->at = c->at + 1 == c->n ? 0 : c->at + 1;
  double raw = next_sample(c);
  bool clipped = raw == 0 || raw >= k->raw_max;
  f->n_clipped += clipped;
  *out = (daq_reading){.channel = k->channel,
                       .raw = raw,
                       .value = cb_run_channel_value(k, raw),
                       .overload = clipped && k->channel == CB_CHANNEL_FORCE,
                       .asked_s = c->asked_s,
                       .answered_s = c->answered_s};
}

static cb_status read_many(daq_force *f, daq_reading *out, size_t cap, size_t *n, cb_err *err) {
  daq_comedi *c = f->own;
  bool came;
  *n = 0;
  /* First all that is here: a failure of the board comes after the last sample before it. */
  if (!has_sample(c)) CB_TRY(fill_buffer(c, &came, err));
  while (*n < cap && has_sample(c)) take_sample(f, &out[(*n)++]);
  return CB_OK;
}

static cb_status read_one(daq_force *f, daq_reading *out, bool *found, cb_err *err) {
  size_t n;
  CB_TRY(read_many(f, out, 1, &n, err));
  *found = n == 1;
  return CB_OK;
}

/* Thrown away sample by sample: the place in the scan has to stay known. */
static cb_status discard(daq_force *f, cb_err *err) {
  daq_comedi *c = f->own;
  bool came = true;
  while (came) {
    size_t n = (c->n_rx - c->used_rx) / sample_size(c);
    c->used_rx += n * sample_size(c);
    c->at = (c->at + n) % c->n;
    CB_TRY(fill_buffer(c, &came, err));
  }
  return CB_OK;
}

/* ---- driver ---- */

static cb_status open_board(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  (void)stage;
  bool streams;
  daq_comedi *c = f->own = calloc(1, sizeof *c);
  if (!c) return cb_no_memory(err, "board %s", port);
  c->rig = f->rig;
  c->clock_fd = -1;
  CB_TRY(daq_force_check_serial(f, "", err));
  cb_status st = daq_comedi_board_open(c, port, f->identity, sizeof f->identity, err);
  f->taken = c->dev != NULL;
  CB_TRY(st);
  CB_TRY(daq_comedi_command_start(c, &streams, err));
  f->asked = !streams;
  return streams ? CB_OK : start_single_reads(c, err);
}

static void close_board(daq_force *f) {
  daq_comedi *c = f->own;
  if (!c) return;
  if (c->streams) (void)comedi_cancel(c->dev, c->subdevice);
  if (c->dev) (void)comedi_close(c->dev); /* gives the lock back too */
  if (c->clock_fd >= 0) (void)close(c->clock_fd);
  free(c);
}

static int board_fd(const daq_force *f) {
  const daq_comedi *c = f->own;
  return c->streams ? comedi_fileno(c->dev) : c->clock_fd;
}

static size_t board_channels(const daq_force *f, cb_run_channel out[CB_N_CHANNELS]) {
  const daq_comedi *c = f->own;
  memcpy(out, c->channel, c->n * sizeof *out);
  return c->n;
}

const daq_force_driver daq_comedi_driver = {.name = "comedi",
                                            .open = open_board,
                                            .close = close_board,
                                            .fd = board_fd,
                                            .read = read_one,
                                            .discard = discard,
                                            .read_many = read_many,
                                            .channels = board_channels};
