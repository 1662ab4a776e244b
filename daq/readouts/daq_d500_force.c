/* The FUTEK IPM500 (D500) display as a read-out. */
#include "daq_d500.h"
#include "daq_serial_force.h"

static cb_status start_d500(daq_force *f, cb_err *err) { return daq_serial_force_say(f, "*1A0\r", err); }

/* Whichever of its eight alarms is meant, it is one that somebody set up: the cell is not to be pulled
 * further. */
static cb_status take_d500_reading(const daq_force *f, const char *bytes, size_t n, daq_reading *out,
                                   daq_serial_answer *answer, size_t *used, cb_err *err) {
  char letter;
  (void)f;
  (void)err;
  daq_parse p = daq_d500_parse(bytes, n, &out->value, &letter, used);
  out->raw = out->value;
  out->overload = letter != 0;
  *answer = p == DAQ_PARSE_VALID  ? DAQ_ANSWER_READING
            : p == DAQ_PARSE_MORE ? DAQ_ANSWER_MORE
                                  : DAQ_ANSWER_GARBAGE;
  return CB_OK;
}

static cb_status d500_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  static const daq_serial_protocol protocol = {.start = start_d500, .take = take_d500_reading};
  (void)stage;
  return daq_serial_force_open(f, port, &protocol, "", err);
}

const daq_force_driver daq_d500_driver = DAQ_SERIAL_FORCE_DRIVER("futek-d500", d500_open);
