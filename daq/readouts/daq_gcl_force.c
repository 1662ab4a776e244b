/* A Mark-10 gauge as a read-out. */
#include <stdio.h>
#include <string.h>

#include "daq_gcl.h"
#include "daq_serial_force.h"

#define REPLY_S 0.5
#define LINES_MAX 200 /* of a stream that was still running when we said stop */

static cb_status refused(int code, cb_err *err) {
  return cb_fail(
      err, CB_E_DEVICE,
      "force read-out (mark10-gcl): the gauge refuses a command with *%d (%s): does it speak GCL2?", code,
      daq_gcl_error(code));
}

/* LIST answers with one line of settings. Older gauges do not know it, and are no worse for that. */
static cb_status identify(daq_force *f, cb_err *err) {
  daq_gcl_message m;
  char line[256];
  size_t used;
  CB_TRY(daq_serial_force_say(f, "LIST\r", err));
  for (int i = 0; i < LINES_MAX; i++) {
    CB_TRY(daq_serial_force_hear(f, REPLY_S, line, sizeof line - 1, err));
    if (!line[0]) return CB_OK;
    (void)strcat(line, "\r");
    if (daq_gcl_parse(line, strlen(line), &m, &used) != DAQ_PARSE_VALID || m.kind == DAQ_GCL_READING)
      continue;
    if (m.kind == DAQ_GCL_TEXT) (void)snprintf(f->identity, sizeof f->identity, "%s", m.text);
    return CB_OK;
  }
  return CB_OK;
}

static cb_status start_gcl(daq_force *f, cb_err *err) {
  char command[32];
  int rate = daq_gcl_rate(f->rig->force.rate_Hz);
  if (rate == 0)
    return cb_fail(err, CB_E_RANGE,
                   "%s: force.rate_Hz = %g: a Mark-10 gauge sends at most 250 readings per second",
                   f->rig->path, f->rig->force.rate_Hz);
  CB_TRY(daq_serial_force_say(f, "AOUT0\r", err));
  CB_TRY(identify(f, err));
  /* Units with every reading; the reading of now, not a peak. */
  (void)snprintf(command, sizeof command, "FULL\rCUR\rAOUT%d\r", rate);
  return daq_serial_force_say(f, command, err);
}

static cb_status take_gcl_reading(const daq_force *f, const char *bytes, size_t n, daq_reading *out,
                                  daq_serial_answer *answer, size_t *used, cb_err *err) {
  daq_gcl_message m;
  daq_parse p = daq_gcl_parse(bytes, n, &m, used);
  *answer = p == DAQ_PARSE_MORE ? DAQ_ANSWER_MORE : DAQ_ANSWER_GARBAGE;
  if (p != DAQ_PARSE_VALID || m.kind == DAQ_GCL_TEXT) return CB_OK;
  if (m.kind == DAQ_GCL_ERROR) return refused(m.code, err);
  const char *unit = daq_gcl_unit(m.unit);
  CB_TRY(daq_serial_force_check_unit(f, m.unit, unit ? unit : "", err));
  *answer = DAQ_ANSWER_READING;
  out->raw = out->value = m.number;
  return CB_OK;
}

static cb_status gcl_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  static const daq_serial_protocol protocol = {
      .start = start_gcl, .farewell = "AOUT0\r", .take = take_gcl_reading};
  (void)stage;
  return daq_serial_force_open(f, port, &protocol, "", err);
}

const daq_force_driver daq_gcl_driver = DAQ_SERIAL_FORCE_DRIVER("mark10-gcl", gcl_open);
