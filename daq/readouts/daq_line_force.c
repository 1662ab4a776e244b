/* The read-out that sends lines as the rig file describes them. */
#include <math.h>

#include "daq_line.h"
#include "daq_serial_force.h"

static cb_status take_line_reading(const daq_force *f, const char *bytes, size_t n, daq_reading *out,
                                   daq_serial_answer *answer, size_t *used, cb_err *err) {
  const cb_rig_force *rig = &f->rig->force;
  (void)err;
  daq_parse p = daq_line_parse(bytes, n, rig->terminator, rig->field, rig->separator, &out->value, used);
  out->raw = out->value *= rig->scale;
  bool valid = p == DAQ_PARSE_VALID && isfinite(out->value);
  *answer = valid ? DAQ_ANSWER_READING : p == DAQ_PARSE_MORE ? DAQ_ANSWER_MORE : DAQ_ANSWER_GARBAGE;
  return CB_OK;
}

static cb_status line_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  static const daq_serial_protocol protocol = {.plain = true, .take = take_line_reading};
  (void)stage;
  return daq_serial_force_open(f, port, &protocol, f->rig->force.terminator, err);
}

const daq_force_driver daq_line_driver = DAQ_SERIAL_FORCE_DRIVER("line", line_open);
