/* A balance as a read-out: the sled is weighed with it, or it hangs in the pull line. */
#include <stdio.h>
#include <string.h>

#include "cb_time.h"
#include "daq_serial_force.h"
#include "daq_sics.h"

#define RESET_S 1.0

/* The reset is answered with the serial number, as I4 is. A balance that does not answer is not asked
 * again. */
static cb_status start_sics(daq_force *f, cb_err *err) {
  daq_sics_message m = {.kind = DAQ_SICS_TEXT};
  double deadline_s = cb_now_monotonic_s() + RESET_S;
  char line[64] = "";
  size_t used;
  CB_TRY(daq_serial_force_say(f, "@\r\n", err));
  for (double left_s = RESET_S; m.kind != DAQ_SICS_SERIAL && left_s > 0;
       left_s = deadline_s - cb_now_monotonic_s()) {
    CB_TRY(daq_serial_force_hear(f, left_s, line, sizeof line - 1, err));
    (void)strcat(line, "\r");
    (void)!daq_sics_parse(line, strlen(line), &m, &used);
  }
  bool told = m.kind == DAQ_SICS_SERIAL;
  if (told) (void)snprintf(f->identity, sizeof f->identity, "MT-SICS balance, serial number %s", m.text);
  CB_TRY(daq_force_check_serial(f, told ? m.text : "", err));
  return daq_serial_force_say(f, "SIR\r\n", err);
}

static cb_status take_sics_reading(const daq_force *f, const char *bytes, size_t n, daq_reading *out,
                                   daq_serial_answer *answer, size_t *used, cb_err *err) {
  daq_sics_message m;
  daq_parse p = daq_sics_parse(bytes, n, &m, used);
  *answer = p == DAQ_PARSE_MORE ? DAQ_ANSWER_MORE : DAQ_ANSWER_GARBAGE;
  if (p != DAQ_PARSE_VALID || m.kind == DAQ_SICS_TEXT) return CB_OK;
  if (m.kind == DAQ_SICS_ERROR)
    return cb_fail(err, CB_E_DEVICE, "force read-out (mt-sics): the balance refuses a command (%s)",
                   daq_sics_error(m.error));
  if (m.kind == DAQ_SICS_READING) CB_TRY(daq_serial_force_check_unit(f, m.unit, m.unit, err));
  *answer = m.kind == DAQ_SICS_BUSY || m.kind == DAQ_SICS_SERIAL ? DAQ_ANSWER_OTHER : DAQ_ANSWER_READING;
  /* Over its range a balance says no number: the flag is the message, and the zero beside it is not to be
   * used. */
  out->overload = m.kind == DAQ_SICS_OVERLOAD || m.kind == DAQ_SICS_UNDERLOAD;
  out->raw = out->value = m.number;
  return CB_OK;
}

static cb_status sics_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  /* Only another command ends SIR. */
  static const daq_serial_protocol protocol = {
      .tells_serial = true, .start = start_sics, .farewell = "SI\r\n", .take = take_sics_reading};
  (void)stage;
  return daq_serial_force_open(f, port, &protocol, "", err);
}

const daq_force_driver daq_sics_driver = DAQ_SERIAL_FORCE_DRIVER("mt-sics", sics_open);
