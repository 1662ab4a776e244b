/* Read-outs that stream text over a serial port: one transport, a parser per protocol. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daq_d500.h"
#include "daq_force.h"
#include "daq_line.h"
#include "daq_transport.h"

typedef daq_parse parser(const cb_rig_force *rig, const char *bytes, size_t n, daq_reading *out, size_t *used);

typedef struct serial {
  parser *parse;
  daq_transport *port;
  char rx[4096];
  size_t n_rx;
  bool synced; /* a line end was seen: what follows is a whole line */
} serial;

/* ---- the stream ---- */

static void drop(serial *s, size_t n) {
  s->n_rx -= n;
  memmove(s->rx, s->rx + n, s->n_rx);
}

/* Drops bytes up to the first line end: the first digits of the line in which listening began may be missing. */
static void synchronise(serial *s) {
  size_t i = 0;
  while (i < s->n_rx && s->rx[i] != '\r' && s->rx[i] != '\n') i++;
  s->synced = i < s->n_rx;
  drop(s, i);
}

static bool parse_next(daq_force *f, daq_reading *out) {
  serial *s = f->own;
  if (!s->synced) synchronise(s);
  while (s->synced) {
    size_t used;
    *out = (daq_reading){.channel = CB_CHANNEL_FORCE};
    daq_parse p = s->parse(&f->rig->force, s->rx, s->n_rx, out, &used);
    drop(s, used);
    if (p != DAQ_PARSE_INVALID) return p == DAQ_PARSE_VALID;
    f->n_unreadable++;
  }
  return false;
}

static cb_status serial_read(daq_force *f, daq_reading *out, bool *found, cb_err *err) {
  serial *s = f->own;
  *found = parse_next(f, out);
  if (*found) return CB_OK;
  size_t n;
  CB_TRY(daq_transport_read(s->port, s->rx + s->n_rx, sizeof s->rx - s->n_rx, 0, &n, err));
  s->n_rx += n;
  *found = n > 0 && parse_next(f, out);
  return CB_OK;
}

static cb_status serial_discard(daq_force *f, cb_err *err) {
  serial *s = f->own;
  (void)err;
  daq_transport_discard(s->port);
  s->n_rx = 0;
  s->synced = false;
  return CB_OK;
}

static int serial_fd(const daq_force *f) { return daq_transport_fd(((const serial *)f->own)->port); }

static cb_status serial_open(daq_force *f, const char *port, parser *parse, const char *start_text, cb_err *err) {
  serial *s = f->own = calloc(1, sizeof *s);
  if (!s) return cb_fail(err, CB_E_NOMEM, "force read-out on %s: no memory", port);
  s->parse = parse;
  CB_TRY(daq_transport_open(port, f->rig->force.baud, &s->port, err));
  return start_text ? daq_transport_write(s->port, start_text, strlen(start_text), 1, err) : CB_OK;
}

static void serial_close(daq_force *f) {
  serial *s = f->own;
  if (s) daq_transport_close(s->port);
  free(s);
}

#define SERIAL_DRIVER(name_, open_) \
  { .name = name_, .open = open_, .close = serial_close, .fd = serial_fd, .read = serial_read, .discard = serial_discard }

/* ---- lines as the rig file describes them ---- */

static daq_parse parse_line(const cb_rig_force *rig, const char *bytes, size_t n, daq_reading *out, size_t *used) {
  daq_parse p = daq_line_parse(bytes, n, rig->field, rig->separator, &out->value, used);
  if (p != DAQ_PARSE_VALID) return p;
  out->raw = out->value *= rig->scale;
  return isfinite(out->value) ? DAQ_PARSE_VALID : DAQ_PARSE_INVALID;
}

static cb_status line_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  (void)stage;
  return serial_open(f, port, parse_line, NULL, err);
}

const daq_force_driver daq_line_driver = SERIAL_DRIVER("line", line_open);

/* ---- FUTEK D500 ---- */

/* Whichever of its eight alarms is meant, it is one that somebody set up: the cell is not to be pulled further. */
static daq_parse parse_d500(const cb_rig_force *rig, const char *bytes, size_t n, daq_reading *out, size_t *used) {
  char letter;
  (void)rig;
  daq_parse p = daq_d500_parse(bytes, n, &out->value, &letter, used);
  out->raw = out->value;
  out->overload = letter != 0;
  return p;
}

static cb_status d500_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  (void)stage;
  return serial_open(f, port, parse_d500, "*1A0\r", err);
}

const daq_force_driver daq_d500_driver = SERIAL_DRIVER("futek-d500", d500_open);
