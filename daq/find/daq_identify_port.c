/* The part of daq_identify that talks to a port. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_rig.h"
#include "cb_time.h"
#include "daq_devices_parts.h"
#include "daq_transport.h"
#include "daq_zaber.h"

/* A board that opening the port has reset says nothing before its boot loader is over, up to 4 s; and that
 * must not hear us. */
#define BOOT_S 4.5
#define LISTEN_S 0.5 /* five lines of the slowest read-out worth having, 10 per second */
#define ANSWER_S 0.25
#define BYTES_MAX 4096
#define APT_BAUD 115200 /* of every controller */
#define APT_BYTES 6     /* its question, without the NULs before it */

typedef struct port {
  daq_transport *t;
  const cb_stop *stop_flag;
  int speeds_with_bytes, speeds;
  int parity; /* cb_parity */
  int usb_vid, usb_pid;
} port;

/* On the open port: closing it would reset an Arduino for every speed. */
static cb_status set_speed(port *p, int baud, cb_err *err) {
  p->parity = CB_PARITY_NONE;
  CB_TRY(daq_transport_use_baud(p->t, baud, err));
  daq_transport_discard(p->t);
  return CB_OK;
}

/* ---- hearing ---- */

/* What comes in so many seconds; ends early once it is enough to know, and LISTEN_S after the first byte. */
static cb_status hear(port *p, daq_question asked, int baud, double seconds, daq_identified *out, bool *known,
                      cb_err *err) {
  char bytes[BYTES_MAX];
  size_t n = 0, got;
  double until_s = cb_now_monotonic_s() + seconds, left_s;
  *known = false;
  while (!*known && n < sizeof bytes && (left_s = until_s - cb_now_monotonic_s()) > 0) {
    CB_TRY(cb_stop_check(p->stop_flag, err));
    CB_TRY(daq_transport_read(p->t, bytes + n, sizeof bytes - n, left_s < 0.1 ? left_s : 0.1, &got, err));
    if (n == 0 && got > 0) until_s = fmin(until_s, cb_now_monotonic_s() + LISTEN_S);
    n += got;
    if (got > 0) *known = daq_identify_bytes(asked, bytes, n, out);
  }
  if (asked == DAQ_Q_NONE) p->speeds_with_bytes += n > 0, p->speeds++;
  if (*known || (n > 0 && out->heard[0] && out->baud == 0)) out->baud = baud;
  return CB_OK;
}

/* The port was opened at first_baud, which need not be one of ours. */
static cb_status listen_everywhere(port *p, int first_baud, daq_identified *out, bool *known, cb_err *err) {
  CB_TRY(hear(p, DAQ_Q_NONE, first_baud, BOOT_S, out, known, err));
  for (const int *baud = daq_question_bauds; *baud && !*known; baud++) {
    if (*baud == first_baud) continue;
    CB_TRY(set_speed(p, *baud, err));
    CB_TRY(hear(p, DAQ_Q_NONE, *baud, LISTEN_S, out, known, err));
  }
  return CB_OK;
}

/* ---- asking ---- */

#define SERIAL_ID 77 /* of the question for the serial number; others on the line talk, too */

/* A device that has answered as a Zaber may be asked in its own words. */
static cb_status ask_zaber_serial(port *p, daq_identified *out, cb_err *err) {
  char question[96], answer[256];
  daq_zaber_message m;
  size_t n, used;
  (void)daq_zaber_format(question, sizeof question, 0, SERIAL_ID, "get system.serial", false);
  CB_TRY(daq_transport_write(p->t, question, strlen(question), 1, err));
  cb_sleep_s(ANSWER_S);
  CB_TRY(daq_transport_read(p->t, answer, sizeof answer, 0, &n, err));
  daq_parse is;
  for (size_t at = 0; (is = daq_zaber_parse(answer + at, n - at, false, &m, &used)) != DAQ_PARSE_MORE;
       at += used) {
    if (is != DAQ_PARSE_VALID || m.kind != DAQ_ZABER_REPLY || m.id != SERIAL_ID || m.rejected) continue;
    (void)snprintf(out->serial, sizeof out->serial, "%.*s", (int)strspn(m.data, "0123456789"), m.data);
    return CB_OK;
  }
  return CB_OK;
}

static bool is_thorlabs(const port *p) { return p->usb_vid == 0x0403 && p->usb_pid == 0xFAF0; }

/* Controllers with APT have a USB id of their own, and take any bytes for messages: they hear their question
 * alone, without the NULs. On USB nobody else hears it. */
static cb_status put_question(port *p, daq_question q, bool *put, cb_err *err) {
  const daq_question_text *t = &daq_question_texts[q];
  const size_t skip = is_thorlabs(p) ? t->n - APT_BYTES : 0;
  *put = is_thorlabs(p) ? q == DAQ_Q_APT : q != DAQ_Q_APT || p->usb_vid == 0;
  if (!*put) return CB_OK;
  if (t->parity != p->parity) CB_TRY(daq_transport_use_parity(p->t, t->parity, err));
  p->parity = t->parity;
  return daq_transport_write(p->t, t->bytes + skip, t->n - skip, 1, err);
}

static cb_status ask_at(port *p, int baud, daq_identified *out, bool *known, cb_err *err) {
  CB_TRY(set_speed(p, baud, err));
  for (int q = DAQ_Q_NONE + 1; q < DAQ_N_QUESTIONS && !*known; q++) {
    bool put;
    CB_TRY(put_question(p, (daq_question)q, &put, err));
    if (put) CB_TRY(hear(p, (daq_question)q, baud, ANSWER_S, out, known, err));
  }
  if (*known && strcmp(out->driver, "zaber-ascii") == 0) return ask_zaber_serial(p, out, err);
  return CB_OK;
}

static cb_status find_out(port *p, int first_baud, bool ask, daq_identified *out, cb_err *err) {
  bool known = false;
  if (is_thorlabs(p)) return ask ? ask_at(p, APT_BAUD, out, &known, err) : CB_OK;
  CB_TRY(listen_everywhere(p, first_baud, out, &known, err));
  /* What talks all the time is a read-out; it is not disturbed. */
  out->noise = !known && p->speeds_with_bytes == p->speeds;
  if (known || out->noise || !ask) return CB_OK;
  for (const int *baud = daq_question_bauds; *baud && !known; baud++)
    CB_TRY(ask_at(p, *baud, out, &known, err));
  return CB_OK;
}

cb_status daq_identify_port(const char *path, int rig_baud, bool ask, const cb_stop *stop_flag,
                            daq_identified *out, cb_err *err) {
  port p = {.stop_flag = stop_flag};
  int first_baud = rig_baud > 0 ? rig_baud : 115200;
  char name[PATH_MAX]; /* of a link: the port's own, by which it has USB ids */
  *out = (daq_identified){0};
  CB_TRY(daq_transport_open(realpath(path, name) ? name : path, first_baud, &p.t, err));
  daq_transport_usb(p.t, &p.usb_vid, &p.usb_pid);
  cb_status st = find_out(&p, first_baud, ask, out, err);
  daq_transport_close(p.t);
  return st;
}
