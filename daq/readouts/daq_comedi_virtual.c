/* The board of a virtual rig, behind a pseudo-terminal: daq_board_wire.h says what goes over it. */
#include <stdio.h>
#include <string.h>

#include "cb_time.h"
#include "daq_comedi.h"

#define ANSWER_S 2.0 /* wall clock; a loaded machine wakes the rig late */
/* Its buffer is that of the pseudo-terminal and of the rig's port behind it. */
#define BUFFER_BYTES 65536

static cb_status receive(daq_comedi *c, char *to, size_t cap, double timeout_s, size_t *n, cb_err *err) {
  return daq_transport_read(c->wire, to, cap, timeout_s, n, err);
}

/* Byte by byte: the scans begin right behind it. */
static cb_status hear_answer(daq_comedi *c, daq_board_grant *grant, cb_err *err) {
  char line[DAQ_BOARD_LINE_MAX], refusal[DAQ_BOARD_LINE_MAX];
  double deadline_s = cb_now_monotonic_s() + ANSWER_S, left_s;
  size_t n = 0, got, used;
  while ((left_s = deadline_s - cb_now_monotonic_s()) > 0 && n < sizeof line) {
    CB_TRY(receive(c, line + n, 1, left_s, &got, err));
    n += got;
    daq_parse p = daq_board_answer(line, n, c->n, grant, refusal, &used);
    if (p == DAQ_PARSE_VALID) return CB_OK;
    if (p == DAQ_PARSE_INVALID)
      return cb_fail(err, CB_E_RANGE, "board %s: the acquisition is refused: %.160s", c->port, refusal);
  }
  return cb_fail(err, CB_E_DEVICE, "board %s: it does not answer: the port of another instrument?", c->port);
}

/* A board whose ranges are exact: volts are linear in counts. */
static void describe_channels(daq_comedi *c, const daq_board_grant *g) {
  for (size_t i = 0; i < c->n; i++) {
    const cb_comedi_channel *k = &c->rig->comedi.channel[i];
    cb_run_channel *out = &c->channel[i];
    out->c[0] = g->min_V[i];
    out->c[1] = (g->max_V[i] - g->min_V[i]) / g->maxdata;
    out->raw_max = g->maxdata;
    (void)snprintf(out->device, sizeof out->device, "virtual board channel %d range %d", k->channel,
                   k->range);
    (void)snprintf(out->conversion, sizeof out->conversion, "nominal range");
  }
}

static cb_status open_virtual(daq_comedi *c, char identity[128], cb_err *err) {
  char order[DAQ_BOARD_LINE_MAX];
  daq_board_grant grant;
  c->n = c->rig->comedi.n;
  c->streams = true;
  c->buffer_s = BUFFER_BYTES / (double)(2 + 2 * c->n) / c->rig->force.rate_Hz;
  for (size_t i = 0; i < c->n; i++) c->channel[i] = daq_comedi_wanted(c, i);
  CB_TRY(daq_transport_open(c->port, c->rig->force.baud, &c->wire, err));
  daq_transport_discard(c->wire);
  daq_board_order(c->rig, order);
  CB_TRY(daq_transport_write(c->wire, order, strlen(order), ANSWER_S, err));
  CB_TRY(hear_answer(c, &grant, err));
  describe_channels(c, &grant);
  (void)snprintf(identity, 128, "virtual Comedi board");
  return daq_comedi_take_rate(c, 1 / grant.period_s, err);
}

/* ---- samples ---- */

/* Moves the whole scans of `bytes` to rx, which has room; what is left begins the next one. */
static cb_status take_scans(daq_comedi *c, const char *bytes, size_t n, cb_err *err) {
  uint16_t scan[CB_COMEDI_CHANNELS_MAX];
  size_t at = 0, used;
  daq_parse p;
  while ((p = daq_board_scan(bytes + at, n - at, c->n, &c->next_scan, scan, &used)) == DAQ_PARSE_VALID) {
    memcpy(c->rx + c->n_rx, scan, c->n * sizeof *scan);
    c->n_rx += c->n * sizeof *scan;
    at += used;
  }
  c->n_block = n - at;
  memmove(c->block, bytes + at, n - at < sizeof c->block ? n - at : sizeof c->block);
  return p == DAQ_PARSE_MORE ? CB_OK : daq_comedi_overrun(c, err);
}

/* After an overrun c->block begins with a scan that is not the next one: it is found again at every call,
 * after what came before it was read. */
static cb_status fill_virtual(daq_comedi *c, bool *came, cb_err *err) {
  char bytes[4096];
  size_t got, n = c->n_block, had = c->n_rx;
  *came = false;
  if (n >= 2 + 2 * c->n) return daq_comedi_overrun(c, err);
  memcpy(bytes, c->block, n);
  CB_TRY(receive(c, bytes + n, sizeof bytes - n, 0, &got, err));
  cb_status st = take_scans(c, bytes, n + got, err);
  *came = c->n_rx > had;
  return *came ? CB_OK : st;
}

static int source_fd(const daq_comedi *c) { return daq_transport_fd(c->wire); }
static bool taken(const daq_comedi *c) { return c->wire != NULL; }
static void close_virtual(daq_comedi *c) { daq_transport_close(c->wire); }

const daq_comedi_source daq_comedi_virtual = {
    .open = open_virtual, .fill = fill_virtual, .fd = source_fd, .taken = taken, .close = close_virtual};
