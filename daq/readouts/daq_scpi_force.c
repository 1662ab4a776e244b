/* A multimeter or bridge amplifier with SCPI as a read-out, on a serial line or by USBTMC: one question for
 * every reading. */
#include <stdio.h>
#include <string.h>

#include "daq_messages.h"
#include "daq_scpi.h"
#include "daq_serial_force.h"

#define REPLY_S 2.0
#define ERRORS_MAX 30 /* of a queue that was full */

static cb_status say_line(daq_force *f, const char *text, cb_err *err) {
  char line[DAQ_QUESTION_MAX];
  (void)snprintf(line, sizeof line, "%s\n", text);
  return daq_serial_force_say(f, line, err);
}

static cb_status query(daq_force *f, const char *question, char *line, size_t cap, cb_err *err) {
  CB_TRY(say_line(f, question, err));
  return daq_serial_force_hear(f, REPLY_S, line, cap, err);
}

/* The first one is told, and the queue left empty. */
static cb_status check_errors(daq_force *f, cb_err *err) {
  char line[128], first[128] = "";
  int code = 0;
  for (int i = 0; i < ERRORS_MAX; i++) {
    CB_TRY(query(f, "SYST:ERR?", line, sizeof line, err));
    if (!daq_scpi_error(line, &code) || code == 0) break;
    if (!first[0]) memcpy(first, line, sizeof first);
  }
  if (!first[0]) return CB_OK;
  return cb_fail(err, CB_E_DEVICE, "force read-out (scpi): '%s' of force.start is refused with %s",
                 f->rig->force.start, first);
}

static cb_status start_scpi(daq_force *f, cb_err *err) {
  char serial[64];
  CB_TRY(query(f, "*IDN?", f->identity, sizeof f->identity, err));
  daq_scpi_serial(f->identity, serial);
  CB_TRY(daq_force_check_serial(f, serial, err));
  CB_TRY(say_line(f, "*CLS", err));
  if (!f->rig->force.start[0]) return CB_OK;
  CB_TRY(say_line(f, f->rig->force.start, err));
  return check_errors(f, err);
}

static cb_status take_scpi_reading(const daq_force *f, const char *bytes, size_t n, daq_reading *out,
                                   daq_serial_answer *answer, size_t *used, cb_err *err) {
  const cb_rig_force *rig = &f->rig->force;
  daq_scpi_reading r;
  (void)err;
  daq_parse p = daq_scpi_parse(bytes, n, rig->field, &r, used);
  out->overload = r.overload;
  if (!r.overload) out->raw = out->value = r.number * rig->scale;
  *answer = p == DAQ_PARSE_VALID  ? DAQ_ANSWER_READING
            : p == DAQ_PARSE_MORE ? DAQ_ANSWER_MORE
                                  : DAQ_ANSWER_GARBAGE;
  return CB_OK;
}

static size_t ask_scpi(const daq_force *f, char out[DAQ_QUESTION_MAX]) {
  return (size_t)snprintf(out, DAQ_QUESTION_MAX, "%s\n", f->rig->force.request);
}

static cb_status connect_usbtmc(const daq_force *f, const char *port, daq_transport **out, cb_err *err) {
  return daq_messages_open_usbtmc(port, f->rig->force.silence_timeout_s, out, err);
}

static cb_status scpi_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  static const daq_serial_protocol
      serial = {.plain = true,
                .tells_serial = true,
                .start = start_scpi,
                .take = take_scpi_reading,
                .question = ask_scpi,
                .doubt = "is the question of force.request answered with a number, and the speed right?"},
      usb = {.exact = true,
             .tells_serial = true,
             .connect = connect_usbtmc,
             .start = start_scpi,
             .take = take_scpi_reading,
             .question = ask_scpi,
             .doubt = "is the question of force.request answered with a number?"};
  (void)stage;
  return daq_serial_force_open(f, port, daq_messages_is_usbtmc(port) ? &usb : &serial, "", err);
}

static void scpi_close(daq_force *f) {
  if (daq_serial_force_port(f) && f->rig->force.stop[0]) (void)!say_line(f, f->rig->force.stop, NULL);
  daq_serial_force_close(f);
}

const daq_force_driver daq_scpi_driver = {.name = "scpi",
                                          .open = scpi_open,
                                          .close = scpi_close,
                                          .fd = daq_serial_force_fd,
                                          .read = daq_serial_force_read,
                                          .discard = daq_serial_force_discard};
