#include "daq_comedi.h"
#include "cb_plural.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RATE_TOLERANCE 0.01 /* of the rig file's rate */

/* ---- what both kinds of board share ---- */

cb_run_channel daq_comedi_wanted(const daq_comedi *c, size_t i) {
  static const cb_channel channels[] = {[CB_COMEDI_FORCE] = CB_CHANNEL_FORCE,
                                        [CB_COMEDI_DISPLACEMENT] = CB_CHANNEL_DISPLACEMENT,
                                        [CB_COMEDI_EXCITATION] = CB_CHANNEL_EXCITATION,
                                        [CB_COMEDI_TEMPERATURE] = CB_CHANNEL_TEMPERATURE};
  const cb_comedi_channel *k = &c->rig->comedi.channel[i];
  return (cb_run_channel){.channel = channels[k->quantity], .scale = k->scale, .offset = k->offset};
}

cb_status daq_comedi_take_rate(daq_comedi *c, double granted_Hz, cb_err *err) {
  double wanted = c->rig->force.rate_Hz;
  if (fabs(granted_Hz - wanted) > RATE_TOLERANCE * wanted)
    return cb_fail(
        err, CB_E_RANGE,
        "board %s: force.rate_Hz = %g with %zu channel%s: the board grants %.6g; put that into the rig file",
        c->port, wanted, c->n, CB_S(c->n), granted_Hz);
  for (size_t i = 0; i < c->n; i++) c->channel[i].granted_rate_Hz = granted_Hz;
  return CB_OK;
}

cb_status daq_comedi_overrun(const daq_comedi *c, cb_err *err) {
  return cb_fail(err, CB_E_DEVICE,
                 "board %s: overrun: its buffer of %.3g s was full, samples are lost from here on", c->port,
                 c->buffer_s);
}

/* ---- samples ---- */

static size_t sample_size(const daq_comedi *c) { return c->wide ? sizeof(lsampl_t) : sizeof(sampl_t); }
static bool has_sample(const daq_comedi *c) { return c->n_rx - c->used_rx >= sample_size(c); }

/* What has arrived joins the rest of a sample, if there is one. */
static cb_status fill_buffer(daq_comedi *c, bool *came, cb_err *err) {
  c->n_rx -= c->used_rx;
  memmove(c->rx, c->rx + c->used_rx, c->n_rx);
  c->used_rx = 0;
  return c->source->fill(c, came, err);
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

/* A board is no terminal; the board of a virtual rig is behind one. */
static bool is_terminal(const char *port) {
  int fd = open(port, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  bool yes = fd >= 0 && isatty(fd);
  if (fd >= 0) (void)close(fd);
  return yes;
}

static cb_status open_board(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  (void)stage;
  daq_comedi *c = f->own = calloc(1, sizeof *c);
  if (!c) return cb_no_memory(err, "board %s", port);
  c->rig = f->rig;
  c->clock_fd = -1;
  c->source = is_terminal(port) ? &daq_comedi_virtual : &daq_comedi_library;
  (void)strncpy(c->port, port, sizeof c->port - 1);
  CB_TRY(daq_force_check_serial(f, "", err));
  cb_status st = c->source->open(c, f->identity, err);
  f->taken = c->source->taken(c);
  f->asked = !c->streams;
  return st;
}

static void close_board(daq_force *f) {
  daq_comedi *c = f->own;
  if (!c) return;
  c->source->close(c);
  free(c);
}

static int board_fd(const daq_force *f) {
  const daq_comedi *c = f->own;
  return c->source->fd(c);
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
